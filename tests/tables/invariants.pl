#!/usr/bin/perl
# invariants.pl < whatif.json: what must hold of every run, whatever the governor.
# Prints each violation; exit 1 when there is one.
use strict;
use warnings;
use JSON::PP;

local $/;
my $doc = decode_json(<STDIN>);
my $bad = 0;
my $checked = 0;

sub holds {
	my ($what, $it) = @_;
	$checked++;
	return if $it;
	print "$what\n";
	$bad = 1;
}

my $span = $doc->{recording}{span_ns};
for my $run (@{$doc->{runs}}) {
	my @total;
	for my $c (@{$run->{cpus}}) {
		my $time = 0;
		for my $s (@{$c->{states}}) {
			my $what = "$run->{label} cpu $c->{cpu} state $s->{index}";
			$time += $s->{time_ns};
			$total[$s->{index}]{$_} += $s->{$_} for qw(usage time_ns above below);
			holds("$what: above + below <= usage", $s->{above} + $s->{below} <= $s->{usage});
			next unless $s->{usage};
			holds("$what: p50 <= p99", $s->{p50_ns} <= $s->{p99_ns});
			holds("$what: mean", abs($s->{mean_ns} - $s->{time_ns} / $s->{usage}) <= 1);
		}
		holds("$run->{label} cpu $c->{cpu}: idle no longer than watched", $time <= $span);
	}
	for my $s (@{$run->{total}{states}}) {
		for my $k (qw(usage time_ns above below)) {
			holds("$run->{label}: total $k of state $s->{index}",
				$s->{$k} == ($total[$s->{index}]{$k} // 0));
		}
		if ($run->{label} =~ /^oracle/) {
			holds("oracle: no above", $s->{above} == 0);
		}
	}
	# an interrupt or tick that wakes nobody ends every state but a polling one: no choice is right then
	my $below = 0;
	for my $s (@{$run->{total}{states}}) {
		$below += $s->{below} unless $doc->{machine}{tables}[0]{states}[$s->{index}]{polling};
	}
	holds("oracle: below only where limited, or polling", $below <= $run->{limited})
		if $run->{label} =~ /^oracle/;
	holds("$run->{label}: better + worse <= changed",
		!defined $run->{changed} || $run->{better} + $run->{worse} <= $run->{changed});
}
my $sc = $doc->{self_check};
holds("self check: same sequences $sc->{same_sequences}", $sc->{same_sequences} >= 0.97);
holds("self check: time $sc->{time_error}", $sc->{time_error} <= 0.005);
holds("self check: usage $sc->{usage_error}", $sc->{usage_error} <= 0.01);
print "$checked conditions hold\n" unless $bad;
exit($bad || $checked < 50);
