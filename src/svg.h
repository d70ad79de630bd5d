/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures of runs as SVG elements, to stand inside an HTML file: no script, no outside reference.
 * Nothing is kept. Colours go from warm (polling) to dark blue (deepest), and a legend names them.
 */
#ifndef REIDLE_SRC_SVG_H
#define REIDLE_SRC_SVG_H

#include "src/run.h"

/**
 * svg_timeline() - one lane per CPU over a window; each column of pixels is filled by the share of
 *	its time in each state, deepest at the bottom; what is left white, the CPU ran
 * @from_ns, @to_ns: on the recording's clock
 * @mark_ns: a moment to be marked, INT64_MIN none
 */
void svg_timeline(FILE *out, const struct run *r, int64_t from_ns, int64_t to_ns, int64_t mark_ns,
	const char *title);

/** svg_lengths() - idle periods by length, in powers of two of us, stacked by state */
void svg_lengths(FILE *out, const struct run *r, const char *title);

/** svg_legend() - the colours of the states of a run's first table */
void svg_legend(FILE *out, const struct run *r);

/** svg_colour() - of a state among nstates: "#rrggbb" */
const char *svg_colour(const struct state_table *t, int state);

#endif
