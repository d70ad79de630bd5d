// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/overview.h"

#include <stdlib.h>

static void fill(struct overview *o, const struct session *s, int ncols, enum glyph_set glyphs)
{
	struct session whole = *s;
	struct lane l = {.c = &o->line, .s = &whole, .ncols = ncols};
	int64_t span = s->trace->end_ns - s->trace->origin_ns;

	overview_free(o);
	o->ncols = ncols;
	o->step_ns = max64((span + ncols - 1) / ncols, 1);
	canvas_init(&o->line, ncols, 1, glyphs);
	o->col = xcalloc((size_t)ncols, sizeof(*o->col));
	l.col = o->col;
	whole.ncols = ncols;
	whole.from_ns = s->trace->origin_ns;
	whole.step_ns = o->step_ns;
	lanes_depth(&l, 0, NULL, s->trace->ncpus);
}

void overview_draw(struct overview *o, const struct session *s, struct canvas *c, int x, int y, int ncols)
{
	int64_t origin = s->trace->origin_ns;
	int from, to;

	if (!o->col || o->ncols != ncols || o->line.glyphs != c->glyphs)
		fill(o, s, ncols, c->glyphs);
	canvas_text(c, x - LANE_LABEL + 1, y, ROLE_DIM, "overview");
	for (int i = 0; i < ncols; i++)
		canvas_put(c, x + i, y, o->line.cell[i].ch, ROLE_DIM);
	from = (int)((s->from_ns - origin) / o->step_ns);
	to = (int)((min64(session_to(s), s->trace->end_ns) - 1 - origin) / o->step_ns);
	canvas_put(c, x + (from < 0 ? 0 : from), y, from == to ? '|' : '[', ROLE_MARK);
	if (from != to)
		canvas_put(c, x + (to < ncols ? to : ncols - 1), y, ']', ROLE_MARK);
}

void overview_free(struct overview *o)
{
	canvas_free(&o->line);
	free(o->col);
	o->col = NULL;
}
