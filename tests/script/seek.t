#!/bin/sh
# A find looks on, between keys, for as long as it takes.
. tests/script/lib.sh
file=$dir/one.dat
"$BUILD/tools/gen_dat" "$file" 120000 1 seed=5 >/dev/null

drive 100x30 "$file" <<'END'
filter time > 20s
n
screen @DIR@/far
N
screen @DIR@/none
filter length > 3600s
n
screen @DIR@/never
END
runs "finding what is far away"
has "n finds the first idle period after 20 s, thousands away" far '▼ 20\.00'
has "N finds none before it: the cursor stays" none '▼ 20\.000 776'
has "what is nowhere is looked for to the end, and leaves it" never '▼ 20\.000 776'
finish
