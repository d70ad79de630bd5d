// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int by_length(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* lengths of one state, in a scratch array that is reused */
struct lengths {
	int64_t *ns;
	size_t n, cap;
};

static void add_length(struct lengths *l, int64_t ns)
{
	GROW(l->ns, l->n, l->cap);
	l->ns[l->n++] = ns;
}

/* nearest-rank percentile of a sorted array; n > 0 */
static int64_t percentile(const struct lengths *l, double p)
{
	size_t rank = (size_t)(p * (double)l->n);

	if ((double)rank < p * (double)l->n)
		rank++;
	return l->ns[rank ? rank - 1 : 0];
}

static void describe(struct state_sum *s, struct lengths *l)
{
	if (!l->n)
		return;
	qsort(l->ns, l->n, sizeof(*l->ns), by_length);
	s->mean_ns = s->time_ns / (int64_t)l->n;
	s->p50_ns = percentile(l, 0.50);
	s->p99_ns = percentile(l, 0.99);
}

static void count_period(struct state_sum *s, const struct period *p,
	const struct state_table *table, int64_t event_cost_ns)
{
	int64_t length = p->exit_ns - p->enter_ns;
	enum verdict v = VERDICT_NONE;

	s->usage++;
	s->time_ns += length;
	if (p->flags & PERIOD_JUDGED)
		v = p->flags & PERIOD_MISS_ABOVE   ? VERDICT_ABOVE
		    : p->flags & PERIOD_MISS_BELOW ? VERDICT_BELOW
						   : VERDICT_OK;
	else if (!(p->flags & PERIOD_FORCED))
		v = machine_verdict(table, p->entered, max64(length - event_cost_ns, 0));
	s->above += v == VERDICT_ABOVE;
	s->below += v == VERDICT_BELOW;
}

static void summarize_cpu(struct run *r, int cpu, int64_t event_cost_ns, struct lengths *all)
{
	struct run_cpu *c = &r->cpu[cpu];
	const struct state_table *table = machine_table(&r->machine, cpu);
	struct lengths one[STATES_MAX] = {0};

	memset(c->state, 0, sizeof(c->state));
	for (size_t i = 0; i < c->nperiods; i++) {
		const struct period *p = &c->period[i];

		if (p->flags & PERIOD_CUT_END)
			continue;
		count_period(&c->state[p->state], p, table, event_cost_ns);
		add_length(&one[p->state], p->exit_ns - p->enter_ns);
		add_length(&all[p->state], p->exit_ns - p->enter_ns);
	}
	for (int s = 0; s < STATES_MAX; s++) {
		assert(c->state[s].above + c->state[s].below <= c->state[s].usage);
		describe(&c->state[s], &one[s]);
		free(one[s].ns);
	}
}

static void add_total(struct state_sum *total, const struct state_sum *s)
{
	total->usage += s->usage;
	total->above += s->above;
	total->below += s->below;
	total->above_recorded += s->above_recorded;
	total->below_recorded += s->below_recorded;
	total->time_ns += s->time_ns;
}

/* the miss events of the recording count by the state that was entered */
static void count_recorded_misses(struct run *r, int cpu)
{
	const struct cpu_trace *t = &r->trace->cpu[cpu];

	for (int s = 0; s < STATES_MAX; s++) {
		r->cpu[cpu].state[s].above_recorded = t->missed_above[s];
		r->cpu[cpu].state[s].below_recorded = t->missed_below[s];
	}
}

void run_summarize(struct run *r, int64_t event_cost_ns)
{
	struct lengths all[STATES_MAX] = {0};

	r->event_cost_ns = event_cost_ns;
	memset(r->total, 0, sizeof(r->total));
	for (int i = 0; i < r->ncpus; i++) {
		summarize_cpu(r, i, event_cost_ns, all);
		if (r->recorded)
			count_recorded_misses(r, i);
		for (int s = 0; s < STATES_MAX; s++)
			add_total(&r->total[s], &r->cpu[i].state[s]);
	}
	for (int s = 0; s < STATES_MAX; s++) {
		describe(&r->total[s], &all[s]);
		free(all[s].ns);
	}
}

void run_of_recording(struct run *out, const struct trace *t, const struct machine *m,
	int64_t event_cost_ns)
{
	memset(out, 0, sizeof(*out));
	out->trace = t;
	out->recorded = out->borrowed = true;
	out->ncpus = t->ncpus;
	out->cpu = xcalloc((size_t)t->ncpus, sizeof(*out->cpu));
	machine_copy(&out->machine, m);
	copy_text(out->label, sizeof(out->label), "recorded");
	copy_text(out->governor, sizeof(out->governor), m->governor);
	copy_text(out->table, sizeof(out->table), "recorded");
	for (int i = 0; i < t->ncpus; i++) {
		out->cpu[i].period = t->cpu[i].period;
		out->cpu[i].nperiods = t->cpu[i].nperiods;
	}
	run_summarize(out, event_cost_ns);
}

void run_own(struct run *r)
{
	for (int i = 0; i < r->ncpus && r->borrowed; i++) {
		struct run_cpu *c = &r->cpu[i];
		struct period *own = xcalloc(c->nperiods, sizeof(*own));

		if (c->nperiods)
			memcpy(own, c->period, c->nperiods * sizeof(*own));
		c->period = own;
		c->cap = c->nperiods;
	}
	r->borrowed = false;
}

void run_free(struct run *r)
{
	for (int i = 0; i < r->ncpus && !r->borrowed; i++)
		free(r->cpu[i].period);
	free(r->cpu);
	machine_free(&r->machine);
	memset(r, 0, sizeof(*r));
}
