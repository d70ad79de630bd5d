/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line per governor input: how it is known in a recording, and what to record to know it better.
 * The lines go into struct decisions; nothing else is kept.
 */
#ifndef REIDLE_REPLAY_KNOWN_H
#define REIDLE_REPLAY_KNOWN_H

#include "replay/limits.h"
#include "replay/decision.h"

/** known_fill() - fill known[] and worst[] of decisions that are complete otherwise */
void known_fill(struct decisions *d, const struct limits *limits);

/** known_name() - "sleep length", ... for tables; NULL past the last */
const char *known_name(int input);

/** known_too_slow() - NULL, or why this recording's events are too slow to replay it without probes */
const char *known_too_slow(const struct decisions *d, const struct machine *m, char *buf, size_t size);

#endif
