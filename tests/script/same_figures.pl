#!/usr/bin/perl
# same_figures.pl PROGRAM RECORDING: report, whatif, decisions, verify, compare and summary of one
# recording against each other, and parts against the whole. Prints each comparison, "fine" first
# where it holds; exit 1 when any does not.
use strict;
use warnings;
use JSON::PP;

my ($reidle, $file) = @ARGV;
my $bad = 0;

sub holds {
	my ($it, $what) = @_;
	print $it ? "fine: $what\n" : "$what\n";
	$bad = 1 unless $it;
}

sub output {
	open(my $p, "-|", $reidle, @_) or die;
	local $/;
	my $text = <$p>;
	close $p;
	return $text;
}

sub json { return decode_json(output(@_, "--format", "json", "--quiet")); }

sub csv { # rows of the first table as hashes
	my (@rows, @head);
	for (split /\n/, output(@_, "--format", "csv")) {
		next if /^#/ || (/^$/ && !@head);
		last if /^$/;
		my @cell = split /,/, $_, -1;
		if (!@head) {
			@head = @cell;
		} else {
			my %row;
			@row{@head} = @cell;
			push @rows, \%row;
		}
	}
	return @rows;
}

sub words { # the sums of states, comparable
	return join " ", map { my $s = $_; join ":", map { $s->{$_} // "-" }
		qw(usage time_ns above below mean_ns p50_ns p99_ns) } @{$_[0]};
}

my $report = json("report", $file);
my $run0 = $report->{runs}[0];
my @states = @{$run0->{total}{states}};
my $last = $#states;
my $whatif = json("whatif", $file, "-g", "oracle,shallowest,deepest,fixed:state=0,fixed:state=$last");
my @runs = @{$whatif->{runs}};

# run 0
holds(words($runs[0]{total}{states}) eq words(\@states), "run 0 of whatif is the report");
for my $i (0 .. $#{$run0->{cpus}}) {
	holds(words($runs[0]{cpus}[$i]{states}) eq words($run0->{cpus}[$i]{states}), "the same of CPU $i");
}

# decisions
my (%n, %time, %miss, $aborted);
my @decisions = csv("decisions", $file);
for my $d (@decisions) {
	$aborted++ if $d->{state} eq "";
	next if $d->{state} eq "" || $d->{length_ns} eq "";
	$n{$d->{state}}++;
	$time{$d->{state}} += $d->{length_ns};
	$miss{$d->{state}}{$d->{verdict}}++;
}
for my $s (@states) {
	my $m = $miss{$s->{name}};
	holds(($n{$s->{name}} // 0) == $s->{usage}, "decisions: $s->{name} entered $s->{usage} times");
	holds(($time{$s->{name}} // 0) == $s->{time_ns}, "decisions: $s->{name} for $s->{time_ns} ns");
	holds(($m->{above} // 0) == $s->{above} && ($m->{below} // 0) == $s->{below},
		"decisions: $s->{name} above $s->{above}, below $s->{below}");
}
holds($runs[0]{decisions} == @decisions, "whatif counts as many decisions as are listed");
holds($runs[0]{aborted} == ($aborted // 0), "and as many aborted ones");
my $verify = json("verify", $file);
holds($verify->{decisions} <= @decisions, "verify has no more decisions than are listed");

# text forms
my @rows = csv("report", $file);
for my $i (0 .. $last) {
	my ($r, $s) = ($rows[$i], $states[$i]);
	holds($r->{usage} == $s->{usage} && $r->{time_ns} == $s->{time_ns} && $r->{above} == $s->{above} &&
		$r->{below} == $s->{below}, "csv: state $i");
	holds($r->{state} eq "$i $s->{name}", "csv: its name");
}
my $text = output("report", $file);
holds($text =~ /^total +$rows[-1]{usage} /m, "text: total usage $rows[-1]{usage}");
holds(output("report", $file, "--format", "md") =~ /^\| total \| $rows[-1]{usage} \|/m, "md: the same");
holds(output("summary", $file) =~ /\b$rows[-1]{usage}\b/, "summary: the same");

# governors that know nothing, and the one that knows all
my ($oracle, $shallowest, $deepest, $fixed0, $fixed) = @runs[1 .. 5];
sub used { return join ",", grep { $_[0]{total}{states}[$_]{usage} } 0 .. $last; }
holds(used($shallowest) eq "0" && used($fixed0) eq "0", "shallowest and fixed:state=0 use state 0 only");
holds(used($deepest) eq $last && used($fixed) eq $last, "deepest and fixed:state=$last use state $last only");
holds(!grep({ $_->{above} } @{$oracle->{total}{states}}), "oracle is never too deep");
for my $r (@runs) {
	holds($oracle->{regret_ns} <= $r->{regret_ns}, "oracle pays no more regret than $r->{label}");
	my $idle = 0;
	$idle += $_->{time_ns} for @{$r->{total}{states}};
	holds($idle <= $report->{recording}{span_ns} * $report->{recording}{cpus}, "$r->{label}: time fits");
}
my $without = json("whatif", $file, "-g", 'menu,teo@7.2,oracle,deepest', "--disable-state", $last);
for my $r (@{$without->{runs}}[1 .. 4]) {
	holds($r->{total}{states}[$last]{usage} == 0, "$r->{label} never enters the disabled state");
}
my $tight = json("whatif", $file, "-g", 'menu,teo@7.2,oracle,deepest', "--latency-limit", 1);
for my $r (@{$tight->{runs}}[1 .. 4]) {
	for my $i (0 .. $last) {
		next if $report->{machine}{tables}[0]{states}[$i]{exit_latency_ns} <= 1000;
		holds($r->{total}{states}[$i]{usage} == 0, "$r->{label} keeps to the limit in state $i");
	}
}

# parts are the whole
my @cut = map { int($report->{recording}{span_ns} * $_ / 3) } 0 .. 2;
push @cut, $report->{recording}{span_ns} + 1;
my @window = map { json("report", $file, "--from", "$cut[$_]ns", "--to", "$cut[$_ + 1]ns") } 0 .. 2;
my @cpu = map { json("report", $file, "--cpus", $_) } 0 .. $report->{recording}{cpus} - 1;
for my $i (0 .. $last) {
	for my $k (qw(usage time_ns above below)) {
		my ($w, $c) = (0, 0);
		$w += $_->{runs}[0]{total}{states}[$i]{$k} for @window;
		$c += $_->{runs}[0]{total}{states}[$i]{$k} for @cpu;
		holds($w == $states[$i]{$k}, "three windows have the $k of state $i");
		holds($c == $states[$i]{$k}, "all CPUs have the $k of state $i");
	}
}

# against itself
for my $row (@{json("compare", $file, "--vs", $file)->{rows}}) {
	my @v = map { $_->{mean} // "-" } @{$row->{sets}};
	holds($v[0] eq $v[1], "compared with itself: $row->{measure}");
	next if $row->{state} ne "total" || $row->{measure} !~ /^(above|below)_share$/ || !$rows[-1]{usage};
	my $share = $rows[-1]{$1} / $rows[-1]{usage};
	holds(abs($v[0] - $share) < 1e-9, "compare has the $row->{measure} of the report");
}

# what ended the periods
my %woke;
for my $w (@{json("wakes", $file)->{wakes}}) {
	$woke{$_} += $w->{$_} for qw(periods time_ns above below);
}
holds($woke{periods} == $rows[-1]{usage}, "wakes end all periods");
holds($woke{$_} == $rows[-1]{$_}, "wakes have the $_ of the report") for qw(time_ns above below);
exit $bad;
