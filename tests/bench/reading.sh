#!/bin/sh
# Reading made recordings: CPU time against cat, libtracecmd and trace-cmd, growth, and memory. The bars are
# printed with the ratios. EVENTS (10 million) and BIG (40 million) can be set; ROUNDS (3): the best counts.
set -u
cd "$(dirname "$0")/../.." || exit 1
events=${EVENTS:-10000000} big=${BIG:-40000000} rounds=${ROUNDS:-3}
tools=$BUILD/tools reidle=$BUILD/reidle
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

walk=
if pkg-config --exists libtracecmd 2>/dev/null; then
	# shellcheck disable=SC2046
	cc -O2 -o "$dir/walk" tests/bench/tracecmd_walk.c $(pkg-config --cflags --libs libtracecmd) && walk=$dir/walk
fi
[ -n "$walk" ] || echo "libtracecmd-dev is not installed: no comparison with libtracecmd"
command -v trace-cmd >/dev/null || echo "trace-cmd is not installed: no comparison with trace-cmd report"

cpu() { # cpu ROUNDS COMMAND...: its CPU time, or - when it fails
	n=$1
	shift
	if out=$("$tools/cost" -n "$n" "$@"); then echo "${out% *}"; else echo -; fi
}
peak() { "$tools/cost" "$@" | cut -d' ' -f2; }
line() { # line WHAT SECONDS COUNT
	awk -v what="$1" -v s="$2" -v n="$3" 'BEGIN {
		if (s == "-") printf "  %-44s failed\n", what
		else printf "  %-44s %8.3f s %8.1f ns/event\n", what, s, s * 1e9 / n }'
}
missed=0
bar() { # bar WHAT HAVE-NUMERATOR HAVE-DENOMINATOR at-least|at-most BAR
	awk -v what="$1" -v a="$2" -v b="$3" -v how="$4" -v bar="$5" 'BEGIN {
		if (a == "-" || b == "-" || b + 0 == 0) { printf "  %-44s not measured\n", what; exit }
		r = a / b; ok = how == "at-least" ? r >= bar : r <= bar
		printf "  %-44s %8.2f  %s %g: %s\n", what, r, how == "at-least" ? ">=" : "<=", bar,
			ok ? "met" : "NOT MET"
		exit !ok }' || missed=1
}

against() { # against WHAT SECONDS: as a multiple of what it costs to copy the same bytes
	awk -v what="$1 / cat" -v a="$2" -v b="$cat_s" 'BEGIN {
		if (a != "-" && b + 0) printf "  %-44s %8.2f\n", what, a / b }'
}
# one way of the report against the bars: bars WHAT SECONDS BAR-FOR-LIBTRACECMD
bars() {
	bar "trace-cmd report / $1" "$report" "$2" at-least 50
	bar "libtracecmd / $1" "$iterate" "$2" at-least "$3"
}
memory() { # memory WHAT PERIODS OPTION...: what a big recording takes beyond a small one
	what=$1 count=$2
	shift 2
	grown=$(($(peak "$reidle" report "$@" "$file") - $(peak "$reidle" report "$@" "$dir/small.dat")))
	bar "bytes of memory per idle period ($what)" $((grown * 1024)) "$count" at-most 32
}

compare() { # compare CPUS BAR-FOR-LIBTRACECMD BAR-FOR-LIBTRACECMD-WITH-LATENCIES-ACROSS-CPUS
	file=$dir/a.dat
	"$tools/gen_dat" "$file" "$events" "$1" >"$dir/figures"
	"$tools/gen_dat" "$dir/small.dat" 1000 "$1" >/dev/null
	periods=$(awk '$2 == "state" { n += $4 } END { print n }' "$dir/figures")
	echo "$events events, $1 CPUs, $(($(wc -c <"$file") / 1000000)) MB, version 6, $periods idle periods"
	cat_s=$(cpu "$rounds" cat "$file")
	default=$(cpu "$rounds" "$reidle" report "$file")
	light=$(cpu "$rounds" "$reidle" report --light "$file")
	full=$(cpu 1 "$reidle" report --full "$file")
	line cat "$cat_s" "$events"
	line "reidle report" "$default" "$events"
	line "reidle report --light (idle periods)" "$light" "$events"
	line "reidle report --full (all analyses)" "$full" "$events"
	iterate=- percpu=- report=-
	if [ -n "$walk" ]; then
		iterate=$(cpu "$rounds" "$walk" "$file")
		percpu=$(cpu "$rounds" "$walk" "$file" percpu)
		line "libtracecmd, in order of time" "$iterate" "$events"
		line "libtracecmd, CPU after CPU" "$percpu" "$events"
	fi
	if command -v trace-cmd >/dev/null; then
		report=$(cpu 1 trace-cmd report "$file")
		line "trace-cmd report" "$report" "$events"
	fi
	against report "$default"
	against light "$light"
	against full "$full"
	against libtracecmd "$iterate"
	against "trace-cmd report" "$report"
	bars report "$default" "$2"
	[ "$2" = "$3" ] || bar "libtracecmd / report (latencies across CPUs)" "$iterate" "$default" at-least "$3"
	bars light "$light" "$2"
	bar "trace-cmd report / full" "$report" "$full" at-least 1
	memory report "$periods"
	memory light "$periods" --light
	base=$default
}

compare 8 4 4
base8=$base light8=$light
"$tools/gen_dat" "$dir/b.dat" "$events" 8 version=7 codec=zstd >/dev/null
zstd=$(cpu "$rounds" "$reidle" report "$dir/b.dat")
zstd_light=$(cpu "$rounds" "$reidle" report --light "$dir/b.dat")
echo "the same as version 7, zstd ($(($(wc -c <"$dir/b.dat") / 1000000)) MB)"
line "reidle report" "$zstd" "$events"
line "reidle report --light" "$zstd_light" "$events"
bar "zstd / version 6" "$zstd" "$base8" at-most 6
bar "zstd / version 6 (light)" "$zstd_light" "$light8" at-most 6
rm -f "$dir/b.dat"
compare 256 15 6
bar "256 CPUs / 8 CPUs" "$base" "$base8" at-most 1.5
rm -f "$dir"/*.dat

echo "growth: reidle report, 8 CPUs (below 128 MiB of records every event is analysed)"
for n in $((events / 10)) "$events" "$big"; do
	"$tools/gen_dat" "$dir/c.dat" "$n" 8 >/dev/null
	one=$(cpu "$rounds" "$reidle" report "$dir/c.dat")
	line "$n events" "$one" "$n"
	[ "$n" = "$events" ] && middle=$one
	rm -f "$dir/c.dat"
done
bar "cost per event: $big / $events" "$(awk -v a="$one" -v n="$big" 'BEGIN { print a / n }')" \
	"$(awk -v a="$middle" -v n="$events" 'BEGIN { print a / n }')" at-most 1.3
exit $missed
