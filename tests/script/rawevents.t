#!/bin/sh
# The screen's raw events: the same lines as `reidle events`, around the cursor, from three views; scrolled
# to both ends of the recording; found in, marked, exported; from text recordings, and refused from a pipe.
. tests/script/lib.sh
sample=samples/skl-612-pp.dat
"$BUILD/reidle" events $sample >"$dir/all"

drive 100x30 $sample <<'STEPS'
:goto cpu 2 1.25
E
:screen @DIR@/timeline
:export csv @DIR@/around.csv
q
9
E
:screen @DIR@/explain
q
q
2
j
j
:screen @DIR@/rows
E
:screen @DIR@/decisions
STEPS
runs "the session runs"
has "from the timeline: the event at the cursor" timeline '^> +1\.2[0-9]{2} [0-9]{3} [0-9]{3} +0 ns +2 cpu_idle: +state=[0-9] cpu_id=2'
has "what came before stands above it" timeline '^ +1\.2[0-9 ]+ -[0-9.]+ us +[0-3] [a-z_]+:'
has "the whole line below, as reidle events prints it" timeline '^ <idle>-0 +\[002\] +9\.[0-9]+: cpu_idle: +state='
fits "it fits" timeline 100
cmp -s "$dir/timeline" "$dir/explain" && ok "from explain: the same" || not_ok "from explain: another screen" "$dir/explain"
# the third row of the decisions
place=$(sed -n 's/^> *[0-9]* *\([0-3]\) *\([0-9]\.[0-9 ]\{7\}\).*/\1 \2/p' "$dir/rows")
has "from the decisions: the row under the cursor" decisions "^> +${place#* } [0-9]{3} +0 ns +${place% *.*} cpu_idle"
# the exported chunk is a stretch of what the command prints
awk -F, '/^[0-9]/ { print $4 }' "$dir/around.csv" | sed 's/^"//; s/"$//; s/""/"/g; s/  */ /g; s/ *$//' >"$dir/chunk"
sed 's/^ *[^[]*\[[0-9]*\] *[0-9.]*: //; s/  */ /g; s/ *$//' "$dir/all" >"$dir/plain"
n=$(wc -l <"$dir/chunk")
first=$(perl -e 'local $/; open A, $ARGV[0]; open B, $ARGV[1]; $a = <A>; $b = <B>; print index($b, $a) >= 0 ? 1 : 0' \
	"$dir/chunk" "$dir/plain")
[ "$n" -ge 1000 ] && [ "$first" = 1 ] && ok "the $n lines exported are the command's" ||
	not_ok "the $n lines exported differ from the command's"

# to both ends: every event of a cpu, once
{
	echo ':goto cpu 3 1.6'
	echo E
	echo c
	for i in $(seq 30); do printf 'G\nPgDn\n'; done
	echo ':export csv @DIR@/late.csv'
	for i in $(seq 30); do printf 'g\nPgUp\n'; done
	echo ':export csv @DIR@/cpu3.csv'
	echo ':screen @DIR@/begin'
} | drive 80x24 $sample
runs "scrolling to both ends runs"
want=$("$BUILD/reidle" events $sample --cpus 3 | wc -l)
[ "$(grep -c '^[0-9]' "$dir/cpu3.csv")" = "$want" ] && ok "all $want events of cpu3 were read, none twice" ||
	not_ok "$(grep -c '^[0-9]' "$dir/cpu3.csv") of $want events of cpu3"
awk -F, '/^[0-9]/ { if ($1 < last || $2 != 3) bad = 1; last = $1 } END { exit bad }' "$dir/cpu3.csv" &&
	ok "in order of time" || not_ok "out of order, or of another cpu"

drive 120x30 $sample <<'STEPS'
:goto cpu 1 1.0
E
:find hrtimer_start
:screen @DIR@/find
n
a
n
b
:screen @DIR@/marks
:export text @DIR@/between.txt
Enter
:screen @DIR@/back
STEPS
runs "finding and marking runs"
has "find goes to a line" find '^>.* hrtimer_start: '
has "two events are measured" marks '^ events of all cpus  b-a [0-9.]+ [mun]?s'
head -n 1 "$dir/between.txt" | grep -q 'hrtimer_start:' && tail -n 1 "$dir/between.txt" | grep -q 'hrtimer_start:' &&
	[ "$(grep -c hrtimer_start: "$dir/between.txt")" = 2 ] && perl -e 'local $/; open A, $ARGV[0]; open B, $ARGV[1];
	exit(index(<B>, <A>) < 0)' "$dir/between.txt" "$dir/all"
[ $? = 0 ] && ok "and exported as the command prints them, from the one to the other" ||
	not_ok "the events between the markers are not the command's" "$dir/between.txt"
has "Enter puts the timeline's cursor there" back '\[1 timeline\]'

"$BUILD/reidle" events $sample --to 0.3s >"$dir/report.txt"
drive 100x30 "$dir/report.txt" <<'STEPS'
:goto cpu 0 0.1
E
:screen @DIR@/text
STEPS
runs "a text recording"
has "shows the file's own lines" text 'lines as they stand in the file'
has "with time and event" text '^>? +0\.[0-9 ]+ +-?[0-9.]+ [mun]s +[0-3] [a-z_]+:'

printf ':goto cpu 0 0.1\nE\n:screen %s/pipe\n' "$dir" >"$dir/steps"
cat $sample | "$BUILD/reidle" --headless --no-config --size 100x30 --script "$dir/steps" - 2>"$dir/err"
has "a recording from a pipe says why not" pipe 'came through a pipe'

# a format that kills the renderer costs its own lines only
"$BUILD/tools/gen_dat" "$dir/6.dat" 3000 2 inst=1 >/dev/null
perl -0777 -pe 's{(name: sched_switch.*?)"%d", REC->common_pid}{$1"%d", 1 / 0          }s' "$dir/6.dat" >"$dir/x.dat"
drive 100x40 "$dir/x.dat" <<'STEPS'
E
:find breaks
:screen @DIR@/hostile
STEPS
runs "a hostile format"
has "is shown in hex" hostile '^>.*\(its format breaks the renderer\)'
has "among the others" hostile ' cpu_idle: '
finish
