#!/bin/sh
# The shipped state tables against the facts they were made from: every state with numbers is in a table,
# every other one is named among what was left out; and against dumps of 45 real machines.
cd "$(dirname "$0")/../.." || exit 1
facts=${REIDLE_SHARED:-../shared}/facts
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
[ -d "$facts" ] || { echo "ok 1 - # SKIP the facts are not here (REIDLE_SHARED)"; echo 1..1; exit 0; }
awk -F'\t' -v OFS='\t' '$1 == "state" { print $3, $4, $5 }' src/machines/*.tsv | sort -u >"$tmp/have"
cat src/machines/*.tsv | grep '^omit' >"$tmp/omit"

# states.tsv: 4 index, 5 name, 7 latency, 8 residency; states without an index are not registered
awk -F'\t' -v OFS='\t' 'NR > 1 && $4 != "-" && $7 ~ /^[0-9]+$/ { sub(/ .*/, "", $8); print $5, $7, $8 }' \
	"$facts/states.tsv" | sort -u >"$tmp/want"
# nc-wait, clock-gated and power-gated of mips: state 0 of that table is not known
comm -23 "$tmp/want" "$tmp/have" | grep -v -e '^nc-wait' -e '^clock-gated' -e '^power-gated' >"$tmp/miss"
[ "$(wc -l <"$tmp/want")" -gt 100 ] && [ ! -s "$tmp/miss" ]
ok $? "all $(wc -l <"$tmp/want") different states of states.tsv"
grep -q 'nc-wait 200/450, clock-gated 300/700, power-gated 600/1000' "$tmp/omit" &&
	grep -q 'Jasper Lake' "$tmp/omit" && grep -q 'stop8 of POWER9' "$tmp/omit"
ok $? "what has no usable numbers is listed"

# arm.tsv: 4 name, 6 kind, 12 latency, 13 residency
awk -F'\t' -v OFS='\t' 'NR > 1 && $6 == "cpu" && $12 ~ /^[0-9]+$/ && $13 ~ /^[0-9]+$/ { print $4, $12, $13 }' \
	"$facts/arm.tsv" | sort -u >"$tmp/want"
# mt8516 has a gap in its numbers, sc7180-firmware-tfa is an overlay
comm -23 "$tmp/want" "$tmp/have" >"$tmp/miss"
[ "$(wc -l <"$tmp/want")" -gt 100 ] && [ "$(cut -f1 "$tmp/miss" | tr '\n' ' ')" = "cluster-sleep-0 cluster-sleep-0 cpu-sleep-0-0 " ]
ok $? "all $(wc -l <"$tmp/want") different CPU states of arm.tsv but three"
grep -q '^omit	mt8516' "$tmp/omit" && grep -q '^omit	sc7180-firmware-tfa' "$tmp/omit"
ok $? "and these three are listed"
awk -F'\t' 'NR > 1 && $6 == "domain"' "$facts/arm.tsv" | wc -l >"$tmp/a"
grep -c 'power-domain state' "$tmp/omit" | cmp -s - "$tmp/a"
ok $? "$(cat "$tmp/a") power-domain states are listed, not offered"

# and platform by platform: no state of one platform stands for that of another
perl tests/formats/tables.pl "$facts" src/machines/*.tsv >"$tmp/rows" 2>&1
[ "$(grep -c '^ok' "$tmp/rows")" -gt 300 ] && ! grep -v '^ok' "$tmp/rows" | sed 's/^/# /' | grep .
ok $? "$(wc -l <"$tmp/rows") platforms and states each in their own table, or left out with the reason"

# observed.tsv: states that sysfs of real machines showed
head -n 1 "$facts/observed.tsv" | tr '\t' '\n' | grep -n . >"$tmp/columns"
column() { grep ":$1\$" "$tmp/columns" | cut -d: -f1; }
awk -F'\t' -v OFS='\t' -v a="$(column name)" -v b="$(column latency_us)" -v c="$(column residency_us)" \
	'NR > 1 { print $a, $b, $c }' "$facts/observed.tsv" | sort -u >"$tmp/want"
comm -23 "$tmp/want" "$tmp/have" >"$tmp/miss"
[ "$(wc -l <"$tmp/want")" -gt 40 ] && [ ! -s "$tmp/miss" ]
ok $? "all $(wc -l <"$tmp/want") different states of 45 real machines"
echo "1..$n"
