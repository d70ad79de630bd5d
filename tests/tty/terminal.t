#!/bin/sh
# The terminal itself: starts and quits clean, survives any size, is put back after suspend and crash.
. tests/tty/lib.sh
run="$BUILD/reidle --no-config samples/skl-612-pp.dat"

open 100x30 "$run"
shows "start: the timeline appears" '\[1 timeline\].*skl-612-pp'
flags "start: alternate screen, no cursor, mouse" "1 0 1"
keys 3
shows "key: what-if" '\[3 what-if\]'
shows "key: the second run is replayed" 'above \(too deep\).*%'
keys M
flags "mouse: M gives it back" "1 0 0"
keys M
flags "mouse: and takes it again" "1 0 1"
keys 4
shows "histogram: what was counted last is drawn" '^ +128us +[0-9 ]+ █'
keys 2
shows "decisions: so is the list" '^>'
keys Escape
shows "escape leads back" '\[4 histogram\]'
keys 1
shows "1 is the timeline" '\[1 timeline\]'
keys : 'goto cpu 2' Enter
shows "prompt: goto" '^>cpu2'
keys q
ended "quit" 0
flags "quit: all put back" "0 1 0"

printf 'no recording\n' >"$dir/bad.dat"
open 100x30 "$run $dir/bad.dat samples/p9-61-w100.dat"
shows "several: the first is in front" '\{1/3\} skl-612-pp'
shows "several: a bad one is said" 'bad\.dat: .*format'
keys '}'
shows "several: the next is there" '\{3/3\} p9-61-w100\.dat  4 cpu'
keys : 'recording bad' Enter
shows "several: why one is not" 'bad\.dat: .*format'
keys Q
ended "several" 0

# the mouse as a terminal reports it: button, column, row, each plus 32 (33 for places)
mouse()
{
	tm send-keys -l "$(printf '\033[M\\%03o\\%03o\\%03o' $((32 + $1)) $((33 + $2)) $((33 + $3)) | xargs -0 printf)"
}

open 100x30 "$run"
shows "mouse: started" '^>cpu0'
mouse 0 40 9
mouse 3 40 9
shows "mouse: a click takes the cursor to the lane" '^>cpu1'
before=$(grep -o '([0-9a-z.]*/col)' "$dir/look")
mouse 64 40 9
for _ in $(seq 50); do
	look
	after=$(grep -o '([0-9a-z.]*/col)' "$dir/look")
	[ "$after" != "$before" ] && break
	sleep 0.1
done
if [ "$after" != "$before" ]; then ok "mouse: the wheel zooms"; else not_ok "mouse: $before stays"; fi
mouse 0 30 9
mouse 3 50 9
shows "mouse: a drag sets both markers" 'b-a -?[0-9.]+ m?s'
keys Q
ended "mouse" 0

mkdir -p "$dir/xdg/reidle"
printf '[keys]\nquit = Z\n[screen]\nunits = us\nheight = 1\n' >"$dir/xdg/reidle/config"
open 100x30 "env XDG_CONFIG_HOME=$dir/xdg XDG_STATE_HOME=$dir/state $BUILD/reidle samples/skl-612-pp.dat"
shows "config: height of lanes" '^ cpu1 '
keys 6
shows "config: wakes" '\[6 wakes\]'
keys Q
shows "config: Q is no longer quit" 'no such key'
keys Z
ended "config: Z is" 0
open 100x30 "env XDG_CONFIG_HOME=$dir/xdg XDG_STATE_HOME=$dir/state $BUILD/reidle samples/skl-612-pp.dat"
shows "state: the view of the last time" '\[6 wakes\]'
keys Z
ended "state" 0
printf '[keys]\nfly = F\n' >"$dir/xdg/reidle/config"
sum=$(cksum <"$dir/xdg/reidle/config")
open 100x30 "env XDG_CONFIG_HOME=$dir/xdg XDG_STATE_HOME=$dir/state $BUILD/reidle samples/skl-612-pp.dat"
shows "config: what is wrong is said, with its line" "config, line 2: no command 'fly'"
keys Q
ended "config: wrong" 0
if [ "$sum" = "$(cksum <"$dir/xdg/reidle/config")" ]; then
	ok "config: only read"
else
	not_ok "config: written to"
fi

open 300x80 "$run"
shows "resize: 300x80" '\[1 timeline\]'
tm resize-window -x 20 -y 5
shows "resize: 20x5 says what it needs" 'reidle needs 40x8'
tm resize-window -x 100 -y 30
shows "resize: back to 100x30" '^>cpu0 .*[0-9:.]{60}'
for s in 41x9 200x60 40x8 39x40 1x1 120x35; do tm resize-window -x ${s%x*} -y ${s#*x}; done
shows "resize: a storm of sizes" '^>cpu0 .*[0-9:.]{60}'
keys Q
ended "resize" 0

open 100x30 "bash --norc --noprofile -i"
keys "set -m; PS1=PROMPT:; $run" Enter
shows "suspend: started" '\[1 timeline\]'
keys C-z
shows "suspend: the shell is back" 'Stopped'
flags "suspend: all put back" "0 1 0"
keys fg Enter
shows "suspend: and again" '\[1 timeline\]'
flags "suspend: the screen is taken again" "1 0 1"
keys Q
flags "suspend: quit puts all back" "0 1 0"

for sig in SEGV TERM ABRT HUP; do
	open 100x30 "$run"
	shows "$sig: started" '\[1 timeline\]'
	kill -$sig "$(program_pid)"
	shows "$sig: it ends" THE-END
	flags "$sig: all put back" "0 1 0"
	if [ "$(cat "$dir/status")" -gt 128 ]; then
		ok "$sig: the exit status is true"
	else
		not_ok "$sig: exit status $(cat "$dir/status")"
	fi
done

# ncurses loads libgpm for this TERM, and 10 bytes of it stay: nothing for the leak checker of an ASan build
term=linux open 100x30 "env ASAN_OPTIONS=detect_leaks=0 $run"
shows "TERM=linux: drawn" '^>cpu0 .*[0-9:.]{60}'
keys Q
ended "TERM=linux" 0

open 100x30 "env LC_ALL=C $run"
shows "LANG=C: ASCII rules" '^-{100}$'
look
if LC_ALL=C grep -q '[^ -~]' "$dir/look"; then
	not_ok "LANG=C: something else than ASCII" "$dir/look"
else
	ok "LANG=C: nothing but ASCII"
fi
keys Q
ended "LANG=C" 0

open 100x30 "$run --no-mouse"
shows "--no-mouse: started" '\[1 timeline\]'
flags "--no-mouse: left alone" "1 0 0"
keys Q
ended "--no-mouse" 0

# the renderer of raw events dies on this file, again and again: the terminal must not notice
"$BUILD/tools/gen_dat" "$dir/6.dat" 3000 2 inst=1 >/dev/null
perl -0777 -pe 's{(name: sched_switch.*?)"%d", REC->common_pid}{$1"%d", 1 / 0          }s' "$dir/6.dat" >"$dir/x.dat"
open 100x30 "$BUILD/reidle --no-config $dir/x.dat"
shows "events: started" '\[1 timeline\]'
keys E
shows "events: an event whose format kills is shown in hex" '\(its format breaks the renderer\)'
flags "events: the terminal is as it was" "1 0 1"
keys ']'
shows "events: the list follows the cursor" '^> .* 0 ns +0 cpu_idle'
keys Q
ended "events" 0
flags "events: all put back" "0 1 0"

for t in dumb nosuchterm; do
	term=$t open 100x30 "$run"
	shows "TERM=$t: one line" '^reidle: .*TERM'
	ended "TERM=$t" 2
done

$run </dev/null >"$dir/out" 2>"$dir/err"
status=$?
if [ $status = 2 ] && [ ! -s "$dir/out" ] && [ "$(wc -l <"$dir/err")" = 1 ]; then
	ok "no terminal: one line on stderr, exit 2"
else
	not_ok "no terminal: exit $status" "$dir/out" "$dir/err"
fi
finish
