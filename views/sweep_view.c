// SPDX-License-Identifier: GPL-2.0-or-later
/* Many replays at once: number first, shade second, the curve over a parameter, what nothing beats. */
#include "views/sweep_cells.h"

#include "views/rows.h"
#include "views/sweep_many.h"
#include "views/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CURVE 7 /* lines */

struct state {
	struct rows rows; /* first: rows_view_click() */
	enum sweep_metric metric;
};

static const struct hint hints[] = {{CMD_DOWN, CMD_UP, "row"}, {CMD_METRIC, CMD_NONE, "metric"},
	{CMD_RUN, CMD_RUN_ALL, "run, run all"}, {CMD_OPEN, CMD_NONE, "as what-if"},
	{CMD_REMOVE, CMD_NONE, "remove"}, {CMD_STOP, CMD_NONE, "stop"}, {CMD_EXPORT, CMD_NONE, "export"},
	{CMD_HELP, CMD_NONE, "help"}, {0}};

static void open_view(void *state, struct session *s)
{
	(void)state;
	if (!s->ncells)
		sweep_cells_governors(s);
}

/* row 0 is the recording, the floor of which is the recorded governor's own misses; of several, the mean */
static double value(const struct session *s, const struct state *st, size_t row)
{
	const struct sweep_cell *cell = row ? s->cell[row - 1] : NULL;

	return s->npeers > 1 ? sweep_mean(s, cell, st->metric) : sweep_cells_value(s, cell, st->metric);
}

static void range(const struct session *s, const struct state *st, double *lo, double *hi)
{
	*lo = INFINITY;
	*hi = -INFINITY;
	for (int i = 0; i <= s->ncells; i++) {
		double v = value(s, st, (size_t)i);

		if (isnan(v))
			continue;
		*lo = v < *lo ? v : *lo;
		*hi = v > *hi ? v : *hi;
	}
}

static int rank(const struct session *s, const struct state *st, double v)
{
	int n = 1;

	for (int i = 0; i <= s->ncells; i++)
		n += value(s, st, (size_t)i) < v;
	return n;
}

static const char *waiting(const struct sweep_cell *c)
{
	return c->status == RUN_RUNNING	 ? "replaying"
	       : c->status == RUN_QUEUED ? "waits"
	       : c->status == RUN_FAILED ? c->error
					 : "not run (r)";
}

static void draw_row(const struct session *s, const struct state *st, struct canvas *c, struct area a,
	size_t row, const double limits[2], bool best)
{
	const struct sweep_cell *cell = row ? s->cell[row - 1] : NULL;
	double v = value(s, st, row), span = limits[1] - limits[0];
	int name = a.w >= 96 ? 44 : a.w - 42 < 14 ? 14 : a.w - 42, bar = a.w - name - 28, x;
	char buf[48];

	snprintf(buf, sizeof(buf), "%s%s", s->run[0]->name,
		strcmp(s->run[0]->name, "recorded") ? " (recorded)" : "");
	canvas_foreign(c, a.x + 2, a.y, ROLE_TEXT, row ? cell->label : buf, name - 1);
	x = a.x + 2 + name;
	if (cell && cell->status != RUN_READY) {
		canvas_foreign(c, x, a.y, ROLE_DIM, waiting(cell), a.w - name - 3);
		return;
	}
	snprintf(buf, sizeof(buf), "%.2f", v);
	canvas_right(c, x + 10, a.y, ROLE_TEXT, isnan(v) ? "–" : buf);
	if (isnan(v))
		return;
	canvas_put(c, x + 11, a.y, glyph_shade(span > 0 ? (int)((v - limits[0]) / span * 4 + 0.5) : 0), ROLE_BAR);
	canvas_textf(c, x + 13, a.y, ROLE_DIM, "%3d", rank(s, st, v));
	canvas_text(c, x + 17, a.y, ROLE_MARK, best ? "*" : " ");
	if (bar > 4 && limits[1] > 0) {
		int eighths = (int)(v / limits[1] * (bar - 2) * 8);

		canvas_fill(c, x + 19, a.y, eighths / 8, 0x2588, ROLE_BAR);
		if (eighths % 8)
			canvas_put(c, x + 19 + eighths / 8, a.y, glyph_right(eighths % 8), ROLE_BAR);
	}
}

static void count_cells(const struct session *s, int *done, int *asked)
{
	for (int i = 0; i < s->ncells; i++) {
		*done += s->cell[i]->status == RUN_READY || s->cell[i]->status == RUN_FAILED;
		*asked += s->cell[i]->status != RUN_IDLE;
	}
}

static void draw_progress(const struct session *s, struct canvas *c, struct area a)
{
	int done = 0, asked = 0, bar = a.w - 50, full;

	for (int k = 0; k < s->npeers; k++)
		count_cells(s->peer[k], &done, &asked);
	if (done == asked || bar < 5) {
		canvas_text(c, a.x + 1, a.y, ROLE_DIM,
			":sweep teo decay_shift=0..9   * nothing beats it in misses and latency both");
		return;
	}
	full = asked ? bar * done / asked : 0;
	canvas_textf(c, a.x + 1, a.y, ROLE_TEXT, "%d of %d replays", done, asked);
	canvas_fill(c, a.x + 22, a.y, full, 0x2588, ROLE_BAR);
	canvas_text(c, a.x + 24 + bar, a.y, ROLE_DIM, "^C stop and keep results");
}

static void draw_curve_column(struct canvas *c, int x, int y, int h, double share, const char *label)
{
	int eighths = (int)(share * h * 8);

	for (int i = 0; i < h; i++) {
		int left = eighths - i * 8;

		canvas_fill(c, x, y + h - 1 - i, 2, glyph_up(left > 8 ? 8 : left), ROLE_BAR);
	}
	canvas_text(c, x, y + h, ROLE_DIM, label);
}

/* differs from the one under the cursor in the one parameter of its sweep, and is made */
static bool same_axis(const struct session *s, const struct state *st, int i, const struct sweep_cell *here)
{
	const struct sweep_cell *o = s->cell[i];
	const char *axis = strstr(here->spec, here->axis_name);

	return !isnan(o->axis) && !strcmp(o->axis_name, here->axis_name) && axis &&
	       !strncmp(o->spec, here->spec, (size_t)(axis - here->spec)) &&
	       !isnan(value(s, st, (size_t)i + 1));
}

static double axis_most(const struct session *s, const struct state *st, const struct sweep_cell *here)
{
	double most = 0;

	for (int i = 0; i < s->ncells; i++)
		if (same_axis(s, st, i, here) && value(s, st, (size_t)i + 1) > most)
			most = value(s, st, (size_t)i + 1);
	return most;
}

static void draw_curve(const struct session *s, const struct state *st, struct canvas *c, struct area a)
{
	const struct sweep_cell *here = st->rows.at ? s->cell[st->rows.at - 1] : NULL;
	double most = here && !isnan(here->axis) ? axis_most(s, st, here) : 0;
	int x = a.x + 12;
	char label[24];

	if (!(most > 0))
		return;
	canvas_textf(c, a.x + 1, a.y, ROLE_HEADING, "%s over %s%s", sweep_metric_name(st->metric),
		here->axis_name, s->npeers > 1 ? ", mean of the recordings" : "");
	snprintf(label, sizeof(label), "%.4g", most);
	canvas_right(c, a.x + 10, a.y + 1, ROLE_DIM, label);
	canvas_right(c, a.x + 10, a.y + a.h - 2, ROLE_DIM, "0");
	for (int i = 0; i < s->ncells && x < a.x + a.w - 4; i++) {
		const struct sweep_cell *o = s->cell[i];

		if (!same_axis(s, st, i, here))
			continue;
		snprintf(label, sizeof(label), "%.4g%s", o->axis, o == here ? "<" : "");
		draw_curve_column(c, x, a.y + 1, a.h - 2, value(s, st, (size_t)i + 1) / most, label);
		x += 6;
	}
}

static void draw_rows(const struct state *st, const struct session *s, struct canvas *c, struct area a)
{
	bool *best = sweep_cells_best(s);
	double limits[2];

	range(s, st, &limits[0], &limits[1]);
	for (int i = 0; i < a.h && st->rows.top + (size_t)i <= (size_t)s->ncells; i++) {
		size_t row = st->rows.top + (size_t)i;

		draw_row(s, st, c, (struct area){a.x, a.y + i, a.w, 1}, row, limits, best[row]);
	}
	free(best);
}

static void draw(void *state, struct session *s, struct canvas *c, struct area a)
{
	struct state *st = state;
	bool many = s->npeers > 1;
	int curve = a.h >= 20 ? CURVE : 0, rows = a.h - 2 - curve - many;

	canvas_textf(c, a.x + 1, a.y, ROLE_TEXT, "governor and parameters   metric: ");
	canvas_textf(c, a.x + 35, a.y, ROLE_HEADING, "%s", sweep_metric_name(st->metric));
	canvas_right(c, a.x + a.w - 1, a.y, ROLE_DIM, a.w >= 90 ? "lower is better   rank, * best trade" : "");
	rows_fit(&st->rows, (size_t)s->ncells + 1, 1 + many, rows);
	if (many)
		sweep_many_draw(s, st->metric, &st->rows, c, (struct area){a.x, a.y + 1, a.w, rows + 1});
	else
		draw_rows(st, s, c, (struct area){a.x, a.y + 1, a.w, rows});
	if (st->rows.at >= st->rows.top && st->rows.at < st->rows.top + (size_t)(rows > 0 ? rows : 0))
		rows_cursor(c, a, a.y + 1 + many + (int)(st->rows.at - st->rows.top));
	if (curve)
		draw_curve(s, st, c, (struct area){a.x, a.y + 1 + many + rows, a.w, curve});
	draw_progress(s, c, (struct area){a.x, a.y + a.h - 1, a.w, 1});
}

static bool run(struct state *st, struct session *s, bool all)
{
	if (sweep_cells_refused(s)) {
		session_say(s, true, "%s", sweep_cells_refused(s));
		return false;
	}
	for (int i = 0; i < s->ncells; i++)
		if (all || (size_t)i + 1 == st->rows.at)
			sweep_cells_everywhere(s, i);
	return true;
}

static bool open_row(struct state *st, struct session *s)
{
	struct error err;
	int i;

	if (!st->rows.at) {
		s->go = VIEW_TIMELINE;
		return true;
	}
	i = session_add(s, s->cell[st->rows.at - 1]->spec, &err);
	if (i < 0) {
		session_say(s, true, "%s", err.text);
		return false;
	}
	s->right = i;
	s->go = VIEW_WHATIF;
	return true;
}

static bool remove_row(struct state *st, struct session *s)
{
	if (st->rows.at)
		sweep_cells_remove(s, (int)st->rows.at - 1);
	return true;
}

static bool command(void *state, struct session *s, enum command_id id, const char *arg)
{
	struct state *st = state;
	struct error err;

	switch (id) {
	case CMD_SWEEP:
		if (sweep_cells_grid(s, arg, &err) < 0) {
			session_say(s, true, "%s", err.text);
			return false;
		}
		return true;
	case CMD_METRIC:
		st->metric = (enum sweep_metric)((st->metric + 1) % SWEEP_METRICS);
		return true;
	case CMD_RUN:
	case CMD_RUN_ALL:
		return run(st, s, id == CMD_RUN_ALL);
	case CMD_OPEN:
		return open_row(st, s);
	case CMD_REMOVE:
		return remove_row(st, s);
	default:
		return rows_command(&st->rows, id);
	}
}

static void recording_rows(const struct session *s, struct table *out)
{
	for (int i = 0; i <= s->ncells; i++) {
		const struct sweep_cell *cell = i ? s->cell[i - 1] : NULL;

		if (cell && cell->status != RUN_READY)
			continue;
		if (s->npeers > 1)
			table_text(out, "%s", s->file);
		table_text(out, "%s", cell ? cell->label : "recorded");
		for (int k = 0; k < SWEEP_METRICS; k++)
			table_real(out, sweep_cells_value(s, cell, (enum sweep_metric)k));
	}
}

static bool table(void *state, const struct session *s, struct table *out)
{
	(void)state;
	table_init(out, "%s  sweep", s->npeers > 1 ? "all recordings" : s->file);
	if (s->npeers > 1)
		table_column(out, "recording", "", "recording", 1, 0, COL_LEFT | COL_KEY);
	table_column(out, "governor", "", "governor", 1, 0, COL_LEFT | COL_KEY);
	table_column(out, "miss", "%", "miss_percent", 1, 2, 0);
	table_column(out, "above", "%", "above_percent", 1, 2, 0);
	table_column(out, "below", "%", "below_percent", 1, 2, 0);
	table_column(out, "lat.paid", "ms", "latency_paid_ms", 1, 3, 0);
	table_column(out, "lat.p99", "us", "wake_latency_p99_us", 1, 1, 0);
	table_column(out, "cost", "ms", "regret_ms", 1, 3, 0);
	for (int k = 0; k < s->npeers; k++)
		if (session_ready(s->peer[k], 0))
			recording_rows(s->peer[k], out);
	return true;
}

const struct view_ops sweep_view = {
	.id = VIEW_SWEEP,
	.size = sizeof(struct state),
	.hints = hints,
	.open = open_view,
	.draw = draw,
	.command = command,
	.table = table,
	.click = rows_view_click,
};
