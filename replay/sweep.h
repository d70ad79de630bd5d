/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Grids of replays: which values each parameter takes, which cells that makes, which of them no other
 * beats. Axes own their texts: sweep_axes_free(). Values are in the parameters' own units.
 */
#ifndef REIDLE_REPLAY_SWEEP_H
#define REIDLE_REPLAY_SWEEP_H

#include "src/error.h"
#include "src/util.h"

#define SWEEP_AXES_MAX 8
#define SWEEP_CELLS_MAX 100000

struct sweep_axis {
	char name[64];
	char (*value)[24]; /* [n] */
	size_t n;
};

struct sweep_axes {
	struct sweep_axis axis[SWEEP_AXES_MAX];
	size_t n;
};

/**
 * sweep_axis_add() - "NAME=LO..HI[:STEP]" (HI included when hit), or "NAME=a,b,c"
 * STEP defaults to what makes eleven values, or to 1 where that makes fewer.
 * Return: 0, or -1 with err (usage)
 */
int sweep_axis_add(struct sweep_axes *axes, const char *text, struct error *err);
void sweep_axes_free(struct sweep_axes *axes);

/** sweep_cells() - number of combinations; 1 without axes; SIZE_MAX beyond SWEEP_CELLS_MAX */
size_t sweep_cells(const struct sweep_axes *axes);

/** sweep_value() - the value of an axis in a cell; the last axis turns fastest */
const char *sweep_value(const struct sweep_axes *axes, size_t cell, size_t axis);

/* one point of a trade-off: less is better in both */
struct sweep_point {
	double x, y; /* NAN: takes no part */
	bool best;   /* set by sweep_pareto(): no other point is as good in both and better in one */
};

void sweep_pareto(struct sweep_point *p, size_t n);

#endif
