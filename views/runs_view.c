// SPDX-License-Identifier: GPL-2.0-or-later
/* The recording and every replay of it: what they run, how far they are, what came out. */
#include "views/rows.h"
#include "views/whatif_totals.h"
#include "views/words.h"

#include <string.h>

struct state {
	struct rows rows; /* first: rows_view_click() */
	bool placed;	  /* the cursor began at this recording */
};

static const struct hint hints[] = {{CMD_DOWN, CMD_UP, "move"}, {CMD_OPEN, CMD_NONE, "compare"},
	{CMD_ADD, CMD_NONE, "add a run"}, {CMD_REMOVE, CMD_NONE, "remove"},
	{CMD_STATES, CMD_NONE, "edit table"}, {CMD_STOP, CMD_NONE, "stop"},
	{CMD_EXPORT, CMD_NONE, "export"}, {CMD_HELP, CMD_NONE, "help"}, {0}};

/* a row is a run of one of the recordings; one that is not read yet has a row too */
struct row {
	struct session *s;
	int recording, run; /* run -1: the recording is not there */
};

static int rows_of(const struct session *p)
{
	return p->nruns ? p->nruns : 1;
}

static int count_rows(const struct session *s)
{
	int n = 0;

	for (int k = 0; k < s->npeers; k++)
		n += rows_of(s->peer[k]);
	return n;
}

static struct row row_at(const struct session *s, size_t at)
{
	int k = 0, i = (int)at;

	for (; k < s->npeers - 1 && i >= rows_of(s->peer[k]); k++)
		i -= rows_of(s->peer[k]);
	return (struct row){s->peer[k], k, s->peer[k]->nruns ? i : -1};
}

/* the rows of a recording begin there */
static size_t first_row(const struct session *s)
{
	size_t n = 0;

	for (int k = 0; k < s->self; k++)
		n += (size_t)rows_of(s->peer[k]);
	return n;
}

static const char *status(const struct session *s, int i, char *buf, size_t size)
{
	switch (i < 0 ? RUN_IDLE : s->run[i]->status) {
	case RUN_QUEUED:
		return "waits";
	case RUN_RUNNING:
		snprintf(buf, size, "replaying %d %%", s->percent < 0 ? 0 : s->percent);
		return buf;
	case RUN_FAILED:
		snprintf(buf, size, "failed: %s", s->run[i]->error);
		return buf;
	default:
		break;
	}
	if (i >= 0 || s->percent < 0)
		return "waits";
	snprintf(buf, size, "loading %d %%", s->percent);
	return buf;
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

static void run_name(const struct session *s, int i, char *buf, size_t size)
{
	const struct session_run *r = i < 0 ? NULL : s->run[i];

	if (i > 0 && !r->named)
		copy_text(buf, size, session_ready(s, i) ? session_get(s, i)->label : r->spec);
	else if (i > 0 || s->npeers == 1)
		copy_text(buf, size, r ? r->name : s->file);
	else
		snprintf(buf, size, "%s%s%s", s->file, r ? "  " : "", r ? r->name : "");
}

/* columns for the names */
static int name_width(struct area a)
{
	if (a.w >= 132)
		return 64;
	return a.w >= 92 ? a.w - 68 : a.w - 56 < 12 ? 12 : a.w - 56;
}

static void draw_number(const struct session *s, const struct row *row, struct canvas *c, int x, int y)
{
	const char *side = row->s != s || row->run < 0 ? ""
			   : row->run == s->left       ? "L"
			   : row->run == s->right      ? "R"
						       : "";

	if (s->npeers == 1)
		canvas_textf(c, x, y, ROLE_DIM, "%2d%s", row->run, side);
	else if (row->run <= 0)
		canvas_textf(c, x, y, ROLE_HEADING, "%d%s", row->recording + 1, side);
	else
		canvas_textf(c, x, y, ROLE_DIM, " %2d%s", row->run, side);
}

static void draw_row(const struct session *s, struct canvas *c, struct area a, size_t at)
{
	struct row row = row_at(s, at);
	const struct session_run *r = row.run < 0 ? NULL : row.s->run[row.run];
	char buf[260], limit[32];
	int x = a.x + 2 + (s->npeers > 1), wide = name_width(a) - (s->npeers > 1);

	draw_number(s, &row, c, a.x + 2, a.y);
	if (!r && *row.s->trouble) {
		canvas_foreign(c, x + 4, a.y, ROLE_ALERT, row.s->trouble, a.w - 8);
		return;
	}
	run_name(row.s, row.run, buf, sizeof(buf));
	canvas_foreign(c, x + 4, a.y, ROLE_TEXT, buf, wide - 1);
	if (!r || r->status != RUN_READY) {
		canvas_foreign(c, x + 4 + wide, a.y, r && r->status == RUN_FAILED ? ROLE_ALERT : ROLE_MARK,
			status(row.s, row.run, buf, sizeof(buf)), a.w - wide - 7);
		return;
	}
	draw_figures(row.s, c, x + 4 + wide, a.y, row.run);
	x += 4 + wide + 47;
	if (a.w < 92)
		return;
	if (row.run)
		x = canvas_foreign(c, x, a.y, ROLE_DIM, session_get(row.s, row.run)->table, 12);
	if (r->limit_ns >= 0)
		canvas_textf(c, x + 1, a.y, ROLE_DIM, "<=%s", words_short(limit, sizeof(limit), r->limit_ns));
}

static void draw(void *state, struct session *s, struct canvas *c, struct area a)
{
	struct state *st = state;
	int n = count_rows(s), rows = a.h - 2;

	if (!st->placed)
		st->rows.at = first_row(s);
	st->placed = true;
	canvas_text(c, a.x + 2, a.y, ROLE_HEADING, s->npeers > 1 ? " #  recording, run" : " #  run");
	canvas_text(c, a.x + 6 + name_width(a), a.y, ROLE_HEADING,
		a.w >= 92 ? "  periods   above   below   lat.paid  lat. p99  table" :
			    "  periods   above   below   lat.paid  lat. p99");
	rows_fit(&st->rows, (size_t)n, 1, rows);
	for (int i = 0; i < rows && (int)st->rows.top + i < n; i++) {
		draw_row(s, c, (struct area){a.x, a.y + 1 + i, a.w, 1}, st->rows.top + (size_t)i);
		if ((int)st->rows.top + i == (int)st->rows.at)
			rows_cursor(c, a, a.y + 1 + i);
	}
	canvas_text(c, a.x + 2, a.y + a.h - 1, ROLE_DIM,
		s->npeers > 1 ? "A: menu@6.1  teo:param=value  oracle  ./my.c   Enter, { }: to that recording" :
		"A: menu@6.1  teo:param=value  ladder  oracle  ./my.c     L R: the two compared");
}

static bool open_row(struct session *s, struct row row)
{
	if (row.recording != s->self)
		s->go_recording = row.recording;
	if (row.run > 0 || row.recording == s->self) {
		if (row.run != row.s->left)
			row.s->right = row.run;
		s->go = VIEW_WHATIF;
	} else {
		s->go = VIEW_TIMELINE;
	}
	return true;
}

static bool remove_run(struct session *s, struct row row)
{
	if (row.run <= 0)
		session_say(s, true, "the recording stays");
	else if (row.s->run[row.run]->status == RUN_RUNNING)
		session_say(s, true, "it is being replayed: ^C stops it");
	else
		session_remove(row.s, row.run);
	return true;
}

/* one that was stopped, or failed for a reason that is gone */
static bool run_again(struct session *s, struct row row)
{
	if (row.run < 1 || row.s->run[row.run]->status != RUN_FAILED) {
		session_say(s, false, "nothing to run again: r is for runs that failed or were stopped");
		return true;
	}
	*row.s->run[row.run]->error = '\0';
	row.s->run[row.run]->status = RUN_QUEUED;
	return true;
}

static bool rename_run(struct session *s, struct row row, const char *arg)
{
	if (row.run < 0) {
		session_say(s, true, "it is not read yet");
		return false;
	}
	if (!arg || !*arg) {
		snprintf(s->ask, sizeof(s->ask), "rename ");
		return true;
	}
	copy_text(row.s->run[row.run]->name, sizeof(row.s->run[row.run]->name), arg);
	row.s->run[row.run]->named = true;
	return true;
}

static bool command(void *state, struct session *s, enum command_id id, const char *arg)
{
	struct state *st = state;
	struct row row = row_at(s, st->rows.at);

	switch (id) {
	case CMD_OPEN:
		return open_row(s, row);
	case CMD_REMOVE:
		return remove_run(s, row);
	case CMD_RUN:
		return run_again(s, row);
	case CMD_RENAME:
		return rename_run(s, row, arg);
	default:
		return rows_command(&st->rows, id);
	}
}

static void table_row(const struct session *s, int i, struct table *out)
{
	const struct run *r = session_get(s, i);
	struct sums t = sums_of(r);

	if (s->npeers > 1)
		table_text(out, "%s", s->file);
	table_text(out, "%s", i && !s->run[i]->named ? r->label : s->run[i]->name);
	table_int(out, (int64_t)t.usage);
	table_int(out, (int64_t)t.above);
	table_int(out, (int64_t)t.below);
	i || r->wake_latency.known ? table_int(out, r->latency_paid_ns) : table_none(out);
	r->wake_latency.known ? table_int(out, r->wake_latency.p99_ns) : table_none(out);
}

static bool table(void *state, const struct session *s, struct table *out)
{
	(void)state;
	table_init(out, "%s  runs", s->npeers > 1 ? "all recordings" : s->file);
	if (s->npeers > 1)
		table_column(out, "recording", "", "recording", 1, 0, COL_LEFT | COL_KEY);
	table_column(out, "run", "", "run", 1, 0, COL_LEFT | COL_KEY);
	table_column(out, "periods", "", "periods", 1, 0, 0);
	table_column(out, "above", "", "above", 1, 0, 0);
	table_column(out, "below", "", "below", 1, 0, 0);
	table_column(out, "lat.paid", "ms", "latency_paid_ns", 1e6, 3, 0);
	table_column(out, "lat.p99", "us", "wake_latency_p99_ns", 1e3, 1, 0);
	for (int k = 0; k < s->npeers; k++)
		for (int i = 0; i < s->peer[k]->nruns; i++)
			if (session_ready(s->peer[k], i))
				table_row(s->peer[k], i, out);
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
