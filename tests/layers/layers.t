#!/bin/sh
# The include arrows and the sizes of this tree, and that the two checks notice what they are for.
cd "$(dirname "$0")/../.." || exit 1
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
# refuses CHECK FILE LINE WHAT: a tree whose FILE has LINE must not pass
refuses() {
	rm -rf "$tmp/t"
	mkdir -p "$tmp/t/$(dirname "$2")"
	printf '%s\n' "$3" >"$tmp/t/$2"
	sh "tests/$1" "$tmp/t" >"$tmp/out" 2>&1
	[ $? = 1 ] && grep -q "^$2:" "$tmp/out"
	ok $? "$4"
}

sh tests/layers.sh >"$tmp/out" 2>&1
rc=$?
sed 's/^/# /' "$tmp/out"
ok $rc "every include points the right way"
sh tests/size.sh >"$tmp/out" 2>&1
rc=$?
sed 's/^/# /' "$tmp/out"
ok $rc "no function over 80 lines, no file over 500"

refuses layers.sh src/trace.c '#include "replay/governor.h"' "the model does not know the replay"
refuses layers.sh src/run.c '#include "src/canvas.h"' "the model does not know the frame"
refuses layers.sh parsers/text.c '#include "replay/replay.h"' "parsers do not know the replay"
refuses layers.sh replay/menu.c '#include "parsers/parser.h"' "the replay does not know the parsers"
refuses layers.sh replay/menu.c '	clock_gettime(CLOCK_MONOTONIC, &ts);' "the replay reads no clock"
refuses layers.sh views/timeline.c '#include "src/term.h"' "views do not know the terminal"
refuses layers.sh views/timeline.c '#include <ncurses.h>' "views do not know curses"
refuses layers.sh src/record_probe.c '#include "replay/replay.h"' "the recorder does not know the replay"
refuses layers.sh src/cmd_report.c '#include <tracefs.h>' "only the recorder knows libtracefs"
refuses layers.sh src/cmd_report.c '#include "table.h"' "includes spell the room"
refuses size.sh src/a.c "$(printf 'int f(void)\n{\n'; yes '	f();' | head -79; echo '}')" "81 lines of function"
refuses size.sh src/a.c "$(yes 'int a;' | head -501)" "501 lines of file"
refuses size.sh tests/unit/test_a.c "$(yes 'int a;' | head -501)" "501 lines of a test"
echo "1..$n"
