#!/bin/sh
# Every file that people gave us is read, or refused with one line that says why.
cd "$(dirname "$0")/../.." || exit 1
periods=${BUILD:-build}/tools/dump_periods
shared=${REIDLE_SHARED:-../shared}/traces
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
# why FILE: a word that the refusal must hold, or nothing for files that must be read
why() {
	case $(basename "$1") in
	*.sysfs*.txt | *cpupower*) echo idle-state dump ;;
	*empty.dat) echo empty ;;
	*magic-only.dat | *trunc70.dat) echo . ;;
	README.md | *.tsv) echo format ;;
	esac
}
[ -d "$shared" ] || { echo "ok 1 - # SKIP no other people's recordings here (REIDLE_SHARED)"; echo 1..1; exit 0; }
for f in "$shared"/guest/* "$shared"/public/* "$shared"/derived/* "$shared"/snippets/*; do
	timeout 60 "$periods" "$f" >"$tmp/out" 2>"$tmp/err"
	status=$?
	word=$(why "$f")
	if [ -n "$word" ]; then
		[ $status -gt 0 ] && [ $status -lt 100 ] && [ "$(wc -l <"$tmp/err")" = 1 ] &&
			grep -q "$(basename "$f")" "$tmp/err" && grep -q "$word" "$tmp/err"
		ok $? "$(basename "$f") is refused: $(sed 's/.*: //' "$tmp/err")"
	else
		[ $status = 0 ] && grep -q 'records' "$tmp/err"
		ok $? "$(basename "$f") is read: $(sed -n '1s/ records.*/ records/p' "$tmp/err" | sed 's/.*, //')"
	fi
done
echo "1..$n"
