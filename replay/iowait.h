/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many tasks of each CPU may be waiting for I/O: those that were switched out in uninterruptible
 * sleep and not woken since. The kernel counts only some of these, so it is an upper bound.
 * iowait_free() releases the struct.
 */
#ifndef REIDLE_REPLAY_IOWAIT_H
#define REIDLE_REPLAY_IOWAIT_H

#include "src/trace.h"

struct iowait_task;

struct iowait {
	int ncpus;
	uint32_t *waiting; /* [ncpus] */
	struct iowait_task *task;
};

void iowait_init(struct iowait *w, int ncpus);
void iowait_free(struct iowait *w);
/** iowait_feed() - take a switch or a waking into account; @cpu: where it was recorded */
void iowait_feed(struct iowait *w, int cpu, const struct event *e);

#endif
