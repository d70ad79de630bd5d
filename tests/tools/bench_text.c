// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_text FILE|LINES [ROUNDS]: CPU time of reading trace text against memchr() for its line ends, over
 * the same bytes in memory, in one run. A number makes as many lines as trace-cmd report prints them.
 * Prints MB/s and the ratio of the best rounds; exit 1 when idle events, or these with the windows of all
 * others that a report of a huge text keeps, cost more than 5 x memchr.
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

/* @above: bytes beyond which only windows are kept, 0 never */
static uint64_t parse(struct text_span text, uint64_t want, uint64_t above)
{
	struct parse_options opt = {.want = want, .threads = 1, .sample_above = above};
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

/* eight CPUs, each: idle, a tick or a wake-up with its timer and switches; the mix of a recording for replay */
static int make_line(char *out, size_t size, unsigned long i)
{
	unsigned long cpu = i % 8, step = i / 8 % 8, us = i;
	char head[80];

	snprintf(head, sizeof(head), "%16s-%-5lu [%03lu] %5lu.%06lu:", step < 6 ? "<idle>" : "kworker/3:1",
		step < 6 ? 0 : 40 + cpu, cpu, 100 + us / 1000000, us % 1000000);
	switch (step) {
	case 0:
		return snprintf(out, size, "%s cpu_idle:             state=%lu cpu_id=%lu\n", head, i / 64 % 4, cpu);
	case 1:
		return snprintf(out, size, "%s cpu_idle:             state=4294967295 cpu_id=%lu\n", head, cpu);
	case 2:
		return snprintf(out, size, "%s irq_handler_entry:    irq=19 name=arch_timer\n", head);
	case 3:
		return snprintf(out, size, "%s hrtimer_start:        hrtimer=0xffff88805bc26418 "
			"function=tick_nohz_handler/0x0 expires=%lu000 softexpires=%lu000\n", head, us, us);
	case 4:
		return snprintf(out, size, "%s irq_handler_exit:     irq=19 ret=handled\n", head);
	case 5:
		return snprintf(out, size, "%s sched_switch:         swapper/%lu:0 [120] R ==> kworker/3:1:%lu [120]\n",
			head, cpu, 40 + cpu);
	case 6:
		return snprintf(out, size, "%s sched_waking:         comm=wakee-1 pid=206 prio=120 target_cpu=%03lu\n",
			head, (cpu + 1) % 8);
	default:
		return snprintf(out, size, "%s sched_switch:         kworker/3:1:%lu [120] S ==> swapper/%lu:0 [120]\n",
			head, 40 + cpu, cpu);
	}
}

static struct text_span make_text(unsigned long lines)
{
	char *data = xrealloc(NULL, lines * 200, 1), *p = data;

	for (unsigned long i = 0; i < lines; i++)
		p += make_line(p, 200, i);
	return (struct text_span){data, p};
}

int main(int argc, char **argv)
{
	double scan = 1e9, idle = 1e9, report = 1e9, all = 1e9, mb;
	int rounds = argc > 2 ? atoi(argv[2]) : 5;
	struct text_span text;
	size_t lines = 0;

	if (argc < 2) {
		fputs("usage: bench_text FILE|LINES [ROUNDS]\n", stderr);
		return 2;
	}
	lines = strtoul(argv[1], NULL, 10);
	text = lines ? make_text(lines) : read_all(argv[1]);
	mb = (double)(text.end - text.s) / 1e6;
	for (int i = 0; i < rounds; i++) {
		double start = cpu_seconds();

		lines = count_lines(text);
		scan = best(scan, start);
		start = cpu_seconds();
		parse(text, EV_WANT_IDLE, 0);
		idle = best(idle, start);
		start = cpu_seconds();
		parse(text, EV_WANT_ALL, 1);
		report = best(report, start);
		start = cpu_seconds();
		parse(text, EV_WANT_ALL, 0);
		all = best(all, start);
	}
	printf("text: %.0f MB, %zu lines; memchr %.0f MB/s; idle events %.0f MB/s = %.2f x memchr; "
	       "as a report of a huge text %.0f MB/s = %.2f x memchr; all events %.0f MB/s = %.2f x memchr\n",
		mb, lines, mb / scan, mb / idle, idle / scan, mb / report, report / scan, mb / all, all / scan);
	free((char *)text.s);
	return idle > 5 * scan || report > 5 * scan;
}
