#!/bin/sh
# Real recordings cut at many places, as an interrupted copy or a full disk leaves them, through the program with
# --partial: each is usable (exit 0) or refused in one line that names the file and says why (exit 3); what is
# read never becomes less as the cut moves on, and a cut that costs something is said.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
records() { "${BUILD:-build}/tools/dump_periods" -t -p "$1" 2>/dev/null | awk '$2 == "records" { print $4 }'; }

cuts() { # cuts FILE COUNT: lines "SIZE EXIT RECORDS", and a line "? ..." for what should not be
	size=$(wc -c <"$1")
	whole=$(records "$1")
	perl -e 'srand 5; print map { "$_\n" } sort { $a <=> $b } 0, $ARGV[0] - 1, map { int rand $ARGV[0] } 3 .. $ARGV[1]' \
		"$size" "$2" | while read -r at; do
		head -c "$at" "$1" >"$tmp/cut.dat"
		timeout 20 "$reidle" report --partial "$tmp/cut.dat" >"$tmp/out" 2>"$tmp/err"
		status=$?
		echo "$at $status $(records "$tmp/cut.dat")"
		case $status in
		0) [ "$(records "$tmp/cut.dat")" = "$whole" ] || grep -q 'the file is cut' "$tmp/err" ||
			echo "? cut at $at: not said" ;;
		3) [ "$(wc -l <"$tmp/err")" = 1 ] && grep -q 'cut.dat: .\{15\}' "$tmp/err" ||
			echo "? cut at $at: $(cat "$tmp/err")" ;;
		*) echo "? cut at $at: exit $status" ;;
		esac
	done
}
for file in samples/skl-612-pp.dat samples/p9-61-w100.dat; do
	count=200
	[ $file = samples/skl-612-pp.dat ] || count=60
	cuts $file $count >"$tmp/cuts"
	[ "$(grep -c '^[0-9]' "$tmp/cuts")" = $count ] && ! grep '^?' "$tmp/cuts" | sed 's/^/# /' | grep .
	ok $? "$(basename $file): $count cuts, $(awk '$2 == 0' "$tmp/cuts" | wc -l) usable, the others refused in a line"
	awk '$2 == 0 { n++; if ($3 < most) bad = 1; most = $3 } END { exit bad || n < 25 || most < 1000 }' "$tmp/cuts"
	ok $? "and none holds less than a shorter one"
done
echo "1..$n"
