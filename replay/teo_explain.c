// SPDX-License-Identifier: GPL-2.0-or-later
/* What teo knew at one decision and how it chose, in the words of the kernel's documentation. */
#include "replay/teo.h"

#include <stdio.h>

#define TEXT 32

static char *state_time(const struct teo_cpu *t, char *buf, int64_t value)
{
	return explain_time(
		buf, TEXT, t->conf.hits_misses && t->conf.unit == 1 ? value * 1000 : value);
}

static void say_bins(const struct teo_cpu *t, const struct gov_input *in, struct explain *x)
{
	const struct core *c = &t->core;

	for (int i = 0; i < c->nstates; i++) {
		char r[TEXT], l[TEXT], more[80] = "";

		if (t->conf.hits_misses)
			snprintf(more, sizeof(more), ", early hits %u", t->early[i]);
		else if (t->conf.recent && t->recent[i])
			snprintf(more, sizeof(more), ", %u of the last %d", t->recent[i],
				TEO_RECENT);
		explain_line(x, core_name(c, i),
			"residency %s, exit latency %s: hits %u, %s %u%s%s%s",
			state_time(t, r, c->residency[i]), state_time(t, l, c->latency[i]),
			t->hits[i], t->conf.hits_misses ? "misses" : "intercepts", t->intercepts[i],
			more, core_is(in->disabled, i) ? ", disabled" : "",
			c->latency[i] > in->limit_ns / (t->conf.unit == 1 ? 1000 : 1)
				? ", over the latency limit"
				: "");
	}
}

static void say_sums(const struct teo_cpu *t, struct explain *x)
{
	if (t->conf.hits_misses)
		return;
	explain_line(x, "events", "%u in all (a new one counts %d, old ones lose 1/%d at each)",
		t->total, TEO_PULSE, 1 << t->conf.shift);
	if (t->conf.read == TEO_READ_THRESHOLD)
		explain_line(x, "short idles", "%u, wake-ups within a tick %u", t->short_idles,
			t->tick_intercepts);
	else if (t->conf.tick_metric == TICK_HITS)
		explain_line(x, "tick hits", "%u", t->tick_hits);
}

static void say_search(const struct teo_cpu *t, const struct gov_input *in,
	const struct teo_scan *s, struct explain *x)
{
	const struct core *c = &t->core;
	int found;

	explain_line(x, "candidate", "%s: deepest enabled state%s", core_name(c, s->idx),
		t->conf.read == TEO_READ_ALWAYS ? " that the sleep length allows" : "");
	if (s->idx == s->first) {
		explain_line(x, "", "no shallower one is enabled: nothing to search");
		return;
	}
	explain_line(x, "early wake-ups",
		"shallower states: intercepts %u, twice that is %s %u - %u hits: %s", s->intercepts,
		teo_mostly_early(t, s) ? "more than" : "at most", t->total, s->hits,
		teo_mostly_early(t, s) ? "likely to wake up early" : "no reason to expect one");
	if (t->conf.recent)
		explain_line(x, "", "%u of the last %d wake-ups were early%s", s->recent,
			TEO_RECENT, s->recent > TEO_RECENT / 2 ? ": likely again" : "");
	found = teo_search(t, in, s);
	if (found != s->idx)
		explain_line(x, "", "%s was deep enough in most of them", core_name(c, found));
	if (found > s->constraint)
		explain_line(x, "latency limit", "no deeper than %s", core_name(c, s->constraint));
}

static const char *why_not_read(const struct teo_cpu *t, const struct gov_choice *c)
{
	if (t->conf.read == TEO_READ_DEEP)
		return c->state == 0
			       ? "state 0 needs no timer"
			       : "a short state, and state 0 polls: a wrong guess costs little";
	if (2 * t->short_idles >= t->total)
		return "a short state, and most idle periods are short";
	return "no choice, or a short state under a tight latency limit";
}

static void say_timer(const struct teo_cpu *t, const struct gov_input *in,
	const struct gov_choice *c, struct explain *x)
{
	char s[TEXT], d[TEXT];

	if (c->read & GOV_READ_SLEEP)
		explain_line(x, "sleep length",
			"%s to the next timer, %s to the next clock event%s",
			explain_time(s, TEXT, in->sleep_ns),
			explain_time(d, TEXT, in->tick_delta_ns),
			in->tick_stopped ? ", tick stopped" : "");
	else
		explain_line(x, "sleep length", "not read: %s", why_not_read(t, c));
}

static bool tick_metric_holds(const struct teo_cpu *t, const struct teo_scan *s)
{
	if (t->conf.hits_misses || t->conf.tick_metric == TICK_NONE)
		return false;
	return teo_within_tick(
		t, t->conf.tick_metric == TICK_HITS ? s->all_intercepts : t->tick_intercepts);
}

static void say_tick(const struct teo_cpu *t, const struct gov_input *in, const struct teo_scan *s,
	const struct gov_choice *c, struct explain *x)
{
	const char *why = "kept: a wake-up is expected within a tick";

	if (in->tick_stopped)
		why = c->stop_tick ? "stopped already" : "stopped already; a restart is allowed";
	else if (c->stop_tick)
		why = "stopped: no wake-up is expected within a tick";
	else if (core_is(t->core.polling, c->state))
		why = "kept: the state polls";
	else if (!(c->read & GOV_READ_SLEEP))
		why = "kept: the timer was not looked at";
	else if (t->core.residency[c->state] < t->core.tick && tick_metric_holds(t, s))
		why = "kept: most wake-ups come within a tick";
	explain_line(x, "tick", "%s", why);
}

void teo_explain(
	const void *cpu, const struct gov_input *in, const struct gov_choice *c, struct explain *x)
{
	const struct teo_cpu *t = cpu;
	struct teo_scan s = {.idx = 0};
	char text[TEXT];

	say_bins(t, in, x);
	say_sums(t, x);
	if (!t->conf.hits_misses) {
		teo_scan(t, in, t->conf.read == TEO_READ_ALWAYS ? in->sleep_ns : KTIME_MAX, &s);
		if (s.idx >= 0)
			say_search(t, in, &s, x);
		else
			explain_line(x, "candidate", "no state is enabled: state 0");
	}
	if (in->limit_ns < LATENCY_ANY)
		explain_line(x, "latency limit", "%s", explain_time(text, TEXT, in->limit_ns));
	if (t->conf.util && in->utilized)
		explain_line(x, "utilization", "over the threshold: a shallower state");
	say_timer(t, in, c, x);
	say_tick(t, in, &s, c, x);
	explain_line(x, "chosen", "%s", core_name(&t->core, c->state));
}

int64_t teo_predicted(const void *cpu, const struct gov_input *in, const struct gov_choice *c)
{
	const struct teo_cpu *t = cpu;
	struct teo_scan s = {.idx = 0};

	if (t->conf.hits_misses)
		return GOV_NO_LENGTH;
	teo_scan(t, in, t->conf.read == TEO_READ_ALWAYS ? in->sleep_ns : KTIME_MAX, &s);
	if (s.idx < 0)
		return GOV_NO_LENGTH;
	if (s.idx != s.first && teo_search(t, in, &s) != s.idx)
		return GOV_EARLY;
	return c->read & GOV_READ_SLEEP ? max64(in->sleep_ns, 0) : GOV_NO_LENGTH;
}
