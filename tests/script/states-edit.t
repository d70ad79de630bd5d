#!/bin/sh
# The states view: an edit of a latency, a residency, a switch or the whole table makes the replays anew,
# and what it did stands beside the recorded usage. Figures are those of `reidle whatif` with --set.
. tests/script/lib.sh
file=samples/skl-612-pp.dat

drive 100x30 $file <<'STEPS'
:add teo
8
:screen @DIR@/before
j
j
j
j
X
:screen @DIR@/disabled
X
:set C10.residency=300
:screen @DIR@/set
7
:export csv @DIR@/set.csv
:limit 20
:export csv @DIR@/limit.csv
:screen @DIR@/limit
:limit none
8
:table hsx
:screen @DIR@/hsx
:table recorded
:screen @DIR@/again
7
:export csv @DIR@/again.csv
:rename mine
:screen @DIR@/renamed
j
D
:screen @DIR@/removed
STEPS
runs "the session runs"
has "the compared run stands beside the recording" before '8 C10 .* 3 411 +116$'
has "X disables, marked in letters" disabled '4 C6 .*disabled\* +2 358 +0$'
has "set changes a residency, marked" set '8 C10 .*300 us\*'
has "it is said that the table is edited" set 'recorded table, edited'
has "another table" hsx 'replays run on hsx'
has "its states only" hsx '4 C6 +133 us\* +400 us\*'
hasnt "its states only" hsx '^. 8 '
has "and back" again '8 C10 .* 3 411 +116$'
has "a limit is told" limit 'teo@6\.12.*<=20us'
has "rename" renamed '^> +0L mine'
hasnt "remove" removed 'teo@'

# same NAME CSV OPTIONS: periods, latency paid and p99 of the replayed run are the batch's
same()
{
	name=$1
	csv=$2
	shift 2
	want=$("$BUILD/reidle" whatif $file -g teo "$@" --format csv --quiet 2>/dev/null |
		awk -F, 'NF == 13 && $1 == 1 { print $2 ",[0-9]+,[0-9]+," $10 "," $13 }')
	has "$name ($want)" "$csv" "^teo[^,]*,$want$"
}
same "edited residency: as whatif --set" set.csv --set C10.residency=300
same "limit: as whatif --latency-limit" limit.csv --set C10.residency=300 --latency-limit 20
same "table recorded: as whatif" again.csv
finish
