// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* tables go into mails: anything outside printable ASCII becomes '?' */
static void make_ascii(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || (unsigned char)*s > '~')
			*s = '?';
}

static char *format_text(const char *fmt, va_list ap)
{
	char *s = NULL;

	if (vasprintf(&s, fmt, ap) < 0)
		s = xstrdup("");
	make_ascii(s);
	return s;
}

void table_init(struct table *t, const char *caption, ...)
{
	va_list ap;

	memset(t, 0, sizeof(*t));
	va_start(ap, caption);
	t->caption = format_text(caption, ap);
	va_end(ap);
}

void table_free(struct table *t)
{
	for (size_t i = 0; i < t->ncols; i++) {
		free(t->col[i].head);
		free(t->col[i].unit);
		free(t->col[i].key);
	}
	for (size_t i = 0; i < t->ncells; i++)
		free(t->cell[i].text);
	for (size_t i = 0; i < t->nnotes; i++)
		free(t->note[i]);
	free(t->col);
	free(t->cell);
	free(t->note);
	free(t->rule);
	free(t->caption);
	memset(t, 0, sizeof(*t));
}

void table_column(struct table *t, const char *head, const char *unit, const char *key, double scale,
	int decimals, unsigned flags)
{
	struct table_column *c;

	GROW(t->col, t->ncols, t->col_cap);
	c = &t->col[t->ncols++];
	c->head = xstrdup(head);
	c->unit = xstrdup(unit);
	c->key = xstrdup(key);
	make_ascii(c->head);
	make_ascii(c->unit);
	make_ascii(c->key);
	c->scale = scale;
	c->decimals = decimals;
	c->flags = flags;
}

static struct cell *add_cell(struct table *t, enum cell_kind kind)
{
	struct cell *c;

	GROW(t->cell, t->ncells, t->cell_cap);
	c = &t->cell[t->ncells++];
	memset(c, 0, sizeof(*c));
	c->kind = kind;
	return c;
}

void table_text(struct table *t, const char *fmt, ...)
{
	struct cell *c = add_cell(t, CELL_TEXT);
	va_list ap;

	va_start(ap, fmt);
	c->text = format_text(fmt, ap);
	va_end(ap);
}

void table_int(struct table *t, int64_t value)
{
	add_cell(t, CELL_INT)->i = value;
}

void table_real(struct table *t, double value)
{
	add_cell(t, isfinite(value) ? CELL_REAL : CELL_NONE)->d = value;
}

void table_none(struct table *t)
{
	add_cell(t, CELL_NONE);
}

void table_mark(struct table *t, unsigned mark)
{
	if (t->ncells && t->cell[t->ncells - 1].kind != CELL_NONE)
		t->cell[t->ncells - 1].mark |= mark;
}

void table_rule(struct table *t)
{
	size_t row = table_rows(t);

	while (t->nrules <= row) {
		GROW(t->rule, t->nrules, t->rule_cap);
		t->rule[t->nrules++] = false;
	}
	t->rule[row] = true;
}

void table_note(struct table *t, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = format_text(fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < t->nnotes; i++) {
		if (!strcmp(t->note[i], s)) {
			free(s);
			return;
		}
	}
	GROW(t->note, t->nnotes, t->note_cap);
	t->note[t->nnotes++] = s;
}

/* column.decimals < 0: as many as make four digits, at most two */
static int decimals_for(const struct table_column *c, double shown)
{
	double a = fabs(shown);

	if (c->decimals >= 0)
		return c->decimals;
	return a < 99.995 ? 2 : a < 999.95 ? 1 : 0;
}

const char *table_cell_text(const struct table *t, size_t row, size_t col, char *buf, size_t size)
{
	const struct table_column *c = &t->col[col];
	const struct cell *cell = &t->cell[row * t->ncols + col];
	double v = cell->kind == CELL_INT ? (double)cell->i : cell->d;
	const char *weak = cell->mark & MARK_WEAK ? "?" : "";
	const char *star = cell->mark & MARK_SIGNIFICANT ? "*" : "";

	switch (cell->kind) {
	case CELL_NONE:
		snprintf(buf, size, "-");
		break;
	case CELL_TEXT:
		snprintf(buf, size, "%s%s%s", cell->text, star, weak);
		break;
	default:
		if (cell->kind == CELL_INT && c->scale == 1 && !(c->flags & COL_SIGN))
			snprintf(buf, size, "%lld%s%s", (long long)cell->i, star, weak);
		else
			snprintf(buf, size, c->flags & COL_SIGN ? "%+.*f%s%s" : "%.*f%s%s",
				decimals_for(c, v / c->scale), v / c->scale, star, weak);
	}
	return buf;
}
