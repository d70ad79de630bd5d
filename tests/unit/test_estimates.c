// SPDX-License-Identifier: GPL-2.0-or-later
/* Latency limits, tasks in I/O wait and the event cost, on hand-made recordings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "replay/cost.h"
#include "replay/iowait.h"
#include "replay/limits.h"

static void add(struct trace *t, int cpu, int64_t at_ns, enum ev_kind kind, int pid, int64_t a,
	int64_t b, uint32_t aux)
{
	struct event e = {.at_ns = at_ns, .cpu = (uint16_t)cpu, .kind = (uint8_t)kind, .pid = pid,
		.obj = kind == EV_IDLE || kind == EV_MISS ? (uint64_t)cpu : 0, .a = a, .b = b,
		.aux = aux};

	trace_add(t, &e);
}

static struct trace *new_trace(int ncpus)
{
	struct trace *t = trace_new("hand-made", EV_WANT_ALL);

	trace_cpus(t, ncpus);
	return t;
}

static void qos(struct limits *l, enum ev_kind kind, int pid, int64_t a, int64_t b, uint32_t aux)
{
	struct event e = {.kind = (uint8_t)kind, .pid = pid, .a = a, .b = b, .aux = aux};

	limits_feed(l, &e);
}

static void the_strictest_request_holds(void **state)
{
	struct trace *t = new_trace(2);
	struct machine m = {0};
	struct limits l;

	(void)state;
	add(t, 0, 1, EV_PM_QOS, 5, -1, 0, 0);
	trace_finish(t);
	limits_init(&l, t, &m);
	assert_int_equal(l.source, LIMIT_EVENTS);
	assert_int_equal(limits_at(&l, 0, 0), LATENCY_ANY);
	qos(&l, EV_PM_QOS, 5, -1, 0, 0);
	assert_int_equal(limits_at(&l, 0, 0), LATENCY_ANY);
	qos(&l, EV_PM_QOS, 5, 50, 0, 1);
	qos(&l, EV_PM_QOS, 6, 70, 0, 0);
	assert_int_equal(limits_at(&l, 1, 0), 50000);
	qos(&l, EV_DEV_PM_QOS, 5, 20, 1, 1);
	assert_int_equal(limits_at(&l, 0, 0), 50000);
	assert_int_equal(limits_at(&l, 1, 0), 20000);
	qos(&l, EV_PM_QOS, 5, -1, 0, 2);
	assert_int_equal(limits_at(&l, 0, 0), 70000);
	qos(&l, EV_DEV_PM_QOS, 5, 0, 7, 1); /* no such CPU */
	qos(&l, EV_DEV_PM_QOS, 5, 20, 1, 2);
	assert_int_equal(limits_at(&l, 1, 0), 70000);
	limits_free(&l);
	trace_free(t);
}

/* a tool that is known to hold the limit runs, and a number of idle periods in one state */
static struct trace *with_holder(int state)
{
	struct trace *t = new_trace(1);
	struct event e = {.at_ns = 1000, .kind = EV_SWITCH, .a = 0, .b = 77,
		.name = trace_intern(t, "cyclictest", 10)};

	trace_add(t, &e);
	for (int i = 0; i < 100; i++) {
		add(t, 0, 2000 + i * 100, EV_IDLE, 0, state, 0, 0);
		add(t, 0, 2050 + i * 100, EV_IDLE, 0, -1, 0, 0);
	}
	e.at_ns = 20000;
	trace_add(t, &e);
	add(t, 0, 21000, EV_SWITCH, 77, 77, 0, 0);
	trace_finish(t);
	return t;
}

static void a_holder_must_be_confirmed_by_the_states(void **state)
{
	struct trace *shallow = with_holder(0), *deep = with_holder(2);
	struct machine m = {0};
	struct limits l;

	(void)state;
	limits_init(&l, shallow, &m);
	assert_int_equal(l.source, LIMIT_HOLDER);
	assert_int_equal(limits_at(&l, 0, 900), LATENCY_ANY);
	assert_int_equal(limits_at(&l, 0, 5000), 0);
	assert_int_equal(limits_at(&l, 0, 21000), 0);
	assert_int_equal(limits_at(&l, 0, 21001), LATENCY_ANY);
	limits_free(&l);
	limits_init(&l, deep, &m);
	assert_int_equal(l.source, LIMIT_ASSUMED);
	assert_int_equal(limits_at(&l, 0, 5000), LATENCY_ANY);
	limits_free(&l);
	trace_free(shallow);
	trace_free(deep);
}

static void sleepers_count_until_woken(void **state)
{
	struct event sleep = {.kind = EV_SWITCH, .a = 10, .b = 0, .aux = 0x2};
	struct event wake = {.kind = EV_WAKING, .a = 10};
	struct event kthread = {.kind = EV_SWITCH, .a = 11, .b = 0, .aux = 0x402};
	struct event runs = {.kind = EV_SWITCH, .a = 0, .b = 10};
	struct iowait w;

	(void)state;
	iowait_init(&w, 2);
	iowait_feed(&w, 1, &sleep);
	iowait_feed(&w, 1, &kthread);
	assert_int_equal(w.waiting[0], 0);
	assert_int_equal(w.waiting[1], 1);
	iowait_feed(&w, 0, &wake);
	assert_int_equal(w.waiting[1], 0);
	iowait_feed(&w, 0, &wake); /* twice changes nothing */
	assert_int_equal(w.waiting[1], 0);
	iowait_feed(&w, 0, &sleep);
	iowait_feed(&w, 1, &sleep); /* it must have moved while nobody looked */
	assert_int_equal(w.waiting[0], 0);
	assert_int_equal(w.waiting[1], 1);
	iowait_feed(&w, 1, &runs);
	assert_int_equal(w.waiting[1], 0);
	iowait_free(&w);
}

static void cost_from_miss_events(void **state)
{
	struct trace *t = new_trace(1);
	struct event_cost cost;

	(void)state;
	for (int i = 0; i < 50; i++) {
		int64_t at = 10000 * i;

		add(t, 0, at, EV_IDLE, 0, 1, 0, 0);
		add(t, 0, at + 1500 + i, EV_IDLE, 0, -1, 0, 0);
		add(t, 0, at + 2200 + i, EV_MISS, 0, 1, 0, 0);
	}
	trace_finish(t);
	cost_estimate(&cost, t);
	assert_int_equal(cost.ns, 700);
	assert_int_equal(cost.lo_ns, 700);
	assert_int_equal(cost.hi_ns, 1500);
	assert_string_equal(cost.source, "miss events");
	trace_free(t);
}

/* gaps of 5 us, and yet a period of 2 us: nothing is certain */
static void contradicting_costs_leave_the_range_open(void **state)
{
	struct trace *t = new_trace(1);
	struct event_cost cost;

	(void)state;
	for (int i = 0; i < 50; i++) {
		int64_t at = 20000 * i;

		add(t, 0, at, EV_IDLE, 0, 1, 0, 0);
		add(t, 0, at + 2000, EV_IDLE, 0, -1, 0, 0);
		add(t, 0, at + 7000, EV_MISS, 0, 1, 0, 0);
	}
	trace_finish(t);
	cost_estimate(&cost, t);
	assert_int_equal(cost.ns, 2000);
	assert_int_equal(cost.lo_ns, 0);
	assert_int_equal(cost.hi_ns, 2000);
	trace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_strictest_request_holds),
		cmocka_unit_test(a_holder_must_be_confirmed_by_the_states),
		cmocka_unit_test(sleepers_count_until_woken),
		cmocka_unit_test(cost_from_miss_events),
		cmocka_unit_test(contradicting_costs_leave_the_range_open),
	};

	return cmocka_run_group_tests_name("limits, I/O wait, event cost", tests, NULL, NULL);
}
