/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the governor of each CPU was given, rebuilt from timers, ticks and interrupts.
 * struct inputs is fed the moments of a walk in order and answers for the present one; it owns its
 * timer sets. Times are ns on the recording's clock, which is taken to be the monotonic one.
 */
#ifndef REIDLE_REPLAY_INPUTS_H
#define REIDLE_REPLAY_INPUTS_H

#include "replay/backfill.h"
#include "src/machine.h"

/* what decided the sleep length */
enum sleep_bound {
	BOUND_HRTIMER,
	BOUND_WHEEL,
	BOUND_TICK,    /* a wheel timer within a tick: the tick stays, both lengths are the same */
	BOUND_RCU,     /* callbacks seem to hold the tick */
	BOUND_RESCHED, /* a task was waiting: the tick stays */
	BOUND_NOTHING, /* no timer events at all */
};

/* what one select() was given */
struct input_snapshot {
	int64_t entry_ns; /* the kernel's idle entry time, to which lengths refer */
	int64_t sleep_ns, sleep_alt_ns, delta_ns;
	enum sleep_bound bound;
	bool stopped;
	bool exact; /* no heuristic went into it: only the events' own delays */
};

/* how long after an event the kernel read the clock, in ns; all follow from the event cost */
struct input_delays {
	int64_t switched;  /* sched_switch to the idle task -> idle entry time */
	int64_t interrupt; /* last event of an interrupt -> idle entry time */
	int64_t exited;	   /* cpu_idle exit -> idle entry time where no interrupt was seen */
	int64_t pending;   /* a tick due later after an exit belongs to the next period */
};

struct inputs_cpu {
	bool in_idle, inside, stopped, stopping;
	bool interrupted; /* an interrupt was seen since the last entry or exit */
	bool left;	  /* an exit was seen since the last entry or switch */
	bool resched;	  /* need_resched was set at that exit */
	bool got_tick, next_got_tick;
	bool entered, stop_seen; /* since the switch to the idle task */
	int64_t first_irq_ns;	 /* since then; INT64_MAX none */
	bool base_idle, base_known; /* timer_base_idle */
	int last_state;
	int64_t entry_ns, exit_ns, length_ns, switched_ns;
	int64_t tick_due_ns; /* of the tick timer; INT64_MAX cancelled */
	size_t next_revealed;
	struct timerset *revealed; /* one heap: those begun and not yet over */
	uint8_t iowait;
};

struct inputs {
	const struct trace *trace;
	const struct machine *machine;
	int hz;
	int64_t tick_ns, jiffies_ns; /* jiffies_ns: last time that jiffies were brought up to date */
	bool split_wheel; /* 6.9 and later */
	struct input_delays delay;
	struct backfill fill;
	struct timerset hrtimers, local, global, anywhere; /* anywhere: the global ones in one heap */
	int base_busy;	/* CPUs whose timer base is known not to be idle */
	struct inputs_cpu *cpu; /* [ncpus] */
};

/** inputs_init() - @event_cost_ns: of the recording; the delays are multiples of it */
void inputs_init(struct inputs *in, const struct trace *t, const struct machine *m, int hz,
	int64_t event_cost_ns);
void inputs_free(struct inputs *in);

/** inputs_feed() - take one moment of the walk into account */
void inputs_feed(struct inputs *in, const struct moment *m);

/**
 * inputs_will_change() - does this moment stop or re-program the tick for a decision under way
 * The inputs of that decision are those before it: take them first.
 */
bool inputs_will_change(const struct inputs *in, const struct moment *m);

/** inputs_take() - what a select() on this CPU was given, at or shortly before this time */
void inputs_take(struct inputs *in, int cpu, int64_t at_ns, struct input_snapshot *out);

/** inputs_got_tick() - the tick flag, read and cleared */
bool inputs_got_tick(struct inputs *in, int cpu);

/**
 * inputs_aborted() - was there a select() between the switch to the idle task and the one away from it
 * at this time, although no state was entered: the pass took as long as a select() does, and no
 * interrupt came so early that the idle loop would not have begun
 */
bool inputs_aborted(const struct inputs *in, int cpu, int64_t at_ns);

/** inputs_reflect_ns() - when the governor was told of the period that ended last */
int64_t inputs_reflect_ns(const struct inputs *in, int cpu);

/* --- in bounds.c --- */
/** bounds_take() - fill the lengths of a snapshot whose entry_ns and stopped are set */
void bounds_take(struct inputs *in, int cpu, int64_t at_ns, struct input_snapshot *out);

#endif
