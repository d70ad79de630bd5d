/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the recorded governor believed at each decision: its model is taught the recording once, in the
 * background, when a view first asks. The session owns the result. Lengths are ns.
 */
#ifndef REIDLE_VIEWS_BELIEFS_H
#define REIDLE_VIEWS_BELIEFS_H

#include "views/session.h"

/** beliefs_want() - queue them unless they are there, under way or impossible */
void beliefs_want(struct session *s);
/** beliefs_work() - make them; may run in another thread. Arguments as session_work(); false: stopped */
bool beliefs_work(const struct session *s, struct session_beliefs *b, bool (*progress)(void *, double),
	void *ctx);
/** beliefs_made() - after beliefs_work(), from the session's own thread */
void beliefs_made(struct session *s, bool ok);
/** beliefs_get() - of decision @i of a CPU: a length, GOV_EARLY or GOV_NO_LENGTH (also: not made yet) */
int64_t beliefs_get(const struct session *s, int cpu, size_t i);
/** beliefs_error() - prediction minus length; false where either is not known, as at a cut end */
bool beliefs_error(int64_t predicted, const struct period *p, int64_t *out);
/** beliefs_free() - forget them; they can be wanted again */
void beliefs_free(struct session *s);

#endif
