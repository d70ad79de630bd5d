// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_text FILE [ROUNDS]: CPU time of reading trace text against memchr() for its line ends, over the
 * same bytes in memory, in one run. Prints MB/s and the ratio of the best rounds.
 */
#include "parsers/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static double cpu_seconds(void)
{
	struct rusage ru;

	getrusage(RUSAGE_SELF, &ru);
	return (double)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) +
		(double)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1e6;
}

static size_t count_lines(struct text_span text)
{
	size_t lines = 0;

	for (const char *p = text.s; p < text.end; lines++) {
		p = memchr(p, '\n', (size_t)(text.end - p));
		if (!p)
			break;
		p++;
	}
	return lines;
}

static uint64_t parse(struct text_span text, uint64_t want)
{
	struct parse_options opt = {.want = want, .threads = 1};
	struct trace *t = trace_new("bench", want);
	struct error err;
	uint64_t events;

	if (text_parse_bytes("bench", text, NULL, &opt, t, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	events = t->events;
	trace_free(t);
	return events;
}

static double best(double old, double start)
{
	double took = cpu_seconds() - start;

	return took < old ? took : old;
}

static struct text_span read_all(const char *path)
{
	FILE *f = fopen(path, "re");
	char *data;
	long size;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) <= 0) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(1);
	}
	rewind(f);
	data = xrealloc(NULL, (size_t)size, 1);
	if (fread(data, 1, (size_t)size, f) != (size_t)size)
		exit(1);
	fclose(f);
	return (struct text_span){data, data + size};
}

int main(int argc, char **argv)
{
	double scan = 1e9, idle = 1e9, all = 1e9, mb;
	int rounds = argc > 2 ? atoi(argv[2]) : 5;
	struct text_span text;
	size_t lines = 0;

	if (argc < 2) {
		fputs("usage: bench_text FILE [ROUNDS]\n", stderr);
		return 2;
	}
	text = read_all(argv[1]);
	mb = (double)(text.end - text.s) / 1e6;
	for (int i = 0; i < rounds; i++) {
		double start = cpu_seconds();

		lines = count_lines(text);
		scan = best(scan, start);
		start = cpu_seconds();
		parse(text, EV_WANT_IDLE);
		idle = best(idle, start);
		start = cpu_seconds();
		parse(text, EV_WANT_ALL);
		all = best(all, start);
	}
	printf("text: %.0f MB, %zu lines; memchr %.0f MB/s; idle events %.0f MB/s = %.2f x memchr; "
	       "all events %.0f MB/s = %.2f x memchr\n", mb, lines, mb / scan, mb / idle, idle / scan,
		mb / all, all / scan);
	free((char *)text.s);
	return 0;
}
