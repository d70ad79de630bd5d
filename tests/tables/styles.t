#!/bin/sh
# Every --style on a recording of a real kernel: its columns, width, alphabet; the CSV and md forms.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
sample=samples/p9-61-w100.dat
governors=menu@6.1:poll_override=off,oracle
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
body() { sed '1,/^legend/d' "$tmp/text"; } # what follows the head

shape() { # shape STYLE COMMENT PATTERN...: each pattern is a line of the body
	style=$1
	shift
	$reidle whatif $sample -g $governors --style "$style" >"$tmp/text" 2>"$tmp/err"
	ok $? "$style: is made"
	LC_ALL=C awk 'length > 78 || /[^ -~]/ || / $/ { print; bad = 1 } END { exit bad }' "$tmp/text" >"$tmp/out"
	rc=$?
	[ $rc = 0 ] || sed 's/^/# /' "$tmp/out"
	ok $rc "$style: 78 columns, ASCII, no tabs, no blanks at the end"
	for pattern; do
		body | grep -Eq -- "$pattern"
		ok $? "$style: /$pattern/"
	done
	$reidle whatif $sample -g $governors --style "$style" --format csv | grep -v '^#' | awk -F, '
		NF == 0 { fields = 0; next }
		fields == 0 { fields = NF; tables++; next }
		NF != fields { bad = 1 }
		END { exit bad || !tables }'
	ok $? "$style: csv has as many fields in a row as in its head"
	$reidle whatif $sample -g $governors --style "$style" --format md | awk '
		/^\|/ { k = gsub(/[^\\]\|/, "&") ; if (cols && k != cols) bad = 1; cols = k; next }
		{ cols = 0 }
		END { exit bad }'
	ok $? "$style: md has as many cells in a row as in its head"
}

shape default '^run +state +usage +time time% above +abv% below +blw%$' \
	'^run +state +avg +p50 +p99 +wake +wake$' '^0 +0 snooze +10249 ' '^ +total +20028 ' '^  abv% = above / usage$' \
	'^  run 2: oracle$'
shape metric '^Baseline: recorded$' '^With menu@6.1.176 .*poll_override=off$' '^-+$' \
	'^\| Metric +\| +snooze \| +Shared Cede \|$' '^\| Usage +\| +10249 \| +9779 \|$' \
	'^\| Above +\|' '^\| Below +\|' '^\| Time Spent \(us\) +\| +[0-9]+ \([0-9.]+%\) \|' \
	'^\| Overall average sleep duration \(us\) \|' '^\| Overall average wakeup latency \(us\) \|'
shape columns '^\| Metric +\| run 0 \| run 1 \| run 2 \| +Change \| +Change \|$' '^\| Usage +\| 20028 ' \
	'^\|   Shared Cede +\| +9779 ' '^\| % above w.r.t. usage ' '^\| % below w.r.t. usage ' '^\| Total miss % '
shape sweep '^~+$' '^group +run 0 +run 1 +\(change +run 2 +\(change$' '^\(snooze, Shared Cede\) residency %$' \
	'^ +all +\([0-9.]+, [0-9.]+\) +\([0-9.]+, [0-9.]+\)'
shape reference '^run +avg +vs run 0 +ave +max +min +name$' '^ +2 .* -(99.9[0-9]|100.00) .* oracle$' 'reference is run 0'
shape misses '^State +usage +above +below +abv% +blw%$' '^total .* 9757 \(48.72%\) <<< Misses$' '^oracle$'
shape rows '^device +gov +iter +score +idles +idle_misses$' 'idle_miss_ratio' 'belows' 'aboves' 'state0' \
	'^p9-61-w100.dat menu@6.1.176 poll_override=off +1 '
shape cluster '^cluster +state +name +time +time% +usage +above +abv% +below +blw%$' '^TOTAL +- ' \
	'^0 +0 +snooze '
shape mmtests '^ +run 0 +run 1 +run 2$' '^Amean miss% +48.72 \( +0.00%\) +0.26 \( +99.47%\)' \
	'recording a side claims nothing'

$reidle whatif $sample -g oracle --style frob >/dev/null 2>"$tmp/err"
[ $? = 2 ] && grep -q 'mmtests' "$tmp/err"
ok $? "an unknown style: 2, and the ones there are"
echo "1..$n"
