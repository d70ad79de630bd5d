#!/bin/sh
# A big recording shows its beginning first, then all its idle periods, then everything: with the same
# screen in the end as when it is waited for.
. tests/tty/lib.sh
file=$dir/big.dat
"$BUILD/tools/gen_dat" "$file" 3000000 8 version=7 codec=zstd seed=11 >/dev/null
run="$BUILD/reidle --no-config $file"

if "$BUILD/tools/first_frame" 'the beginning' "$BUILD/reidle" --no-config "$file" >"$dir/times"; then
	ok "the beginning is shown while the rest is read"
else
	not_ok "the beginning is never shown" "$dir/times"
fi

# loaded NAME: nothing is being read any more
loaded()
{
	for _ in $(seq 300); do
		look
		grep -q '>cpu' "$dir/look" && ! grep -Eq 'the beginning|loading' "$dir/look" && { ok "$1"; return; }
		sleep 0.1
	done
	not_ok "$1: after 30 s" "$dir/look"
}

# same NAME: the screen is what headless steps on stdin lead to
same()
{
	drive 100x30 "$file"
	sed 's/ *$//' "$dir/look" >"$dir/seen"
	sed 's/ *$//' "$dir/screen" >"$dir/want"
	if cmp -s "$dir/seen" "$dir/want"; then ok "$1"; else not_ok "$1" "$dir/seen" "$dir/want"; fi
}

open 100x30 "$run"
loaded "all is read"
same "who only waits sees the whole recording" <<'END'
screen @DIR@/screen
END
keys Q
ended "quit" 0

open 100x30 "$run"
shows "something is there to move in" '^>cpu0'
keys j j ] ]
loaded "all is read while one moves"
shows "the cursor stays on its CPU" '^>cpu2'
shows "and on its period" '^ cpu2 idle 2 '
keys 2
shows "decisions are there in the end" '[0-9] of [0-9 ]+decisions'
keys Q
ended "quit after moving" 0

open 100x30 "$run"
shows "a first part" '^>cpu0'
keys C-c
shows "reading can be stopped" 'only (the beginning is|idle periods are) here: '
keys Q
ended "quit while it is read" 0
finish
