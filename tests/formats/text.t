#!/bin/sh
# Trace text against trace.dat: what trace-cmd report prints with each option must read back as the same
# events; packed, piped and in CRLF too. Then other people's text against figures of an independent script.
cd "$(dirname "$0")/../.." || exit 1
diff=${BUILD:-build}/tools/trace_diff
periods=${BUILD:-build}/tools/dump_periods
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
skip() {
	n=$((n + 1))
	echo "ok $n - # SKIP $1"
}
rows() { grep '^[0-9]' | cut -f1-5; }

json() { ${BUILD:-build}/reidle verify "$@" -g menu@6.1 --format json --quiet 2>/dev/null |
	grep -E '"(decisions|compared|agree|undetermined|warmup)"'; }

if command -v trace-cmd >/dev/null 2>&1; then
	for sample in skl-612-pp p9-61-w100; do
		dat=samples/$sample.dat
		for opts in "-t" "" "-t -l" "-t -R" "-t --ts-diff" "-t -w"; do
			[ $sample = skl-612-pp ] || [ "$opts" = "-t" ] || [ "$opts" = "-t -R" ] || continue
			tolerance=501
			[ "$opts" = "${opts#-t}" ] || tolerance=0
			trace-cmd report $opts $dat >"$tmp/x.txt" 2>/dev/null
			$diff $dat "$tmp/x.txt" $tolerance >"$tmp/out" 2>&1
			ok $? "$sample: trace-cmd report $opts ($(tail -n 1 "$tmp/out"))"
		done
	done
	trace-cmd report -t $dat 2>/dev/null | sed 's/$/\r/' >"$tmp/crlf.txt"
	$diff $dat "$tmp/crlf.txt" >/dev/null
	ok $? "CRLF"
	trace-cmd report -t $dat 2>/dev/null >"$tmp/x.txt"
	$diff $dat - <"$tmp/x.txt" >/dev/null
	ok $? "from stdin"
	printf '%s' "$(cat "$tmp/x.txt")" >"$tmp/nonl.txt"
	$diff $dat "$tmp/nonl.txt" >/dev/null
	ok $? "no newline at the end"
	gzip -c "$tmp/x.txt" >"$tmp/x.gz" && $diff $dat "$tmp/x.gz" >/dev/null
	ok $? "gzip"
	xz -0 -c "$tmp/x.txt" >"$tmp/x.xz" && $diff $dat "$tmp/x.xz" >/dev/null
	ok $? "xz"
	(cd "$tmp" && echo decoy >README && tar -cf x.tar README x.txt) && $diff $dat "$tmp/x.tar" >/dev/null
	ok $? "tar, with another file before it"
	gzip -c $dat >"$tmp/dat.gz" && $diff $dat "$tmp/dat.gz" >/dev/null
	ok $? "a packed trace.dat"
	trace-cmd report -t samples/p9-61-truth.dat 2>/dev/null >"$tmp/truth.txt"
	cp samples/p9-61-truth.sysfs-before.txt "$tmp/truth.txt.sysfs.txt"
	json samples/p9-61-truth.dat >"$tmp/a" && json "$tmp/truth.txt" >"$tmp/b"
	[ "$(wc -l <"$tmp/a")" = 5 ] && cmp -s "$tmp/a" "$tmp/b"
	ok $? "verify on text counts as on the trace.dat"
	# a mailer breaks lines at 72 columns; quoting comes on top
	trace-cmd report $dat 2>/dev/null | head -n 20000 >"$tmp/short.txt"
	fold -s -w 72 "$tmp/short.txt" | sed 's/ *$//; s/^/> /' >"$tmp/mail.txt"
	$diff "$tmp/short.txt" "$tmp/mail.txt" >"$tmp/out"
	ok $? "wrapped and quoted by a mailer ($(tail -n 1 "$tmp/out"))"
	# the same lines, shuffled: sorted again, and counted
	head -n 5000 "$tmp/x.txt" >"$tmp/head.txt"
	sort -R --random-source=Makefile "$tmp/head.txt" >"$tmp/shuffled.txt"
	$periods "$tmp/head.txt" 2>/dev/null | rows >"$tmp/a"
	$periods "$tmp/shuffled.txt" 2>"$tmp/out" | rows | cmp -s - "$tmp/a"
	ok $? "shuffled lines give the same periods"
	grep -q 'step back [1-9][0-9]* times' "$tmp/out"
	ok $? "and the steps back are counted"
else
	skip "no trace-cmd here to print text with"
fi

# small inputs in many shapes
for want in tests/formats/snippets/*.expected; do
	f=${want%.expected}.txt
	$periods "$f" 2>/dev/null | rows | cmp -s - "$want"
	ok $? "$(basename "$f"): the expected periods"
done
$periods tests/formats/snippets/latency-format-wakeup-tracer.txt 2>/dev/null | rows >"$tmp/out"
printf '2\tstate\t1\t1\t100000\n2\torphan_exit\t-\t1\t-\n' | cmp -s - "$tmp/out"
ok $? "a latency tracer's text, times in us"
$periods tests/formats/snippets/marker-line-split-1k.txt 2>/dev/null | rows >"$tmp/out"
printf '3\tstate\t3\t1\t800000\n' | cmp -s - "$tmp/out"
ok $? "a marker over two lines does no harm"

shared=${REIDLE_SHARED:-../shared}/traces
if [ -d "$shared/public" ]; then
	for f in "$shared"/public/trappy*.txt "$shared"/public/*.html; do
		want=$shared/expected/$(basename "$f").tsv
		[ -e "$want" ] || continue
		rows <"$want" >"$tmp/want"
		$periods "$f" 2>/dev/null | rows | cmp -s - "$tmp/want"
		ok $? "$(basename "$f"): the expected periods"
	done
	# the text forms of one recording, cut at 20000 lines, against each other
	for form in ns us; do
		$periods "$shared/derived/derived-teo-report-$form-20k.txt" 2>/dev/null | rows | cut -f1-4 >"$tmp/$form"
	done
	[ -s "$tmp/ns" ] && cmp -s "$tmp/ns" "$tmp/us"
	ok $? "ns and us text have the same periods"
else
	skip "other people's text is not here (REIDLE_SHARED)"
fi
echo "1..$n"
