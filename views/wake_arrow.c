// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/wake_arrow.h"
#include "views/cpulist.h"
#include "views/words.h"

/* the waker and when it woke the CPU under the cursor; -1 when there is no such arrow */
static int waker_here(const struct session *s, int64_t *at_ns)
{
	size_t i = session_period(s, 0);
	const struct period *p;

	if (i == TIMELINE_NONE)
		return -1;
	p = &s->run[0]->tl.cpu[s->cpu].period[i];
	if (p->exit_ns - p->enter_ns < 2 * s->step_ns) /* too far away to tell what points where */
		return -1;
	return words_waker(s->trace, s->cpu, p, at_ns);
}

static void draw_shaft(struct canvas *c, int x, int from, int to)
{
	int dir = to > from ? 1 : -1;
	uint32_t head = dir > 0 ? GLYPH_DOWN : GLYPH_UP;

	/* between neighbours of one row each there is no room but in the lane itself */
	if (from + dir == to)
		canvas_put(c, x, to, head, ROLE_MARK);
	for (int y = from + dir; y != to; y += dir)
		canvas_put(c, x, y, y + dir == to ? head : GLYPH_VLINE, ROLE_MARK);
}

/* the rows between the edge and the target, with the waker's name at the edge */
static void from_edge(struct canvas *c, int x, int waker, int edge, int to)
{
	char name[16];
	int w = snprintf(name, sizeof(name), "cpu%d", waker);

	draw_shaft(c, x, edge, to);
	edge += to > edge ? 1 : -1;
	canvas_text(c, x + 1 + w < c->x1 ? x + 1 : x - w, edge, ROLE_MARK, name);
}

void wake_arrow(const struct session *s, struct canvas *c, const struct lanes_place *p)
{
	int64_t at;
	int waker = waker_here(s, &at), col, x, from, to;

	if (waker < 0)
		return;
	col = session_column(s, at);
	to = cpulist_lane(s, s->cpu) - s->top;
	if (col < 0 || col >= s->ncols || to < 0 || to >= p->visible)
		return;
	x = p->x + col;
	from = cpulist_lane(s, waker);
	if (from >= 0 && from >= s->top && from < s->top + p->visible) {
		from = p->y + (from - s->top) * p->height;
		canvas_attr(c, x, from, 1, ATTR_UNDERLINE | ATTR_BOLD);
		draw_shaft(c, x, from, p->y + to * p->height);
	} else {
		bool below = from < 0 ? waker > s->cpu : from >= s->top + p->visible;

		from_edge(c, x, waker, below ? p->y + p->visible * p->height : p->y - 1, p->y + to * p->height);
	}
}
