/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPU latency limit over time: from pm_qos events, else from a task that is known to hold one.
 * limits_free() releases it. Limits are ns, LATENCY_ANY without a request; times are ns, absolute.
 */
#ifndef REIDLE_REPLAY_LIMITS_H
#define REIDLE_REPLAY_LIMITS_H

#include "src/machine.h"
#include "src/trace.h"

enum limit_source {
	LIMIT_ASSUMED, /* nothing recorded: taken to be none */
	LIMIT_HOLDER,  /* a measuring tool ran that holds it at 0, and only the shallowest state was entered */
	LIMIT_EVENTS,  /* pm_qos events */
	LIMIT_SNAPSHOT, /* the limits at the start, and pm_qos events if there are any */
};

struct limit_request {
	int pid;
	int64_t limit_ns;
};

struct limits {
	const struct trace *trace;
	enum limit_source source;
	struct limit_request *request; /* global ones, by the task that made them */
	size_t nrequests, request_cap;
	int64_t base_ns; /* global limit at the start, until the task that held it lets go */
	int64_t global_ns;
	int64_t *cpu_ns; /* [ncpus] */
	int64_t held_from_ns, held_to_ns; /* LIMIT_HOLDER: 0 in between */
	char holder[32];
};

/** limits_init() - @m: the recorded machine, whose limits at the start may be known */
void limits_init(struct limits *l, const struct trace *t, const struct machine *m);
void limits_free(struct limits *l);
/** limits_feed() - take an EV_PM_QOS or EV_DEV_PM_QOS into account; others are ignored */
void limits_feed(struct limits *l, const struct event *e);
/** limits_at() - the limit that a CPU's governor is told */
int64_t limits_at(const struct limits *l, int cpu, int64_t at_ns);

#endif
