#!/bin/sh
# doc/tables.sh >doc/tables.md: makes the page again with the program that is built, from samples/.
set -eu
cd "$(dirname "$0")/../samples"
reidle=../${BUILD:-build}/reidle
run() { # run ARGUMENTS...: the command, and its tables without the head
	printf '```\n$ reidle %s\n' "$*"
	"$reidle" "$@" 2>/dev/null | sed '1,/^legend/d' | sed '1{/^$/d}' | sed '${/^$/d}'
	printf '```\n\n'
}
head_of() {
	printf '```\n$ reidle %s\n' "$*"
	"$reidle" "$@" 2>/dev/null | sed '/^legend/q'
	printf '```\n\n'
}

cat <<'TEXT'
# Tables

Every table is fit for a mail: ASCII, spaces, at most 78 columns (wider ones are folded into blocks that repeat the key
columns), units under the heads, a legend for every derived column, `n` where it is not obvious, `?` on figures that
rest on fewer than 30 values. `--format md` and `csv` have the same columns; CSV has raw units (ns) in full precision and
its comments start with `#`. `--format json` is doc/json.md. `-o FILE` appears whole or not at all.

Before anything is printed, what must hold is checked: above + below <= usage, time <= watched time. A violation is an
internal error (exit 4), never a printed row.

## The head

TEXT
head_of whatif p9-61-truth.dat -g menu@6.1:poll_override=off,oracle
cat <<'TEXT'
`fidelity`: the model of the recorded governor, fed with the recorded outcomes, against the recorded choices.
`self check`: the same model replayed freely, against the recording; a difference between runs that is smaller is no
finding. Recordings made in emulators are named so; figures of agreement have so far been measured on emulated machines
only.

## Styles

`--style NAME` for report, whatif and compare; `--style NAME:N` takes run N as the reference of changes. Examples are of
samples/p9-61-w100.dat, a task woken every 100 us on an (emulated) POWER9.

TEXT
g=menu@6.1:poll_override=off,oracle
style() { # style NAME TEXT
	printf '### %s\n\n%s\n\n' "$1" "$2"
	run whatif p9-61-w100.dat -g $g --style "$1"
}
style default 'One row per state; with several runs, run by run.'
style metric 'One box per run, one column per state.'
style columns 'One column per run, changes last.'
style sweep 'One row per group, for example `--by period`: stretches in which a CPU was woken at one pace.'
style reference 'One row per run against a named reference; average, highest and lowest CPU.'
style misses 'One block per run that ends with the misses.'
style rows 'One row per run, for collecting many.'
style cluster 'Clusters (CPUs with the same state table), states and a total; from dumps as well.'
style mmtests 'Means per run and the gain against the reference; over sets of recordings with the spread and Welch test.'
cat <<'TEXT'
## Comparing recordings

`reidle compare A... [--vs B...]` takes recordings and sysfs dumps. A dump NAME-before.txt stands for the pair with
NAME-after.txt, `BEFORE..AFTER` names a pair, a single dump counts since boot. States are matched by name; what is not in
every input is shown apart. Without `--vs` each input is a column; with it there are two sets, one value per recording
and measure, and Welch's t-test with a 95 % confidence interval. With one recording on a side nothing is claimed.

TEXT
run compare p9-61-w100.dat p9-61-truth.dat
cat <<'TEXT'
Counters of a dump have no clock: shares are of the idle time then, and a recording beside its dumps says by how much
their windows differ.

TEXT
head_of compare p9-61-w100.dat p9-61-w100.sysfs-before.txt
cat <<'TEXT'
## Several tables in one what-if

Among a governor's parameters may stand edits of the state table for this run only: `STATE.latency=US`,
`STATE.residency=US`, `STATE.polling=on|off`, `disable=S+S`, `enable=S+S`:

TEXT
run whatif p9-61-w100.dat --cpus 1 --style misses -g menu@6.1:1.latency=12:1.residency=120,menu@7.2:1.latency=12:1.residency=120
cat <<'TEXT'
## Failing a build

`--fail-if EXPR` exits 1 when the expression holds in any row, and says in which (not with `--quiet`). Fields: `run`
(0 is the recording), `label`, `group`, `state` (a name, or `total`), the measures `usage usage% rate time time% idle%
above above% below below% miss miss% above_recorded below_recorded avg p50 p99 wavg wp99`, and each with `_change`
behind it: its change against run 0 in percent. Times need a unit.

```
reidle whatif w.dat -g ./teo.c --quiet --fail-if 'run == 1 && state == total && above_change > 5%'
reidle report w.dat --fail-if 'state == total && wp99 > 80us'
```
TEXT
