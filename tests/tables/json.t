#!/bin/sh
# The JSON documents against doc/json.md: every field that the program prints is named there, and times
# are integers. Also what cli.md fixes by name.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}

documented() { # documented WHAT COMMAND...
	what=$1
	shift
	$reidle "$@" --format json --quiet >"$tmp/json" 2>"$tmp/err"
	ok $? "$what: is made"
	perl -MJSON::PP -e '
		local $/;
		open(my $f, "<", "doc/json.md"); my $doc = <$f>; close $f;
		open($f, "<", $ARGV[0]); my $top = decode_json(<$f>);
		my (%missing, %bad, %said);
		for my $words ($doc =~ /`([^`]+)`/g) {
			$said{$_} = 1 for split /[^A-Za-z0-9_]+/, $words;
		}
		sub walk {
			my ($v, $free) = @_;
			if (ref $v eq "HASH") {
				for my $k (keys %$v) {
					# names of parameters and inputs are not ours to list
					my $own = $k eq "params" || $k eq "swept" || $k eq "causes" || $k =~ /^(known_)?inputs$/ && ref $v->{$k} eq "HASH";
					$missing{$k} = 1 unless $free || $said{$k};
					$bad{$k} = 1 if $k =~ /_ns$/ && !ref $v->{$k} && defined $v->{$k} &&
						!$free && $v->{$k} !~ /^-?\d+$/;
					if ($own && $k =~ /inputs$/) {
						walk($_, 0) for values %{$v->{$k}};
					} else {
						walk($v->{$k}, $own);
					}
				}
			} elsif (ref $v eq "ARRAY") {
				walk($_, $free) for @$v;
			}
		}
		walk($top, 0);
		print "not in doc/json.md: ", join(" ", sort keys %missing), "\n" if %missing;
		print "no integers: ", join(" ", sort keys %bad), "\n" if %bad;
		exit(%missing || %bad ? 1 : 0);' "$tmp/json" >"$tmp/out" 2>&1
	rc=$?
	sed 's/^/# /' "$tmp/out"
	ok $rc "$what: each field is documented, times are integers"
}
documented report report samples/p9-61-w100.dat --by cpu
documented "report of two" report samples/p9-61-w100.dat samples/p9-61-truth.dat
documented "report of dumps" report --before samples/p9-61-w100.sysfs-before.txt --after samples/p9-61-w100.sysfs-after.txt
documented whatif whatif samples/p9-61-w100.dat -g menu@6.1,oracle --set 1.latency=12 --by cpu
documented compare compare samples/p9-61-w100.dat --vs samples/p9-61-truth.dat samples/p9-61-w100.sysfs-before.txt
documented sweep sweep samples/p9-61-w100.dat -g menu@6.1 -p 1.residency=50..100:50
documented verify verify samples/p9-61-truth.dat
documented wakes wakes samples/p9-61-w100.dat
documented states states
documented explain explain samples/p9-61-w100.dat --cpus 1 --at 0.3s
documented decisions decisions samples/p9-61-w100.dat --to 20ms -g teo@7.2
documented doctor doctor samples/p9-61-w100.dat
documented governors governors

has() { # has COMMAND PERL-EXPRESSION WHAT
	perl -MJSON::PP -0777 -e '
		local $/;
		my $d = decode_json(<STDIN>);
		exit !eval $ARGV[0];' "$2" <"$tmp/$1"
	ok $? "$3"
}
$reidle whatif samples/p9-61-w100.dat -g menu@6.1,oracle --format json --quiet >"$tmp/whatif"
has whatif '$d->{schema} eq "reidle.whatif/1" && @{$d->{runs}} == 3' "whatif: schema, run 0 and the governors"
has whatif '$d->{runs}[1]{governor} =~ /^menu\@6\.1\.\d+ \(M\d+\+?\)$/' "whatif: the governor resolved, with the model's id"
has whatif '!grep { !exists $d->{runs}[1]{$_} } qw(label governor params table latency_model cpus total decisions
	aborted periods ticks tick_stops changed better worse limited latency_paid_ns wake_latency regret_ns undetermined)' \
	"whatif: the fields of a run"
has whatif '!grep { !exists $d->{self_check}{$_} } qw(governor same_sequences time_error usage_error
	worst_cpu_time_error taught_agreement naive_agreement undetermined)' "whatif: the self check"
has whatif '!grep { !exists $d->{runs}[1]{wake_latency}{$_} } qw(n mean_ns p50_ns p90_ns p99_ns p999_ns max_ns)' \
	"whatif: wake latencies"
has whatif 'exists $d->{runs}[1]{periods}{rec} && exists $d->{runs}[1]{periods}{run}' "whatif: periods as rec and run"
has whatif '!grep { !exists $d->{recording}{$_} } qw(file sha256 kernel arch cpus hz hz_source clock span_ns lost_events
	bad_pages emulated)' "the recording"
has whatif '!grep { !exists $d->{machine}{tables}[0]{states}[0]{$_} } qw(index name exit_latency_ns target_residency_ns
	polling timeout disabled)' "the machine's states"
cp samples/p9-61-w100.dat "$tmp/alone.dat"
$reidle report "$tmp/alone.dat" --format json --quiet >"$tmp/guessed"
has guessed '$d->{machine}{source} eq "guessed" && !defined $d->{runs}[0]{total}{states}[0]{above} &&
	!defined $d->{machine}{tables}[0]{states}[0]{exit_latency_ns}' "a guessed table: above and latencies are null"
echo "1..$n"
