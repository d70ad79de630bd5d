/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exit latencies as the recording shows them, per state and state table (CPU kind), beside the table's.
 * Plain data; the caller owns the arrays. Times are ns.
 */
#ifndef REIDLE_REPLAY_LATENCY_H
#define REIDLE_REPLAY_LATENCY_H

#include "src/machine.h"

#define LATENCY_MIN_N 30 /* fewer samples measure nothing */

struct latency_figures {
	uint64_t n;
	int64_t min_ns, p50_ns, p90_ns, p99_ns; /* 0 when n is 0 */
};

struct state_latency {
	struct latency_figures timer;  /* expiry of a timer .. exit, where it alone ended the sleep */
	struct latency_figures remote; /* sched_waking on another CPU .. exit */
	bool measured;	 /* the estimate comes from timers of this state, not from its neighbours */
	int64_t exit_ns; /* estimate of the exit latency; the table's where nothing is measured */
};

struct sojourns;

/**
 * latency_measure() - from the wakes of a recording
 * @out: one row of STATES_MAX per table of the machine
 * @s: its sojourns; @m: the recorded machine
 * The delay of a timer holds the handler's way too: the shallowest state's median stands for it, so
 * that the estimate is its table latency plus the difference of medians (n >= LATENCY_MIN_N). States
 * with fewer take the nearest shallower estimate plus the difference in the table.
 * In emulated machines no state takes longer to leave: all estimates are 0 there, and no findings.
 */
void latency_measure(struct state_latency (*out)[STATES_MAX], const struct sojourns *s,
	const struct machine *m);

/**
 * latency_pool() - the same from several parts of a recording: gather each, then settle
 * latency_settle() fills @out as latency_measure() does, and frees the pool
 */
struct latency_pool *latency_pool(const struct machine *m);
void latency_gather(struct latency_pool *p, const struct sojourns *s, const struct machine *m);
void latency_settle(struct latency_pool *p, struct state_latency (*out)[STATES_MAX],
	const struct machine *m, bool emulated);

/**
 * latency_finding() - is the measured latency far from the table's: more than twice or less than
 * half, and by 2 us or more
 */
bool latency_finding(const struct state_latency *l, const struct idle_state *state);

#endif
