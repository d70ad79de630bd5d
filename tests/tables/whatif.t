#!/bin/sh
# reidle whatif on the POWER sample: invariants of every run, the six rows of the CEDE story, forms.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
sample=samples/p9-61-w100.dat
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
comments() { sed 's/^/# /' "$tmp/out"; }

$reidle whatif --format json $sample -g menu@6.1,menu@6.1:poll_override=off,teo@7.2,oracle >"$tmp/json" 2>"$tmp/out"
ok $? "four governors beside the recording"
perl tests/tables/invariants.pl <"$tmp/json" >"$tmp/out" 2>&1
rc=$?
comments
ok $rc "invariants of every run, CPU and state"
$reidle whatif --format json -j 4 $sample -g menu@6.1,menu@6.1:poll_override=off,teo@7.2,oracle | cmp -s - "$tmp/json"
ok $? "the number of threads changes no byte"

# what the posted story says, one recording: counts of snooze and CEDE on the woken CPU, and above
row() { # row WHAT SNOOZE CEDE ABOVE OPTIONS...: within 3 % of the 10007 idle periods
	what=$1 snooze=$2 cede=$3 above=$4
	shift 4
	$reidle whatif --format json --cpus 1 $sample "$@" 2>"$tmp/out" | perl -MJSON::PP -0777 -ne '
		my $s = decode_json($_)->{runs}[1]{total}{states};
		print "$s->[0]{usage} $s->[1]{usage} ", $s->[0]{above} + $s->[1]{above}, "\n"' >"$tmp/got"
	echo "$snooze $cede $above" | cat - "$tmp/got" | awk '
		NR == 1 { for (i = 1; i <= 3; i++) want[i] = $i }
		NR == 2 { for (i = 1; i <= 3; i++) { d = $i - want[i]; if (d > 300 || d < -300) bad = 1 } }
		END { exit bad || NR != 2 }'
	rc=$?
	[ $rc = 0 ] || comments
	ok $rc "$what: snooze, CEDE, above $(cat "$tmp/got") (posted shape $snooze $cede $above)"
}
row "2021, snooze not polling for menu, CEDE 10/100" 10002 5 5 -g menu@5.10 --set snooze.polling=off
row "firmware's CEDE 1/10" 4 10003 0 -g menu@5.10 --set snooze.polling=off --set 1.latency=1 --set 1.residency=10
row "as recorded: polling, CEDE 10/100" 3 10004 9995 -g menu@6.1
row "2024 regression: CEDE 12/120" 3 10004 10004 -g menu@6.1 --set 1.latency=12 --set 1.residency=120
row "its cause: the polling flag off" 10001 6 6 -g menu@6.1 --set snooze.polling=off --set 1.latency=12 --set 1.residency=120
row "its end: menu of 7.2" 9999 8 6 -g menu@7.2 --set 1.latency=12 --set 1.residency=120

# the text form
$reidle whatif $sample -g menu@6.1:poll_override=off,oracle >"$tmp/text"
for word in "^held " "^self check" "poll_override=off" "run 2: oracle" "requested state, not hardware residency"; do
	grep -q "$word" "$tmp/text"
	ok $? "text says: $word"
done
awk 'length > 78 { print; bad = 1 } /\t/ { bad = 1 } END { exit bad }' "$tmp/text" >"$tmp/out"
rc=$?
[ $rc = 0 ] || comments
ok $rc "78 columns, no tabs"

$reidle whatif --quiet --fail-if 'run == 1 && state == total && above% > 5' $sample -g menu@6.1 >/dev/null
[ $? = 1 ]
ok $? "--fail-if on a replayed run"
$reidle whatif --quiet --fail-if 'run == 1 && state == total && above_change > 5%' $sample -g menu@6.1,oracle >/dev/null
ok $? "--fail-if on the change against the recording"
$reidle whatif $sample -g frob >/dev/null 2>"$tmp/out"
[ $? = 2 ] && [ "$(wc -l <"$tmp/out")" = 1 ]
ok $? "an unknown governor: 2, one line"
$reidle whatif $sample >/dev/null 2>"$tmp/out"
[ $? = 2 ]
ok $? "no governor: 2"

# edits of the table for one governor only stand beside each other and equal the same edit for all
$reidle whatif --format json $sample -g menu@5.10:snooze.polling=off:1.latency=1:1.residency=10 >"$tmp/one"
$reidle whatif --format json $sample -g menu@5.10 --set snooze.polling=off --set 1.latency=1 --set 1.residency=10 >"$tmp/all"
for f in one all; do
	perl -MJSON::PP -0777 -ne '
		print join(" ", map { "$_->{usage} $_->{time_ns} $_->{above}" } @{decode_json($_)->{runs}[1]{total}{states}}), "\n"' \
		"$tmp/$f" >"$tmp/$f.sums"
done
cmp -s "$tmp/one.sums" "$tmp/all.sums" && grep -q '[1-9]' "$tmp/one.sums"
ok $? "edits of one governor equal --set for all"
$reidle whatif $sample -g menu:snooze.frob=1 >/dev/null 2>"$tmp/out"
[ $? = 2 ] && grep -q 'snooze.frob' "$tmp/out"
ok $? "a wrong edit: 2, and which"
$reidle whatif $sample -g menu@6.1:disable=0+1 >/dev/null 2>"$tmp/out"
[ $? -le 2 ]
ok $? "all states off does not crash"
echo "1..$n"
