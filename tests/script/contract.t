#!/bin/sh
# The command line as it is promised: commands, formats, exit status, one-line errors, names in JSON.
# What reports, replays, lists and comparisons say of one recording must be the same figures.
cd "$(dirname "$0")/../.." || exit 1
reidle=$PWD/${BUILD:-build}/reidle
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
w100=samples/p9-61-w100.dat
before=samples/p9-61-w100.sysfs-before.txt
after=samples/p9-61-w100.sysfs-after.txt
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
run() { # run ARGUMENT...: out, err, rc
	"$reidle" "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}
works() { # works ARGUMENT...: status 0, says something, no word beside it
	run "$@"
	[ $rc = 0 ] && [ -s "$tmp/out" ] && [ ! -s "$tmp/err" ]
	ok $? "works: $*"
}
fails() { # fails STATUS WORD ARGUMENT...: no data, one line that says the word
	want=$1
	word=$2
	shift 2
	run "$@"
	[ $rc = "$want" ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" = 1 ] && grep -q "^reidle: .*$word" "$tmp/err"
	rc=$?
	[ $rc = 0 ] || sed 's/^/# /' "$tmp/err"
	ok $rc "status $want, one line with '$word': $*"
}
same() { # same WHAT FILE FILE
	cmp -s "$2" "$3"
	ok $? "$1"
}

# every command in every form
for format in text md csv json; do
	works report $w100 --format $format
	works report --before $before --after $after --format $format
	works decisions $w100 --to 20ms --format $format
	works decisions $w100 --to 20ms -g teo@7.2 --format $format
	works whatif $w100 -g oracle --format $format
	works explain $w100 --cpus 1 --at 0.3s --format $format
	works verify $w100 --format $format
	works sweep $w100 -g menu@6.1 -p 1.residency=50..100:50 --format $format
	works compare $w100 --vs $w100 --format $format
	works wakes $w100 --format $format
	works doctor $w100 --format $format
	works states --format $format
	works states pseries-p10 --format $format
	works governors --format $format
	works governors menu@6.12 --format $format
done
works events $w100 --to 1ms
works states --import $before
works record --print-command
works summary $w100
for style in default metric columns sweep sweep:1 reference misses rows cluster mmtests; do
	works whatif $w100 -g menu@6.1,oracle --style $style
done
for by in cpu cluster all period; do
	works report $w100 --by $by
	works whatif $w100 -g oracle --by $by
done
for by in cpu core package; do
	works report $w100 --by $by --topology core=2,package=4
done

# exit status and errors
fails 2 "recording"
fails 2 "terminal" $w100
fails 2 "recording" report
fails 2 "bogus" report $w100 --bogus
fails 2 "xml" report $w100 --format xml
fails 2 "needs" report $w100 --from
fails 2 "parsec" report $w100 --from 1parsec
fails 2 "before" report $w100 --from 0.3s --to 0.1s
fails 3 "1.000517 s long" report $w100 --from 100s
fails 2 "CPUs 0-3" report $w100 --cpus 9
fails 2 "CPUs 0-3" report $w100 --cpus ''
fails 2 "cluster" report $w100 --by foo
fails 2 "usage" report $w100 --sort foo
fails 2 "column 1" report $w100 --filter 'foo == 1'
fails 2 "metric" report $w100 --style foo
fails 2 "write" report $w100 -o "$tmp/none/x"
fails 2 "governors" whatif $w100
fails 2 "teo" whatif $w100 -g foo
fails 2 "version" whatif $w100 -g menu@99
fails 2 "poll_override" whatif $w100 -g menu@6.1:foo=1
fails 2 "ends at 1" whatif $w100 -g fixed:state=7
fails 2 "reidle states" whatif $w100 -g oracle -t nosuch
fails 2 "snooze" whatif $w100 -g oracle --set foo.latency=3
fails 2 "snooze" whatif $w100 -g oracle --disable-state 9
fails 2 "us" whatif $w100 -g oracle --latency-limit x
fails 3 "nofile" whatif $w100 -g ./nofile.c
fails 2 "registers no governor" whatif $w100 -g doc/governor-example.c
fails 2 "cpus" explain $w100 --at 0.3s
fails 2 "1.000517 s long" explain $w100 --cpus 1 --at 99s
fails 2 "expected" sweep $w100 -g menu@6.1 -p 1.residency=20..10
fails 2 "column 1" sweep $w100 -g menu@6.1 -p 1.residency=50..100:50 --fail-if 'frob > 1'
fails 2 "two" compare $w100
fails 2 "markdown or HTML" summary $w100 --format json
fails 3 "No such file" report "$tmp/nofile"
fails 3 "No such file" states --import "$tmp/nofile"
fails 3 "went back" report --before $after --after $before
fails 2 "takes no --fail-if" decisions $w100 --fail-if 'cpu == 1'
: >"$tmp/empty.dat"
head -c 300000 $w100 >"$tmp/cut.dat"
cp samples/README.md "$tmp/foreign.dat"
fails 3 "empty" report "$tmp/empty.dat"
fails 3 "partial" report "$tmp/cut.dat"
fails 3 "foreign" report "$tmp/foreign.dat"
grep -v 'cpu_idle' <<'X' >"$tmp/none.txt"
          <idle>-0     [001] d..2  100.000100: cpu_idle: state=1 cpu_id=1
            bash-1     [001] d..2  100.000200: sched_switch: prev_comm=bash prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
X
fails 3 "power:cpu_idle" report "$tmp/none.txt"

# --fail-if
run verify $w100 --fail-if 'agreement < 100%'
[ $rc = 1 ] && grep -q holds "$tmp/err"
ok $? "--fail-if that holds: 1, and says so"
run verify $w100 --fail-if 'agreement < 50%'
ok $rc "--fail-if that does not: 0"
run whatif $w100 -g oracle --fail-if 'run == 1 && above > 0'
ok $rc "--fail-if of one run"

# the same whatever the order of options and the number of threads
"$reidle" whatif $w100 -g menu@6.1,oracle --set 1.latency=20 --cpus 1 --quiet --format json >"$tmp/a"
"$reidle" --quiet --format json --cpus 1 whatif --set 1.latency=20 -g menu@6.1 $w100 -g oracle -j 3 >"$tmp/b"
same "options in another order, three threads: the same bytes" "$tmp/a" "$tmp/b"

# standard input, -o, times
cat $w100 | "$reidle" report - --states $before --format json --quiet | grep -v '"file"' >"$tmp/a"
"$reidle" report $w100 --states $before --format json --quiet | grep -v '"file"' >"$tmp/b"
same "- is the standard input" "$tmp/a" "$tmp/b"
"$reidle" states --import - <$before | grep '^state' >"$tmp/a"
"$reidle" states --import $before | grep '^state' >"$tmp/b"
same "- is the standard input of a dump too" "$tmp/a" "$tmp/b"
"$reidle" report $w100 --quiet >"$tmp/a"
(cd samples && "$reidle" report p9-61-w100.dat --quiet -o "$tmp/b")
grep -v '^command' "$tmp/a" | sed '/^recording/s/ .*dat/ dat/' >"$tmp/a2"
grep -v '^command\|^ *"\?-o\|^ .*tmp' "$tmp/b" | sed '/^recording/s/ .*dat/ dat/' >"$tmp/b2"
same "-o FILE holds what stdout would" "$tmp/a2" "$tmp/b2"
echo kept >"$tmp/kept"
"$reidle" report "$tmp/cut.dat" -o "$tmp/kept" 2>/dev/null
[ "$(cat "$tmp/kept")" = kept ]
ok $? "-o leaves a file as it was where the command fails"
origin=$("$reidle" explain $w100 --cpus 1 --at 0 --format json | sed -n 's/.*"clock_ns": \([0-9]*\).*/\1/p')
at=$("$reidle" explain $w100 --cpus 1 --at 0 --format json | sed -n 's/^ *"time_ns": \([0-9]*\).*/\1/p')
for t in 0.3s 300ms 300000us 300000000ns "@$(awk "BEGIN { printf \"%.9f\", ($origin - $at) / 1e9 + 0.3 }")"; do
	"$reidle" explain $w100 --cpus 1 --at "$t" --format json >"$tmp/out"
	grep -q '"time_ns": 299943454' "$tmp/out"
	ok $? "--at $t"
done

# names in JSON
contract() { # contract COMMAND ARGUMENT...
	"$reidle" "$@" --format json --quiet 2>"$tmp/err" | perl tests/script/contract.pl "$1" >"$tmp/out" 2>&1
	rc=$?
	sort "$tmp/out" | uniq | head -5 | sed 's/^/# /'
	ok $rc "JSON of $*"
}
alone=$w100
[ -d "$REIDLE_SHARED/traces" ] && alone=$REIDLE_SHARED/traces/public/lisa-sched_load.dat
for f in samples/p9-61-truth.dat samples/skl-612-pp.dat "$alone"; do
	contract report "$f"
	contract whatif "$f" -g menu@6.1:poll_override=off,teo@7.2,oracle
	contract verify "$f" -g menu@6.12
done
contract sweep $w100 -g menu@6.1 -p 1.residency=50..100:50
contract whatif $w100 -g menu@6.1,oracle -t pseries-p10 --cpus 1 --from 0.1s --to 0.4s
for g in menu@6.12 teo@6.12; do
	"$reidle" whatif $w100 -g $g --format json --quiet >"$tmp/out"
	grep -q "\"governor\": \"$g\.117 (" "$tmp/out"
	ok $? "-g $g is printed resolved, with its model"
done
"$reidle" whatif $w100 -g menu@6.12.0 --format json --quiet | grep -q '"governor": "menu@6.12.0 ('
ok $? "-g menu@6.12.0 is the code as first released"

# what is not known is said
cp $w100 "$tmp/alone.dat"
run whatif "$tmp/alone.dat" -g menu@6.1
[ $rc = 0 ] && grep -q '^no table .*not known' "$tmp/out" && ! grep -q '^Cost per stretch' "$tmp/out"
ok $? "without a table a replay says that its choices mean nothing"
run whatif $w100 -g ladder --disable-state 1 --disable-state 0
[ $rc = 0 ] && grep -q 'although it is disabled' "$tmp/out"
ok $? "a run that enters a disabled state says so"
if [ -d "$REIDLE_SHARED/traces" ]; then
	run report "$REIDLE_SHARED/traces/public/teo-reg-6.12-sleep-length.dat" --light
	grep -q 'name their states differently' "$tmp/out"
	ok $? "states of clusters that are added by number are said to be"
fi

# one recording, one set of figures
"$reidle" --version | grep -q '^reidle [0-9]'
ok $? "--version"
for f in samples/p9-61-truth.dat samples/p9-61-w100.dat samples/skl-612-pp.dat; do
	perl tests/script/same_figures.pl "$reidle" "$f" >"$tmp/out" 2>&1
	rc=$?
	grep -v '^fine' "$tmp/out" | head -10 | sed 's/^/# /'
	ok $rc "$(basename $f): the same figures everywhere ($(grep -c '^fine' "$tmp/out") compared)"
done
echo "1..$n"
