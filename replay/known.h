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

enum slowness { NOT_SLOW, SLOW, TOO_SLOW };

/**
 * known_slowness() - do the recording's own events leave enough of its times to replay it without probes
 * @undetermined: share of its decisions that the inputs do not settle, 0..1
 * @buf: filled with why it is slow, "" when it is not; 300 bytes are enough
 */
enum slowness known_slowness(const struct decisions *d, const struct machine *m,
	double undetermined, char *buf, size_t size);

#endif
