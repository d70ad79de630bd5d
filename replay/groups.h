/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs that share hardware: how long a whole group was idle and how deep, and how many threads of a
 * core took a slot. A group is idle in depth d while all its CPUs are in state d or deeper.
 * Plain sums; nothing is owned. Times are ns.
 */
#ifndef REIDLE_REPLAY_GROUPS_H
#define REIDLE_REPLAY_GROUPS_H

#include "src/run.h"

#define SMT_MODES 5 /* no thread, SMT1, SMT2, SMT4, SMT8 */

struct group_sum {
	int ncpus;
	int64_t span_ns;
	int64_t busy_ns;	       /* at least one CPU was not idle */
	int64_t co_idle_ns[STATES_MAX]; /* all idle, the shallowest of them in this state */
	int64_t smt_ns[SMT_MODES];     /* by the threads that took a slot: 0, 1, 2, 3..4, 5 and more */
	uint64_t idles;		       /* times that the whole group became idle */
};

/**
 * group_sums() - of every group of a run
 * @group_of: [ncpus], 0..ngroups-1, -1 in none
 * @from_ns, @to_ns: the watched time; what is not idle in it counts as running
 * @out: [ngroups], filled
 * A thread in a state that polls still takes its slot (snooze); in any other it gives it up (CEDE).
 */
void group_sums(struct group_sum *out, int ngroups, const struct run *r, const int *group_of,
	int64_t from_ns, int64_t to_ns);

#endif
