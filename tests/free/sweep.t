#!/bin/sh
# reidle sweep: cells in order, the same bytes for any -j, what is swept shows, cancelling keeps what is done.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
sample=samples/p9-61-w100.dat
other=samples/skl-612-pp.dat
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
json() { perl -MJSON::PP -0777 -ne 'my $d = decode_json($_); exit(!do { '"$1"' })' "$2"; }

$reidle sweep --quiet --format json $sample $other -g menu@6.12,teo@7.2 -p 1.residency=10..120:55 \
	-p hz=250,1000 -j 1 >"$tmp/one" 2>"$tmp/err"
ok $? "a grid over two recordings, two governors, a table and the tick rate"
for j in 2 3; do
	$reidle sweep --quiet --format json $sample $other -g menu@6.12,teo@7.2 -p 1.residency=10..120:55 \
		-p hz=250,1000 -j $j 2>/dev/null | sed "s/-j $j/-j 1/" | cmp -s - "$tmp/one"
	ok $? "-j$j prints the same bytes"
done
json '$d->{schema} eq "reidle.sweep/1" && $d->{cells} == 24 && @{$d->{runs}} == 26 && @{$d->{recordings}} == 2' "$tmp/one"
ok $? "24 cells and two recordings"
json 'my @r = @{$d->{runs}}; $r[0]{label} eq "recorded" && $r[13]{label} eq "recorded" &&
	$r[1]{swept}{"1.residency"} eq "10" && $r[1]{swept}{hz} eq "250" && $r[2]{swept}{hz} eq "1000" &&
	$r[7]{governor} =~ /^teo/ && $r[14]{recording} eq "skl-612-pp.dat"' "$tmp/one"
ok $? "order: recording, governor, the last parameter fastest"
# a lower residency makes CEDE the choice more often; four times the tick rate, more ticks
json 'my @r = @{$d->{runs}}; $r[1]{total}{states}[1]{usage} > 1.5 * $r[5]{total}{states}[1]{usage} &&
	$r[2]{ticks}{run} > 2 * $r[1]{ticks}{run}' "$tmp/one"
ok $? "what is swept has its effect"
json 'my %best; for my $r (@{$d->{runs}}) { $best{$r->{recording}}++ if $r->{pareto} } keys %best == 2' "$tmp/one"
ok $? "each recording has cells that no other beats"
json '!grep { defined $_->{energy} } grep { $_->{recording} =~ /^p9/ } @{$d->{runs}}' "$tmp/one"
ok $? "no energy from residencies that a rule made"

# a cell is what the what-if of the same governor says
$reidle whatif --quiet --format json $other -g menu@6.12:variance_max_us2=100 >"$tmp/whatif" 2>/dev/null
$reidle sweep --quiet --format json $other -g menu@6.12 -p variance_max_us2=100,400 >"$tmp/cells" 2>/dev/null
perl -MJSON::PP -e 'my @d = map { local (@ARGV, $/) = $_; decode_json(<>) } @ARGV;
	my ($a, $b) = ($d[0]{runs}[1], $d[1]{runs}[1]);
	for my $k (qw(regret_ns better worse decisions)) { exit 1 if $a->{$k} != $b->{$k} }
	for my $i (0 .. $#{$a->{total}{states}}) {
		for my $k (qw(usage time_ns above below)) {
			exit 1 if $a->{total}{states}[$i]{$k} != $b->{total}{states}[$i]{$k} } }' "$tmp/whatif" "$tmp/cells"
ok $? "a cell says what the what-if says"

$reidle sweep --quiet $other -g menu@6.12 -p variance_max_us2=0..2000:1 -j 1 >"$tmp/text" 2>"$tmp/err" &
pid=$!
sleep 3
kill -INT $pid
wait $pid
rc=$?
rows=$(grep -c '^ \|^menu' "$tmp/text")
sed 's/^/# /' "$tmp/err"
[ $rc = 0 ] && grep -q '^reidle: cancelled: [1-9][0-9]* of 2001 cells' "$tmp/err" &&
	grep -q '^CANCELLED' "$tmp/text" && [ "$rows" -gt 1 ]
ok $? "SIGINT: what is done is printed, and said"

for bad in "-p 1.residency=x" "-p nonsense=1..2" "-p 9.latency=1..2" "-p hz=1" "-p limit=1..9e9:1"; do
	$reidle sweep --quiet $sample -g menu@6.12 $bad >"$tmp/text" 2>"$tmp/err"
	[ $? = 2 ] && [ "$(wc -l <"$tmp/err")" = 1 ] && [ ! -s "$tmp/text" ]
	ok $? "$bad: 2, one line, no output"
done

# parts of a replay add up to the whole
for part in "" "--to 500ms" "--from 500ms"; do
	$reidle whatif --quiet --format json $sample -g menu@7.2 $part 2>/dev/null
done | perl -MJSON::PP -0777 -ne '
	my @d = JSON::PP->new->incr_parse($_);
	my ($all, $a, $b) = map { $_->{runs}[1]{total}{states} } @d;
	for my $i (0 .. $#$all) {
		for my $k (qw(usage time_ns above below)) {
			exit 1 if $all->[$i]{$k} != $a->[$i]{$k} + $b->[$i]{$k} } }
	exit(@d != 3)'
ok $? "a replay split at a time and joined is the whole"
$reidle whatif --quiet --format json -j 1 $other -g menu@6.12,teo@7.2,oracle --topology core=2 >"$tmp/one" 2>/dev/null
$reidle whatif --quiet --format json -j 2 $other -g menu@6.12,teo@7.2,oracle --topology core=2 2>/dev/null |
	sed 's/-j 2/-j 1/' | cmp -s - "$tmp/one"
ok $? "whatif: -j1 and -j2 print the same bytes"
echo "1..$n"
