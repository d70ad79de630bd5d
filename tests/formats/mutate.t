#!/bin/sh
# Changed bytes through every reader, a short run of `make mutate`: no crash, no case over two seconds, over
# four times its size and 256 MB, or with memory left behind. CASES and SEED choose more and others.
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
n=0
sh tests/fuzz/mutate "${CASES:-15000}" "${SEED:-1}" >"$tmp" 2>&1
status=$?
for feed in $("${BUILD:-build}"/tools/mutate 2>&1 | sed 's/.*feeds://'); do
	n=$((n + 1))
	line=$(grep "^$feed: [1-9][0-9]* inputs, [1-9].* 0 failures$" "$tmp")
	[ -n "$line" ] && echo "ok $n - $line" || { echo "not ok $n - $feed"; grep "^$feed" "$tmp" | sed 's/^/# /'; }
done
n=$((n + 1))
[ $status = 0 ] && echo "ok $n - $(tail -n 1 "$tmp")" ||
	{ echo "not ok $n - exit $status"; tail -n 30 "$tmp" | sed 's/^/# /'; }

# and the run sees what it looks for
fault() { # fault NAME WORDS
	n=$((n + 1))
	timeout 100 "${BUILD:-build}"/tools/mutate "$1" 1 1 Makefile >"$tmp" 2>&1
	[ $? != 0 ] && grep -q "$1 case 1: $2" "$tmp" && echo "ok $n - a reader that would $1 is noticed" ||
		{ echo "not ok $n - $1"; sed 's/^/# /' "$tmp"; }
}
fault leak 'bytes left behind'
fault grow 'MB held at once'
fault slow 'seconds of CPU time'
fault hang 'ended here'
fault crash 'ended here'
echo "1..$n"
