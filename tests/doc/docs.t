#!/bin/sh
# Man page, completions and installing: every command and option of the program is in them, and an
# installed program finds its tables and samples without the source tree.
cd "$(dirname "$0")/../.." || exit 1
build=${BUILD:-build}
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ok() { # ok STATUS WHAT
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
skip() {
	n=$((n + 1))
	echo "ok $n # SKIP $1"
}
make -s --no-print-directory install BUILD="$build" DESTDIR="$tmp/root" >"$tmp/log" 2>&1
ok $? "make install into a folder"
sed 's/^/# /' "$tmp/log" | tail -n 5
share=$tmp/root/usr/local/share

page=$share/man/man1/reidle.1
commands=$("$build/reidle" --help | sed -n 's/^  reidle \([a-z]*\) .*/\1/p' | sort -u)
options=$("$build/reidle" --help | sed -n 's/^ .*--\([a-z-]*\).*/\1/p' | sort -u)
[ "$(echo "$commands" | wc -l)" -ge 5 ] && [ "$(echo "$options" | wc -l)" -ge 30 ]
ok $? "the program lists its commands and options"
missing=
for c in $commands; do grep -q "^\.It Nm Cm $c " "$page" || missing="$missing $c"; done
for o in $options; do grep -q "Fl Fl $o\b" "$page" || missing="$missing $o"; done
[ -z "$missing" ]
ok $? "the man page has each of them${missing:+, but not$missing}"
for key in zoom-in explain export; do grep -q "^$key" "$page" || missing="$missing $key"; done
[ -z "$missing" ]
ok $? "and the keys of the screen"
if command -v mandoc >/dev/null 2>&1; then
	mandoc -T lint -W warning "$page" >"$tmp/lint" 2>&1
	ok $? "mandoc has nothing to warn about"
	sed 's/^/# /' "$tmp/lint"
else
	skip "mandoc is not installed"
fi

bash -c '. "$1"
	COMP_WORDS=(reidle --for) COMP_CWORD=1; _reidle; [ "${COMPREPLY[*]}" = --format ] || exit 1
	COMP_WORDS=(reidle report --format j) COMP_CWORD=3; _reidle; [ "${COMPREPLY[*]}" = json ] || exit 2
	COMP_WORDS=(reidle wha) COMP_CWORD=1; _reidle; [ "${COMPREPLY[*]}" = whatif ] || exit 3
	COMP_WORDS=(reidle report samples/p9-61-w) COMP_CWORD=2; _reidle
	[[ " ${COMPREPLY[*]} " = *" samples/p9-61-w100.dat "* ]] || exit 4' bash "$share/bash-completion/completions/reidle"
ok $? "bash completes options, their values, commands and files"
for shell in zsh fish; do
	case $shell in
	zsh) file=$share/zsh/vendor-completions/_reidle ;;
	fish) file=$share/fish/vendor_completions.d/reidle.fish ;;
	esac
	if command -v $shell >/dev/null 2>&1; then
		$shell -n "$file"
		ok $? "$shell reads its completions"
	else
		skip "$shell is not installed"
	fi
done

for f in include/reidle-governor.h share/reidle/machines/power.tsv share/reidle/samples/p9-61-w100.dat \
	share/reidle/kernel/glue.c; do
	[ -s "$tmp/root/usr/local/$f" ]
	ok $? "$f is installed"
done
[ "$("$tmp/root/usr/local/bin/reidle" --version)" = "$("$build/reidle" --version)" ]
ok $? "the installed program runs"
echo "1..$n"
