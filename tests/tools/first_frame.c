// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * first_frame [-k KEYS] TEXT COMMAND [ARG...]: run a command in a terminal of 100x30; prints the seconds until
 * TEXT is written to it and the CPU seconds (user + system) spent until then, then types KEYS ("Q") and
 * prints the seconds until the command is gone. Exits with 1 when TEXT has not come after a minute.
 */

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 60000

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* of all threads; fields 14 and 15 of /proc/PID/stat, in clock ticks */
static double cpu_of(pid_t pid)
{
	unsigned long user = 0, sys = 0;
	char path[64], line[1024], *p;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (f && fgets(line, sizeof(line), f) && (p = strrchr(line, ')')))
		sscanf(p + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &sys);
	if (f)
		fclose(f);
	return (double)(user + sys) / (double)sysconf(_SC_CLK_TCK);
}

/* what the terminal was sent, as far as a text may still be looked for in it */
struct screen {
	int fd;
	char buf[1 << 16];
	size_t n;
};

/* false: nothing more will come, or not in time */
static bool more(struct screen *s, int timeout_ms)
{
	struct pollfd p = {.fd = s->fd, .events = POLLIN};
	ssize_t got;

	if (s->n > sizeof(s->buf) / 2) {
		memmove(s->buf, s->buf + s->n / 2, s->n - s->n / 2);
		s->n -= s->n / 2;
	}
	if (poll(&p, 1, timeout_ms) <= 0)
		return false;
	got = read(s->fd, s->buf + s->n, sizeof(s->buf) - 1 - s->n);
	if (got <= 0)
		return false;
	for (ssize_t i = 0; i < got; i++)
		if (!s->buf[s->n + (size_t)i])
			s->buf[s->n + (size_t)i] = ' ';
	s->n += (size_t)got;
	s->buf[s->n] = '\0';
	return true;
}

static bool wait_for(struct screen *s, const char *text, double start)
{
	while (!strstr(s->buf, text))
		if (!more(s, PATIENCE_MS) || now() - start > PATIENCE_MS / 1000)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	const char *keys = "Q";
	struct winsize size = {.ws_col = 100, .ws_row = 30};
	static struct screen s;
	double start, cpu;
	pid_t pid;
	bool came;

	if (argc > 2 && !strcmp(argv[1], "-k")) {
		keys = argv[2];
		argv += 2;
		argc -= 2;
	}
	if (argc < 3)
		return fprintf(stderr, "usage: first_frame [-k KEYS] TEXT COMMAND [ARG...]\n"), 2;
	setenv("TERM", "xterm-256color", 1);
	start = now();
	pid = forkpty(&s.fd, NULL, NULL, &size);
	if (!pid) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	came = pid > 0 && wait_for(&s, argv[1], start);
	cpu = cpu_of(pid);
	printf("%.3f %.2f", now() - start, cpu);
	start = now();
	if (write(s.fd, keys, strlen(keys)) < 0)
		came = false;
	while (more(&s, PATIENCE_MS))
		;
	if (pid > 0) {
		kill(pid, SIGKILL); /* it is gone, unless it did not listen */
		waitpid(pid, NULL, 0);
	}
	printf(" %.3f\n", now() - start);
	return !came;
}
