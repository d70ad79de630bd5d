// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sleep length and its tick part from the armed timers.
 * Source of the rules: kernel/time/tick-sched.c tick_nohz_get_sleep_length(), 6.1 to 7.3; since 6.9
 * kernel/time/timer_migration.c: timers that are not pinned are served by whichever CPU is awake.
 */
#include "replay/inputs.h"

static int64_t due(const struct armed *a)
{
	return a ? a->expires_ns : INT64_MAX;
}

/* timers that only stopped ticks reveal: the earliest that binds at this time */
static int64_t revealed_due(struct inputs *in, int cpu, int64_t at_ns)
{
	struct inputs_cpu *c = &in->cpu[cpu];
	const struct backfill_cpu *b = &in->fill.cpu[cpu];
	const struct armed *a;

	for (; c->next_revealed < b->nrevealed && b->revealed[c->next_revealed].from_ns < at_ns;
		c->next_revealed++) {
		const struct revealed *r = &b->revealed[c->next_revealed];
		struct armed timer = {.obj = c->next_revealed + 1, .expires_ns = r->expires_ns,
			.at_least_ns = r->to_ns};

		timerset_arm(c->revealed, 0, &timer);
	}
	while ((a = timerset_first(c->revealed, 0)) && a->at_least_ns <= at_ns)
		timerset_disarm(c->revealed, a->obj);
	return due(a);
}

/* the next timer of the wheel that this CPU has to serve itself */
static int64_t wheel_due(struct inputs *in, int cpu, int64_t at_ns)
{
	const struct inputs_cpu *c = &in->cpu[cpu];
	int64_t base = in->jiffies_ns, next = due(timerset_first(&in->local, cpu));
	int64_t own = due(timerset_first(&in->global, cpu));

	next = min64(next, revealed_due(in, cpu, at_ns));
	if (own <= base + in->tick_ns)
		next = min64(next, own);
	/* the last CPU awake serves the timers of all */
	if (in->split_wheel && in->base_busy - (c->base_known && !c->base_idle) <= 0)
		next = min64(next, due(timerset_first(&in->anywhere, 0)));
	return max64(next, base);
}

/*
 * Callbacks that wait for RCU hold the tick, and no event says so. They show in the RCU softirq of
 * the next tick, unless the tick was stopped before.
 */
static bool rcu_holds(const struct inputs *in, int cpu, int64_t at_ns)
{
	const struct backfill_cpu *b = &in->fill.cpu[cpu];
	int64_t next_rcu = time_after(&b->rcu, at_ns);

	return next_rcu != INT64_MAX && next_rcu < time_after(&b->stop, at_ns) &&
	       next_rcu - at_ns < in->tick_ns &&
	       time_upto(&b->rcu, at_ns) > time_upto(&b->stop, at_ns);
}

static int64_t minus(int64_t due_ns, int64_t now_ns)
{
	return due_ns == INT64_MAX ? INT64_MAX - max64(now_ns, 0) : due_ns - now_ns;
}

void bounds_take(struct inputs *in, int cpu, int64_t at_ns, struct input_snapshot *out)
{
	const struct inputs_cpu *c = &in->cpu[cpu];
	const struct armed *hr = timerset_first(&in->hrtimers, cpu);
	int64_t wheel = wheel_due(in, cpu, at_ns), now = out->entry_ns;
	bool hr_first = due(hr) <= wheel;

	out->delta_ns = minus(min64(due(hr), c->tick_due_ns), now);
	out->sleep_ns = minus(min64(due(hr), wheel), now);
	out->sleep_alt_ns = out->sleep_ns;
	out->bound = hr_first ? BOUND_HRTIMER : BOUND_WHEEL;
	out->exact = !(hr && hr_first && hr->at_least_ns < hr->expires_ns);
	if (!(in->trace->present & EV_BIT(EV_HRTIMER_START))) {
		out->bound = BOUND_NOTHING;
		out->exact = false;
		out->sleep_ns = in->tick_ns;
		out->delta_ns = in->tick_ns / 2;
		out->sleep_alt_ns = INT64_MAX / 2;
	} else if (!c->stopped && wheel - in->jiffies_ns <= in->tick_ns) {
		out->sleep_ns = out->sleep_alt_ns = out->delta_ns;
		out->bound = BOUND_TICK;
		out->exact = true;
	} else if (!c->stopped && rcu_holds(in, cpu, at_ns)) {
		out->sleep_ns = out->delta_ns;
		out->bound = BOUND_RCU;
		out->exact = false;
	} else if (!out->exact) {
		/* cancelled before it fired: it was due some time after this */
		out->sleep_alt_ns = minus(max64(hr->at_least_ns, at_ns), now);
	}
}
