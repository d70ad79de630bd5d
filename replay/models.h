/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The governor models that need no header of their own. All are constant. Times are ns. */
#ifndef REIDLE_REPLAY_MODELS_H
#define REIDLE_REPLAY_MODELS_H

#include "replay/governor.h"

extern const struct governor governor_ladder;
extern const struct governor governor_haltpoll;
extern const struct governor governor_oracle; /* the only one that is told the true length */
extern const struct governor governor_shallowest;
extern const struct governor governor_deepest;
extern const struct governor governor_fixed;

#endif
