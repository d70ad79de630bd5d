/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The idle loop of one CPU, walked over its sojourns. Internal to replay/free*.c.
 * The setup is shared by all CPUs and read-only; a walker belongs to one thread. Times are ns.
 */
#ifndef REIDLE_REPLAY_FREE_CPU_H
#define REIDLE_REPLAY_FREE_CPU_H

#include "replay/change.h"
#include "replay/free.h"

/* one state table as the loop needs it */
struct free_table {
	const struct state_table *table;
	int64_t timeout_ns[STATES_MAX];	 /* the state gives up by itself; INT64_MAX never */
	int64_t latency_ns[STATES_MAX]; /* exit latency added to a wake from this state */
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
	bool emulated;	  /* no recorded delay holds an exit latency */
	bool keeps_tick;  /* the shallowest reference never stops it */
};

struct latencies {
	int32_t *ns;
	size_t n, cap;
};

/* what one CPU's walk gives */
struct free_result {
	struct run_cpu *cpu;
	struct latencies wake;
	struct change_sum change;
};

/** free_change_cpu() - one CPU's part of free_changes(); its periods must be there */
void free_change_cpu(struct change_sum *out, const struct run *run, const struct sojourns *s,
	const struct run *recorded, int cpu, int64_t limit_ns);

/** free_cpu_run() - walk all sojourns of a CPU; out->cpu's periods and counts are filled */
void free_cpu_run(struct free_result *out, const struct free_setup *setup, int cpu);

#endif
