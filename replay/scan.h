/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * First pass of sojourns_build(), over all CPUs in time order: what crosses CPUs. Which waking
 * ended an idle stretch, who sent an interrupt, which timers were armed when and where. Internal to
 * replay/sojourn*.c. Times are ns on the recording's clock.
 */
#ifndef REIDLE_REPLAY_SCAN_H
#define REIDLE_REPLAY_SCAN_H

#include "replay/armed.h"
#include "replay/sojourn.h"

/* a start of the tick's own hrtimer; expires_ns NEVER_NS: cancelled */
struct tick_start {
	int64_t at_ns, expires_ns;
};

/* the CPU was in its idle task: [start_ns, end_ns), events [from, to) of the CPU */
struct stretch {
	int64_t start_ns, end_ns;
	size_t from, to;
	int32_t next_pid;
	int32_t waking_cpu; /* of the last waking of next_pid; -1 unknown */
	int64_t waking_ns;
	bool open;     /* the recording ends inside it */
	bool headless; /* the recording begins inside it */
};

#define ANNOTATION_NONE INT64_MIN

struct scan_cpu {
	struct stretch *stretch;
	size_t n, cap;
	struct tick_start *tick;
	size_t nticks, tick_cap;
	struct armed hr, wheel;
	/* per event: expiry of an expire event, sending time of an interrupt's entry; else NONE */
	int64_t *annotation;
};

struct scan {
	const struct trace *trace;
	int64_t tick_ns, tick_phase_ns;
	int64_t jiffies_ns;	/* monotonic time of jiffy 0 */
	int64_t clock_shift_ns; /* recording's clock minus that of the hrtimers */
	bool have_jiffies;
	uint64_t early; /* hrtimers that fired within their slack */
	bool global_wheel;
	uint32_t tick_name[4];
	int ntick_names;
	struct scan_cpu *cpu; /* [trace->ncpus] */
};

/** scan_run() - the pass; release with scan_free() */
void scan_run(struct scan *s, const struct trace *t, int64_t tick_ns, bool global_wheel);
void scan_free(struct scan *s);

/** scan_is_tick() - is an hrtimer function's name that of the tick */
bool scan_is_tick(const struct scan *s, uint32_t name);

/** scan_is_ipi() - does the event begin the handling of an interrupt sent by another CPU */
bool scan_is_ipi(const struct trace *t, const struct event *ev);

/* --- replay/scan_timers.c: the armed timers --- */
struct timer_map;
struct timer_map *timer_map_new(void);
/** timer_map_event() - follow one timer event of a CPU; returns the expiry of an expire event */
int64_t timer_map_event(struct timer_map *m, struct scan *s, int cpu, const struct event *ev);
/** timer_map_finish() - what is still armed stays so to the end; frees the map, sorts the intervals
 */
void timer_map_finish(struct timer_map *m, struct scan *s);

#endif
