/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One governor memory driven over the decisions of one CPU, able to step back to before the last outcome.
 * A pupil owns its copies of the memory; pupil_free() releases them. Times are ns.
 */
#ifndef REIDLE_REPLAY_PUPIL_H
#define REIDLE_REPLAY_PUPIL_H

#include "replay/feed.h"

struct pupil {
	const struct gov_spec *spec;
	void *now;     /* the memory */
	void *before;  /* as it was before the last outcome was told */
	void *held;    /* as it was before the last select */
	void *scratch; /* for what-if questions about the present decision */
	struct gov_outcome last;
	bool have_last;
};

void pupil_init(struct pupil *l, const struct gov_spec *spec, const struct gov_machine *m);
/** pupil_restart() - forget all, as a governor that is enabled anew */
void pupil_restart(struct pupil *l, const struct gov_machine *m);
/** pupil_same() - are the memories of two pupils equal, byte for byte */
bool pupil_same(const struct pupil *a, const struct pupil *b);
void pupil_free(struct pupil *l);
/** pupil_select() - the choice; the memory moves on */
struct gov_choice pupil_select(struct pupil *l, const struct gov_input *in, int64_t true_length_ns);
/** pupil_reflect() - tell an outcome; it is kept for pupil_redo() */
void pupil_reflect(struct pupil *l, const struct gov_outcome *out);
/** pupil_ask() - what the last select() would have answered to other inputs; the memory stays as it is */
struct gov_choice pupil_ask(struct pupil *l, const struct gov_input *in);
/** pupil_redo() - what it would have answered had the outcome before it been another */
struct gov_choice pupil_redo(struct pupil *l, const struct gov_outcome *out,
	const struct gov_input *in);
/** pupil_ask_after_abort() - what it would have answered had one aborted decision gone before */
struct gov_choice pupil_ask_after_abort(struct pupil *l, const struct gov_input *in);

#endif
