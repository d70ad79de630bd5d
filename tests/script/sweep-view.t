#!/bin/sh
# The sweep over several recordings: a column each, mean and rank, the figures of `reidle sweep`; one that
# cannot be read has no column and no part in the mean.
. tests/script/lib.sh

printf 'this is no recording\n' >"$dir/bad.dat"
files="samples/skl-612-pp.dat $dir/bad.dat samples/p9-61-w100.dat"
cat >"$dir/steps" <<STEPS
:sweep teo decay_shift=2..4
G
:screen $dir/grid
:export csv $dir/grid.csv
m
:screen $dir/above
}
:screen $dir/other
{
k
D
:screen $dir/removed
R
:screen $dir/all
STEPS
"$BUILD/reidle" --headless --no-config --size 100x30 --script "$dir/steps" $files 2>"$dir/err"
status=$?
runs "the session runs"
has "a column per recording that can be read" grid 'skl-612-pp +p9-61-w100 +mean rank'
has "a row: both, their mean" grid 'teo:decay_shift=2 +12\.41.*0\.05.* 6\.23 +[0-9]'
has "the curve is over the mean" grid 'over decay_shift, mean of the recordings'
has "another metric" above 'metric: above, '
has "the other recording shows the same grid" other 'teo:decay_shift=2 +12\.41.*0\.05'
hasnt "a removed row is gone" removed 'decay_shift=3'
has "all of them can be run" all 'oracle +0\.00.*0\.00.*0\.00 +1'

"$BUILD/reidle" sweep samples/skl-612-pp.dat samples/p9-61-w100.dat -g teo -p decay_shift=2..4 \
	--format csv --quiet >"$dir/batch.csv" 2>/dev/null
# "recording above below" of each row, in percent; the first is the recording itself
awk -F, '/^[a-z0-9-]*\.dat,/ { printf "%s %.6f %.6f\n", $1, 100 * $6, 100 * $7 }' "$dir/batch.csv" >"$dir/want"
awk -F, '/^[a-z0-9-]*\.dat,(recorded|teo)/ { printf "%s %.6f %.6f\n", $1, $4, $5 }' "$dir/grid.csv" >"$dir/got"
if [ "$(wc -l <"$dir/want")" = 8 ] && cmp -s "$dir/want" "$dir/got"; then ok "the figures are the batch's"; else
	not_ok "the figures differ" "$dir/want" "$dir/got"
fi
finish
