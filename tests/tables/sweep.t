#!/bin/sh
# reidle sweep in the shapes of --style, and --fail-if over its cells.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
sample=samples/p9-61-w100.dat
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
sweep() { $reidle sweep $sample -g menu@6.1,menu@7.2 -p 1.residency=50..150:50 "$@" 2>"$tmp/err"; }

for style in default metric columns sweep reference misses rows cluster mmtests; do
	sweep --style $style >"$tmp/$style"
	[ $? = 0 ] && LC_ALL=C awk 'length > 78 || /[^ -~]/ { print; bad = 1 } END { exit bad }' "$tmp/$style" >"$tmp/out"
	rc=$?
	sed 's/^/# /' "$tmp/out"
	ok $rc "$style: is made, 78 columns, ASCII"
done
grep -Eq '^1.residency +run 0 +run 1 +\(change +run 2 +\(change$' "$tmp/sweep" &&
	grep -Eq '^ +100 +\([0-9.]+, [0-9.]+\) +\([0-9.]+, [0-9.]+\)' "$tmp/sweep"
ok $? "sweep: a row per value, a run per governor"
grep -q 'run 6: menu@7.2.13 1.residency=150' "$tmp/columns"
ok $? "the others: a run per cell, named"

# a cell is the what-if with that value
sweep --style misses | awk '/^menu@6.1.176 1.residency=50/ { on = 1 } on && /^total/ { print $2, $3, $4; exit }' >"$tmp/cell"
$reidle whatif $sample -g menu@6.1 --set 1.residency=50 --style misses | awk '
	/^menu@6.1.176/ { on = 1 } on && /^total/ { print $2, $3, $4; exit }' >"$tmp/whatif"
cmp -s "$tmp/cell" "$tmp/whatif" && [ -s "$tmp/cell" ]
ok $? "a cell equals the what-if of its value: $(cat "$tmp/cell")"
sweep --quiet --fail-if 'run > 0 && state == total && above% < 1%' >/dev/null
[ $? = 1 ]
ok $? "--fail-if holds in a cell: 1"
sweep --quiet --fail-if 'state == total && above% > 99%' >/dev/null
ok $? "--fail-if holds nowhere: 0"
echo "1..$n"
