// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mutate FEED COUNT SEED FILE...: change files at random and give each result to the feed, from a buffer of
 * exactly its size. A case fails that takes over two seconds of CPU time, holds more than four times its
 * size and 256 MB at once, or leaves memory behind; a crash, a report of the sanitizer, or five seconds
 * end the run. Cases have numbers, from SEED on; one comes back alone as COUNT 1 with its number as SEED.
 */
#include "tests/fuzz/change.h"
#include "tests/fuzz/fault.h"
#include "tests/fuzz/memory.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECONDS 2
#define SECONDS_HUNG 5
#define WALL_HUNG 120
#define ROOM (256LL << 20)
#define FILE_MAX (4U << 20)
#define BINARY_WHOLE 50 /* of so many cases of a feed that takes pieces, one is a whole file */

struct outcome {
	unsigned long long inputs, taken, failed;
	double slowest;
	long long largest;
};

/* for the last words of a run that ends in the middle of a case */
static const char *feed_name;
static volatile unsigned long long case_number;

static void say_case(void)
{
	char line[120];
	int n = snprintf(line, sizeof(line), "%s case %llu: ended here\n", feed_name, case_number);

	if (write(STDOUT_FILENO, line, (size_t)n) < 0)
		_exit(1);
}

static void on_signal(int sig)
{
	say_case();
	if (sig == SIGPROF || sig == SIGALRM)
		_exit(1);
	raise(sig); /* the default action is back: SA_RESETHAND */
}

#ifdef __SANITIZE_ADDRESS__
void __sanitizer_set_death_callback(void (*callback)(void));
#endif

static void watch_for_the_end(void)
{
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
	const int limits[] = {SIGPROF, SIGALRM, SIGABRT}, crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		sigaction(limits[i], &sa, NULL);
#ifdef __SANITIZE_ADDRESS__
	(void)crashes;
	__sanitizer_set_death_callback(say_case);
#else
	for (size_t i = 0; i < sizeof(crashes) / sizeof(*crashes); i++)
		sigaction(crashes[i], &sa, NULL);
#endif
}

static void start_clocks(bool on)
{
	struct itimerval t = {.it_value.tv_sec = on ? SECONDS_HUNG : 0};

	setitimer(ITIMER_PROF, &t, NULL);
	alarm(on ? WALL_HUNG : 0);
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct bytes load(const char *path)
{
	FILE *f = fopen(path, "re");
	struct bytes b = {malloc(FILE_MAX), 0};

	if (!f) {
		perror(path);
		exit(2);
	}
	b.size = fread(b.data, 1, FILE_MAX, f);
	b.data = realloc(b.data, b.size + 1);
	fclose(f);
	return b;
}

/* a file, or a piece of it, changed, in a buffer of its size */
static struct bytes make_case(struct change *c)
{
	const struct bytes *file = &c->seed[change_below(c, c->nseeds)];
	size_t n = file->size, at = 0;
	struct bytes b;
	uint8_t *exact;

	if (c->feed->piece && change_below(c, BINARY_WHOLE)) {
		n = 1 + change_below(c, c->feed->piece);
		n = n < file->size ? n : file->size;
		at = change_below(c, 4) ? change_below(c, file->size - n + 1) : 0;
	}
	b = (struct bytes){malloc(n + 1), n};
	memcpy(b.data, file->data + at, n);
	change_some(c, &b);
	exact = malloc(b.size ? b.size : 1);
	memcpy(exact, b.data, b.size);
	free(b.data);
	b.data = exact;
	return b;
}

static void fails(struct outcome *o, unsigned long long number, const char *what, double figure)
{
	printf("%s case %llu: %s %.2f\n", feed_name, number, what, figure);
	fflush(stdout);
	o->failed++;
}

/* what is kept from a first use stays without harm; what is lost is lost again every time */
static long long leaked(const struct feed *f, const struct bytes *b, long long before)
{
	long long lost = memory_live() - before;

	for (int again = 0; again < 3 && lost > 0; again++) {
		before = memory_live();
		f->take(b->data, b->size);
		lost = memory_live() - before;
	}
	return lost;
}

static void run_case(struct change *c, unsigned long long number, struct outcome *o)
{
	struct bytes b = make_case(c);
	long long before = memory_mark(), most, lost;
	double start = cpu_seconds(), took;

	start_clocks(true);
	o->taken += c->feed->take(b.data, b.size);
	took = cpu_seconds() - start;
	most = memory_peak() - before;
	lost = leaked(c->feed, &b, before);
	start_clocks(false);
	o->slowest = took > o->slowest ? took : o->slowest;
	o->largest = most > o->largest ? most : o->largest;
	o->inputs++;
	if (took > SECONDS)
		fails(o, number, "seconds of CPU time:", took);
	else if (most > ROOM + 4 * (long long)b.size)
		fails(o, number, "MB held at once:", (double)most / 1e6);
	else if (lost > 0)
		fails(o, number, "bytes left behind:", (double)lost);
	free(b.data);
}

static void usage(void)
{
	fputs("usage: mutate FEED COUNT SEED FILE...; feeds:", stderr);
	for (int i = 0; feed_list[i]; i++)
		fprintf(stderr, " %s", feed_list[i]->name);
	fputs("\n", stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	const struct feed *f = argc > 4 ? feed_find(argv[1]) : NULL;
	int nfiles = argc - 4;
	unsigned long long count, seed;
	struct outcome o = {0};
	struct bytes *files;

	if (!f && argc > 4)
		f = fault_find(argv[1]);
	if (!f)
		usage();
	count = strtoull(argv[2], NULL, 10);
	seed = strtoull(argv[3], NULL, 10);
	feed_name = f->name;
	memory_watch();
	watch_for_the_end();
	files = calloc((size_t)nfiles, sizeof(*files));
	for (int i = 0; i < nfiles; i++)
		files[i] = load(argv[i + 4]);
	for (unsigned long long i = 0; i < count; i++) {
		struct change c = {(seed + i) * 0x9e3779b97f4a7c15ULL | 1, f, files, (size_t)nfiles};

		case_number = seed + i;
		run_case(&c, seed + i, &o);
	}
	printf("%s: %llu inputs, %llu taken, slowest %.2f s, largest %.1f MB, %llu failures\n", f->name, o.inputs,
		o.taken, o.slowest, (double)o.largest / 1e6, o.failed);
	for (int i = 0; i < nfiles; i++)
		free(files[i].data);
	free(files);
	return o.failed ? 1 : 0;
}
