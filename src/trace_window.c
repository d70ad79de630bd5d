// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/trace.h"

#include <stdlib.h>

/* number of the first period that ends after a time */
static size_t first_period(const struct cpu_trace *c, int64_t at_ns)
{
	size_t lo = 0, hi = c->nperiods;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->period[mid].exit_ns <= at_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static size_t first_hole(const struct cpu_trace *c, int64_t at_ns)
{
	size_t h = 0;

	while (h < c->nholes && c->hole[h].to_ns < at_ns)
		h++;
	return h;
}

/* of an array that is in order; what a damaged file left out of order may be missed, not overrun */
static void cut_out(struct cpu_trace *out, const struct cpu_trace *c, const struct window *w)
{
	size_t ev = trace_event_at(c, w->from_ns), period = first_period(c, w->from_ns);
	size_t hole = first_hole(c, w->from_ns);

	*out = (struct cpu_trace){.ev = c->ev + ev, .nevs = trace_event_at(c, w->to_ns) - ev,
		.period = c->period + period, .hole = c->hole + hole, .first_ns = w->from_ns,
		.last_ns = w->to_ns, .deepest = c->deepest};
	while (period + out->nperiods < c->nperiods && out->period[out->nperiods].enter_ns < w->to_ns)
		out->nperiods++;
	while (hole + out->nholes < c->nholes && out->hole[out->nholes].from_ns < w->to_ns)
		out->nholes++;
}

void trace_window_open(struct trace *view, const struct trace *t, int window)
{
	const struct window *w = &t->window[window];

	*view = *t;
	view->nwindows = 0;
	view->origin_ns = w->from_ns;
	view->end_ns = w->to_ns;
	view->cpu = xcalloc((size_t)t->ncpus, sizeof(*view->cpu));
	for (int i = 0; i < t->ncpus; i++) {
		struct cpu_trace *c = &view->cpu[i];

		cut_out(c, &t->cpu[i], w);
		if (!c->nperiods)
			continue;
		/* nothing of a CPU lies before its recording: what it slept in began inside */
		view->origin_ns = min64(view->origin_ns, c->period[0].enter_ns);
		view->end_ns = max64(view->end_ns, c->period[c->nperiods - 1].exit_ns);
	}
}

void trace_window_close(struct trace *view, struct trace *t)
{
	t->name = view->name;
	t->nnames = view->nnames;
	t->name_cap = view->name_cap;
	t->name_map = view->name_map;
	free(view->cpu);
}
