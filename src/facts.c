// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/quantile.h"

static void grouping_names(struct grouping *g, const struct machine *m, const char *by)
{
	for (int i = 0; i < g->ncpus; i++) {
		char *name = g->of[i] >= 0 ? g->name[g->of[i]] : NULL;

		if (!name)
			continue;
		if (!strcmp(by, "cpu"))
			snprintf(name, sizeof(*g->name), "%d", i);
		else if (!strcmp(by, "cluster") && !*name)
			snprintf(name, sizeof(*g->name), "%d", m->table_of[i < m->ncpus ? i : 0]);
		else if (!*name)
			snprintf(name, sizeof(*g->name), "all");
	}
}

int grouping_make(struct grouping *g, const char *by, const struct machine *m, int ncpus,
	const bool *cpus, struct error *err)
{
	bool cpu, cluster;
	int next = 0, key, *group_of_key;

	by = by ? by : "all";
	cpu = !strcmp(by, "cpu");
	cluster = !strcmp(by, "cluster");
	if (!cpu && !cluster && strcmp(by, "all"))
		return error_set(err, EXIT_USAGE, "--by takes cpu, cluster, period or all, and with --topology "
			"the levels it names (core=2): not '%s'", by);
	memset(g, 0, sizeof(*g));
	g->ncpus = ncpus;
	g->of = xcalloc((size_t)ncpus, sizeof(*g->of));
	group_of_key = xcalloc((size_t)(ncpus + m->ntables), sizeof(*group_of_key));
	for (int i = 0; i < ncpus; i++) {
		key = cpu ? i : cluster && i < m->ncpus ? m->table_of[i] : 0;
		g->of[i] = -1;
		if (cpus && !cpus[i])
			continue;
		if (!group_of_key[key])
			group_of_key[key] = ++next;
		g->of[i] = group_of_key[key] - 1;
	}
	free(group_of_key);
	g->n = next;
	g->name = xcalloc((size_t)next, sizeof(*g->name));
	grouping_names(g, m, by);
	copy_text(g->what, sizeof(g->what), cpu || cluster ? by : "");
	return 0;
}

void grouping_of_level(struct grouping *g, const struct topology_level *l, int ncpus, const bool *cpus)
{
	*g = (struct grouping){.n = l->n, .ncpus = ncpus};
	g->of = xcalloc((size_t)ncpus, sizeof(*g->of));
	g->name = xcalloc((size_t)l->n, sizeof(*g->name));
	for (int i = 0; i < ncpus; i++)
		g->of[i] = cpus && !cpus[i] ? -1 : l->of[i];
	for (int i = 0; i < l->n; i++)
		snprintf(g->name[i], sizeof(g->name[i]), "%d", i);
	copy_text(g->what, sizeof(g->what), l->name);
}

void grouping_free(struct grouping *g)
{
	free(g->of);
	free(g->name);
	memset(g, 0, sizeof(*g));
}

void fact_add(struct fact *to, const struct fact *from)
{
	struct state_sum *a = &to->sum;
	const struct state_sum *b = &from->sum;

	a->usage += b->usage;
	a->above += b->above;
	a->below += b->below;
	a->above_recorded += b->above_recorded;
	a->below_recorded += b->below_recorded;
	a->time_ns += b->time_ns;
	a->mean_ns = a->usage ? a->time_ns / (int64_t)a->usage : 0;
	to->span_ns += from->span_ns;
	to->idle_ns += from->idle_ns;
	to->idles += from->idles;
	to->verdicts = from->verdicts;
	to->misses = from->misses;
	to->lengths = false;
	/* means add up by their weight, quantiles do not */
	if (to->wakes + from->wakes)
		to->wake_mean_ns = (int64_t)(((double)to->wake_mean_ns * (double)to->wakes +
			(double)from->wake_mean_ns * (double)from->wakes) /
			(double)(to->wakes + from->wakes));
	else
		to->wake_mean_ns = -1;
	to->wakes += from->wakes;
	to->wake_p99_ns = -1;
}

/* lengths and wake-up latencies of one state, or of all, over the CPUs of one group */
struct spread {
	struct quantile length, delay;
	int64_t delay_sum;
};

static void take_lengths(struct fact *f, struct spread *s)
{
	if (!f->sum.usage)
		return;
	f->sum.p50_ns = quantile_get(&s->length, 0);
	f->sum.p99_ns = quantile_get(&s->length, 1);
	f->lengths = s->length.n > 0;
}

static void take_delays(struct fact *f, struct spread *s)
{
	if (!f->sum.usage)
		return;
	f->wakes = s->delay.n;
	f->wake_mean_ns = s->delay.n ? s->delay_sum / (int64_t)s->delay.n : -1;
	f->wake_p99_ns = s->delay.n ? quantile_get(&s->delay, 1) : -1;
}

/* first pass over the periods of one CPU */
static void spread_count(struct spread *s, const struct run_cpu *c)
{
	for (size_t k = 0; k < c->nperiods; k++) {
		const struct period *p = &c->period[k];

		if (p->flags & PERIOD_CUT_END)
			continue;
		quantile_count(&s[p->state].length, p->exit_ns - p->enter_ns);
		if (!p->delay_ns)
			continue;
		quantile_count(&s[p->state].delay, p->delay_ns);
		s[p->state].delay_sum += p->delay_ns;
	}
}

/* second pass */
static void spread_keep(struct spread *s, const struct run_cpu *c)
{
	for (size_t k = 0; k < c->nperiods; k++) {
		const struct period *p = &c->period[k];

		if (p->flags & PERIOD_CUT_END)
			continue;
		quantile_keep(&s[p->state].length, p->exit_ns - p->enter_ns);
		quantile_keep(&s[STATES_MAX].length, p->exit_ns - p->enter_ns);
		if (!p->delay_ns)
			continue;
		quantile_keep(&s[p->state].delay, p->delay_ns);
		quantile_keep(&s[STATES_MAX].delay, p->delay_ns);
	}
}

/* one CPU, or all of them, of a recording without delays: its sums have all that is needed */
static bool describe_from_sums(struct fact_group *out, const struct run *r, const struct grouping *g,
	int group)
{
	const struct state_sum *sum = r->total;
	const struct run_lengths *any = &r->any;

	if (!r->recorded || r->delays || (out->ncpus != 1 && out->ncpus != r->ncpus))
		return false;
	for (int i = 0; i < r->ncpus && out->ncpus == 1; i++)
		if (g->of[i] == group) {
			sum = r->cpu[i].state;
			any = &r->cpu[i].any;
		}
	if (!any->known)
		return false;
	for (int s = 0; s < STATES_MAX; s++) {
		out->state[s].sum.p50_ns = sum[s].p50_ns;
		out->state[s].sum.p99_ns = sum[s].p99_ns;
		out->state[s].lengths = sum[s].usage > 0;
	}
	out->total.sum.p50_ns = any->p50_ns;
	out->total.sum.p99_ns = any->p99_ns;
	out->total.lengths = true;
	return true;
}

/* both passes over the periods of one group; the last spread is that of all states */
static void spread_over(struct spread s[STATES_MAX + 1], const struct run *r, const struct grouping *g,
	int group)
{
	struct spread *all = &s[STATES_MAX];

	for (int i = 0; i < r->ncpus; i++)
		if (g->of[i] == group)
			spread_count(s, &r->cpu[i]);
	for (int k = 0; k < STATES_MAX; k++) {
		quantile_merge(&all->length, &s[k].length);
		quantile_merge(&all->delay, &s[k].delay);
		all->delay_sum += s[k].delay_sum;
	}
	for (int k = 0; k <= STATES_MAX; k++) {
		quantile_aim(&s[k].length, 0.50, 0.99);
		quantile_aim(&s[k].delay, 0.50, 0.99);
	}
	for (int i = 0; i < r->ncpus; i++)
		if (g->of[i] == group)
			spread_keep(s, &r->cpu[i]);
}

/* what is known of each state and of all of them over the CPUs of one group */
static void take_spread(struct fact_group *out, const struct run *r, const struct grouping *g, int group,
	bool lengths, bool delays)
{
	struct spread s[STATES_MAX + 1] = {0};

	spread_over(s, r, g, group);
	for (int k = 0; k <= STATES_MAX; k++) {
		struct fact *f = k < STATES_MAX ? &out->state[k] : &out->total;

		if (lengths)
			take_lengths(f, &s[k]);
		if (delays)
			take_delays(f, &s[k]);
		quantile_free(&s[k].length);
		quantile_free(&s[k].delay);
	}
}

static void describe(struct fact_group *out, const struct run *r, const struct grouping *g, int group)
{
	if (!r->trace)
		return;
	if (!describe_from_sums(out, r, g, group))
		take_spread(out, r, g, group, true, !r->sample);
	if (r->sample)
		take_spread(out, r->sample, g, group, false, true);
}

static void fact_init(struct fact *f, const struct run *r)
{
	f->verdicts = run_judged(r);
	f->misses = r->recorded && r->trace && r->trace->present & EV_BIT(EV_MISS);
	f->wake_mean_ns = f->wake_p99_ns = -1;
}

static bool other_names(const struct state_table *a, const struct state_table *b)
{
	bool other = a->nstates != b->nstates;

	for (int i = 0; i < a->nstates && !other; i++)
		other = strcmp(a->state[i].name, b->state[i].name);
	return other;
}

static void add_cpu(struct fact_group *g, const struct run *r, int cpu, int64_t span_ns)
{
	struct fact one;
	int64_t idle_ns = 0;
	uint64_t idles = 0;

	for (int s = 0; s < STATES_MAX; s++) {
		idle_ns += r->cpu[cpu].state[s].time_ns;
		idles += r->cpu[cpu].state[s].usage;
	}
	for (int s = 0; s < STATES_MAX; s++) {
		memset(&one, 0, sizeof(one));
		fact_init(&one, r);
		one.sum = r->cpu[cpu].state[s];
		one.span_ns = span_ns;
		one.idle_ns = idle_ns;
		one.idles = idles;
		fact_add(&g->state[s], &one);
		one.span_ns = s ? 0 : span_ns;
		one.idle_ns = s ? 0 : idle_ns;
		one.idles = s ? 0 : idles;
		fact_add(&g->total, &one);
	}
	if (!g->ncpus++)
		g->table = machine_table(&r->machine, cpu);
	g->mixed |= other_names(g->table, machine_table(&r->machine, cpu));
}

/* what must hold of every table that anybody posts (exports.md) */
static int check(const struct fact_group *g, const char *label, struct error *err)
{
	const struct state_sum *t = &g->total.sum;

	for (int s = 0; s < STATES_MAX; s++) {
		const struct state_sum *f = &g->state[s].sum;

		if (f->above + f->below > f->usage || f->time_ns < 0)
			return error_set(err, EXIT_INTERNAL, "%s: state %d of %s: above + below is more "
				"than usage: please report this", label, s, g->name);
	}
	if (g->total.span_ns && t->time_ns > g->total.span_ns)
		return error_set(err, EXIT_INTERNAL, "%s: %s was idle for longer than it was watched: "
			"please report this", label, g->name);
	return 0;
}

/* a run of which only the sums were kept has its own quantiles for all CPUs together */
static void take_sums(struct fact_group *g, const struct run *r)
{
	if (g->ncpus != r->ncpus || !r->trace)
		return;
	for (int s = 0; s < STATES_MAX && !g->total.lengths; s++) {
		g->state[s].sum.p50_ns = r->total[s].p50_ns;
		g->state[s].sum.p99_ns = r->total[s].p99_ns;
		g->state[s].lengths = r->total[s].usage > 0;
	}
	if (g->total.wakes || !r->wake_latency.known)
		return;
	g->total.wake_mean_ns = r->wake_latency.mean_ns;
	g->total.wake_p99_ns = r->wake_latency.p99_ns;
	g->total.wakes = r->wake_latency.n;
}

int facts_build(struct facts *out, const struct run *r, const struct grouping *g, int64_t span_ns,
	struct error *err)
{
	*out = (struct facts){.run = r, .label = r->label, .what = g->what, .ngroups = g->n};
	out->group = xcalloc((size_t)g->n, sizeof(*out->group));
	for (int i = 0; i < r->ncpus; i++)
		if (g->of[i] >= 0)
			add_cpu(&out->group[g->of[i]], r, i, span_ns);
	for (int k = 0; k < g->n; k++) {
		out->group[k].name = g->name[k];
		describe(&out->group[k], r, g, k);
		take_sums(&out->group[k], r);
		if (check(&out->group[k], r->label, err)) {
			facts_free(out);
			return -1;
		}
	}
	return 0;
}

void facts_free(struct facts *f)
{
	free(f->group);
	memset(f, 0, sizeof(*f));
}
