/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line of the whole recording with the window marked in it. The shades are kept until the width
 * changes, for with many CPUs they cost more than all the rest. Owns its cells.
 */
#ifndef REIDLE_VIEWS_OVERVIEW_H
#define REIDLE_VIEWS_OVERVIEW_H

#include "views/lanes.h"

struct overview {
	struct canvas line; /* one row */
	struct timeline_sum *col;
	int ncols;
	int64_t step_ns;
};

void overview_draw(struct overview *o, const struct session *s, struct canvas *c, int x, int y, int ncols);
void overview_free(struct overview *o);

#endif
