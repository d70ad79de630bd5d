#!/bin/sh
# The timeline: sums of window and markers are those of `reidle report`; what woke a CPU is pointed at, also
# from outside of the view; what was due is marked at close zoom; small screens keep what matters most.
. tests/script/lib.sh
sample=samples/skl-612-pp.dat

# sums CPU FROM TO: idle periods, above, below by the command line
sums()
{
	"$BUILD/reidle" report --format json --cpus "$1" ${2:+--from "$2" --to "$3"} $sample | CPU=$1 perl -MJSON::PP -0777 -ne '
		my ($u, $a, $b) = (0, 0, 0);
		for (map { @{$_->{states}} } grep { $_->{cpu} == $ENV{CPU} } @{decode_json($_)->{runs}[0]{cpus}}) { $u += $_->{usage}; $a += $_->{above}; $b += $_->{below} }
		print "$u $a $b\n"'
}

drive 200x60 $sample <<'STEPS'
:screen @DIR@/whole
:goto cpu 1 1.0
a
:goto 1.5
b
:screen @DIR@/marks
STEPS
runs "the session runs"
for cpu in 0 1 2 3; do
	want=$(sums $cpu)
	got=$(sed -n "s/^ cpu$cpu  *[0-9.]* \(.*\)/\1/p" "$dir/whole" | sed 's/\([0-9]\) \([0-9]\{3\}\) /\1\2 /g' | tail -1 |
		awk '{ print $1, $2, $3 }')
	[ "$got" = "$want" ] && ok "cpu$cpu: wakes, above, below of the window are the report's: $got" ||
		not_ok "cpu$cpu: window says $got, report $want" "$dir/whole"
done
from=$(sed -n 's/^ a \([0-9]\)\.\([0-9]*\) \([0-9]*\) .*/\1.\2\3/p' "$dir/marks")
to=$(sed -n 's/^ a .*  b \([0-9]\)\.\([0-9]*\) \([0-9]*\) .*/\1.\2\3/p' "$dir/marks")
want=$(sums 1 "$from" "$to" | sed 's/\([0-9]*\) \([0-9]*\) \([0-9]*\)/\1 wakes above \2 below \3/')
has "between the markers $from and $to: $want" marks "b-a [0-9.]+ ms +cpu1 idle [0-9.]+% $want "
has "and of all cpus" marks "all cpus idle [0-9.]+% [0-9]+ wakes above [0-9]+ below [0-9]+"

for size in 100x30 60x15 80x12 40x8; do
	drive $size $sample <<'STEPS'
:goto cpu 0 0.0502
n
f
f
:screen @DIR@/close
STEPS
	runs "$size: one wake-up close by"
	has "$size: an arrow points at who was woken" close '▲'
	fits "$size: it fits" close "${size%x*}"
done
has "40x8: a waker out of view is named" close '▲cpu3'
has "40x8: what was chosen, for how long" close '^ cpu0 8 C10 430\.5 us'
has "40x8: the verdict, by how much, what would have been ideal" close '^ ABOVE 4\.57 ms short  ideal 4 C6'
has "40x8: the most useful keys" close 'nN miss  Enter why .*\? help$'

drive 100x30 $sample <<'STEPS'
:goto cpu 0 0.0502
n
f
f
:screen @DIR@/due
STEPS
has "the tick that was due, and the one that woke" due '^ +woke .*Kk'
has "a timer that was due" due '^ +woke .*T[kt ]'
drive 100x16 $sample <<'STEPS'
:goto cpu 0 0.0502
n
f
f
:lanes one
:screen @DIR@/one
STEPS
has "one row a cpu: the arrow still ends at the lane" one '^ cpu1 .*▲'

# on the kernel's own tick the marks must lie where a tick did wake a cpu, within two columns
awk 'sub(/woke/, "    ") { n = split($0, c, ""); for (i = 1; i <= n; i++) if (c[i] == "k") { seen++
	for (d = -2; d <= 0; d++) if (c[i + d] == "K" || c[i + d] == "T") { hit++; break } } }
	END { exit !(seen && hit == seen) }' "$dir/due" && ok "each tick that woke was due" ||
	not_ok "a tick woke that was not marked as due" "$dir/due"
finish
