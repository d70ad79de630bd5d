// SPDX-License-Identifier: GPL-2.0-or-later
/* Who ends idle periods: timer functions, interrupts, other CPUs' tasks; crossed with states and misses. */
#include "src/wakes.h"
#include "views/lanes_keys.h"
#include "views/finder.h"
#include "views/rows.h"
#include "views/wake_list.h"
#include "views/words.h"

#include <string.h>

struct state {
	struct rows rows; /* first: rows_view_click() */
	struct wake_list list;
	char filter[240];
	bool one_cpu, begun;
	int cpu;
};

static const char *const sorts[] = {"count", "misses", "time"};

static const struct hint hints[] = {{CMD_DOWN, CMD_UP, "move"}, {CMD_OPEN, CMD_NONE, "its decisions"},
	{CMD_LANES, CMD_NONE, "cpus"}, {CMD_PREV_IDLE, CMD_NEXT_IDLE, "cpu"}, {CMD_SORT, CMD_NONE, "sort"},
	{CMD_FILTER, CMD_NONE, "filter"}, {CMD_FIND, CMD_NONE, "find"}, {CMD_EXPORT, CMD_NONE, "export"},
	{CMD_HELP, CMD_NONE, "help"}, {0}};

static void close_view(void *state)
{
	wake_list_free(&((struct state *)state)->list);
}

static void refresh(struct state *st, const struct session *s)
{
	int cpu = st->one_cpu ? s->cpu : -1;

	if (st->begun && st->cpu == cpu && !strcmp(st->filter, s->filter))
		return;
	st->begun = true;
	st->cpu = cpu;
	copy_text(st->filter, sizeof(st->filter), s->filter);
	wake_list_start(&st->list, s, cpu,
		*s->filter ? expr_compile(s->filter, period_fields, FIELD_COUNT, NULL, NULL) : NULL);
}

static bool work(void *state, struct session *s)
{
	struct state *st = state;

	refresh(st, s);
	return wake_list_work(&st->list, s);
}

/* columns that the sources get: what the states to the right of them leave */
static int source_width(int w, int nstates)
{
	int room = w - 56 - nstates * 4;

	return room > 25 ? 25 : room < 12 ? 12 : room;
}

static double share(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void draw_row(const struct state *st, const struct session *s, struct canvas *c, struct area a,
	const struct wake_row *r)
{
	const struct state_table *t = machine_table(s->machine, s->cpu);
	char buf[32];
	int x = a.x, source = source_width(a.w, t->nstates);

	canvas_text(c, x + 2, a.y, ROLE_LABEL, wake_kind_name((enum wake_kind)r->kind));
	canvas_foreign(c, x + 10, a.y, ROLE_TEXT, r->name ? trace_name(s->trace, r->name) : "-", source);
	x += source - 25;
	canvas_right(c, x + 45, a.y, ROLE_TEXT, words_count(buf, sizeof(buf), r->n));
	snprintf(buf, sizeof(buf), "%.1f", share(r->n, st->list.total));
	canvas_right(c, x + 52, a.y, ROLE_DIM, buf);
	canvas_right(c, x + 60, a.y, ROLE_TEXT,
		words_short(buf, sizeof(buf), r->n ? r->time_ns / (int64_t)r->n : 0));
	snprintf(buf, sizeof(buf), "%.1f", share(r->above, r->n));
	canvas_right(c, x + 67, a.y, r->above ? ROLE_ABOVE : ROLE_DIM, r->above ? buf : "–");
	snprintf(buf, sizeof(buf), "%.1f", share(r->below, r->n));
	canvas_right(c, x + 74, a.y, r->below ? ROLE_BELOW : ROLE_DIM, r->below ? buf : "–");
	for (int i = 0; i < t->nstates; i++) {
		double v = share(r->by_state[i], r->n);

		snprintf(buf, sizeof(buf), "%.0f", v);
		canvas_right(c, x + 79 + i * 4, a.y, r->by_state[i] ? theme_state(i) : ROLE_DIM,
			r->by_state[i] ? v < 0.5 ? "<1" : buf : "·");
	}
}

static void draw_head(const struct state *st, const struct session *s, struct canvas *c, struct area a)
{
	const struct state_table *t = machine_table(s->machine, s->cpu);
	char n[32];
	int x = canvas_textf(c, a.x + 1, a.y, ROLE_TEXT, "%s wake-ups of ",
		words_count(n, sizeof(n), st->list.total));

	x = st->one_cpu ? canvas_textf(c, x, a.y, ROLE_HEADING, "cpu%d", s->cpu)
			: canvas_text(c, x, a.y, ROLE_HEADING, "all cpus");
	canvas_textf(c, x + 3, a.y, ROLE_DIM, "sort: %s   above, below, states in %% of the row%s",
		sorts[st->list.sort], st->list.done ? "" : "   counting ...");
	canvas_text(c, a.x, a.y + 1, ROLE_HEADING, "  kind    source");
	x = a.x + source_width(a.w, t->nstates) - 25;
	canvas_text(c, x + 40, a.y + 1, ROLE_HEADING, "count      %   mean  above  below");
	for (int i = 0; i < t->nstates; i++)
		canvas_textf(c, x + 78 + i * 4, a.y + 1, theme_state(i), "%d", i);
}

static void draw(void *state, struct session *s, struct canvas *c, struct area a)
{
	struct state *st = state;
	int rows = a.h - 2;

	refresh(st, s);
	draw_head(st, s, c, a);
	rows_fit(&st->rows, st->list.n, 2, rows);
	for (int i = 0; i < rows && st->rows.top + (size_t)i < st->list.n; i++) {
		struct area line = {a.x, a.y + 2 + i, a.w, 1};

		draw_row(st, s, c, line, &st->list.row[st->rows.top + (size_t)i]);
		if (st->rows.top + (size_t)i == st->rows.at)
			rows_cursor(c, a, line.y);
	}
	if (st->list.done && !st->list.n)
		canvas_text(c, a.x + 2, a.y + 3, ROLE_NOTE, "no idle period fits");
}

/* the decisions behind a row, by way of the filter that all views share */
static bool open_row(struct state *st, struct session *s)
{
	const struct wake_row *r;
	char cpu[32] = "", name[120] = "";

	if (!st->list.n)
		return true;
	r = &st->list.row[st->rows.at];
	if (st->one_cpu)
		snprintf(cpu, sizeof(cpu), " && cpu == %d", s->cpu);
	if (r->name && !strpbrk(trace_name(s->trace, r->name), "\"\\"))
		snprintf(name, sizeof(name), " && waker == \"%.80s\"", trace_name(s->trace, r->name));
	snprintf(s->filter, sizeof(s->filter), "wake == %s%s%s", wake_kind_name((enum wake_kind)r->kind),
		name, cpu);
	s->go = VIEW_DECISIONS;
	return true;
}

static bool walk(struct state *st, struct session *s, int dir, bool from_here)
{
	struct finder f;
	size_t at = st->rows.at + (from_here ? 0 : (size_t)dir);

	finder_init(&f, s->find);
	for (; at < st->list.n; at += (size_t)dir)
		if (finder_text(&f, trace_name(s->trace, st->list.row[at].name)) ||
			finder_text(&f, wake_kind_name((enum wake_kind)st->list.row[at].kind))) {
			st->rows.at = at;
			return true;
		}
	session_say(s, false, "no further %s", s->find);
	return true;
}

static void next_cpu(struct state *st, struct session *s, int dir)
{
	if (st->one_cpu)
		s->cpu = (s->cpu + dir + s->trace->ncpus) % s->trace->ncpus;
	st->one_cpu = true;
}

static bool command(void *state, struct session *s, enum command_id id, const char *arg)
{
	struct state *st = state;

	switch (id) {
	case CMD_OPEN:
		return open_row(st, s);
	case CMD_LANES:
		st->one_cpu = !st->one_cpu;
		return true;
	case CMD_NEXT_IDLE:
	case CMD_PREV_IDLE:
		return next_cpu(st, s, id == CMD_NEXT_IDLE ? 1 : -1), true;
	case CMD_SORT:
		wake_list_sort(&st->list, (enum wake_sort)((st->list.sort + 1) % WAKE_SORTS));
		return true;
	case CMD_FILTER:
		return lanes_filter(s, arg);
	case CMD_FIND:
		copy_text(s->find, sizeof(s->find), arg);
		return walk(st, s, 1, true);
	case CMD_NEXT:
	case CMD_PREVIOUS:
		return walk(st, s, id == CMD_NEXT ? 1 : -1, false);
	default:
		return rows_command(&st->rows, id);
	}
}

static bool table(void *state, const struct session *s, struct table *out)
{
	struct state *st = state;
	const struct state_table *t = machine_table(s->machine, s->cpu);

	refresh(st, s);
	while (wake_list_work(&st->list, s))
		;
	table_init(out, "%s  what ended idle periods%s%s", s->file, *s->filter ? ", only " : "", s->filter);
	table_column(out, "kind", "", "kind", 1, 0, COL_LEFT | COL_KEY);
	table_column(out, "source", "", "source", 1, 0, COL_LEFT | COL_KEY);
	table_column(out, "count", "", "count", 1, 0, 0);
	table_column(out, "time", "ms", "time_ns", 1e6, 3, 0);
	table_column(out, "above", "", "above", 1, 0, 0);
	table_column(out, "below", "", "below", 1, 0, 0);
	for (int i = 0; i < t->nstates; i++)
		table_column(out, t->state[i].name, "", t->state[i].name, 1, 0, 0);
	for (size_t k = 0; k < st->list.n; k++) {
		const struct wake_row *r = &st->list.row[k];

		table_text(out, "%s", wake_kind_name((enum wake_kind)r->kind));
		table_text(out, "%s", trace_name(s->trace, r->name));
		table_int(out, (int64_t)r->n);
		table_int(out, r->time_ns);
		table_int(out, (int64_t)r->above);
		table_int(out, (int64_t)r->below);
		for (int i = 0; i < t->nstates; i++)
			table_int(out, (int64_t)r->by_state[i]);
	}
	return true;
}

const struct view_ops wakes_view = {
	.id = VIEW_WAKES,
	.size = sizeof(struct state),
	.hints = hints,
	.close = close_view,
	.draw = draw,
	.command = command,
	.table = table,
	.work = work,
	.click = rows_view_click,
};
