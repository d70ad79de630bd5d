#!/bin/sh
# Recordings with one thing wrong. In the header: one line that names the file, exit 3. In a page: that page
# is dropped and counted, the rest is as it was.
cd "$(dirname "$0")/../.." || exit 1
gen=${BUILD:-build}/tools/gen_dat
read=${BUILD:-build}/tools/dump_periods
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
"$gen" "$tmp/6.dat" 3000 2 >"$tmp/figures"
"$gen" "$tmp/7.dat" 3000 2 version=7 codec=zstd >/dev/null
"$gen" "$tmp/n.dat" 3000 2 version=7 codec=none >/dev/null

# patch FILE PERL: $_ is the file; at(tag) finds a text, put(place, template, values) overwrites
patch() {
	perl -0777 -e 'local $/; open F, "<", shift or die; $_ = <F>; $w = shift; $out = shift;
		sub at { my $i = index($_, $_[0]); die "no $_[0]" if $i < 0; $i }
		sub put { my $p = shift; my $b = pack(shift, @_); substr($_, $p, length $b) = $b }
		sub get { unpack($_[1], substr($_, $_[0], 16)) }
		$table = index($_, "flyrecord") + 10; $cpu0 = $table > 9 ? get($table, "Q<") : 0;
		eval $w; die $@ if $@; open F, ">", $out; print F $_' "$1" "$2" "$tmp/x.dat" || echo "# patch: $2"
}
refuse() { # refuse FILE PERL WHAT
	patch "$tmp/$1.dat" "$2"
	timeout 10 "$read" "$tmp/x.dat" >/dev/null 2>"$tmp/err"
	[ $? = 3 ] && [ "$(wc -l <"$tmp/err")" = 1 ] && grep -q "x.dat: .*\(damaged\|cut\|not one of\)" "$tmp/err"
	ok $? "$3: $(sed 's/.*x.dat: //' "$tmp/err" | head -1)"
}
drop() { # drop PERL WHAT: the first page of CPU 0 is lost, CPU 1 is whole
	patch "$tmp/6.dat" "$1"
	timeout 10 "$read" -t "$tmp/x.dat" >"$tmp/out" 2>"$tmp/err"
	[ $? = 0 ] && grep -q 'bad pages 1,' "$tmp/err" && grep -q 'damaged pages dropped: 1' "$tmp/err" &&
		grep '^1.state' "$tmp/figures" >"$tmp/a" && grep '^1.state' "$tmp/out" | cmp -s - "$tmp/a" &&
		[ "$(awk '$2 == "records" { print $4 }' "$tmp/out")" -lt 3000 ] &&
		[ "$(awk '$2 == "records" { print $4 }' "$tmp/out")" -gt 2800 ]
	ok $? "$2"
}

refuse 6 'put(12, "C", 2)' "byte order 2"
refuse 6 'put(12, "C", 1)' "byte order turned round"
for size in 0 1 16 255; do
	refuse 6 "put(13, 'C', $size)" "long of $size bytes"
done
for size in 0 1 4095 65536 2147483648; do
	refuse 6 "put(14, 'V', $size)" "pages of $size bytes"
done
refuse 6 'put(30, "Q<", 1 << 63)' "page header format of 2^63 bytes"
refuse 6 'put(30, "Q<", 1 << 31)' "page header format of 2^31 bytes"
for cpus in 0 1 3 100000 2147483647 4294967295; do
	refuse 6 "put(at('options  ') - 4, 'V', $cpus)" "$cpus CPUs instead of 2"
done
refuse 6 'put($table + 8, "Q<", 1 << 63)' "CPU data of 2^63 bytes"
refuse 6 'put($table + 8, "Q<", ~0)' "CPU data of 2^64 - 1 bytes"
refuse 6 'put($table, "Q<", ~0 - 4095)' "CPU data at 2^64 - 4096"
refuse 6 'put($table, "Q<", $cpu0 + 100)' "CPU data between pages"
refuse 6 'put($table + 16, "Q<", $cpu0)' "two CPUs at one place"
refuse 6 'put($table + 8, "Q<", get($table + 8, "Q<") + 4096)' "one CPU reaching into the next"
refuse 6 '$_ = substr($_, 0, $cpu0 + 5000)' "cut in the data"
refuse 6 '$_ = substr($_, 0, 900)' "cut in the formats"
refuse 7 'put(length($_) - 8, "Q<", get(29, "Q<"))' "options that lead to themselves"
refuse 7 'put(29, "Q<", ~0 - 7)' "options at 2^64 - 8"
refuse 7 'put(45, "Q<", ~0 - 15)' "section of -16 bytes"
refuse 7 'put(53, "V", 1 << 31)' "packed section larger than the file"
refuse 7 'put(57, "V", 1 << 31)' "packed section that claims 2 GB"
refuse 7 'put(65, "C", 0x55)' "packed section that does not unpack"
refuse 7 '$_ = substr($_, 0, length($_) - 500)' "version 7 cut at its end"
refuse n '$_ = substr($_, 0, 12345)' "unpacked version 7 cut"

drop 'put($cpu0 + 8, "Q<", (1 << 27) - 1)' "commit of 2^27 - 1"
drop 'put($cpu0 + 8, "Q<", 4088)' "commit larger than the page"
drop 'put($cpu0 + 8, "Q<", get($cpu0 + 8, "Q<") | 1 << 21)' "commit with a bit of no meaning"
drop 'put($cpu0 + 8, "Q<", 0xc7ffffff)' "commit of lost and stored and 2^27 - 1"
drop 'put($cpu0 + 12, "V", 5)' "commit with an upper half"
drop 'put($cpu0 + 16, "VV", 0, 1 << 31)' "record of 2^31 bytes"
drop 'put($cpu0 + 16, "VV", 0, 0)' "record of no bytes"
drop 'put($cpu0 + 16, "VV", 29 | 1 << 5, 0xffffff00)' "discarded record that leads backwards"
drop 'put($cpu0 + 16, "VV", 29 | 1 << 5, 0)' "discarded record of no bytes"
drop 'put($cpu0 + 16, "VV", 29 | 1 << 5, 4096)' "discarded record that runs past the page"
drop 'put($cpu0 + 16, "V", 28); put($cpu0 + 8, "Q<", 40)' "record that runs past the data"

# texts that crash others are not even read; unknown options are passed over
patch "$tmp/6.dat" 's{"%d", REC->common_pid}{"%d", 1 / 0          }g; s{"%d", 1 / 0          }{"%d", REC->nosuch    }'
"$read" -t "$tmp/x.dat" 2>/dev/null | cmp -s - "$tmp/figures"
ok $? "print formats that divide by zero or name nothing"
patch "$tmp/6.dat" 'put(at("some future option") - 6, "v", 6)'
"$read" -t "$tmp/x.dat" 2>/dev/null | cmp -s - "$tmp/figures"
ok $? "an option of another id"

# --partial: what is whole
partial() { # partial FILE BYTES WHAT: the figures of CPU 0 are those of the whole file
	head -c "$2" "$tmp/$1.dat" >"$tmp/x.dat"
	"$read" -p "$tmp/x.dat" >"$tmp/out" 2>"$tmp/err" && grep -q 'file is cut: what is whole was read' "$tmp/err" &&
		grep '^0.state' "$tmp/figures" >"$tmp/a" && grep '^0.state' "$tmp/out" | cmp -s - "$tmp/a"
	ok $? "$3"
}
size=$(wc -c <"$tmp/6.dat")
partial 6 $((size - 20000)) "version 6 cut in CPU 1"
partial 7 $(($(wc -c <"$tmp/7.dat") - 600)) "packed version 7 without its end"
partial n $(($(wc -c <"$tmp/n.dat") - 20000)) "unpacked version 7 cut in CPU 1"
head -c 3000 "$tmp/7.dat" >"$tmp/x.dat"
"$read" -p "$tmp/x.dat" 2>"$tmp/err"
[ $? = 3 ] && grep -q 'nothing is left to read' "$tmp/err"
ok $? "version 7 cut before its data"
sample=samples/skl-612-pp.dat
head -c 1900000 $sample >"$tmp/x.dat"
"$read" -p "$tmp/x.dat" 2>/dev/null | grep '^[01].state' >"$tmp/out"
cut -f1-5 samples/skl-612-pp.expected.tsv | grep '^[01].state' | cmp -s - "$tmp/out"
ok $? "a real recording without its end: CPUs 0 and 1 are whole"

# what trace-cmd record makes of a latency tracer: the kernel's text in place of the records
perl -0777 -ne 'print substr($_, 0, index($_, "flyrecord")), "latency  \0"' "$tmp/6.dat" >"$tmp/x.dat"
cat tests/formats/snippets/psi-2s-wakeup.txt >>"$tmp/x.dat"
"$read" tests/formats/snippets/psi-2s-wakeup.txt 2>/dev/null >"$tmp/want"
[ -s "$tmp/want" ] && "$read" "$tmp/x.dat" 2>/dev/null | cmp -s - "$tmp/want"
ok $? "text inside a trace.dat is read as text"
perl -0777 -ne 'print substr($_, 0, index($_, "flyrecord")), "latency  \0", "no events here\n"' "$tmp/6.dat" >"$tmp/x.dat"
"$read" "$tmp/x.dat" 2>"$tmp/err"
[ $? = 3 ] && grep -q 'without events' "$tmp/err"
ok $? "and refused where it holds none"
echo "1..$n"
