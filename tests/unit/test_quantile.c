// SPDX-License-Identifier: GPL-2.0-or-later
/* Quantiles in two passes are those of the sorted values, exactly. */
#include "src/quantile.h"
#include "src/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t rng = 88172645463325252ULL;

static uint64_t rnd(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return rng;
}

/* values of all sizes, many of them equal, some negative */
static int64_t value(int kind)
{
	switch (kind) {
	case 0:
		return (int64_t)(rnd() >> (rnd() % 64)) & INT64_MAX;
	case 1:
		return (int64_t)(rnd() % 7);
	case 2:
		return 5000 + (int64_t)(rnd() % 100);
	default:
		return (int64_t)(rnd() % 20) - 10;
	}
}

static void exact(void **unused)
{
	(void)unused;
	for (int round = 0; round < 400; round++) {
		size_t n = 1 + rnd() % 700, half = rnd() % n;
		int64_t *v = xcalloc(n, sizeof(*v));
		struct quantile q = {0}, part = {0};
		double first = (double)(rnd() % 101) / 100, second = (double)(rnd() % 101) / 100;

		for (size_t i = 0; i < n; i++) {
			v[i] = value(round % 4);
			quantile_count(i < half ? &part : &q, v[i]);
		}
		quantile_merge(&q, &part);
		assert_int_equal(q.n, n);
		quantile_aim(&q, first, second);
		for (size_t i = 0; i < n; i++)
			quantile_keep(&q, v[i]);
		stats_sort(v, n);
		assert_int_equal(quantile_get(&q, 0), stats_percentile(v, n, first));
		assert_int_equal(quantile_get(&q, 1), stats_percentile(v, n, second));
		quantile_free(&q);
		quantile_free(&part);
		free(v);
	}
}

/* buckets follow each other without gap, and are no wider than a 64th of their values */
static void buckets(void **unused)
{
	int last = -1;

	(void)unused;
	for (int64_t v = 0; v < 200000; v++) {
		int b = quantile_bucket(v);

		assert_true(b == last || b == last + 1);
		last = b;
	}
	assert_int_equal(quantile_bucket(-5), 0);
	assert_int_equal(quantile_bucket(INT64_MAX), QUANTILE_BUCKETS - 1);
}

/* five of them, of values close together and of values far apart */
static void several(void **unused)
{
	static const double share[] = {0.5, 0.9, 0.99, 0.999, 1};

	(void)unused;
	for (int round = 0; round < 40; round++) {
		size_t n = 1 + rnd() % 20000;
		int64_t *v = xcalloc(n, sizeof(*v));
		struct quantile q = {0};

		for (size_t i = 0; i < n; i++) {
			v[i] = value(round % 4);
			quantile_count(&q, v[i]);
		}
		quantile_aim_all(&q, share, 5);
		for (size_t i = 0; i < n; i++)
			quantile_keep_all(&q, v[i]);
		stats_sort(v, n);
		for (int i = 0; i < 5; i++)
			assert_int_equal(quantile_get(&q, i), stats_percentile(v, n, share[i]));
		quantile_free(&q);
		free(v);
	}
}

static void none(void **unused)
{
	struct quantile q = {0};

	(void)unused;
	quantile_aim(&q, 0.5, 0.99);
	assert_int_equal(quantile_get(&q, 0), 0);
	quantile_free(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(exact), cmocka_unit_test(several),
		cmocka_unit_test(buckets), cmocka_unit_test(none)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
