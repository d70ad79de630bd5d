// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Depth of sleep per column for hundreds of CPUs at once: one number per eight periods, so that an edge
 * touches two or three lines of memory, however many periods lie between two columns.
 */
#include "src/timeline.h"

void timeline_build_depth(struct timeline_cpu *c)
{
	size_t steps = c->n / TIMELINE_FINE + 1;
	double weight[STATES_MAX], sum = 0;

	for (int s = 0; s < STATES_MAX; s++)
		weight[s] = timeline_weight(c->table, s);
	c->fine_exit = xcalloc(steps, sizeof(*c->fine_exit));
	c->fine_depth = xcalloc(steps, sizeof(*c->fine_depth));
	for (size_t f = 0; f < steps; f++) {
		c->fine_depth[f] = sum;
		c->fine_exit[f] = INT64_MAX;
		for (size_t i = f * TIMELINE_FINE; i < c->n && i < (f + 1) * TIMELINE_FINE; i++) {
			const struct period *p = &c->period[i];

			sum += (double)(p->exit_ns - p->enter_ns) * weight[p->state];
			c->fine_exit[f] = p->exit_ns;
		}
	}
	/* what is past the last full step is found by looking at it */
	if (c->n)
		c->fine_exit[steps - 1] = INT64_MAX;
}

/*
 * First step whose last period does not end before the moment; from @lo on, for edges come in order.
 * Strides double until the step is passed: neighbours in time are neighbours in memory.
 */
static size_t step_at(const struct timeline_cpu *c, size_t lo, int64_t at_ns)
{
	size_t last = c->n / TIMELINE_FINE, hi = lo, stride = 1;

	while (hi < last && c->fine_exit[hi] < at_ns) {
		lo = hi + 1;
		hi = hi + stride < last ? hi + stride : last;
		stride *= 2;
	}
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->fine_exit[mid] >= at_ns)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static double depth_before(const struct timeline_cpu *c, size_t f, int64_t at_ns,
	const double weight[STATES_MAX])
{
	double sum = c->fine_depth[f];

	for (size_t i = f * TIMELINE_FINE; i < c->n && c->period[i].enter_ns < at_ns; i++)
		sum += (double)(min64(c->period[i].exit_ns, at_ns) - c->period[i].enter_ns) *
		       weight[c->period[i].state];
	return sum;
}

/*
 * With so many steps in a column, what lies between two steps is a few per cent of it at most; taking it
 * as evenly spread spares a look at the periods themselves, which are far apart in memory.
 */
#define STEPS_PER_COLUMN 24

static double depth_between(const struct timeline_cpu *c, size_t f, int64_t at_ns)
{
	int64_t from = f ? c->fine_exit[f - 1] : at_ns, to = c->fine_exit[f];
	size_t last = c->n / TIMELINE_FINE;

	if (f >= last || at_ns <= from || to <= from)
		return c->fine_depth[f];
	return c->fine_depth[f] + (c->fine_depth[f + 1] - c->fine_depth[f]) * (double)(at_ns - from) /
					  (double)(to - from);
}

void timeline_depth(const struct timeline *tl, int cpu, int64_t from_ns, int64_t step_ns, int n,
	double *out)
{
	const struct timeline_cpu *c = &tl->cpu[cpu];
	double weight[STATES_MAX], left;
	size_t f = step_at(c, 0, from_ns);
	bool dense = step_at(c, f, from_ns + n * step_ns) - f > (size_t)n * STEPS_PER_COLUMN;

	for (int s = 0; s < STATES_MAX; s++)
		weight[s] = timeline_weight(c->table, s);
	left = dense ? depth_between(c, f, from_ns) : depth_before(c, f, from_ns, weight);
	for (int k = 0; k < n; k++) {
		int64_t at = from_ns + (k + 1) * step_ns;
		double right;

		f = step_at(c, f, at);
		right = dense ? depth_between(c, f, at) : depth_before(c, f, at, weight);
		out[k] += right - left;
		left = right;
	}
}
