/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the whole of a recording tells about its beginning: timers that were armed before it, timers
 * that only a stopped tick reveals, the tick timer of each CPU, where jiffies lie on the clock.
 * backfill_free() releases everything. Times are ns; jiffies are the kernel's counter.
 */
#ifndef REIDLE_REPLAY_BACKFILL_H
#define REIDLE_REPLAY_BACKFILL_H

#include "replay/timerset.h"
#include "replay/walk.h"

#define REALTIME_NS 1000000000000000000LL /* later than this is wall-clock time: another clock base */
#define KERNEL_LOCAL_TIMERS 60900000 /* 6.9: timers split into local and global ones */
#define TIMER_CPU_MASK 0x3ffff	     /* bits of the flags of timer_start: include/linux/timer.h */
#define TIMER_FLAG_DEFERRABLE 0x80000
#define TIMER_FLAG_PINNED 0x100000

struct prearmed {
	struct armed timer;
	int cpu;
	int64_t seen_ns; /* first event of the timer */
	bool known;	 /* it was seen to expire: the expiry follows */
	bool skip;	 /* deferrable */
	bool global;	 /* wheel: another CPU may take it over */
};

/* a wheel timer without events of its own, known because a stopped tick was set to it */
struct revealed {
	int64_t from_ns, to_ns, expires_ns;
};

struct time_list {
	int64_t *v; /* ascending */
	size_t n, cap;
};

struct tick_target {
	int64_t at_ns, expires_ns; /* INT64_MAX: the tick was cancelled, nothing is due */
};

struct backfill_cpu {
	uint64_t tick; /* address of its tick timer, 0 unknown */
	struct time_list rcu;	/* ends of RCU softirqs */
	struct time_list stop;	/* tick stops */
	struct tick_target *target; /* what each stopped tick was set to */
	size_t ntargets, target_cap;
	struct revealed *revealed; /* by from_ns */
	size_t nrevealed, revealed_cap;
};

struct backfill {
	int64_t tick_ns;
	int64_t jiffies_origin; /* jiffy j begins at (j + origin) * tick_ns */
	bool jiffies_known;
	int64_t clock_offset_ns; /* the recording's clock minus the kernel's monotonic one */
	/* from the switch to the idle task to the first entry: 5th and 50th percentile, 0 unknown */
	int64_t enter_fast_ns, enter_typical_ns;
	struct prearmed *hrtimer, *wheel;
	size_t nhrtimers, hrtimer_cap, nwheels, wheel_cap;
	struct backfill_cpu *cpu; /* [ncpus] */
	int ncpus;
};

void backfill_build(struct backfill *b, const struct trace *t, int64_t tick_ns, int64_t version);
void backfill_free(struct backfill *b);

/**
 * wheel_bucket() - when the timer wheel will serve a timer
 * @expires, @now: jiffies; Return: jiffies
 * Source: kernel/time/timer.c calc_wheel_index(), 4.8 and later
 */
int64_t wheel_bucket(int64_t expires, int64_t now);

/**
 * backfill_reveal() - fill revealed[] of every CPU; part of backfill_build()
 * @starts: times at which recorded wheel timers are due
 */
void backfill_reveal(struct backfill *b, const struct time_list *starts, int64_t origin_ns);

/** backfill_jiffy() - the time at which a jiffy begins */
static inline int64_t backfill_jiffy(const struct backfill *b, int64_t jiffy)
{
	return (jiffy + b->jiffies_origin) * b->tick_ns + b->clock_offset_ns;
}

/** backfill_clock() - a time that an event carries on the monotonic clock, on the recording's own */
static inline int64_t backfill_clock(const struct backfill *b, int64_t mono_ns)
{
	return mono_ns < REALTIME_NS ? mono_ns + b->clock_offset_ns : INT64_MAX;
}

/** backfill_grid() - the last tick of the grid that is not later than a time */
static inline int64_t backfill_grid(const struct backfill *b, int64_t at_ns)
{
	int64_t past = (at_ns - b->clock_offset_ns) % b->tick_ns;

	return at_ns - (past < 0 ? past + b->tick_ns : past);
}

/**
 * clock_offset() - the recording's clock minus the kernel's monotonic one, from expiries of hrtimers,
 * which carry both; 0 when the recording is on the monotonic clock or nothing tells
 */
int64_t clock_offset(const struct trace *t);

/** time_after() - first time in the list later than @at_ns, INT64_MAX none */
int64_t time_after(const struct time_list *l, int64_t at_ns);
/** time_upto() - last time in the list not later than @at_ns, INT64_MIN none */
int64_t time_upto(const struct time_list *l, int64_t at_ns);

#endif
