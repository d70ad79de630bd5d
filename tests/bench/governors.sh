#!/bin/sh
# The models beside the kernel's own objects on the same inputs in one run: decisions per second of CPU
# time, best of 41 rounds taken in turn. Bound: no model of menu or teo slower than its object, no plug-in
# over 1.3 times the bare object's time.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${BUILD:=build}"
export XDG_CACHE_HOME="$(pwd)/$BUILD/kernel/cache"
mkdir -p "$XDG_CACHE_HOME"
set --
for suite in bookworm trixie sid; do
	tests/kernel/fetch "$BUILD/kernel" $suite || continue
	version=$(cat "$BUILD/kernel/$suite/VERSION")
	for g in menu teo; do
		set -- "$@" "$g@$version" "$BUILD/kernel/$suite/drivers/cpuidle/governors/$g.c"
	done
done
if [ $# = 0 ]; then
	echo "skipped: no kernel source can be had from here"
	exit 0
fi
out=$("$BUILD/tools/bench_governors" "$@") || exit 1
echo "$out"
echo "$out" | awk 'NR > 1 {
	if ($(NF - 1) < 1) { print "missed: " $1 " is slower than the kernel object"; bad = 1 }
	if ($NF > 1.3) { print "missed: the plug-in of " $1 " takes " $NF " times the bare object"; bad = 1 }
} END { exit bad }'
