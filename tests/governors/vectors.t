#!/bin/sh
# The models against vectors of independent reference models: the committed ones, and fresh random ones
# where the reference models and python are at hand.
tool="$BUILD/tools/vectors"
n=0
ok() { n=$((n + 1)); echo "ok $n - $*"; }
not_ok() { n=$((n + 1)); echo "not ok $n - $*"; }

for f in tests/vectors/*.txt; do
	if out=$("$tool" "$f"); then ok "$out"; else not_ok "$out"; fi
done
# the comparison itself: one answer changed must be seen
if sed '0,/^s .* 1$/s/^\(s .*\) 1$/\1 0/' tests/vectors/menu@6.12.117.txt | "$tool" - >/dev/null; then
	not_ok "a changed answer is noticed"
else
	ok "a changed answer is noticed"
fi
models="${REIDLE_SHARED:-}/reference/shim/models.py"
if [ -f "$models" ] && python3 -c '' 2>/dev/null; then
	for f in tests/vectors/*.txt; do
		g=$(basename "$f" .txt)
		seed=$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')
		if out=$(python3 tests/governors/make-vectors.py "$g" "$seed" 20 300 | "$tool" -); then
			ok "seed $seed: $out"
		else
			not_ok "seed $seed: $out"
		fi
	done
else
	n=$((n + 1)); echo "ok $n # SKIP fresh vectors need python3 and the reference models of \$REIDLE_SHARED"
fi
echo "1..$n"
