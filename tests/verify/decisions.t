#!/usr/bin/perl
# The rows of `reidle decisions` against what report and verify say in total, and options on them.
use strict;
use warnings;
use JSON::PP;

my $reidle = ( $ENV{BUILD} // 'build' ) . '/reidle';
my $file   = 'samples/p9-61-truth.dat';
my $n      = 0;

sub ok {
    my ( $good, $what ) = @_;
    $n++;
    print( ( $good ? '' : 'not ' ) . "ok $n - $what\n" );
}

sub rows {
    my @lines = split /\n/, qx($reidle decisions --format csv @_ $file);
    my @keys = split /,/, shift @lines;
    return map { my %r; @r{@keys} = split /,/, $_, -1; \%r } @lines;
}

sub json {
    my ($command) = @_;
    return decode_json( scalar qx($reidle $command --format json $file) );
}

my $verify = json('verify');
my $report = json('report');
my @all    = rows( '-g', 'menu@6.1' );
ok( @all == $verify->{decisions}, scalar(@all) . ' rows, one per decision' );

my ( %usage, %time );
for my $r ( grep { $_->{length_ns} ne '' } @all ) {
    $usage{ $r->{state} }++;
    $time{ $r->{state} } += $r->{length_ns};
}
my $cut = grep { defined $_->{open_tail_ns} && $_->{open_tail_ns} } @{ $report->{runs}[0]{cpus} };
for my $s ( @{ $report->{runs}[0]{total}{states} } ) {
    ok( $usage{ $s->{name} } == $s->{usage} && $time{ $s->{name} } == $s->{time_ns},
        "$s->{name}: as many rows as the report counts, and as long" );
}
my $without = grep { $_->{length_ns} eq '' } @all;
ok( $without == $cut + ( grep { $_->{state} eq '' } @all ), 'aborted and open ones have no length' );
ok( ( grep { $_->{state} eq '' } @all ) > 5000, 'there are aborted ones' );

# the replayed column is the one that verify counts
my $rows = decode_json( scalar qx($reidle decisions -g menu\@6.1 --format json $file));
my %seen;
my $agree = 0;
my %index;
for my $t ( @{ $rows->{machine}{tables} } ) { $index{ $_->{name} } = $_->{index} for @{ $t->{states} } }
for my $d ( @{ $rows->{decisions} } ) {
    next if $seen{ $d->{cpu} }++ < 40;
    next if $d->{undetermined};
    $agree++ if $index{ $d->{replayed} } == $d->{chosen};
}
ok( $agree == $verify->{agree}, "$agree rows agree, as verify says" );

my @believed = grep { $_->{believed} ne '' } @all;
# where the timer or the limit alone decides, menu predicts nothing
ok( @believed > 0.7 * @all, scalar(@believed) . ' rows say what menu believed' );
ok( !( grep { $_->{believed} !~ /^[0-9.]+ \w+/ } @believed ), 'each a length' );

my @costs = map { $_->{cost_ns} } grep { $_->{cost_ns} ne '' } rows( '--sort', 'cost' );
ok( !( grep { $costs[$_] > $costs[ $_ - 1 ] } 1 .. $#costs ), '--sort cost: the dearest first' );
my @above = rows( '--filter', q('verdict == above && cpu == 1') );
ok( @above && !( grep { $_->{verdict} ne 'above' || $_->{cpu} != 1 } @above ), '--filter leaves ' . @above . ' rows' );
my @window = rows( '--from', '1s', '--to', '1.5s', '--cpus', '2' );
ok( @window && !( grep { $_->{time_ns} < 1e9 || $_->{time_ns} >= 1.5e9 || $_->{cpu} != 2 } @window ), 'a window of one CPU' );
ok( qx($reidle decisions --sort nonsense $file 2>&1) =~ /^reidle: --sort nonsense: .*cost/, 'an unknown order is named' );
ok( qx($reidle decisions -j1 $file) eq qx($reidle decisions -j2 $file) =~ s/-j2/-j1/r, 'the same with one thread and with two' );
print "1..$n\n";
