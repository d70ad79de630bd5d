#!/bin/sh
# The what-if view says how far it can be trusted: the self check, the energy and the intervals of a
# recording that holds little are those of `reidle whatif`.
. tests/script/lib.sh

figures()
{
	drive 100x30 "$@" <<'STEPS'
:what-if teo
:screen @DIR@/lanes
:export csv @DIR@/totals.csv
s
s
s
:screen @DIR@/states
:export csv @DIR@/states.csv
STEPS
}

file=samples/skl-612-pp.dat
figures $file
runs "the session runs"
"$BUILD/reidle" whatif $file -g teo --quiet --format json >"$dir/batch.json" 2>/dev/null
# number KEY: the first of that name in the JSON, as a share
number() { grep -o "\"$1\": [0-9.e-]*" "$dir/batch.json" | sed -n "${2:-1}s/.*: //p"; }
percent() { awk -v v="$1" -v d="$2" 'BEGIN { printf "%." d "f", 100 * v }'; }
has "self check: sequences as the batch has them" lanes "$(percent "$(number same_sequences)" 2)% of sojourns alike"
has "self check: time" lanes "time off $(percent "$(number time_error)" 3)% of the span"
has "self check: usage" lanes "usage off $(percent "$(number usage_error)" 2)%"
has "self check: goes with the export" totals.csv '^# self check: menu@6\.12'
has "energy: as the batch has it" lanes "energy $(percent "$(number energy 2)" 2)% "
has "energy: in the table, with what the assumption does" totals.csv '^# with 0\.3 or 0\.7'
has "states: a row each, both runs" states '^ +C1E +9164 +[0-9]'
has "states: in the export" states.csv '^C10,3411,[0-9]+,[0-9]+,[0-9]+,3305'

printf 'POLL 1\nC1 .9\n' >"$dir/power"
drive 100x30 $file --power "$dir/power" <<'STEPS'
:what-if teo
:screen @DIR@/power
STEPS
hasnt "energy: powers that miss states say nothing" power 'energy'

figures samples/p9-61-w100.dat
runs "POWER: the session runs"
hasnt "POWER: residencies made by a rule say nothing about energy" lanes 'energy'
hasnt "POWER: nor does the table" totals.csv '^energy'
has "POWER: its self check" lanes 'of sojourns alike'

# a recording of cpu_idle events alone
little=$dir/little.txt
states="--states samples/p9-61-w100.sysfs-before.txt"
"$BUILD/reidle" events samples/p9-61-w100.dat 2>/dev/null | grep ': cpu_idle: ' >"$little"
if ! grep -q cpu_idle "$little"; then
	not_ok "little: no events to make it from"
else
	figures "$little" $states
	runs "little: the session runs"
	has "little: says which reading the lanes are" lanes 'every wake a known timer'
	has "little: least and most" lanes '(above|below).* [0-9]+\.\.[0-9]+'
	"$BUILD/reidle" whatif "$little" $states -g teo --format csv --quiet 2>/dev/null >"$dir/batch.csv"
	usage=$(grep -h 'teo.*,snooze,' "$dir/batch.csv" | awk -F, 'NF == 10 { print $3 "," $4 }' | head -1)
	has "little: usage of a state as the batch has it ($usage)" states.csv "^snooze,[0-9]+,$usage,"
	drive 100x30 "$little" $states <<'STEPS'
:sweep teo decay_shift=1..2
STEPS
	if [ "$status" != 0 ] && grep -q 'intervals' "$dir/err"; then ok "little: no sweep of numbers that mean nothing"
	else not_ok "little: a sweep is made" "$dir/err"; fi
fi
finish
