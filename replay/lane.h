/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One governor memory driven over the decisions of one CPU, able to step back to before the last outcome.
 * A lane owns its copies of the memory; lane_free() releases them. Times are ns.
 */
#ifndef REIDLE_REPLAY_LANE_H
#define REIDLE_REPLAY_LANE_H

#include "replay/feed.h"

struct lane {
	const struct gov_spec *spec;
	void *now;     /* the memory */
	void *before;  /* as it was before the last outcome was told */
	void *held;    /* as it was before the last select */
	void *scratch; /* for what-if questions about the present decision */
	struct gov_outcome last;
	bool have_last;
};

void lane_init(struct lane *l, const struct gov_spec *spec, const struct gov_machine *m);
void lane_free(struct lane *l);
/** lane_select() - the choice; the memory moves on */
struct gov_choice lane_select(struct lane *l, const struct gov_input *in, int64_t true_length_ns);
/** lane_reflect() - tell an outcome; it is kept for lane_redo() */
void lane_reflect(struct lane *l, const struct gov_outcome *out);
/** lane_ask() - what the last select() would have answered to other inputs; the memory stays as it is */
struct gov_choice lane_ask(struct lane *l, const struct gov_input *in);
/** lane_redo() - what it would have answered had the outcome before it been another */
struct gov_choice lane_redo(struct lane *l, const struct gov_outcome *out,
	const struct gov_input *in);
/** lane_ask_after_abort() - what it would have answered had one aborted decision gone before */
struct gov_choice lane_ask_after_abort(struct lane *l, const struct gov_input *in);

#endif
