// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/feed.h"

uint32_t feed_disabled(const struct state_table *t)
{
	uint32_t mask = 0;

	for (int i = 0; i < t->nstates; i++)
		if (t->state[i].disabled)
			mask |= 1u << i;
	return mask;
}

struct gov_input feed_input(const struct decision *d, uint32_t disabled, int64_t limit_ns)
{
	return (struct gov_input){
		.now_ns = d->select_ns,
		.limit_ns = limit_ns >= 0 ? limit_ns : d->limit_ns,
		.sleep_ns = d->sleep_ns,
		.tick_delta_ns = d->tick_delta_ns,
		.tick_stopped = (d->flags & DEC_TICK_STOPPED) != 0,
		.disabled = disabled,
	};
}

struct gov_outcome feed_outcome(const struct decision *d, int64_t residency_ns, int nstates)
{
	if (d->flags & DEC_ABORTED)
		return (struct gov_outcome){.entered = -1, .now_ns = d->reflect_ns};
	return (struct gov_outcome){
		.entered = d->entered < nstates ? d->entered : nstates - 1,
		.residency_ns = residency_ns,
		.poll_limit = (d->flags & DEC_POLL_LIMIT) != 0,
		.got_tick = (d->flags & DEC_GOT_TICK) != 0,
		.now_ns = d->reflect_ns,
	};
}

int64_t feed_true_length(const struct decision *d)
{
	return d->flags & DEC_ABORTED ? 0 : d->residency_ns;
}
