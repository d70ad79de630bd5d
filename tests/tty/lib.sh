# Helpers of the pty tests: a private tmux server, and polling instead of sleeping.
. tests/script/lib.sh

command -v tmux >/dev/null || { echo "1..0 # SKIP tmux is not installed"; exit 0; }
socket=reidle-test-$$
trap 'tmux -L "$socket" kill-server 2>/dev/null; rm -rf "$dir"' EXIT

# a chroot or container without /dev/pts has no terminals to give
tmux -L "$socket" -f /dev/null new-session -d 'exec cat' 2>/dev/null &&
	tmux -L "$socket" kill-server || { echo "1..0 # SKIP tmux cannot start a terminal here"; exit 0; }

tm()
{
	tmux -L "$socket" -f /dev/null "$@"
}

# open WxH COMMAND: a shell command in a terminal of that size; its exit status lands in $dir/status
open()
{
	tm kill-server 2>/dev/null
	opened=$((${opened:-0} + 1)) # a server that is being killed still answers for a while
	socket=reidle-test-$$-$opened
	rm -f "$dir/status"
	tm new-session -d -x "${1%x*}" -y "${1#*x}" "env TERM=${term:-screen-256color} $2; \
		echo \$? >$dir/status; echo THE-END; exec cat" 2>"$dir/err"
	tm set-option -g remain-on-exit on >/dev/null
	tm set-option -g window-size manual >/dev/null 2>&1
	tm resize-window -x "${1%x*}" -y "${1#*x}" >/dev/null 2>&1
}

look()
{
	tm capture-pane -p >"$dir/look" 2>/dev/null
}

# shows NAME REGEX: within 10 s a line of the screen matches
shows()
{
	for _ in $(seq 100); do
		look
		grep -Eq -- "$2" "$dir/look" && { ok "$1"; return 0; }
		sleep 0.1
	done
	not_ok "$1: nothing like $2 within 10 s" "$dir/look"
	return 1
}

keys()
{
	tm send-keys "$@"
}

# flags NAME WANT: "alternate-screen cursor-visible mouse" of the terminal, polled
flags()
{
	for _ in $(seq 100); do
		got=$(tm display-message -p '#{alternate_on} #{cursor_flag} #{mouse_any_flag}' 2>/dev/null)
		[ "$got" = "$2" ] && { ok "$1"; return 0; }
		sleep 0.1
	done
	not_ok "$1: alternate, cursor, mouse are $got, not $2"
}

# ended NAME STATUS: the program has ended with it
ended()
{
	shows "$1: it ends" THE-END
	if [ "$(cat "$dir/status" 2>/dev/null)" = "$2" ]; then
		ok "$1: exit $2"
	else
		not_ok "$1: exit $(cat "$dir/status"), not $2"
	fi
}

# program_pid: of the reidle in the pane
program_pid()
{
	for _ in $(seq 50); do
		pid=$(pgrep -P "$(tm display-message -p '#{pane_pid}')" reidle 2>/dev/null) && { echo "$pid"; return; }
		sleep 0.1
	done
}
