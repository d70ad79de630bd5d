// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/cost.h"

#include <stdlib.h>

#include "src/stats.h"

#define SAMPLES_MIN 30
#define SAMPLES_MAX 200000 /* a median does not get better with more */

struct samples {
	int64_t *v;
	size_t n, cap;
};

static void add(struct samples *s, int64_t v)
{
	if (s->n >= SAMPLES_MAX)
		return;
	GROW(s->v, s->n, s->cap);
	s->v[s->n++] = v;
}

/* moves the values about */
static int64_t share(struct samples *s, size_t n, int percent)
{
	return stats_nth(s->v, s->n, (n - 1) * (size_t)percent / 100);
}

/* the period that ended last before a time, if it is complete */
static const struct period *ended_before(const struct cpu_trace *c, size_t *i, int64_t at_ns)
{
	while (*i < c->nperiods && c->period[*i].exit_ns <= at_ns) {
		/* where few events were kept, the next one is many periods away */
		for (size_t step = 1; *i + step < c->nperiods && c->period[*i + step].exit_ns <= at_ns; step *= 2)
			*i += step;
		(*i)++;
	}
	if (!*i || (c->period[*i - 1].flags & PERIOD_CUT_END))
		return NULL;
	return &c->period[*i - 1];
}

static void probe_samples(struct samples *s, const struct cpu_trace *c)
{
	const struct period *p, *last = NULL;
	size_t k = 0;

	for (size_t i = 0; i < c->nevs; i++) {
		const struct event *e = &c->ev[i];

		if (e->kind != EV_PROBE_REFLECT || e->a < 0 || e->b == INT64_MIN)
			continue;
		p = ended_before(c, &k, e->at_ns);
		if (p && p != last)
			add(s, p->exit_ns - p->enter_ns - e->b);
		last = p;
	}
}

bool cost_from_probes(struct event_cost *out, const struct trace *t)
{
	struct samples s = {0};

	for (int i = 0; i < t->ncpus; i++)
		probe_samples(&s, &t->cpu[i]);
	if (s.n >= SAMPLES_MIN) {
		*out = (struct event_cost){.ns = share(&s, s.n, 50), .lo_ns = share(&s, s.n, 5),
			.hi_ns = share(&s, s.n, 95)};
		copy_text(out->source, sizeof(out->source), "probe");
	}
	free(s.v);
	return s.n >= SAMPLES_MIN;
}

static bool is_probe(const struct event *e)
{
	return e->kind >= EV_PROBE_SLEEP && e->kind <= EV_PROBE_REFLECT;
}

/*
 * Gaps between neighbouring events of one CPU. The shortest of them are two events with nothing in
 * between, so about one event long; from an exit to its miss event there is always next to nothing.
 */
static void gap_samples(struct samples *any, struct samples *miss, const struct cpu_trace *c)
{
	size_t k = 0;

	for (size_t i = 1; i < c->nevs; i++) {
		const struct event *e = &c->ev[i], *before = &c->ev[i - 1];

		/* writing a probe event costs more than an event, and its place is in the kernel's code */
		if (is_probe(e) || is_probe(before) || before->pid != e->pid)
			continue;
		add(any, e->at_ns - before->at_ns);
		if (e->kind == EV_MISS && before->kind == EV_IDLE && ended_before(c, &k, e->at_ns))
			add(miss, e->at_ns - c->period[k - 1].exit_ns);
	}
}

/* 0 when there are none */
static int64_t shortest_period(const struct trace *t)
{
	int64_t least = INT64_MAX;
	size_t n = 0;

	for (int i = 0; i < t->ncpus; i++)
		for (size_t k = 0; k < t->cpu[i].nperiods && n < SAMPLES_MAX; k++) {
			const struct period *p = &t->cpu[i].period[k];

			if (p->flags & PERIOD_CUT_END)
				continue;
			least = min64(least, p->exit_ns - p->enter_ns);
			n++;
		}
	return n ? least : 0;
}

/*
 * Both periods and gaps hold one event, so the shortest period cannot be shorter than a typical gap.
 * Where it is, the cost varies from event to event, and anything up to the shortest period may be right.
 * Only the n shortest gaps count.
 */
static void settle(struct event_cost *out, struct samples *gap, size_t n, const char *source)
{
	int64_t typical = share(gap, n, 50);

	out->ns = min64(typical, out->hi_ns);
	out->lo_ns = typical > out->hi_ns + out->hi_ns / 2 ? 0 : min64(share(gap, n, 1), out->ns);
	copy_text(out->source, sizeof(out->source), source);
}

void cost_estimate(struct event_cost *out, const struct trace *t)
{
	struct samples any = {0}, miss = {0};

	for (int i = 0; i < t->ncpus; i++)
		gap_samples(&any, &miss, &t->cpu[i]);
	*out = (struct event_cost){.hi_ns = shortest_period(t)};
	copy_text(out->source, sizeof(out->source), "none");
	/* of gaps of all kinds only the shortest are without anything in between */
	if (miss.n >= SAMPLES_MIN)
		settle(out, &miss, miss.n, "miss events");
	else if (any.n / 20 >= SAMPLES_MIN)
		settle(out, &any, any.n / 20, "shortest gaps");
	free(any.v);
	free(miss.v);
}
