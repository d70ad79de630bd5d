/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sweep over several recordings: a row per governor, a column per recording, mean and rank. Rows are
 * the cells of the session in front; each recording has cells of its own with the same specs.
 */
#ifndef REIDLE_VIEWS_SWEEP_MANY_H
#define REIDLE_VIEWS_SWEEP_MANY_H

#include "views/rows.h"
#include "views/sweep_cells.h"

/** sweep_mean() - over the recordings that can be swept; NAN while one of them is missing */
double sweep_mean(const struct session *s, const struct sweep_cell *cell, enum sweep_metric m);
/** sweep_many_draw() - head and rows; @rows has been fitted to a.h - 1 lines from line 1 */
void sweep_many_draw(const struct session *s, enum sweep_metric m, const struct rows *rows, struct canvas *c,
	struct area a);

#endif
