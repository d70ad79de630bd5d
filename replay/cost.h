/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event cost of a recording: how much longer a recorded idle period is than the residency that the
 * kernel measured inside it. Both events lie outside the kernel's two clock reads, so the difference is
 * about the time that writing one event takes. Times are ns; nothing is owned.
 */
#ifndef REIDLE_REPLAY_COST_H
#define REIDLE_REPLAY_COST_H

#include "replay/decision.h"

struct event_cost {
	int64_t ns, lo_ns, hi_ns;
	char source[32]; /* "probe", "miss events", "none" */
};

/** cost_from_probes() - from the residencies of the reflect probe; false when there are too few */
bool cost_from_probes(struct event_cost *out, const struct trace *t);

/**
 * cost_estimate() - without them: the gap between exit and miss event is one event long, and no
 * period can be shorter than the cost of its events
 */
void cost_estimate(struct event_cost *out, const struct trace *t);

#endif
