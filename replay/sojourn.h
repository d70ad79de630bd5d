/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording as free replay needs it: sojourns (a CPU runs nothing but its idle task) and the
 * wakes that arrived in them, with what the recording knows about each. Built once, read-only
 * afterwards, shared by every run. Times are ns on the recording's clock; the caller frees it.
 */
#ifndef REIDLE_REPLAY_SOJOURN_H
#define REIDLE_REPLAY_SOJOURN_H

#include "replay/decision.h"
#include "replay/latency.h"
#include "src/machine.h"
#include "src/trace.h"

#define NEVER_NS INT64_MAX
#define UNKNOWN_NS INT32_MIN /* of the times in struct follow_up */

/* how a wake came; a remote one sets need_resched from another CPU, the others are interrupts */
enum arrival_kind {
	ARRIVAL_REMOTE,
	ARRIVAL_UNKNOWN,
	ARRIVAL_TIMER,	   /* hrtimer other than the tick */
	ARRIVAL_WHEEL,	   /* timer wheel, run from a tick */
	ARRIVAL_TICK_WORK, /* work done in a tick that woke a task */
	ARRIVAL_IPI,
	ARRIVAL_IRQ,
	ARRIVAL_KINDS
};

/* what followed a wake in the recording; each UNKNOWN_NS where it did not happen or was not seen */
struct follow_up {
	int32_t delay_ns;   /* exit - max(arrival, entry) */
	int32_t turn_ns;    /* next entry - exit */
	int32_t reflect_ns; /* reflect() - exit */
	int32_t select_ns;  /* next entry - begin of its select() */
	int32_t event_ns;   /* length of the period that it ended - the kernel's residency */
	/* need_resched was set and yet no task came: the idle loop was left and entered anew */
	int32_t reentered;
};

#define ARRIVAL_RESCHED 0x01 /* a task was woken: ends the sojourn */
#define ARRIVAL_ENDED 0x02   /* ended a recorded period, number `period` of the sojourn */
#define ARRIVAL_BEFORE 0x04  /* was handled before recorded period number `period` */

struct arrival {
	int64_t at_ns;
	/* timers are a function of the wakes handled, not of time: what is armed after this one */
	int64_t next_hr_ns, next_wheel_ns;
	struct follow_up then;
	uint32_t period;
	uint8_t kind; /* enum arrival_kind */
	uint8_t flags;
};

/* what else the recording knows of a moment inside a sojourn */
enum note_kind {
	NOTE_TICK,  /* at: a tick was due */
	NOTE_LIMIT, /* at: entry of a period that ended by its own time-out; then.delay_ns: its length */
	NOTE_HELD,  /* at: from this select on the tick could not be stopped, whatever the timers */
	NOTE_FREE,  /* at: from this select on it could */
};

struct note {
	int64_t at_ns;
	struct follow_up then;
	uint32_t period; /* of the sojourn, in which it fell */
	uint8_t kind;
};

#define SOJOURN_SELECTED 0x01 /* no period, but a select was seen: the entry was aborted */
#define SOJOURN_SKIP 0x02     /* lost events or forced periods inside: kept as recorded */
#define SOJOURN_RESET 0x08    /* the governor begins anew: the CPU was off line before */
#define SOJOURN_PARTIAL 0x04  /* the recording begins or ends inside */

struct sojourn {
	int64_t start_ns, end_ns;	   /* switch to the idle task; switch away from it */
	int64_t entry_ns;		   /* first recorded entry; NEVER_NS none */
	int64_t tick_ns;		   /* first tick due after the start */
	int64_t next_hr_ns, next_wheel_ns; /* armed at the first select */
	uint32_t arrival, narrivals;	   /* into sojourns_cpu.arrival */
	uint32_t note, nnotes;
	uint32_t period, nperiods; /* recorded periods, into the trace's */
	uint16_t flags;
	uint16_t iowait_max; /* tasks of this CPU that may have been waiting for I/O */
	/* first entry - begin of its select(); where the entry was aborted, its answer - start; UNKNOWN_NS */
	int32_t select_ns;
};

struct limit_step {
	int64_t from_ns, limit_ns;
};

/* how a sojourn's end, or an iteration's, was reached: selects the typical cost */
enum turn_kind { TURN_WAKE, TURN_TICK, TURN_LIMIT, TURN_KINDS };

/* typical costs of this recording (medians), ns; used where one moment has no own figure */
struct sojourn_costs {
	int64_t event_ns;	     /* recorded length minus the kernel's residency */
	int64_t event_lo_ns, event_hi_ns; /* its range */
	int64_t first_ns;	     /* switch to the idle task .. first entry */
	int64_t select_ns;	     /* select answered .. entry */
	int64_t select_start_ns;     /* select begun .. entry */
	int64_t turn_ns[TURN_KINDS]; /* exit .. next entry */
	int64_t delay_ns[ARRIVAL_KINDS], tick_delay_ns;
	int64_t reflect_ns[ARRIVAL_KINDS], tick_reflect_ns, limit_reflect_ns;
	int64_t limit_over_ns; /* how far a time-out overshoots */
};

struct sojourns_cpu {
	struct sojourn *sojourn;
	size_t n, cap;
	struct arrival *arrival;
	size_t narrivals, arrival_cap;
	struct note *note;
	size_t nnotes, note_cap;
	struct limit_step *limit; /* sorted; empty: no limit known */
	size_t nlimits, limit_cap;
	uint64_t ticks, stops, aborted; /* as recorded, inside sojourns */
};

struct sojourns {
	const struct trace *trace;
	int ncpus;
	struct sojourns_cpu *cpu;
	int hz;
	int64_t tick_ns, tick_phase_ns;
	bool global_wheel;    /* 6.9 and later: timers that are not pinned do not bound the sleep */
	bool have_switches, have_timers;
	/* without either: every period is a sojourn of its own, its end held, no timer known */
	bool alone;
	bool have_interrupts; /* device interrupts or vectors */
	bool probed;	      /* probe events say which selects were aborted, which ticks held */
	struct sojourn_costs costs;
	struct state_latency (*latency)[STATES_MAX]; /* [ntables of the recorded machine] */
	uint64_t early_timers; /* fired before their hard expiry, within their slack */
	uint64_t unexplained;  /* periods of which nothing says what ended them */
};

/**
 * sojourns_build() - cut a recording into sojourns and wakes
 * @t: finished trace that kept sojourns_want()
 * @m: the recorded machine (time-outs of polling states)
 * @hz: tick rate, > 0
 * @event_cost_ns: recorded length minus kernel residency; < 0: take the probes', else 0
 * @ignore_probes: do as if there were no probe events
 * Release with sojourns_free().
 */
void sojourns_build(struct sojourns *out, const struct trace *t, const struct machine *m, int hz,
	int64_t event_cost_ns, bool ignore_probes);
void sojourns_free(struct sojourns *s);

/**
 * sojourns_of_decisions() - the same from what the decisions of the recording already know
 * Tick rate and event cost are theirs, and so are the latency limits where no probe gives them.
 */
void sojourns_of_decisions(struct sojourns *out, const struct decisions *d, const struct machine *m);

/** sojourns_want() - the event kinds it uses, as EV_BITs */
uint64_t sojourns_want(void);

/** sojourns_grid() - the first tick strictly after a time, on the recording's tick grid */
int64_t sojourns_grid(const struct sojourns *s, int64_t after_ns, int64_t tick_ns);

#endif
