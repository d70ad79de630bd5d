#!/bin/sh
# doc/posted.sh RECORDINGS >doc/posted.md: makes the page again with the program that is built.
# RECORDINGS is a folder with p9-61-sweep.dat and p9-61-w100.dat (see samples/README.md).
set -eu
cd "$(dirname "$0")/.."
reidle=$(pwd)/${BUILD:-build}/reidle
run() { # run FILE ARGUMENTS...: FILE.dat of RECORDINGS or samples, the tables without their head
	command=$1 file=$2
	shift 2
	dir=$1
	shift
	shown=
	for a; do
		case $a in
		*\ *) shown="$shown '$a'" ;;
		*) shown="$shown $a" ;;
		esac
	done
	printf '```\n$ reidle %s %s%s\n' "$command" "$file" "$shown"
	(cd "$dir" && "$reidle" "$command" "$file" "$@") | sed '1,/^legend/d' | sed '1{/^$/d}' | sed '${/^$/d}'
	printf '```\n'
}

cat <<'TEXT'
# Posted figures, replayed

Four measurements from the mailing lists for which people booted several kernels, beside what one recording says. The
recordings are of **emulated** machines (samples/README.md): *which state is asked for* is the kernel's own decision,
*times* are those of a slow machine without hardware exit latencies. A replay holds the wake-ups where they were: it
shows what the governors choose and what that costs in exit latency; it does not show throughput, nor how work that
ends earlier moves the next wake-up.

## CEDE0 latency on POWER9: 1 us from firmware, or 10 us hard-coded (2021)

Posted (linuxppc-dev, "cpuidle/pseries: cleanup of the CEDE0 latency fixup code", v5), wake-up latency and residency:

```
 period us   before us   after us (change %)   before (snooze, CEDE)   after (snooze, CEDE)
        20       8.672      8.256     -4.80      (43.44,  0.00)          (50.90,  0.00)
        50      15.552      8.257    -46.91      ( 0.03, 76.07)          (76.85,  0.00)
        80      15.603      8.803    -43.58      ( 0.07, 84.14)          (84.85,  0.00)
       100      15.617      8.328    -46.67      ( 0.03, 87.18)          (87.61,  0.02)
       120      15.612     14.505     -7.09      ( 0.02, 89.21)          (14.71, 74.40)
       500      15.957     15.723     -1.47      ( 0.00, 97.27)          ( 3.70, 93.53)
      1000      16.526     16.502     -0.15      ( 0.00, 98.57)          ( 0.17, 98.40)
```

From one recording that steps through wake-up periods, under the menu of that time; run 1 is "before", run 2 "after":

TEXT
run whatif p9-61-sweep.dat "$1" --by period --style sweep:1 \
	-g menu@5.10:snooze.polling=off:1.latency=1:1.residency=10,menu@5.10:snooze.polling=off
cat <<'TEXT'

The replay shows the same step: below a period of about 110 us the 100 us residency keeps the CPU in snooze, above it
in CEDE. It cannot show the sibling thread's throughput (mops), and its latencies are the recording's wake-up delays
plus the table's 1 or 10 us: there is no POWER9 hardware behind them.

## menu's preference of a physical over the polling state on POWER10 (2024)

Posted (linux-pm 2024-08-09), sums over the woken CPUs, 20 us wake-ups for 60 s:

```
                                          base 6.10                     patched
                                    snooze         CEDE           snooze          CEDE
Usage                                47815      2030160          1853343             6
Above                                    0      2030043                0             6
Below                                    0            0                2             0
Time Spent (us)             976317 (1.63%)  51046474 (85.08%)  51055087 (85.09%)  356 (0.00%)
Overall average sleep duration      28.721 us                     32.268 us
Overall average wakeup latency       6.858 us                      4.382 us
```

The recording p9-61-w100 (one task woken every 100 us), on a table with POWER10's 12/120 us:

TEXT
run whatif p9-61-w100.dat samples --cpus 1 --style metric \
	-g menu@6.10:1.latency=12:1.residency=120,menu@6.10:1.latency=12:1.residency=120:poll_override=off
cat <<'TEXT'

All but a few of CEDE's uses are above, and switching the preference off moves them to snooze: the posted finding. The
share of time and the counts depend on the load; the gain in wake-up latency is the table's 12 us, not a measurement.
TEXT
cat <<'TEXT'

The two questions side by side, over the lengths of the idle stretches of the woken CPU (p9-61-sweep): share of the idle
time in snooze and CEDE, and how many of CEDE's uses are above. `build/tools/by_length` takes the options of
`reidle whatif`; tests/free/power.t holds what the postings found to these figures.

TEXT
by_length() { # by_length WHAT OPTIONS...: one row, the groups of idle length as columns
	what=$1
	shift
	"${BUILD:-build}"/tools/by_length "$RECORDINGS"/p9-61-sweep.dat --cpus 1 "$@" | tail -9 | head -8 |
		awk -F '\t' -v what="$what" '
			{ cell[NR] = sprintf("%.0f/%.0f", $5, $8); uses += $9; above += $10 }
			END {
				printf "%-31s", what
				for (i = 1; i <= NR; i++)
					printf " %7s", cell[i]
				printf " %6.1f\n", uses ? 100 * above / uses : 0
			}'
}
RECORDINGS=$1
printf '```\n%-31s %7s %7s %7s %7s %7s %7s %7s %7s %6s\n' "idle length, us" "<20" 20-50 50-80 80-100 100-120 \
	120-200 200-500 "500+" "above%"
by_length "recorded (6.1, CEDE 10/100)" -g recorded
by_length "2021: 5.13, off, 1/10" -g menu@5.13 --set snooze.polling=off --set 1.latency=1 --set 1.residency=10
by_length "2021: 5.13, off, 10/100" -g menu@5.13 --set snooze.polling=off
by_length "2024: 6.10, on, 12/120" -g menu@6.10 --set 1.latency=12 --set 1.residency=120
by_length "2024: the preference off" -g menu@6.10:poll_override=off --set 1.latency=12 --set 1.residency=120
by_length "2024: polling flag off" -g menu@6.10 --set snooze.polling=off --set 1.latency=12 --set 1.residency=120
by_length "since 7.2, on, 12/120" -g menu@7.2 --set 1.latency=12 --set 1.residency=120
printf '```\non, off: the polling flag of snooze as the governor sees it.\n'
cat <<'TEXT'

## menu, teo, teo that does not check timers every time, ladder (2023)

Posted (linux-pm 2023-08-08, i5-10600K, 6.5-rc4): us per loop of token passing, lower is better, reference menu:

```
test              menu       teo              rjw              ladder
2x2 pairs, fast    2.97845    2.9917  +0.44%   3.0723  +3.15%   4.077375 +36.90%
2x2 pairs, medium 11.41905   11.36765 -0.45%  11.3406  -0.69%  11.9535    +4.68%
2x2 pairs, slow   2585.00    2566.34  -0.72%  2591.70  +0.26%  2635.36    +1.95%
```

Token rings over two and four CPUs (samples/skl-612-pp.dat), the same governors; reference is menu, run 1:

TEXT
run whatif skl-612-pp.dat samples --style reference:1 -g menu@6.5,teo@6.5,teo@6.6,ladder@6.5
cat <<'TEXT'

What a replay can compare is the choices: here teo misses a third as often as menu, and ladder nearly always. It cannot
give the loop time: there a late wake-up delays the next one, and this replay holds the wake-ups.

## Which states _CST switches off on Haswell-EP (2020)

Posted (linux-pm 2020-10-08), netperf UDP, Hmean MB/s (gain against 5.9.0-rc8-vanilla, made here from the posted values):

```
                   5.9.0-rc8-vanilla      disable-acpi           enable-c6
                     C3, C6 off         all states on          C3 off
Hmean send-64      199.84 (   0.00%)  235.09 (  17.64%)  234.79 (  17.49%)
Hmean send-1024   3017.06 (   0.00%) 3509.84 (  16.33%) 3532.85 (  17.10%)
Hmean send-16384 26643.69 (   0.00%) 30891.89 (  15.94%) 30701.46 (  15.23%)
```

The token rings on the Haswell table with the same sets of states; reference is run 1, C3 and C6 off:

TEXT
run whatif skl-612-pp.dat samples -t hsx --style mmtests:1 -g menu@5.9:disable=C3+C6,menu@5.9,menu@5.9:disable=C3
cat <<'TEXT'

A replay shows what the sets do to the choices and to wake-up latency by the table (C6's 133 us are paid at each wake-up
from it). Throughput is not in it, and why it rose with more states on, idle events cannot tell. Run 0 is the Skylake
recording on its own table.
TEXT
