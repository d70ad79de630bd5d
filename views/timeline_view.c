// SPDX-License-Identifier: GPL-2.0-or-later
/* Lanes of every CPU's idle states over time, and in words the period under the cursor. */
#include "views/cpulist.h"
#include "views/lanes.h"
#include "views/lanes_keys.h"
#include "views/overview.h"
#include "views/wake_arrow.h"
#include "views/window_sums.h"
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

static const struct hint hints[] = {{CMD_NEXT, CMD_PREVIOUS, "miss"}, {CMD_OPEN, CMD_NONE, "why"},
	{CMD_ZOOM_IN, CMD_ZOOM_OUT, "zoom"}, {CMD_LEFT, CMD_RIGHT, "pan"}, {CMD_PREV_IDLE, CMD_NEXT_IDLE, "idle"},
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

/* the misses come first: with many states the line ends before they do */
static int marker_sum(const struct session *s, struct canvas *c, int x, int y, int first, int last)
{
	int64_t from = min64(s->mark_ns[0], s->mark_ns[1]), to = max64(s->mark_ns[0], s->mark_ns[1]);
	const struct state_table *t = machine_table(s->machine, first);
	double room = (double)(to - from) * (last - first + 1);
	struct timeline_sum sum, all = {0};

	for (int cpu = first; cpu <= last; cpu++) {
		timeline_window(&s->run[0]->tl, cpu, from, to, &sum);
		all.above += sum.above;
		all.below += sum.below;
		all.wakes += sum.wakes;
		for (int i = 0; i < STATES_MAX; i++)
			all.time_ns[i] += sum.time_ns[i];
	}
	x = canvas_textf(c, x, y, ROLE_LABEL, "idle %.1f%% %llu wakes above %llu below %llu",
		room > 0 ? 100.0 * (double)timeline_idle_ns(&all) / room : 0, (unsigned long long)all.wakes,
		(unsigned long long)all.above, (unsigned long long)all.below);
	for (int i = 0; i < t->nstates && room > 0; i++)
		if ((double)all.time_ns[i] * 2000 >= room)
			x = canvas_textf(c, x + 1, y, theme_state(i), "%d:%.1f%%", i,
				100.0 * (double)all.time_ns[i] / room);
	return x;
}

static void draw_marker_sum(const struct session *s, struct canvas *c, struct area a, int x)
{
	char buf[32];

	x = canvas_textf(c, x + 2, a.y, ROLE_MARK, "b-a %s",
		words_length(buf, sizeof(buf), s->mark_ns[1] - s->mark_ns[0], s->units));
	x = canvas_textf(c, x + 2, a.y, ROLE_LABEL, "cpu%d ", s->cpu);
	marker_sum(s, c, x, a.y, s->cpu, s->cpu);
}

/* where the two markers are, and between them all CPUs together */
static void draw_all_sum(const struct session *s, struct canvas *c, struct area a)
{
	int d = words_decimals(s->step_ns), x = a.x + 1;
	char at[40];

	for (int i = 0; i < 2; i++)
		x = canvas_textf(c, x, a.y, ROLE_MARK, "%c %s", "ab"[i],
			words_time(at, sizeof(at), s->mark_ns[i] - s->trace->origin_ns, d > 3 ? d : 6)) + 2;
	x = canvas_text(c, x, a.y, ROLE_LABEL, "all cpus ");
	marker_sum(s, c, x, a.y, 0, s->trace->ncpus - 1);
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
		if (rows == 2)
			lanes_due(l, cpu);
		lanes_misses(l, 0, cpu);
	}
	if (rows > 2) {
		l->y++;
		canvas_text(l->c, x + 6, l->y, ROLE_DIM, "woke");
		lanes_due(l, cpu);
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

static void draw_lanes(struct state *st, struct session *s, struct lane *l, struct area a, int rows)
{
	int n = cpulist_count(s), h = lane_height(s, n, rows), step = h + (n * (h + 2) <= rows);
	int visible = rows / step;

	cpulist_scroll(s, visible);
	st->lanes_y = l->y;
	st->lane_h = step;
	for (int i = s->top; i < n && i < s->top + visible; i++) {
		l->y = st->lanes_y + (i - s->top) * step;
		draw_lane(s, l, a.x, i, h);
	}
	wake_arrow(s, l->c, &(struct lanes_place){l->x, st->lanes_y, step, visible < n - s->top ? visible : n - s->top});
	window_sums_draw(s, l->c, (struct area){a.x, l->y + 1, a.w, rows - (l->y + 1 - st->lanes_y)});
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
	bool many = s->density == LANES_GROUPS && a.h < 28; /* then rows are worth more than words */
	int words = a.h < 4 ? 1 : a.h < 12 ? 2 : a.w >= 96 ? 3 : many ? 2 : 6;
	bool rule = a.h >= 7; /* below that, every line is worth more than a line between */

	st->area = a;
	l.ncols = lanes_room(s, &st->col, &st->cap, a.w - LANE_LABEL);
	l.col = st->col;
	if (a.h >= 13)
		draw_legend(s, c, (struct area){a.x, l.y++, a.w, 1});
	if (a.h >= 7)
		draw_window(s, c, (struct area){a.x, l.y++, a.w, 1});
	if (a.h >= 16 && s->marked[0] && s->marked[1])
		draw_all_sum(s, c, (struct area){a.x, l.y++, a.w, 1});
	if (a.h >= 20)
		overview_draw(&st->overview, s, c, l.x, l.y++, l.ncols);
	lanes_axis(&l);
	l.y++;
	if (a.h >= 6) {
		lanes_marks(&l);
		l.y++;
	}
	a.h -= words + rule;
	if (s->density == LANES_GROUPS)
		lanes_groups(s, &l, a, a.y + a.h - l.y);
	else
		draw_lanes(st, s, &l, a, a.y + a.h - l.y);
	if (rule)
		canvas_rule(c, a.y + a.h);
	draw_words(s, c, (struct area){a.x, a.y + a.h + rule, a.w, words}, words);
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
	if (id == CMD_BY)
		return lanes_by(s, arg);
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
