/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A screen of cells that views draw into; term.c, golden files and `:screen` read it. The canvas owns
 * its cells; whatever falls outside the clip is dropped. Coordinates are cells from the top left, 0-based.
 */
#ifndef REIDLE_SRC_CANVAS_H
#define REIDLE_SRC_CANVAS_H

#include "src/theme.h"

struct screen_cell {
	uint32_t ch; /* code point as shown; 0: right half of a wide one */
	uint8_t role;
	uint8_t attr; /* added to the role's own attributes */
};

struct canvas {
	int w, h;
	enum glyph_set glyphs;
	struct screen_cell *cell;
	int x0, y0, x1, y1; /* clip: x0 <= x < x1 */
	int cursor_x, cursor_y; /* where the terminal's cursor belongs; -1 hidden */
};

/** canvas_init() - blank; release with canvas_free() */
void canvas_init(struct canvas *c, int w, int h, enum glyph_set glyphs);
void canvas_free(struct canvas *c);
/** canvas_resize() - to another size, blank */
void canvas_resize(struct canvas *c, int w, int h);
void canvas_clear(struct canvas *c);

/** canvas_clip() - draw only inside this rectangle (cut to the canvas) until canvas_unclip() */
void canvas_clip(struct canvas *c, int x, int y, int w, int h);
void canvas_unclip(struct canvas *c);

/** canvas_put() - one cell; the glyph set's fallback is chosen here */
void canvas_put(struct canvas *c, int x, int y, uint32_t cp, enum role role);

/** canvas_text() - our own UTF-8, one cell a code point; returns the column after it */
int canvas_text(struct canvas *c, int x, int y, enum role role, const char *s);
int canvas_textf(struct canvas *c, int x, int y, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/** canvas_right() - the same, ending before column x1; returns the column it starts at */
int canvas_right(struct canvas *c, int x1, int y, enum role role, const char *s);

/**
 * canvas_foreign() - text of a recording (task names): control characters become '?', wide ones take
 * two cells
 * @width: at most so many cells
 */
int canvas_foreign(struct canvas *c, int x, int y, enum role role, const char *s, int width);

/** canvas_fill() - @n equal cells from x */
void canvas_fill(struct canvas *c, int x, int y, int n, uint32_t cp, enum role role);
void canvas_rule(struct canvas *c, int y);
/** canvas_attr() - add attributes to @n cells from x */
void canvas_attr(struct canvas *c, int x, int y, int n, uint8_t attr);

/** canvas_width() - cells of our own UTF-8 text */
int canvas_width(const char *s);

/**
 * canvas_dump() - the screen as lines of text, blanks at line ends left out
 * @roles: false: what is shown; true: the letter of each cell's role, '@' where reversed
 * Return: text to free()
 */
char *canvas_dump(const struct canvas *c, bool roles);

/** utf8_next() - decode one code point and advance; broken bytes come out as U+FFFD, one a byte */
uint32_t utf8_next(const char **s);
/** utf8_put() - encode; returns the bytes written (1..4) */
int utf8_put(char *out, uint32_t cp);

#endif
