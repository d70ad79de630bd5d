// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wakeload SECONDS: a small load for recordings. One thread per CPU sleeps for lengths that vary from
 * tens of microseconds to tens of milliseconds; two threads pass a token to and fro.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct worker {
	pthread_t thread;
	uint32_t seed;
	int in, out;
	int64_t end_ns;
};

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void *sleeper(void *arg)
{
	struct worker *w = arg;

	while (now_ns() < w->end_ns) {
		/* lengths of every order of magnitude alike */
		struct timespec ts = {0, 20000L << (w->seed >> 16) % 11};

		w->seed = w->seed * 1103515245 + 12345;
		nanosleep(&ts, NULL);
	}
	return NULL;
}

static void *player(void *arg)
{
	struct worker *w = arg;
	char token = 't';

	/* a pause between the passes, so that the other's CPU goes idle and is woken from here */
	while (now_ns() < w->end_ns && read(w->in, &token, 1) == 1) {
		usleep(200);
		if (write(w->out, &token, 1) != 1)
			break;
	}
	close(w->out);
	return NULL;
}

int main(int argc, char **argv)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int64_t end = now_ns() + (int64_t)(1e9 * (argc > 1 ? atof(argv[1]) : 3));
	struct worker *w = calloc((size_t)cpus + 2, sizeof(*w));
	int a[2], b[2];

	if (!w || pipe(a) || pipe(b))
		return 1;
	for (long i = 0; i < cpus + 2; i++)
		w[i] = (struct worker){.seed = (uint32_t)i * 7919 + 1, .end_ns = end};
	w[cpus].in = a[0];
	w[cpus].out = b[1];
	w[cpus + 1].in = b[0];
	w[cpus + 1].out = a[1];
	for (long i = 0; i < cpus + 2; i++)
		if (pthread_create(&w[i].thread, NULL, i < cpus ? sleeper : player, &w[i]))
			return 1;
	if (write(a[1], "t", 1) != 1)
		return 1;
	for (long i = 0; i < cpus + 2; i++)
		pthread_join(w[i].thread, NULL);
	free(w);
	return 0;
}
