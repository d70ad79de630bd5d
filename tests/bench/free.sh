#!/bin/sh
# Free replay over generated sojourns: speed against the bare model, time per period over sizes, threads,
# memory. FREE_SIZES and FREE_RUNS make it smaller (40 M periods take 9 GB). Exits 1 when a bar is missed
# or what it is about was not measured.
cd "$(dirname "$0")/../.." || exit 1
out=$(mktemp)
trap 'rm -f "$out"' EXIT
"${BUILD:-build}"/tools/bench_free "${FREE_RUNS:-12}" ${FREE_SIZES:-1000000 10000000 40000000} | tee "$out"
awk '
	# what is measured in turns holds on a busy machine, too; two threads need two free cores
	function bar(what, value, ok, seen) {
		printf "%-60s %8s %s\n", what, seen ? value : "-", !seen ? "NOT MEASURED" : ok ? "ok" : "MISSED"
		missed += !(seen && ok)
	}
	NF != 3 || $3 !~ /^[0-9]+(\.[0-9]+)?$/ { next }
	{ n[$2]++; if (!($2 in lo) || $3 < lo[$2]) lo[$2] = $3; if ($3 > hi[$2]) hi[$2] = $3 }
	END {
		sizes = n["time_per_period_to_smallest"]
		for (g = 0; g < 2; g++) {
			name = g ? "teo" : "menu"
			bar(name ": free replay to bare model, decisions/s >= 0.4", lo[name "_loop_to_bare"],
				lo[name "_loop_to_bare"] >= 0.4, n[name "_loop_to_bare"])
			printf "  with all sums and the comparison with the recording %s\n", lo[name "_replay_to_bare"]
		}
		bar("time per period over the sizes, ratio <= 1.15", sprintf("%.3f", hi["time_per_period_to_smallest"] / (lo["time_per_period_to_smallest"] + 1e-9)),
			hi["time_per_period_to_smallest"] <= 1.15 * lo["time_per_period_to_smallest"], sizes > 1)
		free = hi["two_threads_of_machine"] >= 1.9
		bar("two threads against one, on the largest >= 1.7", hi["two_threads_speedup"],
			hi["two_threads_speedup"] >= 1.7, n["two_threads_speedup"] && free)
		if (n["two_threads_speedup"] && !free)
			printf "  two cores were not free: a loop of arithmetic gained %s from the second (of 2);\n" \
				"  two threads took %s of the processor time of one\n",
				hi["two_threads_of_machine"], hi["two_threads_cpu_to_one"]
		bar("bytes per period and run <= 32", hi["kept_bytes_per_period_and_run"],
			hi["kept_bytes_per_period_and_run"] <= 32, n["kept_bytes_per_period_and_run"])
		exit missed > 0
	}' "$out"
