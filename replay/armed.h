/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The timers armed on one CPU, as intervals [from, to) with an expiry: which one is next at a time?
 * Intervals are added in any order, then sorted once, then asked at times that never go back.
 * Owned by the caller: armed_free(). Times are ns.
 */
#ifndef REIDLE_REPLAY_ARMED_H
#define REIDLE_REPLAY_ARMED_H

#include "src/util.h"

struct armed_timer {
	int64_t from_ns, to_ns, expires_ns;
};

struct armed {
	struct armed_timer *t; /* sorted by from_ns */
	size_t n, cap;
	size_t next;	/* first interval that has not begun */
	uint32_t *heap; /* begun ones, the earliest expiry on top; stale ones leave when on top */
	size_t nheap, heap_cap;
	int64_t asked_ns;
};

void armed_add(struct armed *a, int64_t from_ns, int64_t to_ns, int64_t expires_ns);
void armed_sort(struct armed *a);
/** armed_next() - earliest expiry of the timers armed at a time; INT64_MAX none */
int64_t armed_next(struct armed *a, int64_t at_ns);
/**
 * armed_disprove() - the kernel was seen to sleep past some of them: they do not count
 * Those begun at or before since_ns that expire before bound_ns are dropped.
 */
void armed_disprove(struct armed *a, int64_t since_ns, int64_t bound_ns);
void armed_free(struct armed *a);

#endif
