// SPDX-License-Identifier: GPL-2.0-or-later
/* The command table: no key and no name twice, every command helped, every view reachable. */
#include "src/command.h"
#include "src/util.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void no_key_twice(void **state)
{
	int seen[KEYMAP_MAX], n = 0;

	(void)state;
	for (int i = 1; i < CMD_COUNT; i++) {
		char copy[120], *save = NULL;

		copy_text(copy, sizeof(copy), command_get((enum command_id)i)->keys);
		for (char *k = strtok_r(copy, " ", &save); k; k = strtok_r(NULL, " ", &save)) {
			int key = keys_parse(k);

			assert_int_not_equal(key, KEYS_NONE);
			for (int j = 0; j < n; j++)
				assert_int_not_equal(seen[j], key);
			assert_true(n < KEYMAP_MAX);
			seen[n++] = key;
		}
	}
}

static void names_and_help(void **state)
{
	(void)state;
	for (int i = 1; i < CMD_COUNT; i++) {
		const struct command *c = command_get((enum command_id)i);

		assert_int_equal(c->id, i);
		assert_true(strlen(c->help) > 5 && strlen(c->help) < 60);
		assert_true(strlen(c->name) < 16);
		assert_int_not_equal(c->views, 0);
		assert_ptr_equal(command_find(c->name, strlen(c->name)), c);
		for (int j = 1; j < i; j++)
			assert_string_not_equal(command_get((enum command_id)j)->name, c->name);
	}
	assert_null(command_find("p", 1));
	assert_string_equal(command_find("goto", 4)->name, "goto");
	assert_string_equal(command_find("dec", 3)->name, "decisions");
	assert_null(command_find("", 0));
}

static void views_have_commands(void **state)
{
	(void)state;
	for (int v = 0; v < VIEW_COUNT; v++)
		assert_string_equal(command_find(view_name((enum view_id)v),
					    strlen(view_name((enum view_id)v)))->name,
			view_name((enum view_id)v));
}

static void keys_can_be_given_away(void **state)
{
	struct keymap m;
	char buf[64];

	(void)state;
	keymap_init(&m);
	assert_int_equal(keymap_find(&m, 'j'), CMD_DOWN);
	assert_int_equal(keymap_find(&m, KEYS_F1), CMD_HELP);
	assert_true(keymap_bind(&m, "quit", "j ^X"));
	assert_int_equal(keymap_find(&m, 'j'), CMD_QUIT);
	assert_int_equal(keymap_find(&m, 'Q'), CMD_NONE);
	assert_string_equal(keymap_keys(&m, CMD_QUIT, buf, sizeof(buf)), "j ^X");
	assert_string_equal(keymap_first(&m, CMD_DOWN, buf, sizeof(buf)), "Down");
	assert_false(keymap_bind(&m, "quitt", "j"));
	assert_false(keymap_bind(&m, "quit", "nokey"));
}

static void manual_has_every_command(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	command_manual(f);
	fclose(f);
	for (int i = 1; i < CMD_COUNT; i++)
		assert_non_null(strstr(text, command_get((enum command_id)i)->help));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_key_twice),
		cmocka_unit_test(names_and_help),
		cmocka_unit_test(views_have_commands),
		cmocka_unit_test(keys_can_be_given_away),
		cmocka_unit_test(manual_has_every_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
