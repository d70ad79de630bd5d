#!/bin/sh
# Free replay over generated sojourns: speed against the bare model, time per period over sizes, threads,
# memory. FREE_SIZES and FREE_RUNS make it smaller. Exits 1 when a bar is missed.
cd "$(dirname "$0")/../.." || exit 1
out=$(mktemp)
trap 'rm -f "$out"' EXIT
for n in ${FREE_SIZES:-1000000 10000000 40000000}; do
	"${BUILD:-build}"/tools/bench_free "$n" "${FREE_RUNS:-12}" | tee -a "$out" || exit 1
done
awk '
	function bar(what, value, ok) {
		printf "%-52s %8s %s\n", what, value, ok ? "ok" : "MISSED"
		missed += !ok
	}
	$1 == "menu_replay_to_bare" && ($2 < menu || !menu) { menu = $2 }
	$1 == "teo_replay_to_bare" && ($2 < teo || !teo) { teo = $2 }
	$1 == "ns_per_period_and_run" { if (!lo || $2 < lo) lo = $2; if ($2 > hi) hi = $2 }
	$1 == "two_threads_speedup" { two = $2 }
	$1 ~ /bytes_per_period_and_run/ && $2 > bytes { bytes = $2 }
	END {
		bar("menu: free replay to bare model, decisions/s >= 0.4", menu, menu >= 0.4)
		bar("teo: free replay to bare model, decisions/s >= 0.4", teo, teo >= 0.4)
		bar("time per period over the sizes, ratio <= 1.15", sprintf("%.2f", hi / lo), hi <= 1.15 * lo)
		bar("two threads against one, on the largest >= 1.7", two, two >= 1.7)
		bar("bytes per period and run <= 32", bytes, bytes <= 32)
		exit missed > 0
	}' "$out"
