/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An index over the idle periods of one run, so that a window of any width costs the same: what lies
 * before every sixteenth period, and the worst miss per 64 periods and per 64 times 64: 4 bytes per period
 * with four states, 7 with nine; with hundreds of CPUs 4 to 16 more. It borrows the run's periods (the run
 * must outlive it and not change) and owns the rest. Times are ns on the recording's clock.
 */
#ifndef REIDLE_SRC_TIMELINE_H
#define REIDLE_SRC_TIMELINE_H

#include "src/run.h"

#define TIMELINE_BLOCK 64
#define TIMELINE_SHIFT 4 /* a step is 16 periods */
#define TIMELINE_NONE SIZE_MAX

/* what lies before one moment: windows are differences of two of these */
struct timeline_sum {
	int64_t time_ns[STATES_MAX]; /* idle time by state asked for, an open last period included */
	uint64_t above, below;	     /* misses whose period has ended */
	uint64_t wakes;		     /* periods that have ended */
};

struct timeline_cpu {
	const struct period *period;
	size_t n;
	const struct state_table *table;
	int64_t *step_exit; /* per step (the last may be empty): when its last period ends; INT64_MAX the last */
	int64_t *step_sum;  /* per step, before it: ns of each state, then above + (below << 32) */
	uint8_t *verdict;   /* per period: enum verdict */
	uint32_t *worst;    /* per 64 periods: index of the costliest miss, UINT32_MAX none */
	uint32_t *worst2;   /* per 64 of those */
	struct timeline_sum total;
	/* with many CPUs: depth before every unit_ns from the start, in ns times the state's place from 1 */
	int64_t unit_ns, ncells, *grid;
};

struct timeline {
	int ncpus;
	struct timeline_cpu *cpu;
	int64_t event_cost_ns;
	int64_t from_ns, to_ns; /* the recording's ends */
};

/**
 * timeline_build() - index a run
 * @event_cost_ns: subtracted from each length before the verdict, as in run_summarize()
 * Every state of the run must be in its CPU's table.
 * Release with timeline_free().
 */
void timeline_build(struct timeline *tl, const struct run *r, int64_t event_cost_ns);
void timeline_free(struct timeline *tl);

/** timeline_before() - sums from the start to @at_ns; a binary search and <= 16 additions */
void timeline_before(const struct timeline_cpu *c, int64_t at_ns, struct timeline_sum *out);
/** timeline_window() - sums of [from_ns, to_ns) */
void timeline_window(const struct timeline *tl, int cpu, int64_t from_ns, int64_t to_ns,
	struct timeline_sum *out);
/** timeline_columns() - windows of @n columns side by side, each @step_ns wide, from @from_ns */
void timeline_columns(const struct timeline *tl, int cpu, int64_t from_ns, int64_t step_ns, int n,
	struct timeline_sum *out);

/** timeline_weight() - of a state in depth: (state + 1) / states, so 1 is the deepest */
static inline double timeline_weight(const struct state_table *t, int state)
{
	return state < t->nstates ? (double)(state + 1) / t->nstates : 1;
}

/** timeline_ended() - how many of the first @i periods have ended: only the last of all may be open */
static inline size_t timeline_ended(const struct timeline_cpu *c, size_t i)
{
	return i - (i && i == c->n && (c->period[i - 1].flags & PERIOD_CUT_END));
}

/** timeline_build_grid() - part of timeline_build() */
void timeline_build_grid(const struct timeline *tl, struct timeline_cpu *c);
/** timeline_depth() - idle time weighted by depth of @n columns, added to @out */
void timeline_depth(const struct timeline *tl, int cpu, int64_t from_ns, int64_t step_ns, int n,
	double *out);

/** timeline_worst() - period of the costliest miss ending in [from_ns, to_ns); TIMELINE_NONE */
size_t timeline_worst(const struct timeline *tl, int cpu, int64_t from_ns, int64_t to_ns);
/** timeline_verdict() - of one period; NONE for open and forced ones */
enum verdict timeline_verdict(const struct timeline *tl, int cpu, size_t i);
/** timeline_cost() - ns short of the target (above) or beyond the ideal state's (below); 0 else */
int64_t timeline_cost(const struct timeline *tl, int cpu, size_t i);

/** timeline_at() - first period that ends after @at_ns: the one at that time, or the next; n if none */
size_t timeline_at(const struct timeline_cpu *c, int64_t at_ns);
/** timeline_miss() - next (dir 1) or previous (-1) miss from period @i, not itself; TIMELINE_NONE */
size_t timeline_miss(const struct timeline *tl, int cpu, size_t i, int dir);

/** timeline_idle_ns() - sum over states */
int64_t timeline_idle_ns(const struct timeline_sum *s);
/** timeline_dominant() - state with the most time; -1 when the CPU mostly ran (of @width_ns) */
int timeline_dominant(const struct timeline_sum *s, int64_t width_ns);

#endif
