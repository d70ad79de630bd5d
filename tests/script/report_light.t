#!/bin/sh
# reidle report --light: the same states, times and quantiles as the whole report, without what needs
# other events.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
for f in samples/skl-612-pp.dat samples/p9-61-w100.dat; do
	n=$((n + 1))
	for how in "" --light; do
		# shellcheck disable=SC2086
		$reidle report $how --format json "$f" | perl -MJSON::PP -0777 -ne '$j = decode_json($_);
			print JSON::PP->new->canonical->encode([map { [$_->{cpus}, $_->{total}] } @{$j->{runs}}])
			=~ s/"(above|below)":\d+,//gr, "\n"' >"$tmp/out$how"
	done
	[ -s "$tmp/out" ] && cmp -s "$tmp/out" "$tmp/out--light" && echo "ok $n - $f" || echo "not ok $n - $f"
done
n=$((n + 1))
$reidle report --light samples/p9-61-w100.dat | grep -q 'What ended' && echo "not ok $n" ||
	echo "ok $n - no wake sources: their events were not read"
echo "1..$n"
