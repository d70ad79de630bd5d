/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The totals of two runs side by side: one list of figures from which both the screen's block and the
 * exported table are made. Figures that a run does not have are unknown, never 0; one that no run can
 * have is left out. Times are ns.
 */
#ifndef REIDLE_VIEWS_WHATIF_TOTALS_H
#define REIDLE_VIEWS_WHATIF_TOTALS_H

#include "views/view.h"

enum figure_kind { FIGURE_COUNT, FIGURE_TIME, FIGURE_SHARE };

/* least and most are the same but where a recording holds too little; shares in 1e-6 */
struct figure_value {
	bool known;
	int64_t least, most;
};

struct figure {
	const char *name, *key;
	enum figure_kind kind;
	struct figure_value left, right;
};

#define FIGURES_MAX 16

/** totals_figures() - returns their number, the most asked for first */
int totals_figures(const struct session *s, struct figure *out);
/** totals_draw() - @h lines: figures on the left, time in states and kinds of change on the right */
void totals_draw(const struct session *s, struct canvas *c, struct area a);
/** totals_notes() - what any table of two runs has to say below it */
void totals_notes(const struct session *s, struct table *out);
void totals_table(const struct session *s, struct table *out);

#endif
