#!/bin/sh
# Two questions that were asked on linux-pm about POWER, answered from one recording: what CEDE's
# latency does (2021), and what menu's preference of a physical state over polling costs (2024).
# One wakee on CPU 1, woken every 20..1000 us; idle time shared out by length of the idle stretch.
cd "$(dirname "$0")/../.." || exit 1
tool=${BUILD:-build}/tools/by_length
sweep=${REIDLE_SHARED:-}/traces/guest/p9-61-sweep.dat
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
if [ ! -f "$sweep" ]; then
	echo "1..0 # SKIP needs the shared recordings"
	exit 0
fi

# holds WHAT FROM TO TEST: TEST in awk over snooze and cede (idle time), uses, above (of CEDE) of the
# lengths FROM..TO us in the last run
holds() {
	n=$((n + 1))
	awk -F '\t' -v from="$2" -v to="$3" '
		{ run[NR] = $0; if ($1 != last) { start = NR; last = $1 } }
		END {
			for (i = start; i <= NR; i++) {
				split(run[i], f, "\t")
				if (f[2] < from || f[3] > to)
					continue
				snooze += f[4] * f[5]; cede += f[4] * f[8]; uses += f[9]; above += f[10]
				used += f[6] + f[9]
			}
			sum = snooze + cede; snooze *= 100 / sum; cede *= 100 / sum
			printf "# %d..%d us: snooze %.2f, CEDE %.2f %%, CEDE above %d of %d\n", from, to, snooze, cede, above, uses
			exit !('"$4"')
		}' "$tmp/out"
	[ $? = 0 ] && echo "ok $n - $1" || echo "not ok $n - $1"
}
whatif() { $tool "$sweep" --cpus 1 "$@" >"$tmp/out" 2>&1; }

for model in table measured; do
	l="latencies: $model"
	whatif --latency-model $model -g menu@5.13 --set snooze.polling=off
	holds "2021, CEDE 10/100, snooze below the residency; $l" 0 100 "snooze >= 90"
	holds "2021, CEDE 10/100, CEDE above 1.2 x; $l" 120 1000000000 "cede >= 90"
	whatif --latency-model $model -g menu@5.13 --set snooze.polling=off --set 1.latency=1 --set 1.residency=10
	holds "2021, CEDE 1/10, CEDE from 20 us up; $l" 20 1000000000 "cede >= 85"
	holds "2021, CEDE 1/10, CEDE from 20 to 50 us; $l" 20 50 "cede >= 85"
	holds "2021, CEDE 1/10, CEDE from 50 us up; $l" 50 1000000000 "cede >= 95"
	whatif --latency-model $model -g menu@6.10 --set 1.latency=12 --set 1.residency=120
	holds "2024, CEDE 12/120, CEDE although too deep; $l" 20 80 "cede >= 75 && above >= 0.99 * uses"
	whatif --latency-model $model -g menu@6.10:poll_override=off --set 1.latency=12 --set 1.residency=120
	holds "2024, the override off; $l" 20 80 "cede < 2"
	whatif --latency-model $model -g menu@7.2 --set 1.latency=12 --set 1.residency=120
	holds "2024, menu of 7.2; $l" 20 80 "cede < 2"
done
echo "1..$n"
