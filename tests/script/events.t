#!/bin/sh
# reidle events: any event as text, from a child that hostile formats may kill.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
gen=${BUILD:-build}/tools/gen_dat
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
plain() { # blanks do not matter
	sed 's/  */ /g; s/ *$//'
}
sample=samples/skl-612-pp.dat
if command -v trace-cmd >/dev/null; then
	trace-cmd report -t -N $sample 2>/dev/null | sed 1d | plain >"$tmp/theirs"
	$reidle events $sample | plain >"$tmp/ours"
	[ "$(wc -l <"$tmp/ours")" = 188347 ] && cmp -s "$tmp/ours" "$tmp/theirs"
	ok $? "188347 events as trace-cmd report shows them"
else
	n=$((n + 1))
	echo "ok $n # SKIP no trace-cmd to compare with"
fi
[ "$($reidle events $sample --from 1ms --to 2ms | wc -l)" = "$(awk '{ t = substr($3, 1, length($3) - 1) + 0 }
	t >= 7.994842690 && t < 7.995842690' "$tmp/ours" | wc -l)" ]
ok $? "a window"
$reidle events $sample --from @10.5 --to @10.6 >"$tmp/late"
$reidle events $sample | awk '{ for (i = 2; i < 6; i++) if ($i ~ /^[0-9.]+:$/) break; t = $i + 0; if (t >= 10.5 && t < 10.6) print }' |
	cmp -s - "$tmp/late" && [ "$(wc -l <"$tmp/late")" -gt 500 ]
ok $? "a late one, whose pages are gone to without reading those before ($(wc -l <"$tmp/late") events)"
$reidle events $sample --from @8.0 --to @8.01 --cpus 1,3 | sed 's/.*\[\([0-9]*\)\].*/\1/' | sort -u | tr '\n' ' ' |
	grep -qx '001 003 '
ok $? "chosen CPUs"

# each of the two broken formats kills a child; every other event is still there
"$gen" "$tmp/6.dat" 3000 2 inst=1 >/dev/null
perl -0777 -pe 's{(name: sched_switch.*?)"%d", REC->common_pid}{$1"%d", 1 / 0          }s;
	s{(name: hrtimer_start.*?)"%d", REC->common_pid}{$1__print_flags(REC->n)}s' "$tmp/6.dat" >"$tmp/x.dat"
timeout 20 $reidle events "$tmp/6.dat" >"$tmp/whole"
timeout 20 $reidle events "$tmp/x.dat" >"$tmp/out"
[ $? = 0 ] && [ "$(wc -l <"$tmp/out")" = 3000 ] && grep -q 'breaks the renderer' "$tmp/out" &&
	grep 'cpu_idle:' "$tmp/whole" >"$tmp/a" && grep 'cpu_idle:' "$tmp/out" | cmp -s - "$tmp/a"
ok $? "events whose format kills the renderer are shown in hex ($(grep -c 'breaks the renderer' "$tmp/out") of 3000)"
grep -q '^sched: ' "$tmp/whole" && ! $reidle events "$tmp/6.dat" --instance timers | grep -qv '^timers: '
ok $? "instances are named, and one alone can be chosen"
$reidle events $sample --to 1ms -o "$tmp/file" && [ "$(wc -l <"$tmp/file")" -gt 5 ]
ok $? "-o"
$reidle events Makefile 2>"$tmp/err"
[ $? = 3 ] && [ "$(wc -l <"$tmp/err")" = 1 ]
ok $? "a foreign file: one line, exit 3"
$reidle events $sample | head -1 >/dev/null
ok $? "a closed pipe ends it quietly"
echo "1..$n"
