// SPDX-License-Identifier: GPL-2.0-or-later
/* Lanes of every CPU's idle states over time, and in words the period under the cursor. */
#include "views/cpulist.h"
#include "views/lanes.h"
#include "views/lanes_keys.h"
#include "views/overview.h"
#include "views/words.h"

#include <stdlib.h>
#include <string.h>

struct state {
	struct timeline_sum *col;
	int cap;
	struct area area;
	int lanes_y, lane_h; /* as drawn, for clicks */
	int press_x;
	struct overview overview;
};

static const struct hint hints[] = {{CMD_LEFT, CMD_RIGHT, "pan"}, {CMD_ZOOM_IN, CMD_ZOOM_OUT, "zoom"},
	{CMD_NEXT, CMD_PREVIOUS, "miss"}, {CMD_OPEN, CMD_NONE, "why"}, {CMD_PREV_IDLE, CMD_NEXT_IDLE, "idle"},
	{CMD_EVENTS, CMD_NONE, "events"}, {CMD_WHOLE, CMD_NONE, "all"}, {CMD_MARK_A, CMD_MARK_B, "mark"},
	{CMD_ZOOM, CMD_NONE, "a-b"}, {CMD_FIND, CMD_NONE, "find"}, {CMD_EXPORT, CMD_NONE, "export"},
	{CMD_HELP, CMD_NONE, "help"}, {0}};

static void close_view(void *state)
{
	struct state *st = state;

	free(st->col);
	overview_free(&st->overview);
}

static void draw_legend(const struct session *s, struct canvas *c, struct area a)
{
	int x = words_states(c, a.x + 1, a.y, machine_table(s->machine, s->cpu));
	char text[80];

	snprintf(text, sizeof(text), "%s governor: %s ", "recorded", s->run[0]->name);
	if (x + 3 + (int)strlen(text) < a.x + a.w)
		canvas_right(c, a.x + a.w, a.y, ROLE_DIM, text);
}

static void draw_marker_sum(const struct session *s, struct canvas *c, struct area a, int x)
{
	int64_t from = min64(s->mark_ns[0], s->mark_ns[1]), to = max64(s->mark_ns[0], s->mark_ns[1]);
	const struct state_table *t = machine_table(s->machine, s->cpu);
	struct timeline_sum sum;
	char buf[32];

	timeline_window(&s->run[0]->tl, s->cpu, from, to, &sum);
	x = canvas_textf(c, x + 2, a.y, ROLE_MARK, "b-a %s",
		words_length(buf, sizeof(buf), s->mark_ns[1] - s->mark_ns[0], s->units));
	x = canvas_textf(c, x + 2, a.y, ROLE_LABEL, "cpu%d:", s->cpu);
	for (int i = 0; i < t->nstates && to > from; i++)
		if (sum.time_ns[i] * 2000 >= to - from)
			x = canvas_textf(c, x + 1, a.y, theme_state(i), "%d:%.1f%%", i,
				100.0 * (double)sum.time_ns[i] / (double)(to - from));
	canvas_textf(c, x + 1, a.y, ROLE_LABEL, "above %llu below %llu", (unsigned long long)sum.above,
		(unsigned long long)sum.below);
}

static void draw_lost(const struct session *s, struct canvas *c, int x, int y)
{
	const struct trace *t = s->trace;
	char n[32];

	if (t->lost_events || t->lost_unknown)
		x = canvas_textf(c, x + 3, y, ROLE_HOLE, "lost %s%s events",
			words_count(n, sizeof(n), t->lost_events), t->lost_unknown ? "+" : "");
	if (t->bad_pages)
		canvas_textf(c, x + 3, y, ROLE_HOLE, "%llu damaged pages",
			(unsigned long long)t->bad_pages);
}

static void draw_window(const struct session *s, struct canvas *c, struct area a)
{
	int64_t origin = s->trace->origin_ns;
	int d = words_decimals(s->step_ns), x;
	char from[40], to[40], step[24], at[40];

	x = canvas_textf(c, a.x + 1, a.y, ROLE_TEXT, "%s … %s s (%s/col)",
		words_time(from, sizeof(from), s->from_ns - origin, d),
		words_time(to, sizeof(to), session_to(s) - origin, d),
		words_short(step, sizeof(step), s->step_ns));
	if (s->marked[0] && s->marked[1]) {
		draw_marker_sum(s, c, a, x);
		return;
	}
	x = canvas_textf(c, x + 3, a.y, ROLE_CURSOR, "▼ %s",
		words_time(at, sizeof(at), s->at_ns - origin, d > 3 ? d : 6));
	for (int i = 0; i < 2; i++)
		if (s->marked[i])
			x = canvas_textf(c, x + 3, a.y, ROLE_MARK, "%c %s  ▼-%c %s", "ab"[i],
				words_time(at, sizeof(at), s->mark_ns[i] - origin, d), "ab"[i],
				words_length(to, sizeof(to), s->at_ns - s->mark_ns[i], s->units));
	draw_lost(s, c, x, a.y);
}

static void draw_lane(const struct session *s, struct lane *l, int x, int lane, int rows)
{
	int cpu = cpulist_cpu(s, lane);
	bool here = cpu == s->cpu;

	lanes_fill(l, 0, cpu);
	canvas_textf(l->c, x, l->y, here ? ROLE_CURSOR : ROLE_LABEL, "%ccpu%d%s", here ? '>' : ' ', cpu,
		s->pinned[cpu] ? "*" : "");
	canvas_textf(l->c, x + 8, l->y, ROLE_DIM, "%3d%%", lanes_idle(l));
	lanes_states(l, 0, cpu);
	if (here)
		canvas_attr(l->c, l->x + session_column(s, s->at_ns), l->y, 1, ATTR_REVERSE);
	if (rows > 1) {
		l->y++;
		canvas_text(l->c, x + 6, l->y, ROLE_DIM, "miss");
		lanes_misses(l, 0, cpu);
	}
	if (rows > 2) {
		l->y++;
		canvas_text(l->c, x + 6, l->y, ROLE_DIM, "woke");
		lanes_wakes(l, 0, cpu);
	}
	l->y++;
}

static int lane_height(const struct session *s, int n, int rows)
{
	int h = s->height ? s->height : n * 3 <= rows ? 3 : 2;

	if (s->density == LANES_ONE || rows < 2)
		return 1;
	return h <= rows ? h : rows;
}

/* from the lane of the CPU that woke to the one that was woken, where both are seen */
static void draw_arrow(const struct state *st, const struct session *s, struct canvas *c, int visible)
{
	size_t i = session_period(s, 0);
	const struct period *p;
	int64_t at;
	int from, to, waker, x, dir;

	if (i == TIMELINE_NONE)
		return;
	p = &s->run[0]->tl.cpu[s->cpu].period[i];
	if (p->exit_ns - p->enter_ns < 2 * s->step_ns) /* too far away to tell what points where */
		return;
	waker = words_waker(s->trace, s->cpu, p, &at);
	if (waker < 0)
		return;
	x = session_column(s, at);
	from = cpulist_lane(s, waker) - s->top;
	to = cpulist_lane(s, s->cpu) - s->top;
	if (x < 0 || x >= s->ncols || from < 0 || from >= visible || to < 0)
		return;
	dir = to > from ? 1 : -1;
	x += LANE_LABEL + st->area.x;
	canvas_attr(c, x, st->lanes_y + from * st->lane_h, 1, ATTR_UNDERLINE | ATTR_BOLD);
	for (int y = st->lanes_y + from * st->lane_h + dir; y != st->lanes_y + to * st->lane_h; y += dir)
		canvas_put(c, x, y, y + dir == st->lanes_y + to * st->lane_h ? (dir > 0 ? GLYPH_DOWN : GLYPH_UP)
									      : GLYPH_VLINE, ROLE_MARK);
}

static void draw_lanes(struct state *st, struct session *s, struct lane *l, struct area a, int rows)
{
	int n = cpulist_count(s), h = lane_height(s, n, rows), visible = rows / h;

	cpulist_scroll(s, visible);
	st->lanes_y = l->y;
	st->lane_h = h;
	for (int i = s->top; i < n && i < s->top + visible; i++)
		draw_lane(s, l, a.x, i, h);
	draw_arrow(st, s, l->c, visible);
	if (n > visible && visible > 0)
		canvas_textf(l->c, a.x + 1, st->lanes_y - 1, ROLE_DIM, "%d-%d of %d", s->top + 1,
			s->top + visible < n ? s->top + visible : n, n);
}

static void draw_words(const struct session *s, struct canvas *c, struct area a, int lines)
{
	size_t i = session_period(s, 0);
	int x;

	if (i != TIMELINE_NONE) {
		words_period(s, 0, s->cpu, i, c, (struct area){a.x + 1, a.y, a.w - 1, lines});
		return;
	}
	x = canvas_textf(c, a.x + 1, a.y, ROLE_DIM, "cpu%d runs ", s->cpu);
	canvas_foreign(c, x, a.y, ROLE_TEXT, words_running(s->trace, s->cpu, s->at_ns), 16);
	if (lines > 1)
		canvas_textf(c, a.x + 1, a.y + 1, ROLE_DIM, "] goes to its next idle period, [ to the last");
}

static void draw(void *state, struct session *s, struct canvas *c, struct area a)
{
	struct state *st = state;
	struct lane l = {.c = c, .s = s, .x = a.x + LANE_LABEL, .y = a.y};
	int words = a.h < 9 ? 1 : a.h < 12 ? 2 : a.w >= 96 ? 3 : 6;

	st->area = a;
	l.ncols = lanes_room(s, &st->col, &st->cap, a.w - LANE_LABEL);
	l.col = st->col;
	if (a.h >= 13)
		draw_legend(s, c, (struct area){a.x, l.y++, a.w, 1});
	if (a.h >= 7)
		draw_window(s, c, (struct area){a.x, l.y++, a.w, 1});
	if (a.h >= 20)
		overview_draw(&st->overview, s, c, l.x, l.y++, l.ncols);
	lanes_axis(&l);
	l.y++;
	if (a.h >= 6) {
		lanes_marks(&l);
		l.y++;
	}
	a.h -= words + 1;
	if (s->density == LANES_GROUPS)
		lanes_groups(s, &l, a, a.y + a.h - l.y);
	else
		draw_lanes(st, s, &l, a, a.y + a.h - l.y);
	canvas_rule(c, a.y + a.h);
	draw_words(s, c, (struct area){a.x, a.y + a.h + 1, a.w, words}, words);
}

static bool command(void *state, struct session *s, enum command_id id, const char *arg)
{
	(void)state;
	if (id == CMD_OPEN) {
		if (s->density == LANES_GROUPS)
			return lanes_command(s, 0, CMD_LANES, "one");
		s->go = VIEW_EXPLAIN;
		return true;
	}
	return lanes_command(s, 0, id, arg);
}

static void click(void *state, struct session *s, int x, int y, bool release)
{
	struct state *st = state;
	int row = y + st->area.y - st->lanes_y, lane = st->lane_h ? s->top + row / st->lane_h : 0;

	if (x < LANE_LABEL || x >= LANE_LABEL + s->ncols)
		return;
	s->at_ns = s->from_ns + (x - LANE_LABEL) * s->step_ns;
	s->exact = false;
	if (!release) {
		st->press_x = x;
		if (s->density != LANES_GROUPS && row >= 0 && lane < cpulist_count(s))
			s->cpu = cpulist_cpu(s, lane);
	} else if (x != st->press_x) {
		s->mark_ns[0] = s->from_ns + (st->press_x - LANE_LABEL) * s->step_ns;
		s->mark_ns[1] = s->at_ns;
		s->marked[0] = s->marked[1] = true;
	}
}

static bool table(void *state, const struct session *s, struct table *out)
{
	(void)state;
	lanes_table(s, 0, out);
	return true;
}

const struct view_ops timeline_view = {
	.id = VIEW_TIMELINE,
	.size = sizeof(struct state),
	.hints = hints,
	.close = close_view,
	.draw = draw,
	.command = command,
	.table = table,
	.click = click,
};
