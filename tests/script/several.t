#!/bin/sh
# Several recordings on one screen: each with its own place and runs; one that cannot be read is said in
# one line and takes none of the others away.
. tests/script/lib.sh

printf 'this is no recording\n' >"$dir/bad.dat"
several()
{
	sed "s#@DIR@#$dir#g" >"$dir/steps"
	"$BUILD/reidle" --headless --no-config --size "$1" --script "$dir/steps" samples/skl-612-pp.dat \
		"$dir/bad.dat" "$dir/none.dat" samples/p9-61-w100.dat >"$dir/out" 2>"$dir/err"
	status=$?
}

for size in 100x30 80x24; do
	several $size <<'STEPS'
:screen @DIR@/first
:goto cpu 2 1.25
:add teo
7
:screen @DIR@/list
:export csv @DIR@/list.csv
}
:screen @DIR@/second
1
:goto cpu 1 0.5
:screen @DIR@/place
{
1
:screen @DIR@/back
:recording p9
:screen @DIR@/by-name
:recording 1
3
:screen @DIR@/runs-stay
7
G
Enter
:screen @DIR@/entered
STEPS
	runs "$size: the session runs"
	has "$size: the first is in front, of four" first '\{1/4\} skl-612-pp'
	has "$size: its runs are listed" list '^ +1R? *teo@6\.12'
	has "$size: what cannot be read is said with why" list '2 .*bad\.dat: .*format'
	has "$size: what is not there too" list '3 .*none\.dat: No such file'
	has "$size: the other one is read" list '^  4L? +p9-61-w100\.dat +menu +20 028'
	has "$size: the list can be exported" list.csv '^p9-61-w100\.dat,menu,20028,'
	has "$size: } passes over what is not there" second '\[7 runs\].*\{4/4\}'
	has "$size: a place of its own" place '^>cpu1'
	has "$size: the first one's is kept" back '^>cpu2'
	has "$size: by a part of the name" by-name '^>cpu1'
	has "$size: the runs are kept" runs-stay 'against teo@6\.12'
	has "$size: Enter opens another recording" entered '\[1 timeline\].*\{4/4\}'
	for f in first list second back entered; do fits "$size: $f fits" $f "${size%x*}"; done
done

several 100x30 <<'STEPS'
:recording 2
:screen @DIR@/retried
STEPS
runs "a failed one asked for again: the session runs"
has "a failed one asked for again: another comes back" retried '\{4/4\}'

several 100x30 <<'STEPS'
:recording 9
STEPS
if [ "$status" = 2 ] && grep -q "no recording '9': there are 1-4" "$dir/err"; then
	ok "an unknown number is refused"
else
	not_ok "an unknown number: exit $status" "$dir/err"
fi

# the first one missing costs nothing; all of them missing is an error
"$BUILD/reidle" --headless --no-config --script /dev/null "$dir/none.dat" samples/p9-61-w100.dat 2>"$dir/err" &&
	ok "the first one missing" || not_ok "the first one missing" "$dir/err"
"$BUILD/reidle" --headless --no-config --script /dev/null "$dir/none.dat" "$dir/bad.dat" 2>"$dir/err" &&
	not_ok "none of them readable: exit 0" || ok "none of them readable"
if [ "$(wc -l <"$dir/err")" = 1 ]; then ok "one line says so"; else not_ok "not one line" "$dir/err"; fi
finish
