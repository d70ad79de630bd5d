#!/bin/sh
# Frames of the timeline at 200x60, model and canvas: what they cost by number of periods, CPUs and zoom;
# exits 1 when one is too slow (tests/tools/bench_screen.c says what the bars are).
set -u
cd "$(dirname "$0")/../.." || exit 1
missed=0
printf 'periods\tcpus\twhat\tms\tbar\n'
for periods in 1000000 10000000; do
	for cpus in 8 256; do
		"${BUILD:-build}/tools/bench_screen" $periods $cpus || missed=1
	done
done
exit $missed
