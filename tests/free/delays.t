#!/bin/sh
# The recorded governor, replayed with the recorded choices, keeps the recorded delays, also where a wake-up
# took less than its state's exit latency in the table. The events of a sample as text serve as a
# recording that does not say that it was made in an emulator, where latencies count.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
$reidle events samples/p9-61-w100.dat >"$tmp/events.txt" 2>/dev/null
$reidle whatif "$tmp/events.txt" --states samples/p9-61-w100.sysfs-before.txt -g menu@6.1 --format json --quiet \
	>"$tmp/json"
says() { # says EXPRESSION WHAT: over run 0 and run 1
	perl -MJSON::PP -0777 -e '
		local $/;
		my $d = decode_json(<STDIN>);
		my ($a, $b) = @{$d->{runs}};
		print "# changed $b->{changed} of $a->{periods}{rec}, paid $b->{latency_paid_ns} of $a->{latency_paid_ns} ns\n";
		exit !eval $ARGV[0];' "$1" <"$tmp/json"
	ok $? "$2"
}
says '!$d->{recording}{emulated}' "the text does not say that it is of an emulated machine"
says '$a->{total}{states}[1]{usage} == 9779' "it holds the same periods"
says '$b->{changed} < 20' "few stretches change"
says 'abs($b->{latency_paid_ns} - $a->{latency_paid_ns}) < 0.01 * $a->{latency_paid_ns}' "the delays stay"
echo "1..$n"
