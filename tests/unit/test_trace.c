// SPDX-License-Identifier: GPL-2.0-or-later
/* How idle events become periods, and what does not pair. */
#include "src/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void idle(struct trace *t, int cpu, int64_t at, int state)
{
	struct event ev = {.kind = EV_IDLE, .at_ns = at, .obj = (uint64_t)cpu, .a = state};

	trace_add(t, &ev);
}

static void miss(struct trace *t, int cpu, int64_t at, int state, bool below)
{
	struct event ev = {.kind = EV_MISS, .at_ns = at, .obj = (uint64_t)cpu, .a = state, .b = below};

	trace_add(t, &ev);
}

static void pairs(void **unused)
{
	struct trace *t = trace_new("x", EV_WANT_IDLE);

	(void)unused;
	trace_cpus(t, 2);
	idle(t, 0, 100, -1);
	idle(t, 0, 200, 3);
	idle(t, 1, 250, 1);
	idle(t, 0, 300, -1);
	miss(t, 0, 305, 2, true);
	idle(t, 0, 400, 1);
	idle(t, 0, 500, 2);
	idle(t, 0, 700, -1);
	idle(t, 0, 800, 4);
	trace_finish(t);
	assert_int_equal(t->cpu[0].orphan_exits, 1);
	assert_int_equal(t->cpu[0].reenters, 1);
	assert_int_equal(t->cpu[0].nperiods, 3);
	assert_int_equal(t->cpu[0].period[0].exit_ns - t->cpu[0].period[0].enter_ns, 100);
	assert_int_equal(t->cpu[0].period[0].state, 3);
	/* the driver entered another state than was asked for: the miss event tells */
	assert_int_equal(t->cpu[0].period[0].entered, 2);
	assert_true(t->cpu[0].period[0].flags & PERIOD_MISS_BELOW);
	assert_int_equal(t->cpu[0].missed_below[2], 1);
	assert_int_equal(t->cpu[0].period[1].enter_ns, 500);
	assert_true(t->cpu[0].period[2].flags & PERIOD_CUT_END);
	assert_int_equal(t->cpu[0].period[2].exit_ns, 800);
	assert_int_equal(t->cpu[1].period[0].exit_ns, 800);
	assert_int_equal(t->origin_ns, 100);
	assert_null(t->cpu[0].ev);
	trace_free(t);
}

static void holes(void **unused)
{
	struct trace *t = trace_new("x", EV_WANT_IDLE);

	(void)unused;
	trace_cpus(t, 1);
	idle(t, 0, 100, 1);
	trace_hole(t, 0, 100, 900, 7);
	idle(t, 0, 900, -1);
	idle(t, 0, 1000, 2);
	idle(t, 0, 1100, -1);
	trace_finish(t);
	/* without the reset there would be a period of 800 ns across the hole */
	assert_int_equal(t->cpu[0].nperiods, 1);
	assert_int_equal(t->cpu[0].period[0].state, 2);
	assert_int_equal(t->cpu[0].orphan_exits, 1);
	assert_int_equal(t->cpu[0].nholes, 1);
	trace_free(t);
}

static void strange_records(void **unused)
{
	struct trace *t = trace_new("x", EV_WANT_ALL);
	struct event ev = {.kind = EV_SWITCH, .at_ns = 50, .cpu = 9, .b = 3};

	(void)unused;
	trace_cpus(t, 1);
	idle(t, 0, 100, 77);
	idle(t, 12, 100, 1);
	trace_add(t, &ev);
	miss(t, 0, 110, 900, true);
	idle(t, 0, 90, 1);
	trace_finish(t);
	assert_int_equal(t->cpu[0].bad_states, 1);
	assert_int_equal(t->cpu[0].back_steps, 1);
	assert_int_equal(t->cpu[0].nperiods, 1);
	trace_free(t);
}

static void events_are_sorted(void **unused)
{
	struct trace *t = trace_new("x", EV_WANT_IDLE | EV_BIT(EV_TICK_STOP));
	struct event ev = {.kind = EV_TICK_STOP};

	(void)unused;
	trace_cpus(t, 1);
	for (int i = 0; i < 100; i++) {
		ev.at_ns = (i * 37) % 100;
		trace_add(t, &ev);
	}
	ev.kind = EV_SWITCH;
	trace_add(t, &ev);
	trace_finish(t);
	assert_int_equal(t->cpu[0].nevs, 100);
	for (size_t i = 1; i < t->cpu[0].nevs; i++)
		assert_true(t->cpu[0].ev[i - 1].at_ns <= t->cpu[0].ev[i].at_ns);
	trace_free(t);
}

/* a CPU that sleeps from each 100 on for 60, with a tick_stop at each 10 */
static void live(struct trace *t)
{
	struct event ev = {.kind = EV_TICK_STOP};

	for (ev.at_ns = 0; ev.at_ns < 1000; ev.at_ns += 10) {
		if (ev.at_ns % 100 == 0)
			idle(t, 0, ev.at_ns, 1);
		if (ev.at_ns % 100 == 60)
			idle(t, 0, ev.at_ns, -1);
		trace_add(t, &ev);
	}
	trace_finish(t);
}

static void windows(void **unused)
{
	struct trace *t = trace_new("x", EV_WANT_IDLE | EV_BIT(EV_TICK_STOP)), view;
	const struct cpu_trace *c;

	(void)unused;
	trace_cpus(t, 2);
	t->window[0] = (struct window){250, 310};
	t->window[1] = (struct window){700, 705};
	t->nwindows = 2;
	live(t);
	assert_int_equal(t->cpu[0].nperiods, 10);
	/* ticks at 250..300 and 700, an exit at 260, entries at 300 and 700 */
	assert_int_equal(t->cpu[0].nevs, 6 + 2 + 2);

	trace_window_open(&view, t, 0);
	c = &view.cpu[0];
	assert_int_equal(c->nevs, 8);
	assert_int_equal(c->ev[0].at_ns, 250);
	/* the periods that reach in, whole: from 200 and from 300 on */
	assert_int_equal(c->nperiods, 2);
	assert_int_equal(c->period[0].enter_ns, 200);
	assert_int_equal(view.origin_ns, 200);
	assert_int_equal(view.end_ns, 360);
	assert_int_equal(view.cpu[1].nperiods, 0);
	assert_int_equal(trace_intern(&view, "new", 3), 1);
	trace_window_close(&view, t);
	assert_string_equal(trace_name(t, 1), "new");

	trace_window_open(&view, t, 1);
	assert_int_equal(view.cpu[0].nevs, 2);
	assert_int_equal(view.cpu[0].nperiods, 1);
	assert_int_equal(view.origin_ns, 700);
	trace_window_close(&view, t);
	trace_free(t);
}

static void names(void **unused)
{
	struct trace *t = trace_new("x", 0);
	char text[16];

	(void)unused;
	for (int i = 0; i < 2000; i++) {
		snprintf(text, sizeof(text), "n%d", i % 1000);
		assert_int_equal(trace_intern(t, text, strlen(text)), 1 + i % 1000);
	}
	assert_string_equal(trace_name(t, 8), "n7");
	assert_string_equal(trace_name(t, 123456), "");
	assert_true(trace_kernel_version("6.12.117-deb") > trace_kernel_version("6.2.255"));
	assert_int_equal(trace_kernel_version("none"), 0);
	trace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(pairs), cmocka_unit_test(holes),
		cmocka_unit_test(strange_records), cmocka_unit_test(events_are_sorted),
		cmocka_unit_test(windows), cmocka_unit_test(names)};

	return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
