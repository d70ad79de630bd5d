#!/bin/sh
# The lines of `record --print-command` run in a made-up tracefs, as on three architectures: the probes
# they set up, the trace-cmd call they make, the side files they leave.
cd "$(dirname "$0")/../.." || exit 1
reidle=$PWD/${BUILD:-build}/reidle
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
mkdir -p "$tmp/bin" "$tmp/tracing/events"
printf '#!/bin/sh\necho "$MACHINE"\n' >"$tmp/bin/uname"
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >"%s/args"\n' "$tmp" >"$tmp/bin/trace-cmd"
chmod +x "$tmp/bin/uname" "$tmp/bin/trace-cmd"

# play MACHINE ARGS...: run what reidle prints, with the made-up directory for the kernel's
play() {
	MACHINE=$1
	export MACHINE
	shift
	rm -f "$tmp/args"
	"$reidle" record --print-command "$@" | sed "s|/sys/kernel/tracing|$tmp/tracing|" >"$tmp/script"
	(cd "$tmp" && PATH="$tmp/bin:$PATH" sh script) 2>"$tmp/err"
}
has() { grep -qxF -e "$1" "$tmp/tracing/kprobe_events"; }
arg() { grep -qxF -e "$1" "$tmp/args"; }

for m in x86_64:%di:%si aarch64:%x0:%x1 ppc64le:%gpr3:%gpr4; do
	IFS=: read -r machine a b <<-EOF
		$m
	EOF
	: >"$tmp/tracing/kprobe_events"
	play "$machine" -o run.dat
	has "p:kprobes/cpuidle_reflect cpuidle_reflect index=$b:s32 res=+24($a):u64 flags=+0($a):u32"
	ok $? "$machine: the reflect probe reads registers $a and $b"
done
has 'r:kprobes/sleep_length tick_nohz_get_sleep_length ret=$retval:s64 delta=+0($arg1):s64' &&
	has 'r:kprobes/latency_req cpuidle_governor_latency_req ret=$retval:s64' &&
	has 'r:kprobes/got_tick tick_nohz_idle_got_tick ret=$retval:u8' &&
	has 'r:kprobes/cpuidle_select cpuidle_select ret=$retval:s32'
ok $? "the four return probes are set up"
[ "$(grep -c '^-:kprobes/' "$tmp/tracing/kprobe_events")" = 5 ]
ok $? "and all five are removed in the end"
[ "$(head -n 4 "$tmp/args" | tr '\n' ' ')" = "record -i -C mono " ] && arg run.dat &&
	arg power:cpu_idle && arg power:cpu_idle_miss && arg timer:hrtimer_start &&
	arg irq_vectors:local_timer_entry && arg kprobes:cpuidle_select
ok $? "trace-cmd is asked for clock mono, the events and the probes"
[ "$(tail -n 2 "$tmp/args" | tr '\n' ' ')" = "sleep 10 " ]
ok $? "for ten seconds where nothing is said"
[ -e "$tmp/run.sysfs-before.txt" ] && [ -e "$tmp/run.sysfs-after.txt" ]
ok $? "the state tables are kept beside run.dat, under the names that are looked for"

play x86_64 --light --seconds 2.5 -o light.dat
arg power:cpu_idle && ! arg timer:hrtimer_start && ! arg kprobes:got_tick &&
	[ "$(tail -n 1 "$tmp/args")" = 2.5 ]
ok $? "--light asks for idle events only, for the time given"
play x86_64 --full -o "it's here.dat" -- sh -c 'sleep 1; echo "$HOME"'
arg "it's here.dat" && arg rcu:rcu_batch_start && [ "$(tail -n 1 "$tmp/args")" = 'sleep 1; echo "$HOME"' ]
ok $? "names and commands come through the shell unchanged"

ln -sf /dev/full "$tmp/tracing/kprobe_events"
play x86_64 -o run.dat
arg power:cpu_idle
ok $? "a kernel that takes no probe is recorded all the same"
"$reidle" record --light --full 2>"$tmp/err"
[ $? = 2 ] && [ "$(wc -l <"$tmp/err")" = 1 ]
ok $? "--light with --full is a usage error of one line"
echo "1..$n"
