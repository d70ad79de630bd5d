#!/bin/sh
# Three questions of a new user, each answered within ten keys (a typed command counts as one):
#   why did cpu 2 go so deep at 3.186 s;  which timer keeps cpu 1 awake;
#   would teo of 7.2 have paid less latency here, and what are its ten worst changes.
. tests/script/lib.sh

# question NAME RECORDING: steps on stdin; the lines that are neither comments nor screens are the keys
question()
{
	name=$1
	file=$2
	cat >"$dir/question"
	drive 100x30 "$file" <"$dir/question"
	runs "$name: the steps run"
	n=$(grep -vc '^#\|^:screen\|^:export\|^$' "$dir/question")
	if [ "$n" -le 10 ]; then ok "$name: $n keys"; else not_ok "$name: $n keys, over ten"; fi
}

question "so deep" samples/skl-612-pp.dat <<'STEPS'
:goto cpu 2 3.1862
9
:screen @DIR@/deep
G
:screen @DIR@/outcome
STEPS
has "so deep: the decision at that time" deep 'cpu2 +decision [0-9]+ +at 3\.186'
has "so deep: what the governor was given" deep 'next timer +[0-9]'
has "so deep: what it chose" outcome 'recorded choice +[0-9] '
has "so deep: the same code, taught, chooses" outcome 'chooses +[0-9] '
has "so deep: by which steps" deep 'correction factor +0\.0[0-9]+ for sleep lengths'
has "so deep: that it was, by how much, what would have been right" deep 'ideal   3 C3  ABOVE: too deep, 4\.90 ms short'

question "which timer" samples/p9-61-w100.dat <<'STEPS'
:goto cpu 1
6
c
:filter wake == timer
:screen @DIR@/timer
Enter
:screen @DIR@/its-decisions
STEPS
has "which timer: of cpu 1" timer 'wake-ups of cpu1'
has "which timer: its function, how often, how long" timer '^> timer +[a-z_]+ +[0-9 ]+ +[0-9.]+ +[0-9.]+[un]?s'
has "which timer: Enter lists its decisions" its-decisions 'filter: wake == timer && waker == .* && cpu == 1'

question "less latency" samples/p9-61-w100.dat <<'STEPS'
:what-if teo@7.2
:screen @DIR@/less
s
:screen @DIR@/worst
:export csv @DIR@/worst.csv
STEPS
has "less latency: against teo of 7.2" less 'against teo@7\.2'
has "less latency: in time and per cent" less 'exit latency paid +[0-9.]+ [mun]?s +[0-9.]+ [mun]?s +[+-][0-9.]+ [mun]?s +[+-][0-9.]+%'
has "less latency: under which assumption" less 'wake times as recorded'
rows=$(sed -n '/length/,/^ cpu/p' "$dir/worst" | grep -c '^[ >] *[0-9]')
if [ "$rows" -ge 10 ]; then ok "less latency: ten worst changes and more"; else
	not_ok "less latency: $rows changes are shown" "$dir/worst"
fi
awk -F, '/^[0-9]/ { d = $6 - $9; d = d < 0 ? -d : d; if (seen && d > last) bad = 1; last = d; seen = 1 }
	END { exit bad || !seen }' "$dir/worst.csv" && ok "less latency: the costliest come first" ||
	not_ok "less latency: the order is wrong" "$dir/worst.csv"
finish
