/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run: the idle periods of every CPU under one governor, parameters and machine. The recording is
 * run 0; replays, oracles, sweep cells and other recordings are runs too. A run owns its arrays unless
 * `borrowed` (run 0 shares the trace's). Times are ns on the recording's clock.
 */
#ifndef REIDLE_SRC_RUN_H
#define REIDLE_SRC_RUN_H

#include "src/machine.h"
#include "src/trace.h"

struct state_sum {
	uint64_t usage, above, below, above_recorded, below_recorded;
	int64_t time_ns;
	int64_t mean_ns, p50_ns, p99_ns; /* of closed periods; 0 when usage is 0 */
};

/* quantiles over the periods of all states together */
struct run_lengths {
	bool known;
	int64_t p50_ns, p99_ns;
};

/* where inputs are not known: least and most of what each sum may have been */
struct state_span {
	uint64_t usage[2], above[2], below[2];
	int64_t time_ns[2];
};

struct run_cpu {
	struct period *period;
	size_t nperiods, cap;
	struct state_sum state[STATES_MAX];
	struct run_lengths any;
	uint64_t decisions, aborted, ticks, tick_stops, undetermined;
	struct state_span span[STATES_MAX];
	unsigned read;	   /* GOV_READ_* of all its decisions */
	uint64_t doubtful; /* decisions that asked for tasks in I/O wait, or utilization, which is not known */
};

/* against the recording, per stretch between exogenous arrivals (replay.md 5) */
struct run_change {
	uint64_t changed, better, worse, same;
	/* sums over the stretches for a test in pairs: cost of the recording and of the run, ns */
	uint64_t pairs;
	double cost_recorded, cost_run, cost_diff, cost_diff2;
};

/** run_change_pair() - count one stretch under both */
static inline void run_change_pair(struct run_change *c, int64_t recorded_ns, int64_t run_ns)
{
	double diff = (double)(run_ns - recorded_ns);

	c->pairs++;
	c->cost_recorded += (double)recorded_ns;
	c->cost_run += (double)run_ns;
	c->cost_diff += diff;
	c->cost_diff2 += diff * diff;
}

struct latency_sum {
	uint64_t n;
	int64_t mean_ns, p50_ns, p90_ns, p99_ns, p999_ns, max_ns;
	bool known;
};

struct run {
	char label[140];
	char governor[140]; /* resolved; recorded governor's name for run 0 */
	char table[64];	    /* id or "recorded" */
	char latency_model[16]; /* "table", "measured" */
	const struct trace *trace;
	struct machine machine; /* own copy */
	bool borrowed;
	bool recorded; /* run 0 */
	bool part;     /* of a selection: what is kept in sums for the whole run only is not known */
	bool no_verdicts; /* counters of a tool that does not print above and below */
	bool ticks_known; /* false: ticks as recorded (JSON null) */
	int ncpus;
	struct run_cpu *cpu;
	struct state_sum total[STATES_MAX];
	bool spans; /* span is filled, here and of each CPU */
	struct state_span span[STATES_MAX];
	struct run_lengths any;
	bool delays; /* run 0: period.delay_ns is filled */
	struct run_change change;
	struct latency_sum wake_latency;
	/* run 0 of a huge recording: periods of which more is known, see struct sample; NULL: all of them */
	const struct run *sample;
	int64_t event_cost_ns; /* what run_summarize() took off each length before the verdict */
	int64_t latency_paid_ns, regret_ns, too_shallow_ns;
	uint64_t limited;
};

/** run_judged() - are above and below of this run known */
static inline bool run_judged(const struct run *r)
{
	return !r->no_verdicts && (r->trace ? machine_judges(&r->machine)
					    : r->machine.source != MACHINE_GUESSED);
}

/**
 * run_of_recording() - run 0
 * @event_cost_ns: subtracted from each length before the verdict (the kernel's residency is shorter
 * than the recorded length by the cost of the events); 0 when not known
 */
void run_of_recording(struct run *out, const struct trace *t, const struct machine *m,
	int64_t event_cost_ns);

/** run_summarize() - fill state sums of every CPU and in total from the periods; checks invariants */
void run_summarize(struct run *r, int64_t event_cost_ns);

/**
 * run_sums_begin() - the sums of one CPU as its periods come; they need not be kept (8 bytes of each are)
 * CPUs may be done by different threads.
 */
struct run_sums *run_sums_begin(const struct state_table *table, int64_t event_cost_ns);
/** run_sums_add() - the next n periods */
void run_sums_add(struct run_sums *s, const struct period *p, size_t n);
/** run_sums_end() - fill the sums per state and the quantiles of a CPU; releases what begin gave */
void run_sums_end(struct run_sums *s, struct run_cpu *out);

/**
 * run_total() - total sums from those of the CPUs
 * @have_periods: false: they were not kept; percentiles of totals are then -1
 */
void run_total(struct run *r, int64_t event_cost_ns, bool have_periods);
void run_free(struct run *r);

/** run_span_add() - the sum of two CPUs */
void run_span_add(struct state_span *to, const struct state_span *s);
/** run_span_widen() - least and most of two; @first: of one only */
void run_span_widen(struct state_span *to, const struct state_span *s, bool first);

/** run_own() - a run that borrowed its periods gets a copy that it may change */
void run_own(struct run *r);

#endif
