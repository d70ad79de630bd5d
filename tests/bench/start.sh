#!/bin/sh
# From the start of the program to a timeline with lanes, if only of the beginning, in a terminal of 100x30:
# the best of five, by the clock, of recordings of about 100 MB; at most 0.3 s.
set -u
cd "$(dirname "$0")/../.." || exit 1
tools=$BUILD/tools reidle=$BUILD/reidle
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
missed=0

start() { # start WHAT FILE [LABEL-OF-FIRST-LANE]
	for _ in 1 2 3 4 5; do
		"$tools/first_frame" "${3:->cpu0}" "$reidle" --no-config "$2" || echo "99 99 99"
	done | sort -n | awk -v what="$1" -v mb=$(($(wc -c <"$2") / 1000000)) '
		NR == 1 { printf "  %-28s %4d MB  %.3f s (%.2f s CPU)  <= 0.3: %s\n", what, mb, $1, $2,
			$1 <= 0.3 ? "met" : "NOT MET"; bad = $1 > 0.3 }
		{ if ($3 > quit) quit = $3 }
		END { printf "  %-28s slowest Q while it is read: %.3f s\n", "", quit; exit bad }' || missed=1
}

"$tools/gen_dat" "$dir/plain.dat" 2200000 8 >/dev/null
start "version 6" "$dir/plain.dat"
"$tools/gen_dat" "$dir/many.dat" 2200000 256 >/dev/null
start "version 6, 256 CPUs" "$dir/many.dat" '>0-'
"$tools/gen_dat" "$dir/zstd.dat" 12000000 8 version=7 codec=zstd >/dev/null
start "version 7, zstd" "$dir/zstd.dat"
awk 'BEGIN { print "cpus=8"; for (i = 0; i < 1000000; i++)
	printf "          <idle>-0     [%03d] %6d.%06d: cpu_idle:             state=%u cpu_id=%d\n",
		int(i / 2) % 8, 1000 + i / 10000, i % 10000 * 100, i % 2 ? 4294967295 : int(i / 16) % 4,
		int(i / 2) % 8 }' >"$dir/report.txt"
start "text" "$dir/report.txt"
exit $missed
