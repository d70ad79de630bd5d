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
	struct gov_machine machine;
	void *memory;
	void *held, *scratch; /* the memory before the last select; copies for other readings */
	bool spans;   /* little is known: each decision is asked with all readings */
	bool doubted; /* this one's tasks in I/O wait, or utilization, are not known */
	/* where little is known: states that this decision, and earlier ones of the sojourn, may have chosen */
	unsigned possible, earlier;
	bool may_split; /* a reading keeps the tick, and it comes before the wake */
	bool unsure; /* an earlier decision of the sojourn may have slept to its end */
	struct free_result *out;
	size_t next_limit;
	int64_t limit_ns;
	/* the sojourn */
	const struct sojourn *so;
	const struct arrival *a;
	size_t k, n; /* next arrival, number */
	size_t note_tick, note_held, note_limit, note_end;
	bool tick_held; /* it cannot be stopped just now */
	int64_t hr_ns, wheel_ns;
	int64_t tick_due_ns;
	bool stopped, got_tick, first;
	/* the iteration: interrupts are off from base on; S is read at read_ns */
	int64_t base_ns, select_ns, read_ns, entry_ns, begin_ns;
	bool can_stop;
	int state;
	int64_t window_ns; /* polling limit that the governor sets itself (haltpoll); 0 the state's own */
	/* how it ended */
	int64_t exit_ns, turn_ns, reflect_ns, event_ns;
	int32_t next_select_ns; /* the next select begins so long before its entry; UNKNOWN_NS */
	int32_t delay_ns; /* of the wake that ended it; 0: no wake did */
	bool final, limit_hit;
	bool reentered;	 /* the idle loop is left and entered anew */
	bool last_entry; /* in the recording no further entry followed this exit */
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

/* when the state gives up by itself; poll_idle() takes a governor's limit in place of its own */
static inline int64_t walker_timeout(const struct walker *w)
{
	bool own = w->window_ns && w->table->table->state[w->state].timeout == TIMEOUT_POLL_IDLE;

	return own ? w->window_ns : w->table->timeout_ns[w->state];
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

/* what followed in the recording, if this was recorded; else what is typical */
static inline void follow(struct walker *w, const struct follow_up *f, enum turn_kind kind,
	int64_t reflect_ns)
{
	w->reentered = f && f->reentered;
	w->last_entry = f && f->turn_ns == UNKNOWN_NS;
	w->turn_ns = f ? known_or(f->turn_ns, w->cost->turn_ns[kind]) : w->cost->turn_ns[kind];
	w->reflect_ns = f ? known_or(f->reflect_ns, reflect_ns) : reflect_ns;
	w->event_ns = f ? known_or(f->event_ns, w->cost->event_ns) : w->cost->event_ns;
	w->next_select_ns = f ? f->select_ns : UNKNOWN_NS;
}

/** walker_tick_note() - what the recording knows of the tick that is due next; NULL nothing */
const struct note *walker_tick_note(struct walker *w);

/** walker_recorded_latency() - exit latency inside a recorded delay of a period of the sojourn, ns */
int64_t walker_recorded_latency(const struct walker *w, uint32_t period);

/** span_choices() - set w->possible: the choice, and those of all other readings of the inputs */
void span_choices(struct walker *w, const struct gov_input *in, const struct gov_choice *c);
/** span_count() - the period that just ended, as it was and as it may have been, into the CPU's spans */
void span_count(struct walker *w);

/** walker_sleep() - from w->entry_ns in w->state: sets when and how it ended, takes what was
 * handled */
void walker_sleep(struct walker *w);

#endif
