// SPDX-License-Identifier: GPL-2.0-or-later
/* The idle-state table that replays run on, beside the recorded one; edits make the replays anew. */
#include "views/rows.h"
#include "views/words.h"

#include <string.h>

struct state {
	struct rows rows; /* first: rows_view_click() */
};

static const struct hint hints[] = {{CMD_DOWN, CMD_UP, "move"}, {CMD_OPEN, CMD_NONE, "edit"},
	{CMD_DISABLE, CMD_NONE, "disable"}, {CMD_WHATIF, CMD_NONE, "what-if"}, {CMD_EXPORT, CMD_NONE, "export"},
	{CMD_HELP, CMD_NONE, "help"}, {0}};

static void draw_time(const struct session *s, struct canvas *c, int x1, int y, int64_t now, int64_t was)
{
	char buf[32];

	canvas_right(c, x1, y, now == was ? ROLE_TEXT : ROLE_MARK,
		words_length(buf, sizeof(buf), now, s->units));
}

static void draw_row(const struct session *s, struct canvas *c, int x, int y, int i)
{
	const struct state_table *now = machine_table(&s->table, s->cpu);
	const struct state_table *was = machine_table(s->machine, s->cpu);
	const struct idle_state *n = &now->state[i], *w = i < was->nstates ? &was->state[i] : n;
	const struct run *run = session_get(s, 0);
	char timeout[32], buf[32];

	canvas_textf(c, x + 2, y, theme_state(i), "%d", i);
	canvas_foreign(c, x + 4, y, ROLE_TEXT, n->name, 14);
	draw_time(s, c, x + 30, y, n->exit_latency_ns, w->exit_latency_ns);
	draw_time(s, c, x + 43, y, n->target_residency_ns, w->target_residency_ns);
	canvas_text(c, x + 45, y, n->polling != w->polling ? ROLE_MARK : ROLE_DIM, n->polling ? "polls" : "");
	canvas_text(c, x + 51, y, n->disabled != w->disabled ? ROLE_MARK : ROLE_TEXT,
		n->disabled ? "disabled" : "");
	table_timeout_text(n, timeout, sizeof(timeout));
	if (n->timeout != TIMEOUT_NONE)
		canvas_text(c, x + 61, y, ROLE_DIM, timeout);
	canvas_right(c, x + 88, y, ROLE_DIM, words_count(buf, sizeof(buf), run->total[i].usage));
}

static void draw_head(const struct session *s, struct canvas *c, struct area a)
{
	const struct state_table *now = machine_table(&s->table, s->cpu);
	int x = canvas_text(c, a.x + 1, a.y, ROLE_TEXT, "replays run on ");

	x = canvas_foreign(c, x, a.y, ROLE_HEADING, *now->id ? now->id : "the recorded table", 32);
	x = canvas_textf(c, x + 2, a.y, ROLE_DIM, "recorded machine: %s", machine_source_name(s->machine->source));
	canvas_foreign(c, x + 1, a.y, ROLE_DIM, s->machine->from, 60);
	canvas_text(c, a.x, a.y + 1, ROLE_HEADING,
		"  # name                 exit       target  flags           gives up              recorded");
}

static void draw(void *state, struct session *s, struct canvas *c, struct area a)
{
	struct state *st = state;
	const struct state_table *now = machine_table(&s->table, s->cpu);
	int rows = a.h - 4;

	draw_head(s, c, a);
	rows_fit(&st->rows, (size_t)now->nstates, 2, rows);
	for (int i = 0; i < rows && (int)st->rows.top + i < now->nstates; i++) {
		draw_row(s, c, a.x, a.y + 2 + i, (int)st->rows.top + i);
		if ((int)st->rows.top + i == (int)st->rows.at)
			rows_cursor(c, a, a.y + 2 + i);
	}
	canvas_text(c, a.x + 2, a.y + a.h - 2, ROLE_DIM,
		":set C6.latency=50  :set C6.residency=300  :set POLL.polling=off    in us; X disables");
	if (*now->note)
		canvas_foreign(c, a.x + 2, a.y + a.h - 1, ROLE_DIM, now->note, a.w - 3);
}

static bool set(struct session *s, const char *arg)
{
	struct error err;

	if (!arg || machine_set(&s->table, arg, &err)) {
		session_say(s, true, "%s", arg ? err.text : "set what? e.g. :set C6.latency=50");
		return false;
	}
	s->edited = true;
	session_edited(s);
	session_say(s, false, "%s; %d replays are made anew", arg, s->nruns - 1);
	return true;
}

static bool disable(struct session *s, int i, const char *arg)
{
	const struct state_table *t = machine_table(&s->table, s->cpu);
	struct error err;
	char name[16];

	if (arg)
		i = machine_find_state(t, arg);
	if (i < 0 || i >= t->nstates) {
		session_say(s, true, "there is no state %s", arg);
		return false;
	}
	snprintf(name, sizeof(name), "%d", i);
	if (machine_set_disabled(&s->table, name, !t->state[i].disabled, &err)) {
		session_say(s, true, "%s", err.text);
		return false;
	}
	s->edited = true;
	session_edited(s);
	return true;
}

static bool command(void *state, struct session *s, enum command_id id, const char *arg)
{
	struct state *st = state;
	const struct state_table *t = machine_table(&s->table, s->cpu);

	switch (id) {
	case CMD_OPEN:
		snprintf(s->ask, sizeof(s->ask), "set %zu.residency=%.0f", st->rows.at,
			(double)t->state[st->rows.at].target_residency_ns / 1e3);
		return true;
	case CMD_SET:
		return set(s, arg);
	case CMD_DISABLE:
		return disable(s, (int)st->rows.at, arg);
	default:
		return rows_command(&st->rows, id);
	}
}

static bool table(void *state, const struct session *s, struct table *out)
{
	const struct state_table *t = machine_table(&s->table, s->cpu);

	(void)state;
	table_init(out, "%s  idle states that replays run on", s->file);
	table_column(out, "index", "", "index", 1, 0, COL_KEY);
	table_column(out, "name", "", "name", 1, 0, COL_LEFT | COL_KEY);
	table_column(out, "exit", "us", "exit_latency_ns", 1e3, 3, 0);
	table_column(out, "target", "us", "target_residency_ns", 1e3, 3, 0);
	table_column(out, "polling", "", "polling", 1, 0, 0);
	table_column(out, "disabled", "", "disabled", 1, 0, 0);
	for (int i = 0; i < t->nstates; i++) {
		table_int(out, i);
		table_text(out, "%s", t->state[i].name);
		table_int(out, t->state[i].exit_latency_ns);
		table_int(out, t->state[i].target_residency_ns);
		table_int(out, t->state[i].polling);
		table_int(out, t->state[i].disabled);
	}
	return true;
}

const struct view_ops states_view = {
	.id = VIEW_STATES,
	.size = sizeof(struct state),
	.hints = hints,
	.draw = draw,
	.command = command,
	.table = table,
	.click = rows_view_click,
};
