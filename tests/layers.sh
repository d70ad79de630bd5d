#!/bin/sh
# layers.sh [DIR]: who may include whom (doc/CONTRIBUTING.md, "The rooms"). Prints each arrow that
# points the wrong way and exits 1. With DIR, checks another tree: layers.t uses that on bad ones.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

# replay/kernel is not part of the program: it is compiled together with a user's governor file
find src parsers replay views -name '*.[ch]' ! -path 'replay/kernel/*' 2>/dev/null | LC_ALL=C sort | xargs awk '
# the rooms inside src/: the word up to the first _ or . of the file name tells
function part(path,   base)
{
	base = path
	sub(/^src\//, "", base)
	if (base ~ /^(main|app|recording|options|subcommand)(_[a-z0-9_]+)?\.[ch]$/ || base ~ /^cmd_/)
		return "top"
	if (base ~ /^term\.[ch]$/)
		return "term"
	if (base ~ /^(canvas|theme|command|config)(_[a-z0-9_]+)?\.[ch]$/)
		return "frame"
	# machine_text is the model: what a recording says of its machine, without tracefs
	if (base ~ /^record(_[a-z0-9_]+)?\.[ch]$/)
		return "record"
	if (base ~ /^rawevents(_[a-z0-9_]+)?\.[ch]$/)
		return "rawevents"
	return "model"
}
function room(path)
{
	if (path ~ /^src\//)
		return part(path)
	sub(/\/.*/, "", path)
	return path
}
function bad(why)
{
	printf "%s:%d: %s includes %s: %s\n", FILENAME, FNR, from, what, why
	wrong = 1
}
function local_include(to)
{
	if (what !~ /^(src|parsers|replay|views)\//)
		bad("spell the room: \"room/file.h\"")
	else if (!index(allowed[from], " " to " "))
		bad(from " may include" allowed[from] "only")
}
function system_include()
{
	if (what ~ /curses/ && from != "term")
		bad("only src/term.c talks to curses")
	if (what ~ /tracefs/ && from != "record")
		bad("only src/record*.c talk to libtracefs")
	if (what ~ /traceevent|event-parse|kbuffer|trace-seq/ && from != "rawevents" && from != "record")
		bad("only src/rawevents.c talks to libtraceevent")
	if (what ~ /trace-cmd|tracecmd/)
		bad("nobody uses libtracecmd")
	if (from == "replay" && what ~ /^(unistd|fcntl|time|sys\/.*|dlfcn)\.h$/ && FILENAME !~ /plugin/)
		bad("the replay does no I/O and reads no clock")
}
BEGIN {
	allowed["model"] = " model "
	allowed["frame"] = " model frame "
	allowed["term"] = " frame term "
	allowed["parsers"] = " model parsers "
	allowed["replay"] = " model replay "
	allowed["views"] = " model frame replay views "
	allowed["record"] = " model record "
	allowed["rawevents"] = " model rawevents "
	allowed["top"] = " model frame term parsers replay views record rawevents top "
}
FNR == 1 { from = room(FILENAME) }
/^[ \t]*#[ \t]*include[ \t]*"/ {
	what = $0
	sub(/^[^"]*"/, "", what)
	sub(/".*/, "", what)
	local_include(room(what))
}
/^[ \t]*#[ \t]*include[ \t]*</ {
	what = $0
	sub(/^[^<]*</, "", what)
	sub(/>.*/, "", what)
	system_include()
}
from == "replay" && FILENAME !~ /plugin/ &&
/(^|[^a-z_])(fopen|fprintf|printf|puts|popen|system|getenv|clock_gettime|gettimeofday)\(/ {
	printf "%s:%d: the replay does no I/O and reads no clock\n", FILENAME, FNR
	wrong = 1
}
END { exit wrong }' || exit 1
