// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/score.h"

#include <stdlib.h>
#include <string.h>

#include "replay/inputs.h"
#include "src/stats.h"

#define NEAR_NS 10000
#define FAR_NS 1000000

struct errors {
	int64_t *v;
	size_t n, cap;
};

static void add_error(struct errors *e, int64_t ns)
{
	GROW(e->v, e->n, e->cap);
	e->v[e->n++] = llabs(ns);
}

static void sum_up(struct error_sum *out, struct errors *e)
{
	out->n = e->n;
	if (e->n) {
		stats_sort(e->v, e->n);
		out->p50_ns = e->v[(e->n - 1) / 2];
		out->p95_ns = e->v[(e->n - 1) * 95 / 100];
		out->p99_ns = e->v[(e->n - 1) * 99 / 100];
	}
	for (size_t i = 0; i < e->n && e->v[i] <= NEAR_NS; i++) {
		out->within_1us += e->v[i] <= 1000;
		out->within_10us++;
	}
	free(e->v);
}

static void count(struct right_sum *r, bool right)
{
	r->n++;
	r->right += right;
}

/* both lists of one CPU, walked in step by idle period */
struct pair {
	const struct decisions_cpu *probed, *rebuilt;
	size_t i, k;
};

static bool next_pair(struct pair *p, const struct decision **probed, const struct decision **rebuilt)
{
	while (p->i < p->probed->n && p->k < p->rebuilt->n) {
		*probed = &p->probed->d[p->i];
		*rebuilt = &p->rebuilt->d[p->k];
		if ((*probed)->period == UINT32_MAX || (*probed)->period < (*rebuilt)->period)
			p->i++;
		if ((*rebuilt)->period == UINT32_MAX || (*rebuilt)->period < (*probed)->period)
			p->k++;
		if ((*probed)->period != (*rebuilt)->period || (*probed)->period == UINT32_MAX)
			continue;
		p->i++;
		p->k++;
		return true;
	}
	return false;
}

/* the kernel gave the tick part as the whole: something held the tick */
static bool held(const struct decision *d)
{
	return llabs(d->sleep_ns - d->tick_delta_ns) <= NEAR_NS;
}

static void score_far(struct input_score *out, const struct decision *t, const struct decision *r)
{
	out->far++;
	if (r->bound == BOUND_RCU || (held(t) && !held(r)))
		out->far_held++;
	else if (decision_prov(r, IN_SLEEP) == PROV_GUESSED)
		out->far_unknown++;
	/* a wheel timer that was taken to bind this CPU, but that another one serves (6.9 and later) */
	else if ((r->bound == BOUND_WHEEL || r->bound == BOUND_TICK) && t->sleep_ns > r->sleep_ns)
		out->far_foreign++;
	else
		out->far_other++;
}

struct scoring {
	struct input_score *out;
	struct errors sleep, delta, residency;
	int64_t tick_ns;
};

static void score_lengths(struct scoring *s, const struct decision *t, const struct decision *r)
{
	if (!(t->flags & DEC_SLEEP_READ))
		return;
	add_error(&s->sleep, r->sleep_ns - t->sleep_ns);
	if (llabs(r->sleep_ns - t->sleep_ns) > FAR_NS)
		score_far(s->out, t, r);
	if (decision_prov(t, IN_TICK_DELTA) != PROV_EXACT)
		return;
	add_error(&s->delta, r->tick_delta_ns - t->tick_delta_ns);
	s->out->stopped_contradicted += !(r->flags & DEC_TICK_STOPPED) &&
					t->tick_delta_ns > s->tick_ns + 2 * NEAR_NS;
}

static void score_pair(struct scoring *s, const struct decision *t, const struct decision *r)
{
	s->out->periods++;
	score_lengths(s, t, r);
	if (decision_prov(t, IN_LIMIT) == PROV_EXACT)
		count(&s->out->limit, t->limit_ns == r->limit_ns);
	if (t->flags & DEC_NO_OUTCOME)
		return;
	if (decision_prov(t, IN_GOT_TICK) == PROV_EXACT)
		count(&s->out->got_tick, !((t->flags ^ r->flags) & DEC_GOT_TICK));
	if (decision_prov(t, IN_RESIDENCY) != PROV_EXACT)
		return;
	add_error(&s->residency, r->residency_ns - t->residency_ns);
	count(&s->out->poll_limit, !((t->flags ^ r->flags) & DEC_POLL_LIMIT));
}

/* aborted decisions by time: each inferred one lies at the end of the pass that a probed one began */
static void score_aborted(struct scoring *s, const struct decisions_cpu *probed,
	const struct decisions_cpu *rebuilt)
{
	size_t k = 0;

	for (size_t i = 0; i < probed->n; i++) {
		const struct decision *d = &probed->d[i];
		int64_t until = i + 1 < probed->n ? probed->d[i + 1].select_ns : INT64_MAX;

		if (!(d->flags & DEC_ABORTED))
			continue;
		while (k < rebuilt->n && (!(rebuilt->d[k].flags & DEC_INFERRED) ||
						 rebuilt->d[k].reflect_ns < d->select_ns))
			k++;
		count(&s->out->aborted, k < rebuilt->n && rebuilt->d[k].reflect_ns < until);
	}
	for (size_t i = 0; i < rebuilt->n; i++)
		s->out->aborted.n += (rebuilt->d[i].flags & DEC_INFERRED) != 0;
}

void score_inputs(struct input_score *out, const struct decisions *probed,
	const struct decisions *rebuilt)
{
	struct scoring s = {.out = out, .tick_ns = tick_ns(probed->hz)};

	*out = (struct input_score){0};
	for (int cpu = 0; cpu < probed->ncpus; cpu++) {
		struct pair p = {.probed = &probed->cpu[cpu], .rebuilt = &rebuilt->cpu[cpu]};
		const struct decision *t, *r;

		while (next_pair(&p, &t, &r))
			score_pair(&s, t, r);
		score_aborted(&s, p.probed, p.rebuilt);
	}
	/* a decision found by both was counted on both sides */
	out->aborted.n -= out->aborted.right;
	sum_up(&out->sleep, &s.sleep);
	sum_up(&out->delta, &s.delta);
	sum_up(&out->residency, &s.residency);
	if (!strcmp(probed->event_cost_source, "probe"))
		out->cost_true_ns = probed->event_cost_ns;
}

static const char *const takes[] = {
	[TAKE_NOTHING] = "nothing",
	[TAKE_SLEEP] = "sleep length",
	[TAKE_DELTA] = "tick part",
	[TAKE_RESIDENCY] = "residency, polling limit",
	[TAKE_GOT_TICK] = "got tick",
	[TAKE_LIMIT] = "latency limit",
	[TAKE_CLOCK] = "local clock",
	[TAKE_ABORTED] = "aborted decisions",
	[TAKE_ALL] = "all",
};

const char *score_take_name(enum score_take take)
{
	return takes[take];
}

static uint16_t mask_prov(enum decision_input i)
{
	return (uint16_t)(3u << (2 * i));
}

static void take_prov(struct decision *d, const struct decision *t, enum decision_input i)
{
	d->prov = (uint16_t)((d->prov & ~mask_prov(i)) | (t->prov & mask_prov(i)));
}

static void take_flag(struct decision *d, const struct decision *t, uint16_t flag)
{
	d->flags = (uint16_t)((d->flags & ~flag) | (t->flags & flag));
}

static void take_one(struct decision *d, const struct decision *t, enum score_take take)
{
	if (take == TAKE_SLEEP && (t->flags & DEC_SLEEP_READ)) {
		d->sleep_ns = t->sleep_ns;
		d->sleep_alt_ns = t->sleep_alt_ns;
		take_prov(d, t, IN_SLEEP);
	} else if (take == TAKE_DELTA && decision_prov(t, IN_TICK_DELTA) == PROV_EXACT) {
		d->tick_delta_ns = t->tick_delta_ns;
		take_prov(d, t, IN_TICK_DELTA);
	} else if (take == TAKE_RESIDENCY) {
		d->residency_ns = t->residency_ns;
		take_flag(d, t, DEC_POLL_LIMIT);
		take_prov(d, t, IN_RESIDENCY);
	} else if (take == TAKE_GOT_TICK) {
		take_flag(d, t, DEC_GOT_TICK);
		take_prov(d, t, IN_GOT_TICK);
	} else if (take == TAKE_LIMIT) {
		d->limit_ns = t->limit_ns;
		take_prov(d, t, IN_LIMIT);
	} else if (take == TAKE_CLOCK) {
		d->select_ns = t->select_ns;
		d->reflect_ns = t->reflect_ns;
	}
}

static void take_all(struct decision *d, const struct decision *t)
{
	for (enum score_take take = TAKE_SLEEP; take <= TAKE_CLOCK; take++)
		take_one(d, t, take);
}

static void append(struct decisions_cpu *c, const struct decision *d)
{
	GROW(c->d, c->n, c->cap);
	c->d[c->n++] = *d;
}

/* the probed list gives the order where its aborted decisions are wanted, the rebuilt one elsewhere */
static void mix_cpu(struct decisions_cpu *out, const struct decisions_cpu *probed,
	const struct decisions_cpu *rebuilt, enum score_take take)
{
	bool aborts = take == TAKE_ABORTED || take == TAKE_ALL;
	size_t i = 0;

	for (size_t k = 0; k < rebuilt->n; k++) {
		struct decision d = rebuilt->d[k];

		if (d.flags & DEC_ABORTED) {
			if (!aborts)
				append(out, &d);
			continue;
		}
		while (i < probed->n && (probed->d[i].period == UINT32_MAX ||
						probed->d[i].period < d.period)) {
			struct decision gone = probed->d[i++];

			/* it is fed, not compared: without probes it has no recorded choice */
			gone.flags |= DEC_INFERRED;
			if (aborts && (gone.flags & DEC_ABORTED))
				append(out, &gone);
		}
		if (i < probed->n && probed->d[i].period == d.period) {
			take_flag(&d, &probed->d[i], DEC_SLEEP_READ);
			if (take == TAKE_ALL)
				take_all(&d, &probed->d[i]);
			else
				take_one(&d, &probed->d[i], take);
		}
		append(out, &d);
	}
}

void score_mix(struct decisions *out, const struct decisions *probed, const struct decisions *rebuilt,
	enum score_take take)
{
	*out = *rebuilt;
	out->reads_known = probed->reads_known;
	out->cpu = xcalloc((size_t)out->ncpus + 1, sizeof(*out->cpu));
	for (int cpu = 0; cpu < out->ncpus; cpu++)
		mix_cpu(&out->cpu[cpu], &probed->cpu[cpu], &rebuilt->cpu[cpu], take);
}
