#!/bin/sh
# Frames of the timeline at 200x60, model and canvas: what they cost by number of periods, CPUs and zoom.
set -eu
cd "$(dirname "$0")/../.."
printf 'periods\tcpus\twhat\tms\n'
for periods in 1000000 10000000; do
	for cpus in 8 256; do
		"${BUILD:-build}/tools/bench_screen" $periods $cpus
	done
done
