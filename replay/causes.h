/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a replayed choice differs from the recorded one. A cause is named only if the same decision with
 * that one input replaced gives the recorded choice; all else is unexplained. Nothing is owned.
 */
#ifndef REIDLE_REPLAY_CAUSES_H
#define REIDLE_REPLAY_CAUSES_H

#include "replay/pupil.h"

enum cause {
	CAUSE_INPUT,	   /* an input that was rebuilt or guessed */
	CAUSE_EVENT_COST,  /* the residency, within the recording's event cost */
	CAUSE_ABORTED,	   /* an aborted entry that the recording does not show */
	CAUSE_CLOCK,	   /* the local clock, which no event records (teo up to 6.13) */
	CAUSE_PAST,	   /* what the governor learnt before the recording began */
	CAUSE_BROADCAST,   /* the state entered is not the governor's answer */
	CAUSE_UNEXPLAINED,
	CAUSES
};

struct cause_question {
	const struct decisions *decisions;
	const struct decision *d;      /* the decision in question; d->chosen is the recorded choice */
	const struct decision *before; /* the one before it on this CPU, NULL at the start */
	struct pupil *pupil;	       /* right after the select() in question */
	struct gov_input in;	       /* as it was asked */
	unsigned read;		       /* GOV_READ_* of its answer */
	const int *other_past;	       /* what governors with other pasts chose */
	size_t npasts;
};

enum cause cause_find(const struct cause_question *q);

#endif
