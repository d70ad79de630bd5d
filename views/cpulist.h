/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPUs have a lane, in what order: pinned ones on top, or in groups where there are many.
 * A list is plain data that points into the session.
 */
#ifndef REIDLE_VIEWS_CPULIST_H
#define REIDLE_VIEWS_CPULIST_H

#include "views/session.h"

/** cpulist_count() - number of lanes of single CPUs (all, or the pinned ones) */
int cpulist_count(const struct session *s);
/** cpulist_cpu() - the CPU of lane @i, 0..count-1 */
int cpulist_cpu(const struct session *s, int i);
/** cpulist_lane() - the lane of a CPU; -1 when it has none */
int cpulist_lane(const struct session *s, int cpu);

/** cpulist_move() - the cursor by @by lanes (or groups); stays inside */
void cpulist_move(struct session *s, int by);
/** cpulist_scroll() - set session.top so that the cursor's lane is among @visible ones */
void cpulist_scroll(struct session *s, int visible);

#endif
