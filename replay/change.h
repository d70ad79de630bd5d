/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one choice costs against the ideal, and whether it is better or worse than the recorded one.
 * Costs are in ns of idle length: by how much a state was too deep, or a deeper one was missed.
 */
#ifndef REIDLE_REPLAY_CHANGE_H
#define REIDLE_REPLAY_CHANGE_H

#include "src/run.h"

struct change_sum {
	struct run_change change;
	int64_t regret_ns, too_shallow_ns, latency_paid_ns;
	uint64_t limited;
};

/**
 * change_cost() - max(0, R[state] - length) where the verdict is above; length - R[ideal] where below
 * @limit_ns: latency limit for the ideal state
 * @limited: set when the verdict is below only because deeper states are beyond the limit; may be NULL
 */
int64_t change_cost(const struct state_table *t, int state, int64_t length_ns, int64_t limit_ns,
	bool *limited);

/** change_cost_of() - the same where the verdict is known */
int64_t change_cost_of(const struct state_table *t, int state, enum verdict v, int64_t length_ns,
	int64_t limit_ns, bool *limited);

/**
 * change_count() - one period under two states
 * @was, @was_table: recorded state and its table; @is, @table: replayed
 * @cut: the period has no end: changed or same is counted, but no cost
 */
void change_count(struct change_sum *s, const struct state_table *was_table, int was,
	const struct state_table *table, int is, int64_t length_ns, int64_t limit_ns, bool cut);

/** change_add_up() - add the sums of one CPU to a run */
void change_add_up(struct run *out, const struct change_sum *s);

#endif
