#!/bin/sh
# Groups of CPUs: by the topology inside the recording, by --topology, and by neighbours where there is none,
# which is said. The shades and shares of a group are those of its own CPUs.
. tests/script/lib.sh

# a recording of 32 CPUs as text: CPUs of an even core idle all the time, the others half of it
make_text()
{
	perl -e 'my $topology = shift;
		sub at { sprintf "%.6f", 10 + shift() / 1e6 }
		sub mark { printf "  reidle-1     [000] ..... %s: tracing_mark_write: reidle1 %s\n", at(0), shift }
		mark("begin when=before"); mark("system release=6.12.0 machine=x86_64 cpus=32 hz=250");
		mark("cpuidle driver=intel_idle governor=menu"); mark("table id=0 cpus=0-31");
		mark("state table=0 index=0 latency_us=0 residency_us=0 name=POLL");
		mark("state table=0 index=1 latency_us=2 residency_us=4 name=C1");
		if ($topology) { mark(sprintf "topology cpu=%d core=%d package=%d", $_, $_ % 16, $_ % 16 / 8) for 0 .. 31 }
		mark("end when=before");
		for (my $t = 100; $t < 20000; $t += 200) {
			my @late;
			for my $c (0 .. 31) {
				printf "  <idle>-0     [%03d] d..1. %s: cpu_idle: state=1 cpu_id=%d\n", $c, at($t), $c;
			}
			for my $c (grep { $_ % 16 % 2 } 0 .. 31) {
				printf "  <idle>-0     [%03d] d..1. %s: cpu_idle: state=4294967295 cpu_id=%d\n", $c, at($t + 100), $c;
			}
			for my $c (grep { !($_ % 16 % 2) } 0 .. 31) {
				printf "  <idle>-0     [%03d] d..1. %s: cpu_idle: state=4294967295 cpu_id=%d\n", $c, at($t + 199), $c;
			}
		}' "$1"
}
make_text 1 >"$dir/known.txt"
make_text 0 >"$dir/unknown.txt"

drive 100x30 "$dir/known.txt" <<'STEPS'
:lanes groups
:screen @DIR@/known
:by core
:screen @DIR@/core
j
:screen @DIR@/next
:by package
:screen @DIR@/package
d
:screen @DIR@/neighbours
:lanes all
d
:screen @DIR@/again
STEPS
runs "a recording that knows its machine"
has "the level in use is named" known '^ by core'
has "a group is one core: its cpus are not neighbours" core '^ core 0, cpus 0,16: '
has "its idle share: always" core '^>core 0  9[89]%'
has "that of the next core: half" core '^ core 1  (49|50)%'
has "down goes to the next group" next '^>core 1 '
has "and opens it" next '^ core 1, cpus 1,17: '
has "another level by command" package '^ pkg 1   7[345]%'
has "with all its cpus" package 'cpus (8-15,24-31|0-7,16-23): '
has "d goes on to the neighbours" neighbours '^ by neighbours'
hasnt "which are not for want of a topology" neighbours 'no topology'
has "d opens the groups as they were" again '^ by neighbours'

drive 100x30 "$dir/unknown.txt" <<'STEPS'
:lanes groups
:screen @DIR@/unknown
STEPS
runs "a recording that does not"
has "groups are neighbours, and it says so" unknown '^ by neighbours: no topology \(--topology\)'
has "four cpus each" unknown '^>0-3 +7[345]%'
printf ':by core\n' >"$dir/steps"
"$BUILD/reidle" --headless --no-config --size 80x24 --script "$dir/steps" "$dir/unknown.txt" 2>"$dir/err"
has "asking for cores says what is missing" err 'no topology in the recording; --topology gives one'

{
	echo '# CPU,Core,Socket,Node,,L1d,L1i,L2,L3'
	for c in $(seq 0 31); do echo "$c,$((c % 16)),$((c % 16 / 8)),0,,$((c % 16)),$((c % 16)),$((c % 16)),$((c % 16 / 4))"; done
} >"$dir/lscpu"
drive 80x24 "$dir/unknown.txt" --topology "$dir/lscpu" --by l3 <<'STEPS'
:lanes groups
:screen @DIR@/l3
:by socket
:screen @DIR@/socket
STEPS
runs "lscpu's output as --topology"
has "--by chooses the level" l3 '^ l3 3 +7[345]%'
has "the cache's cpus" l3 '^ l3 0, cpus 0-3,16-19'
has "socket and package are the same" socket '^>pkg 0 '
drive 60x20 "$dir/unknown.txt" --topology core=8,package=16 --ascii <<'STEPS'
:lanes groups
:screen @DIR@/spec
STEPS
runs "a spec as --topology"
has "four cores of eight" spec '^ core 3 '
fits "at 60 columns" spec 60
finish
