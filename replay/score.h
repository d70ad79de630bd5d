/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inputs rebuilt without probe events, scored against the probes of the same recording.
 * Both sets of decisions are the caller's; score_mix() makes one that decisions_free() releases.
 * Errors are absolute, in ns.
 */
#ifndef REIDLE_REPLAY_SCORE_H
#define REIDLE_REPLAY_SCORE_H

#include "replay/decision.h"

struct error_sum {
	uint64_t n, within_1us, within_10us;
	int64_t p50_ns, p95_ns, p99_ns;
};

struct right_sum {
	uint64_t n, right;
};

struct input_score {
	uint64_t periods; /* decisions of both kinds that led to the same idle period */
	struct error_sum sleep, delta, residency;
	struct right_sum got_tick, limit, poll_limit, aborted; /* aborted: against passes without entry */
	/* sleep lengths off by more than 1 ms, by cause */
	uint64_t far, far_held, far_unknown, far_foreign, far_other;
	uint64_t stopped_contradicted; /* tick part beyond a tick although the tick is said to run */
	int64_t cost_true_ns;	       /* of the probes; 0 unknown */
};

/**
 * score_inputs() - compare
 * @probed: built with the probes, @rebuilt: from the same trace with ignore_probes
 */
void score_inputs(struct input_score *out, const struct decisions *probed,
	const struct decisions *rebuilt);

enum score_take { TAKE_NOTHING, TAKE_SLEEP, TAKE_DELTA, TAKE_RESIDENCY, TAKE_GOT_TICK, TAKE_LIMIT,
	TAKE_CLOCK, TAKE_ABORTED, TAKE_ALL, TAKES };

const char *score_take_name(enum score_take take);

/** score_mix() - the rebuilt decisions with one input taken from the probes */
void score_mix(struct decisions *out, const struct decisions *probed, const struct decisions *rebuilt,
	enum score_take take);

#endif
