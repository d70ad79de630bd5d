/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time drawn from left to right: axis, cursor, and rows of a CPU's states, misses, differences, depth.
 * Each row costs columns, not periods. Nothing is owned; the columns buffer is the caller's.
 */
#ifndef REIDLE_VIEWS_LANES_H
#define REIDLE_VIEWS_LANES_H

#include "views/view.h"

#define LANE_LABEL 13 /* columns before the first one of time */

struct lane {
	struct canvas *c;
	const struct session *s;
	int x, y;
	int ncols;
	struct timeline_sum *col; /* [ncols] */
};

/** lanes_axis() - round times at every tenth column, or as far apart as they need */
void lanes_axis(const struct lane *l);
/** lanes_marks() - cursor and markers, and what of them lies outside */
void lanes_marks(const struct lane *l);
/** lanes_fill() - the columns of one CPU of a run */
void lanes_fill(const struct lane *l, int run, int cpu);
/** lanes_states() - one digit a column: the state with the most time */
void lanes_states(const struct lane *l, int run, int cpu);
/** lanes_misses() - their number in eighths of the most in a column of the row; never rounded to none */
void lanes_misses(const struct lane *l, int run, int cpu);
/** lanes_wakes() - what ended a period, a letter a kind; '*' where several did */
void lanes_wakes(const struct lane *l, int run, int cpu);
/**
 * lanes_due() - once single periods can be seen: T and K where the next timer and the next tick were due
 * As the decisions were told; what is only guessed is left out.
 */
void lanes_due(const struct lane *l, int cpu);
/** lanes_depth() - shade by mean depth of some CPUs; @cpu NULL: of the first @ncpus */
void lanes_depth(const struct lane *l, int run, const int *cpu, int ncpus);
/** lanes_diff() - right deeper, right shallower, or blank */
void lanes_diff(const struct lane *l, int cpu, const struct timeline_sum *right);
/** lanes_idle() - share of the window that the columns say is idle, 0..100 */
int lanes_idle(const struct lane *l);

#endif
