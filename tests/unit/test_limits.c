// SPDX-License-Identifier: GPL-2.0-or-later
/* Latency limits over time: what held at the start, and what pm_qos events change about it. */
#include "replay/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define US NSEC_PER_USEC

static struct limits of_machine(const struct trace *t, bool known)
{
	static int64_t own[2] = {20 * US, LATENCY_ANY};
	struct machine m = {.ncpus = 2, .limit_ns = 100 * US, .cpu_limit_ns = known ? own : NULL};
	struct limits l;

	limits_init(&l, t, &m);
	return l;
}

static void global(struct limits *l, int pid, int what, int64_t us)
{
	struct event e = {.kind = EV_PM_QOS, .pid = pid, .aux = (uint32_t)what, .a = us};

	limits_feed(l, &e);
}

static void start_counts(void **state)
{
	struct trace *t = trace_new("", EV_WANT_ALL);
	struct limits l;

	(void)state;
	trace_cpus(t, 2);
	l = of_machine(t, true);
	assert_int_equal(l.source, LIMIT_SNAPSHOT);
	assert_int_equal(limits_at(&l, 0, 5), 20 * US);
	assert_int_equal(limits_at(&l, 1, 5), 100 * US);
	limits_free(&l);
	l = of_machine(t, false);
	assert_int_equal(l.source, LIMIT_ASSUMED);
	assert_int_equal(limits_at(&l, 0, 5), LATENCY_ANY);
	limits_free(&l);
	trace_free(t);
}

static void events_change_it(void **state)
{
	struct trace *t = trace_new("", EV_WANT_ALL);
	struct event own = {.kind = EV_DEV_PM_QOS, .b = 0, .aux = 2};
	struct limits l;

	(void)state;
	trace_cpus(t, 2);
	l = of_machine(t, true);
	/* a new request beside the old one, then the old one is let go by its unknown holder */
	global(&l, 7, 0, 50);
	assert_int_equal(limits_at(&l, 1, 5), 50 * US);
	global(&l, 7, 2, 0);
	assert_int_equal(limits_at(&l, 1, 5), 100 * US);
	global(&l, 9, 2, 100);
	assert_int_equal(limits_at(&l, 1, 5), LATENCY_ANY);
	assert_int_equal(limits_at(&l, 0, 5), 20 * US);
	limits_feed(&l, &own);
	assert_int_equal(limits_at(&l, 0, 5), LATENCY_ANY);
	limits_free(&l);
	trace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(start_counts),
		cmocka_unit_test(events_change_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
