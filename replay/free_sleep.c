// SPDX-License-Identifier: GPL-2.0-or-later
/* How a sleep ends: by the next wake, the next tick if it runs, or the state's own time-out. */
#include "replay/free_walker.h"

#include <stdlib.h>

static const struct note *find_note(struct walker *w, size_t *cursor, uint8_t kind, int64_t at_ns)
{
	const struct note *n = w->c->note;

	while (*cursor < w->note_end && (n[*cursor].at_ns < at_ns || n[*cursor].kind != kind))
		++*cursor;
	return *cursor < w->note_end && n[*cursor].at_ns == at_ns ? &n[*cursor] : NULL;
}

const struct note *walker_tick_note(struct walker *w)
{
	return find_note(w, &w->note_tick, NOTE_TICK, w->tick_due_ns);
}

/* --- latencies --- */

int64_t walker_recorded_latency(const struct walker *w, uint32_t period)
{
	const struct machine *m = w->set->recorded;
	int table = w->cpu < m->ncpus ? m->table_of[w->cpu] : 0;

	if (w->set->emulated || period >= w->so->nperiods)
		return 0;
	return w->set->s->latency[table]
		[w->trace->cpu[w->cpu].period[w->so->period + period].state].exit_ns;
}

/* what the recording knows about the delay stays; only the state's own part changes */
static int64_t delay_in_state(const struct walker *w, int64_t recorded_ns, uint32_t period)
{
	int64_t was_ns = walker_recorded_latency(w, period), is_ns = w->table->latency_ns[w->state];
	int64_t delay_ns = recorded_ns + is_ns - was_ns;

	/* where the recorded one is shorter than its state was taken to cost, the same state keeps it */
	return is_ns >= was_ns ? delay_ns : max64(delay_ns, min64(recorded_ns, is_ns));
}

static int64_t arrival_delay(const struct walker *w, const struct arrival *a)
{
	if (a->then.delay_ns == UNKNOWN_NS)
		return w->cost->delay_ns[a->kind] + w->table->latency_ns[w->state];
	return delay_in_state(w, a->then.delay_ns, a->period);
}

static void woken_by(struct walker *w, const struct arrival *a)
{
	static const uint8_t wake[ARRIVAL_KINDS] = {[ARRIVAL_REMOTE] = WAKE_IPI,
		[ARRIVAL_UNKNOWN] = WAKE_UNKNOWN,
		[ARRIVAL_TIMER] = WAKE_TIMER,
		[ARRIVAL_WHEEL] = WAKE_TIMER,
		[ARRIVAL_TICK_WORK] = WAKE_TICK,
		[ARRIVAL_IPI] = WAKE_IPI,
		[ARRIVAL_IRQ] = WAKE_IRQ};
	int64_t from_ns = max64(a->at_ns, w->entry_ns);

	w->exit_ns = from_ns + arrival_delay(w, a);
	w->delay_ns = (int32_t)min64(w->exit_ns - from_ns, INT32_MAX);
	follow(w, &a->then, TURN_WAKE, w->cost->reflect_ns[a->kind]);
	w->final = wakes_task(a);
	w->wake = wake[a->kind];
	w->got_tick |= runs_in_tick(a);
	if (w->set->bound == BOUND_TICKS && !w->stopped)
		w->got_tick |= w->exit_ns - w->entry_ns <= w->set->tick_ns;
	GROW(w->out->wake.ns, w->out->wake.n, w->out->wake.cap);
	w->out->wake.ns[w->out->wake.n++] = (int32_t)min64(w->exit_ns - from_ns, INT32_MAX);
}

/* the recorded time-out nearest to an entry, if there is one within half a time-out */
static const struct note *find_limit(struct walker *w, int64_t timeout_ns)
{
	const struct note *n = w->c->note;
	size_t *i = &w->note_limit;

	while (*i < w->note_end &&
		(n[*i].kind != NOTE_LIMIT || n[*i].at_ns < w->entry_ns - timeout_ns / 2))
		++*i;
	return *i < w->note_end && n[*i].at_ns <= w->entry_ns + timeout_ns / 2 ? &n[*i] : NULL;
}

/* the recorded exit of the latest handler that ran inside a polling period, and what followed it */
struct handled {
	int64_t exit_ns;
	const struct follow_up *then;
};

static void note_handled(struct handled *h, int64_t at_ns, const struct follow_up *then)
{
	if (then->delay_ns == UNKNOWN_NS || at_ns + then->delay_ns < h->exit_ns)
		return;
	h->exit_ns = at_ns + then->delay_ns;
	h->then = then;
}

static void poll_ticks(struct walker *w, int64_t until_ns, struct handled *h)
{
	while (!w->stopped && w->tick_due_ns < until_ns) {
		const struct note *n = walker_tick_note(w);

		if (n)
			note_handled(h, n->at_ns, &n->then);
		tick_handled(w);
	}
}

/* interrupts that wake no task are handled inside a polling period and do not end it */
static void poll_interrupts(struct walker *w, int64_t until_ns, struct handled *h)
{
	const struct arrival *a;

	for (a = next_arrival(w); a && !wakes_task(a) && a->at_ns < until_ns; a = next_arrival(w)) {
		w->got_tick |= runs_in_tick(a);
		note_handled(h, a->at_ns, &a->then);
		handle(w, a);
	}
	poll_ticks(w, until_ns, h);
}

static void timed_out(struct walker *w, struct handled *h)
{
	int64_t timeout_ns = walker_timeout(w), limit_ns = w->entry_ns + timeout_ns;
	const struct note *n = find_limit(w, timeout_ns);

	w->exit_ns = limit_ns + w->cost->limit_over_ns;
	/* the recorded overshoot, if this period was recorded with this time-out */
	if (n && n->then.delay_ns > timeout_ns)
		w->exit_ns = w->entry_ns + n->then.delay_ns;
	follow(w, n ? &n->then : NULL, TURN_LIMIT, w->cost->limit_reflect_ns);
	/* until it notices, interrupts are still taken inside; a handler that runs long delays it */
	poll_interrupts(w, w->exit_ns, h);
	if (h->exit_ns > w->exit_ns || (!n && h->then && h->exit_ns > limit_ns)) {
		w->exit_ns = h->exit_ns;
		follow(w, h->then, TURN_LIMIT, w->cost->limit_reflect_ns);
	}
	w->limit_hit = true;
	w->wake = WAKE_LIMIT;
}

static void poll(struct walker *w)
{
	int64_t until_ns = w->entry_ns + walker_timeout(w);
	struct handled h = {0};
	/* the wake that ends a sojourn is the last of its arrivals */
	const struct arrival *a = w->k < w->n ? &w->a[w->n - 1] : NULL;

	if (wakes_task(a) && max64(a->at_ns, w->entry_ns) < until_ns) {
		poll_interrupts(w, a->at_ns, &h);
		woken_by(w, a);
		if (is_remote(a))
			w->wake = WAKE_POLL;
		return;
	}
	poll_interrupts(w, until_ns, &h);
	timed_out(w, &h);
}

static void sleep_until_tick(struct walker *w)
{
	int64_t due_ns = w->tick_due_ns;
	const struct note *n = walker_tick_note(w);
	const struct arrival *a;
	int64_t delay_ns;

	if (n && n->then.delay_ns >= 0)
		delay_ns = delay_in_state(w, n->then.delay_ns, n->period);
	else
		delay_ns = w->cost->tick_delay_ns + w->table->latency_ns[w->state];
	w->exit_ns = max64(due_ns, w->entry_ns) + delay_ns;
	follow(w, n ? &n->then : NULL, TURN_TICK, w->cost->tick_reflect_ns);
	w->wake = WAKE_TICK;
	tick_handled(w);
	/* timers that fell due by then are run by the same interrupt */
	for (a = next_arrival(w); a && !w->final && a->at_ns <= w->exit_ns; a = next_arrival(w)) {
		if (a->kind != ARRIVAL_TIMER && !runs_in_tick(a))
			break;
		w->final = wakes_task(a);
		handle(w, a);
	}
}

static void sleep_until_arrival(struct walker *w, const struct arrival *a)
{
	bool ended = a->flags & ARRIVAL_ENDED;
	uint32_t period = a->period;

	woken_by(w, a);
	handle(w, a);
	/* what was handled together with it in the recording, or fell due by then */
	for (a = next_arrival(w); a && !w->final && a->at_ns <= w->exit_ns; a = next_arrival(w)) {
		if ((a->flags & (ARRIVAL_ENDED | ARRIVAL_BEFORE)) &&
			!(ended && (a->flags & ARRIVAL_ENDED) && a->period == period))
			break;
		w->final = wakes_task(a);
		handle(w, a);
	}
	ticks_until(w, w->exit_ns);
}

void walker_sleep(struct walker *w)
{
	const struct arrival *a = next_arrival(w);

	w->final = w->limit_hit = false;
	if (walker_timeout(w) != INT64_MAX) {
		poll(w);
	} else if (!w->stopped && w->tick_due_ns < (a ? a->at_ns : w->so->end_ns)) {
		sleep_until_tick(w);
	} else if (a) {
		sleep_until_arrival(w, a);
	} else {
		w->exit_ns = max64(w->so->end_ns, w->entry_ns);
		follow(w, NULL, TURN_WAKE, 0);
		w->final = true;
		w->wake = WAKE_UNKNOWN;
	}
}
