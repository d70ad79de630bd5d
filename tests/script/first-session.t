#!/bin/sh
# A first session as a kernel developer would have it: find the timeline, zoom to one wake-up, read why
# its state was chosen, open the what-if, export the table. The same keys at both sizes.
. tests/script/lib.sh

for size in 100x30 60x15; do
	drive $size samples/skl-612-pp.dat <<'STEPS'
:screen @DIR@/timeline
# to the next miss of this cpu, and close
n
n
f
f
:screen @DIR@/wakeup
# what the same wakes would have been under the other governor
3
:screen @DIR@/whatif
n
:screen @DIR@/change
:export csv @DIR@/totals.csv
s
:export text @DIR@/changes.txt
q
:screen @DIR@/back
STEPS
	w=${size%x*}
	runs "$size: the session runs"
	has "$size: the timeline is the first view" timeline '\[1 timeline\]'
	has "$size: a lane per cpu with its idle share" timeline '>cpu0 +[0-9]+% [0-9.:?]+'
	has "$size: states are named" wakeup 'chosen +[0-9] [A-Z]'
	has "$size: the verdict is in words" wakeup 'too (deep|shallow), '
	has "$size: what the governor was given" wakeup 'next timer'
	has "$size: who woke the cpu" wakeup 'woken by'
	has "$size: zoomed to the wake-up" wakeup '[0-9][nu]s/col'
	has "$size: two runs stand above each other" whatif '^ +teo [0-9.:]+'
	has "$size: the assumption is said" whatif 'wake times'
	has "$size: totals with differences" whatif 'above \(too deep\) +[0-9 ]+[+-][0-9]'
	has "$size: n goes to a change" change 'change [0-9]+ of|menu [0-9] '
	has "$size: the totals are exported raw" totals.csv '^figure,unit,left,right,difference,change$'
	has "$size: so are the changes" changes.txt '^ +[0-3] +[0-9.]+ .*(above|below)'
	has "$size: q leads back" back '\[1 timeline\]'
	for f in timeline wakeup whatif change back; do fits "$size: $f fits" $f "$w"; done
done
finish
