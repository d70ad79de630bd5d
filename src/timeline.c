// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/timeline.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NO_MISS UINT32_MAX
#define FEW_CPUS 32 /* up to here walks are cheap enough for depth too */

static enum verdict judge(const struct timeline *tl, const struct timeline_cpu *c, size_t i)
{
	const struct period *p = &c->period[i];

	if (p->flags & (PERIOD_CUT_END | PERIOD_FORCED))
		return VERDICT_NONE;
	if (p->flags & PERIOD_JUDGED)
		return p->flags & PERIOD_MISS_ABOVE   ? VERDICT_ABOVE
		       : p->flags & PERIOD_MISS_BELOW ? VERDICT_BELOW
						      : VERDICT_OK;
	return machine_verdict(c->table, p->entered, period_kernel_ns(p, tl->event_cost_ns));
}

static enum verdict verdict_of(const struct timeline_cpu *c, size_t i)
{
	return (enum verdict)c->verdict[i];
}

static int64_t cost_of(const struct timeline *tl, const struct timeline_cpu *c, size_t i)
{
	const struct period *p = &c->period[i];
	int64_t length = period_kernel_ns(p, tl->event_cost_ns);

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

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool is_miss(enum verdict v)
{
	return v == VERDICT_ABOVE || v == VERDICT_BELOW;
}

/* periods of one step; sum: ns of each state, then misses, and goes on to the next step */
static void build_step(struct timeline_cpu *c, const struct timeline *tl, size_t f, int64_t *sum)
{
	int nsums = c->table->nstates;
	size_t from = f << TIMELINE_SHIFT, end = min_size((f + 1) << TIMELINE_SHIFT, c->n);

	memcpy(&c->step_sum[f * (size_t)(nsums + 1)], sum, (size_t)(nsums + 1) * sizeof(*sum));
	for (size_t i = from; i < end; i++) {
		const struct period *p = &c->period[i];
		enum verdict v = judge(tl, c, i);

		assert(p->state >= 0 && p->state < nsums);
		c->verdict[i] = (uint8_t)v;
		sum[p->state] += p->exit_ns - p->enter_ns;
		sum[nsums] += v == VERDICT_ABOVE ? 1 : v == VERDICT_BELOW ? 1LL << 32 : 0;
	}
	/* what is past the last full step is found by looking at it */
	c->step_exit[f] = f < c->n >> TIMELINE_SHIFT ? c->period[end - 1].exit_ns : INT64_MAX;
}

static void find_worst(struct timeline_cpu *c, const struct timeline *tl, size_t b)
{
	size_t end = min_size((b + 1) * TIMELINE_BLOCK, c->n);
	int64_t worst_cost = -1;

	c->worst[b] = NO_MISS;
	for (size_t i = b * TIMELINE_BLOCK; i < end; i++) {
		int64_t cost = is_miss(verdict_of(c, i)) ? cost_of(tl, c, i) : -1;

		if (cost > worst_cost) {
			worst_cost = cost;
			c->worst[b] = (uint32_t)i;
		}
	}
}

static uint32_t costlier(const struct timeline *tl, const struct timeline_cpu *c, uint32_t a, uint32_t b)
{
	if (a == NO_MISS || b == NO_MISS)
		return a == NO_MISS ? b : a;
	return cost_of(tl, c, b) > cost_of(tl, c, a) ? b : a;
}

static void build_total(struct timeline_cpu *c, const int64_t *sum)
{
	for (int i = 0; i < c->table->nstates; i++)
		c->total.time_ns[i] = sum[i];
	c->total.above = (uint32_t)sum[c->table->nstates];
	c->total.below = (uint64_t)sum[c->table->nstates] >> 32;
	c->total.wakes = timeline_ended(c, c->n);
}

static void build_cpu(struct timeline_cpu *c, const struct timeline *tl)
{
	size_t blocks = c->n / TIMELINE_BLOCK + 1, steps;
	int64_t sum[STATES_MAX + 1] = {0};

	assert(c->n < NO_MISS);
	steps = (c->n >> TIMELINE_SHIFT) + 1;
	c->step_exit = xcalloc(steps, sizeof(*c->step_exit));
	c->step_sum = xcalloc(steps, (size_t)(c->table->nstates + 1) * sizeof(*c->step_sum));
	c->worst = xcalloc(blocks, sizeof(*c->worst));
	c->verdict = xcalloc(c->n, sizeof(*c->verdict));
	c->worst2 = xcalloc(blocks / TIMELINE_BLOCK + 1, sizeof(*c->worst2));
	memset(c->worst2, 0xff, (blocks / TIMELINE_BLOCK + 1) * sizeof(*c->worst2));
	for (size_t f = 0; f < steps; f++)
		build_step(c, tl, f, sum);
	for (size_t b = 0; b < blocks; b++) {
		uint32_t *top = &c->worst2[b / TIMELINE_BLOCK];

		find_worst(c, tl, b);
		*top = costlier(tl, c, *top, c->worst[b]);
	}
	build_total(c, sum);
	if (tl->ncpus > FEW_CPUS)
		timeline_build_grid(tl, c);
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
		free(tl->cpu[i].worst);
		free(tl->cpu[i].worst2);
		free(tl->cpu[i].verdict);
		free(tl->cpu[i].grid);
		free(tl->cpu[i].step_exit);
		free(tl->cpu[i].step_sum);
	}
	free(tl->cpu);
	memset(tl, 0, sizeof(*tl));
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
			if (is_miss(verdict_of(c, lo)))
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
		if (is_miss(verdict_of(c, i)))
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
