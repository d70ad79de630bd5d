#!/bin/sh
# Where the bytes come from: pipes of every format, devices, folders, files without end, with holes, that grow or
# shrink while they are read, with odd names. All in a limited address space; what is refused, in one line.
cd "$(dirname "$0")/../.." || exit 1
reidle=$PWD/${BUILD:-build}/reidle
gen=$PWD/${BUILD:-build}/tools/gen_dat
periods=$PWD/${BUILD:-build}/tools/dump_periods
sysfs=$PWD/samples/p9-61-w100.sysfs-before.txt
snippets=$PWD/tests/formats/snippets
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
dat=$tmp/real.dat # without the table that lies beside it
cp samples/p9-61-w100.dat "$dat"
cd "$tmp" || exit 1
n=0
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || { echo "not ok $n - $2"; head -n 3 err | sed 's/^/# /'; }
}
run() { # run COMMAND...: with a limit on time, and, where no sanitizer needs more, on memory
	(nm "$reidle" 2>/dev/null | grep -q __asan || ulimit -v 2000000
		exec timeout 30 "$reidle" "$@") >out 2>err
}
refuses() { # refuses WORDS WHAT: the last run
	[ $status = 3 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q "$1" err
	ok $? "$2"
}

# the same from a file, on stdin and from a fifo
"$gen" 6.dat 2000 2 >/dev/null
"$gen" 7.dat 2000 2 version=7 codec=zstd >/dev/null
gzip -c "$dat" >packed.gz
tar -C "$snippets" -cf packed.tar psi-2s-wakeup.txt
printf '<!DOCTYPE html><html><script class="trace-data" type="application/text">\n%s\n</script></html>\n' \
	"$(cat "$snippets/atrace-TRACE-prefix.txt")" >page.html
mkfifo fifo
table() { sed '/^recording\|^command\|reidle.*report/,/^$/d' out; }
for f in "$dat" 6.dat 7.dat packed.gz packed.tar page.html "$snippets/psi-2s-wakeup.txt" \
	"$snippets/perf-script-intelpt-ns.txt" "$snippets/exit-as-minus-one.txt"; do
	run report --quiet "$f" && [ "$(wc -l <out)" -gt 20 ]
	status=$?
	table >want
	[ $status = 0 ] && run report --quiet - <"$f" && table | cmp -s - want
	ok $? "$(basename "$f") on stdin"
	cat "$f" >fifo &
	[ $status = 0 ] && run report --quiet fifo && table | cmp -s - want
	ok $? "and from a fifo"
	wait
done
run states "$sysfs" && mv out want && run states - <"$sysfs" && sed 's/^-:/x/' out | tail -n +2 >a &&
	tail -n +2 want | cmp -s - a
ok $? "a dump on stdin"
cat "$sysfs" >fifo &
run report --quiet "$dat" --states fifo
ok $? "and from a fifo with --states"
wait
cat "$sysfs" >fifo &
run report fifo
status=$?
refuses 'give it with --states' "a dump in the place of a recording"
wait

# nothing to read
for what in nosuch.dat:'No such file' /dev/null:'is empty' /dev/zero:'no format known' /dev/urandom:'no format known' \
	.:'cpuidle'; do
	run report "${what%%:*}"
	status=$?
	refuses "${what#*:}" "${what%%:*} is refused"
done
yes | run report -
status=$?
refuses 'no format known' "a pipe without end"
cp "$dat" secret.dat
chmod 0 secret.dat
if [ -r secret.dat ]; then
	n=$((n + 1))
	echo "ok $n - # SKIP root may read everything"
else
	run report secret.dat
	status=$?
	refuses 'Permission denied' "a file that may not be read"
fi

# 200 GB, nearly all of it a hole
truncate -s 200G empty.dat
run report empty.dat
status=$?
refuses 'no format known' "a hole of 200 GB"
for f in "$dat" "$PWD/6.dat"; do
	run report --quiet "$f" && table >want
	cp "$f" hole.dat
	truncate -s 200G hole.dat
	run report --quiet hole.dat && table | cmp -s - want
	ok $? "$(basename "$f") with a hole of 200 GB behind it is read as ever"
done
truncate -s "$(awk '/^MemTotal/ { print 2 * $2 "K" }' /proc/meminfo)" packed.gz
run report packed.gz
status=$?
refuses 'into memory' "what would have to be in memory, and is larger than it"
rm -f empty.dat hole.dat packed.gz

# a file that changes while it is read: larger than what is read at once
cp "$dat" grows.dat
for i in 1 2 3 4 5 6 7 8 9 10; do
	head -c 200000 /dev/zero >>grows.dat
	sleep 0.02
done &
run report --quiet "$dat" && table >want
run report --quiet grows.dat && table | cmp -s - want
ok $? "a writer appends meanwhile"
wait
"$gen" whole.dat 2000000 4 >/dev/null
shrinks() { # shrinks SECONDS BYTES
	cp whole.dat shrinks.dat
	(sleep "$1" && truncate -s "$2" shrinks.dat) &
	run report -j 2 shrinks.dat
	status=$?
	wait
	[ $status = 0 ] || { [ $status = 3 ] && [ "$(wc -l <err)" = 1 ]; } || echo "# $1 s, $2 bytes: exit $status"
}
for after in 0.01 0.03 0.05 0.08 0.12 0.2; do
	shrinks $after 1000000
	shrinks $after 50000000
done >shrunk
[ "$(wc -c <whole.dat)" -gt 80000000 ] && [ ! -s shrunk ]
ok $? "a file cut at twelve moments while it is read: read or refused in a line, never killed"
cat shrunk
truncate -s 60000000 whole.dat
run report whole.dat
status=$?
refuses 'it is cut' "and refused when it was cut before"

# names, numbers, sizes
name=$(printf 'a b\nc')
cp "$dat" "$name.dat"
run report --quiet "$name.dat" && [ "$(grep -c 'a b?c.dat' out)" -ge 1 ]
ok $? "a name with a blank and a newline"
run report "$name.txt"
status=$?
refuses 'a b?c.txt: cannot open it' "and one line when there is no such file"
line() { printf '  idle-0 [%s] %s: cpu_idle: state=%s cpu_id=%s\n' "$@"; }
{ line 8191 1.000000 1 8191; line 8191 1.001000 4294967295 8191; } >cpu.txt
"$periods" cpu.txt 2>err | grep '^8191.state.1.1.1000000$' >/dev/null
ok $? "CPU 8191 is the last there can be"
{ line 001 1.000000 1 4000000000; line 99999999999 1.001000 1 8192; line 001 1.002 4294967295 -3; } >cpu.txt
run report cpu.txt
status=$?
refuses 'no cpu_idle event' "events of CPUs that there cannot be are no events"
for events in 1 2 3; do
	"$gen" few.dat $events 1 >/dev/null
	rc=0
	for command in report "report --format json" "report --format csv" summary decisions wakes doctor events \
		"verify -g menu" "whatif -g teo,menu -t skl" "whatif -g oracle --format json" \
		"compare few.dat"; do
		# shellcheck disable=SC2086
		run ${command%% *} few.dat ${command#"${command%% *}"} && [ -s out ] ||
			{ echo "# $command:"; rc=1; }
	done
	ok $rc "every command on a recording of $events events"
done
echo "1..$n"
