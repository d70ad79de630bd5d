/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One CPU on its way through its sojourns: the idle loop's variables. Internal to replay/free_cpu.c
 * (what the governor is asked and told) and replay/free_sleep.c (how a sleep ends). Times are ns.
 */
#ifndef REIDLE_REPLAY_FREE_WALKER_H
#define REIDLE_REPLAY_FREE_WALKER_H

#include "replay/free_cpu.h"

struct walker {
	const struct free_setup *set;
	const struct sojourn_costs *cost;
	const struct sojourns_cpu *c;
	const struct free_table *table;
	const struct trace *trace;
	int cpu;
	void *memory;
	struct free_result *out;
	size_t next_limit;
	int64_t limit_ns;
	/* the sojourn */
	const struct sojourn *so;
	const struct arrival *a;
	size_t k, n; /* next arrival, number */
	size_t note_tick, note_held, note_limit, note_end;
	bool held; /* the tick cannot be stopped just now */
	int64_t hr_ns, wheel_ns;
	int64_t tick_due_ns;
	bool stopped, got_tick, first;
	/* the iteration: interrupts are off from base on; S is read at read_ns */
	int64_t base_ns, select_ns, read_ns, entry_ns, begin_ns;
	bool can_stop;
	int state;
	/* how it ended */
	int64_t exit_ns, turn_ns, reflect_ns;
	bool final, limit_hit;
	uint8_t wake;
};

static inline const struct arrival *next_arrival(const struct walker *w)
{
	return w->k < w->n ? &w->a[w->k] : NULL;
}

static inline bool wakes_task(const struct arrival *a)
{
	return a && (a->flags & ARRIVAL_RESCHED);
}

/* only need_resched set from elsewhere keeps a CPU from going to sleep; interrupts are pending then
 */
static inline bool is_remote(const struct arrival *a)
{
	return a->kind == ARRIVAL_REMOTE || a->kind == ARRIVAL_UNKNOWN;
}

/* run by the tick's handler: sets the tick flag even when the tick is stopped */
static inline bool runs_in_tick(const struct arrival *a)
{
	return a->kind == ARRIVAL_WHEEL || a->kind == ARRIVAL_TICK_WORK;
}

static inline void handle(struct walker *w, const struct arrival *a)
{
	w->hr_ns = a->next_hr_ns;
	w->wheel_ns = a->next_wheel_ns;
	w->k++;
}

static inline void tick_handled(struct walker *w)
{
	w->got_tick = true;
	w->tick_due_ns += w->set->tick_ns;
	w->out->cpu->ticks++;
}

static inline void ticks_until(struct walker *w, int64_t at_ns)
{
	while (!w->stopped && w->tick_due_ns <= at_ns)
		tick_handled(w);
}

static inline int64_t known_or(int32_t ns, int64_t typical_ns)
{
	return ns == UNKNOWN_NS ? typical_ns : ns;
}

/** walker_sleep() - from w->entry_ns in w->state: sets when and how it ended, takes what was
 * handled */
void walker_sleep(struct walker *w);

#endif
