// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/canvas.h"
#include "src/util.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

void canvas_init(struct canvas *c, int w, int h, enum glyph_set glyphs)
{
	memset(c, 0, sizeof(*c));
	c->glyphs = glyphs;
	canvas_resize(c, w, h);
}

void canvas_free(struct canvas *c)
{
	free(c->cell);
	c->cell = NULL;
}

void canvas_resize(struct canvas *c, int w, int h)
{
	c->w = w < 1 ? 1 : w;
	c->h = h < 1 ? 1 : h;
	c->cell = xrealloc(c->cell, (size_t)c->w * (size_t)c->h, sizeof(*c->cell));
	canvas_clear(c);
}

void canvas_clear(struct canvas *c)
{
	for (int i = 0; i < c->w * c->h; i++)
		c->cell[i] = (struct screen_cell){' ', ROLE_TEXT, 0};
	c->cursor_x = c->cursor_y = -1;
	canvas_unclip(c);
}

static int clamp(int v, int lo, int hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

void canvas_clip(struct canvas *c, int x, int y, int w, int h)
{
	c->x0 = clamp(x, 0, c->w);
	c->y0 = clamp(y, 0, c->h);
	c->x1 = clamp(x + w, c->x0, c->w);
	c->y1 = clamp(y + h, c->y0, c->h);
}

void canvas_unclip(struct canvas *c)
{
	c->x0 = c->y0 = 0;
	c->x1 = c->w;
	c->y1 = c->h;
}

static struct screen_cell *cell_at(struct canvas *c, int x, int y)
{
	if (x < c->x0 || x >= c->x1 || y < c->y0 || y >= c->y1)
		return NULL;
	return &c->cell[y * c->w + x];
}

void canvas_put(struct canvas *c, int x, int y, uint32_t cp, enum role role)
{
	struct screen_cell *cell = cell_at(c, x, y);

	if (!cell)
		return;
	cell->ch = glyph_map(c->glyphs, cp);
	cell->role = (uint8_t)role;
}

int canvas_text(struct canvas *c, int x, int y, enum role role, const char *s)
{
	while (*s)
		canvas_put(c, x++, y, utf8_next(&s), role);
	return x;
}

int canvas_textf(struct canvas *c, int x, int y, enum role role, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	return canvas_text(c, x, y, role, buf);
}

int canvas_right(struct canvas *c, int x1, int y, enum role role, const char *s)
{
	int x = x1 - canvas_width(s);

	canvas_text(c, x, y, role, s);
	return x;
}

static int foreign_width(struct canvas *c, uint32_t *cp)
{
	int w;

	if (*cp < 0x20 || (*cp >= 0x7f && *cp < 0xa0) || *cp == 0xfffd)
		*cp = '?';
	if (*cp < 0x80)
		return 1;
	w = c->glyphs == GLYPHS_ASCII ? -1 : wcwidth((wchar_t)*cp);
	if (w < 0) {
		*cp = '?';
		return 1;
	}
	return w;
}

int canvas_foreign(struct canvas *c, int x, int y, enum role role, const char *s, int width)
{
	int end = x + width;

	while (*s) {
		uint32_t cp = utf8_next(&s);
		int w = foreign_width(c, &cp);

		if (!w)
			continue;
		if (x + w > end)
			break;
		canvas_put(c, x, y, cp, role);
		if (w == 2) {
			struct screen_cell *right = cell_at(c, x + 1, y), *left = cell_at(c, x, y);

			if (right)
				*right = (struct screen_cell){0, (uint8_t)role, 0};
			else if (left)
				left->ch = ' ';
		}
		x += w;
	}
	return x;
}

void canvas_fill(struct canvas *c, int x, int y, int n, uint32_t cp, enum role role)
{
	for (int i = 0; i < n; i++)
		canvas_put(c, x + i, y, cp, role);
}

void canvas_rule(struct canvas *c, int y)
{
	canvas_fill(c, 0, y, c->w, GLYPH_LINE, ROLE_RULE);
}

void canvas_attr(struct canvas *c, int x, int y, int n, uint8_t attr)
{
	for (int i = 0; i < n; i++) {
		struct screen_cell *cell = cell_at(c, x + i, y);

		if (cell)
			cell->attr |= attr;
	}
}

int canvas_width(const char *s)
{
	int n = 0;

	while (*s) {
		utf8_next(&s);
		n++;
	}
	return n;
}

static char *dump_cell(char *p, const struct screen_cell *cell, bool roles)
{
	if (roles)
		*p++ = cell->attr & ATTR_REVERSE ? '@' : theme_role_letter((enum role)cell->role);
	else if (cell->ch)
		p += utf8_put(p, cell->ch);
	return p;
}

char *canvas_dump(const struct canvas *c, bool roles)
{
	char *out = xcalloc((size_t)c->w * 4 + 1, (size_t)c->h + 1), *p = out;

	for (int y = 0; y < c->h; y++) {
		char *line = p;

		for (int x = 0; x < c->w; x++)
			p = dump_cell(p, &c->cell[y * c->w + x], roles);
		while (p > line && p[-1] == ' ')
			p--;
		*p++ = '\n';
	}
	*p = '\0';
	return out;
}

uint32_t utf8_next(const char **s)
{
	const unsigned char *p = (const unsigned char *)*s;
	int n = *p < 0x80 ? 0 : *p >= 0xf0 && *p < 0xf5 ? 3 : *p >= 0xe0 ? 2 : *p >= 0xc2 ? 1 : -1;
	uint32_t cp;

	(*s)++;
	if (n == 0)
		return *p;
	if (n < 0 || *p >= 0xf5)
		return 0xfffd;
	cp = *p & (0x3fu >> n);
	for (int i = 1; i <= n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0xfffd;
		cp = cp << 6 | (p[i] & 0x3f);
	}
	*s += n;
	return cp;
}

int utf8_put(char *out, uint32_t cp)
{
	if (cp < 0x80)
		return out[0] = (char)cp, 1;
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	out[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}
