#!/bin/sh
# Every view's keys over a big recording, without a terminal, in a screen of 200x60: the slowest first, in ms
# of CPU time of the thread that listens to keys. Nothing may keep a key waiting for more than 50 ms with ten
# million idle periods; PERIODS (1 million) are made, and of what grows with them that share is allowed.
set -u
cd "$(dirname "$0")/../.." || exit 1
periods=${PERIODS:-1000000}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bar=$(awk -v n="$periods" 'BEGIN { s = n / 10000000; print 10 + 40 * (s < 1 ? s : 1) }')
# of the events that gen_dat makes, every sixth ends an idle period
"$BUILD/tools/gen_dat" "$dir/keys.dat" $((periods * 6)) 8 >/dev/null
echo "$periods periods, 8 CPUs; at most $bar ms (50 ms at 10 million)"
"$BUILD/tools/bench_keys" "$dir/keys.dat" "$bar"
