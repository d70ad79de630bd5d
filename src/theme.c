// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/theme.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define RAMP 7

/*
 * Depth is a ramp of luminance, so that it survives colour blindness and a photograph; verdicts are
 * blue and orange, the pair that all common deficiencies can tell apart.
 */
static const int16_t ramp_256[2][RAMP] = {{230, 186, 143, 102, 66, 60, 24},
	{172, 136, 100, 65, 61, 60, 17}};
static const int16_t ramp_16[2][RAMP] = {{11, 11, 10, 14, 6, 12, 13}, {3, 3, 2, 6, 6, 4, 5}};
static const int16_t ramp_8[RAMP] = {3, 3, 2, 2, 6, 6, 5};

struct role_colours {
	enum role role;
	int16_t c8, c16, c256, c256_light;
	uint8_t attr;
};

static const struct role_colours role_colours[] = {
	{ROLE_DIM, -1, 8, 244, 244, 0},
	{ROLE_TITLE, -1, -1, -1, -1, ATTR_BOLD},
	{ROLE_TAB, -1, 8, 244, 244, 0},
	{ROLE_TAB_ON, -1, -1, -1, -1, ATTR_BOLD | ATTR_UNDERLINE},
	{ROLE_KEY, 6, 14, 110, 25, ATTR_BOLD},
	{ROLE_RULE, -1, 8, 240, 250, 0},
	{ROLE_LABEL, -1, -1, -1, -1, 0},
	{ROLE_HEADING, -1, -1, -1, -1, ATTR_BOLD},
	{ROLE_RUNNING, -1, 8, 242, 247, 0},
	{ROLE_ABOVE, 3, 11, 208, 166, ATTR_BOLD},
	{ROLE_BELOW, 6, 12, 33, 26, ATTR_BOLD},
	{ROLE_FINE, 2, 2, 108, 65, 0},
	{ROLE_HOLE, 5, 13, 169, 126, 0},
	{ROLE_CURSOR, -1, -1, -1, -1, ATTR_BOLD},
	{ROLE_MARK, 6, 14, 80, 30, ATTR_BOLD},
	{ROLE_BAR, 6, 6, 73, 30, 0},
	{ROLE_BAR2, 3, 11, 208, 166, 0},
	{ROLE_NOTE, -1, -1, -1, -1, 0},
	{ROLE_ALERT, 1, 9, 203, 160, ATTR_BOLD},
};

static int16_t ramp_colour(enum colors colors, bool light, int state, int nstates)
{
	int i = nstates > 1 ? state * (RAMP - 1) / (nstates - 1) : 0;

	if (i >= RAMP)
		i = RAMP - 1;
	switch (colors) {
	case COLORS_256:
		return ramp_256[light][i];
	case COLORS_16:
		return ramp_16[light][i];
	case COLORS_8:
		return ramp_8[i];
	default:
		return -1;
	}
}

static int16_t role_colour(const struct role_colours *r, enum colors colors, bool light)
{
	switch (colors) {
	case COLORS_256:
		return light ? r->c256_light : r->c256;
	case COLORS_16:
		return r->c16;
	case COLORS_8:
		return r->c8;
	default:
		return -1;
	}
}

void theme_init(struct theme *t, enum colors colors, bool light, int nstates)
{
	memset(t, 0, sizeof(*t));
	t->colors = colors;
	t->light = light;
	for (int i = 0; i < ROLE_COUNT; i++)
		t->role[i].fg = -1;
	for (size_t i = 0; i < sizeof(role_colours) / sizeof(role_colours[0]); i++) {
		const struct role_colours *r = &role_colours[i];

		t->role[r->role].fg = role_colour(r, colors, light);
		t->role[r->role].attr = r->attr;
	}
	/* in the row of misses, above and below are the same bars */
	if (colors == COLORS_MONO)
		t->role[ROLE_BELOW].attr |= ATTR_UNDERLINE;
	for (int s = 0; s < 10; s++)
		t->role[ROLE_STATE0 + s].fg = ramp_colour(colors, light, s, nstates);
}

static bool set_word(struct style *style, const char *word, enum colors colors)
{
	static const char *const names[] = {"black", "red", "green", "yellow", "blue", "magenta",
		"cyan", "white"};
	static const int limit[] = {0, 8, 16, 256};
	char *end;
	long n = strtol(word, &end, 10);

	if (!strcmp(word, "bold"))
		return style->attr |= ATTR_BOLD, true;
	if (!strcmp(word, "reverse"))
		return style->attr |= ATTR_REVERSE, true;
	if (!strcmp(word, "underline"))
		return style->attr |= ATTR_UNDERLINE, true;
	if (!strcmp(word, "default"))
		return style->fg = -1, true;
	for (int i = 0; i < 8; i++)
		if (!strcmp(word, names[i])) {
			end = "";
			n = i;
			word = "0";
		}
	if (*end || !*word || n < 0 || n > 255)
		return false;
	style->fg = n < limit[colors] ? (int16_t)n : -1;
	return true;
}

bool theme_set(struct theme *t, const char *role, const char *value)
{
	for (int i = 0; i < ROLE_COUNT; i++) {
		char copy[80], *save = NULL;
		struct style style = {-1, 0};

		if (strcasecmp(role, theme_role_name((enum role)i)))
			continue;
		strncpy(copy, value, sizeof(copy) - 1);
		copy[sizeof(copy) - 1] = '\0';
		for (char *w = strtok_r(copy, " ,", &save); w; w = strtok_r(NULL, " ,", &save))
			if (!set_word(&style, w, t->colors))
				return false;
		t->role[i] = style;
		return true;
	}
	return false;
}

enum colors theme_colors(const char *option, const char *no_color, int terminal)
{
	bool always = option && !strcmp(option, "always");

	if (option && !strcmp(option, "never"))
		return COLORS_MONO;
	if (!always && no_color && *no_color)
		return COLORS_MONO;
	if (terminal >= 256)
		return COLORS_256;
	if (terminal >= 16)
		return COLORS_16;
	return terminal >= 8 || always ? COLORS_8 : COLORS_MONO;
}

bool theme_light(const char *colorfgbg)
{
	const char *bg = colorfgbg ? strrchr(colorfgbg, ';') : NULL;

	return bg && (!strcmp(bg, ";7") || !strcmp(bg, ";15"));
}

char theme_role_letter(enum role role)
{
	static const char letters[] = {
#define ROLE_LETTER(name, letter) letter,
		ROLES(ROLE_LETTER)
#undef ROLE_LETTER
	};

	return letters[role];
}

const char *theme_role_name(enum role role)
{
	static const char *const names[] = {
#define ROLE_NAME(name, letter) #name,
		ROLES(ROLE_NAME)
#undef ROLE_NAME
	};

	return names[role];
}

static uint32_t ascii_block(uint32_t cp)
{
	static const char up[] = ".:++**##", right[] = "#####==-";

	if (cp >= 0x2581 && cp <= 0x2588)
		return (uint32_t)up[cp - 0x2581];
	if (cp >= 0x2589 && cp <= 0x258f)
		return (uint32_t)right[cp - 0x2588];
	if (cp >= 0x2591 && cp <= 0x2593)
		return (uint32_t) ".:+"[cp - 0x2591];
	if (cp >= 0x2800 && cp <= 0x28ff)
		return cp == 0x2800 ? ' ' : '#';
	return '?';
}

static uint32_t ascii(uint32_t cp)
{
	static const struct {
		uint16_t cp;
		char to;
	} map[] = {{0x00b7, '.'}, {0x00b5, 'u'}, {0x00d7, 'x'}, {0x2013, '-'}, {0x2026, '-'},
		{0x2190, '<'}, {0x2191, '^'}, {0x2192, '>'}, {0x2193, 'v'}, {0x2500, '-'},
		{0x2502, '|'}, {0x250a, '!'}, {0x250c, '+'}, {0x2510, '+'}, {0x2514, '+'},
		{0x2518, '+'}, {0x251c, '+'}, {0x2524, '+'}, {0x25b2, '^'}, {0x25bc, 'v'},
		{0x25c4, '<'}, {0x25ba, '>'}, {0x2264, '<'}, {0x2265, '>'}};

	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (map[i].cp == cp)
			return (uint32_t)map[i].to;
	return ascii_block(cp);
}

/* the console font has whole and half blocks and the shades, but no eighths, no braille, no ellipsis */
static uint32_t linux_console(uint32_t cp)
{
	if (cp >= 0x2581 && cp <= 0x2587)
		return cp <= 0x2583 ? '_' : 0x2584;
	if (cp >= 0x2589 && cp <= 0x258f)
		return cp <= 0x258a ? 0x2588 : cp <= 0x258d ? 0x258c : '|';
	if ((cp >= 0x2800 && cp <= 0x28ff) || cp == GLYPH_TICK || cp == 0x2026)
		return ascii(cp);
	return cp;
}

uint32_t glyph_map(enum glyph_set set, uint32_t cp)
{
	if (cp < 0x80 || set == GLYPHS_UTF8)
		return cp;
	return set == GLYPHS_LINUX ? linux_console(cp) : ascii(cp);
}
