/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Free replay: a governor's memory is fed with its own choices and their outcomes over the sojourns
 * of a recording. Exogenous wakes stay where they were; ticks, aborted entries and polling
 * time-outs are the model's own doing. Runs are the caller's to free (run_free()). Times are ns.
 */
#ifndef REIDLE_REPLAY_FREE_H
#define REIDLE_REPLAY_FREE_H

#include "replay/replay.h"
#include "replay/sojourn.h"

/**
 * replay_free() - one governor over a recording
 * @out: filled: periods, sums, ticks, stops, aborts, wake latencies, changes against the recording
 * @s: the recording's sojourns
 * @recorded: run 0
 * @opt: machine to replay on (NULL: run 0's), limit, tick rate, latency model, threads, progress
 * Return: 0, or -1 with err (cancelled)
 * Rules: what holds for each is said where it is applied; all were measured on recordings with
 * probes.
 */
int replay_free(struct run *out, const struct sojourns *s, const struct run *recorded,
	const struct gov_spec *spec, const struct replay_options *opt, struct error *err);

/** replay_bound_name() - in words, for labels; "" for BOUND_NONE */
const char *replay_bound_name(enum replay_bound bound);

/* how well a replay of the recorded governor on its own machine gives the recording back */
struct self_check {
	char governor[140];
	bool known;		 /* false: the recorded governor is not known; the rest is NAN */
	uint64_t sojourns, same; /* with at least one period; with the identical state sequence */
	double same_sequences;	 /* same / sojourns */
	double time_error;	 /* largest difference of a state's time, of the span */
	double usage_error;	 /* half the sum of usage differences, of the periods */
	double worst_cpu_time_error; /* the same as time_error, on the worst CPU, of its span */
};

void free_self_check(struct self_check *out, const struct sojourns *s, const struct run *recorded,
	const struct run *run);

/**
 * free_check_engine() - replay the recorded governor and compare; at the worst bound where there are some
 * @options: warm-up, threads, progress; Return: 0, or -1 with err (cancelled)
 */
int free_check_engine(struct self_check *out, const struct sojourns *s, const struct run *recorded,
	const struct gov_spec *spec, const struct replay_options *options, struct error *err);

/** free_describe_recording() - ticks, stops, aborts, wake latencies and regret of run 0 */
void free_describe_recording(struct run *run0, const struct sojourns *s);

/** free_period_delays() - fill period.delay_ns of run 0, which gets periods of its own */
void free_period_delays(struct run *run0, const struct sojourns *s);

/** latency_sum_of() - percentiles of n latencies, which are moved about; @paid_ns gets their sum */
void latency_sum_of(struct latency_sum *out, int64_t *paid_ns, int64_t *ns, size_t n);

/**
 * free_changes() - add up run.change, regret_ns, too_shallow_ns, limited: replay.md 5
 * @limit_ns: what-if latency limit of the run; < 0: as recorded
 * replay_free() has done it already; it is for run 0 against itself (the recording's own regret).
 */
void free_changes(struct run *run, const struct sojourns *s, const struct run *recorded,
	int64_t limit_ns);

#endif
