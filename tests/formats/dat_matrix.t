#!/bin/sh
# Made recordings of every layout against the figures of the program that made them: periods, misses,
# ends, losses and the number of records. One line per byte order, size of long, and compression.
cd "$(dirname "$0")/../.." || exit 1
gen=${BUILD:-build}/tools/gen_dat
read=${BUILD:-build}/tools/dump_periods
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
agree() { # agree EVENTS SETTINGS...: reads as it was made
	events=$1
	shift
	"$gen" "$tmp/m.dat" "$events" 3 "$@" >"$tmp/want" &&
		"$read" -t -j $((1 + events % 3)) "$tmp/m.dat" >"$tmp/got" 2>"$tmp/err" && cmp -s "$tmp/want" "$tmp/got" ||
		{ echo "# differs: $*"; diff "$tmp/want" "$tmp/got" | head -4 | sed 's/^/# /'; head -1 "$tmp/err"; return 1; }
}

layouts() { # layouts SETTINGS...: all pages, instances, losses and stamps of one kind of file
	count=0 wrong=0
	for page in 4096 65536; do for inst in 0 1; do for lost in 0 2; do
		for stamps in "" abs=7 gap=50 "abs=3 gap=31 pad=11 big=13 marker=17"; do
			count=$((count + 1))
			agree $((16000 + count)) "$@" page=$page inst=$inst lost=$lost $stamps || wrong=$((wrong + 1))
		done
	done; done; done
	ok $wrong "$*: $count layouts"
}
for be in 0 1; do for long in 4 8; do for file in "version=6" "version=7 codec=none" "version=7 codec=zstd" \
	"version=7 codec=zlib"; do
	layouts be=$be long=$long $file
done; done; done

agree 30000 page=16384 version=7 codec=zstd && agree 30000 page=1048576 lost=2
ok $? "16K and 1M sub-buffers"
# 59 bits of an absolute time are stored: 2^59 and 3 * 2^59 ns are crossed inside a page
agree 30000 start=576460752303000000 abs=5 && agree 30000 start=576460752303000000 abs=1 gap=3 &&
	agree 30000 start=1729382256910000000 abs=5 be=1
ok $? "absolute stamps across their overflow"
agree 30000 clock=x86-tsc tsc=1 && agree 30000 clock=x86-tsc tsc=1 version=7 codec=zstd lost=3
ok $? "TSC cycles with TSC2NSEC"
agree 30000 offset=-12345678 && agree 30000 offset=5000 version=7 codec=none inst=1
ok $? "a time offset"
agree 30000 foreign=1 && agree 30001 foreign=1 lost=3 inst=1 && agree 30002 foreign=1 version=7 codec=zstd be=1
ok $? "exits in another CPU's buffer"

# what the options shift and tell; lengths stay, so the times themselves are looked at
first() { "$gen" "$tmp/m.dat" 300 1 "$@" >/dev/null && "${BUILD:-build}"/tools/dump_events "$tmp/m.dat" | sed -n '1s/ .*//p'; }
at=$(first) rc=0
for file in "" "be=1" "version=7 codec=zstd"; do
	[ "$(first offset=-12345678 $file)" = $((at - 12345678)) ] &&
		[ "$(first date=1700000000123456 $file)" = $((at + 1700000000123456000)) ] &&
		[ "$(first date=5 offset=7 $file)" = $((at + 5007)) ] || rc=1
done
ok $rc "OFFSET is ns and DATE is us on every time, both add up"
says() { # says WORDS SETTINGS...
	words=$1
	shift
	agree 3000 "$@" && "$read" "$tmp/m.dat" 2>&1 >/dev/null | grep -q "$words" &&
		agree 3000 version=7 codec=zstd be=1 "$@" && "$read" "$tmp/m.dat" 2>&1 >/dev/null | grep -q "$words"
	ok $? "$*: $words"
}
says "kernel counted 36 lost events, the pages tell of 0" stat=12
says "guest's recording: its times are the guest's own" shift=1
"$gen" "$tmp/m.dat" 3000 1 >/dev/null && ! "$read" "$tmp/m.dat" 2>&1 >/dev/null | grep -q 'guest\|counted'
ok $? "and nothing of it where there is nothing"

# lost events: a reader that overlooks the hole gets other, wrong figures
"$gen" "$tmp/m.dat" 60000 2 lost=3 seed=5 >"$tmp/right"
"$gen" "$tmp/m.dat" 60000 2 lost=3 seed=5 naive=1 >"$tmp/naive"
"$read" -t "$tmp/m.dat" >"$tmp/got" 2>/dev/null
! cmp -s "$tmp/right" "$tmp/naive" && cmp -s "$tmp/right" "$tmp/got"
ok $? "periods across a hole do not count ($(awk '$2 == "state" { n += $4 } END { print n }' "$tmp/right") periods; $(
	awk '$2 == "state" { n += $4 } END { print n }' "$tmp/naive") with the hole overlooked)"

# one instance alone; two buffers that do not hold cpu_idle change nothing
"$gen" "$tmp/m.dat" 30000 3 inst=1 >"$tmp/want"
"$read" -i "" "$tmp/m.dat" 2>/dev/null >"$tmp/top" && grep -Ev 'miss|^-|open_tail' "$tmp/want" >"$tmp/a"
grep -v open_tail "$tmp/top" | cmp -s - "$tmp/a"
ok $? "--instance \"\" reads the top buffer"
"$read" -t -i sched "$tmp/m.dat" 2>/dev/null | grep -c state | grep -qx 0
ok $? "an instance without cpu_idle has no periods"
"$read" -i nosuch "$tmp/m.dat" 2>"$tmp/err"
[ $? = 3 ] && grep -q '"sched", "timers"' "$tmp/err"
ok $? "an unknown instance is answered with those that there are"

# clocks
for clock in counter x86-tsc; do
	"$gen" "$tmp/m.dat" 3000 1 clock=$clock >/dev/null
	"$read" "$tmp/m.dat" 2>"$tmp/err"
	[ $? = 3 ] && grep -q 'record with -C mono' "$tmp/err"
	ok $? "clock $clock without a conversion is refused"
done
for clock in local uptime perf; do
	"$gen" "$tmp/m.dat" 3000 1 clock=$clock >/dev/null
	"$read" "$tmp/m.dat" 2>&1 >/dev/null | grep -q "clock \"$clock\""
	ok $? "clock $clock is read with a warning"
done
echo "1..$n"
