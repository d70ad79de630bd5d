// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/known.h"

#include <stdarg.h>
#include <stdio.h>

#define UNDETERMINED_MUCH 0.2

static const char *const names[] = {
	[IN_SLEEP] = "sleep length",
	[IN_TICK_DELTA] = "tick part of it",
	[IN_TICK_STOPPED] = "tick stopped",
	[IN_GOT_TICK] = "got tick",
	[IN_LIMIT] = "latency limit",
	[IN_POLL_LIMIT] = "polling limit",
	[IN_RESIDENCY] = "residency",
	[IN_IOWAIT] = "tasks in I/O wait",
	[IN_CLOCK] = "local clock",
};

__attribute__((format(printf, 4, 5))) static void say(struct decisions *d, enum decision_input i,
	enum provenance worst, const char *fmt, ...)
{
	int n = snprintf(d->known[i], sizeof(d->known[i]), "%s: ", names[i]);
	va_list ap;

	d->worst[i] = worst;
	va_start(ap, fmt);
	vsnprintf(d->known[i] + n, sizeof(d->known[i]) - (size_t)n, fmt, ap);
	va_end(ap);
}

static bool has(const struct decisions *d, enum ev_kind kind)
{
	return d->trace->present & EV_BIT(kind);
}

static void say_lengths(struct decisions *d)
{
	const char *wheel = has(d, EV_TIMER_START) ? "" : "; record timer:timer_* for wheel timers";

	if (!has(d, EV_HRTIMER_START)) {
		say(d, IN_SLEEP, PROV_GUESSED, "no timer event: anything from a tick on is possible; "
					       "record timer:* or run with --probes");
		say(d, IN_TICK_DELTA, PROV_GUESSED, "no timer event; record timer:hrtimer_*");
		return;
	}
	if (has(d, EV_PROBE_SLEEP) && d->from_probes)
		say(d, IN_SLEEP, PROV_EXACT, "probe, wherever the recorded governor read it; else "
					     "rebuilt from the armed timers");
	else
		say(d, IN_SLEEP, PROV_BOUNDED, "rebuilt from the armed timers%s; RCU can hold the "
					       "tick unseen; exact with --probes", wheel);
	say(d, IN_TICK_DELTA, PROV_BOUNDED, "%sthe tick's own timer and the other hrtimers",
		has(d, EV_PROBE_SLEEP) && d->from_probes ? "probe where read; else " : "");
}

static void say_tick(struct decisions *d)
{
	if (has(d, EV_TICK_STOP) || has(d, EV_HRTIMER_START))
		say(d, IN_TICK_STOPPED, PROV_BOUNDED, "%sthe tick timer's restarts",
			has(d, EV_TICK_STOP) ? "tick_stop, timer_base_idle and " : "");
	else
		say(d, IN_TICK_STOPPED, PROV_GUESSED,
			"taken to run; record timer:tick_stop and timer:hrtimer_start");
	if (d->from_probes && has(d, EV_PROBE_TICK))
		say(d, IN_GOT_TICK, PROV_EXACT, "probe");
	else if (has(d, EV_HRTIMER_EXPIRE))
		say(d, IN_GOT_TICK, PROV_BOUNDED, "expiries of the tick timer while idle");
	else
		say(d, IN_GOT_TICK, PROV_GUESSED,
			"taken to be none; record timer:hrtimer_expire_entry");
}

static void say_limit(struct decisions *d, const struct limits *l)
{
	if (d->from_probes && has(d, EV_PROBE_LIMIT))
		say(d, IN_LIMIT, PROV_EXACT, "probe");
	else if (l->source == LIMIT_SNAPSHOT)
		say(d, IN_LIMIT, PROV_BOUNDED, "the limits at the start are in the recording, %s",
			d->trace->seen & EV_BIT(EV_PM_QOS) ? "changes are pm_qos events"
							   : "changes are not: record power:pm_qos_*");
	else if (l->source == LIMIT_EVENTS)
		say(d, IN_LIMIT, PROV_BOUNDED, "pm_qos events; taken to be none before the first");
	else if (l->source == LIMIT_HOLDER)
		say(d, IN_LIMIT, PROV_GUESSED, "0 while %s ran (%.3f s), which holds "
			"/dev/cpu_dma_latency; record power:pm_qos_*", l->holder,
			(double)(l->held_to_ns - l->held_from_ns) / 1e9);
	else
		say(d, IN_LIMIT, PROV_GUESSED, "taken to be none; record power:pm_qos_* and "
					       "power:dev_pm_qos_*");
}

static void say_outcome(struct decisions *d)
{
	bool all = true, any = false;

	for (int i = 0; i < d->ncpus; i++)
		for (size_t k = 0; k < d->cpu[i].n; k++) {
			bool exact = decision_prov(&d->cpu[i].d[k], IN_RESIDENCY) == PROV_EXACT;

			all = all && exact;
			any = any || exact;
		}
	if (d->from_probes && any) {
		say(d, IN_RESIDENCY, all ? PROV_EXACT : PROV_BOUNDED, "probe%s",
			all ? "" : " where it was read");
		say(d, IN_POLL_LIMIT, all ? PROV_EXACT : PROV_BOUNDED, "probe");
		return;
	}
	say(d, IN_RESIDENCY, d->event_cost_ns ? PROV_BOUNDED : PROV_GUESSED,
		"recorded length less the event cost of %.3f us (%.3f..%.3f us, %s)",
		(double)d->event_cost_ns / 1e3, (double)d->event_cost_lo_ns / 1e3,
		(double)d->event_cost_hi_ns / 1e3, d->event_cost_source);
	say(d, IN_POLL_LIMIT, PROV_BOUNDED, "residency against the time-out of the polling state");
}

static void say_rest(struct decisions *d)
{
	if (has(d, EV_SWITCH) && has(d, EV_WAKING))
		say(d, IN_IOWAIT, PROV_BOUNDED, "0 up to the tasks in uninterruptible sleep; asked "
						"for by menu up to 6.12 only");
	else
		say(d, IN_IOWAIT, PROV_GUESSED, "taken to be 0; record sched:sched_switch and "
						"sched:sched_waking (menu up to 6.12 only)");
	say(d, IN_CLOCK, PROV_BOUNDED, "%s; asked for by teo up to 6.13 only",
		d->from_probes ? "times of the probes beside it" :
				 "idle entry and last interrupt of the period");
}

void known_fill(struct decisions *d, const struct limits *limits)
{
	say_lengths(d);
	say_tick(d);
	say_limit(d, limits);
	say_outcome(d);
	say_rest(d);
}

/* the shortest residency that anything hangs on, of any CPU's table: polling states have none */
static const struct idle_state *shortest(const struct machine *m)
{
	const struct idle_state *least = NULL;

	for (int t = 0; t < m->ntables; t++)
		for (int i = 0; i < m->tables[t].nstates; i++) {
			const struct idle_state *s = &m->tables[t].state[i];

			if (s->target_residency_ns <= 0)
				continue;
			if (!least || s->target_residency_ns < least->target_residency_ns)
				least = s;
			break;
		}
	return least;
}

enum slowness known_slowness(const struct decisions *d, const struct machine *m,
	double undetermined, char *buf, size_t size)
{
	const struct idle_state *s = shortest(m);
	int n;

	buf[0] = '\0';
	if (!s || d->event_cost_ns <= s->target_residency_ns)
		return NOT_SLOW;
	n = snprintf(buf, size, "an event takes %.1f..%.1f us here, more than the residency of %s (%g us)",
		(double)d->event_cost_lo_ns / 1e3, (double)d->event_cost_hi_ns / 1e3, s->name,
		(double)s->target_residency_ns / 1e3);
	if (undetermined <= UNDETERMINED_MUCH || n < 0 || (size_t)n >= size)
		return SLOW;
	snprintf(buf + n, size - (size_t)n, ", and %.0f %% of the decisions are undetermined: this "
		"recording is too slow to be replayed without probe events; nothing is claimed "
		"beyond the state of last time", 100 * undetermined);
	return TOO_SLOW;
}
