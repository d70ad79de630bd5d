/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Armed timers by address, each on one CPU, and the earliest expiry of every CPU in constant time.
 * The set owns its memory: timerset_free(). Times are ns; arming and disarming cost O(log n).
 */
#ifndef REIDLE_REPLAY_TIMERSET_H
#define REIDLE_REPLAY_TIMERSET_H

#include "src/util.h"

struct armed {
	uint64_t obj;
	int64_t expires_ns;
	int64_t at_least_ns; /* = expires_ns where it is known, else the earliest that it can be */
};

struct timer_heap {
	struct armed **v;
	size_t n, cap;
};

struct timer_slot;

struct timerset {
	struct timer_heap *cpu; /* [ncpus] */
	int ncpus;
	struct timer_slot *map;
};

void timerset_init(struct timerset *s, int ncpus);
void timerset_free(struct timerset *s);
/** timerset_arm() - (re)arm; whatever was known of the address, also on another CPU, is replaced */
void timerset_arm(struct timerset *s, int cpu, const struct armed *timer);
void timerset_disarm(struct timerset *s, uint64_t obj);

/** timerset_first() - the earliest timer of a CPU, NULL when there is none */
static inline const struct armed *timerset_first(const struct timerset *s, int cpu)
{
	return s->cpu[cpu].n ? s->cpu[cpu].v[0] : NULL;
}

#endif
