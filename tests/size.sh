#!/bin/sh
# size.sh [DIR]: no function over 80 lines, no file over 500, in the program and in its tests. In the
# house style a function's braces stand alone in the first column, and nothing else's do. With -v in front of
# DIR it prints the sums of the program.
set -u
verbose=0
[ "${1:-}" = -v ] && { verbose=1; shift; }
cd "${1:-$(dirname "$0")/..}" || exit 2

find src parsers replay views tests -name '*.[ch]' 2>/dev/null | LC_ALL=C sort | xargs awk -v verbose=$verbose '
function file_ends()
{
	if (lines > 500) {
		printf "%s: %d lines, over 500: split it along its ideas\n", name, lines
		wrong = 1
	}
}
FNR == 1 { file_ends(); name = FILENAME; open = 0 }
{ lines = FNR }
/^\{/ { open = FNR }
/^\}/ && open {
	n = FNR - open + 1
	if (FILENAME !~ /^tests/) {
		count[n]++
		functions++
	}
	if (n > 80) {
		printf "%s:%d: function of %d lines, over 80\n", FILENAME, open, n
		wrong = 1
	}
	open = 0
}
END {
	file_ends()
	for (n = 1; n < 5000 && verbose; n++) {
		seen += count[n]
		if (!median && seen * 2 >= functions)
			median = n
		if (!p90 && seen * 10 >= functions * 9)
			p90 = n
	}
	if (verbose)
		printf "%d functions, median %d lines, p90 %d\n", functions, median, p90
	exit wrong
}' || exit 1
