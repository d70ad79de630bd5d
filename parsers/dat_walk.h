/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All records of one CPU, from all buffers chosen, in time order, into the trace.
 * A lane belongs to one thread at a time; it owns its names and its list of foreign events. Times: ns
 * in events, trace clock units in last_ts.
 */
#ifndef REIDLE_PARSERS_DAT_WALK_H
#define REIDLE_PARSERS_DAT_WALK_H

#include "parsers/dat_stream.h"
#include "src/trace.h"

/* what one CPU's walk has come to */
struct dat_lane {
	struct dat *d;
	struct trace *t;
	int cpu;
	struct cpu_trace *own; /* of the CPU, in the trace */
	uint32_t idle_slot;    /* whose records go straight into periods at present; 0 none */
	uint32_t outside_slot; /* the same where no event is kept */
	uint64_t records;
	bool seen[DAT_SLOTS_MAX + 1]; /* is there a record, by slot */
	uint64_t bad_pages, bad_records, lost, lost_unknown;
	uint64_t first_ts, last_ts; /* over all buffers; first UINT64_MAX: no record */
	const bool *wants; /* by slot + 1: those whose records are decoded at present */
	struct names names;
	/* idle events whose cpu_id names another CPU than the buffer's */
	struct event *foreign;
	size_t nforeign, foreign_cap;
	/* to be merged in from other CPUs' lanes, sorted */
	const struct event *visitor;
	size_t nvisitors;
	/* progress, called when set: true cancels */
	bool (*tick)(void *ctx, uint64_t bytes);
	void *tick_ctx;
};

/** lane_walk() - walk every range of lane->cpu in the chosen buffers */
void lane_walk(struct dat_lane *lane);
void dat_lane_free(struct dat_lane *lane);
/** dat_chosen() - is the buffer among those to read */
bool dat_chosen(const struct dat *d, const struct dat_buffer *b);

#endif
