// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/sweep_many.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN 12 /* number, shade, mark */
#define SUMS 14	  /* mean, rank */
#define NAME_MIN 16
#define NAME_MAX 44

/* one that is not there, or cannot be swept, has no part in the mean */
static bool takes_part(const struct session *s)
{
	return s->trace && session_ready(s, 0) && !sweep_cells_refused(s);
}

double sweep_mean(const struct session *s, const struct sweep_cell *cell, enum sweep_metric m)
{
	double sum = 0;
	int n = 0;

	for (int k = 0; k < s->npeers; k++) {
		if (!takes_part(s->peer[k]))
			continue;
		sum += sweep_cells_value(s->peer[k], cell, m);
		n++;
	}
	return n ? sum / n : NAN;
}

static const struct sweep_cell *cell_of(const struct session *s, size_t row)
{
	return row ? s->cell[row - 1] : NULL;
}

/* which recordings have a column: as many as fit, the one in front among them */
struct columns {
	int first, n, all, name;
};

static bool has_column(const struct session *s)
{
	return !*s->trouble;
}

static struct columns columns_of(const struct session *s, struct area a)
{
	struct columns v = {.n = (a.w - NAME_MIN - SUMS - 2) / COLUMN};
	int at = 0;

	for (int k = 0; k < s->npeers; k++) {
		at = k == s->self ? v.all : at;
		v.all += has_column(s->peer[k]);
	}
	v.n = v.n < 1 ? 1 : v.n > v.all ? v.all : v.n;
	v.first = at < v.n ? 0 : at - v.n + 1;
	v.name = a.w - 2 - SUMS - v.n * COLUMN;
	v.name = v.name > NAME_MAX ? NAME_MAX : v.name;
	return v;
}

static void range(const struct session *s, const struct session *of, enum sweep_metric m, double limits[2])
{
	limits[0] = INFINITY;
	limits[1] = -INFINITY;
	for (size_t i = 0; i <= (size_t)s->ncells; i++) {
		double v = sweep_cells_value(of, cell_of(s, i), m);

		limits[0] = v < limits[0] ? v : limits[0];
		limits[1] = v > limits[1] ? v : limits[1];
	}
}

static void draw_number(struct canvas *c, int x1, int y, enum role role, double v)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%.2f", v);
	canvas_right(c, x1, y, isnan(v) ? ROLE_DIM : role, isnan(v) ? "–" : buf);
}

static const char *why_missing(const struct session *s, const struct sweep_cell *cell)
{
	const struct sweep_cell *mine = cell ? sweep_cells_find(s, cell->spec) : NULL;

	if (!s->trace)
		return "reading";
	if (sweep_cells_refused(s))
		return "no sweep";
	return !mine || mine->status == RUN_IDLE ? "not run" : mine->status == RUN_FAILED ? "failed" : "...";
}

/* is a row the best trade of the recording: marks go by its own cells */
static bool is_best(const struct session *of, const bool *best, const struct sweep_cell *cell)
{
	for (int i = 0; cell && i < of->ncells; i++)
		if (!strcmp(of->cell[i]->spec, cell->spec))
			return best[i + 1];
	return !cell && best[0];
}

static void draw_column(const struct session *s, const struct session *of, enum sweep_metric m,
	const struct rows *rows, struct canvas *c, struct area a)
{
	bool *best = takes_part(of) ? sweep_cells_best(of) : NULL;
	double limits[2];

	canvas_foreign(c, a.x + 1, a.y, of == s ? ROLE_HEADING : ROLE_LABEL, of->file, COLUMN - 2);
	range(s, of, m, limits);
	for (int i = 0; i < a.h - 1 && rows->top + (size_t)i <= (size_t)s->ncells; i++) {
		const struct sweep_cell *cell = cell_of(s, rows->top + (size_t)i);
		double v = takes_part(of) ? sweep_cells_value(of, cell, m) : NAN, span = limits[1] - limits[0];
		int y = a.y + 1 + i;

		if (isnan(v)) {
			canvas_right(c, a.x + 9, y, ROLE_DIM, why_missing(of, cell));
			continue;
		}
		draw_number(c, a.x + 9, y, ROLE_TEXT, v);
		canvas_put(c, a.x + 9, y, glyph_shade(span > 0 ? (int)((v - limits[0]) / span * 4 + 0.5) : 0),
			ROLE_BAR);
		if (is_best(of, best, cell))
			canvas_put(c, a.x + 10, y, '*', ROLE_MARK);
	}
	free(best);
}

static int rank(const double *mean, size_t n, double v)
{
	int r = 1;

	for (size_t i = 0; i < n; i++)
		r += mean[i] < v;
	return r;
}

static void draw_sums(const struct session *s, enum sweep_metric m, const struct rows *rows, struct canvas *c,
	struct area a)
{
	size_t n = (size_t)s->ncells + 1;
	double *mean = xcalloc(n, sizeof(*mean));

	for (size_t i = 0; i < n; i++)
		mean[i] = sweep_mean(s, cell_of(s, i), m);
	canvas_right(c, a.x + 8, a.y, ROLE_HEADING, "mean");
	canvas_right(c, a.x + 13, a.y, ROLE_HEADING, "rank");
	for (int i = 0; i < a.h - 1 && rows->top + (size_t)i < n; i++) {
		double v = mean[rows->top + (size_t)i];

		draw_number(c, a.x + 8, a.y + 1 + i, ROLE_TEXT, v);
		if (!isnan(v))
			canvas_textf(c, a.x + 9, a.y + 1 + i, ROLE_DIM, "%4d", rank(mean, n, v));
	}
	free(mean);
}

/* the value at the end tells rows apart: what is too long loses its middle */
static void draw_name(struct canvas *c, int x, int y, const char *spec, int width)
{
	int len = (int)strlen(spec), head = (int)strcspn(spec, ":") + 1, tail = width - head - 1;

	if (len <= width || tail < 4) {
		canvas_foreign(c, x, y, ROLE_TEXT, spec, width);
		return;
	}
	x = canvas_textf(c, x, y, ROLE_TEXT, "%.*s…", head, spec);
	canvas_foreign(c, x, y, ROLE_TEXT, spec + len - tail, tail);
}

void sweep_many_draw(const struct session *s, enum sweep_metric m, const struct rows *rows, struct canvas *c,
	struct area a)
{
	struct columns v = columns_of(s, a);
	int x = a.x + 2 + v.name;

	if (v.n < v.all)
		canvas_textf(c, a.x + 2, a.y, ROLE_DIM, "%d-%d of %d", v.first + 1, v.first + v.n, v.all);
	for (int i = 0; i < a.h - 1 && rows->top + (size_t)i <= (size_t)s->ncells; i++) {
		const struct sweep_cell *cell = cell_of(s, rows->top + (size_t)i);

		draw_name(c, a.x + 2, a.y + 1 + i, cell ? cell->spec : "as recorded", v.name - 1);
	}
	for (int k = 0, nth = 0; k < s->npeers; k++) {
		if (!has_column(s->peer[k]) || nth++ < v.first || nth > v.first + v.n)
			continue;
		draw_column(s, s->peer[k], m, rows, c, (struct area){x, a.y, COLUMN, a.h});
		x += COLUMN;
	}
	draw_sums(s, m, rows, c, (struct area){x, a.y, SUMS, a.h});
}
