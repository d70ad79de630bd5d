#!/usr/bin/perl
# Replayed choices against recorded ones, on recordings of real kernels (in emulated machines) that hold
# the kernel's own inputs. The bars are what an independent script reached, less a little.
use strict;
use warnings;
use JSON::PP;

my $reidle  = ( $ENV{BUILD} // 'build' ) . '/reidle';
my $traces  = ( $ENV{REIDLE_SHARED} // '' ) . '/traces/guest';
my $n       = 0;
my @recorded = (
    # name, governor, agreement at least, decisions compared at least
    [ 'skl-612-truth',          'menu@6.12',   0.999, 150000 ],
    [ 'p9-61-truth',            'menu@6.1',    0.999, 70000 ],
    [ 'arm-612-truth',          'menu@6.12',   0.999, 100000 ],
    [ 'skl-72hz1000-teo-truth', 'teo@7.2',     0.999, 170000 ],
    [ 'skl-612-ladder',         'ladder@6.12', 0.998, 39000 ],
    [ 'skl-612hz1000-teo-truth', 'teo@6.12',   0.993, 180000 ],
);

sub ok {
    my ( $good, $what ) = @_;
    $n++;
    print( ( $good ? '' : 'not ' ) . "ok $n - $what\n" );
}

sub skip {
    my ($why) = @_;
    $n++;
    print "ok $n # SKIP $why\n";
}

sub verify {
    my ( $file, @args ) = @_;
    my $text = qx($reidle verify --format json @args $file);
    return ( $? >> 8, $text eq '' ? undef : decode_json($text) );
}

sub one {
    my ( $file, $gov, $bar, $compared ) = @_;
    my ( $status, $d ) = verify( $file, '-g', $gov );
    ok( $status == 0 && $d, "$file: $gov: verify ends well" );
    return unless $d;
    ok( $d->{agreement} >= $bar, sprintf( '%s: agreement %.5f of at least %.3f', $gov, $d->{agreement}, $bar ) );
    ok( $d->{compared} >= $compared, "$gov: $d->{compared} decisions compared" );
    ok( $d->{undetermined} <= 0.01 * $d->{decisions}, "$gov: $d->{undetermined} undetermined" );
    my $kept = $d->{decisions} - $d->{warmup};
    ok( $d->{compared} == $kept - $d->{undetermined}, "$gov: every decision is counted once" );
    my ( $sum, $same, $causes ) = ( 0, 0, 0 );
    for my $i ( 0 .. $#{ $d->{matrix} } ) {
        $sum += $_ for @{ $d->{matrix}[$i] };
        $same += $d->{matrix}[$i][$i];
    }
    $causes += $_ for values %{ $d->{causes} };
    ok( $sum == $d->{compared} && $same == $d->{agree}, "$gov: the matrix adds up to the counts" );
    ok( $causes == $d->{compared} - $d->{agree}, "$gov: every disagreement has one cause" );
    my $left = $d->{causes}{unexplained};
    ok( $left <= 0.0005 * $d->{compared}, "$gov: $left of them unexplained" );
}

# the sample is part of the project, so this much holds everywhere
one( 'samples/p9-61-truth.dat', 'menu@6.1', 0.999, 70000 );
my ( $status, $right ) = verify('samples/p9-61-truth.dat');
ok( $status == 0 && $right->{governor} =~ /^menu\@6\.1/, 'without -g: what the kernel ran' );
( $status, my $wrong ) = verify( 'samples/p9-61-truth.dat', '-g', 'menu@7.2' );
ok( $wrong->{agreement} < $right->{agreement}, 'the menu of another generation agrees less' );
( $status, $wrong ) = verify( 'samples/p9-61-truth.dat', '-g', 'teo@7.2' );
ok( $wrong->{agreement} < $right->{agreement}, 'so does teo' );
( $status, my $one ) = verify( 'samples/p9-61-truth.dat', '-j', '1' );
( $status, my $two ) = verify( 'samples/p9-61-truth.dat', '-j', '2' );
my $json = JSON::PP->new->canonical;
ok( $json->encode($one) eq $json->encode($two), 'the same with one thread and with two' );

my ( $parts, $agree ) = ( 0, 0 );
for my $cpu ( 0 .. 3 ) {
    my ( undef, $part ) = verify( 'samples/p9-61-truth.dat', '--cpus', $cpu );
    $parts += $part->{decisions};
    $agree += $part->{agree};
}
ok( $parts == $right->{decisions} && $agree == $right->{agree}, 'the CPUs one by one add up' );

for my $bar ( [ 'agreement < 0.99', 0 ], [ 'agreement > 0.99', 1 ], [ 'undetermined > 10%', 2 ] ) {
    ($status) = verify( 'samples/p9-61-truth.dat', '--fail-if', "'$bar->[0]'", '2>/dev/null' );
    ok( $status == $bar->[1], "--fail-if '$bar->[0]' ends with $bar->[1]" );
}

if ( -e "$traces/skl-612-truth.dat" ) {
    one( "$traces/$_->[0].dat", @$_[ 1 .. 3 ] ) for @recorded;
}
else {
    skip('the recordings with probe events are not here (REIDLE_SHARED)');
}
print "1..$n\n";
