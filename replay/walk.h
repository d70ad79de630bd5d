/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace as one stream of moments in time order over all CPUs: events, idle entries and exits, holes.
 * The walk borrows the trace; walk_free() releases only its own heap. Times are ns, absolute.
 */
#ifndef REIDLE_REPLAY_WALK_H
#define REIDLE_REPLAY_WALK_H

#include "src/trace.h"

/* at the same time on one CPU they come in this order: an exit before what follows it */
enum moment_kind { MOMENT_HOLE, MOMENT_EXIT, MOMENT_EVENT, MOMENT_ENTER };

struct moment {
	int64_t at_ns;
	const struct event *ev; /* MOMENT_EVENT; never EV_IDLE */
	const struct period *period; /* MOMENT_ENTER, MOMENT_EXIT */
	uint32_t index; /* of the period in its CPU */
	int cpu;
	enum moment_kind kind;
};

struct walk_cursor {
	size_t ev, period, hole;
	bool inside; /* the exit of the current period is still to come */
	int64_t next_ns;
	enum moment_kind next;
};

struct walk {
	const struct trace *trace;
	struct walk_cursor *cur; /* [ncpus] */
	int *heap;		 /* CPUs with something left, the earliest on top */
	int nheap;
};

void walk_init(struct walk *w, const struct trace *t);
/** walk_next() - the next moment; false at the end. CPUs with equal times come by number */
bool walk_next(struct walk *w, struct moment *m);
void walk_free(struct walk *w);

#endif
