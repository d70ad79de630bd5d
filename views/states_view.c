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

/* an edited value is marked in letters too, for screens without colours */
static void draw_time(const struct session *s, struct canvas *c, int x1, int y, int64_t now, int64_t was)
{
	char buf[32];

	canvas_right(c, x1, y, now == was ? ROLE_TEXT : ROLE_MARK,
		words_length(buf, sizeof(buf), now, s->units));
	if (now != was)
		canvas_put(c, x1, y, '*', ROLE_MARK);
}

#define TIMEOUT_W 96 /* columns from which there is room for when a state gives up */

static int usage_x(struct area a)
{
	return a.w >= TIMEOUT_W ? a.x + 74 : a.x + 58;
}

/* how often each state was entered, as recorded and in the run that is compared: what an edit does */
static void draw_usage(const struct session *s, struct canvas *c, int x, int y, int i)
{
	char buf[32];

	if (i < machine_table(s->machine, s->cpu)->nstates)
		canvas_right(c, x + 9, y, ROLE_TEXT,
			words_count(buf, sizeof(buf), session_get(s, 0)->total[i].usage));
	if (s->right && session_ready(s, s->right))
		canvas_right(c, x + 20, y, ROLE_TEXT,
			words_count(buf, sizeof(buf), session_get(s, s->right)->total[i].usage));
	else if (s->right && s->right < s->nruns && !i)
		canvas_right(c, x + 20, y, ROLE_MARK, "...");
}

static void draw_row(const struct session *s, struct canvas *c, struct area a, int y, int i)
{
	const struct state_table *now = machine_table(&s->table, s->cpu);
	const struct state_table *was = machine_table(s->machine, s->cpu);
	const struct idle_state *n = &now->state[i], *w = i < was->nstates ? &was->state[i] : n;
	char timeout[32];
	int x = a.x;

	canvas_textf(c, x + 2, y, theme_state(i), "%d", i);
	canvas_foreign(c, x + 4, y, ROLE_TEXT, n->name, 14);
	draw_time(s, c, x + 28, y, n->exit_latency_ns, w->exit_latency_ns);
	draw_time(s, c, x + 40, y, n->target_residency_ns, w->target_residency_ns);
	canvas_text(c, x + 42, y, n->polling != w->polling ? ROLE_MARK : ROLE_DIM, n->polling ? "polls" : "");
	canvas_text(c, x + 48, y, n->disabled != w->disabled ? ROLE_MARK : ROLE_TEXT,
		n->disabled ? "disabled" : "");
	if (n->disabled != w->disabled)
		canvas_put(c, x + 56, y, '*', ROLE_MARK);
	table_timeout_text(n, timeout, sizeof(timeout));
	if (n->timeout != TIMEOUT_NONE && a.w >= TIMEOUT_W)
		canvas_text(c, x + 58, y, ROLE_DIM, timeout);
	draw_usage(s, c, usage_x(a), y, i);
}

static void draw_head(const struct session *s, struct canvas *c, struct area a)
{
	const struct state_table *now = machine_table(&s->table, s->cpu);
	int x = canvas_text(c, a.x + 1, a.y, ROLE_TEXT, "replays run on ");

	x = canvas_foreign(c, x, a.y, ROLE_HEADING, *now->id ? now->id : "the recorded table", 32);
	if (s->edited && !*now->id)
		x = canvas_text(c, x, a.y, ROLE_MARK, ", edited (*)");
	x = canvas_textf(c, x + 2, a.y, ROLE_DIM, "recorded machine: %s", machine_source_name(s->machine->source));
	canvas_foreign(c, x + 1, a.y, ROLE_DIM, s->machine->from, a.w - x - 2);
	canvas_text(c, a.x, a.y + 1, ROLE_HEADING, "  # name               exit      target  flags");
	if (a.w >= TIMEOUT_W)
		canvas_text(c, a.x + 58, a.y + 1, ROLE_HEADING, "gives up");
	canvas_right(c, usage_x(a) + 9, a.y + 1, ROLE_HEADING, "recorded");
	if (s->right && s->right < s->nruns)
		canvas_right(c, usage_x(a) + 20, a.y + 1, ROLE_HEADING, s->run[s->right]->name);
}

/* what the table's author has to say, on as many lines as there are below the states */
static void draw_note(struct canvas *c, struct area a, const char *note)
{
	for (int y = a.y; y < a.y + a.h && *note; y++) {
		size_t len = strlen(note), room = a.w > 8 ? (size_t)a.w - 4 : 4;

		if (len > room && y < a.y + a.h - 1)
			for (len = room; len > 1 && note[len] != ' ';)
				len--;
		canvas_textf(c, a.x + 2, y, ROLE_DIM, "%.*s", (int)(len > room ? room : len), note);
		note += len;
		note += strspn(note, " ");
	}
}

static void draw(void *state, struct session *s, struct canvas *c, struct area a)
{
	struct state *st = state;
	const struct state_table *now = machine_table(&s->table, s->cpu);
	int rows = a.h - 4, left = a.h - 4 - now->nstates;

	draw_head(s, c, a);
	rows_fit(&st->rows, (size_t)now->nstates, 2, rows);
	for (int i = 0; i < rows && (int)st->rows.top + i < now->nstates; i++) {
		draw_row(s, c, a, a.y + 2 + i, (int)st->rows.top + i);
		if ((int)st->rows.top + i == (int)st->rows.at)
			rows_cursor(c, a, a.y + 2 + i);
	}
	draw_note(c, (struct area){a.x, a.y + a.h - 1 - (left > 0 ? left : 1), a.w, left > 0 ? left : 1},
		now->note);
	canvas_text(c, a.x + 2, a.y + a.h - 1, ROLE_DIM,
		":set C6.latency=50  C6.residency=300  POLL.polling=off (us)  :table NAME|recorded");
}

/* what an edit has set going */
static void say_anew(struct session *s, const char *what)
{
	if (s->nruns > 1)
		session_say(s, false, "%s; %d %s made anew", what, s->nruns - 1,
			s->nruns > 2 ? "replays are" : "replay is");
	else
		session_say(s, false, "%s; A adds a replay on this table", what);
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
	say_anew(s, arg);
	return true;
}

static bool disable(struct session *s, int i, const char *arg)
{
	const struct state_table *t = machine_table(&s->table, s->cpu);
	struct error err;
	char name[16], what[60];

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
	snprintf(what, sizeof(what), "%.20s %s", t->state[i].name, t->state[i].disabled ? "disabled" : "enabled");
	say_anew(s, what);
	return true;
}

static bool command(void *state, struct session *s, enum command_id id, const char *arg)
{
	struct state *st = state;
	const struct state_table *t = machine_table(&s->table, s->cpu);

	switch (id) {
	case CMD_OPEN:
		snprintf(s->ask, sizeof(s->ask), "set %.30s.residency=%.0f", t->state[st->rows.at].name,
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
