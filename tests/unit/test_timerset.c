// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "replay/backfill.h"
#include "replay/timerset.h"

#define TIMERS 64
#define CPUS 3

/* the slow and obvious way */
struct plain {
	bool armed;
	int cpu;
	int64_t expires_ns;
};

static int64_t plain_first(const struct plain *p, int cpu)
{
	int64_t first = INT64_MAX;

	for (int i = 0; i < TIMERS; i++)
		if (p[i].armed && p[i].cpu == cpu && p[i].expires_ns < first)
			first = p[i].expires_ns;
	return first;
}

static int64_t set_first(const struct timerset *s, int cpu)
{
	const struct armed *a = timerset_first(s, cpu);

	return a ? a->expires_ns : INT64_MAX;
}

static void same_as_plain_list(void **state)
{
	struct plain plain[TIMERS] = {0};
	struct timerset s;

	(void)state;
	srand(7);
	timerset_init(&s, CPUS);
	for (int step = 0; step < 20000; step++) {
		int i = rand() % TIMERS, cpu = rand() % CPUS;
		struct armed a = {.obj = 0xffff0000u + (uint64_t)i, .expires_ns = rand() % 500};

		if (rand() % 3) {
			timerset_arm(&s, cpu, &a);
			plain[i] = (struct plain){true, cpu, a.expires_ns};
		} else {
			timerset_disarm(&s, a.obj);
			plain[i].armed = false;
		}
		for (int c = 0; c < CPUS; c++)
			assert_int_equal(set_first(&s, c), plain_first(plain, c));
	}
	timerset_free(&s);
}

static void a_cpu_out_of_range_is_ignored(void **state)
{
	struct armed a = {.obj = 1, .expires_ns = 5};
	struct timerset s;

	(void)state;
	timerset_init(&s, 2);
	timerset_arm(&s, 2, &a);
	timerset_arm(&s, -1, &a);
	assert_null(timerset_first(&s, 0));
	assert_null(timerset_first(&s, 1));
	timerset_free(&s);
}

/* figures worked out from the wheel's table of levels: granularity 8^n, used from 63 * 8^(n-1) on */
static void buckets_of_the_wheel(void **state)
{
	(void)state;
	assert_int_equal(wheel_bucket(1000, 1000), 1001);
	assert_int_equal(wheel_bucket(1062, 1000), 1063);
	assert_int_equal(wheel_bucket(1063, 1000), 1064); /* level 1: (1063 / 8 + 1) * 8 */
	assert_int_equal(wheel_bucket(1250, 1000), 1256);
	assert_int_equal(wheel_bucket(1503, 1000), 1504);
	assert_int_equal(wheel_bucket(1504, 1000), 1536); /* level 2: (1504 / 64 + 1) * 64 */
	assert_int_equal(wheel_bucket(990, 1000), 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_plain_list),
		cmocka_unit_test(a_cpu_out_of_range_is_ignored),
		cmocka_unit_test(buckets_of_the_wheel),
	};

	return cmocka_run_group_tests_name("timer sets", tests, NULL, NULL);
}
