// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/causes.h"

#include "replay/replay.h"

#define CLOCK_SLACK_NS 20000 /* the reflect probe and the clock read are at most some events apart */

static const char *const names[] = {
	[CAUSE_INPUT] = "input_guessed",
	[CAUSE_EVENT_COST] = "event_cost_boundary",
	[CAUSE_ABORTED] = "aborted_entry",
	[CAUSE_CLOCK] = "clock_boundary",
	[CAUSE_PAST] = "before_recording",
	[CAUSE_BROADCAST] = "broadcast_fallback",
	[CAUSE_UNEXPLAINED] = "unexplained",
};

const char *verify_cause_name(int i)
{
	return i >= 0 && i < CAUSES ? names[i] : NULL;
}

static bool gives(const struct cause_question *q, struct gov_choice c)
{
	return c.state == q->d->chosen;
}

static bool asks(const struct cause_question *q, struct gov_input in)
{
	return gives(q, pupil_ask(q->pupil, &in));
}

static bool sleep_explains(const struct cause_question *q)
{
	struct gov_input in = q->in;

	if (!(q->read & GOV_READ_SLEEP) || decision_prov(q->d, IN_SLEEP) == PROV_EXACT)
		return false;
	in.sleep_ns = q->d->sleep_alt_ns;
	if (asks(q, in))
		return true;
	/* the tick was held: the length that the kernel gave was its tick part */
	in.sleep_ns = q->d->tick_delta_ns;
	return asks(q, in);
}

static bool tick_explains(const struct cause_question *q)
{
	struct gov_input in = q->in;
	struct gov_outcome last = q->pupil->last;

	in.tick_stopped = !in.tick_stopped;
	if (decision_prov(q->d, IN_TICK_STOPPED) == PROV_GUESSED && asks(q, in))
		return true;
	if (!q->before || decision_prov(q->before, IN_GOT_TICK) == PROV_EXACT)
		return false;
	last.got_tick = !last.got_tick;
	return gives(q, pupil_redo(q->pupil, &last, &q->in));
}

static bool unknown_explains(const struct cause_question *q)
{
	struct gov_input in = q->in;

	if (q->read & GOV_READ_IOWAIT) {
		in.iowait = 1;
		if (asks(q, in))
			return true;
		in.iowait = 0;
	}
	in.utilized = !in.utilized;
	return (q->read & GOV_READ_UTIL) && asks(q, in);
}

static bool limit_explains(const struct cause_question *q)
{
	struct gov_input in = q->in;

	if (decision_prov(q->d, IN_LIMIT) == PROV_EXACT)
		return false;
	in.limit_ns = in.limit_ns ? 0 : LATENCY_ANY;
	return asks(q, in);
}

/* the residency at the two ends of what the events allow */
static bool cost_explains(const struct cause_question *q)
{
	const struct decisions *ds = q->decisions;
	struct gov_outcome last = q->pupil->last;
	int64_t len;

	if (!q->before || last.entered < 0 ||
		decision_prov(q->before, IN_RESIDENCY) == PROV_EXACT)
		return false;
	len = q->before->exit_ns - q->before->enter_ns;
	last.residency_ns = max64(len - ds->event_cost_lo_ns, 1);
	if (gives(q, pupil_redo(q->pupil, &last, &q->in)))
		return true;
	last.residency_ns = max64(len - ds->event_cost_hi_ns, 1);
	return gives(q, pupil_redo(q->pupil, &last, &q->in));
}

static bool clock_explains(const struct cause_question *q)
{
	struct gov_outcome last = q->pupil->last;

	if (!(q->read & GOV_READ_CLOCK) || !q->pupil->have_last || last.entered < 0)
		return false;
	last.now_ns += CLOCK_SLACK_NS;
	if (gives(q, pupil_redo(q->pupil, &last, &q->in)))
		return true;
	last.now_ns -= 2 * CLOCK_SLACK_NS;
	return gives(q, pupil_redo(q->pupil, &last, &q->in));
}

enum cause cause_find(const struct cause_question *q)
{
	if (!(q->d->flags & DEC_HAVE_CHOICE) && q->d->entered != q->d->chosen &&
		q->d->entered == pupil_ask(q->pupil, &q->in).state)
		return CAUSE_BROADCAST;
	if (sleep_explains(q) || tick_explains(q) || unknown_explains(q) || limit_explains(q))
		return CAUSE_INPUT;
	if (cost_explains(q))
		return CAUSE_EVENT_COST;
	if (!q->decisions->from_probes && gives(q, pupil_ask_after_abort(q->pupil, &q->in)))
		return CAUSE_ABORTED;
	if (clock_explains(q))
		return CAUSE_CLOCK;
	for (size_t i = 0; i < q->npasts; i++)
		if (q->other_past[i] == q->d->chosen)
			return CAUSE_PAST;
	return CAUSE_UNEXPLAINED;
}
