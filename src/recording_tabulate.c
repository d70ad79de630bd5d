// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/recording_tabulate.h"

#include <stdlib.h>
#include <string.h>

#include "src/recording_subject.h"

const char *groups_of(const struct options *o)
{
	if (o->by)
		return o->by;
	if (o->style && !strncmp(o->style, "cluster", 7))
		return "cluster";
	return o->style && !strncmp(o->style, "reference", 9) ? "cpu" : "all";
}

/* the paces of run 0's wake-ups, and the same stretches of every run */
static int by_period(struct tabulated *t, const struct run *const *runs, size_t n, int64_t event_cost_ns,
	const struct options *o, struct error *err)
{
	bool *cpus = NULL;
	int ret = 0;

	if (!runs[0]->trace)
		return error_set(err, EXIT_USAGE, "dumps have no timeline for --by period");
	if (o->cpus) {
		cpus = options_cpus(o->cpus, runs[0]->ncpus, err);
		if (!cpus)
			return -1;
	}
	phases_find(&t->phases, runs[0], cpus);
	if (!t->phases.n)
		ret = error_set(err, EXIT_USAGE, "%s: no CPU is woken at a steady pace for 300 ms, so "
			"--by period has nothing to show", runs[0]->trace->path);
	for (t->n = 0; t->n < n && !ret; t->n += !ret)
		ret = facts_by_phase(&t->facts[t->n], runs[t->n], &t->phases, cpus, event_cost_ns, err);
	free(cpus);
	return ret;
}

static int by_cpus(struct tabulated *t, const struct run *const *runs, size_t n, const char *by,
	int64_t span_ns, const struct options *o, struct error *err)
{
	int ret = subject_groups(&t->groups, by, runs[0], o, err);

	for (t->n = 0; t->n < n && !ret; t->n += !ret)
		ret = facts_build(&t->facts[t->n], runs[t->n], &t->groups, span_ns, err);
	return ret;
}

int tabulate(struct tabulated *t, const struct run *const *runs, size_t n, const char *by,
	int64_t span_ns, int64_t event_cost_ns, const struct options *o, struct error *err)
{
	int ret;

	memset(t, 0, sizeof(*t));
	t->facts = xcalloc(n, sizeof(*t->facts));
	if (!strcmp(by, "period"))
		ret = by_period(t, runs, n, event_cost_ns, o, err);
	else
		ret = by_cpus(t, runs, n, by, span_ns, o, err);
	if (ret)
		tabulated_free(t);
	return ret;
}

void tabulated_free(struct tabulated *t)
{
	for (size_t i = 0; i < t->n; i++)
		facts_free(&t->facts[i]);
	free(t->facts);
	grouping_free(&t->groups);
	phases_free(&t->phases);
	memset(t, 0, sizeof(*t));
}
