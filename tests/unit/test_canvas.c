// SPDX-License-Identifier: GPL-2.0-or-later
/* Canvas, theme and keys: what lands in a cell, what a dump shows, what an untrusted name may do. */
#include "src/canvas.h"
#include "src/command_keys.h"
#include "src/util.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <locale.h>
#include <cmocka.h>

static void dump_is(const struct canvas *c, bool roles, const char *want)
{
	char *got = canvas_dump(c, roles);

	assert_string_equal(got, want);
	free(got);
}

static void text_and_roles(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 8, 2, GLYPHS_UTF8);
	canvas_text(&c, 0, 0, ROLE_TITLE, "a▼·");
	canvas_right(&c, 8, 1, ROLE_STATE3, "33");
	canvas_attr(&c, 7, 1, 1, ATTR_REVERSE);
	dump_is(&c, false, "a▼·\n      33\n");
	dump_is(&c, true, "TTT\n      3@\n");
	canvas_free(&c);
}

static void outside_is_dropped(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 4, 2, GLYPHS_UTF8);
	canvas_text(&c, -2, 0, ROLE_TEXT, "abcdefghij");
	canvas_text(&c, 0, 5, ROLE_TEXT, "no");
	canvas_text(&c, 0, -1, ROLE_TEXT, "no");
	canvas_clip(&c, 1, 1, 2, 9);
	canvas_text(&c, 0, 1, ROLE_TEXT, "wxyz");
	dump_is(&c, false, "cdef\n xy\n");
	canvas_free(&c);
}

static void ascii_has_one_cell_for_one(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 12, 1, GLYPHS_ASCII);
	canvas_text(&c, 0, 0, ROLE_TEXT, "▁▄█░▒▓▲▼→─┊…");
	dump_is(&c, false, ".+#.:+^v>-!-\n");
	canvas_free(&c);
}

static void every_glyph_has_ascii(void **state)
{
	(void)state;
	for (int i = 1; i <= 8; i++) {
		assert_in_range(glyph_map(GLYPHS_ASCII, glyph_up(i)), '!', '~');
		assert_in_range(glyph_map(GLYPHS_ASCII, glyph_right(i)), '!', '~');
		assert_int_not_equal(glyph_map(GLYPHS_ASCII, glyph_right(i)), '?');
		assert_int_not_equal(glyph_map(GLYPHS_ASCII, glyph_up(i)), '?');
	}
	for (int i = 1; i <= 4; i++)
		assert_int_not_equal(glyph_map(GLYPHS_ASCII, glyph_shade(i)), '?');
	assert_int_equal(glyph_map(GLYPHS_LINUX, 0x28ff), '#');
	assert_int_equal(glyph_map(GLYPHS_LINUX, 0x2588), 0x2588);
}

static void foreign_text_is_tamed(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 10, 1, GLYPHS_UTF8);
	canvas_foreign(&c, 0, 0, ROLE_TEXT, "a\x1b[2J\x07\xff\n", 10);
	dump_is(&c, false, "a?[2J???\n");
	canvas_clear(&c);
	canvas_foreign(&c, 0, 0, ROLE_TEXT, "漢字漢", 5);
	canvas_put(&c, 5, 0, '|', ROLE_TEXT);
	dump_is(&c, false, "漢字 |\n");
	canvas_free(&c);
}

static void broken_utf8_never_runs_over(void **state)
{
	const char *bad[] = {"\xe2", "\xe2\x96", "\xf0\x9f\x98", "\xc3", "\x80", "\xf5\x80\x80\x80"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const char *p = bad[i];

		assert_int_equal(utf8_next(&p), 0xfffd);
		assert_ptr_equal(p, bad[i] + 1);
	}
}

static void colour_is_chosen(void **state)
{
	struct theme t;

	(void)state;
	assert_int_equal(theme_colors("auto", NULL, 256), COLORS_256);
	assert_int_equal(theme_colors("auto", "1", 256), COLORS_MONO);
	assert_int_equal(theme_colors("auto", "", 8), COLORS_8);
	assert_int_equal(theme_colors("always", "1", 256), COLORS_256);
	assert_int_equal(theme_colors("never", NULL, 256), COLORS_MONO);
	assert_int_equal(theme_colors(NULL, NULL, -1), COLORS_MONO);
	theme_init(&t, COLORS_256, false, 4);
	assert_int_equal(t.role[ROLE_STATE0].fg, 230);
	assert_int_equal(t.role[ROLE_STATE3].fg, 24);
	assert_true(theme_set(&t, "above", "196 bold"));
	assert_int_equal(t.role[ROLE_ABOVE].fg, 196);
	assert_false(theme_set(&t, "above", "reddish"));
	assert_false(theme_set(&t, "nothing", "196"));
	theme_init(&t, COLORS_MONO, false, 4);
	for (int i = 0; i < ROLE_COUNT; i++)
		assert_int_equal(t.role[i].fg, -1);
	assert_true(theme_light("0;15"));
	assert_false(theme_light("15;0"));
	assert_false(theme_light(NULL));
}

static void keys_have_names(void **state)
{
	static const char *const names[] = {"j", "^D", "PgDn", "S-Left", "F1", "Tab", "Enter", "Esc",
		"?", "Space", "é"};
	char buf[16];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_string_equal(keys_name(keys_parse(names[i]), buf, sizeof(buf)), names[i]);
	assert_int_equal(keys_parse(""), KEYS_NONE);
	assert_int_equal(keys_parse("jj"), KEYS_NONE);
}

/* what colour tells must be told without it too */
static void mono_tells_verdicts_apart(void **state)
{
	struct theme t;

	(void)state;
	theme_init(&t, COLORS_MONO, false, 4);
	assert_int_equal(t.role[ROLE_ABOVE].fg, -1);
	assert_int_equal(t.role[ROLE_BELOW].fg, -1);
	assert_int_not_equal(t.role[ROLE_ABOVE].attr, t.role[ROLE_BELOW].attr);
	theme_init(&t, COLORS_256, false, 4);
	assert_int_not_equal(t.role[ROLE_ABOVE].fg, t.role[ROLE_BELOW].fg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mono_tells_verdicts_apart),
		cmocka_unit_test(text_and_roles),
		cmocka_unit_test(outside_is_dropped),
		cmocka_unit_test(ascii_has_one_cell_for_one),
		cmocka_unit_test(every_glyph_has_ascii),
		cmocka_unit_test(foreign_text_is_tamed),
		cmocka_unit_test(broken_utf8_never_runs_over),
		cmocka_unit_test(colour_is_chosen),
		cmocka_unit_test(keys_have_names),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
