// SPDX-License-Identifier: GPL-2.0-or-later
/* The session's place: cursor, window and zoom. Views move it only through these. */
#include "views/session.h"

#define STEP_MAX (1000 * NSEC_PER_SEC)

/* next step of the series 1, 2, 5, 10, ...: labels stay round and panning re-uses columns */
static int64_t step_up(int64_t step)
{
	int64_t unit = 1;

	while (unit * 10 <= step)
		unit *= 10;
	if (step < 2 * unit)
		return 2 * unit;
	return step < 5 * unit ? 5 * unit : 10 * unit;
}

static int64_t step_down(int64_t step)
{
	int64_t unit = 1;

	while (unit * 10 <= step)
		unit *= 10;
	if (step > 5 * unit)
		return 5 * unit;
	if (step > 2 * unit)
		return 2 * unit;
	return step > unit ? unit : unit > 1 ? unit / 2 : 1;
}

static int64_t align(const struct session *s, int64_t at_ns)
{
	int64_t origin = s->trace ? s->trace->origin_ns : 0, rel = at_ns - origin;
	int64_t rest = rel % s->step_ns;

	return at_ns - (rest < 0 ? rest + s->step_ns : rest);
}

static void keep_inside(struct session *s)
{
	int64_t width = s->step_ns * s->ncols;

	if (!s->trace)
		return;
	if (s->from_ns + width > s->trace->end_ns + width / 2)
		s->from_ns = align(s, s->trace->end_ns - width / 2);
	if (s->from_ns < s->trace->origin_ns)
		s->from_ns = s->trace->origin_ns;
}

int session_column(const struct session *s, int64_t at_ns)
{
	int64_t d = at_ns - s->from_ns;
	int64_t col = d >= 0 ? d / s->step_ns : -((-d + s->step_ns - 1) / s->step_ns);

	return col > INT32_MAX / 2 ? INT32_MAX / 2 : col < INT32_MIN / 2 ? INT32_MIN / 2 : (int)col;
}

/* what fits a given window is chosen more finely than zooming goes, so that less of it stays empty */
static int64_t fitting(int64_t span_ns, int ncols)
{
	static const int64_t series[] = {10, 15, 20, 25, 30, 40, 50, 60, 80};

	for (int64_t unit = 1; unit < STEP_MAX; unit *= 10)
		for (size_t i = 0; i < ARRAY_SIZE(series); i++) {
			int64_t step = unit * series[i] / 10;

			if (step * 10 == unit * series[i] && step * ncols >= span_ns)
				return step;
		}
	return STEP_MAX;
}

void session_window(struct session *s, int64_t from_ns, int64_t to_ns)
{
	s->step_ns = fitting(to_ns - from_ns, s->ncols);
	s->from_ns = align(s, from_ns);
	if (session_to(s) < to_ns) { /* the start was rounded down */
		s->step_ns = fitting(to_ns - from_ns + s->step_ns, s->ncols);
		s->from_ns = align(s, from_ns);
	}
	keep_inside(s);
}

void session_zoom(struct session *s, int dir)
{
	int col = session_column(s, s->at_ns);
	int64_t span = s->trace ? s->trace->end_ns - s->trace->origin_ns : 0;

	if (dir < 0 && s->step_ns * s->ncols >= span)
		return;
	if (col < 0 || col >= s->ncols)
		col = s->ncols / 2;
	s->step_ns = dir > 0 ? step_down(s->step_ns) : step_up(s->step_ns);
	s->from_ns = align(s, s->at_ns - col * s->step_ns);
	keep_inside(s);
}

void session_pan(struct session *s, int columns)
{
	s->from_ns += columns * s->step_ns;
	keep_inside(s);
}

void session_see(struct session *s)
{
	int col = session_column(s, s->at_ns), margin = s->ncols / 10;

	if (col < 0 || col >= s->ncols) {
		s->from_ns = align(s, s->at_ns - s->ncols / 2 * s->step_ns);
		keep_inside(s);
	} else if (col < margin && s->trace && s->from_ns > s->trace->origin_ns) {
		session_pan(s, col - margin);
	} else if (col >= s->ncols - margin && s->trace && session_to(s) < s->trace->end_ns) {
		session_pan(s, col - (s->ncols - margin) + 1);
	}
}

/*
 * A column may hold many periods. The cursor then means the costliest miss in it, for that is what the
 * column's mark shows; without a miss the period at its beginning.
 */
size_t session_period(const struct session *s, int r)
{
	const struct timeline *tl = &s->run[r]->tl;
	const struct timeline_cpu *c = &tl->cpu[s->cpu];
	int64_t end = s->exact ? s->at_ns + 1 : s->at_ns + s->step_ns;
	size_t i = timeline_at(c, s->at_ns);

	if (!s->exact) {
		size_t worst = timeline_worst(tl, s->cpu, s->at_ns, end);

		if (worst != TIMELINE_NONE)
			return worst;
	}
	return i < c->n && c->period[i].enter_ns < end ? i : TIMELINE_NONE;
}

void session_select(struct session *s, int r, int cpu, size_t i)
{
	s->cpu = cpu;
	s->at_ns = s->run[r]->tl.cpu[cpu].period[i].enter_ns;
	s->exact = true;
	session_see(s);
}
