/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list that is longer than the screen: which row is under the cursor, which is on top, and the keys
 * that move both. Plain data inside a view's state.
 */
#ifndef REIDLE_VIEWS_ROWS_H
#define REIDLE_VIEWS_ROWS_H

#include "views/view.h"

struct rows {
	size_t n, at, top;
	int shown; /* rows that fit, as last drawn */
	int y;	   /* first row, relative to the area, for clicks */
};

/** rows_fit() - @n rows of which @shown fit from line @y of the area; keeps the cursor inside */
void rows_fit(struct rows *r, size_t n, int y, int shown);
/** rows_scroll() - the same for text without a cursor: the keys scroll */
void rows_scroll(struct rows *r, size_t n, int shown);
/** rows_command() - moving keys; false when it is another command */
bool rows_command(struct rows *r, enum command_id id);
/** rows_click() - cursor to the row at line @y of the area; false when there is none */
bool rows_click(struct rows *r, int y);
/** rows_view_click() - click() of a view whose state begins with its struct rows */
void rows_view_click(void *state, struct session *s, int x, int y, bool release);
/** rows_cursor() - mark the row under the cursor */
void rows_cursor(struct canvas *c, struct area a, int y);

#endif
