// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "src/expr.h"

enum { F_CPU, F_MISS, F_STATE, F_LENGTH, F_WAKER, F_SHARE, F_PCT };

static const struct expr_field fields[] = {
	[F_CPU] = {"cpu", EXPR_NUMBER, ""},	[F_MISS] = {"miss", EXPR_TEXT, ""},
	[F_STATE] = {"state", EXPR_TEXT, ""},	[F_LENGTH] = {"length", EXPR_TIME, ""},
	[F_WAKER] = {"waker", EXPR_TEXT, ""},	[F_SHARE] = {"agreement", EXPR_RATIO, ""},
	[F_PCT] = {"above%", EXPR_PERCENT, ""},
};

struct row {
	double cpu, length, share;
	const char *miss, *state, *waker;
};

static struct expr_value read_row(void *ctx, int field)
{
	const struct row *r = ctx;

	switch (field) {
	case F_CPU:
		return expr_number(r->cpu);
	case F_MISS:
		return expr_text(r->miss);
	case F_STATE:
		return expr_text(r->state);
	case F_LENGTH:
		return expr_number(r->length);
	case F_WAKER:
		return expr_text(r->waker);
	case F_SHARE:
		return expr_number(r->share);
	default:
		return expr_number(100 * r->share);
	}
}

static const struct row row = {.cpu = 3, .length = 85000, .share = 0.25, .miss = "above",
	.state = "C6", .waker = "kworker/3:1"};

static bool holds_on(const char *text, const struct row *r)
{
	struct error err;
	struct expr *e = expr_compile(text, fields, ARRAY_SIZE(fields), NULL, &err);
	bool ret;

	if (!e)
		fail_msg("%s", err.text);
	ret = expr_holds(e, read_row, (void *)r);
	expr_free(e);
	return ret;
}

static bool holds(const char *text)
{
	return holds_on(text, &row);
}

static void the_documented_one(void **state)
{
	struct row other = row;
	const char *text = "cpu <= 3 && miss == above && state == \"C6\" && length < 100us && "
			   "waker ~ \"kworker\"";

	(void)state;
	assert_true(holds(text));
	other.cpu = 4;
	assert_false(holds_on(text, &other));
	other = row;
	other.length = 100000;
	assert_false(holds_on(text, &other));
	other = row;
	other.waker = "ksoftirqd/0";
	assert_false(holds_on(text, &other));
}

static void operators(void **state)
{
	(void)state;
	assert_true(holds("cpu==3"));
	assert_true(holds("3 == cpu"));
	assert_false(holds("cpu != 3"));
	assert_true(holds("cpu >= 3 && cpu > 2 && cpu < 4"));
	assert_true(holds("!(cpu == 2)"));
	assert_true(holds("!cpu == 2 || cpu"));
	assert_true(holds("miss"));
	assert_true(holds("waker ~ '^kw.*1$' && waker !~ foo"));
	assert_true(holds("length == 0.085ms && length == 85us && length > 0"));
	assert_true(holds("state == C6 && state != 'C7'"));
}

static void and_binds_tighter(void **state)
{
	(void)state;
	assert_true(holds("cpu == 3 || cpu == 9 && cpu == 8"));
	assert_false(holds("(cpu == 3 || cpu == 9) && cpu == 8"));
}

static void shares_and_percents(void **state)
{
	(void)state;
	assert_true(holds("agreement == 25% && agreement == 0.25"));
	assert_true(holds("above% == 25 && above% == 25%"));
}

static void unknown_values(void **state)
{
	struct row r = row;

	(void)state;
	r.waker = NULL;
	assert_false(holds_on("waker == kworker", &r));
	assert_false(holds_on("waker ~ k", &r));
	assert_false(holds_on("waker", &r));
	assert_true(holds_on("waker != kworker", &r));
	assert_true(holds_on("waker !~ k", &r));
}

static void errors_name_the_column(void **state)
{
	static const struct {
		const char *text;
		size_t column;
	} bad[] = {
		{"", 0}, {"cpu <", 5}, {"cpu << 3", 5}, {"frob == 3", 0}, {"cpu == 3 &&", 11},
		{"length < 100", 9}, {"length < 5%", 9}, {"cpu == 3us", 7}, {"cpu == C6", 7},
		{"state == 6", 9}, {"(cpu == 3", 9}, {"cpu == 3)", 8}, {"cpu == 3 cpu", 9},
		{"state < \"C6\"", 8}, {"waker ~ \"(\"", 8}, {"waker ~ \"abc", 8},
		{"length < 3parsec", 10}, {"cpu ~ \"3\"", 6}, {"waker ~ \"a{1,9999}\"", 8},
		{"waker ~ \"a+++++++++++++++++++++++++\"", 8}, {"waker ~ '(a)\\1'", 8},
		{"cpu == state", 7}, {"&& cpu", 0}, {"3 == 3", 0},
	};
	struct error err;
	size_t column;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		column = 999;
		err.text[0] = '\0';
		if (expr_compile(bad[i].text, fields, ARRAY_SIZE(fields), &column, &err))
			fail_msg("accepted: %s", bad[i].text);
		if (column != bad[i].column)
			fail_msg("%s: column %zu, want %zu (%s)", bad[i].text, column, bad[i].column,
				err.text);
		assert_int_equal(err.code, EXIT_USAGE);
		assert_non_null(strstr(err.text, "column"));
	}
}

static void depth_is_limited(void **state)
{
	char deep[4001];
	struct error err;

	(void)state;
	memset(deep, '(', 4000);
	deep[4000] = '\0';
	assert_null(expr_compile(deep, fields, ARRAY_SIZE(fields), NULL, &err));
	memset(deep, '!', 4000);
	assert_null(expr_compile(deep, fields, ARRAY_SIZE(fields), NULL, &err));
}

/* sentences of random tokens: what compiles can be evaluated, what does not names a column inside */
static void random_sentences(void **state)
{
	static const char *const tokens[] = {"cpu", "miss", "state", "length", "waker", "agreement", "above%",
		"==", "!=", "<", "<=", ">", ">=", "~", "!~", "&&", "||", "!", "(", ")", "3", "-1.5e3", "5us",
		"2%", "\"C6\"", "'x", "\"", "frob", "\\", "[", "*", "9e999", "\x80", "."};
	uint64_t seed = 88172645463325252ULL;
	size_t column, compiled = 0;
	struct error err;
	struct expr *e;
	char text[400];

	(void)state;
	for (int k = 0; k < 100000; k++) {
		text[0] = '\0';
		for (int i = 0; i < 1 + k % 12; i++) {
			seed ^= seed << 13;
			seed ^= seed >> 7;
			seed ^= seed << 17;
			strcat(text, tokens[seed % ARRAY_SIZE(tokens)]);
			strcat(text, seed & (1 << 20) ? " " : "");
		}
		e = expr_compile(text, fields, ARRAY_SIZE(fields), &column, &err);
		if (e) {
			compiled++;
			expr_holds(e, read_row, (void *)&row);
		} else {
			assert_true(column <= strlen(text));
			assert_int_equal(err.code, EXIT_USAGE);
		}
		expr_free(e);
	}
	assert_true(compiled > 100);
}

static void knows_what_it_reads(void **state)
{
	struct error err;
	struct expr *e = expr_compile("cpu == 3 && 5us < length", fields, ARRAY_SIZE(fields), NULL,
		&err);

	(void)state;
	assert_true(expr_uses(e, F_CPU));
	assert_true(expr_uses(e, F_LENGTH));
	assert_false(expr_uses(e, F_WAKER));
	expr_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_documented_one),	cmocka_unit_test(operators),
		cmocka_unit_test(and_binds_tighter),	cmocka_unit_test(shares_and_percents),
		cmocka_unit_test(unknown_values),	cmocka_unit_test(errors_name_the_column),
		cmocka_unit_test(random_sentences),	cmocka_unit_test(depth_is_limited),	cmocka_unit_test(knows_what_it_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
