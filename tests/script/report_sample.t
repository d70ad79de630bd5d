#!/bin/sh
# reidle report of huge recordings: states and times come from every event, wakes and latencies from windows.
# --sample makes windows in a small recording too, so that both can be held against --full.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
result() { # result STATUS NAME
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
json() { # json NAME FILE OPTION...
	out=$1 file=$2
	shift 2
	$reidle report "$@" --format json "$file" >"$tmp/$out" 2>"$tmp/err"
}
# same FILTER-EXPRESSION: is it the same text for full and sampled
same()
{
	for f in full sampled; do
		perl -MJSON::PP -0777 -ne '$j = decode_json($_); print JSON::PP->new->canonical->encode('"$1"'), "\n"' \
			"$tmp/$f" >"$tmp/$f.part"
	done
	[ -s "$tmp/full.part" ] && cmp -s "$tmp/full.part" "$tmp/sampled.part"
}
# near: shares of wakes differ by at most 4 standard errors of a sample of that size, or by what the
# windows differ among themselves if that is more; the medians of delays by at most a quarter (or 0.5 us)
# where there are 100 values
near()
{
	perl -MJSON::PP -e 'sub slurp { local $/; open(my $f, "<", $_[0]) or die; decode_json(<$f>) }
		($a, $b) = map { slurp($_) } @ARGV[0, 1];
		$na += $_->{n} for @{$a->{wakes}};
		$nb += $_->{n} for @{$b->{wakes}};
		exit 1 if $nb < 500 || $nb > $na / 2;
		for $i (0 .. $#{$a->{wakes}}) {
			($x, $y) = map { $_->{wakes}[$i]{n} } $a, $b;
			$p = $x / $na;
			$e = 4 * sqrt($p * (1 - $p) / $nb) + 1 / $nb;
			$c = 2 * $b->{wakes}[$i]{share_ci95};
			next if abs($y / $nb - $p) <= ($c > $e ? $c : $e) && $c < ($ARGV[2] ? 0.5 : 0.1);
			print "# $a->{wakes}[$i]{wake}: $x of $na, sampled $y of $nb\n";
			$bad = 1;
		}
		for $i (0 .. $#{$a->{latencies}}) {
			for $k (qw(timer remote)) {
				($x, $y) = map { $_->{latencies}[$i]{$k} } $a, $b;
				next if $y->{n} < 100;
				$seen++;
				next if abs($x->{p50_ns} - $y->{p50_ns}) <= 500 + $x->{p50_ns} / 4;
				print "# $k of state $i: $x->{p50_ns}, sampled $y->{p50_ns}\n";
				$bad = 1;
			}
		}
		exit($bad || ($ARGV[2] && !$seen))' "$tmp/full" "$tmp/sampled" "${1:-}"
}

# every wake of this life is drawn by itself: nothing but chance is between a window and the whole
"${BUILD:-build}"/tools/gen_dat "$tmp/a.dat" 400000 4 >/dev/null
json full "$tmp/a.dat" --full
json sampled "$tmp/a.dat" --sample 30000
same '$j->{runs}'
result $? "generated: usage, time, lengths, recorded misses of every CPU and state are those of the whole"
near
result $? "generated: shares of wakes within 4 standard errors"
perl -MJSON::PP -0777 -ne '$s = decode_json($_)->{sampled}; exit !($s->{windows} >= 8 &&
	abs($s->{share} - 30000 / 400000) < 0.01 && abs($s->{events} - 30000) < 3000)' "$tmp/sampled"
result $? "the document says from how many windows, what share, how many events"
for o in --full --light ""; do
	# shellcheck disable=SC2086
	$reidle report $o --format json "$tmp/a.dat" | grep -q '"sampled"' && break
	o=none
done
[ "$o" = none ]
result $? "a small recording, --full and --light are not sampled"
$reidle report --sample 30000 "$tmp/a.dat" >"$tmp/text"
grep -q '^sampled .*wake sources' "$tmp/text" &&
	grep -q '^What ended the idle periods (.* windows, .* %, .* events; --full: all)$' "$tmp/text" &&
	[ "$(wc -L <"$tmp/text")" -le 80 ]
result $? "the head and the caption of each sampled table say so"
json sampled "$tmp/a.dat" --sample 30000 --cpus 1 && json full "$tmp/a.dat" --full --cpus 1
same '$j->{runs}' && near
result $? "the same of one CPU"
$reidle report --sample 30000 -j 3 --format json "$tmp/a.dat" >"$tmp/threads"
$reidle report --sample 30000 --format json "$tmp/a.dat" | cmp -s - "$tmp/threads"
result $? "threads change nothing"
json full "$tmp/a.dat" --full --from 2s --to 3s
json sampled "$tmp/a.dat" --sample 30000 --from 2s --to 3s
same '[$j->{runs}, [map { [$_->{wake}, $_->{n}, $_->{time_ns}] } @{$j->{wakes}}]]' &&
	grep -q '"windows": 1,' "$tmp/sampled"
result $? "a piece of time that is small enough: every wake in it, as of the whole"
json full "$tmp/a.dat" --full --from 2s --to 14s
json sampled "$tmp/a.dat" --sample 30000 --from 2s --to 14s
same '$j->{runs}' && near
result $? "of a longer one windows"
json full "$tmp/a.dat" --full --filter 'wake == timer || index == 2'
json sampled "$tmp/a.dat" --sample 30000 --filter 'wake == timer || index == 2'
cmp -s "$tmp/full" "$tmp/sampled"
result $? "a filter is asked of every period"

for how in "version=7 codec=zstd" "be=1 inst=1" "foreign=1" "tsc=1 offset=-5000 lost=9"; do
	# shellcheck disable=SC2086
	"${BUILD:-build}"/tools/gen_dat "$tmp/b.dat" 200000 3 $how >/dev/null
	json full "$tmp/b.dat" --full
	json sampled "$tmp/b.dat" --sample 20000
	grep -q '"sampled"' "$tmp/sampled" && same '$j->{runs}'
	result $? "$how: states and times are those of the whole"
done

if command -v trace-cmd >/dev/null && trace-cmd report samples/p9-61-w100.dat >"$tmp/w.txt" 2>/dev/null; then
	json full "$tmp/w.txt" --full
	json sampled "$tmp/w.txt" --sample 20000
	grep -q '"sampled"' "$tmp/sampled" && same '$j->{runs}' && near
	result $? "text of p9-61-w100: the same states; wakes near"
	# one CPU behind the other, as per_cpu/ files put together: times step back
	for c in 2 0 3 1; do grep "\[00$c\]" "$tmp/w.txt"; done >"$tmp/v.txt"
	json full "$tmp/v.txt" --full
	json sampled "$tmp/v.txt" --sample 20000
	grep -q '"sampled"' "$tmp/sampled" && same '$j->{runs}' && near
	result $? "CPU after CPU: the same"
else
	n=$((n + 2))
	echo "ok $((n - 1)) - text # SKIP no trace-cmd"
	echo "ok $n - text, CPU after CPU # SKIP no trace-cmd"
fi

# with a table there are verdicts, for which the event cost is estimated from what is analysed
figures='[map { my $s = $_; map { $s->{$_} } qw(usage time_ns mean_ns p50_ns p99_ns above_recorded below_recorded) }
	map { @{$_->{states}} } @{$j->{runs}[0]{cpus}}, $j->{runs}[0]{total}]'
json full samples/p9-61-w100.dat --full
json sampled samples/p9-61-w100.dat --sample 20000
same "$figures" && near latencies
result $? "p9-61-w100: the same states; wakes and median delays near"
if [ -d "${REIDLE_SHARED:-}/traces/guest" ]; then
	json full "$REIDLE_SHARED/traces/guest/arm-612-truth.dat" --full
	json sampled "$REIDLE_SHARED/traces/guest/arm-612-truth.dat" --sample 40000
	same "$figures" && near latencies
	result $? "arm-612-truth: the same states; wakes and median delays near"
else
	n=$((n + 1))
	echo "ok $n - arm-612-truth # SKIP no shared recordings"
fi
$reidle report --light --full "$tmp/a.dat" 2>"$tmp/err"
[ $? = 2 ] && [ "$(wc -l <"$tmp/err")" = 1 ]
result $? "--light with --full is a usage error of one line"
echo "1..$n"
