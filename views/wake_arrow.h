/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arrow from the lane of the CPU that woke to the one under the cursor that was woken. Nothing is owned.
 */
#ifndef REIDLE_VIEWS_WAKE_ARROW_H
#define REIDLE_VIEWS_WAKE_ARROW_H

#include "views/view.h"

/* the lanes as drawn */
struct lanes_place {
	int x, y;	     /* first column of time, first row */
	int height, visible; /* rows of a lane, lanes */
};

/**
 * wake_arrow() - for the period of the recording that the cursor means
 * A waker whose lane is not in view is named at the edge that it lies behind. Nothing is drawn where the
 * period is too short to see, or was not ended by another CPU.
 */
void wake_arrow(const struct session *s, struct canvas *c, const struct lanes_place *p);

#endif
