/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorded governor replayed as the what-ifs are: how far it is from the recording is how far an
 * answer can be trusted. Made once per recording, in the background, after the first what-if.
 */
#ifndef REIDLE_VIEWS_SELFCHECK_H
#define REIDLE_VIEWS_SELFCHECK_H

#include "views/view.h"

/** selfcheck_want() - queue it unless it is there, under way or impossible */
void selfcheck_want(struct session *s);
/** selfcheck_work() - make it; may run in another thread. Arguments as session_work(); -1 with err */
int selfcheck_work(const struct session *s, struct self_check *out, bool (*progress)(void *, double),
	void *ctx, struct error *err);
/** selfcheck_made() - after selfcheck_work(), from the session's own thread; @err NULL: it went well */
void selfcheck_made(struct session *s, const struct self_check *result, const struct error *err);
/** selfcheck_line() - all of it in @size bytes, or why there is none; @brief: within 79 columns */
const char *selfcheck_line(const struct session *s, bool brief, char *buf, size_t size);

#endif
