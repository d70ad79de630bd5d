/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grid of a sweep: governors and parameter values, each replayed once and kept as a few figures
 * only. The session owns the cells; the app makes the queued ones in the background.
 */
#ifndef REIDLE_VIEWS_SWEEP_CELLS_H
#define REIDLE_VIEWS_SWEEP_CELLS_H

#include "views/session.h"

/** sweep_cells_governors() - one cell for every governor worth comparing, none of them run */
void sweep_cells_governors(struct session *s);
/**
 * sweep_cells_grid() - "GOV PARAM=LO..HI[:STEP] ...": cells for every combination, queued everywhere
 * Return: their number, or -1 with err
 */
int sweep_cells_grid(struct session *s, const char *text, struct error *err);
/** sweep_cells_refused() - why nothing can be swept; NULL it can */
const char *sweep_cells_refused(const struct session *s);
/** sweep_cells_find() - by what was asked for; NULL none */
struct sweep_cell *sweep_cells_find(const struct session *s, const char *spec);
/** sweep_cells_everywhere() - queue a cell here and, made on demand, in every recording that can be swept */
void sweep_cells_everywhere(struct session *s, int i);
/** sweep_cells_remove() - here and in the other recordings, unless it is being made */
void sweep_cells_remove(struct session *s, int i);
/** sweep_cells_value() - of the row of @cell (NULL: the recording itself) in a recording; NAN not known */
double sweep_cells_value(const struct session *s, const struct sweep_cell *cell, enum sweep_metric m);
/** sweep_cells_best() - rows 0 (the recording) to ncells that no other beats in misses and latency both */
bool *sweep_cells_best(const struct session *s);
int sweep_cells_queued(const struct session *s);
/** sweep_cells_work() - make a cell; may run in another thread. Arguments as session_work() */
void sweep_cells_work(const struct session *s, struct sweep_cell *c, bool (*progress)(void *, double),
	void *ctx);
/** sweep_figures() - of any run */
void sweep_figures(const struct run *r, double out[SWEEP_METRICS]);
const char *sweep_metric_name(enum sweep_metric m);

#endif
