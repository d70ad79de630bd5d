#!/usr/bin/perl
# tables.pl FACTS TABLE.tsv...: every row of the facts, platform by platform, against our tables. Prints "ok" or
# "miss" and what: a platform's states must be one table of ours, all of them, in order (states.tsv), or be in a
# table that names the same source (arm.tsv), or be named among what was left out, with a reason.
use strict;
use warnings;

my ($facts, @files) = @ARGV;
my (@table, @omit);

sub rows {
	my ($file) = @_;
	open my $in, '<', $file or die "$file: $!";
	return map { chomp; [split /\t/, $_, -1] } grep { !/^#/ && /\S/ } <$in>;
}

sub result {
	my ($holds, $what) = @_;
	print $holds ? "ok $what\n" : "miss $what\n";
}

sub left_out {
	my ($id) = @_;
	return grep { ($_->[1] eq $id || index($_->[2], $id) >= 0) && length $_->[3] > 10 } @omit;
}

for my $f (map { rows($_) } @files) {
	push @table, {id => $f->[1], source => '', state => []} if $f->[0] eq 'table';
	$table[-1]{source} = $f->[1] if $f->[0] eq 'source';
	push @{$table[-1]{state}}, "$f->[2] $f->[3]/$f->[4]" if $f->[0] eq 'state';
	push @omit, $f if $f->[0] eq 'omit';
}

# what the facts call a platform of which nothing can be used, and what our lists call it
my %listed = ('idle_cpu_tmt: no table, C1_ACPI.. from _CST' => 'tmt',
	'skiboot POWER9 (not usable by cpuidle)' => 'powernv-p9', 'cpuidle-cps' => 'mips-cps');
my (%states, @platform);
my (undef, @rows) = rows("$facts/states.tsv");
for my $f (@rows) {
	$f->[7] =~ s/ .*//;
	push @platform, $f->[1] if !$states{$f->[1]};
	# a state without an index is not registered: unusable C1 of Alder Lake, stop8 of POWER9
	push @{$states{$f->[1]}}, $f->[3] eq '-' ? () : "$f->[4] $f->[6]/$f->[7]";
}
for my $p (@platform) {
	my $want = join ', ', @{$states{$p}};
	my @same = grep { $want && join(', ', @{$_->{state}}) eq $want } @table;
	result(@same || ($listed{$p} && left_out($listed{$p})),
		"$p: " . (@same ? join ' ', map { $_->{id} } @same : 'left out'));
}

(undef, @rows) = rows("$facts/arm.tsv");
for my $f (@rows) {
	my ($source) = $f->[15] =~ m{(\S+/\S+)};
	my $state = "$f->[3] $f->[11]/$f->[12]";
	my @in = grep { index($_->{source}, $source) >= 0 && grep { $_ eq $state } @{$_->{state}} } @table;
	my $out = left_out($f->[5] eq 'domain' ? "$f->[3] of $f->[0]" : $f->[0]);
	result($f->[5] eq 'cpu' ? @in || $out : $out, "$f->[0] $f->[5] $state");
}
