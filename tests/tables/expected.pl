#!/usr/bin/perl
# expected.pl EXPECTED.tsv < report.json: does run 0 have the counts and times of the independent script.
# Prints each difference; exit 1 when there is one.
use strict;
use warnings;
use JSON::PP;

my %want;
open(my $f, '<', $ARGV[0]) or die "$ARGV[0]: $!\n";
while (<$f>) {
	chomp;
	next if /^#|^cpu\t/;
	my ($cpu, $kind, $state, $count, $time) = split /\t/;
	$want{$cpu}{$kind eq 'state' ? "state $state" : $kind} = [$count, $time];
}
local $/;
my $doc = decode_json(<STDIN>);
my $bad = 0;
my $cells = 0;

sub same {
	my ($what, $got, $want) = @_;
	$got = 'null' unless defined $got;
	$cells++;
	return if $got eq $want;
	print "$what: $got, expected $want\n";
	$bad = 1;
}

die "schema\n" unless $doc->{schema} eq 'reidle.report/1';
for my $c (@{$doc->{runs}[0]{cpus}}) {
	my $w = delete $want{$c->{cpu}} // {};
	for my $s (@{$c->{states}}) {
		my $e = delete $w->{"state $s->{index}"} // [0, 0];
		same("cpu $c->{cpu} state $s->{index} usage", $s->{usage}, $e->[0]);
		same("cpu $c->{cpu} state $s->{index} time_ns", $s->{time_ns}, $e->[1]);
	}
	my $orphan = delete $w->{orphan_exit} // [0];
	my $tail = delete $w->{open_tail};
	my $re = delete $w->{reenter} // [0];
	same("cpu $c->{cpu} orphan_exits", $c->{orphan_exits}, $orphan->[0]);
	same("cpu $c->{cpu} reenters", $c->{reenters}, $re->[0]);
	same("cpu $c->{cpu} open_tail_ns", $c->{open_tail_ns}, $tail ? $tail->[1] : 'null');
	same("cpu $c->{cpu} rows left over", join(' ', keys %$w), '');
}
same('CPUs left over', join(' ', keys %want), '');
print "$cells values compared\n" unless $bad;
exit($bad || $cells < 8);
