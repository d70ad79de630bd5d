# Helpers of the script tests: run the real loop without a terminal, look at what it wrote.
# Each test ends with `finish`; a test's name is its first argument.
tests=0
failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

ok()
{
	tests=$((tests + 1))
	echo "ok $tests - $1"
}

not_ok()
{
	tests=$((tests + 1))
	failed=1
	echo "not ok $tests - $1"
	shift
	for f in "$@"; do sed 's/^/# /' "$f"; done
}

# drive SIZE RECORDING [OPTION...]: the steps come on stdin; @DIR@ in them is the scratch folder
drive()
{
	size=$1
	file=$2
	shift 2
	sed "s#@DIR@#$dir#g" >"$dir/steps"
	"$BUILD/reidle" --headless --no-config --size "$size" --script "$dir/steps" "$@" "$file" \
		>"$dir/out" 2>"$dir/err"
	status=$?
}

# runs NAME: the last drive ended well and said nothing
runs()
{
	if [ "$status" = 0 ] && [ ! -s "$dir/err" ]; then ok "$1"; else not_ok "$1: exit $status" "$dir/err"; fi
}

# has NAME FILE REGEX: a line of a file the script wrote matches
has()
{
	if grep -Eq -- "$3" "$dir/$2"; then ok "$1"; else not_ok "$1: no line matches $3" "$dir/$2"; fi
}

hasnt()
{
	if grep -Eq -- "$3" "$dir/$2"; then not_ok "$1: a line matches $3" "$dir/$2"; else ok "$1"; fi
}

# fits NAME FILE WIDTH: no line is wider
fits()
{
	wide=$(wc -L <"$dir/$2")
	if [ "$wide" -le "$3" ]; then ok "$1"; else not_ok "$1: a line of $wide, over $3" "$dir/$2"; fi
}

finish()
{
	echo "1..$tests"
	exit $failed
}
