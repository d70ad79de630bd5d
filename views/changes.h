/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where two runs of one recording differ: the stretches in which a CPU is idle in both, in different
 * states. The list is the caller's to free(). Times are ns on the recording's clock.
 */
#ifndef REIDLE_VIEWS_CHANGES_H
#define REIDLE_VIEWS_CHANGES_H

#include "views/session.h"

/** changes_build() - all differences, by cpu and then by time; release with changes_free() */
void changes_build(struct changes *out, const struct timeline *left, const struct timeline *right);
/** changes_sort() - by time, and in by_cost by how much more the costlier of the two costs, falling */
void changes_sort(struct changes *list);
void changes_free(struct changes *list);

#endif
