/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The most expensive choices of a run: where the state asked for was furthest from the ideal one.
 * Rows point into the run's periods; worst_free() releases the list only.
 */
#ifndef REIDLE_SRC_WORST_H
#define REIDLE_SRC_WORST_H

#include "src/run.h"
#include "src/table.h"

struct worst_row {
	int cpu;
	const struct period *p;
	int64_t cost_ns; /* replay.md 5: period_cost_ns() */
};

struct worst {
	struct worst_row *row;
	size_t n, max;
};

/** worst_find() - the max periods of the highest cost, highest first; ties by time */
void worst_find(struct worst *w, const struct run *r, size_t max);
void worst_free(struct worst *w);
void worst_write(const struct worst *w, const struct run *r, enum out_format format, FILE *out);

#endif
