/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures of one run by group of CPUs and state, and the list of measures that tables are made of.
 * A struct facts owns its groups; release with facts_free(). Times are ns, shares 0..1.
 */
#ifndef REIDLE_SRC_FACTS_H
#define REIDLE_SRC_FACTS_H

#include "src/expr.h"
#include "src/run.h"
#include "src/topology.h"

/* which CPU belongs to which group */
struct grouping {
	int n;
	int *of;	    /* [ncpus]; -1: in none */
	char (*name)[40];   /* [n] */
	int ncpus;
	char what[16];	    /* "cpu", "cluster"... head of the column; "" when there is one group */
};

/**
 * grouping_make() - by "all", "cpu" or "cluster" (CPUs with the same state table)
 * @cpus: only these; NULL: all
 * Return: 0, or -1 with err for any other word
 */
int grouping_make(struct grouping *g, const char *by, const struct machine *m, int ncpus,
	const bool *cpus, struct error *err);
/** grouping_of_level() - by a level of a topology; groups are named by their number */
void grouping_of_level(struct grouping *g, const struct topology_level *l, int ncpus, const bool *cpus);
void grouping_free(struct grouping *g);

/* one state (or all states) of one group */
struct fact {
	struct state_sum sum;
	int64_t span_ns; /* of all CPUs of the group together; 0 unknown (dumps) */
	int64_t idle_ns; /* of the whole group, all states */
	uint64_t idles;	 /* of the whole group, all states */
	bool verdicts;	 /* above and below are known */
	bool misses;	 /* cpu_idle_miss was recorded */
	bool lengths;	 /* percentiles are known */
	int64_t wake_mean_ns, wake_p99_ns; /* wake-up latency; < 0 unknown */
	uint64_t wakes;	 /* periods whose wake-up latency is known */
};

struct fact_group {
	const char *name;
	const struct state_table *table; /* of its first CPU */
	bool mixed; /* other CPUs of it have states of other names under the same numbers */
	int ncpus;
	struct fact state[STATES_MAX], total;
};

struct facts {
	const struct run *run;
	const char *label, *what;
	struct fact_group *group;
	int ngroups;
};

/**
 * facts_build() - sums of a run's CPUs by group
 * @g: grouping; must outlive the facts
 * @span_ns: length of the window that the run covers, per CPU; 0 unknown
 * Return: 0, or -1 with err (EXIT_INTERNAL) when an invariant of exports.md is violated
 */
int facts_build(struct facts *out, const struct run *r, const struct grouping *g, int64_t span_ns,
	struct error *err);
void facts_free(struct facts *f);

/**
 * facts_by_wake() - as facts_build() of one group, with what ended a period in the place of states
 * @kinds: filled with the kinds' names; must outlive the facts
 */
int facts_by_wake(struct facts *out, const struct run *r, const struct grouping *g, int64_t span_ns,
	struct state_table *kinds, struct error *err);

/** fact_add() - add one fact to another: counts and times; percentiles get lost */
void fact_add(struct fact *to, const struct fact *from);

struct measured {
	bool known, real;
	int64_t i;
	double d;
	uint64_t n; /* values behind it */
};

/* one figure of a fact, and how a column of it looks */
struct measure {
	const char *name; /* in style lists */
	const char *head, *unit, *key;
	double scale;
	int decimals;
	const char *legend; /* for derived columns, else NULL */
	struct measured (*get)(const struct fact *f);
	const char *metric; /* as a row of tables with one column per run */
};

extern const struct measure measure_list[]; /* ends with name NULL */

/** measure_find() - by name of at most @n characters; NULL when there is none */
const struct measure *measure_find(const char *name, size_t n);

/** measure_value() - as a double; NAN when unknown */
double measure_value(const struct measure *m, const struct fact *f);

#endif
