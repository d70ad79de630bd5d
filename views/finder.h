/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find as you type: text in what woke a CPU, what ran before, the state's name. Capitals in the text
 * make case matter. A struct finder points into the text given to it.
 */
#ifndef REIDLE_VIEWS_FINDER_H
#define REIDLE_VIEWS_FINDER_H

#include "views/session.h"

struct finder {
	const char *text;
	bool exact; /* the text has a capital */
};

void finder_init(struct finder *f, const char *text);
/** finder_text() - is it somewhere in @text */
bool finder_text(const struct finder *f, const char *text);
/** finder_period() - does a period of the recording fit; with no text: is it a miss */
bool finder_period(const struct finder *f, const struct session *s, int cpu, const struct period *p);

#endif
