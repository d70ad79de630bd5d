// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/walk.h"

#include <stdlib.h>

static void offer(struct walk_cursor *c, int64_t at_ns, enum moment_kind kind)
{
	if (at_ns < c->next_ns || (at_ns == c->next_ns && kind < c->next)) {
		c->next_ns = at_ns;
		c->next = kind;
	}
}

/* find what comes next on a CPU; false when nothing is left */
static bool look_ahead(const struct cpu_trace *t, struct walk_cursor *c)
{
	c->next_ns = INT64_MAX;
	c->next = MOMENT_ENTER;
	while (c->ev < t->nevs && t->ev[c->ev].kind == EV_IDLE)
		c->ev++;
	if (c->ev < t->nevs)
		offer(c, t->ev[c->ev].at_ns, MOMENT_EVENT);
	if (c->hole < t->nholes)
		offer(c, t->hole[c->hole].from_ns, MOMENT_HOLE);
	if (c->period < t->nperiods) {
		if (c->inside)
			offer(c, t->period[c->period].exit_ns, MOMENT_EXIT);
		else
			offer(c, t->period[c->period].enter_ns, MOMENT_ENTER);
	}
	return c->next_ns != INT64_MAX;
}

static bool earlier(const struct walk *w, int a, int b)
{
	int64_t x = w->cur[a].next_ns, y = w->cur[b].next_ns;

	return x != y ? x < y : a < b;
}

static void sift_down(struct walk *w, int i)
{
	for (;;) {
		int child = 2 * i + 1, t;

		if (child >= w->nheap)
			return;
		if (child + 1 < w->nheap && earlier(w, w->heap[child + 1], w->heap[child]))
			child++;
		if (!earlier(w, w->heap[child], w->heap[i]))
			return;
		t = w->heap[i];
		w->heap[i] = w->heap[child];
		w->heap[child] = t;
		i = child;
	}
}

void walk_init(struct walk *w, const struct trace *t)
{
	*w = (struct walk){.trace = t};
	w->cur = xcalloc((size_t)t->ncpus + 1, sizeof(*w->cur));
	w->heap = xcalloc((size_t)t->ncpus + 1, sizeof(*w->heap));
	for (int i = 0; i < t->ncpus; i++)
		if (look_ahead(&t->cpu[i], &w->cur[i]))
			w->heap[w->nheap++] = i;
	for (int i = w->nheap / 2 - 1; i >= 0; i--)
		sift_down(w, i);
}

static void take(struct walk *w, struct moment *m)
{
	const struct cpu_trace *t = &w->trace->cpu[m->cpu];
	struct walk_cursor *c = &w->cur[m->cpu];

	if (m->kind == MOMENT_EVENT) {
		m->ev = &t->ev[c->ev++];
	} else if (m->kind == MOMENT_HOLE) {
		c->hole++;
	} else {
		m->period = &t->period[c->period];
		m->index = (uint32_t)c->period;
		c->inside = m->kind == MOMENT_ENTER && !(m->period->flags & PERIOD_CUT_END);
		if (!c->inside)
			c->period++;
	}
}

bool walk_next(struct walk *w, struct moment *m)
{
	int cpu;

	if (!w->nheap)
		return false;
	cpu = w->heap[0];
	*m = (struct moment){
		.at_ns = w->cur[cpu].next_ns, .cpu = cpu, .kind = w->cur[cpu].next};
	take(w, m);
	if (!look_ahead(&w->trace->cpu[cpu], &w->cur[cpu]))
		w->heap[0] = w->heap[--w->nheap];
	sift_down(w, 0);
	return true;
}

void walk_free(struct walk *w)
{
	free(w->cur);
	free(w->heap);
}
