// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/rows.h"

void rows_fit(struct rows *r, size_t n, int y, int shown)
{
	size_t room = shown > 0 ? (size_t)shown : 1;

	r->n = n;
	r->y = y;
	r->shown = shown;
	if (r->at >= n)
		r->at = n ? n - 1 : 0;
	if (r->at < r->top)
		r->top = r->at;
	if (r->at >= r->top + room)
		r->top = r->at - room + 1;
	if (r->top + room > n)
		r->top = n > room ? n - room : 0;
}

void rows_scroll(struct rows *r, size_t n, int shown)
{
	size_t room = shown > 0 ? (size_t)shown : 1;

	r->n = n > room ? n - room + 1 : 1;
	r->shown = shown;
	r->at = r->at < r->n ? r->at : r->n - 1;
	r->top = r->at;
}

static void move(struct rows *r, int64_t by)
{
	int64_t at = (int64_t)r->at + by, last = r->n ? (int64_t)r->n - 1 : 0;

	r->at = (size_t)(at < 0 ? 0 : at > last ? last : at);
}

bool rows_command(struct rows *r, enum command_id id)
{
	int page = r->shown > 1 ? r->shown : 2;

	switch (id) {
	case CMD_DOWN:
		return move(r, 1), true;
	case CMD_UP:
		return move(r, -1), true;
	case CMD_HALF_DOWN:
		return move(r, page / 2), true;
	case CMD_HALF_UP:
		return move(r, -page / 2), true;
	case CMD_PAGE_DOWN:
		return move(r, page), true;
	case CMD_PAGE_UP:
		return move(r, -page), true;
	case CMD_FIRST:
		return r->at = 0, true;
	case CMD_LAST:
		return r->at = r->n ? r->n - 1 : 0, true;
	default:
		return false;
	}
}

bool rows_click(struct rows *r, int y)
{
	size_t at = r->top + (size_t)(y - r->y);

	if (y < r->y || y >= r->y + r->shown || at >= r->n)
		return false;
	r->at = at;
	return true;
}

void rows_view_click(void *state, struct session *s, int x, int y, bool release)
{
	(void)s;
	(void)x;
	if (!release)
		rows_click(state, y);
}

void rows_cursor(struct canvas *c, struct area a, int y)
{
	canvas_put(c, a.x, y, '>', ROLE_CURSOR);
	canvas_attr(c, a.x, y, a.w, ATTR_REVERSE);
}
