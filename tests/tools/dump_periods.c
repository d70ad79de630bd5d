// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dump_periods [-t] [-a] [-p] [-j THREADS] [-i INSTANCE] FILE: what the parser made of a recording, in the
 * rows of the expected figures: cpu, kind, state, count, time_ns. -t adds misses, records and losses,
 * -a keeps all events while at it, -p reads damaged files as far as they are whole.
 */
#include "parsers/parser.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void states(int cpu, const struct cpu_trace *c)
{
	uint64_t count[16] = {0};
	int64_t time[16] = {0};

	for (size_t i = 0; i < c->nperiods; i++) {
		const struct period *p = &c->period[i];

		if (p->flags & PERIOD_CUT_END)
			continue;
		count[p->state]++;
		time[p->state] += p->exit_ns - p->enter_ns;
	}
	for (int s = 0; s < 16; s++)
		if (count[s])
			printf("%d\tstate\t%d\t%llu\t%lld\n", cpu, s, (unsigned long long)count[s],
				(long long)time[s]);
}

static void ends(int cpu, const struct cpu_trace *c)
{
	const struct period *last = c->nperiods ? &c->period[c->nperiods - 1] : NULL;

	if (c->orphan_exits)
		printf("%d\torphan_exit\t-\t%llu\t-\n", cpu, (unsigned long long)c->orphan_exits);
	if (last && last->flags & PERIOD_CUT_END)
		printf("%d\topen_tail\t%d\t1\t%lld\n", cpu, last->state,
			(long long)(last->exit_ns - last->enter_ns));
	if (c->reenters)
		printf("%d\treenter\t-\t%llu\t-\n", cpu, (unsigned long long)c->reenters);
}

static void summary(const struct trace *t)
{
	uint64_t holes = 0, kept = 0;

	for (int i = 0; i < t->ncpus; i++) {
		holes += t->cpu[i].nholes;
		kept += t->cpu[i].nevs;
	}
	fprintf(stderr, "%s, clock %s, kernel %s, arch %s, %d CPUs, %llu records, %llu kept, span %lld ns, "
		"holes %llu, lost %llu + %llu unknown, bad pages %llu, bad records %llu, seen %llx, "
		"present %llx, %u names\n", t->format, t->clock, t->kernel, t->arch, t->ncpus,
		(unsigned long long)t->events, (unsigned long long)kept,
		(long long)(t->end_ns - t->origin_ns), (unsigned long long)holes,
		(unsigned long long)t->lost_events, (unsigned long long)t->lost_unknown,
		(unsigned long long)t->bad_pages, (unsigned long long)t->bad_records,
		(unsigned long long)t->seen, (unsigned long long)t->present, t->nnames);
	for (int i = 0; i < t->nwarnings; i++)
		fprintf(stderr, "%s\n", t->warning[i]);
}

static void totals(const struct trace *t)
{
	printf("-\trecords\t-\t%llu\t-\n-\tlost\t-\t%llu\t%llu\n", (unsigned long long)t->events,
		(unsigned long long)t->lost_events, (unsigned long long)t->lost_unknown);
}

static void misses(int cpu, const struct cpu_trace *c)
{
	for (int s = 0; s < 16; s++)
		if (c->missed_above[s] || c->missed_below[s])
			printf("%d\tmiss\t%d\t%llu\t%llu\n", cpu, s, (unsigned long long)c->missed_above[s],
				(unsigned long long)c->missed_below[s]);
}

int main(int argc, char **argv)
{
	struct parse_options opt = {.want = EV_WANT_IDLE, .threads = 1};
	struct error err = {0};
	bool more = false;
	struct trace *t;
	int c;

	while ((c = getopt(argc, argv, "tapj:i:")) != -1) {
		more = more || c == 't';
		opt.partial = opt.partial || c == 'p';
		if (c == 'a')
			opt.want = EV_WANT_ALL;
		else if (c == 'j')
			opt.threads = atoi(optarg);
		else if (c == 'i')
			opt.instance = optarg;
		else if (c == '?')
			return EXIT_USAGE;
	}
	t = optind < argc ? parse_file(argv[optind], &opt, &err) : NULL;
	if (!t) {
		fprintf(stderr, "%s\n", err.text);
		return err.code;
	}
	for (int i = 0; i < t->ncpus; i++) {
		states(i, &t->cpu[i]);
		ends(i, &t->cpu[i]);
		if (more)
			misses(i, &t->cpu[i]);
	}
	if (more)
		totals(t);
	summary(t);
	trace_free(t);
	return EXIT_FINE;
}
