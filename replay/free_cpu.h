/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The idle loop of one CPU, walked over its sojourns. Internal to replay/free*.c.
 * The setup is shared by all CPUs and read-only; a walker belongs to one thread. Times are ns.
 */
#ifndef REIDLE_REPLAY_FREE_CPU_H
#define REIDLE_REPLAY_FREE_CPU_H

#include "replay/change.h"
#include "replay/free.h"
#include "src/quantile.h"

/* one state table as the loop needs it */
struct free_table {
	const struct state_table *table;
	int64_t timeout_ns[STATES_MAX];	 /* the state gives up by itself; INT64_MAX never */
	int64_t latency_ns[STATES_MAX]; /* exit latency added to a wake from this state */
	struct verdict_span span[STATES_MAX];
	uint32_t disabled;
};

struct free_setup {
	const struct sojourns *s;
	const struct trace *trace;
	const struct gov_spec *spec;
	const struct machine *machine, *recorded; /* to replay on; as recorded */
	struct free_table *table; /* per machine table */
	int64_t tick_ns;
	int hz;
	int64_t limit_ns; /* < 0: as recorded */
	enum replay_bound bound;
	bool busiest;
	bool emulated;	  /* no recorded delay holds an exit latency */
	bool keeps_tick;  /* the shallowest reference never stops it */
};

struct latencies {
	int32_t *ns;
	size_t n, cap;
};

/* idle loop variables of one CPU (free_walker.h), and what its periods are compared with */
struct walker;
struct changes;

/* what one CPU's walk gives */
struct free_result {
	struct run_cpu *cpu; /* not where other threads write: a line of the cache holds two of them */
	struct latencies wake;
	struct quantile wakes;
	struct change_sum change;
};

/**
 * free_change_begin() - one CPU's part of free_changes(), stretch by stretch
 * @run: its periods as they come; @table: what they were replayed on
 */
struct changes *free_change_begin(const struct run_cpu *run, const struct state_table *table,
	const struct sojourns *s, const struct run *recorded, int cpu, int64_t limit_ns);
/** free_change_feed() - sojourns [from, to), in order; the run's periods of them begin at run_from */
void free_change_feed(struct changes *ch, size_t from, size_t to, size_t run_from);
/** free_change_end() - the sums; what free_change_begin() gave is released */
void free_change_end(struct changes *ch, struct change_sum *out);

/** free_cpu_begin() - the governor of a CPU, before the first sojourn; @out must stay until the end */
struct walker *free_cpu_begin(struct free_result *out, const struct free_setup *setup, int cpu);
/** free_cpu_walk() - through sojourns [from, to), in order; out->cpu's periods and counts are added to */
void free_cpu_walk(struct walker *w, size_t from, size_t to);
void free_cpu_end(struct walker *w);

/** free_cpu_run() - all sojourns of a CPU */
void free_cpu_run(struct free_result *out, const struct free_setup *setup, int cpu);

#endif
