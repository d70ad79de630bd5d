#!/bin/sh
# Changed bytes: text, dumps and packed files of the samples and snippets, mutated at random. The real value
# is in the sanitizer build; here a crash or a reader over two seconds fails.
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp tests/formats/snippets/*.txt samples/*.sysfs-before.txt "$tmp"
gzip -c tests/formats/snippets/psi-2s-wakeup.txt >"$tmp/a.gz"
xz -c tests/formats/snippets/psi-2s-wakeup.txt >"$tmp/a.xz"
tar -C tests/formats -cf "$tmp/a.tar" snippets/psi-2s-wakeup.txt
cat >"$tmp/page.html" <<-EOF
	<!DOCTYPE html><html><script class="trace-data" type="application/text">
	$(cat tests/formats/snippets/atrace-TRACE-prefix.txt)
	</script></html>
EOF
out=$("${BUILD:-build}"/tools/mutate_text "${CASES:-5000}" "${SEED:-1}" "$tmp"/* 2>&1)
status=$?
[ $status = 0 ] && echo "ok 1 - $out" || echo "not ok 1 - exit $status: $out"
echo 1..1
