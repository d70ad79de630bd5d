/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of one recording by the groups that the command line asks for: CPUs, clusters, wake-up periods.
 * The struct owns groups and facts; the runs stay the caller's. Release with tabulated_free().
 */
#ifndef REIDLE_SRC_RECORDING_TABULATE_H
#define REIDLE_SRC_RECORDING_TABULATE_H

#include "src/options.h"
#include "src/phases.h"

struct tabulated {
	struct grouping groups;
	struct phases phases; /* --by period */
	struct facts *facts;  /* [n], as the runs */
	size_t n;
};

/**
 * tabulate() - the facts of n runs
 * @runs: [0] is the recording, or the only run
 * @by: "all", "cpu", "cluster", or "period": stretches in which a CPU was woken at one pace
 * @span_ns: watched time per CPU; 0 unknown
 * Return: 0, or -1 with err (usage: no such groups; internal: an invariant is violated)
 */
int tabulate(struct tabulated *t, const struct run *const *runs, size_t n, const char *by,
	int64_t span_ns, int64_t event_cost_ns, const struct options *o, struct error *err);
void tabulated_free(struct tabulated *t);

/** groups_of() - --by, or what the style is about, or "all" */
const char *groups_of(const struct options *o);

#endif
