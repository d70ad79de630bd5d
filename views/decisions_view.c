// SPDX-License-Identifier: GPL-2.0-or-later
/* One row per decision: filter, sort, find; the log scale shows the kind of error before the numbers. */
#include "src/wakes.h"
#include "views/beliefs.h"
#include "views/decision_list.h"
#include "views/finder.h"
#include "views/lanes_keys.h"
#include "views/rows.h"
#include "views/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCALE 10 /* cells, 1 us .. 10 ms */
#define FAR_NS (1000000 * NSEC_PER_SEC) /* beyond this no timer is armed at all */

struct state {
	struct rows rows; /* first: rows_view_click() */
	struct decision_list list;
	char filter[240]; /* of the list as it is */
	bool believed;	  /* the list was sorted when predictions were there */
	bool placed;	  /* the cursor has followed the session's */
};

static const struct hint hints[] = {{CMD_DOWN, CMD_UP, "move"}, {CMD_OPEN, CMD_NONE, "show in timeline"},
	{CMD_EXPLAIN, CMD_NONE, "explain"}, {CMD_EVENTS, CMD_NONE, "events"}, {CMD_SORT, CMD_REVERSE, "sort"},
	{CMD_FILTER, CMD_NONE, "filter"}, {CMD_FIND, CMD_NONE, "find"}, {CMD_NEXT, CMD_PREVIOUS, "next"},
	{CMD_EXPORT, CMD_NONE, "export"}, {CMD_HELP, CMD_NONE, "help"}, {0}};

static void open_view(void *state, struct session *s)
{
	struct state *st = state;

	(void)s;
	st->list.sort = SORT_COST;
	decision_list_start(&st->list, NULL);
}

static void close_view(void *state)
{
	decision_list_free(&((struct state *)state)->list);
}

/* another view may have set the filter that all share; predictions may have come */
static void follow(struct state *st, const struct session *s)
{
	bool believed = s->beliefs.status == RUN_READY;
	bool resort = believed != st->believed && st->list.sort >= SORT_PREDICTED;

	st->believed = believed;
	if (!strcmp(st->filter, s->filter) && !resort)
		return;
	copy_text(st->filter, sizeof(st->filter), s->filter);
	decision_list_start(&st->list,
		*s->filter ? expr_compile(s->filter, period_fields, FIELD_COUNT, NULL, NULL) : NULL);
}

static bool work(void *state, struct session *s)
{
	struct state *st = state;

	beliefs_want(s);
	follow(st, s);
	return decision_list_work(&st->list, s);
}

static int scale_cell(int64_t ns)
{
	double v = log10((double)max64(ns, NSEC_PER_USEC) / 1e3) / 4 * SCALE;

	return v >= SCALE ? SCALE - 1 : (int)v;
}

/* p predicted, t next timer, a what came; = where the prediction, or else the timer, was right */
static void draw_scale(struct canvas *c, int x, int y, const struct decision *d, int64_t predicted,
	int64_t length_ns)
{
	int t = d ? scale_cell(d->sleep_ns) : -1, p = predicted >= 0 ? scale_cell(predicted) : -1;
	int a = scale_cell(length_ns);

	canvas_fill(c, x, y, SCALE, GLYPH_DOT, ROLE_DIM);
	if (t >= 0)
		canvas_put(c, x + t, y, 't', ROLE_DIM);
	if (p >= 0)
		canvas_put(c, x + p, y, 'p', ROLE_BAR);
	canvas_put(c, x + a, y, a == (p >= 0 ? p : t) ? '=' : 'a', ROLE_CURSOR);
}

static void draw_us(struct canvas *c, int x1, int y, enum role role, int64_t ns)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%.*f", ns > -10 * NSEC_PER_MSEC && ns < 10 * NSEC_PER_MSEC ? 1 : 0,
		(double)ns / 1e3);
	canvas_right(c, x1, y, role, buf);
}

static const char *ideal_name(const struct session *s, int cpu, const struct period *p)
{
	int ideal = words_ideal(s, 0, cpu, (size_t)(p - session_get(s, 0)->cpu[cpu].period));

	return ideal < 0 ? "-" : machine_table(s->machine, cpu)->state[ideal].name;
}

static void draw_verdict(const struct session *s, struct canvas *c, int x, int y, struct decision_item it,
	const struct period *p)
{
	struct period_ref ref = {session_get(s, 0), it.cpu, p};
	struct expr_value v = period_read(&ref, FIELD_VERDICT);
	enum role role = *v.text == 'a' ? ROLE_ABOVE : *v.text == 'b' ? ROLE_BELOW : ROLE_DIM;
	int64_t cost = period_cost_ns(&ref);

	canvas_foreign(c, x, y, ROLE_TEXT, ideal_name(s, it.cpu, p), 6);
	canvas_text(c, x + 7, y, role, v.text);
	if (cost)
		draw_us(c, x + 23, y, ROLE_TEXT, cost);
}

static void draw_predicted(struct canvas *c, int x1, int y, int64_t predicted)
{
	if (predicted >= 0)
		draw_us(c, x1, y, ROLE_TEXT, predicted);
	else
		canvas_right(c, x1, y, ROLE_DIM, predicted == GOV_EARLY ? "early" : "–");
}

#define NUMBER_W 96 /* columns from which there is room for the decision's number */
#define WAKE_W 116  /* and for what woke */
#define ERROR_W 140 /* and for the error of the prediction */

static void draw_wake(const struct session *s, struct canvas *c, struct area a, int x, int y,
	const struct period *p, int64_t predicted)
{
	int64_t error;

	if (a.w >= ERROR_W && beliefs_error(predicted, p, &error))
		draw_us(c, x + 10, y, ROLE_TEXT, error);
	if (a.w >= ERROR_W)
		x += 12;
	if (a.w < WAKE_W)
		return;
	canvas_text(c, x, y, ROLE_DIM, wake_kind_name((enum wake_kind)p->wake));
	canvas_foreign(c, x + 8, y, ROLE_TEXT, trace_name(s->trace, p->wake_name), a.x + a.w - x - 9);
}

static void draw_row(const struct session *s, struct canvas *c, struct area a, int y,
	struct decision_item it)
{
	int64_t predicted = s->decisions ? beliefs_get(s, it.cpu, it.i) : GOV_NO_LENGTH;
	const struct decision *d;
	const struct period *p;
	int x = a.x + (a.w >= NUMBER_W ? 8 : 0);
	char buf[40];

	decision_list_get(s, it, &d, &p);
	if (a.w >= NUMBER_W)
		canvas_textf(c, a.x, y, ROLE_DIM, "%8u", it.i);
	canvas_textf(c, x, y, ROLE_TEXT, "%4d", it.cpu);
	canvas_right(c, x + 16, y, ROLE_TEXT,
		words_time(buf, sizeof(buf), (p ? p->enter_ns : d->select_ns) - s->trace->origin_ns, 6));
	if (d && d->sleep_ns > FAR_NS)
		canvas_right(c, x + 26, y, ROLE_DIM, "none");
	else if (d)
		draw_us(c, x + 26, y, ROLE_TEXT, d->sleep_ns);
	draw_predicted(c, x + 36, y, predicted);
	if (!p) {
		canvas_text(c, x + 37, y, ROLE_DIM, "aborted: a task was waiting");
		return;
	}
	draw_us(c, x + 46, y, ROLE_TEXT, p->exit_ns - p->enter_ns);
	canvas_textf(c, x + 47, y, theme_state(p->state), "%d", p->state);
	canvas_foreign(c, x + 49, y, ROLE_TEXT, machine_table(s->machine, it.cpu)->state[p->state].name, 6);
	draw_verdict(s, c, x + 56, y, it, p);
	draw_scale(c, x + 81, y, d, predicted, p->exit_ns - p->enter_ns);
	draw_wake(s, c, a, x + 93, y, p, predicted);
}

static void draw_heads(struct canvas *c, struct area a, int y)
{
	int x = a.x + (a.w >= NUMBER_W ? 8 : 0);

	if (a.w >= NUMBER_W)
		canvas_right(c, x, y, ROLE_HEADING, "#");
	x = canvas_text(c, x, y, ROLE_HEADING,
		" cpu      time s  timer us   pred us   came us chosen   ideal  verdict cost us  1us…10ms  ");
	if (a.w >= ERROR_W)
		x = canvas_text(c, x, y, ROLE_HEADING, "   error us ");
	if (a.w >= WAKE_W)
		canvas_text(c, x + 2, y, ROLE_HEADING, "woken by");
}

static void draw_title(const struct state *st, const struct session *s, struct canvas *c, struct area a)
{
	char n[32], all[32];
	int x = canvas_textf(c, a.x + 1, a.y, ROLE_TEXT, "%s of %s %s",
		words_count(n, sizeof(n), st->list.n),
		words_count(all, sizeof(all), decision_list_total(s)),
		s->decisions ? "decisions" : "idle periods");

	x = canvas_textf(c, x + 3, a.y, ROLE_TEXT, "sort: %s, %s", decision_sort_name(st->list.sort),
		st->list.up ? "ascending" : "descending");
	if (!st->list.done)
		canvas_textf(c, x + 3, a.y, ROLE_MARK, "looking ...");
	else if (st->list.n > SORT_MAX && st->list.sort != SORT_CPU)
		canvas_textf(c, x + 3, a.y, ROLE_ALERT, "too many to sort: filter first");
	else if (a.w >= NUMBER_W)
		canvas_right(c, a.x + a.w - 1, a.y, ROLE_DIM, "p predicted  t timer  a came");
	draw_heads(c, a, a.y + 1);
}

static void draw_words(const struct state *st, const struct session *s, struct canvas *c, struct area a)
{
	const struct decision *d;
	const struct period *p;
	struct decision_item it;

	canvas_rule(c, a.y);
	if (!st->list.n)
		return;
	it = st->list.item[st->rows.at];
	decision_list_get(s, it, &d, &p);
	if (p)
		words_period(s, 0, it.cpu, (size_t)(p - session_get(s, 0)->cpu[it.cpu].period), c,
			(struct area){a.x + 1, a.y + 1, a.w - 1, a.h - 1});
}

static void draw(void *state, struct session *s, struct canvas *c, struct area a)
{
	struct state *st = state;
	int words = a.h < 12 ? 0 : a.w >= 96 ? 4 : 7, rows;

	follow(st, s);
	if (a.h < 16 && words > 4)
		words = 4;
	rows = a.h - 2 - words;
	draw_title(st, s, c, a);
	rows_fit(&st->rows, st->list.n, 2, rows);
	for (int i = 0; i < rows && st->rows.top + (size_t)i < st->list.n; i++) {
		draw_row(s, c, a, a.y + 2 + i, st->list.item[st->rows.top + (size_t)i]);
		if (st->rows.top + (size_t)i == st->rows.at)
			rows_cursor(c, a, a.y + 2 + i);
	}
	if (st->list.done && !st->list.n)
		canvas_text(c, a.x + 2, a.y + 3, ROLE_NOTE, "nothing fits the filter (& and Enter: all again)");
	if (words)
		draw_words(st, s, c, (struct area){a.x, a.y + a.h - words, a.w, words});
}

static void place(void *state, struct session *s)
{
	struct state *st = state;
	const struct decision *d;
	const struct period *p;
	struct decision_item it;

	if (!st->list.n)
		return;
	it = st->list.item[st->rows.at];
	decision_list_get(s, it, &d, &p);
	s->cpu = it.cpu;
	s->at_ns = p ? p->enter_ns : d->select_ns;
	s->exact = true;
	session_see(s);
}

static bool set_filter(struct state *st, struct session *s, const char *text)
{
	if (!lanes_filter(s, text)) /* the old list stays while one types */
		return false;
	follow(st, s);
	return true;
}

static bool set_sort(struct state *st, struct session *s, const char *arg)
{
	int how = arg ? SORTS : (st->list.sort + 1) % SORTS;

	for (int i = 0; arg && i < SORTS; i++)
		if (!strcmp(arg, decision_sort_name((enum decision_sort)i)))
			how = i;
	if (how == SORTS) {
		session_say(s, true, "sort by cpu, time, cost, length, timer, predicted or error");
		return false;
	}
	decision_list_sort(&st->list, (enum decision_sort)how, how == SORT_CPU || how == SORT_TIME);
	decision_list_start(&st->list, st->list.filter ? expr_compile(st->filter, period_fields,
		FIELD_COUNT, NULL, NULL) : NULL);
	st->rows.at = 0;
	session_say(s, false, "sort: %s", decision_sort_name((enum decision_sort)how));
	return true;
}

static bool reverse(struct state *st)
{
	decision_list_sort(&st->list, st->list.sort, !st->list.up);
	decision_list_start(&st->list, st->list.filter ? expr_compile(st->filter, period_fields,
		FIELD_COUNT, NULL, NULL) : NULL);
	return true;
}

static bool row_matches(const struct session *s, const struct finder *f, struct decision_item it)
{
	const struct decision *d;
	const struct period *p;

	decision_list_get(s, it, &d, &p);
	return p && finder_period(f, s, it.cpu, p);
}

/* without a find, n goes to the next miss */
static bool walk(struct state *st, struct session *s, int dir, bool from_here)
{
	struct finder f;
	size_t at = st->rows.at + (from_here ? 0 : (size_t)dir);

	finder_init(&f, s->find);
	for (; at < st->list.n; at += (size_t)dir)
		if (row_matches(s, &f, st->list.item[at])) {
			st->rows.at = at;
			return true;
		}
	session_say(s, false, "no further %s", *s->find ? s->find : "miss");
	return true;
}

static bool command(void *state, struct session *s, enum command_id id, const char *arg)
{
	struct state *st = state;

	switch (id) {
	case CMD_OPEN:
		place(st, s);
		s->go = VIEW_TIMELINE;
		return true;
	case CMD_FILTER:
		return set_filter(st, s, arg);
	case CMD_SORT:
		return set_sort(st, s, arg);
	case CMD_REVERSE:
		return reverse(st);
	case CMD_FIND:
		copy_text(s->find, sizeof(s->find), arg);
		return !*arg || walk(st, s, 1, true);
	case CMD_NEXT:
	case CMD_PREVIOUS:
		return walk(st, s, id == CMD_NEXT ? 1 : -1, false);
	default:
		return rows_command(&st->rows, id);
	}
}

static void table_row(const struct session *s, struct decision_item it, struct table *out)
{
	int64_t predicted = s->decisions ? beliefs_get(s, it.cpu, it.i) : GOV_NO_LENGTH, error;
	const struct decision *d;
	const struct period *p;
	struct period_ref ref;

	decision_list_get(s, it, &d, &p);
	ref = (struct period_ref){session_get(s, 0), it.cpu, p};
	table_int(out, it.cpu);
	table_int(out, (p ? p->enter_ns : d->select_ns) - s->trace->origin_ns);
	d ? table_int(out, d->sleep_ns) : table_none(out);
	predicted >= 0 ? table_int(out, predicted) : table_none(out);
	beliefs_error(predicted, p, &error) ? table_int(out, error) : table_none(out);
	if (!p) {
		for (int i = 0; i < 5; i++)
			table_none(out);
		table_text(out, "aborted");
		return;
	}
	table_int(out, p->exit_ns - p->enter_ns);
	table_text(out, "%s", machine_table(s->machine, it.cpu)->state[p->state].name);
	table_text(out, "%s", ideal_name(s, it.cpu, p));
	table_text(out, "%s", period_read(&ref, FIELD_VERDICT).text);
	table_int(out, period_cost_ns(&ref));
	table_text(out, "%s %s", wake_kind_name((enum wake_kind)p->wake),
		trace_name(s->trace, p->wake_name));
}

static bool table(void *state, const struct session *s, struct table *out)
{
	struct state *st = state;

	while (decision_list_work(&st->list, s))
		;
	table_init(out, "%s  %s%s  sort: %s", s->file, s->decisions ? "decisions" : "idle periods",
		*s->filter ? s->filter : "", decision_sort_name(st->list.sort));
	table_column(out, "cpu", "", "cpu", 1, 0, 0);
	table_column(out, "time", "s", "time_ns", 1e9, 6, 0);
	table_column(out, "timer", "us", "timer_ns", 1e3, 1, 0);
	table_column(out, "predicted", "us", "predicted_ns", 1e3, 1, 0);
	table_column(out, "error", "us", "error_ns", 1e3, 1, COL_SIGN);
	table_column(out, "came", "us", "length_ns", 1e3, 1, 0);
	table_column(out, "chosen", "", "state", 1, 0, COL_LEFT);
	table_column(out, "ideal", "", "ideal", 1, 0, COL_LEFT);
	table_column(out, "verdict", "", "verdict", 1, 0, COL_LEFT);
	table_column(out, "cost", "us", "cost_ns", 1e3, 1, 0);
	table_column(out, "woken by", "", "wake", 1, 0, COL_LEFT);
	for (size_t i = 0; i < st->list.n; i++)
		table_row(s, st->list.item[i], out);
	table_note(out, "cost: time short of the target (above) or beyond the ideal state's (below)");
	return true;
}

const struct view_ops decisions_view = {
	.id = VIEW_DECISIONS,
	.size = sizeof(struct state),
	.hints = hints,
	.open = open_view,
	.close = close_view,
	.draw = draw,
	.command = command,
	.table = table,
	.click = rows_view_click,
	.work = work,
	.place = place,
};
