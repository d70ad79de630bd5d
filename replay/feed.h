/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A decision of a recording in the words of struct governor: what it is given, what it learns after.
 * Shared by every engine that teaches a governor with the recording. Nothing is owned; times are ns.
 */
#ifndef REIDLE_REPLAY_FEED_H
#define REIDLE_REPLAY_FEED_H

#include "replay/decision.h"
#include "replay/governor.h"

/** feed_disabled() - mask of the states that are off in a table, bit i = state i */
uint32_t feed_disabled(const struct state_table *t);

/**
 * feed_input() - what the governor is given at a decision
 * @limit_ns: what-if latency limit; < 0: as recorded
 */
struct gov_input feed_input(const struct decision *d, uint32_t disabled, int64_t limit_ns);

/**
 * feed_outcome() - what it learns after it
 * @residency_ns: of the period; usually d->residency_ns
 * @nstates: of the table; an entered state beyond it counts as the deepest
 */
struct gov_outcome feed_outcome(const struct decision *d, int64_t residency_ns, int nstates);

/** feed_true_length() - for the oracle: the residency; 0 when aborted */
int64_t feed_true_length(const struct decision *d);

#endif
