/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a cell looks like: roles to colours, code points to what the terminal can show. Nothing is
 * owned; a struct theme is plain data. Views name roles and glyphs, never colours.
 */
#ifndef REIDLE_SRC_THEME_H
#define REIDLE_SRC_THEME_H

#include <stdbool.h>
#include <stdint.h>

/* role, and its letter in a dump of roles (golden files) */
#define ROLES(X)                                                                                   \
	X(TEXT, ' ')                                                                               \
	X(DIM, ',')                                                                                \
	X(TITLE, 'T')                                                                              \
	X(TAB, 't')                                                                                \
	X(TAB_ON, 'A')                                                                             \
	X(KEY, 'k')                                                                                \
	X(RULE, '_')                                                                               \
	X(LABEL, 'l')                                                                              \
	X(HEADING, 'H')                                                                            \
	X(RUNNING, '.')                                                                            \
	X(STATE0, '0')                                                                             \
	X(STATE1, '1')                                                                             \
	X(STATE2, '2')                                                                             \
	X(STATE3, '3')                                                                             \
	X(STATE4, '4')                                                                             \
	X(STATE5, '5')                                                                             \
	X(STATE6, '6')                                                                             \
	X(STATE7, '7')                                                                             \
	X(STATE8, '8')                                                                             \
	X(STATE9, '9')                                                                             \
	X(ABOVE, '^')                                                                              \
	X(BELOW, 'v')                                                                              \
	X(FINE, 'o')                                                                               \
	X(HOLE, '?')                                                                               \
	X(CURSOR, 'C')                                                                             \
	X(MARK, 'M')                                                                               \
	X(BAR, 'b')                                                                                \
	X(BAR2, 'd')                                                                               \
	X(NOTE, 'N')                                                                               \
	X(ALERT, 'E')

enum role {
#define ROLE_ENUM(name, letter) ROLE_##name,
	ROLES(ROLE_ENUM)
#undef ROLE_ENUM
	ROLE_COUNT
};

/* what a terminal's font can be trusted with; LINUX is the kernel console: a handful of blocks */
enum glyph_set { GLYPHS_UTF8, GLYPHS_LINUX, GLYPHS_ASCII };

enum colors { COLORS_MONO, COLORS_8, COLORS_16, COLORS_256 };

#define ATTR_BOLD 0x01
#define ATTR_REVERSE 0x02
#define ATTR_UNDERLINE 0x04
#define ATTR_DIM 0x08

struct style {
	int16_t fg; /* -1: the terminal's own; the background always is */
	uint8_t attr;
};

struct theme {
	enum colors colors;
	bool light;
	struct style role[ROLE_COUNT];
};

/**
 * theme_init() - colours for every role
 * @colors: what the terminal can do
 * @light: the background is light
 * @nstates: depth of the deepest table; the ramp is spread over it, 1..10
 */
void theme_init(struct theme *t, enum colors colors, bool light, int nstates);

/**
 * theme_set() - one colour from the config file
 * @role: role name in lower case; @value: "208", "blue", "bold", "208 bold"
 * Return: false when either is not known
 */
bool theme_set(struct theme *t, const char *role, const char *value);

/**
 * theme_colors() - how much colour to use
 * @option: auto, always, never (--color); NULL is auto
 * @no_color: value of $NO_COLOR; non-empty means none
 * @terminal: colours by terminfo
 */
enum colors theme_colors(const char *option, const char *no_color, int terminal);

/** theme_light() - from $COLORFGBG ("15;0"); false when it says nothing */
bool theme_light(const char *colorfgbg);

/** theme_role_letter() - as in a dump of roles */
char theme_role_letter(enum role role);
const char *theme_role_name(enum role role);

static inline enum role theme_state(int state)
{
	return state < 0 || state > 9 ? ROLE_RUNNING : (enum role)(ROLE_STATE0 + state);
}

/** glyph_map() - a code point as this set can show it; ASCII maps one cell to one cell */
uint32_t glyph_map(enum glyph_set set, uint32_t cp);

/* eighths, 0 blank .. 8 full */
static inline uint32_t glyph_up(int eighths)
{
	return eighths <= 0 ? ' ' : 0x2580u + (uint32_t)(eighths > 8 ? 8 : eighths);
}

static inline uint32_t glyph_right(int eighths)
{
	return eighths <= 0 ? ' ' : 0x2590u - (uint32_t)(eighths > 8 ? 8 : eighths);
}

/* shades, 0 blank .. 4 full */
static inline uint32_t glyph_shade(int n)
{
	return n <= 0 ? ' ' : n > 3 ? 0x2588u : 0x2590u + (uint32_t)n;
}

#define GLYPH_UP 0x25b2u   /* right deeper, above */
#define GLYPH_DOWN 0x25bcu /* cursor, right shallower */
#define GLYPH_TICK 0x250au /* target residency on a lane */
#define GLYPH_LINE 0x2500u
#define GLYPH_VLINE 0x2502u
#define GLYPH_DOT 0x00b7u

#endif
