/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The histogram view's state, shared by its keys and numbers (histogram_view.c) and its bars
 * (histogram_bars.c). Tallies and the filter are its own.
 */
#ifndef REIDLE_VIEWS_HISTOGRAM_H
#define REIDLE_VIEWS_HISTOGRAM_H

#include "views/tally.h"
#include "views/view.h"

enum histogram_split { SPLIT_NONE, SPLIT_STATE, SPLIT_WAKE, SPLITS };

/* what was counted; anything else means counting anew */
struct histogram_asked {
	enum tally_quantity quantity;
	bool panel, overlay, beliefs[2];
	int left, right, recording, cpu;
	unsigned generation, right_generation;
};

struct histogram {
	struct tally left[TALLY_QUANTITIES], right;
	struct session *over; /* of the run that lies over it: another recording's or this one; NULL none */
	struct expr *filter;
	char filter_text[240];
	enum tally_quantity quantity;
	enum histogram_split split;
	bool by_time, one_cpu;
	bool panel; /* room for the percentiles of several quantities */
	struct histogram_asked asked;
	bool begun;
};

/** histogram_range() - first and last bucket that holds something; last < first: none does */
void histogram_range(const struct histogram *h, int *first, int *last);
/** histogram_bars() - a line per bucket, or per several where there are fewer lines */
void histogram_bars(const struct histogram *h, const struct session *s, struct canvas *c, struct area a);

#endif
