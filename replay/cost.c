// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/cost.h"

#include <stdlib.h>

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

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void sort(struct samples *s)
{
	if (s->n)
		qsort(s->v, s->n, sizeof(*s->v), ascending);
}

static int64_t share(const struct samples *s, int percent)
{
	return s->v[(s->n - 1) * (size_t)percent / 100];
}

/* the period that ended last before a time, if it is complete */
static const struct period *ended_before(const struct cpu_trace *c, size_t *i, int64_t at_ns)
{
	while (*i < c->nperiods && c->period[*i].exit_ns <= at_ns)
		(*i)++;
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
	sort(&s);
	if (s.n >= SAMPLES_MIN) {
		*out = (struct event_cost){
			.ns = share(&s, 50), .lo_ns = share(&s, 5), .hi_ns = share(&s, 95)};
		copy_text(out->source, sizeof(out->source), "probe");
	}
	free(s.v);
	return s.n >= SAMPLES_MIN;
}

static void miss_samples(struct samples *gap, const struct cpu_trace *c)
{
	size_t k = 0;

	for (size_t i = 0; i < c->nevs; i++) {
		const struct event *e = &c->ev[i];
		const struct period *p;

		/* with something in between the gap would hold more than one event */
		if (e->kind != EV_MISS || (i && c->ev[i - 1].kind != EV_IDLE))
			continue;
		p = ended_before(c, &k, e->at_ns);
		if (p)
			add(gap, e->at_ns - p->exit_ns);
	}
}

static void length_samples(struct samples *s, const struct cpu_trace *c)
{
	for (size_t i = 0; i < c->nperiods; i++)
		if (!(c->period[i].flags & PERIOD_CUT_END))
			add(s, c->period[i].exit_ns - c->period[i].enter_ns);
}

void cost_estimate(struct event_cost *out, const struct trace *t)
{
	struct samples gap = {0}, len = {0};

	for (int i = 0; i < t->ncpus; i++) {
		miss_samples(&gap, &t->cpu[i]);
		length_samples(&len, &t->cpu[i]);
	}
	sort(&gap);
	sort(&len);
	*out = (struct event_cost){0};
	copy_text(out->source, sizeof(out->source), "none");
	if (len.n)
		out->hi_ns = len.v[0];
	if (gap.n >= SAMPLES_MIN) {
		out->ns = min64(share(&gap, 50), out->hi_ns);
		out->lo_ns = min64(share(&gap, 1), out->ns);
		copy_text(out->source, sizeof(out->source), "miss events");
	}
	free(gap.v);
	free(len.v);
}
