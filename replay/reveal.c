// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Wheel timers that have no events of their own. A stopped tick is set to the next wheel timer; when
 * that lies on the tick grid and no recorded timer explains it, a timer from before the recording does.
 */
#include "replay/backfill.h"

#include <stdlib.h>

#define SEARCH_MAX 4096 /* stops looked at for where such a timer begins and ends to bind */

static int by_target(const void *a, const void *b)
{
	const struct tick_target *x = a, *y = b;

	if (x->expires_ns != y->expires_ns)
		return x->expires_ns < y->expires_ns ? -1 : 1;
	return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

static int by_from(const void *a, const void *b)
{
	const struct revealed *x = a, *y = b;

	if (x->from_ns != y->from_ns)
		return x->from_ns < y->from_ns ? -1 : 1;
	return (x->expires_ns > y->expires_ns) - (x->expires_ns < y->expires_ns);
}

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* index of the first target at or after a time; targets are in time order */
static size_t target_at(const struct backfill_cpu *c, int64_t at_ns)
{
	size_t lo = 0, hi = c->ntargets;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->target[mid].at_ns < at_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* it was there from the last stop before that went beyond it, until the first one after */
static void add_revealed(struct backfill_cpu *c, int64_t expires_ns, int64_t first_ns,
	int64_t last_ns, int64_t origin_ns)
{
	struct revealed r = {.from_ns = origin_ns, .to_ns = expires_ns, .expires_ns = expires_ns};
	size_t i = target_at(c, first_ns), k = target_at(c, last_ns + 1);

	for (size_t n = 0; i > 0 && n < SEARCH_MAX; n++)
		if (c->target[--i].expires_ns > expires_ns) {
			r.from_ns = c->target[i].at_ns;
			break;
		}
	for (size_t n = 0; k < c->ntargets && n < SEARCH_MAX; n++, k++)
		if (c->target[k].expires_ns > expires_ns) {
			r.to_ns = min64(r.to_ns, c->target[k].at_ns);
			break;
		}
	GROW(c->revealed, c->nrevealed, c->revealed_cap);
	c->revealed[c->nrevealed++] = r;
}

static bool explained(const struct time_list *l, int64_t v)
{
	return l->n && bsearch(&v, l->v, l->n, sizeof(*l->v), ascending);
}

static void reveal_cpu(struct backfill *b, struct backfill_cpu *c, const struct time_list *known,
	int64_t origin_ns)
{
	struct tick_target *sorted = xcalloc(c->ntargets + 1, sizeof(*sorted));
	size_t i = 0, k;

	for (k = 0; k < c->ntargets; k++)
		sorted[k] = c->target[k];
	qsort(sorted, c->ntargets, sizeof(*sorted), by_target);
	for (; i < c->ntargets; i = k) {
		int64_t x = sorted[i].expires_ns;

		for (k = i; k < c->ntargets && sorted[k].expires_ns == x; k++)
			;
		if (x != INT64_MAX && backfill_grid(b, x) == x && !explained(known, x))
			add_revealed(c, x, sorted[i].at_ns, sorted[k - 1].at_ns, origin_ns);
	}
	free(sorted);
	if (c->nrevealed)
		qsort(c->revealed, c->nrevealed, sizeof(*c->revealed), by_from);
}

void backfill_reveal(struct backfill *b, const struct time_list *starts, int64_t origin_ns)
{
	struct time_list known = {0};

	for (size_t i = 0; i < starts->n; i++) {
		GROW(known.v, known.n, known.cap);
		known.v[known.n++] = starts->v[i];
	}
	for (size_t i = 0; i < b->nwheels; i++) {
		if (!b->wheel[i].known)
			continue;
		GROW(known.v, known.n, known.cap);
		known.v[known.n++] = b->wheel[i].timer.expires_ns;
	}
	if (known.n)
		qsort(known.v, known.n, sizeof(*known.v), ascending);
	for (int i = 0; i < b->ncpus; i++)
		reveal_cpu(b, &b->cpu[i], &known, origin_ns);
	free(known.v);
}
