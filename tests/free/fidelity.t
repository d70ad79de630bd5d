#!/bin/sh
# Free replay of the recorded governor gives the recording back, and better than its neighbours do;
# what it chooses does not depend on what was recorded as chosen. All recordings are of emulated machines.
cd "$(dirname "$0")/../.." || exit 1
tool=${BUILD:-build}/tools/fidelity
guest=${REIDLE_SHARED:-}/traces/guest
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
skip() {
	n=$((n + 1))
	echo "ok $n # SKIP $1"
}

# the bars: identical sequences at least SAME %, time per state within 0.5 % of the span, usage within
# 1 % of the periods, and a strictly better share of sequences than each neighbour (not worse: "=")
bars() { # bars FILE SAME BETTER MODEL NEIGHBOUR...
	file=$1 same=$2 better=$3
	shift 3
	if [ ! -f "$file" ]; then
		skip "${file##*/}: needs the shared recordings"
		skip "${file##*/}: needs the shared recordings"
		return
	fi
	$tool "$file" "$@" >"$tmp/out" 2>&1 || cp /dev/null "$tmp/out"
	sed "s/^/# /" "$tmp/out"
	awk -F '\t' -v same="$same" -v better="$better" '
		NR == 1 { first = $3; if ($2 < 1000 || $3 < same || $4 > 0.5 || $5 > 1) bad = 1 }
		NR > 1 { if (better == "=" ? $3 > first : $3 >= first) bad = 1 }
		END { exit bad || NR < 2 }' "$tmp/out"
	ok $? "${file##*/}: $(cut -f1,3 "$tmp/out" | head -1 | tr '\t' ' ') % of sequences"
	cut -f7 "$tmp/out" >"$tmp/plain"
	$tool -p "$file" "$@" 2>&1 | cut -f7 | cmp -s - "$tmp/plain"
	ok $? "${file##*/}: recorded states and answers permuted, the same choices"
}

# what 6.1 changed on 5.10 shows only in aborted entries, which need the probes: there they tie
bars samples/p9-61-truth.dat 97 + menu@6.1 menu@5.10 menu@7.2
bars samples/p9-61-w100.dat 97 + menu@6.1 menu@7.2
bars "$guest/p9-61-w50.dat" 97 = menu@6.1 menu@5.10 menu@7.2
bars "$guest/p9-61-sweep.dat" 97 = menu@6.1 menu@5.10 menu@7.2
bars "$guest/skl-612-truth.dat" 97 + menu@6.12 menu@7.2 menu@5.10 teo@6.12
bars "$guest/skl-72hz1000-teo-truth.dat" 97 + teo@7.2 teo@6.12
bars "$guest/skl-612hz1000-teo-truth.dat" 95 + teo@6.12 teo@7.2
bars "$guest/arm-612-truth.dat" 97 + menu@6.12 menu@7.2

# without probes a latency limit of 0 is read from the recorded states: a program that holds one ran, and
# nothing but the shallowest was entered. With no limit nothing else depends on them, but on machines with a
# polling state that ran under such a limit (the skl truth recordings) still which selects follow a time-out
permuted() { # permuted FILE GOVERNOR OPTION...
	file=$1 governor=$2
	shift 2
	if [ ! -f "$file" ]; then
		skip "${file##*/}: needs the shared recordings"
		return
	fi
	$tool -n "$@" "$file" "$governor" 2>&1 | cut -f7 >"$tmp/plain"
	$tool -n "$@" -p "$file" "$governor" 2>&1 | cut -f7 | cmp -s - "$tmp/plain" && [ -s "$tmp/plain" ]
	ok $? "${file##*/} without probes${1:+, no limit}: recorded states permuted, the same choices"
}
permuted samples/p9-61-truth.dat menu@6.1
permuted samples/skl-612-pp.dat menu@6.12
permuted "$guest/p9-61-sweep.dat" menu@6.1
permuted "$guest/arm-612-truth.dat" menu@6.12 -l
echo "1..$n"
