// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/rawevents.h"
#include "src/rawevents_render.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define BROKEN_MAX 64	   /* events that kill a child before the rest is given up */
#define PATIENCE_MS 10000 /* a child that says nothing for so long hangs */
#define LINE_MAX_LEN 16384

/* one printing of a window, over as many children as it takes */
struct session {
	const struct raw_world *w;
	const struct raw_window *window;
	bool (*next)(void *ctx, struct raw_event *ev);
	void *ctx;
	bool (*line)(void *to, const char *text);
	void *to;
	uint64_t shown;		/* events whose line has arrived */
	uint64_t broken[BROKEN_MAX]; /* events, counted from the first of the window */
	int nbroken;
	bool stopped; /* the receiver has enough */
};

static bool is_broken(const struct session *s, uint64_t index)
{
	for (int i = 0; i < s->nbroken; i++)
		if (s->broken[i] == index)
			return true;
	return false;
}

/* a line as one line, whatever is in the event */
static void put_line(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text, out);
	fputc('\n', out);
}

/* at once: whatever a build hangs on the end of a process may need calls that the cage forbids */
static _Noreturn void leave(int status)
{
	for (;;)
		syscall(SYS_exit_group, status);
}

/* in the child: from the first event not shown yet to the end; careful: each line leaves at once */
static void child(const struct session *s, int fd, bool careful)
{
	FILE *out = fdopen(fd, "w");
	struct renderer *r;
	struct raw_event ev;
	uint64_t index = 0;

	renderer_cage();
	r = renderer_new(s->w);
	if (!out || !r)
		leave(1);
	while (s->next(s->ctx, &ev) && ev.at_ns < s->window->to_ns) {
		const char *hex;

		if (ev.at_ns < s->window->from_ns)
			continue;
		hex = is_broken(s, index) ? renderer_hex(r, &ev) : NULL;
		if (index >= s->shown)
			put_line(out, hex ? hex : renderer_line(r, &ev));
		index++;
		if (careful && fflush(out))
			break;
	}
	fflush(out);
	leave(0);
}

/* hand the whole lines over; what is left moves to the front */
static size_t deliver(struct session *s, char *buf, size_t n)
{
	char *p = buf, *nl;

	while (!s->stopped && (nl = memchr(p, '\n', (size_t)(buf + n - p)))) {
		*nl = '\0';
		s->stopped = s->line(s->to, p);
		s->shown++;
		p = nl + 1;
	}
	n -= (size_t)(p - buf);
	memmove(buf, p, n);
	return n;
}

static bool readable(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int got;

	do
		got = poll(&p, 1, PATIENCE_MS);
	while (got < 0 && errno == EINTR);
	return got > 0;
}

/* true when the child came to its end by itself, or nobody wants more */
static bool receive(struct session *s, int fd, pid_t pid)
{
	char buf[LINE_MAX_LEN];
	size_t n = 0;
	int status = 0;
	ssize_t got = 0;

	while (!s->stopped && readable(fd)) {
		got = read(fd, buf + n, sizeof(buf) - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		n = deliver(s, buf, n + (size_t)got);
		if (n == sizeof(buf))
			n = 0; /* longer than any line can be */
	}
	close(fd);
	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return s->stopped || (got == 0 && WIFEXITED(status) && !WEXITSTATUS(status));
}

static int run_child(struct session *s, bool careful, bool *ended, struct error *err)
{
	int fds[2];
	pid_t pid;

	fflush(NULL);
	if (pipe2(fds, O_CLOEXEC))
		return error_set(err, EXIT_INTERNAL, "no pipe for the renderer: %s", strerror(errno));
	pid = fork();
	if (pid < 0) {
		close(fds[0]);
		close(fds[1]);
		return error_set(err, EXIT_INTERNAL, "no process for the renderer: %s", strerror(errno));
	}
	if (!pid) {
		close(fds[0]);
		child(s, fds[1], careful);
	}
	close(fds[1]);
	*ended = receive(s, fds[0], pid);
	return 0;
}

int rawevents_print(const struct raw_world *w, const struct raw_window *window,
	bool (*next)(void *ctx, struct raw_event *ev), void *ctx,
	bool (*line)(void *to, const char *text), void *to, struct error *err)
{
	struct session s = {.w = w, .window = window, .next = next, .ctx = ctx, .line = line, .to = to};
	bool careful = false, ended = false;

	while (!ended) {
		if (run_child(&s, careful, &ended, err))
			return -1;
		if (ended)
			break;
		/* lines were under way when it died: go on event by event to learn which one kills */
		if (careful) {
			if (s.nbroken == BROKEN_MAX)
				return error_set(err, EXIT_INPUT, "the event formats of this recording break "
					"libtraceevent again and again: shown up to the %lluth event",
					(unsigned long long)s.shown);
			s.broken[s.nbroken++] = s.shown;
		}
		careful = !careful;
	}
	return 0;
}
