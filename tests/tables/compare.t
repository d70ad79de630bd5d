#!/bin/sh
# reidle compare: recordings and dumps beside each other, two sets with a test, matching by name.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
comments() { sed 's/^/# /' "$tmp/out"; }
skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP no \$REIDLE_SHARED/traces"
}

# shares per state and cluster of one machine under three kernels, made again with awk from the dumps
by_hand() { # by_hand DUMP: "cluster state share", clusters by the name of state 1
	awk -F: '
		/\/cpuidle\/state[0-9]\/(time|name|residency):/ {
			split($1, p, "/")
			for (i in p) {
				if (p[i] ~ /^cpu[0-9]+$/) cpu = p[i]
				if (p[i] ~ /^state[0-9]$/) state = p[i]
			}
			kind = p[length(p)]
			if (kind == "time") time[cpu, state] = $2
			if (kind == "name") name[cpu, state] = $2
			if (kind == "residency") residency[cpu, state] = $2
			cpus[cpu] = 1
		}
		END {
			for (c in cpus)
				for (s = 0; s < 10; s++) {
					k = c SUBSEP "state" s
					if (!(k in name) || residency[k] == 4294967295) continue
					cluster = name[c, "state1"]
					sum[cluster " " name[k]] += time[k]
					all[cluster] += time[k]
				}
			for (k in sum) { split(k, a, " "); printf "%s %.2f\n", a[2], 100 * sum[k] / all[a[1]] }
		}' "$1" | sort
}
if [ -d "$REIDLE_SHARED/traces" ]; then
	p=$REIDLE_SHARED/traces/public
	$reidle compare "$p/teo-reg-6.6.sysfs.txt" "$p/teo-reg-6.12.sysfs.txt" "$p/teo-reg-mainline.sysfs.txt" \
		--format csv >"$tmp/csv" 2>"$tmp/out"
	ok $? "dumps of three kernels"
	column=3
	for kernel in 6.6 6.12 mainline; do
		by_hand "$p/teo-reg-$kernel.sysfs.txt" >"$tmp/want"
		sed -n '/Share of idle time/,/Share of idle periods/p' "$tmp/csv" |
			awk -F, -v c=$column '$1 ~ /^[0-9]$/ { printf "%s %.2f\n", $2, 100 * $c }' | sort >"$tmp/got"
		diff "$tmp/want" "$tmp/got" >"$tmp/out" && [ "$(wc -l <"$tmp/got")" = 9 ]
		rc=$?
		[ $rc = 0 ] || comments
		ok $rc "$kernel: nine shares of idle time as awk has them"
		column=$((column + 1))
	done
	$reidle compare "$p/teo-reg-mainline-tick-wakeups.dat" "$p/teo-reg-mainline-tick-wakeups.sysfs-before.txt" \
		--quiet >"$tmp/text"
	grep -q '^windows .*spans 30.002 s' "$tmp/text" && grep -q 'at least 32.054 s' "$tmp/text"
	ok $? "trace and dump of one session: the difference of the windows is named"
	g=$REIDLE_SHARED/traces/guest
	$reidle compare "$g/p9-61-w50.dat" "$g/p9-61-w100.dat" --vs "$g/p9-61-sweep.dat" "$g/p9-61-truth.dat" \
		--format json --quiet >"$tmp/json"
	perl -MJSON::PP -0777 -ne '
		my $d = decode_json($_);
		my $tested = 0;
		for my $r (@{$d->{rows}}) {
			my $w = $r->{welch};
			next unless defined $w->{p};
			$tested++;
			die "mean\n" if abs($r->{sets}[1]{mean} - $r->{sets}[0]{mean} - $w->{diff}) > 1e-6 * (1 + abs $w->{diff});
			die "interval\n" unless $w->{ci95}[0] <= $w->{diff} && $w->{diff} <= $w->{ci95}[1];
			die "significance\n" if ($w->{p} < 0.05) != !!$w->{significant};
			die "zero outside the interval\n"
				if $w->{significant} && $w->{ci95}[0] < -1e-12 && $w->{ci95}[1] > 1e-12;
		}
		exit !($tested > 10 && $d->{schema} eq "reidle.compare/1");' "$tmp/json" 2>"$tmp/out"
	rc=$?
	[ $rc = 0 ] || comments
	ok $rc "two sets: differences, intervals and significance agree with each other"
else
	skip "dumps of three kernels"
	skip "trace and dump of one session"
	skip "two sets"
fi

$reidle compare samples/p9-61-w100.dat --vs samples/p9-61-truth.dat >"$tmp/text"
grep -q 'nothing is claimed' "$tmp/text" && ! grep -q 'p < 0.05' "$tmp/text"
ok $? "one recording a side: no claim"
$reidle compare samples/p9-61-w100.dat samples/skl-612-pp.dat >"$tmp/text"
grep -q 'Not in every input' "$tmp/text" && grep -q 'p9-61-w100.dat *snooze' "$tmp/text" &&
	grep -q 'C10' "$tmp/text"
ok $? "states that do not match by name are shown apart"
awk 'length > 78 { print; bad = 1 } /\t/ { bad = 1 } END { exit bad }' "$tmp/text" >"$tmp/out"
rc=$?
[ $rc = 0 ] || comments
ok $rc "78 columns, no tabs"
$reidle compare samples/p9-61-w100.dat samples/p9-61-truth.dat --by wake | grep -q '^timer '
ok $? "--by wake"
$reidle compare samples/p9-61-w100.dat samples/skl-612-pp.dat --style mmtests >/dev/null 2>"$tmp/out"
[ $? = 2 ]
ok $? "a style of other states: 2"
$reidle compare samples/p9-61-w100.dat >/dev/null 2>"$tmp/out"
[ $? = 2 ]
ok $? "one input: 2"
before=samples/p9-61-w100.sysfs-before.txt
$reidle compare $before..samples/p9-61-w100.sysfs-after.txt samples/p9-61-w100.dat --style cluster >"$tmp/text"
grep -q TOTAL "$tmp/text"
ok $? "BEFORE..AFTER is one input"
echo "1..$n"
