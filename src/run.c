// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "src/quantile.h"

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

/* lengths of each state, and of all of them */
struct lengths {
	struct quantile state[STATES_MAX], any;
};

static void lengths_count(struct lengths *l, const struct run_cpu *c)
{
	for (size_t k = 0; k < c->nperiods; k++)
		if (!(c->period[k].flags & PERIOD_CUT_END))
			quantile_count(&l->state[c->period[k].state],
				c->period[k].exit_ns - c->period[k].enter_ns);
}

static void lengths_aim(struct lengths *l)
{
	for (int s = 0; s < STATES_MAX; s++) {
		quantile_merge(&l->any, &l->state[s]);
		quantile_aim(&l->state[s], 0.50, 0.99);
	}
	quantile_aim(&l->any, 0.50, 0.99);
}

/* few lengths are in a bucket that matters */
static void lengths_keep(struct lengths *l, const struct run_cpu *c)
{
	uint8_t mark[QUANTILE_BUCKETS] = {0};

	for (int s = 0; s < STATES_MAX; s++)
		quantile_mark(&l->state[s], mark);
	quantile_mark(&l->any, mark);
	for (size_t k = 0; k < c->nperiods; k++) {
		const struct period *p = &c->period[k];
		int64_t length = p->exit_ns - p->enter_ns;

		__builtin_prefetch(p + 64);
		if (!mark[quantile_bucket(length)] || p->flags & PERIOD_CUT_END)
			continue;
		quantile_keep(&l->state[p->state], length);
		quantile_keep(&l->any, length);
	}
}

/* the sums get their quantiles */
static void lengths_take(struct lengths *l, struct state_sum *sum, struct run_lengths *any)
{
	for (int s = 0; s < STATES_MAX; s++) {
		if (l->state[s].n) {
			sum[s].p50_ns = quantile_get(&l->state[s], 0);
			sum[s].p99_ns = quantile_get(&l->state[s], 1);
		}
		quantile_free(&l->state[s]);
	}
	*any = (struct run_lengths){.known = l->any.n > 0, .p50_ns = quantile_get(&l->any, 0),
		.p99_ns = quantile_get(&l->any, 1)};
	quantile_free(&l->any);
}

static void take_mean(struct state_sum *s)
{
	s->mean_ns = s->usage ? s->time_ns / (int64_t)s->usage : 0;
}

static void finish_states(struct state_sum *sum)
{
	for (int s = 0; s < STATES_MAX; s++) {
		assert(sum[s].above + sum[s].below <= sum[s].usage);
		take_mean(&sum[s]);
	}
}

/* one CPU; its lengths are counted into those of all, too */
static void summarize_cpu(struct run *r, int cpu, int64_t event_cost_ns, struct lengths *all)
{
	struct run_cpu *c = &r->cpu[cpu];
	const struct state_table *table = machine_table(&r->machine, cpu);
	struct lengths l = {0};

	memset(c->state, 0, sizeof(c->state));
	for (size_t i = 0; i < c->nperiods; i++) {
		const struct period *p = &c->period[i];

		__builtin_prefetch(p + 64);
		if (p->flags & PERIOD_CUT_END)
			continue;
		count_period(&c->state[p->state], p, table, event_cost_ns);
		quantile_count(&l.state[p->state], p->exit_ns - p->enter_ns);
	}
	finish_states(c->state);
	for (int s = 0; s < STATES_MAX; s++)
		quantile_merge(&all->state[s], &l.state[s]);
	lengths_aim(&l);
	lengths_keep(&l, c);
	lengths_take(&l, c->state, &c->any);
}

/* --- periods that come and go --- */

struct run_sums {
	const struct state_table *table;
	int64_t event_cost_ns;
	struct state_sum state[STATES_MAX];
	struct lengths lengths;
	/* length and state of each: the quantiles take a second pass */
	uint64_t *log;
	size_t n, cap;
};

struct run_sums *run_sums_begin(const struct state_table *table, int64_t event_cost_ns)
{
	struct run_sums *s = xcalloc(1, sizeof(*s));

	s->table = table;
	s->event_cost_ns = event_cost_ns;
	return s;
}

void run_sums_add(struct run_sums *s, const struct period *p, size_t n)
{
	if (s->n + n > s->cap) {
		s->cap = 2 * (s->n + n);
		s->log = xrealloc(s->log, s->cap, sizeof(*s->log));
	}
	for (size_t i = 0; i < n; i++) {
		int64_t length = p[i].exit_ns - p[i].enter_ns;

		if (p[i].flags & PERIOD_CUT_END)
			continue;
		count_period(&s->state[p[i].state], &p[i], s->table, s->event_cost_ns);
		quantile_count(&s->lengths.state[p[i].state], length);
		s->log[s->n++] = (uint64_t)length * 16 + (uint64_t)p[i].state;
	}
}

void run_sums_end(struct run_sums *s, struct run_cpu *out)
{
	finish_states(s->state);
	lengths_aim(&s->lengths);
	for (size_t i = 0; i < s->n; i++) {
		int64_t length = (int64_t)s->log[i] >> 4;

		quantile_keep(&s->lengths.state[s->log[i] % 16], length);
		quantile_keep(&s->lengths.any, length);
	}
	lengths_take(&s->lengths, s->state, &out->any);
	memcpy(out->state, s->state, sizeof(out->state));
	free(s->log);
	free(s);
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

/* sums of all CPUs; lengths: of all their periods, counted; NULL: there are no periods */
static void sum_up(struct run *r, int64_t event_cost_ns, struct lengths *l)
{
	r->event_cost_ns = event_cost_ns;
	memset(r->total, 0, sizeof(r->total));
	for (int i = 0; i < r->ncpus; i++) {
		if (r->recorded)
			count_recorded_misses(r, i);
		for (int s = 0; s < STATES_MAX; s++)
			add_total(&r->total[s], &r->cpu[i].state[s]);
	}
	for (int s = 0; s < STATES_MAX; s++) {
		take_mean(&r->total[s]);
		if (!l)
			r->total[s].p50_ns = r->total[s].p99_ns = -1;
	}
	if (!l)
		return;
	lengths_aim(l);
	for (int i = 0; i < r->ncpus; i++)
		lengths_keep(l, &r->cpu[i]);
	lengths_take(l, r->total, &r->any);
}

void run_total(struct run *r, int64_t event_cost_ns, bool have_periods)
{
	struct lengths l = {0};

	for (int i = 0; i < r->ncpus && have_periods; i++)
		lengths_count(&l, &r->cpu[i]);
	sum_up(r, event_cost_ns, have_periods ? &l : NULL);
}

void run_summarize(struct run *r, int64_t event_cost_ns)
{
	struct lengths all = {0};

	for (int i = 0; i < r->ncpus; i++)
		summarize_cpu(r, i, event_cost_ns, &all);
	sum_up(r, event_cost_ns, &all);
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

void run_span_add(struct state_span *to, const struct state_span *s)
{
	for (int i = 0; i < 2; i++) {
		to->usage[i] += s->usage[i];
		to->above[i] += s->above[i];
		to->below[i] += s->below[i];
		to->time_ns[i] += s->time_ns[i];
	}
}

static void widen(uint64_t *to, const uint64_t *v)
{
	to[0] = v[0] < to[0] ? v[0] : to[0];
	to[1] = v[1] > to[1] ? v[1] : to[1];
}

void run_span_widen(struct state_span *to, const struct state_span *s, bool first)
{
	if (first)
		*to = *s;
	widen(to->usage, s->usage);
	widen(to->above, s->above);
	widen(to->below, s->below);
	to->time_ns[0] = min64(to->time_ns[0], s->time_ns[0]);
	to->time_ns[1] = max64(to->time_ns[1], s->time_ns[1]);
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
