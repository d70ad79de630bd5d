// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sojourns of a recording that holds little: without timers or task switches every period is one, ended
 * by a wake of which nothing is known. Only a polling period that ran out is known to have had none.
 */
#include "replay/cut.h"

/* the next select follows a time-out at once; what comes later may have had a task in between */
#define NEXT_SELECT_NS 50000

struct alone {
	struct sojourns_cpu *out;
	const struct cpu_trace *t;
	const struct state_table *table;
	int hz;
};

/* a polling state that was given up by itself: need_resched would have ended it earlier */
static bool ran_out(const struct alone *a, const struct period *p)
{
	if (p->flags & (PERIOD_RESCHED | PERIOD_FORCED | PERIOD_CUT_END) ||
		p->state >= a->table->nstates)
		return false;
	return p->exit_ns - p->enter_ns >= machine_timeout(a->table, p->state, a->hz);
}

static void note_time_out(struct alone *a, struct sojourn *so, size_t i, bool last)
{
	const struct period *p = &a->t->period[i];
	struct sojourns_cpu *out = a->out;
	struct note n = {.at_ns = p->enter_ns,
		.then = FOLLOW_UNKNOWN,
		.period = (uint32_t)i - so->period,
		.kind = NOTE_LIMIT};

	n.then.delay_ns = (int32_t)min64(p->exit_ns - p->enter_ns, INT32_MAX);
	if (!last)
		n.then.turn_ns = (int32_t)(p[1].enter_ns - p->exit_ns);
	GROW(out->note, out->nnotes, out->note_cap);
	out->note[out->nnotes++] = n;
	so->nnotes++;
}

/* from period i on: those that polling ran out of, and the first that something ended; how many */
static size_t take_one(struct alone *a, size_t i)
{
	const struct period *p = &a->t->period[i];
	struct sojourns_cpu *out = a->out;
	struct sojourn so = {.start_ns = p->enter_ns, .entry_ns = p->enter_ns, .tick_ns = NEVER_NS,
		.next_hr_ns = NEVER_NS, .next_wheel_ns = NEVER_NS,
		.arrival = (uint32_t)out->narrivals, .narrivals = 1, .note = (uint32_t)out->nnotes,
		.period = (uint32_t)i, .select_ns = UNKNOWN_NS};
	struct arrival wake = {.next_hr_ns = NEVER_NS, .next_wheel_ns = NEVER_NS,
		.then = FOLLOW_UNKNOWN, .kind = ARRIVAL_UNKNOWN,
		.flags = ARRIVAL_RESCHED | ARRIVAL_ENDED};
	bool out_of_time;

	for (;; i++, p++) {
		out_of_time = ran_out(a, p);
		if (!out_of_time || i + 1 >= a->t->nperiods || (p[1].flags & PERIOD_CUT_END) ||
			p[1].enter_ns - p->exit_ns > NEXT_SELECT_NS)
			break;
		note_time_out(a, &so, i, false);
	}
	if (out_of_time)
		note_time_out(a, &so, i, true);
	so.nperiods = (uint32_t)(i + 1) - so.period;
	so.end_ns = p->exit_ns + 1;
	if ((p->flags & PERIOD_FORCED) || p->exit_ns - so.start_ns > TOO_LONG_NS)
		so.flags |= SOJOURN_SKIP;
	wake.at_ns = p->exit_ns;
	wake.period = so.nperiods - 1;
	wake.then.delay_ns = 0;
	GROW(out->arrival, out->narrivals, out->arrival_cap);
	out->arrival[out->narrivals++] = wake;
	GROW(out->sojourn, out->n, out->cap);
	out->sojourn[out->n++] = so;
	return so.nperiods;
}

void sojourns_alone(struct sojourns_cpu *out, const struct cpu_trace *t,
	const struct state_table *table, int hz)
{
	struct alone a = {.out = out, .t = t, .table = table, .hz = hz};

	for (size_t i = 0; i < t->nperiods && !(t->period[i].flags & PERIOD_CUT_END);)
		i += take_one(&a, i);
}
