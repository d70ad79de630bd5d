// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/output.h"
#include "src/table.h"

static char *written(const struct table *t, enum out_format format)
{
	char *buf = NULL;
	size_t size;
	FILE *f = open_memstream(&buf, &size);

	table_write(t, format, f);
	fclose(f);
	return buf;
}

static void expect(const struct table *t, enum out_format format, const char *want)
{
	char *got = written(t, format);

	assert_string_equal(got, want);
	free(got);
}

static void small_table(struct table *t)
{
	table_init(t, "what was recorded");
	table_column(t, "state", "", "state", 1, 0, COL_LEFT | COL_KEY);
	table_column(t, "usage", "", "usage", 1, 0, 0);
	table_column(t, "time", "us", "time_ns", 1000, 1, 0);
	table_column(t, "above%", "", "above_share", 0.01, 2, 0);
	table_text(t, "C6");
	table_int(t, 1234);
	table_int(t, 5678901);
	table_real(t, 0.125);
	table_rule(t);
	table_text(t, "a|b, \"c\"");
	table_int(t, 7);
	table_mark(t, MARK_WEAK);
	table_none(t);
	table_real(t, NAN);
	table_note(t, "above%% = above / usage");
	table_note(t, "above%% = above / usage");
}

static void text_form(void **state)
{
	struct table t;

	(void)state;
	small_table(&t);
	expect(&t, FORMAT_TEXT,
		"what was recorded\n"
		"state     usage    time  above%\n"
		"                     us\n"
		"-------------------------------\n"
		"C6         1234  5678.9   12.50\n"
		"-------------------------------\n"
		"a|b, \"c\"     7?       -       -\n"
		"  above% = above / usage\n");
	table_free(&t);
}

static void md_form(void **state)
{
	struct table t;

	(void)state;
	small_table(&t);
	expect(&t, FORMAT_MD,
		"**what was recorded**\n\n"
		"| state | usage | time (us) | above% |\n"
		"|---|---:|---:|---:|\n"
		"| C6 | 1234 | 5678.9 | 12.50 |\n"
		"| a\\|b, \"c\" | 7? | - | - |\n"
		"\n- above% = above / usage\n");
	table_free(&t);
}

static void csv_is_raw(void **state)
{
	struct table t;

	(void)state;
	small_table(&t);
	expect(&t, FORMAT_CSV,
		"# what was recorded\n"
		"# above% = above / usage\n"
		"state,usage,time_ns,above_share\n"
		"C6,1234,5678901,0.125\n"
		"\"a|b, \"\"c\"\"\",7,,\n");
	table_free(&t);
}

static void boxes_and_signs(void **state)
{
	struct table t;

	(void)state;
	table_init(&t, "%s", "");
	t.rules = RULES_BOX;
	table_column(&t, "m", "", "m", 1, 0, COL_LEFT | COL_KEY | COL_GROUP);
	table_column(&t, "change", "%", "change", 1, 2, COL_SIGN);
	table_text(&t, "x");
	table_real(&t, 3.14159);
	table_mark(&t, MARK_SIGNIFICANT);
	table_text(&t, "x");
	table_real(&t, -1);
	expect(&t, FORMAT_TEXT,
		"--------------\n"
		"| m | change |\n"
		"|   |      % |\n"
		"--------------\n"
		"| x | +3.14* |\n"
		"|   |  -1.00 |\n"
		"--------------\n");
	table_free(&t);
}

/* whatever the columns, no line leaves the mail's width, and no cell is lost */
static void wide_tables_fold(void **state)
{
	struct table t;
	char *got, *line, *save, want[16];
	int blocks = 0;

	(void)state;
	for (int rules = RULES_DASH; rules <= RULES_NONE; rules++) {
		table_init(&t, "%s", "");
		t.rules = (enum table_rules)rules;
		table_column(&t, "key", "", "key", 1, 0, COL_LEFT | COL_KEY);
		for (int i = 0; i < 30; i++)
			table_column(&t, "column", "", "c", 1, 0, 0);
		table_text(&t, "k\303\251y");
		for (int i = 0; i < 30; i++)
			table_int(&t, 1000 + i);
		got = written(&t, FORMAT_TEXT);
		for (int i = 0; i < 30; i++) {
			snprintf(want, sizeof(want), "%d", 1000 + i);
			assert_non_null(strstr(got, want));
		}
		blocks = 0;
		for (line = strtok_r(got, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
			assert_true(strlen(line) <= TABLE_WIDTH);
			for (char *p = line; *p; p++)
				assert_true(*p >= ' ' && *p <= '~');
			blocks += strstr(line, "k??y") != NULL;
		}
		assert_true(blocks > 1);
		free(got);
		table_free(&t);
	}
}

static void sorting(void **state)
{
	static const char *const names[] = {"b", "c", "a", "d"};
	static const int values[] = {10, 30, 20, 30};
	struct table t;

	(void)state;
	table_init(&t, "%s", "");
	t.rules = RULES_NONE;
	table_column(&t, "name", "", "name", 1, 0, COL_LEFT | COL_GROUP);
	table_column(&t, "n", "", "count", 1, 0, 0);
	for (int i = 0; i < 4; i++) {
		table_text(&t, "%s", names[i]);
		table_int(&t, values[i]);
	}
	table_text(&t, "e");
	table_none(&t);
	assert_false(table_sort(&t, "frob"));
	assert_true(table_sort(&t, "count"));
	expect(&t, FORMAT_CSV, "name,count\nc,30\nd,30\na,20\nb,10\ne,\n");
	assert_true(table_sort(&t, "name"));
	expect(&t, FORMAT_CSV, "name,count\na,20\nb,10\nc,30\nd,30\ne,\n");
	table_free(&t);
}

static void wrapping(void **state)
{
	char *buf = NULL;
	size_t size;
	FILE *f = open_memstream(&buf, &size);
	char word[100];

	(void)state;
	memset(word, 'x', 99);
	word[99] = '\0';
	table_wrap(f, "a: ", "   ", "one two");
	table_wrap(f, "", "  ",
		"12345678 12345678 12345678 12345678 12345678 12345678 12345678 12345678 123456 z");
	table_wrap(f, "", "  ", word);
	fclose(f);
	assert_memory_equal(buf, "a: one two\n", 11);
	assert_non_null(strstr(buf, "12345678 123456\n  z\n"));
	assert_non_null(strstr(buf, word));
	free(buf);
}

static void output_is_whole_or_absent(void **state)
{
	char dir[] = "/tmp/reidle-test-XXXXXX", path[64], other[64], got[16] = "";
	struct output out;
	struct error err;
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/t", dir);
	assert_int_equal(output_open(&out, path, &err), 0);
	fputs("old", out.f);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(output_close(&out, &err), 0);
	assert_int_equal(output_open(&out, path, &err), 0);
	fputs("new", out.f);
	output_abort(&out);
	f = fopen(path, "r");
	assert_non_null(fgets(got, sizeof(got), f));
	fclose(f);
	assert_string_equal(got, "old");
	snprintf(other, sizeof(other), "%s/no/such/dir", dir);
	assert_int_equal(output_open(&out, other, &err), -1);
	assert_non_null(strstr(err.text, other));
	assert_int_equal(unlink(path), 0);
	/* nothing else was left behind */
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_form),	   cmocka_unit_test(md_form),
		cmocka_unit_test(csv_is_raw),	   cmocka_unit_test(boxes_and_signs),
		cmocka_unit_test(wide_tables_fold), cmocka_unit_test(wrapping),
		cmocka_unit_test(output_is_whole_or_absent), cmocka_unit_test(sorting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
