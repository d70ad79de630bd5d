/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stretches of a recording in which a CPU was woken at one pace: how a benchmark that steps through
 * wake-up periods is taken apart again. Times are ns. Release with phases_free().
 */
#ifndef REIDLE_SRC_PHASES_H
#define REIDLE_SRC_PHASES_H

#include "src/facts.h"

struct phase {
	int64_t from_ns, to_ns;
	int64_t period_ns; /* mean time from one wake-up to the next */
	char name[16];	   /* the same in us, rounded */
};

struct phases {
	struct phase *phase;
	int n, cap;
	int cpu; /* whose wake-ups were looked at: the one woken most often */
};

/**
 * phases_find() - cut a recording where the pace of wake-ups changes
 * @r: run 0; ticks and time-outs of states are not wake-ups
 * @cpus: CPUs to choose from; NULL: all
 * Looks at windows of 100 ms: a pace counts when three in a row agree within 8 %. n may be 0.
 */
void phases_find(struct phases *out, const struct run *r, const bool *cpus);
void phases_free(struct phases *p);

/**
 * facts_by_phase() - as facts_build(), with the phases as groups
 * @cpus: CPUs that are summed up; NULL: the one whose pace it is
 * @event_cost_ns: as in run_summarize()
 */
int facts_by_phase(struct facts *out, const struct run *r, const struct phases *p, const bool *cpus,
	int64_t event_cost_ns, struct error *err);

#endif
