#!/bin/sh
# Recordings, event for event, as trace-cmd report prints them: time, CPU and fields of the events that
# idle analysis uses, and the number of records of any kind. The samples always; every recording of
# $REIDLE_SHARED with REIDLE_SLOW=1.
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0

# raw fields of trace-cmd's lines, in the form of dump_events
theirs() {
	trace-cmd report -t -R "$1" 2>/dev/null | awk '
	function value(key,   at, rest) {
		at = index($0, " " key "=")
		if (!at) return ""
		rest = substr($0, at + length(key) + 2)
		if (match(rest, / [a-z_]+=/)) rest = substr(rest, 1, RSTART - 1)
		sub(/ +$/, "", rest)
		return rest
	}
	# raw numbers come signed or not, in hex or not; masks as they are
	function num(key,   v) { v = value(key); return v == "4294967295" ? -1 : v }
	function out(text) { print time, cpu, event, text }
	match($0, /\[[0-9]+\] +[0-9]+\.[0-9]+: [A-Za-z0-9_]+:/) {
		records++
		split(substr($0, RSTART, RLENGTH), part, /[^0-9a-z_.]+/)
		cpu = part[2] + 0; time = part[3]; event = part[4]
		sub(/\./, "", time); sub(/^0+/, "", time)
		$0 = " " substr($0, RSTART + RLENGTH)
		gsub(/  +/, " ")
		if (event == "cpu_idle") out("state=" num("state") " cpu_id=" value("cpu_id"))
		else if (event == "cpu_idle_miss")
			out("cpu_id=" value("cpu_id") " state=" num("state") " below=" num("below"))
		else if (event == "sched_switch")
			out("prev_pid=" num("prev_pid") " next_comm=" value("next_comm") " next_pid=" num("next_pid"))
		else if (event == "sched_waking")
			out("comm=" value("comm") " pid=" num("pid") " target_cpu=" num("target_cpu") + 0)
		else if (event == "hrtimer_start")
			out("hrtimer=" value("hrtimer") " expires=" value("expires") " softexpires=" value("softexpires"))
		else if (event == "hrtimer_expire_entry") out("hrtimer=" value("hrtimer") " now=" value("now"))
		else if (event == "timer_start") out("timer=" value("timer") " expires=" value("expires"))
		else if (event == "irq_handler_entry") out("irq=" num("irq") " name=" value("name"))
		else if (event == "cpuidle_reflect") out("index=" num("index") " flags=" value("flags") + 0)
	}
	END { print "records " records + 0 }' | LC_ALL=C sort
}

same() { # same FILE
	n=$((n + 1))
	theirs "$1" >"$tmp/theirs"
	{ "${BUILD:-build}/tools/dump_events" "$1"
		"${BUILD:-build}/tools/dump_periods" -t "$1" | awk '$2 == "records" { print "records " $4 }'
	} 2>/dev/null | LC_ALL=C sort >"$tmp/ours"
	if [ "$(trace-cmd report "$1" 2>/dev/null | head -3 | wc -l)" = 3 ] && cmp -s "$tmp/ours" "$tmp/theirs"; then
		echo "ok $n - $(basename "$1"): $(grep -vc records "$tmp/ours") events agree, of $(
			sed -n 's/^records //p' "$tmp/ours") records"
	else
		echo "not ok $n - $(basename "$1")"
		diff "$tmp/theirs" "$tmp/ours" | head -6 | sed 's/^/# /'
	fi
}

if ! command -v trace-cmd >/dev/null; then
	echo "1..0 # SKIP no trace-cmd to compare with"
	exit 0
fi
for f in samples/skl-612-pp.dat samples/p9-61-w100.dat; do
	same "$f"
done
for f in "${REIDLE_SHARED:-../shared}"/traces/guest/*.dat "${REIDLE_SHARED:-../shared}"/traces/public/*.dat; do
	[ -n "${REIDLE_SLOW:-}" ] && [ -e "$f" ] && same "$f"
done
[ -n "${REIDLE_SLOW:-}" ] || echo "# SKIP all other recordings: REIDLE_SLOW=1 takes some minutes for them"
echo "1..$n"
