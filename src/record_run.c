// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording from beginning to end: the command, the clock, signals, words on the way. */
#include "src/record_machine.h"
#include "src/record_session.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* pages are fetched this often; rarely, because each time wakes a CPU that may have been idle */
#define DRAIN_MS 500

struct watch {
	int signals; /* signalfd of what may end the recording */
	pid_t child; /* 0: none */
	sigset_t set, before;
	int64_t start_ns;
	bool tty, estimated;
};

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static int watch_signals(struct watch *w, struct error *err)
{
	sigemptyset(&w->set);
	sigaddset(&w->set, SIGINT);
	sigaddset(&w->set, SIGTERM);
	sigaddset(&w->set, SIGHUP);
	sigaddset(&w->set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &w->set, &w->before);
	w->signals = signalfd(-1, &w->set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (w->signals < 0)
		return error_set(err, EXIT_INTERNAL, "record: signalfd: %s", strerror(errno));
	return 0;
}

static int start_command(struct watch *w, const struct record_plan *plan, struct error *err)
{
	char **argv;

	if (!plan->ncommand)
		return 0;
	argv = xcalloc(plan->ncommand + 1, sizeof(*argv));
	memcpy(argv, plan->command, plan->ncommand * sizeof(*argv));
	w->child = fork();
	if (!w->child) {
		sigprocmask(SIG_SETMASK, &w->before, NULL);
		execvp(argv[0], argv);
		fprintf(stderr, "reidle: %s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	free(argv);
	if (w->child < 0) {
		w->child = 0;
		return error_set(err, EXIT_INTERNAL, "record: fork: %s", strerror(errno));
	}
	return 0;
}

/* true when the recording is to end: a signal, or the command is done */
static bool take_signal(struct watch *w)
{
	struct signalfd_siginfo info;

	while (read(w->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGCHLD)
			return true;
		if (w->child && waitpid(w->child, NULL, WNOHANG) == w->child) {
			w->child = 0;
			return true;
		}
	}
	return false;
}

static void say_progress(struct watch *w, const struct record_session *s)
{
	double sec = (double)(now_ns() - w->start_ns) / NSEC_PER_SEC;
	double mb = (double)s->bytes / 1e6;

	if (!w->estimated && sec >= 1) {
		w->estimated = true;
		record_say(s, "%.2f MB a second%s", mb / sec, w->tty ? "" : " so far");
	}
	if (w->tty && s->words)
		fprintf(s->words, "\r%6.1f s  %8.1f MB  lost %llu ", sec, mb,
			(unsigned long long)record_session_lost(s));
}

/* until the time is over, the command is done, or a signal comes */
static int watch_recording(struct watch *w, struct record_session *s, struct error *err)
{
	int64_t end = s->plan->seconds > 0 ? w->start_ns + (int64_t)(s->plan->seconds * 1e9) : INT64_MAX;
	struct pollfd p = {.fd = w->signals, .events = POLLIN};
	bool done = false;

	while (!done) {
		int64_t left = (end - now_ns()) / NSEC_PER_MSEC + 1;

		poll(&p, 1, (int)min64(DRAIN_MS, max64(left, 0)));
		done = take_signal(w) || now_ns() >= end;
		if (record_session_drain(s, false, err))
			return -1;
		say_progress(w, s);
	}
	if (w->tty && s->words)
		fputc('\n', s->words);
	return 0;
}

/* without the machine inside, the recording is still one: its table then has to lie beside it */
static void mark_machine(struct record_session *s, const char *text)
{
	struct error why;

	if (record_session_mark(s, text, &why))
		record_say(s, "%s: keep the machine's table with it (grep -r . "
			"/sys/devices/system/cpu/cpu*/cpuidle > NAME.sysfs.txt)", why.text);
}

/* the description is read before tracing starts and written when it runs: few events come between */
static int begin(struct record_session *s, struct error *err)
{
	char *text = record_machine_text(s->root, s->ncpus, "before");
	int ret = record_session_trace(s, true, err);

	if (!ret)
		mark_machine(s, text);
	free(text);
	return ret;
}

static int finish(struct record_session *s, struct error *err)
{
	char *text = record_machine_text(s->root, s->ncpus, "after");
	uint64_t lost;

	mark_machine(s, text);
	free(text);
	if (record_session_trace(s, false, err) || record_session_drain(s, true, err) ||
		record_session_write(s, err))
		return -1;
	lost = record_session_lost(s);
	record_say(s, "%s: %.1f MB of events", s->plan->output, (double)s->bytes / 1e6);
	if (lost)
		record_say(s, "%llu events were lost: the holes are marked in the recording; --light or "
			"a shorter load loses fewer", (unsigned long long)lost);
	return 0;
}

static void end_command(struct watch *w)
{
	if (!w->child)
		return;
	kill(w->child, SIGTERM);
	waitpid(w->child, NULL, 0);
}

int record_run(const struct record_plan *plan, struct error *err)
{
	struct record_session s = {.plan = plan, .root = "", .words = plan->quiet ? NULL : stderr};
	struct watch w = {.signals = -1, .tty = isatty(STDERR_FILENO)};
	int ret = watch_signals(&w, err);

	if (!ret)
		ret = record_session_open(&s, err);
	if (!ret)
		ret = begin(&s, err);
	w.start_ns = now_ns();
	if (!ret)
		ret = start_command(&w, plan, err);
	if (!ret)
		ret = watch_recording(&w, &s, err);
	if (!ret)
		ret = finish(&s, err);
	end_command(&w);
	record_session_close(&s);
	if (w.signals >= 0)
		close(w.signals);
	sigprocmask(SIG_SETMASK, &w.before, NULL);
	return ret;
}
