/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the governor models share: the CPU's table as plain numbers, and the part of struct
 * cpuidle_device that the kernel's core keeps for them. Lives at the head of each model's memory.
 * Times are ns, or us in models of kernels up to 5.4 (unit 1 instead of 1000).
 */
#ifndef REIDLE_REPLAY_MODEL_H
#define REIDLE_REPLAY_MODEL_H

#include "replay/governor.h"

#define KTIME_MAX INT64_MAX

struct core {
	int64_t latency[STATES_MAX + 1],
		residency[STATES_MAX + 1]; /* one zeroed slot past the end */
	const struct state_table *table;   /* for names only */
	int64_t tick;
	int nstates;
	uint32_t polling; /* mask of states with the polling flag */
	int last;	  /* last_state_idx */
	uint64_t slept;	  /* last_residency_ns */
	bool poll_limit;  /* poll_time_limit */
};

/**
 * core_init() - copy the table
 * @unit: 1000 for models that count ns, 1 for those that count us
 */
void core_init(struct core *c, const struct gov_machine *m, int unit);

static inline bool core_is(uint32_t mask, int state)
{
	return mask >> state & 1;
}

/**
 * core_outcome() - what the kernel's core does before reflect()
 * Return: true if the governor's reflect() is called (cpuidle.c cpuidle_enter(),
 * cpuidle_idle_call())
 */
static inline bool core_outcome(struct core *c, const struct gov_outcome *out)
{
	if (out->entered < 0) {
		c->slept = 0;
		return false;
	}
	c->slept = out->residency_ns;
	if (core_is(c->polling, out->entered))
		c->poll_limit = out->poll_limit;
	return true;
}

static inline const char *core_name(const struct core *c, int state)
{
	return c->table->state[state].name;
}

/* the state that fits a duration, searched upwards from idx; idx itself if all above are disabled
 */
static inline int core_below(const struct core *c, uint32_t disabled, int idx, int64_t duration)
{
	for (int i = idx - 1; i >= 0; i--) {
		if (core_is(disabled, i))
			continue;
		idx = i;
		if (c->residency[i] <= duration)
			break;
	}
	return idx;
}

#endif
