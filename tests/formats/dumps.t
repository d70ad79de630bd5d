#!/bin/sh
# Idle-state dumps: the same machine as text in any order, as a folder, packed; what reidle states says.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
tsv=${BUILD:-build}/tools/dump_tsv
sample=samples/skl-612-pp.sysfs-before.txt
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
same() { # same FILE WHAT: reads as the sample does
	$tsv "$1" >"$tmp/got" 2>&1 && cmp -s "$tmp/want" "$tmp/got"
	ok $? "$2"
}
$tsv $sample >"$tmp/want"
[ "$(wc -l <"$tmp/want")" = 37 ]
ok $? "four CPUs of nine states"

# the text in other orders and wrappings
sort -R $sample >"$tmp/shuffled.txt"
same "$tmp/shuffled.txt" "any order"
sed 's/^/> /; s/$/\r/' $sample >"$tmp/mail.txt"
same "$tmp/mail.txt" "quoted in a mail, CRLF"
sed 's/:/: /; s|^|./6.12/iter-0|' $sample >"$tmp/prefix.txt"
same "$tmp/prefix.txt" "another separator and a prefix"
awk -F: -v OFS=: '{ printf "%s:1:", $1; sub(/^[^:]*:/, ""); print }' $sample >"$tmp/numbers.txt"
same "$tmp/numbers.txt" "line numbers of grep -n"
printf '%s' "$(cat $sample)" >"$tmp/nonl.txt"
same "$tmp/nonl.txt" "no newline at the end"
gzip -c $sample >"$tmp/x.gz"
same "$tmp/x.gz" "gzip"
xz -c $sample >"$tmp/x.xz"
same "$tmp/x.xz" "xz"

# the tree itself
mkdir "$tmp/tree"
awk -v dir="$tmp/tree" '{ at = index($0, ":"); path = dir substr($0, 1, at - 1); value = substr($0, at + 1)
	folder = path; sub(/\/[^\/]*$/, "", folder)
	if (!(folder in made)) { system("mkdir -p " folder); made[folder] = 1 }
	print value > path; close(path) }' $sample
same "$tmp/tree" "a folder"
same "$tmp/tree/sys/devices/system/cpu" "a folder below it"
tar -C "$tmp/tree" -cf "$tmp/tree.tar" sys
same "$tmp/tree.tar" "a tar of it"
gzip -c "$tmp/tree.tar" >"$tmp/tree.tgz"
same "$tmp/tree.tgz" "a packed tar of it"

# reidle states
$reidle states >"$tmp/out" && grep -q '^pseries-p9-firmware ' "$tmp/out" && grep -q '^Left out' "$tmp/out"
ok $? "states lists the tables and what was left out"
$reidle states --format json | grep -q '"schema": "reidle.states/1"'
ok $? "and as JSON"
rows() { $reidle states "$@" --format csv | grep -v '^#'; }
$reidle states --import $sample -o "$tmp/new.tsv" && rows "$tmp/new.tsv" >"$tmp/a" &&
	rows $sample >"$tmp/b" && [ "$(wc -l <"$tmp/a")" = 10 ] && cmp -s "$tmp/a" "$tmp/b"
ok $? "a table made from a dump reads back the same"
sed '/cpu[23]/s|state3/latency:70|state3/latency:77|' $sample >"$tmp/two.txt"
$reidle states --import "$tmp/two.txt" -o "$tmp/two.tsv" && [ "$(grep -c '^cpus' "$tmp/two.tsv")" = 2 ] &&
	$reidle report samples/skl-612-pp.dat -t "$tmp/two.tsv" --format json >/dev/null &&
	$reidle states "$tmp/two.tsv" --format json | grep -q '"cpus": "2-3"'
ok $? "clusters keep their CPUs in a table file"
REIDLE_DATA=$tmp $reidle states skl-612-pp --format csv | grep -v '^#' | cmp -s - "$tmp/a"
ok $? "and is found by name in \$REIDLE_DATA"
$reidle states pseries-p9 --set CEDE.latency=12 --set CEDE.residency=120 --format csv | grep -q '^1,CEDE,12,120,'
ok $? "--set shows in the table"
$reidle states pseries-p9 --set C6.latency=12 2>"$tmp/err"
[ $? = 2 ] && grep -q 'snooze, CEDE' "$tmp/err"
ok $? "an unknown state is named with those that there are, exit 2"
$reidle states nonsense 2>"$tmp/err"
[ $? = 2 ] && [ "$(wc -l <"$tmp/err")" = 1 ]
ok $? "an unknown table: one line, exit 2"
$reidle states README.md 2>"$tmp/err" || $reidle states Makefile 2>"$tmp/err"
[ $? = 3 ] && grep -q 'cpupower' "$tmp/err"
ok $? "a file that is no dump: one line that says how to make one, exit 3"

# cpupower's output, and dumps without all files
snippets=tests/formats/snippets
$reidle states $snippets/cpupower-disabled-suffix.txt --format csv | grep -q '^4,C6,133,400,.*,off'
ok $? "cpupower: a disabled state; residencies of the table with these names and latencies"
$reidle states $snippets/cpupower-residency-line-612.txt --format csv | grep -q '^2,C1E,10,20,'
ok $? "cpupower of 6.12 prints residencies"
$reidle states $snippets/cpupower-raptorlake-acpi.txt --format csv | grep -q '^3,C3_ACPI,1048,3144,'
ok $? "cpupower: states from _CST"
$reidle states $snippets/cpupower-power11-snooze-only.txt --format csv | grep -q '^0,snooze,0,0,yes,next_enabled,on'
ok $? "cpupower: one polling state"
$reidle states $snippets/cpupower-no-driver-idle-poll.txt 2>"$tmp/err"
[ $? = 3 ] && grep -q 'driver none' "$tmp/err"
ok $? "cpupower: no states, exit 3"
$reidle states $snippets/haswell-cst-prefixed-paths.sysfs.txt >"$tmp/out" && grep -q '^ *3 .*100.*off' "$tmp/out" &&
	grep -q 'lacks latencies' "$tmp/out"
ok $? "three files of each state, no names"
$reidle states --import $snippets/haswell-cst-prefixed-paths.sysfs.txt 2>"$tmp/err"
[ $? = 3 ] && grep -q 'give it with --set 0.latency=US' "$tmp/err"
ok $? "and no table can be made of it before the latencies are given"

# what an old tool does not print is not known: no zeros for it
$reidle report $snippets/cpupower-disabled-suffix.txt --format json >"$tmp/out" && grep -q '"above": null' "$tmp/out" &&
	! grep -Eq '"(above|below|above_recorded|below_recorded)": [0-9]' "$tmp/out"
ok $? "above and below of cpupower's counters are null"
$reidle report samples/p9-61-w100.dat --states $snippets/haswell-cst-prefixed-paths.sysfs.txt --format json >"$tmp/out" &&
	grep -q '"above": null' "$tmp/out" && ! grep -Eq '"(above|below)": [0-9]' "$tmp/out"
ok $? "and those of a recording whose table lacks latencies"

# other people's dumps
shared=${REIDLE_SHARED:-../shared}/traces
if [ -d "$shared/public" ]; then
	for f in "$shared"/expected/*.sysfs-delta.tsv; do
		name=$(basename "$f" .sysfs-delta.tsv)
		$tsv "$shared/public/$name.sysfs-before.txt" "$shared/public/$name.sysfs-after.txt" |
			cmp -s - "$f"
		ok $? "$name: after minus before"
	done
	for f in "$shared"/guest/*.sysfs-before.txt "$shared"/public/*.sysfs.txt; do
		$reidle states "$f" >"$tmp/out" && grep -Eq '^ +0 ' "$tmp/out"
		ok $? "$(basename "$f")"
	done
	# numbers of three machines, read off their files by eye
	$reidle states "$shared/public/teo-reg-6.12.sysfs.txt" --format csv | grep -c '^[0-9]' | grep -qx 9
	ok $? "three clusters with three states each: s2idle is left out"
	$reidle states "$shared/public/pepc-spr-nomwait.sysfs.txt" --format csv | grep -q '^3,C6,290,800,'
	ok $? "Sapphire Rapids C6"
else
	n=$((n + 1))
	echo "ok $n - # SKIP other people's dumps are not here (REIDLE_SHARED)"
fi
echo "1..$n"
