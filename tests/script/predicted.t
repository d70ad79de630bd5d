#!/bin/sh
# What the governor believed, decision by decision: the screen's figures are those of `reidle decisions
# -g`, the error is prediction minus length, the histogram counts the same, overlays count their own.
. tests/script/lib.sh
file=samples/skl-612-pp.dat

drive 160x40 $file <<'STEPS'
2
:sort time
:export csv @DIR@/screen.csv
:screen @DIR@/wide
:sort error
:screen @DIR@/worst
4
:quantity error
:screen @DIR@/error
:export csv @DIR@/error.csv
:filter cpu == 2
:export csv @DIR@/cpu2.csv
STEPS
runs "the session runs"
has "the error has a column" wide 'pred us +came us.*error us'
has "the list can be sorted by it" worst 'sort: error, descending'
has "errors have both signs" error '^ +-32us .*'
has "their percentiles are told" error '^ prediction error +-[0-9.]+[mun]s'

"$BUILD/reidle" decisions $file -g menu --format csv >"$dir/batch.csv"
awk -F, '
BEGIN { of["s"] = 1e9; of["ms"] = 1e6; of["us"] = 1e3; of["ns"] = 1 }
function ns(text, part) { split(text, part, " "); return part[1] * of[part[2]] }
/^#/ || /^cpu/ { next }
FNR == NR { if ($17 != "") batch[$1 "," $2] = ns($17); next }
$4 != "" { if (!(($1 "," $2) in batch)) { missing++; next }
	d = $4 - batch[$1 "," $2]; if (d < 0) d = -d
	if (d > 0.006 * $4 + 1) { wrong++; print "# " $0 " batch " batch[$1 "," $2] } else same++
	if ($5 != "" && $5 != $4 - $6) sums++ }
END { print "# same " same + 0 " wrong " wrong + 0 " missing " missing + 0; exit !(same > 20000) || wrong || missing || sums }
' "$dir/batch.csv" "$dir/screen.csv" >"$dir/compared" && ok "predictions are those of decisions -g" ||
	not_ok "predictions differ from decisions -g" "$dir/compared"

# the histogram of errors against the list: as many per sign and bucket
awk -F, '
/^#/ || /^cpu|^from/ { next }
FNR == NR { if ($5 == "" || $6 == "") next; e = $5 < 0 ? -$5 : $5; k = 0
	for (v = int(e / 1000); v >= 1; v = int(v / 2)) k++
	want[$5 < 0 ? -(2 ^ k) * 1000 : k ? 2 ^ (k - 1) * 1000 : 0]++; next }
{ if (want[$1] + 0 != $2) { bad++; print "# from " $1 ": " $2 " counted, " want[$1] + 0 " listed" } else good++ }
END { exit bad || good < 20 }' "$dir/screen.csv" "$dir/error.csv" >"$dir/counted" &&
	ok "the histogram counts what is listed" || not_ok "the histogram counts otherwise" "$dir/counted"
all=$(awk -F, '/^-?[0-9]/ { n += $2 } END { print n }' "$dir/error.csv")
two=$(awk -F, '/^-?[0-9]/ { n += $2 } END { print n }' "$dir/cpu2.csv")
if [ "$two" -gt 100 ] && [ "$two" -lt "$all" ]; then ok "the filter holds for it"; else not_ok "$two of $all"; fi

sed "s#@DIR@#$dir#g" >"$dir/steps" <<'STEPS'
4
:other p9
:screen @DIR@/overlay
:export csv @DIR@/overlay.csv
:recording 2
:quantity length
:export csv @DIR@/own.csv
STEPS
"$BUILD/reidle" --headless --no-config --size 100x30 --script "$dir/steps" $file samples/p9-61-w100.dat 2>"$dir/err"
status=$?
runs "two recordings: the session runs"
has "two recordings: the other one lies over it" overlay 'menu │ p9-61-w100\.dat'
has "two recordings: its percentiles" overlay '^ p9-61-w100\.dat +[0-9]'
over=$(awk -F, '/^[0-9]/ { n += $6 } END { print n }' "$dir/overlay.csv")
own=$(awk -F, '/^[0-9]/ { n += $2 } END { print n }' "$dir/own.csv")
if [ "$over" = "$own" ] && [ "$own" -gt 1000 ]; then ok "two recordings: counted as on its own"; else
	not_ok "two recordings: $over laid over, $own its own"
fi

# Tab offers versions, parameters, their words, fields of states
typed() { printf '%s\n' "$1" | sed 's/./&\n/g' | sed 's/^ $/Space/;/^$/d'; }
complete()
{
	{ echo :; typed "$2"; echo Tab; echo ":screen $dir/tab"; } | drive 100x30 $file
	has "Tab: $1" tab "^:$3"
}
complete "a parameter" 'add teo:decay_s' 'add teo:decay_shift='
complete "a word of a parameter" 'add menu:poll_override=o' 'add menu:poll_override=off'
complete "a version" 'what-if menu@6.1' 'what-if menu@6\.1'
complete "an axis" 'sweep teo decay_s' 'sweep teo decay_shift='
complete "a field of a state" 'set C6.la' 'set C6\.latency='
complete "a table" 'table recor' 'table recorded'
complete "a quantity" 'quantity pre' 'quantity predicted'
finish
