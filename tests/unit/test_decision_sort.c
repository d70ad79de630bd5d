// SPDX-License-Identifier: GPL-2.0-or-later
/* Sorting in passes against qsort(), both ways, with equal, negative and extreme keys. */
#include "views/decision_sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static uint64_t seed = 0x2545f4914f6cdd1dULL;

static uint64_t rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

struct pair {
	int64_t key;
	uint32_t i;
};

static int rising(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->i < y->i ? -1 : x->i > y->i;
}

static int falling(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return x->key == y->key ? rising(a, b) : -rising(a, b);
}

static void check(size_t n, int64_t (*make)(void), bool up)
{
	struct pair *want = xcalloc(n + 1, sizeof(*want));
	struct decision_item *got = xcalloc(n + 1, sizeof(*got));
	struct sorter *s = sorter_new(n);
	int passes = 0;

	for (size_t i = 0; i < n; i++) {
		want[i] = (struct pair){make(), (uint32_t)i};
		sorter_add(s, want[i].key, (struct decision_item){.i = (uint32_t)i}, up);
	}
	assert_int_equal(sorter_added(s), n);
	while (sorter_pass(s))
		assert_true(++passes <= 8);
	sorter_take(s, got);
	qsort(want, n, sizeof(*want), up ? rising : falling);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(got[i].i, want[i].i);
	sorter_free(s);
	free(got);
	free(want);
}

static int64_t few(void)
{
	return (int64_t)(rnd() % 5) - 2;
}

static int64_t many(void)
{
	return (int64_t)(rnd() >> (rnd() % 63)) * (rnd() % 2 ? 1 : -1);
}

static int64_t extreme(void)
{
	static const int64_t ends[] = {INT64_MIN, -1, 0, 1, INT64_MAX};

	return ends[rnd() % 5];
}

static int64_t constant(void)
{
	return 7;
}

static void sorts(void **state)
{
	static int64_t (*const makes[])(void) = {few, many, extreme, constant};
	static const size_t sizes[] = {0, 1, 2, 257, 5000};

	(void)state;
	for (size_t k = 0; k < 4 * 5 * 2; k++)
		check(sizes[k / 8], makes[k / 2 % 4], k % 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
