// SPDX-License-Identifier: GPL-2.0-or-later
/* The config file: what it sets, what is said of what is wrong, that it is only read. */
#include "src/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static void with_text(struct config *c, const char *text)
{
	char path[] = "/tmp/reidle-config-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	memset(c, 0, sizeof(*c));
	assert_true(config_read_file(c, path));
	config_check(c);
	unlink(path);
}

static void sets_what_it_says(void **state)
{
	struct config c;
	struct keymap keys;
	struct theme t;

	(void)state;
	with_text(&c, "# mine\n[keys]\nquit = Q ^X\nzoom-in = + =\n[colors]\nabove = 196 bold\n"
		      "[screen]\nunits = us\nmouse = off\n");
	keymap_init(&keys);
	config_keys(&c, &keys);
	theme_init(&t, COLORS_256, false, 4);
	config_colors(&c, &t);
	assert_string_equal(c.problem, "");
	assert_int_equal(keymap_find(&keys, CTRL_KEY('X')), CMD_QUIT);
	assert_int_equal(keymap_find(&keys, '='), CMD_ZOOM_IN);
	assert_int_equal(t.role[ROLE_ABOVE].fg, 196);
	assert_string_equal(config_get(&c, "units"), "us");
	assert_string_equal(config_get(&c, "mouse"), "off");
	assert_null(config_get(&c, "height"));
	config_free(&c);
}

static void says_what_is_wrong(void **state)
{
	static const struct {
		const char *text, *want;
	} bad[] = {{"[keys]\nquit = Q\nfly = F\n", "line 3: no command 'fly'"},
		{"[keys]\nquit = nokey\n", "line 2: no command 'quit', or no key 'nokey'"},
		{"[colors]\nabove = mauve\n", "line 2: no role 'above', or no colour 'mauve'"},
		{"[screen]\nunit = us\n", "line 2: [screen] has no unit"},
		{"[kees]\nquit = Q\n", "line 2: no section [kees]"},
		{"[keys]\nwhat is this\n", "line 2: neither"}};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct config c;
		struct keymap keys;
		struct theme t;

		with_text(&c, bad[i].text);
		keymap_init(&keys);
		config_keys(&c, &keys);
		theme_init(&t, COLORS_256, false, 4);
		config_colors(&c, &t);
		if (!strstr(c.problem, bad[i].want))
			fail_msg("%s: \"%s\" instead of \"%s\"", bad[i].text, c.problem, bad[i].want);
		config_free(&c);
	}
}

static void survives_noise(void **state)
{
	uint64_t seed = 42;

	(void)state;
	for (int k = 0; k < 500; k++) {
		char text[400];
		struct config c;
		struct keymap keys;

		for (size_t i = 0; i < sizeof(text) - 1; i++) {
			static const char alphabet[] = "[]=:;# \n\tkeysquit^Q\xff\x01screen";

			seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
			text[i] = alphabet[(seed >> 33) % (sizeof(alphabet) - 1)];
		}
		text[sizeof(text) - 1] = '\0';
		with_text(&c, text);
		keymap_init(&keys);
		config_keys(&c, &keys);
		config_free(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_what_it_says),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(survives_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
