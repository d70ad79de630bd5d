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
#define GLANCE_MS 100	  /* so often the receiver is asked whether it still waits */
#define LINE_MAX_LEN 16384

/* one printing of a window, over as many children as it takes */
struct session {
	const struct raw_world *w;
	const struct raw_window *window;
	bool (*next)(void *ctx, struct raw_event *ev);
	void *ctx;
	const struct raw_sink *sink;
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

/* a line as one line, whatever is in the event; in front of it what the receiver shall not have to parse */
static void put_line(FILE *out, const struct raw_event *ev, const char *text)
{
	fprintf(out, "%lld %d ", (long long)ev->at_ns, ev->cpu);
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

/* the screen's handlers would repair a terminal that is not the child's, and so would its end of memory */
static void forget_handlers(void)
{
	static const int all[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGHUP, SIGQUIT, SIGINT};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		signal(all[i], SIG_DFL);
	oom_hook(NULL);
}

/* in the child: from the first event not shown yet to the end; careful: each line leaves at once */
static void child(const struct session *s, int fd, bool careful)
{
	FILE *out = fdopen(fd, "w");
	struct renderer *r;
	struct raw_event ev;
	uint64_t index = 0;

	forget_handlers();
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
			put_line(out, &ev, hex ? hex : renderer_line(r, &ev));
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
		struct raw_line l;
		char *rest;

		*nl = '\0';
		l.at_ns = strtoll(p, &rest, 10);
		l.cpu = (int)strtol(rest, &rest, 10);
		l.text = rest + (*rest == ' ');
		s->stopped = s->sink->line(s->sink->to, &l);
		s->shown++;
		p = nl + 1;
	}
	n -= (size_t)(p - buf);
	memmove(buf, p, n);
	return n;
}

/* false when there is nothing more to wait for */
static bool readable(struct session *s, int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	for (int waited = 0; waited < PATIENCE_MS; waited += GLANCE_MS) {
		int got = poll(&p, 1, GLANCE_MS);

		if (got > 0)
			return true;
		if (got < 0 && errno != EINTR)
			return false;
		if (s->sink->waiting && s->sink->waiting(s->sink->to)) {
			s->stopped = true;
			return false;
		}
	}
	return false;
}

/* true when the child came to its end by itself, or nobody wants more */
static bool receive(struct session *s, int fd, pid_t pid)
{
	char buf[LINE_MAX_LEN];
	size_t n = 0;
	int status = 0;
	ssize_t got = 0;

	while (!s->stopped && readable(s, fd)) {
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
	bool (*next)(void *ctx, struct raw_event *ev), void *ctx, const struct raw_sink *sink,
	struct error *err)
{
	struct session s = {.w = w, .window = window, .next = next, .ctx = ctx, .sink = sink};
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
