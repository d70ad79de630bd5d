// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/timeline.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NO_MISS UINT32_MAX

static int64_t kernel_length(const struct timeline *tl, const struct period *p)
{
	return max64(p->exit_ns - p->enter_ns - tl->event_cost_ns, 0);
}

static enum verdict judge(const struct timeline *tl, const struct timeline_cpu *c, size_t i)
{
	const struct period *p = &c->period[i];

	if (p->flags & (PERIOD_CUT_END | PERIOD_FORCED))
		return VERDICT_NONE;
	if (p->flags & PERIOD_JUDGED)
		return p->flags & PERIOD_MISS_ABOVE   ? VERDICT_ABOVE
		       : p->flags & PERIOD_MISS_BELOW ? VERDICT_BELOW
						      : VERDICT_OK;
	return machine_verdict(c->table, p->entered, kernel_length(tl, p));
}

static enum verdict verdict_of(const struct timeline_cpu *c, size_t i)
{
	return (enum verdict)c->verdict[i];
}

static int64_t cost_of(const struct timeline *tl, const struct timeline_cpu *c, size_t i)
{
	const struct period *p = &c->period[i];
	int64_t length = kernel_length(tl, p);

	switch (verdict_of(c, i)) {
	case VERDICT_ABOVE:
		return max64(c->table->state[p->entered].target_residency_ns - length, 0);
	case VERDICT_BELOW:
		return max64(length - c->table->state[machine_ideal(c->table, length, LATENCY_ANY)]
					      .target_residency_ns,
			0);
	default:
		return 0;
	}
}

enum verdict timeline_verdict(const struct timeline *tl, int cpu, size_t i)
{
	return verdict_of(&tl->cpu[cpu], i);
}

int64_t timeline_cost(const struct timeline *tl, int cpu, size_t i)
{
	return cost_of(tl, &tl->cpu[cpu], i);
}

static void add_misses(struct timeline_sum *s, enum verdict v)
{
	s->above += v == VERDICT_ABOVE;
	s->below += v == VERDICT_BELOW;
}

static void build_block(struct timeline_cpu *c, const struct timeline *tl, size_t b,
	struct timeline_sum *sum)
{
	size_t end = (b + 1) * TIMELINE_BLOCK < c->n ? (b + 1) * TIMELINE_BLOCK : c->n;
	int64_t worst_cost = -1;

	c->before[b] = *sum;
	c->worst[b] = NO_MISS;
	for (size_t i = b * TIMELINE_BLOCK; i < end; i++) {
		const struct period *p = &c->period[i];
		enum verdict v = judge(tl, c, i);

		c->verdict[i] = (uint8_t)v;
		sum->time_ns[p->state] += p->exit_ns - p->enter_ns;
		sum->wakes += !(p->flags & PERIOD_CUT_END);
		add_misses(sum, v);
		if ((v == VERDICT_ABOVE || v == VERDICT_BELOW) && cost_of(tl, c, i) > worst_cost) {
			worst_cost = cost_of(tl, c, i);
			c->worst[b] = (uint32_t)i;
		}
	}
	c->block_exit[b] = end > b * TIMELINE_BLOCK ? c->period[end - 1].exit_ns : INT64_MAX;
}

static uint32_t costlier(const struct timeline *tl, const struct timeline_cpu *c, uint32_t a, uint32_t b)
{
	if (a == NO_MISS || b == NO_MISS)
		return a == NO_MISS ? b : a;
	return cost_of(tl, c, b) > cost_of(tl, c, a) ? b : a;
}

static void build_cpu(struct timeline_cpu *c, const struct timeline *tl)
{
	size_t blocks = c->n / TIMELINE_BLOCK + 1;
	struct timeline_sum sum = {0};

	assert(c->n < NO_MISS);
	c->before = xcalloc(blocks, sizeof(*c->before));
	c->worst = xcalloc(blocks, sizeof(*c->worst));
	c->block_exit = xcalloc(blocks, sizeof(*c->block_exit));
	c->verdict = xcalloc(c->n, sizeof(*c->verdict));
	c->worst2 = xcalloc(blocks / TIMELINE_BLOCK + 1, sizeof(*c->worst2));
	memset(c->worst2, 0xff, (blocks / TIMELINE_BLOCK + 1) * sizeof(*c->worst2));
	for (size_t b = 0; b < blocks; b++) {
		uint32_t *top = &c->worst2[b / TIMELINE_BLOCK];

		build_block(c, tl, b, &sum);
		*top = costlier(tl, c, *top, c->worst[b]);
	}
	c->total = sum;
	timeline_build_depth(c);
}

void timeline_build(struct timeline *tl, const struct run *r, int64_t event_cost_ns)
{
	tl->ncpus = r->ncpus;
	tl->event_cost_ns = event_cost_ns;
	tl->from_ns = r->trace->origin_ns;
	tl->to_ns = r->trace->end_ns;
	tl->cpu = xcalloc((size_t)r->ncpus, sizeof(*tl->cpu));
	for (int i = 0; i < r->ncpus; i++) {
		tl->cpu[i].period = r->cpu[i].period;
		tl->cpu[i].n = r->cpu[i].nperiods;
		tl->cpu[i].table = machine_table(&r->machine, i);
		build_cpu(&tl->cpu[i], tl);
	}
}

void timeline_free(struct timeline *tl)
{
	for (int i = 0; i < tl->ncpus; i++) {
		free(tl->cpu[i].before);
		free(tl->cpu[i].worst);
		free(tl->cpu[i].worst2);
		free(tl->cpu[i].block_exit);
		free(tl->cpu[i].verdict);
		free(tl->cpu[i].fine_exit);
		free(tl->cpu[i].fine_depth);
	}
	free(tl->cpu);
	memset(tl, 0, sizeof(*tl));
}

size_t timeline_at(const struct timeline_cpu *c, int64_t at_ns)
{
	size_t lo = 0, hi = c->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->period[mid].exit_ns > at_ns)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* the block of the first period that does not end before @at_ns */
static size_t block_at(const struct timeline_cpu *c, int64_t at_ns)
{
	size_t lo = 0, hi = c->n / TIMELINE_BLOCK;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->block_exit[mid] >= at_ns)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* where a walk over edges is: sums of all periods before i */
struct walk {
	const struct timeline_cpu *c;
	size_t i;
	struct timeline_sum sum;
};

/*
 * Periods do not overlap, so all before the first that ends at or after the moment are whole, and only
 * that one can be cut by it. A period ends with its exit: that is where its miss counts. Edges come in
 * order; one in the same block goes on where the last has stopped.
 */
static void walk_to(struct walk *w, int64_t at_ns, struct timeline_sum *out)
{
	const struct timeline_cpu *c = w->c;
	size_t b = block_at(c, at_ns);

	if (b * TIMELINE_BLOCK > w->i) {
		w->i = b * TIMELINE_BLOCK;
		w->sum = c->before[b];
	}
	for (; w->i < c->n && c->period[w->i].exit_ns < at_ns; w->i++) {
		const struct period *p = &c->period[w->i];

		w->sum.time_ns[p->state] += p->exit_ns - p->enter_ns;
		w->sum.wakes += !(p->flags & PERIOD_CUT_END);
		add_misses(&w->sum, verdict_of(c, w->i));
	}
	*out = w->sum;
	if (w->i < c->n && c->period[w->i].enter_ns < at_ns)
		out->time_ns[c->period[w->i].state] += at_ns - c->period[w->i].enter_ns;
}

static struct walk walk_from(const struct timeline_cpu *c, int64_t at_ns)
{
	size_t b = block_at(c, at_ns);

	return (struct walk){c, b * TIMELINE_BLOCK, c->before[b]};
}

void timeline_before(const struct timeline_cpu *c, int64_t at_ns, struct timeline_sum *out)
{
	struct walk w = walk_from(c, at_ns);

	walk_to(&w, at_ns, out);
}

static void subtract(struct timeline_sum *s, const struct timeline_sum *from)
{
	for (int i = 0; i < STATES_MAX; i++)
		s->time_ns[i] -= from->time_ns[i];
	s->above -= from->above;
	s->below -= from->below;
	s->wakes -= from->wakes;
}

void timeline_window(const struct timeline *tl, int cpu, int64_t from_ns, int64_t to_ns,
	struct timeline_sum *out)
{
	struct timeline_sum start;

	timeline_before(&tl->cpu[cpu], from_ns, &start);
	timeline_before(&tl->cpu[cpu], to_ns, out);
	subtract(out, &start);
}

void timeline_columns(const struct timeline *tl, int cpu, int64_t from_ns, int64_t step_ns, int n,
	struct timeline_sum *out)
{
	struct walk w = walk_from(&tl->cpu[cpu], from_ns);
	struct timeline_sum left, right;

	walk_to(&w, from_ns, &left);
	for (int i = 0; i < n; i++) {
		walk_to(&w, from_ns + (i + 1) * step_ns, &right);
		out[i] = right;
		subtract(&out[i], &left);
		left = right;
	}
}

static uint32_t worst_of(const struct timeline *tl, const struct timeline_cpu *c, size_t lo, size_t hi)
{
	const size_t block = TIMELINE_BLOCK, super = block * block;
	uint32_t best = NO_MISS;

	while (lo < hi) {
		if (lo % super == 0 && lo + super <= hi) {
			best = costlier(tl, c, best, c->worst2[lo / super]);
			lo += super;
		} else if (lo % block == 0 && lo + block <= hi) {
			best = costlier(tl, c, best, c->worst[lo / block]);
			lo += block;
		} else {
			enum verdict v = verdict_of(c, lo);

			if (v == VERDICT_ABOVE || v == VERDICT_BELOW)
				best = costlier(tl, c, best, (uint32_t)lo);
			lo++;
		}
	}
	return best;
}

size_t timeline_worst(const struct timeline *tl, int cpu, int64_t from_ns, int64_t to_ns)
{
	const struct timeline_cpu *c = &tl->cpu[cpu];
	uint32_t i = worst_of(tl, c, timeline_at(c, from_ns - 1), timeline_at(c, to_ns - 1));

	return i == NO_MISS ? TIMELINE_NONE : i;
}

size_t timeline_miss(const struct timeline *tl, int cpu, size_t i, int dir)
{
	const struct timeline_cpu *c = &tl->cpu[cpu];

	/* TIMELINE_NONE + 1 is 0: from before the first */
	for (i += (size_t)dir; i < c->n; i += (size_t)dir) {
		enum verdict v = verdict_of(c, i);

		if (v == VERDICT_ABOVE || v == VERDICT_BELOW)
			return i;
		/* skip blocks without any */
		if (dir > 0 && i % TIMELINE_BLOCK == 0 && c->worst[i / TIMELINE_BLOCK] == NO_MISS)
			i += TIMELINE_BLOCK - 1;
		else if (dir < 0 && c->worst[i / TIMELINE_BLOCK] == NO_MISS)
			i -= i % TIMELINE_BLOCK;
	}
	return TIMELINE_NONE;
}

int64_t timeline_idle_ns(const struct timeline_sum *s)
{
	int64_t sum = 0;

	for (int i = 0; i < STATES_MAX; i++)
		sum += s->time_ns[i];
	return sum;
}

int timeline_dominant(const struct timeline_sum *s, int64_t width_ns)
{
	int best = 0;

	for (int i = 1; i < STATES_MAX; i++)
		if (s->time_ns[i] > s->time_ns[best])
			best = i;
	return width_ns - timeline_idle_ns(s) > s->time_ns[best] ? -1 : best;
}
