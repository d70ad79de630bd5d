/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values gathered for a median. Owned by whoever adds; samples_median() frees them. Any unit. */
#ifndef REIDLE_REPLAY_SAMPLES_H
#define REIDLE_REPLAY_SAMPLES_H

#include "src/util.h"

struct samples {
	int64_t *v;
	size_t n, cap;
};

void samples_add(struct samples *s, int64_t v);
/** samples_median() - and frees them; fallback when there are none */
int64_t samples_median(struct samples *s, int64_t fallback);

#endif
