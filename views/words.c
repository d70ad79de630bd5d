// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/words.h"

#include <stdlib.h>
#include <string.h>

const char *words_time(char *buf, size_t size, int64_t rel_ns, int decimals)
{
	int64_t ns = rel_ns < 0 ? -rel_ns : rel_ns, frac = ns % NSEC_PER_SEC;
	int n = snprintf(buf, size, "%s%lld", rel_ns < 0 ? "-" : "", (long long)(ns / NSEC_PER_SEC));

	for (int d = 0; d < decimals && n > 0 && (size_t)n < size; d += 3) {
		n += snprintf(buf + n, size - (size_t)n, "%s%03d", d ? " " : ".",
			(int)(frac / NSEC_PER_MSEC));
		frac = frac % NSEC_PER_MSEC * 1000;
	}
	return buf;
}

int words_decimals(int64_t step_ns)
{
	return step_ns >= NSEC_PER_MSEC ? 3 : step_ns >= NSEC_PER_USEC ? 6 : 9;
}

const char *words_length(char *buf, size_t size, int64_t ns, enum units units)
{
	double v = (double)ns;
	int64_t abs_ns = ns < 0 ? -ns : ns;

	if (units == UNITS_NS || (units == UNITS_AUTO && abs_ns < NSEC_PER_USEC))
		snprintf(buf, size, "%lld ns", (long long)ns);
	else if (units == UNITS_US || abs_ns < NSEC_PER_MSEC)
		snprintf(buf, size, ns % NSEC_PER_USEC ? "%.1f us" : "%.0f us", v / 1e3);
	else if (abs_ns < NSEC_PER_SEC)
		snprintf(buf, size, ns % NSEC_PER_MSEC ? "%.2f ms" : "%.0f ms", v / 1e6);
	else
		snprintf(buf, size, "%.3f s", v / 1e9);
	return buf;
}

const char *words_short(char *buf, size_t size, int64_t ns)
{
	static const struct {
		int64_t unit;
		const char *name;
	} units[] = {{NSEC_PER_SEC, "s"}, {NSEC_PER_MSEC, "ms"}, {NSEC_PER_USEC, "us"}, {1, "ns"}};
	size_t i = 0;

	while (i < ARRAY_SIZE(units) - 1 && ns < units[i].unit)
		i++;
	if (ns % units[i].unit && ns < 10 * units[i].unit)
		snprintf(buf, size, "%.1f%s", (double)ns / (double)units[i].unit, units[i].name);
	else
		snprintf(buf, size, "%lld%s", (long long)(ns / units[i].unit), units[i].name);
	return buf;
}

const char *words_signed(char *buf, size_t size, int64_t ns)
{
	char text[32];

	snprintf(buf, size, "%s%s", ns < 0 ? "-" : "", words_short(text, sizeof(text), ns < 0 ? -ns : ns));
	return buf;
}

const char *words_count(char *buf, size_t size, uint64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);
	size_t k = 0;

	for (int i = 0; i < len && k + 2 < size; i++) {
		if (i && (len - i) % 3 == 0)
			buf[k++] = ' ';
		buf[k++] = digits[i];
	}
	buf[k] = '\0';
	return buf;
}

/* how far back a switch is looked for: on a CPU that idles, it lies a few events back */
#define LOOK_BACK 256

const char *words_before(const struct trace *t, int cpu, int64_t enter_ns)
{
	const struct cpu_trace *ct = &t->cpu[cpu];
	size_t lo = trace_event_at(ct, enter_ns + 1);

	for (size_t k = 0; k < LOOK_BACK && k < lo; k++) {
		const struct event *ev = &ct->ev[lo - 1 - k];

		if (ev->kind == EV_SWITCH)
			return ev->b == 0 ? trace_comm(t, (int)ev->a) : "";
	}
	return "";
}

const char *words_running(const struct trace *t, int cpu, int64_t at_ns)
{
	const struct cpu_trace *ct = &t->cpu[cpu];
	size_t i = trace_event_at(ct, at_ns + 1);

	for (size_t k = 0; k < LOOK_BACK && k < i; k++) {
		const struct event *ev = &ct->ev[i - 1 - k];

		if (ev->kind == EV_SWITCH)
			return ev->b == 0    ? "the idle task, between two periods"
			       : *trace_name(t, ev->name) ? trace_name(t, ev->name)
							  : trace_comm(t, (int)ev->b);
	}
	return "a task";
}

int words_waker(const struct trace *t, int cpu, const struct period *p, int64_t *at_ns)
{
	int waker = -1;

	if (p->wake != WAKE_IPI && p->wake != WAKE_POLL)
		return -1;
	for (int other = 0; other < t->ncpus; other++) {
		const struct cpu_trace *ct = &t->cpu[other];
		size_t i = trace_event_at(ct, p->exit_ns + 1);

		for (size_t k = 0; k < LOOK_BACK && k < i && other != cpu; k++) {
			const struct event *ev = &ct->ev[i - 1 - k];

			if (ev->at_ns < p->enter_ns || (waker >= 0 && ev->at_ns <= *at_ns))
				break;
			if ((ev->kind == EV_WAKING || ev->kind == EV_WAKEUP) && ev->b == cpu) {
				waker = other;
				*at_ns = ev->at_ns;
				break;
			}
		}
	}
	return waker;
}

int words_states(struct canvas *c, int x, int y, const struct state_table *t)
{
	x = canvas_text(c, x, y, ROLE_RUNNING, ". running");
	for (int i = 0; i < t->nstates; i++) {
		const struct idle_state *st = &t->state[i];
		char buf[24];

		x = canvas_textf(c, x + 2, y, theme_state(i), "%d", i);
		x = canvas_foreign(c, x + 1, y, st->disabled ? ROLE_DIM : ROLE_TEXT, st->name, 16);
		if (st->target_residency_ns > 0)
			x = canvas_textf(c, x, y, ROLE_DIM, " %s",
				words_short(buf, sizeof(buf), st->target_residency_ns));
		if (st->disabled)
			x = canvas_text(c, x, y, ROLE_DIM, " off");
	}
	return x;
}
