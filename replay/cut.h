/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Second pass of sojourns_build(), one CPU at a time: what happened inside each idle stretch, and
 * which recorded period each wake ended. Internal to replay/sojourn*.c and replay/cut*.c.
 * The cutter owns its scratch arrays. Times are ns on the recording's clock.
 */
#ifndef REIDLE_REPLAY_CUT_H
#define REIDLE_REPLAY_CUT_H

#include "replay/samples.h"
#include "replay/scan.h"

/* what the probes of this recording cost and cover; filled over all CPUs */
struct cut_samples {
	struct samples select, select_start, event;
};

/* longer is a broken clock or a suspended machine: not to be filled with ticks */
#define TOO_LONG_NS 1000000000000LL

#define FOLLOW_UNKNOWN (struct follow_up){UNKNOWN_NS, UNKNOWN_NS, UNKNOWN_NS, UNKNOWN_NS, UNKNOWN_NS, 0}

/* an arrival while it is being worked out */
struct draft {
	struct arrival a;
	int64_t handler_ns;
};

struct tick_seen {
	int64_t handler_ns, due_ns;
};

/* a recorded period of the stretch with what the probes said of it */
struct seen {
	int64_t enter_ns, exit_ns, reflect_ns;
	int64_t residency_ns; /* the kernel's; INT64_MIN absent */
	int64_t begun_ns, select_ns, sleep_ns,
		delta_ns; /* select begun, answered; INT64_MIN absent */
	bool resched, held;
};

struct cutter {
	const struct sojourns *all;
	const struct trace *t;
	struct scan_cpu *scan;
	const struct scan *pass;
	int cpu;
	int64_t timeout_ns; /* of the table's polling-like state; NEVER_NS none */
	int64_t head_ns;    /* how long after the switch the idle loop reads the time */
	bool ignore_probes;
	const struct decisions_cpu *rebuilt; /* inputs where no probe gives them; NULL none */
	size_t next_decision;
	bool handlers_follow; /* the exit event comes before the waking interrupt's handler */
	struct sojourns_cpu *out;
	struct cut_samples *samples;
	/* cursors over the whole CPU */
	size_t next_period, next_tick, next_stop;
	int64_t stop_at_ns, stop_bound_ns; /* last stop of the tick and what it was set to */
	/* the stretch being cut */
	const struct stretch *st;
	struct sojourn so;
	struct draft *draft;
	size_t ndrafts, draft_cap;
	struct tick_seen *tick;
	size_t nticks, tick_cap;
	struct seen *seen;
	size_t nseen, seen_cap;
	int woke_draft, woke_tick; /* the handler that woke the next task here; -1 none */
	bool selected;
	int64_t answered_ns; /* when; INT64_MIN not known */
	int64_t stopped_ns; /* the tick was, last: no need_resched was set by then */
};

/** cut_gather() - events and periods of the stretch into drafts, ticks and seen periods */
void cut_gather(struct cutter *c);
/** cut_match() - which wake or tick ended which period; fills delays, turns and notes */
void cut_match(struct cutter *c);
/** cut_stretch() - one sojourn from one stretch, appended to c->out */
void cut_stretch(struct cutter *c, const struct stretch *st);
void cut_free(struct cutter *c);

/** sojourns_alone() - every period its own sojourn, for recordings without timers or task switches */
void sojourns_alone(struct sojourns_cpu *out, const struct cpu_trace *t,
	const struct state_table *table, int hz);

#endif
