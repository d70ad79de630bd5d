#!/bin/sh
# reidle summary: the parts of a report, whole and self-contained, as markdown and as HTML.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
sample=samples/skl-612-pp.dat
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}

$reidle summary $sample -g teo@6.12 -o "$tmp/r.md" --quiet
ok $? "markdown is made"
for part in '^## reidle' '^### Method' '^### Idle states' '^### Wake-ups' '^### Most expensive decisions' \
	'^### What could not be determined' 'EMULATED' 'requested state, not hardware residency' \
	'self check' 'teo@6.12.117' '^| 1 | total |'; do
	grep -q -- "$part" "$tmp/r.md"
	ok $? "md has: $part"
done
$reidle summary $sample -g teo@6.12 -o "$tmp/r.html" --quiet
ok $? "html is made"
grep -Eiq '<script|src=|href=|@import|url\(' "$tmp/r.html"
[ $? = 1 ]
ok $? "it refers to nothing outside"
perl -0777 -ne '
	my @open;
	while (m{<(/?)([a-z0-9]+)([^<>]*?)(/?)>}gi) {
		my ($end, $tag, $self) = ($1, lc $2, $4);
		next if $self || $tag =~ /^(meta|br)$/;
		if (!$end) { push @open, $tag; next }
		my $was = pop @open // "nothing";
		die "$tag closes $was\n" if $was ne $tag;
	}
	die "open: @open\n" if @open;
	my $n = () = /<svg /g;
	die "$n pictures\n" if $n != 3;' "$tmp/r.html" >"$tmp/out" 2>&1
rc=$?
sed 's/^/# /' "$tmp/out"
ok $rc "its elements close, three pictures"

# the pictures hold the figures: bars of the histogram are as high as the counts say
perl -0777 -ne '
	my ($most) = /number of idle periods by length and state<\/title>\s*<text[^>]*>(\d+)/ or die "no scale\n";
	my ($svg) = /(number of idle periods by length.*?<\/svg>)/s;
	my $sum = 0;
	$sum += $1 while $svg =~ /height="([0-9.]+)" fill/g;
	printf "%d\n", $sum * $most / 180 + 0.5;' "$tmp/r.html" >"$tmp/drawn"
$reidle report --format json $sample | perl -MJSON::PP -0777 -ne '
	my $n = 0;
	$n += $_->{usage} for @{decode_json($_)->{runs}[0]{total}{states}};
	print "$n\n"' >"$tmp/counted"
echo "$(cat "$tmp/drawn") $(cat "$tmp/counted")" | awk '{ d = $1 - $2; exit !($2 > 20000 && d < 100 && d > -100) }'
ok $? "the bars stand for all periods: drawn $(cat "$tmp/drawn"), counted $(cat "$tmp/counted")"
$reidle summary samples/p9-61-w100.dat samples/p9-61-truth.dat --quiet | grep -c '^## reidle' | grep -qx 2
ok $? "two recordings, two parts, on stdout"
$reidle summary /nonexistent -o "$tmp/x.html" 2>/dev/null
[ $? = 3 ] && [ ! -e "$tmp/x.html" ]
ok $? "no input: 3, and no file"
echo "1..$n"
