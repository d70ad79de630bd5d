// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What lies before a moment, and so in any column between two: the sums before a step of eight or sixteen
 * periods, and a walk over those of the step that are over. All of it is exact, however wide a column is.
 * The edges of many columns are far apart in memory; they are found some dozens ahead of their sums, so
 * that memory can bring them meanwhile.
 */
#include "src/timeline.h"

#include <string.h>

#define AHEAD 48      /* edges */
#define CACHE_LINE 64 /* bytes */

/*
 * First step whose last period does not end before the moment; from @lo on, for edges come in order.
 * Strides double until the step is passed: neighbours in time are neighbours in memory.
 */
static size_t step_at(const struct timeline_cpu *c, size_t lo, int64_t at_ns)
{
	size_t last = c->n >> TIMELINE_SHIFT, hi = lo, stride = 1;

	while (hi < last && c->step_exit[hi] < at_ns) {
		lo = hi + 1;
		hi = hi + stride < last ? hi + stride : last;
		stride *= 2;
	}
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->step_exit[mid] >= at_ns)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

size_t timeline_at(const struct timeline_cpu *c, int64_t at_ns)
{
	size_t i;

	if (at_ns == INT64_MAX)
		return c->n;
	/* among the ends of steps, which memory holds close together, and then of one step's periods */
	for (i = step_at(c, 0, at_ns + 1) << TIMELINE_SHIFT; i < c->n && c->period[i].exit_ns <= at_ns; i++)
		;
	return i;
}

static const int64_t *sum_of(const struct timeline_cpu *c, size_t f)
{
	return &c->step_sum[f * (size_t)(c->table->nstates + 1)];
}

static void bring(const struct timeline_cpu *c, size_t f)
{
	const char *p = (const char *)&c->period[f << TIMELINE_SHIFT];

	__builtin_prefetch(sum_of(c, f));
	for (size_t at = 0; at < sizeof(struct period) << TIMELINE_SHIFT; at += CACHE_LINE)
		__builtin_prefetch(p + at);
}

/* the steps of the next edges of a row of columns */
struct edges {
	const struct timeline_cpu *c;
	int64_t from_ns, step_ns;
	int n;	     /* edges in all */
	int k, from, to; /* the next one; steps of [from, to) are known */
	size_t last, step[AHEAD];
};

static struct edges edges_of(const struct timeline_cpu *c, int64_t from_ns, int64_t step_ns, int n)
{
	return (struct edges){.c = c, .from_ns = from_ns, .step_ns = step_ns, .n = n, .last = SIZE_MAX};
}

static size_t next_step(struct edges *e)
{
	if (e->k == e->to) {
		size_t f = e->last == SIZE_MAX ? 0 : e->last;

		e->from = e->to;
		e->to = e->n - e->from < AHEAD ? e->n : e->from + AHEAD;
		for (int k = e->from; k < e->to; k++) {
			f = step_at(e->c, f, e->from_ns + k * e->step_ns);
			if (f > e->last + 1)
				bring(e->c, f);
			e->step[k - e->from] = e->last = f;
		}
	}
	return e->step[e->k++ - e->from];
}

/*
 * Periods do not overlap, so all before the first that ends at or after the moment are whole, and only
 * that one can be cut by it. A period ends with its exit: that is where its miss counts. Only the last of
 * all can be still open, so as many have ended as lie before.
 */
struct walk {
	const struct timeline_cpu *c;
	size_t i; /* sums of all periods before it */
	struct timeline_sum sum;
};

static void walk_start(struct walk *w, size_t f)
{
	const int64_t *sum = sum_of(w->c, f);
	int nstates = w->c->table->nstates;

	w->i = f << TIMELINE_SHIFT;
	for (int s = 0; s < nstates; s++)
		w->sum.time_ns[s] = sum[s];
	w->sum.above = (uint32_t)sum[nstates];
	w->sum.below = (uint64_t)sum[nstates] >> 32;
	w->sum.wakes = timeline_ended(w->c, w->i);
}

/* @f: the step of the moment; edges come in order, one in the same step goes on where the last stopped */
static void walk_to(struct walk *w, size_t f, int64_t at_ns, struct timeline_sum *out)
{
	const struct timeline_cpu *c = w->c;

	if (f << TIMELINE_SHIFT > w->i)
		walk_start(w, f);
	for (; w->i < c->n && c->period[w->i].exit_ns < at_ns; w->i++) {
		const struct period *p = &c->period[w->i];

		w->sum.time_ns[p->state] += p->exit_ns - p->enter_ns;
		w->sum.wakes += !(p->flags & PERIOD_CUT_END);
		w->sum.above += c->verdict[w->i] == VERDICT_ABOVE;
		w->sum.below += c->verdict[w->i] == VERDICT_BELOW;
	}
	*out = w->sum;
	if (w->i < c->n && c->period[w->i].enter_ns < at_ns)
		out->time_ns[c->period[w->i].state] += at_ns - c->period[w->i].enter_ns;
}

void timeline_before(const struct timeline_cpu *c, int64_t at_ns, struct timeline_sum *out)
{
	struct walk w = {.c = c};

	walk_to(&w, step_at(c, 0, at_ns), at_ns, out);
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
	struct edges e = edges_of(&tl->cpu[cpu], from_ns, step_ns, n + 1);
	struct walk w = {.c = &tl->cpu[cpu]};
	struct timeline_sum left, right;

	walk_to(&w, next_step(&e), from_ns, &left);
	for (int i = 0; i < n; i++) {
		walk_to(&w, next_step(&e), from_ns + (i + 1) * step_ns, &right);
		out[i] = right;
		subtract(&out[i], &left);
		left = right;
	}
}

/* as struct walk, of one number: ns times the state's place from 1 */
struct depth {
	const struct timeline_cpu *c;
	size_t i;
	int64_t sum;
};

static int64_t depth_of(const struct timeline_cpu *c, size_t f)
{
	const int64_t *sum = sum_of(c, f);
	int64_t depth = 0;

	for (int s = 0; s < c->table->nstates; s++)
		depth += sum[s] * (s + 1);
	return depth;
}

static inline int64_t depth_to(struct depth *d, size_t f, int64_t at_ns)
{
	const struct timeline_cpu *c = d->c;
	const struct period *p, *end = c->period + c->n;
	int64_t sum = d->sum;

	if (f << TIMELINE_SHIFT > d->i) {
		d->i = f << TIMELINE_SHIFT;
		sum = depth_of(c, f);
	}
	for (p = &c->period[d->i]; p < end && p->exit_ns < at_ns; p++)
		sum += (p->exit_ns - p->enter_ns) * (p->state + 1);
	d->i = (size_t)(p - c->period);
	d->sum = sum;
	return sum + (p < end && p->enter_ns < at_ns ? (at_ns - p->enter_ns) * (p->state + 1) : 0);
}

/*
 * With hundreds of CPUs even that is too much memory to touch. Windows begin and end on round steps, so a
 * grid of what lies before every multiple of a round unit, at most two for each period, serves all but
 * those whose columns hold a period or two each.
 */
void timeline_build_grid(const struct timeline *tl, struct timeline_cpu *c)
{
	int64_t span = max64(tl->to_ns - tl->from_ns, 1), unit = 1;
	struct depth d = {.c = c};

	for (bool five = false; span / unit > 2 * (int64_t)c->n; five = !five)
		unit *= five ? 2 : 5;
	c->unit_ns = unit;
	c->ncells = span / unit + 2; /* the last one lies behind the end */
	c->grid = xcalloc((size_t)c->ncells, sizeof(*c->grid));
	for (int64_t i = 0; i < c->ncells; i++)
		c->grid[i] = depth_to(&d, 0, tl->from_ns + i * unit);
}

static int64_t grid_at(const struct timeline_cpu *c, int64_t cell)
{
	return cell <= 0 ? 0 : c->grid[min64(cell, c->ncells - 1)];
}

static void depth_on_grid(const struct timeline_cpu *c, int64_t cell, int64_t stride, int n, double *out)
{
	int64_t left = grid_at(c, cell);
	double share = 1.0 / c->table->nstates;

	for (int k = 0; k < n; k++) {
		int64_t right = grid_at(c, cell + (k + 1) * stride);

		out[k] += (double)(right - left) * share;
		left = right;
	}
}

static void depth_by_walk(const struct timeline_cpu *c, int64_t from_ns, int64_t step_ns, int n, double *out)
{
	struct edges e = edges_of(c, from_ns, step_ns, n + 1);
	struct depth d = {.c = c};
	size_t f = step_at(c, 0, from_ns);
	bool dense = step_at(c, f, from_ns + n * step_ns) - f > (size_t)n;
	int64_t left = depth_to(&d, f, from_ns);
	double share = 1.0 / c->table->nstates;

	if (dense)
		next_step(&e);
	for (int k = 0; k < n; k++) {
		int64_t right = depth_to(&d, dense ? next_step(&e) : 0, from_ns + (k + 1) * step_ns);

		out[k] += (double)(right - left) * share;
		left = right;
	}
}

void timeline_depth(const struct timeline *tl, int cpu, int64_t from_ns, int64_t step_ns, int n,
	double *out)
{
	const struct timeline_cpu *c = &tl->cpu[cpu];
	int64_t rel = from_ns - tl->from_ns;

	if (c->grid && step_ns % c->unit_ns == 0 && rel % c->unit_ns == 0)
		depth_on_grid(c, rel / c->unit_ns, step_ns / c->unit_ns, n, out);
	else
		depth_by_walk(c, from_ns, step_ns, n, out);
}
