// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * by_length FILE OPTIONS...: the options of reidle whatif; the idle time of the CPUs in --cpus, shared
 * out over the states, grouped by the length of the sojourn. One line per run and group:
 * run, from us, to us, sojourns, then per state: share of the idle time %, uses, above.
 */
#include "replay/free.h"
#include "src/recording_whatif.h"

#include <stdlib.h>
#include <string.h>

static const int64_t bound_us[] = {0, 20, 50, 80, 100, 120, 200, 500, 1100, 1000000000};

#define GROUPS ((int)ARRAY_SIZE(bound_us) - 1)

struct group {
	uint64_t sojourns, uses[STATES_MAX], above[STATES_MAX];
	int64_t time_ns[STATES_MAX];
};

static int group_of(int64_t ns)
{
	int g = 0;

	while (g + 1 < GROUPS && ns >= bound_us[g + 1] * NSEC_PER_USEC)
		g++;
	return g;
}

static void add_period(struct group *g, const struct period *p, const struct state_table *t,
	int64_t event_ns)
{
	int64_t length_ns = p->exit_ns - p->enter_ns;
	bool above = p->flags & PERIOD_MISS_ABOVE;

	if (!(p->flags & PERIOD_JUDGED))
		above = machine_verdict(t, p->state, length_ns - event_ns) == VERDICT_ABOVE;
	g->uses[p->state]++;
	g->above[p->state] += above;
	g->time_ns[p->state] += length_ns;
}

static void add_cpu(struct group *groups, const struct run *r, const struct sojourns *s, int cpu)
{
	const struct sojourns_cpu *c = &s->cpu[cpu];
	const struct run_cpu *rc = &r->cpu[cpu];
	size_t k = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct sojourn *so = &c->sojourn[i];
		struct group *g = &groups[group_of(so->end_ns - so->start_ns)];

		g->sojourns++;
		for (; k < rc->nperiods && rc->period[k].enter_ns < so->end_ns; k++)
			if (rc->period[k].enter_ns >= so->start_ns)
				add_period(g, &rc->period[k], machine_table(&r->machine, cpu),
					s->costs.event_ns);
	}
}

static void print_group(const struct run *r, const struct group *g, int i)
{
	int64_t all_ns = 0;

	for (int k = 0; k < STATES_MAX; k++)
		all_ns += g->time_ns[k];
	printf("%s\t%lld\t%lld\t%llu", r->label, (long long)bound_us[i], (long long)bound_us[i + 1],
		(unsigned long long)g->sojourns);
	for (int k = 0; k < r->machine.tables[0].nstates; k++)
		printf("\t%.2f\t%llu\t%llu",
			all_ns ? 100.0 * (double)g->time_ns[k] / (double)all_ns : 0.0,
			(unsigned long long)g->uses[k], (unsigned long long)g->above[k]);
	putchar('\n');
}

static int print_run(const struct whatif *w, const struct run *r, const struct options *o,
	struct error *err)
{
	struct group groups[GROUPS] = {0};
	bool *cpus = options_cpus(o->cpus, r->ncpus, err);

	if (!cpus)
		return -1;
	for (int i = 0; i < r->ncpus; i++)
		if (cpus[i])
			add_cpu(groups, r, &w->sojourns, i);
	free(cpus);
	for (int i = 0; i < GROUPS; i++)
		print_group(r, &groups[i], i);
	return 0;
}

int main(int argc, char **argv)
{
	struct error err = {0};
	struct options o;
	struct whatif w;
	int ret = 0;

	if (options_parse(&o, argc, argv, &err) || o.files.n != 1 ||
		whatif_open(&w, o.files.s[0], &o, &err)) {
		fprintf(stderr, "by_length: %s\n", *err.text ? err.text : "one recording, please");
		return 2;
	}
	for (size_t i = 0; i < w.nruns && !ret; i++)
		ret = print_run(&w, &w.run[i], &o, &err);
	if (ret)
		fprintf(stderr, "by_length: %s\n", err.text);
	whatif_close(&w);
	options_free(&o);
	return ret ? 1 : 0;
}
