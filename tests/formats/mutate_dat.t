#!/bin/sh
# Changed bytes in trace.dat files of every layout. The real value is in the sanitizer build; here a crash, a
# reader over two seconds of CPU time or 256 MB fails. CASES and SEED choose more and others.
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
sh tests/fuzz/corpus "$tmp"
export ASAN_OPTIONS="quarantine_size_mb=8:${ASAN_OPTIONS:-}"
out=$("${BUILD:-build}"/tools/mutate_dat "${CASES:-8000}" "${SEED:-1}" "$tmp"/dat/* 2>&1)
status=$?
[ $status = 0 ] && echo "ok 1 - $out" || { echo "not ok 1 - exit $status"; echo "$out" | tail -30 | sed 's/^/# /'; }
echo 1..1
