// SPDX-License-Identifier: GPL-2.0-or-later
/* The recording and every replay of it: what they run, how far they are, what came out. */
#include "views/rows.h"
#include "views/whatif_totals.h"
#include "views/words.h"

#include <string.h>

struct state {
	struct rows rows; /* first: rows_view_click() */
};

static const struct hint hints[] = {{CMD_DOWN, CMD_UP, "move"}, {CMD_OPEN, CMD_NONE, "compare"},
	{CMD_ADD, CMD_NONE, "add a run"}, {CMD_REMOVE, CMD_NONE, "remove"},
	{CMD_STATES, CMD_NONE, "edit table"}, {CMD_STOP, CMD_NONE, "stop"},
	{CMD_EXPORT, CMD_NONE, "export"}, {CMD_HELP, CMD_NONE, "help"}, {0}};

static const char *status(const struct session *s, int i, char *buf, size_t size)
{
	switch (s->run[i]->status) {
	case RUN_QUEUED:
		return "waits";
	case RUN_RUNNING:
		return "replaying";
	case RUN_FAILED:
		snprintf(buf, size, "failed: %s", s->run[i]->error);
		return buf;
	default:
		return i ? "" : "recorded";
	}
}

struct sums {
	uint64_t usage, above, below;
};

static struct sums sums_of(const struct run *r)
{
	struct sums t = {0};

	for (int i = 0; i < STATES_MAX; i++) {
		t.usage += r->total[i].usage;
		t.above += r->total[i].above;
		t.below += r->total[i].below;
	}
	return t;
}

static void draw_figures(const struct session *s, struct canvas *c, int x, int y, int i)
{
	const struct run *r = session_get(s, i);
	struct sums t = sums_of(r);
	char buf[40];

	canvas_right(c, x + 9, y, ROLE_TEXT, words_count(buf, sizeof(buf), t.usage));
	snprintf(buf, sizeof(buf), "%.1f%%", t.usage ? 100.0 * (double)t.above / (double)t.usage : 0);
	canvas_right(c, x + 17, y, ROLE_ABOVE, buf);
	snprintf(buf, sizeof(buf), "%.1f%%", t.usage ? 100.0 * (double)t.below / (double)t.usage : 0);
	canvas_right(c, x + 25, y, ROLE_BELOW, buf);
	canvas_right(c, x + 35, y, ROLE_TEXT,
		!i && !r->wake_latency.known ? "–" : words_length(buf, sizeof(buf), r->latency_paid_ns, UNITS_AUTO));
	canvas_right(c, x + 45, y, ROLE_TEXT,
		r->wake_latency.known ? words_length(buf, sizeof(buf), r->wake_latency.p99_ns, UNITS_AUTO) : "–");
}

static void draw_row(const struct session *s, struct canvas *c, struct area a, int i)
{
	const struct session_run *r = s->run[i];
	char buf[260], limit[32];
	int x = a.x + 2, wide = a.w >= 96 ? 40 : a.w - 56 < 12 ? 12 : a.w - 56;

	canvas_textf(c, x, a.y, ROLE_DIM, "%2d%s", i, i == s->left ? "L" : i == s->right ? "R" : "");
	canvas_foreign(c, x + 4, a.y, ROLE_TEXT,
		r->named || !session_ready(s, i) ? (i ? (r->named ? r->name : r->spec) : r->name)
						 : i ? session_get(s, i)->label : r->name, wide - 1);
	if (session_ready(s, i)) {
		draw_figures(s, c, x + 4 + wide, a.y, i);
		x += 4 + wide + 47;
		if (i)
			canvas_foreign(c, x, a.y, ROLE_DIM, session_get(s, i)->table, 12);
		if (r->limit_ns >= 0)
			canvas_textf(c, x + 12, a.y, ROLE_DIM, "limit %s",
				words_short(limit, sizeof(limit), r->limit_ns));
		return;
	}
	canvas_foreign(c, x + 4 + wide, a.y, r->status == RUN_FAILED ? ROLE_ALERT : ROLE_MARK,
		status(s, i, buf, sizeof(buf)), a.w - wide - 8);
}

static void draw(void *state, struct session *s, struct canvas *c, struct area a)
{
	struct state *st = state;
	int wide = a.w >= 96 ? 40 : a.w - 56 < 12 ? 12 : a.w - 56, rows = a.h - 2;

	canvas_text(c, a.x + 2, a.y, ROLE_HEADING, " #  run");
	canvas_text(c, a.x + 6 + wide, a.y, ROLE_HEADING,
		"  periods   above   below   lat.paid  lat. p99  table");
	rows_fit(&st->rows, (size_t)s->nruns, 1, rows);
	for (int i = 0; i < rows && (int)st->rows.top + i < s->nruns; i++) {
		draw_row(s, c, (struct area){a.x, a.y + 1 + i, a.w, 1}, (int)st->rows.top + i);
		if ((int)st->rows.top + i == (int)st->rows.at)
			rows_cursor(c, a, a.y + 1 + i);
	}
	canvas_text(c, a.x + 2, a.y + a.h - 1, ROLE_DIM,
		"A: menu@6.1  teo:param=value  ladder  oracle  ./my.c     L R: the two compared");
}

static bool rename_run(struct session *s, int i, const char *arg)
{
	if (!arg || !*arg) {
		snprintf(s->ask, sizeof(s->ask), "rename ");
		return true;
	}
	copy_text(s->run[i]->name, sizeof(s->run[i]->name), arg);
	s->run[i]->named = true;
	return true;
}

static bool command(void *state, struct session *s, enum command_id id, const char *arg)
{
	struct state *st = state;
	int i = (int)st->rows.at;

	switch (id) {
	case CMD_OPEN:
		if (i != s->left)
			s->right = i;
		s->go = VIEW_WHATIF;
		return true;
	case CMD_REMOVE:
		if (!i)
			session_say(s, true, "the recording stays");
		else if (s->run[i]->status == RUN_RUNNING)
			session_say(s, true, "it is being replayed: ^C stops it");
		session_remove(s, i);
		return true;
	case CMD_RENAME:
		return rename_run(s, i, arg);
	default:
		return rows_command(&st->rows, id);
	}
}

static bool table(void *state, const struct session *s, struct table *out)
{
	(void)state;
	table_init(out, "%s  runs", s->file);
	table_column(out, "run", "", "run", 1, 0, COL_LEFT | COL_KEY);
	table_column(out, "periods", "", "periods", 1, 0, 0);
	table_column(out, "above", "", "above", 1, 0, 0);
	table_column(out, "below", "", "below", 1, 0, 0);
	table_column(out, "lat.paid", "ms", "latency_paid_ns", 1e6, 3, 0);
	table_column(out, "lat.p99", "us", "wake_latency_p99_ns", 1e3, 1, 0);
	for (int i = 0; i < s->nruns; i++) {
		const struct run *r = session_ready(s, i) ? session_get(s, i) : NULL;
		struct sums t = r ? sums_of(r) : (struct sums){0};

		if (!r)
			continue;
		table_text(out, "%s", i ? r->label : s->run[0]->name);
		table_int(out, (int64_t)t.usage);
		table_int(out, (int64_t)t.above);
		table_int(out, (int64_t)t.below);
		i || r->wake_latency.known ? table_int(out, r->latency_paid_ns) : table_none(out);
		r->wake_latency.known ? table_int(out, r->wake_latency.p99_ns) : table_none(out);
	}
	return true;
}

const struct view_ops runs_view = {
	.id = VIEW_RUNS,
	.size = sizeof(struct state),
	.hints = hints,
	.draw = draw,
	.command = command,
	.table = table,
	.click = rows_view_click,
};
