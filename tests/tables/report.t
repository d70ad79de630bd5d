#!/bin/sh
# reidle report through the program: counts and times of an independent script for every recording,
# recorded misses against trace-cmd's own reading, sysfs deltas, forms, exit status.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
comments() { sed 's/^/# /' "$tmp/out"; }

as_expected() { # as_expected RECORDING EXPECTED
	$reidle report --format json --quiet "$1" 2>"$tmp/out" >"$tmp/json" &&
		perl tests/tables/expected.pl "$2" <"$tmp/json" >"$tmp/out" 2>&1
	rc=$?
	[ $rc = 0 ] || comments
	ok $rc "$(basename "$1"): counts and ns of the independent script"
}
for r in samples/*.dat; do
	as_expected "$r" "${r%.dat}.expected.tsv"
done
if [ -d "$REIDLE_SHARED/traces" ]; then
	for r in "$REIDLE_SHARED"/traces/guest/*.dat "$REIDLE_SHARED"/traces/public/*.dat; do
		e=$REIDLE_SHARED/traces/expected/$(basename "$r").tsv
		[ -f "$e" ] || e=$REIDLE_SHARED/traces/expected/$(basename "$r" .dat).tsv
		[ -f "$e" ] && as_expected "$r" "$e"
	done
else
	n=$((n + 1))
	echo "ok $n - recordings of guest/ and public/ # SKIP no \$REIDLE_SHARED/traces"
fi

# what trace-cmd says of cpu_idle_miss, per CPU, state and type, against above_recorded, below_recorded
misses_match() {
	trace-cmd report -i "$1" 2>/dev/null | grep cpu_idle_miss: |
		sed -n 's/.*cpu_id=\([0-9]*\) state=\([0-9]*\) type=\([a-z]*\).*/\1 \2 \3/p' |
		sort | uniq -c | awk '{ print $2, $3, $4, $1 }' | sort >"$tmp/want"
	$reidle report --format json --quiet "$1" | perl -MJSON::PP -0777 -ne '
		for my $c (@{decode_json($_)->{runs}[0]{cpus}}) {
			for my $s (@{$c->{states}}) {
				for my $t ("above", "below") {
					my $v = $s->{"${t}_recorded"};
					print "$c->{cpu} $s->{index} $t $v\n" if $v;
				}
			}
		}' | sort >"$tmp/got"
	diff "$tmp/want" "$tmp/got" >"$tmp/out" 2>&1 && [ -s "$tmp/want" ]
	rc=$?
	[ $rc = 0 ] || comments
	ok $rc "$(basename "$1"): recorded misses as trace-cmd reads them ($(wc -l <"$tmp/want") kinds)"
}
if command -v trace-cmd >/dev/null 2>&1; then
	for r in samples/*.dat; do
		misses_match "$r"
	done
else
	n=$((n + 1))
	echo "ok $n - recorded misses # SKIP no trace-cmd"
fi

# verdicts by the kernel's arithmetic add up to what the kernel itself counted, within the edge of a ns
$reidle report --format json samples/p9-61-truth.dat | perl -MJSON::PP -0777 -ne '
	my ($ours, $kernel) = (0, 0);
	for my $s (@{decode_json($_)->{runs}[0]{total}{states}}) {
		$ours += $s->{above} + $s->{below};
		$kernel += $s->{above_recorded} + $s->{below_recorded};
	}
	print "$ours of $kernel\n";
	exit !($kernel > 10000 && abs($ours - $kernel) < 0.01 * $kernel);' >"$tmp/out"
rc=$?
ok $rc "computed and recorded misses are within 1 %: $(cat "$tmp/out")"

delta() { # delta NAME
	p=$REIDLE_SHARED/traces/public/$1
	$reidle report --before "$p.sysfs-before.txt" --after "$p.sysfs-after.txt" --format csv |
		grep -v '^#' | tr , '\t' | diff - "$REIDLE_SHARED/traces/expected/$1.sysfs-delta.tsv" >"$tmp/out" 2>&1
	rc=$?
	[ $rc = 0 ] || comments
	ok $rc "$1: after minus before, every counter"
}
if [ -d "$REIDLE_SHARED/traces" ]; then
	delta teo-reg-6.12-sleep-length
	delta teo-reg-mainline-tick-wakeups
else
	n=$((n + 1))
	echo "ok $n - sysfs deltas # SKIP no \$REIDLE_SHARED/traces"
fi

# the head of the text form
$reidle report samples/p9-61-truth.dat >"$tmp/text"
for word in "^reidle [0-9]" "^recording  *p9-61-truth.dat, sha256 [0-9a-f]" "clock mono" "EMULATED" \
	"HZ 250" "pseries_idle" "governor menu" "snooze 0/0" "^lost  *0 events" "menu@6.1.176" \
	"^command  *reidle report samples" "requested state, not hardware residency"; do
	grep -q "$word" "$tmp/text"
	ok $? "the head says: $word"
done
awk 'length > 78 { print FILENAME ": " $0; bad = 1 } /\t/ { bad = 1 } END { exit bad }' "$tmp/text" >"$tmp/out"
rc=$?
[ $rc = 0 ] || comments
ok $rc "78 columns, no tabs"
LC_ALL=C grep -q '[^ -~]' "$tmp/text"
[ $? = 1 ]
ok $? "ASCII only"

# exit status
$reidle report --fail-if 'state == total && above% > 5' samples/p9-61-w100.dat >/dev/null 2>"$tmp/err"
[ $? = 1 ] && grep -q 'holds' "$tmp/err"
ok $? "--fail-if that holds: 1, and which row"
$reidle report --format json --quiet --fail-if 'state == total && above% > 5' samples/p9-61-w100.dat >/dev/null 2>"$tmp/err"
[ $? = 1 ] && [ ! -s "$tmp/err" ]
ok $? "the same as JSON, quiet"
$reidle report --fail-if 'state == total && above% > 95%' samples/p9-61-w100.dat >/dev/null
ok $? "--fail-if that does not hold: 0"
$reidle report --fail-if 'frobs > 5' samples/p9-61-w100.dat >/dev/null 2>"$tmp/err"
[ $? = 2 ] && grep -q 'column 1' "$tmp/err"
ok $? "--fail-if that is wrong: 2, and where"
$reidle report --format json /nonexistent >/dev/null 2>"$tmp/err"
[ $? = 3 ] && [ "$(wc -l <"$tmp/err")" = 1 ]
ok $? "no such file: 3, one line"
$reidle report samples/p9-61-w100.dat -o "$tmp/new.txt" && [ -s "$tmp/new.txt" ]
ok $? "-o makes the file"
$reidle report /nonexistent -o "$tmp/none.txt" 2>/dev/null
[ ! -e "$tmp/none.txt" ] && [ "$(ls "$tmp" | grep -c none)" = 0 ]
ok $? "-o leaves nothing behind when the input cannot be read"
$reidle report samples/p9-61-w100.dat 2>"$tmp/err" | head -1 >/dev/null
[ ! -s "$tmp/err" ]
ok $? "a closed pipe is quiet"

# a window and one CPU: shares stay shares, counts shrink
$reidle report --format json --cpus 1 --from 0.2s --to 0.4s samples/p9-61-w100.dat | perl -MJSON::PP -0777 -ne '
	my $r = decode_json($_)->{runs}[0];
	my $n = 0;
	for my $c (@{$r->{cpus}}) {
		for my $s (@{$c->{states}}) {
			$n += $s->{usage} if $c->{cpu} != 1;
		}
	}
	my $one = 0;
	$one += $_->{usage} for @{$r->{total}{states}};
	exit !($n == 0 && $one > 1500 && $one < 2500);'
ok $? "--cpus, --from, --to"
echo "1..$n"
