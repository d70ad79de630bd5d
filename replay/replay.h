/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Driving a governor over a recording: taught (verify, decisions -g, explain), simple (each recorded
 * period and its wake held), free (sojourns with model-made ticks). Results are runs and verify sums;
 * the caller frees them. CPUs are independent; output does not depend on the number of threads.
 */
#ifndef REIDLE_REPLAY_REPLAY_H
#define REIDLE_REPLAY_REPLAY_H

#include "replay/decision.h"
#include "replay/governor.h"
#include "src/run.h"

enum latency_model { LATENCY_DEFAULT, LATENCY_TABLE, LATENCY_MEASURED };

/*
 * A recording without timers and task switches leaves the governor's inputs open: free replay is then
 * run at the ends of what may have been, and the truth lies between (not for each number strictly).
 */
enum replay_bound {
	BOUND_NONE,	 /* what was recorded says it */
	BOUND_TIMERS,	 /* every wake was a timer that the governor saw */
	BOUND_NO_TIMERS, /* no wake was: the next timer is far away */
	BOUND_TICKS,	 /* as before, and every wake within a tick was the tick */
	BOUND_COUNT
};

struct replay_options {
	const struct machine *machine; /* what to replay on; NULL: the recorded one */
	int64_t limit_ns;	       /* what-if latency limit; < 0: as recorded */
	int hz;			       /* what-if tick rate; 0: as recorded */
	enum latency_model latency_model;
	int warmup; /* decisions left out per CPU at the start and after each hole */
	int threads;
	enum replay_bound bound; /* for sojourns.alone only */
	bool busiest; /* free replay: all tasks that may wait for I/O do, each CPU is utilized; else none */
	bool summary; /* free replay: keep no periods, only sums (total percentiles to 1 in 64) */
	bool (*progress)(void *ctx, double fraction); /* true cancels; may be NULL */
	void *ctx;
	/* taught mode: is a decision counted; all teach. May be NULL, called from several threads */
	bool (*counts)(const void *ctx, int cpu, const struct decision *d);
	const void *counts_ctx;
};

struct verify_result {
	uint64_t decisions, compared, agree, warmup, undetermined;
	double agreement, agreement_all; /* NAN when nothing was compared */
	uint64_t naive_agree, naive_compared; /* "same state as last time" on the same decisions */
	uint64_t matrix[STATES_MAX][STATES_MAX]; /* [recorded][replayed] */
	/* causes of disagreement, in the order of verify_cause_name() */
	uint64_t cause[8];
	uint64_t sleep_read_compared, sleep_read_agree;
};

const char *verify_cause_name(int i); /* NULL past the last */

/** one replayed choice of taught mode, for decisions -g and tests */
struct taught_choice {
	int8_t state;
	bool stop_tick, undetermined, warmup;
	uint8_t read;
};

/*
 * Each of the engines below returns -1 also when a plug-in failed (governor_failure() tells it from
 * other causes); other runs are not touched by it.
 */

/**
 * replay_taught() - the governor's memory is fed with the recorded outcomes
 * @choice: NULL, or per CPU an array of as many entries as decisions, filled
 */
int replay_taught(struct verify_result *out, const struct decisions *d, const struct machine *m,
	const struct gov_spec *spec, const struct replay_options *opt, struct taught_choice **choice,
	struct error *err);

/* one taught decision as it was just made */
struct watched {
	size_t index;	    /* in the CPU's decisions */
	const struct decision *d;
	const void *memory; /* the governor's, right after select(): what explain() wants */
	struct gov_input in;
	struct gov_choice choice;
};

/**
 * replay_watch() - teach a governor the decisions of one CPU, and show each of its own
 * @see: called right after every select(); false ends the replay
 */
void replay_watch(const struct decisions *d, const struct machine *m, const struct gov_spec *spec,
	const struct replay_options *opt, int cpu, bool (*see)(void *ctx, const struct watched *w),
	void *ctx);

/**
 * replay_explain() - one decision in the governor's own words, its memory taught up to there
 * @cpu, @index: decision of @d; must not be forced
 * @x: lines are added; the caller frees with explain_free()
 * @choice: what it chose
 * Return: 0, or -1 with err (a plug-in failed)
 */
int replay_explain(struct explain *x, struct gov_choice *choice, const struct decisions *d,
	const struct machine *m, const struct gov_spec *spec, int cpu, size_t index, struct error *err);

/** replay_simple() - a run in which every recorded period and its wake is held, ticks as recorded */
int replay_simple(struct run *out, const struct run *recorded, const struct decisions *d,
	const struct gov_spec *spec, const struct replay_options *opt, struct error *err);

#endif
