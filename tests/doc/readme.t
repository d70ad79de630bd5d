#!/bin/sh
# README.md shows what the program prints today: each line of a block stands in the output of the
# command that is named above or in it, in that order; a line in [brackets] says what is left out.
cd "$(dirname "$0")/../.." || exit 1
reidle=${BUILD:-build}/reidle
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
# block-N and command-N: a block of text and the command in its first line, or in the text before it
awk -v dir="$tmp" '
	/^```text/ { inside = 1; n++; file = dir "/block-" n; printf "" >file; next }
	/^```/ { inside = 0; next }
	inside && /^\$ reidle / { sub(/ +\(.*/, ""); command = substr($0, 3); next }
	inside { print >>file; print command >(dir "/command-" n); next }
	match($0, /`reidle [^`]*`/) { command = substr($0, RSTART + 1, RLENGTH - 2) }
' README.md
for block in "$tmp"/block-*; do
	command=$(head -n 1 "$tmp/command-${block##*-}" | sed 's/^reidle //')
	case $command in
	whatif*) ;;
	*) continue ;; # screens are held by tests/golden
	esac
	# shellcheck disable=SC2086
	$reidle $command >"$tmp/out" 2>"$tmp/err"
	awk -v out="$tmp/out" '
		/^\[/ || /^$/ { next }
		{
			found = 0
			while (!found && (getline line <out) > 0)
				found = line == $0
			if (!found) { print "# not printed, or not there: " $0; bad = 1; exit }
		}
		END { exit bad }' "$block" >"$tmp/missing"
	rc=$?
	cat "$tmp/missing"
	ok $rc "README: reidle $command"
done
[ $n -ge 2 ]
ok $? "the blocks were found"
# the row of the table of agreement whose recording is a sample
perl -MJSON::PP -e '
	sub json { open(my $p, "-|", @_, "--format", "json", "--quiet") or die; local $/; decode_json(<$p>) }
	my ($r, $f) = ($ARGV[0], "samples/p9-61-truth.dat");
	my ($v, $b) = (json($r, "verify", $f), json($r, "verify", $f, "--ignore-probes"));
	my $s = json($r, "whatif", $f, "-g", "oracle")->{self_check};
	printf "| %d | %.2f %% | %.2f %% | %.2f %% | %.2f %% | %.3f %% |\n", $v->{compared}, 100 * $v->{agreement},
		100 * $v->{naive_agreement}, 100 * $b->{agreement}, 100 * $s->{same_sequences},
		100 * $s->{time_error};' "$reidle" >"$tmp/row"
grep -qF "$(cat "$tmp/row")" README.md
ok $? "the row of p9-61-truth: $(cat "$tmp/row")"
echo "1..$n"
