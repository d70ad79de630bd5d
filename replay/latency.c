// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/latency.h"

#include <stdlib.h>
#include <string.h>

#include "replay/samples.h"
#include "replay/sojourn.h"
#include "src/stats.h"

/* the CPU is asleep this long after the entry event; earlier arrivals were pending */
#define ASLEEP_NS 5000
#define FAR_NS 2000

struct table_samples {
	struct samples timer[STATES_MAX], remote[STATES_MAX];
};

struct latency_pool {
	struct table_samples *table; /* [ntables of the machine] */
};

/* only a wake that ended its period alone says how long the exit took */
static bool alone(const struct sojourns_cpu *c, const struct sojourn *so, uint32_t i)
{
	const struct arrival *a = &c->arrival[so->arrival + i];
	bool before = i && (a[-1].flags & ARRIVAL_ENDED) && a[-1].period == a->period;
	bool after =
		i + 1 < so->narrivals && (a[1].flags & ARRIVAL_ENDED) && a[1].period == a->period;

	return (a->flags & ARRIVAL_ENDED) && !before && !after;
}

static void add_sojourn(
	struct table_samples *t, const struct sojourns *s, int cpu, const struct sojourn *so)
{
	const struct sojourns_cpu *c = &s->cpu[cpu];

	for (uint32_t i = 0; i < so->narrivals; i++) {
		const struct arrival *a = &c->arrival[so->arrival + i];
		const struct period *p;

		if (!alone(c, so, i) || a->period >= so->nperiods)
			continue;
		p = &s->trace->cpu[cpu].period[so->period + a->period];
		if (a->at_ns <= p->enter_ns + ASLEEP_NS)
			continue;
		if (a->kind == ARRIVAL_TIMER)
			samples_add(&t->timer[p->state], p->exit_ns - a->at_ns);
		else if (a->kind == ARRIVAL_REMOTE && s->trace->clock_global)
			samples_add(&t->remote[p->state], p->exit_ns - a->at_ns);
	}
}

static struct latency_figures figures(struct samples *s)
{
	struct latency_figures f = {.n = s->n};

	if (s->n) {
		f.min_ns = stats_select(s->v, s->n, 0);
		f.p50_ns = stats_select(s->v, s->n, 0.50);
		f.p90_ns = stats_select(s->v, s->n, 0.90);
		f.p99_ns = stats_select(s->v, s->n, 0.99);
	}
	free(s->v);
	return f;
}

static void estimate(struct state_latency *l, const struct state_table *t)
{
	int base = -1, last = -1;

	for (int i = 0; i < t->nstates; i++) {
		int64_t table_ns = max64(t->state[i].exit_latency_ns, 0);

		l[i].measured = l[i].timer.n >= LATENCY_MIN_N;
		if (l[i].measured && base < 0)
			base = i;
		if (l[i].measured)
			l[i].exit_ns = max64(0, max64(t->state[base].exit_latency_ns, 0) +
							l[i].timer.p50_ns - l[base].timer.p50_ns);
		else if (last >= 0)
			l[i].exit_ns = max64(0, l[last].exit_ns + table_ns -
							max64(t->state[last].exit_latency_ns, 0));
		else
			l[i].exit_ns = table_ns;
		if (l[i].measured)
			last = i;
	}
}

struct latency_pool *latency_pool(const struct machine *m)
{
	struct latency_pool *p = xcalloc(1, sizeof(*p));

	p->table = xcalloc((size_t)m->ntables, sizeof(*p->table));
	return p;
}

void latency_gather(struct latency_pool *p, const struct sojourns *s, const struct machine *m)
{
	for (int i = 0; i < s->ncpus; i++)
		for (size_t k = 0; k < s->cpu[i].n && !s->alone; k++)
			add_sojourn(&p->table[i < m->ncpus ? m->table_of[i] : 0], s, i,
				&s->cpu[i].sojourn[k]);
}

void latency_settle(struct latency_pool *p, struct state_latency (*out)[STATES_MAX],
	const struct machine *m, bool emulated)
{
	for (int i = 0; i < m->ntables; i++) {
		memset(out[i], 0, sizeof(out[i]));
		for (int k = 0; k < STATES_MAX; k++) {
			out[i][k].timer = figures(&p->table[i].timer[k]);
			out[i][k].remote = figures(&p->table[i].remote[k]);
		}
		if (!emulated)
			estimate(out[i], &m->tables[i]);
	}
	free(p->table);
	free(p);
}

void latency_measure(
	struct state_latency (*out)[STATES_MAX], const struct sojourns *s, const struct machine *m)
{
	struct latency_pool *p = latency_pool(m);

	latency_gather(p, s, m);
	latency_settle(p, out, m, s->trace->emulated);
}

bool latency_finding(const struct state_latency *l, const struct idle_state *state)
{
	int64_t table_ns = state->exit_latency_ns;

	return l->measured && table_ns >= 0 && llabs(l->exit_ns - table_ns) >= FAR_NS &&
	       (l->exit_ns > 2 * table_ns || 2 * l->exit_ns < table_ns);
}
