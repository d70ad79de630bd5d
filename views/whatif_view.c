// SPDX-License-Identifier: GPL-2.0-or-later
/* Two runs of the same wakes: lanes one above the other with their difference, totals, list of changes. */
#include "views/cpulist.h"
#include "views/lanes_keys.h"
#include "views/selfcheck.h"
#include "views/whatif_list.h"
#include "views/whatif_states.h"
#include "views/whatif_totals.h"
#include "views/words.h"

#include <stdlib.h>
#include <string.h>

enum mode { MODE_LANES, MODE_BY_COST, MODE_BY_TIME, MODE_STATES, MODES };

struct state {
	struct timeline_sum *left, *right;
	int left_cap, right_cap;
	enum mode mode;
	struct whatif_list list;
	struct rows states;
	struct area area;
	int lanes_y, lane_h;
};

static const struct hint hints[] = {{CMD_NEXT, CMD_PREVIOUS, "change"}, {CMD_SORT, CMD_NONE, "list"},
	{CMD_OTHER, CMD_NONE, "other run"}, {CMD_ADD, CMD_NONE, "add run"}, {CMD_SWAP, CMD_NONE, "swap"},
	{CMD_ZOOM_IN, CMD_ZOOM_OUT, "zoom"}, {CMD_OPEN, CMD_NONE, "explain"},
	{CMD_EXPORT, CMD_NONE, "export"}, {CMD_HELP, CMD_NONE, "help"}, {0}};

/* nobody comes here to see one run twice: bring the other of the two common governors */
static void open_view(void *state, struct session *s)
{
	struct error err;
	bool menu = !strncmp(s->run[0]->name, "menu", 4);

	(void)state;
	if (s->nruns > 1 || s->loading)
		return;
	if (session_add(s, menu ? "teo" : "menu", &err) < 0)
		session_say(s, true, "%s", err.text);
	s->right = s->nruns - 1;
	if (s->right && s->sojourns && s->sojourns->alone)
		session_say(s, true, "only idle events: lanes show one reading, totals the least and the most");
}

static void close_view(void *state)
{
	struct state *st = state;

	free(st->left);
	free(st->right);
	whatif_list_free(&st->list);
}

static int draw_label(const struct session *s, struct canvas *c, int x, int y, int r)
{
	if (r == 0)
		return canvas_textf(c, x, y, ROLE_HEADING, "%s%s", s->run[0]->name,
			strcmp(s->run[0]->name, "recorded") ? " (recorded)" : "");
	return canvas_textf(c, x, y, ROLE_HEADING, "%s", session_get(s, r)->label);
}

static void draw_title(const struct session *s, struct canvas *c, struct area a)
{
	int x = draw_label(s, c, a.x + 1, a.y, s->left);

	x = canvas_text(c, x + 1, a.y, ROLE_DIM, "against");
	if (session_ready(s, s->right))
		x = draw_label(s, c, x + 1, a.y, s->right);
	else
		x = canvas_textf(c, x + 1, a.y, ROLE_HOLE, "%s %s", s->run[s->right]->spec,
			s->run[s->right]->status == RUN_FAILED ? "(failed)" : "(being replayed)");
	x = canvas_text(c, x + 2, a.y, ROLE_DIM, "wake times as recorded");
	if (session_ready(s, s->right) && s->right && x + 21 <= a.x + a.w)
		canvas_textf(c, x, a.y, ROLE_DIM, ", latencies: %s", session_get(s, s->right)->latency_model);
}

static void draw_place(const struct state *st, struct canvas *c, int x1, int y)
{
	char n[32], all[32], text[80];

	if (!whatif_list_count(&st->list))
		return;
	snprintf(text, sizeof(text), "change %s of %s", words_count(n, sizeof(n), st->list.rows.at + 1),
		words_count(all, sizeof(all), whatif_list_count(&st->list)));
	canvas_right(c, x1, y, ROLE_DIM, text);
}

static void draw_window(const struct session *s, struct canvas *c, struct area a)
{
	int64_t origin = s->trace->origin_ns;
	int d = words_decimals(s->step_ns);
	char from[40], to[40], step[24], at[40];

	canvas_textf(c, a.x + 1, a.y, ROLE_TEXT, "%s … %s s (%s/col)   ▼ %s",
		words_time(from, sizeof(from), s->from_ns - origin, d),
		words_time(to, sizeof(to), session_to(s) - origin, d),
		words_short(step, sizeof(step), s->step_ns),
		words_time(at, sizeof(at), s->at_ns - origin, 6));
}

static void lane_row(struct lane *l, int x, int run, int cpu, bool first)
{
	bool here = cpu == l->s->cpu && first;

	lanes_fill(l, run, cpu);
	if (first)
		canvas_textf(l->c, x, l->y, here ? ROLE_CURSOR : ROLE_LABEL, "%ccpu%d", here ? '>' : ' ', cpu);
	canvas_right(l->c, x + LANE_LABEL - 1, l->y, ROLE_DIM, "      ");
	canvas_textf(l->c, x + 7, l->y, ROLE_DIM, "%5.5s", l->s->run[run]->name);
	lanes_states(l, run, cpu);
	if (cpu == l->s->cpu)
		canvas_attr(l->c, l->x + session_column(l->s, l->s->at_ns), l->y, 1, ATTR_REVERSE);
	l->y++;
}

static void draw_cpu(struct state *st, const struct session *s, struct lane *l, int x, int cpu)
{
	struct lane right = *l;

	lane_row(l, x, s->left, cpu, true);
	if (!session_ready(s, s->right)) {
		l->y += 2;
		return;
	}
	right.col = st->right;
	right.y = l->y;
	lane_row(&right, x, s->right, cpu, false);
	l->y = right.y;
	canvas_text(l->c, x + 8, l->y, ROLE_DIM, "diff");
	lanes_diff(l, cpu, st->right);
	l->y++;
}

static void draw_lanes(struct state *st, struct session *s, struct lane *l, struct area a)
{
	int n = cpulist_count(s), rows = a.y + a.h - l->y, visible = rows / 3;

	cpulist_scroll(s, visible);
	st->lanes_y = l->y - st->area.y;
	st->lane_h = 3;
	canvas_clip(l->c, a.x, a.y, a.w, a.h);
	for (int i = s->top; i < n && i < s->top + (visible ? visible : 1); i++)
		draw_cpu(st, s, l, a.x, cpulist_cpu(s, i));
	canvas_unclip(l->c);
}

static int draw_choice(const struct session *s, struct canvas *c, int x, int y, int r)
{
	size_t i = session_ready(s, r) ? session_period(s, r) : TIMELINE_NONE;
	const struct timeline *tl = &s->run[r]->tl;
	char buf[32];
	enum verdict v;

	x = canvas_textf(c, x, y, ROLE_DIM, "%s ", s->run[r]->name);
	if (i == TIMELINE_NONE)
		return canvas_text(c, x, y, ROLE_RUNNING, "running");
	v = timeline_verdict(tl, s->cpu, i);
	x = canvas_textf(c, x, y, theme_state(tl->cpu[s->cpu].period[i].state), "%d ",
		tl->cpu[s->cpu].period[i].state);
	x = canvas_foreign(c, x, y, ROLE_HEADING,
		tl->cpu[s->cpu].table->state[tl->cpu[s->cpu].period[i].state].name, 16);
	x = canvas_textf(c, x + 1, y, ROLE_TEXT, "%s",
		words_length(buf, sizeof(buf),
			tl->cpu[s->cpu].period[i].exit_ns - tl->cpu[s->cpu].period[i].enter_ns, s->units));
	if (v == VERDICT_ABOVE || v == VERDICT_BELOW)
		x = canvas_textf(c, x + 1, y, v == VERDICT_ABOVE ? ROLE_ABOVE : ROLE_BELOW, "%s by %s",
			v == VERDICT_ABOVE ? "ABOVE" : "BELOW",
			words_length(buf, sizeof(buf), timeline_cost(tl, s->cpu, i), s->units));
	return x;
}

static void draw_cursor_words(const struct session *s, struct canvas *c, struct area a)
{
	int x = canvas_textf(c, a.x + 1, a.y, ROLE_TEXT, "cpu%d  ", s->cpu);

	x = draw_choice(s, c, x, a.y, s->left);
	draw_choice(s, c, x + 3, a.y, s->right);
}

static int totals_height(struct area a)
{
	return a.h >= 34 ? 12 : a.h >= 20 ? 9 : a.h >= 14 ? 6 : a.h >= 11 ? 4 : 0;
}

static void draw(void *state, struct session *s, struct canvas *c, struct area a)
{
	struct state *st = state;
	struct lane l = {.c = c, .s = s, .x = a.x + LANE_LABEL, .y = a.y};
	int totals = totals_height(a);
	bool states = st->mode == MODE_STATES && session_ready(s, s->right);

	st->area = a;
	if (s->nruns < 2) {
		canvas_text(c, a.x + 2, a.y + 1, ROLE_NOTE,
			s->loading ? "what replays need is still being read"
				   : "no second run: A adds one, e.g. menu@6.12  teo  ladder  oracle");
		return;
	}
	whatif_list_update(&st->list, s, st->mode == MODE_BY_COST);
	l.ncols = lanes_room(s, &st->left, &st->left_cap, a.w - LANE_LABEL);
	lanes_room(s, &st->right, &st->right_cap, a.w - LANE_LABEL);
	l.col = st->left;
	draw_title(s, c, (struct area){a.x, l.y++, a.w, 1});
	if (states) {
		whatif_states_draw(s, &st->states, c, (struct area){a.x, l.y, a.w, a.h - 1});
		return;
	}
	a.h -= totals ? totals + 2 : 1;
	if (st->mode == MODE_BY_COST || st->mode == MODE_BY_TIME) {
		whatif_list_draw(&st->list, s, c, (struct area){a.x, l.y, a.w, a.y + a.h - l.y});
	} else {
		if (a.h >= 8)
			draw_window(s, c, (struct area){a.x, l.y, a.w, 1});
		if (a.h >= 8)
			draw_place(st, c, a.x + a.w - 1, l.y++);
		lanes_axis(&l);
		l.y++;
		if (a.h >= 6) {
			lanes_marks(&l);
			l.y++;
		}
		draw_lanes(st, s, &l, a);
	}
	draw_cursor_words(s, c, (struct area){a.x, a.y + a.h, a.w, 1});
	if (!totals)
		return;
	canvas_rule(c, a.y + a.h + 1);
	totals_draw(s, c, (struct area){a.x, a.y + a.h + 2, a.w, totals});
}

static void swap(struct session *s)
{
	int left = s->left;

	s->left = s->right;
	s->right = left;
}

static bool open_row(struct state *st, struct session *s)
{
	if (st->mode == MODE_LANES) {
		s->go = VIEW_EXPLAIN;
	} else if (st->mode == MODE_STATES) {
		st->mode = MODE_LANES;
	} else if (whatif_list_count(&st->list)) {
		whatif_list_goto(&st->list, s);
		st->mode = MODE_LANES;
	}
	return true;
}

static bool walk(struct state *st, struct session *s, int dir)
{
	if (!whatif_list_step(&st->list, s, dir))
		session_say(s, false, whatif_list_count(&st->list) ? "no further change" : "no change at all");
	return true;
}

static bool work(void *state, struct session *s)
{
	(void)state;
	if (session_ready(s, s->right) && s->nruns > 1)
		selfcheck_want(s);
	return false;
}

static bool command(void *state, struct session *s, enum command_id id, const char *arg)
{
	static const char *const modes[] = {"lanes", "changes, the costliest first",
		"changes in order of time", "state by state"};
	struct state *st = state;

	switch (id) {
	case CMD_SORT:
		st->mode = (enum mode)((st->mode + 1) % MODES);
		session_say(s, false, "%s", modes[st->mode]);
		return true;
	case CMD_SWAP:
		return swap(s), true;
	case CMD_OPEN:
		return open_row(st, s);
	case CMD_NEXT:
	case CMD_PREVIOUS:
		return walk(st, s, id == CMD_NEXT ? 1 : -1);
	default:
		break;
	}
	if (st->mode == MODE_STATES)
		return rows_command(&st->states, id);
	if (st->mode != MODE_LANES)
		return rows_command(&st->list.rows, id);
	return lanes_command(s, s->left, id, arg);
}

static bool table(void *state, const struct session *s, struct table *out)
{
	struct state *st = state;

	if (s->nruns < 2 || !session_ready(s, s->right))
		return false;
	if (st->mode == MODE_LANES || st->mode == MODE_STATES) {
		st->mode == MODE_LANES ? totals_table(s, out) : whatif_states_table(s, out);
		return true;
	}
	whatif_list_update(&st->list, s, st->mode == MODE_BY_COST);
	whatif_list_table(&st->list, s, out);
	return true;
}

static void click(void *state, struct session *s, int x, int y, bool release)
{
	struct state *st = state;
	int lane = s->top + (y - st->lanes_y) / 3;

	if (release)
		return;
	if (st->mode == MODE_STATES)
		return;
	if (st->mode != MODE_LANES) {
		rows_click(&st->list.rows, y - 1);
	} else if (x >= LANE_LABEL && x < LANE_LABEL + s->ncols && y >= st->lanes_y) {
		s->at_ns = s->from_ns + (x - LANE_LABEL) * s->step_ns;
		s->exact = false;
		if (lane < cpulist_count(s))
			s->cpu = cpulist_cpu(s, lane);
	}
}

const struct view_ops whatif_view = {
	.id = VIEW_WHATIF,
	.size = sizeof(struct state),
	.hints = hints,
	.open = open_view,
	.close = close_view,
	.draw = draw,
	.command = command,
	.table = table,
	.click = click,
	.work = work,
};
