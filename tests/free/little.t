#!/bin/sh
# Recordings that hold cpu_idle alone: every what-if is run at the bounds of the unknown, intervals are
# printed, and on recordings that are known in full the truth lies inside them.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
tool=${BUILD:-build}/tools/fidelity
shared=${REIDLE_SHARED:-}/traces
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

# inside FILE GOVERNOR: what a replay with all that was recorded gives, per state and figure, lies between
# the least and the most that the idle events alone give
inside() {
	what="${1##*/} $2"
	if [ ! -f "$1" ]; then
		skip "$what: needs the shared recordings"
		return
	fi
	$tool -i "$1" "$2" >"$tmp/out" 2>&1
	awk -F '\t' '
		{ figures++; wide += $5 > $4; used += $3 > 0 }
		$3 < $4 || $3 > $5 { printf "# state %s %s: %s not in %s..%s\n", $1, $2, $3, $4, $5; out++ }
		END {
			printf "# %d of %d figures inside\n", figures - out, figures
			exit out || figures < 8 || figures % 4 || !wide || used < 5
		}' "$tmp/out"
	ok $? "$what: all figures of the full replay lie inside the intervals"
}
guest=$shared/guest
inside samples/p9-61-truth.dat menu@6.1
inside samples/p9-61-truth.dat teo@6.1
inside "$guest/p9-61-w50.dat" menu@6.1
inside "$guest/p9-61-sweep.dat" menu@6.1
inside "$guest/arm-612-truth.dat" menu@6.12
inside "$guest/arm-612-truth.dat" teo@6.12
inside "$guest/skl-612-truth.dat" menu@6.12
inside "$guest/skl-612-truth.dat" teo@6.12
inside "$guest/skl-612hz1000-teo-truth.dat" teo@6.12
inside "$guest/skl-72hz1000-teo-truth.dat" teo@7.2
inside "$guest/skl-72hz1000-teo-truth.dat" menu@7.2

for name in teo-reg-6.12-sleep-length teo-reg-mainline-tick-wakeups; do
	file=$shared/public/$name.dat
	if [ ! -f "$file" ]; then
		skip "$name: needs the shared recordings"
		skip "$name: needs the shared recordings"
		continue
	fi
	$reidle whatif --quiet --format json "$file" -g teo@6.12,menu@6.12 2>/dev/null | perl -MJSON::PP -0777 -ne '
		my $d = decode_json($_);
		my ($bad, $wide) = (0, 0);
		$bad++ if @{$d->{intervals}} != 2 || @{$d->{runs}} != 7;
		for my $g (@{$d->{intervals}}) {
			for my $s (@{$g->{states}}) {
				for my $k (qw(usage time_ns above below)) {
					my ($lo, $hi) = @{$s->{$k}};
					$bad++ if $lo > $hi || $lo < 0;
					$wide++ if $lo < $hi;
				}
			}
		}
		exit($bad || !$wide)'
	ok $? "$name: intervals for each governor, none upside down, some wide"
	$reidle whatif --quiet "$file" -g teo@6.12 >"$tmp/text" 2>/dev/null
	grep -q '^Intervals' "$tmp/text" && grep -q '^bounds' "$tmp/text"
	ok $? "$name: the text says bounds and prints the intervals"
done
$reidle whatif --quiet --format json samples/p9-61-w100.dat -g menu@6.1 2>/dev/null | grep -q '"intervals": null'
ok $? "a recording with timers and switches has no intervals"
echo "1..$n"
