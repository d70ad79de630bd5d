#!/bin/sh
# Trace text against memchr() over the same bytes (one run, CPU time): at most 5 times it.
cd "$(dirname "$0")/../.." || exit 1
"${BUILD:-build}"/tools/bench_text "${LINES_OF_TEXT:-2000000}" 5
