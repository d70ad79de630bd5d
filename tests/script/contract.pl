#!/usr/bin/perl
# contract.pl COMMAND < document: names, order and types of what the command line promises of its JSON.
# Times are integers, ratios doubles, what is not known is null. Prints each violation; exit 1 when any.
use strict;
use warnings;
use B ();
use JSON::PP;

local $/;
my $command = shift;
my $text = <STDIN>;
my $doc = decode_json($text);
my $bad = 0;

sub wrong {
	print "@_\n";
	$bad = 1;
}

# what a JSON scalar was before perl made a scalar of it
sub kind {
	my $v = shift;
	return "null" unless defined $v;
	return ref $v eq "HASH" ? "object" : ref $v eq "ARRAY" ? "array" : "bool" if ref $v;
	my $flags = B::svref_2object(\$v)->FLAGS;
	return "text" if $flags & B::SVp_POK;
	return $flags & B::SVp_NOK ? "double" : "int";
}

# spec: "NAME:KIND..." with ? for what may be null
sub fields {
	my ($where, $v, $spec) = @_;
	for (split " ", $spec) {
		my ($name, $kind) = /^([^:]+):(.*)$/;
		my $nullable = $kind =~ s/\?$//;
		if (!exists $v->{$name}) {
			wrong("$where: no $name");
		} elsif (!defined $v->{$name}) {
			wrong("$where: $name is null") unless $nullable;
		} elsif (kind($v->{$name}) ne $kind) {
			wrong("$where: $name is ", kind($v->{$name}), ", not $kind");
		}
	}
}

sub sums {
	my ($where, $states) = @_;
	my $n = 0;
	for my $s (@$states) {
		fields("$where state", $s, "index:int name:text usage:int time_ns:int above:int? below:int?
			above_recorded:int? below_recorded:int? mean_ns:int? p50_ns:int? p99_ns:int?");
		wrong("$where: index $s->{index} at $n") if $s->{index} != $n++;
		wrong("$where: a guessed table judges")
			if $doc->{machine}{source} eq "guessed" && defined $s->{above};
	}
}

sub run {
	my ($where, $r) = @_;
	fields($where, $r, "label:text governor:text? params:object table:text latency_model:text?
		cpus:array total:object");
	for my $c (@{$r->{cpus}}) {
		fields("$where cpu", $c, "cpu:int states:array orphan_exits:int? open_tail_ns:int? reenters:int?");
		sums("$where cpu $c->{cpu}", $c->{states});
	}
	sums("$where total", $r->{total}{states});
	return if $command eq "report";
	fields($where, $r, "decisions:int? aborted:int? periods:object ticks:object? tick_stops:int? changed:int?
		better:int? worse:int? limited:int? latency_paid_ns:int? wake_latency:object regret_ns:int?
		undetermined:int?");
	fields("$where periods", $r->{periods}, "rec:int run:int");
	fields("$where ticks", $r->{ticks}, "rec:int run:int") if $r->{ticks};
	fields("$where wake_latency", $r->{wake_latency}, "n:int mean_ns:int? p50_ns:int? p90_ns:int?
		p99_ns:int? p999_ns:int? max_ns:int?");
	my $usage = 0;
	$usage += $_->{usage} for @{$r->{total}{states}};
	wrong("$where: periods $r->{periods}{run}, usage $usage") if $usage != $r->{periods}{run};
}

fields("document", $doc, "schema:text reidle:text recording:object machine:object");
wrong("schema is $doc->{schema}") if $doc->{schema} ne "reidle.$command/1";
wrong("the document does not begin with schema, reidle, recording, machine")
	unless $text =~ /^\{\s*"schema".*?\n "reidle".*?\n "recording".*?\n "machine"/s;
fields("recording", $doc->{recording}, "file:text sha256:text kernel:text? arch:text? cpus:int hz:int?
	hz_source:text? clock:text? span_ns:int lost_events:int bad_pages:int emulated:bool");
wrong("machine.source $doc->{machine}{source}")
	unless $doc->{machine}{source} =~ /^(recorded|file|table|guessed)$/;
for my $t (@{$doc->{machine}{tables}}) {
	fields("table", $t, "cpus:text states:array");
	fields("table state", $_, "index:int name:text exit_latency_ns:int? target_residency_ns:int?
		polling:bool? disabled:bool?") for @{$t->{states}};
	exists $_->{timeout} or wrong("no timeout") for @{$t->{states}};
}
run("runs[$_]", $doc->{runs}[$_]) for 0 .. $#{$doc->{runs} // []};
if ($command =~ /^(report|whatif|sweep)$/) {
	wrong("runs[0] is $doc->{runs}[0]{label}") if $doc->{runs}[0]{label} ne "recorded";
}
if ($command eq "whatif") {
	fields("self_check", $doc->{self_check}, "governor:text? same_sequences:double? time_error:double?
		usage_error:double? worst_cpu_time_error:double? taught_agreement:double? naive_agreement:double?
		undetermined:double?");
}
if ($command eq "verify") {
	fields("document", $doc, "decisions:int compared:int agree:int agreement:double? agreement_all:double?
		warmup:int undetermined:int matrix:array causes:object");
	my ($all, $agree) = (0, 0);
	for my $i (0 .. $#{$doc->{matrix}}) {
		my $row = $doc->{matrix}[$i];
		wrong("matrix is not square") if @$row != @{$doc->{matrix}};
		$all += $_ for @$row;
		$agree += $row->[$i];
	}
	wrong("matrix sums up to $all, compared $doc->{compared}") if $all != $doc->{compared};
	wrong("matrix agrees in $agree, agree $doc->{agree}") if $agree != $doc->{agree};
	wrong("compared + warmup + undetermined is not decisions")
		if $doc->{compared} + $doc->{warmup} + $doc->{undetermined} != $doc->{decisions};
	my $causes = 0;
	$causes += $_ for values %{$doc->{causes}};
	wrong("causes sum up to $causes") if $causes != $doc->{compared} - $doc->{agree};
}
exit $bad;
