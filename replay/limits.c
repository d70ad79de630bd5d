// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/limits.h"

#include <stdlib.h>
#include <string.h>

#define NO_LIMIT_US 2000000000 /* PM_QOS_CPU_LATENCY_DEFAULT_VALUE; per device 2^31-1 */
#define HOLDER_PERIODS_MIN 50  /* so many shallowest entries in a row are no accident */

/* tools that keep /dev/cpu_dma_latency at 0 while they run (rt-tests: cyclictest, oslat) */
static const char *const holders[] = {"cyclictest", "oslat"};

static int64_t limit_of(int64_t value_us)
{
	if (value_us < 0 || value_us >= NO_LIMIT_US)
		return LATENCY_ANY;
	return value_us * NSEC_PER_USEC;
}

static void find_mentions(struct limits *l, uint32_t name)
{
	for (int i = 0; i < l->trace->ncpus; i++) {
		const struct cpu_trace *c = &l->trace->cpu[i];

		for (size_t k = 0; k < c->nevs; k++) {
			const struct event *e = &c->ev[k];
			int64_t until = e->at_ns;

			if (e->name != name || (e->kind != EV_SWITCH && e->kind != EV_WAKING &&
						       e->kind != EV_WAKEUP))
				continue;
			/* once switched to, it runs until the next switch */
			while (e->kind == EV_SWITCH && ++k < c->nevs)
				if (c->ev[k].kind == EV_SWITCH) {
					until = c->ev[k--].at_ns;
					break;
				}
			l->held_from_ns = min64(l->held_from_ns, e->at_ns);
			l->held_to_ns = max64(l->held_to_ns, until);
		}
	}
}

/* a limit of 0 leaves only the shallowest state, so a deeper one says that there was none */
static bool only_shallowest(const struct limits *l)
{
	size_t n = 0, deeper = 0;

	for (int i = 0; i < l->trace->ncpus; i++) {
		const struct cpu_trace *c = &l->trace->cpu[i];

		for (size_t k = 0; k < c->nperiods; k++) {
			if (c->period[k].enter_ns < l->held_from_ns ||
				c->period[k].enter_ns > l->held_to_ns)
				continue;
			n++;
			deeper += c->period[k].state > 0;
		}
	}
	return n >= HOLDER_PERIODS_MIN && deeper * 100 <= n;
}

static bool find_holder(struct limits *l, const char *comm)
{
	for (uint32_t i = 1; i < l->trace->nnames; i++) {
		if (strcmp(l->trace->name[i], comm))
			continue;
		l->held_from_ns = INT64_MAX;
		l->held_to_ns = INT64_MIN;
		find_mentions(l, i);
		copy_text(l->holder, sizeof(l->holder), comm);
		return l->held_from_ns < l->held_to_ns && only_shallowest(l);
	}
	return false;
}

static void take_snapshot(struct limits *l, const struct machine *m)
{
	l->source = LIMIT_SNAPSHOT;
	l->base_ns = l->global_ns = m->limit_ns;
	for (int i = 0; i < l->trace->ncpus && i < m->ncpus; i++)
		l->cpu_ns[i] = m->cpu_limit_ns[i];
}

void limits_init(struct limits *l, const struct trace *t, const struct machine *m)
{
	*l = (struct limits){.trace = t, .base_ns = LATENCY_ANY, .global_ns = LATENCY_ANY};
	l->cpu_ns = xcalloc((size_t)t->ncpus + 1, sizeof(*l->cpu_ns));
	for (int i = 0; i < t->ncpus; i++)
		l->cpu_ns[i] = LATENCY_ANY;
	if (m->cpu_limit_ns) {
		take_snapshot(l, m);
		return;
	}
	if (t->present & (EV_BIT(EV_PM_QOS) | EV_BIT(EV_DEV_PM_QOS))) {
		l->source = LIMIT_EVENTS;
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(holders) && l->source == LIMIT_ASSUMED; i++)
		if (find_holder(l, holders[i]))
			l->source = LIMIT_HOLDER;
}

void limits_free(struct limits *l)
{
	free(l->request);
	free(l->cpu_ns);
	*l = (struct limits){0};
}

/* the events do not name the request; each task is taken to have one */
static void global_request(struct limits *l, const struct event *e)
{
	size_t i;

	for (i = 0; i < l->nrequests && l->request[i].pid != e->pid; i++)
		;
	if (i == l->nrequests) {
		GROW(l->request, l->nrequests, l->request_cap);
		l->nrequests++;
		/* no addition, and not seen before: it changes the request of the start */
		if (e->aux)
			l->base_ns = LATENCY_ANY;
	}
	l->request[i] = (struct limit_request){.pid = e->pid, .limit_ns = limit_of(e->a)};
	if (e->aux == 2)
		l->request[i] = l->request[--l->nrequests];
	l->global_ns = l->base_ns;
	for (i = 0; i < l->nrequests; i++)
		l->global_ns = min64(l->global_ns, l->request[i].limit_ns);
}

void limits_feed(struct limits *l, const struct event *e)
{
	if (e->kind == EV_PM_QOS)
		global_request(l, e);
	else if (e->kind == EV_DEV_PM_QOS && e->b >= 0 && e->b < l->trace->ncpus)
		l->cpu_ns[e->b] = e->aux == 2 ? LATENCY_ANY : limit_of(e->a);
}

int64_t limits_at(const struct limits *l, int cpu, int64_t at_ns)
{
	if (l->source == LIMIT_HOLDER && at_ns >= l->held_from_ns && at_ns <= l->held_to_ns)
		return 0;
	return min64(l->global_ns, l->cpu_ns[cpu]);
}
