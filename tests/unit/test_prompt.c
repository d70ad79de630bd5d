// SPDX-License-Identifier: GPL-2.0-or-later
/* The input line: editing whole characters, history per lead, completion, what a full line refuses. */
#include "src/command_prompt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void type(struct prompt *p, const char *text)
{
	while (*text)
		prompt_key(p, (int)utf8_next(&text), NULL, NULL);
}

static void edits_characters(void **state)
{
	struct prompt p = {0};

	(void)state;
	prompt_open(&p, ':', "");
	type(&p, "aéz");
	prompt_key(&p, KEYS_LEFT, NULL, NULL);
	prompt_key(&p, KEYS_BACKSPACE, NULL, NULL);
	assert_string_equal(p.text, "az");
	type(&p, "▼");
	assert_string_equal(p.text, "a▼z");
	prompt_key(&p, KEYS_HOME, NULL, NULL);
	prompt_key(&p, KEYS_DELETE, NULL, NULL);
	assert_string_equal(p.text, "▼z");
	prompt_key(&p, KEYS_DELETE, NULL, NULL);
	assert_string_equal(p.text, "z");
	prompt_key(&p, KEYS_END, NULL, NULL);
	type(&p, " two words");
	prompt_key(&p, CTRL_KEY('W'), NULL, NULL);
	assert_string_equal(p.text, "z two ");
	prompt_key(&p, CTRL_KEY('U'), NULL, NULL);
	assert_string_equal(p.text, "");
	assert_int_equal(prompt_key(&p, KEYS_BACKSPACE, NULL, NULL), PROMPT_CANCELLED);
}

static void history_is_per_lead(void **state)
{
	struct prompt p = {0};

	(void)state;
	prompt_open(&p, ':', "");
	type(&p, "first");
	assert_int_equal(prompt_key(&p, KEYS_ENTER, NULL, NULL), PROMPT_DONE);
	prompt_open(&p, '/', "");
	type(&p, "sought");
	prompt_key(&p, KEYS_ENTER, NULL, NULL);
	prompt_open(&p, ':', "");
	type(&p, "new");
	prompt_key(&p, KEYS_UP, NULL, NULL);
	assert_string_equal(p.text, "first");
	prompt_key(&p, KEYS_UP, NULL, NULL);
	assert_string_equal(p.text, "first");
	prompt_key(&p, KEYS_DOWN, NULL, NULL);
	assert_string_equal(p.text, "new");
	prompt_open(&p, '/', "");
	prompt_key(&p, KEYS_UP, NULL, NULL);
	assert_string_equal(p.text, "sought");
}

static const char *two(void *ctx, const char *line, size_t word, int n)
{
	static const char *const names[] = {"menu", "mono"};

	(void)ctx;
	assert_string_equal(line + word, "m");
	return n < 2 ? names[n] : NULL;
}

static void completion_goes_round(void **state)
{
	struct prompt p = {0};

	(void)state;
	prompt_open(&p, ':', "add m");
	prompt_key(&p, KEYS_TAB, two, NULL);
	assert_string_equal(p.text, "add menu");
	prompt_key(&p, KEYS_TAB, two, NULL);
	assert_string_equal(p.text, "add mono");
	prompt_key(&p, KEYS_TAB, two, NULL);
	assert_string_equal(p.text, "add m");
}

static void a_full_line_stays(void **state)
{
	struct prompt p = {0};
	struct canvas c;

	(void)state;
	prompt_open(&p, ':', "");
	for (int i = 0; i < 1000; i++)
		type(&p, "é");
	assert_true(strlen(p.text) < PROMPT_TEXT);
	canvas_init(&c, 20, 1, GLYPHS_UTF8);
	prompt_draw(&p, &c, 0);
	assert_true(c.cursor_x < 20);
	canvas_free(&c);
	for (int i = 0; i < 50; i++) {
		prompt_key(&p, KEYS_ENTER, NULL, NULL);
		prompt_open(&p, ':', "");
		type(&p, i % 2 ? "a" : "b");
	}
	assert_true(p.nhistory <= PROMPT_HISTORY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits_characters),
		cmocka_unit_test(history_is_per_lead),
		cmocka_unit_test(completion_goes_round),
		cmocka_unit_test(a_full_line_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
