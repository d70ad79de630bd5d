#!/bin/sh
# Recordings that hold cpu_idle alone: every what-if is run at the bounds of the unknown, intervals are
# printed, and on recordings that are known in full the truth lies inside them.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
tool=${BUILD:-build}/tools/fidelity
shared=${REIDLE_SHARED:-}/traces
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
skip() {
	n=$((n + 1))
	echo "ok $n # SKIP $1"
}

# inside WHAT FILE GOVERNOR: with all but the idle events dropped, the recorded time of each state that
# takes 2 % of the idle time or more lies between the least and the most of the bounds
inside() {
	if [ ! -f "$2" ]; then
		skip "$1: needs the shared recordings"
		return
	fi
	$tool -i "$2" "$3" >"$tmp/out" 2>&1
	awk -F '\t' '
		{
			rows++
			for (i = 2; i < NF; i += 2) {
				rec[i] = $i; sum[NR] += $i; v = $(i + 1)
				if (NR == 1 || v < lo[i]) lo[i] = v
				if (NR == 1 || v > hi[i]) hi[i] = v
			}
		}
		END {
			for (i in rec) {
				wide += hi[i] > lo[i]
				printf "# %.1f ms in %.1f..%.1f\n", rec[i] / 1e6, lo[i] / 1e6, hi[i] / 1e6
				if (rec[i] >= 0.02 * sum[1] && (rec[i] < 0.99 * lo[i] || rec[i] > 1.01 * hi[i]))
					bad = 1
			}
			exit bad || rows != 3 || !wide
		}' "$tmp/out"
	ok $? "$1: the recorded times lie inside the intervals"
}
inside "p9-61-truth" samples/p9-61-truth.dat menu@6.1
inside "p9-61-w50" "$shared/guest/p9-61-w50.dat" menu@6.1
inside "p9-61-sweep" "$shared/guest/p9-61-sweep.dat" menu@6.1
inside "arm-612-truth" "$shared/guest/arm-612-truth.dat" menu@6.12

for name in teo-reg-6.12-sleep-length teo-reg-mainline-tick-wakeups; do
	file=$shared/public/$name.dat
	if [ ! -f "$file" ]; then
		skip "$name: needs the shared recordings"
		skip "$name: needs the shared recordings"
		continue
	fi
	$reidle whatif --quiet --format json "$file" -g teo@6.12,menu@6.12 2>/dev/null | perl -MJSON::PP -0777 -ne '
		my $d = decode_json($_);
		my ($bad, $wide) = (0, 0);
		$bad++ if @{$d->{intervals}} != 2 || @{$d->{runs}} != 7;
		for my $g (@{$d->{intervals}}) {
			for my $s (@{$g->{states}}) {
				for my $k (qw(usage time_ns above below)) {
					my ($lo, $hi) = @{$s->{$k}};
					$bad++ if $lo > $hi || $lo < 0;
					$wide++ if $lo < $hi;
				}
			}
		}
		exit($bad || !$wide)'
	ok $? "$name: intervals for each governor, none upside down, some wide"
	$reidle whatif --quiet "$file" -g teo@6.12 >"$tmp/text" 2>/dev/null
	grep -q '^Intervals' "$tmp/text" && grep -q '^bounds' "$tmp/text"
	ok $? "$name: the text says bounds and prints the intervals"
done
$reidle whatif --quiet --format json samples/p9-61-w100.dat -g menu@6.1 2>/dev/null | grep -q '"intervals": null'
ok $? "a recording with timers and switches has no intervals"
echo "1..$n"
