// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/table.h"

#include <stdlib.h>
#include <string.h>

static double number(const struct cell *c)
{
	return c->kind == CELL_INT ? (double)c->i : c->d;
}

/* does row a stand before row b; what is not known comes last */
static bool before(const struct cell *a, const struct cell *b)
{
	if (a->kind == CELL_NONE || b->kind == CELL_NONE)
		return a->kind != CELL_NONE && b->kind == CELL_NONE;
	if (a->kind == CELL_TEXT || b->kind == CELL_TEXT)
		return a->kind == CELL_TEXT && b->kind == CELL_TEXT && strcmp(a->text, b->text) < 0;
	return number(a) > number(b);
}

static void swap_rows(struct table *t, size_t a, size_t b)
{
	for (size_t i = 0; i < t->ncols; i++) {
		struct cell c = t->cell[a * t->ncols + i];

		t->cell[a * t->ncols + i] = t->cell[b * t->ncols + i];
		t->cell[b * t->ncols + i] = c;
	}
}

bool table_sort(struct table *t, const char *column)
{
	size_t col = 0;

	while (col < t->ncols && strcmp(t->col[col].head, column) && strcmp(t->col[col].key, column))
		col++;
	if (col == t->ncols)
		return false;
	/* rows are few; equal ones keep their order */
	for (size_t r = 1; r < table_rows(t); r++)
		for (size_t k = r; k > 0 && before(&t->cell[k * t->ncols + col],
			&t->cell[(k - 1) * t->ncols + col]); k--)
			swap_rows(t, k, k - 1);
	for (size_t i = 0; i < t->nrules; i++)
		t->rule[i] = false;
	for (size_t i = 0; i < t->ncols; i++)
		t->col[i].flags &= ~(unsigned)COL_GROUP;
	return true;
}
