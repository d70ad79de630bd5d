// SPDX-License-Identifier: GPL-2.0-or-later
/* What menu knew at one decision and how it chose, in the words of the kernel's documentation. */
#include "replay/menu.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT 32

static char *unit_time(const struct menu_cpu *m, char *buf, uint64_t t)
{
	if (t > (uint64_t)KTIME_MAX / 2000)
		return explain_time(buf, TEXT, KTIME_MAX);
	return explain_time(buf, TEXT, (int64_t)(t * (1000 / m->conf.unit)));
}

static void say_intervals(const struct menu_cpu *m, struct explain *x)
{
	char text[160] = "";
	size_t n = 0;

	for (int i = 0; i < MENU_SAMPLES; i++) {
		uint32_t us = m->sample_us[(m->next_sample + i) % MENU_SAMPLES];

		if (us == UINT32_MAX)
			n += (size_t)snprintf(text + n, sizeof(text) - n, " -");
		else
			n += (size_t)snprintf(text + n, sizeof(text) - n, " %u", us);
	}
	explain_line(x, "recent intervals", "%s us, oldest first%s", text + 1,
		strchr(text, '-') ? " (-: an aborted entry)" : "");
}

static void say_pass(const struct menu_cpu *m, const struct menu_pass *p,
	const struct menu_pass *next, struct explain *x)
{
	const char *verdict = "too few left";

	if (!p->n || (!p->max && m->conf.sleep_length != READ_ALWAYS))
		verdict = "nothing to go by";
	else if (next && next->max == p->max)
		verdict = "spread too wide: the shortest is left out";
	else if (next)
		verdict = "spread too wide: the longest is left out";
	else if (p->variance <= m->conf.variance_max ||
		 (p->n >= m->conf.keep && (double)p->average * p->average >
						  (double)m->conf.ratio * (double)p->variance))
		verdict = "they agree";
	explain_line(x, "", "%u intervals of %u..%u us: average %u us, deviation %.1f us: %s", p->n,
		p->n ? p->min : 0, p->max, p->average, sqrt((double)p->variance), verdict);
}

static uint32_t say_typical(const struct menu_cpu *m, struct explain *x)
{
	bool first = m->conf.sleep_length == READ_ALWAYS;
	struct menu_pass pass[MENU_SAMPLES];
	int n = 0;
	uint32_t typical = menu_typical(m, first ? menu_correct(m) : UINT32_MAX, pass, &n);

	for (int i = 0; i < n; i++)
		say_pass(m, &pass[i], i + 1 < n ? &pass[i + 1] : NULL, x);
	if (typical == MENU_NOTHING)
		explain_line(x, "typical interval", "none");
	else
		explain_line(x, "typical interval", "%u us", typical);
	return typical;
}

/* the prediction as select() had it, from the memory it left */
static void predict(const struct menu_cpu *m, uint32_t typical, struct menu_belief *b)
{
	uint64_t by_interval = (uint64_t)typical * m->conf.unit;
	uint64_t by_timer = (uint64_t)menu_correct(m) * m->conf.unit;

	b->predicted = b->slept_read && by_timer < by_interval ? by_timer : by_interval;
}

int64_t menu_predicted(const void *cpu, const struct gov_input *in, const struct gov_choice *c)
{
	const struct menu_cpu *m = cpu;
	struct menu_belief b = {.slept_read = c->read & GOV_READ_SLEEP};
	int64_t limit = m->conf.unit == 1 ? in->limit_ns / 1000 : in->limit_ns;
	bool first = m->conf.sleep_length == READ_ALWAYS;

	if (menu_nothing_to_choose(m, in->disabled, limit))
		return GOV_NO_LENGTH;
	predict(m, menu_typical(m, first ? menu_correct(m) : UINT32_MAX, NULL, NULL), &b);
	return (int64_t)b.predicted * (1000 / m->conf.unit);
}

static void say_timer(const struct menu_cpu *m, const struct gov_input *in,
	const struct menu_belief *b, struct explain *x)
{
	static const char *const bounds[] = {"below 10 us", "10..100 us", "0.1..1 ms", "1..10 ms",
		"10..100 ms", "100 ms and more"};
	char t[TEXT], d[TEXT], u[TEXT];

	if (!b->slept_read) {
		explain_line(x, "sleep length", "not read: the typical interval is at most %s",
			unit_time(m, t, m->conf.threshold));
		return;
	}
	explain_line(x, "sleep length", "%s to the next timer, %s to the next clock event%s",
		unit_time(m, t, m->next_timer), explain_time(d, sizeof(d), in->tick_delta_ns),
		in->tick_stopped ? ", tick stopped" : "");
	explain_line(x, "correction factor", "%.3f for sleep lengths %s%s: %s",
		m->factor[m->bucket] / (double)(MENU_RESOLUTION * m->conf.decay),
		bounds[m->bucket % 6], m->bucket >= 6 ? " with tasks waiting for I/O" : "",
		unit_time(m, u, (uint64_t)menu_correct(m) * m->conf.unit));
}

static void say_prediction(const struct menu_cpu *m, const struct gov_input *in,
	struct menu_belief *b, struct explain *x)
{
	uint64_t before = b->predicted;
	int64_t limit = b->limit;
	char t[TEXT], u[TEXT];

	explain_line(x, "predicted length", "%s", unit_time(m, t, before));
	menu_adjust(m, in, b);
	if (b->predicted != before)
		explain_line(x, "",
			"the tick is stopped and a wrong short guess would last: %s instead",
			unit_time(m, u, b->predicted));
	if (in->limit_ns >= LATENCY_ANY)
		explain_line(x, "latency limit", "none%s%s",
			b->limit < limit ? "; with waiting tasks " : "",
			b->limit < limit ? unit_time(m, t, (uint64_t)b->limit) : "");
	else
		explain_line(x, "latency limit", "%s", unit_time(m, t, (uint64_t)b->limit));
}

static const char *too_long_word(const struct menu_cpu *m, const struct gov_input *in,
	const struct menu_belief *b, int i, int idx)
{
	const struct core *c = &m->core;

	if (core_is(c->polling, idx) && menu_override(m, b, i))
		return "longer than predicted, but better than polling: taken";
	if (core_is(c->polling, idx) && m->conf.poll_override != OVERRIDE_OFF)
		return "residency longer than predicted, and no better than polling: ends the "
		       "search";
	if (b->predicted < (uint64_t)c->tick)
		return "residency longer than predicted: ends the search";
	if (!in->tick_stopped)
		return "residency longer than predicted: ends the search, the tick will correct";
	return "residency longer than predicted; tick stopped: deeper only if the timer allows";
}

/* the search, each state with its verdict */
static void say_states(const struct menu_cpu *m, const struct gov_input *in,
	const struct menu_belief *b, struct explain *x)
{
	const struct core *c = &m->core;
	int idx = -1;

	for (int i = 0; i < c->nstates; i++) {
		char r[TEXT], l[TEXT];
		const char *word = "fits";
		bool ends = true;

		unit_time(m, r, (uint64_t)c->residency[i]);
		unit_time(m, l, (uint64_t)c->latency[i]);
		if (core_is(in->disabled, i)) {
			explain_line(x, core_name(c, i), "disabled");
			continue;
		}
		if (idx < 0)
			idx = i;
		if (m->conf.latency_first && c->latency[i] > b->limit)
			word = "exit latency over the limit: ends the search";
		else if ((uint64_t)c->residency[i] > b->predicted)
			word = too_long_word(m, in, b, i, idx);
		else if (c->latency[i] > b->limit)
			word = "exit latency over the limit: ends the search";
		else
			ends = false;
		explain_line(x, core_name(c, i), "residency %s, exit latency %s: %s", r, l, word);
		if (ends)
			return;
		idx = i;
	}
}

/* the state found does not stand where the tick stays and would end it too early */
static int say_correction(const struct menu_cpu *m, const struct gov_input *in,
	struct menu_belief *b, const struct gov_choice *c, struct explain *x)
{
	bool done = false;
	int found = menu_walk(m, in, b, &done);
	char t[TEXT];

	if (found != c->state)
		explain_line(x, "", "the tick stays and comes in %s, before the residency of %s: shallower",
			unit_time(m, t, (uint64_t)b->tick_delta), core_name(&m->core, found));
	return found;
}

static void say_choice(const struct menu_cpu *m, const struct gov_input *in,
	const struct gov_choice *c, int found, struct explain *x)
{
	explain_line(x, "tick", "%s",
		in->tick_stopped ? "stopped already"
		: c->stop_tick	 ? "stopped: no wake-up is expected within a tick"
		: core_is(m->core.polling, found) ? "kept: the state polls"
						  : "kept: a wake-up is expected within a tick");
	explain_line(x, "chosen", "%s", core_name(&m->core, c->state));
}

void menu_explain(
	const void *cpu, const struct gov_input *in, const struct gov_choice *c, struct explain *x)
{
	const struct menu_cpu *m = cpu;
	struct menu_belief b = {.slept_read = c->read & GOV_READ_SLEEP,
		.limit = m->conf.unit == 1 ? in->limit_ns / 1000 : in->limit_ns};
	uint32_t typical;
	int found = c->state;

	b.tick_delta = !b.slept_read	     ? m->core.tick / 2
		       : m->conf.unit == 1 ? in->tick_delta_ns / 1000
					   : in->tick_delta_ns;
	say_intervals(m, x);
	typical = say_typical(m, x);
	say_timer(m, in, &b, x);
	if (menu_nothing_to_choose(m, in->disabled, b.limit)) {
		explain_line(x, "search", "none: %s",
			b.limit == 0		       ? "the latency limit is 0"
			: b.limit < m->core.latency[1] ? "the latency limit allows state 0 only"
			: m->core.nstates < 2
				? "there is one state"
				: "the next timer is nearer than the second residency");
	} else {
		predict(m, typical, &b);
		say_prediction(m, in, &b, x);
		say_states(m, in, &b, x);
		found = say_correction(m, in, &b, c, x);
	}
	say_choice(m, in, c, found, x);
}
