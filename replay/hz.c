// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/hz.h"

#include <stdlib.h>
#include <string.h>

#define SPACINGS_MAX 4096 /* enough for a median; a long recording has millions */

static const int rates[] = {100, 250, 300, 1000};

bool hz_is_tick(const char *function)
{
	return !strcmp(function, "tick_nohz_handler") || !strcmp(function, "tick_sched_timer");
}

/* the built-in rate whose tick is within 2 % of a spacing; 0 none */
static int rate_near(int64_t spacing_ns)
{
	for (size_t i = 0; i < ARRAY_SIZE(rates); i++) {
		int64_t off = spacing_ns - tick_ns(rates[i]);

		if (llabs(off) * 50 < tick_ns(rates[i]))
			return rates[i];
	}
	return 0;
}

struct votes {
	int n[ARRAY_SIZE(rates)];
	int total;
};

static void vote(struct votes *v, int64_t spacing_ns)
{
	int rate = rate_near(spacing_ns);

	for (size_t i = 0; i < ARRAY_SIZE(rates); i++)
		v->n[i] += rates[i] == rate;
	v->total += rate != 0;
}

/*
 * A tick that is re-armed by its own expiry moves on by one tick exactly; a stopped one by many.
 * Multiples are told apart because the shortest spacing is by far the most frequent.
 */
static void vote_cpu(struct votes *v, const struct trace *t, const struct cpu_trace *c)
{
	int64_t before = 0;

	for (size_t i = 0; i < c->nevs && v->total < SPACINGS_MAX; i++) {
		const struct event *e = &c->ev[i];

		if (e->kind != EV_HRTIMER_START || !hz_is_tick(trace_name(t, e->name)))
			continue;
		if (before && e->a > before)
			vote(v, e->a - before);
		before = e->a;
	}
}

/* the tick part of the sleep length is at most a tick while the tick runs, and comes close to it */
static int rate_from_probe(const struct trace *t)
{
	int64_t longest = 0;

	for (int cpu = 0; cpu < t->ncpus; cpu++) {
		const struct cpu_trace *c = &t->cpu[cpu];

		for (size_t i = 0; i < c->nevs; i++) {
			const struct event *e = &c->ev[i];

			if (e->kind == EV_PROBE_SLEEP && e->b != INT64_MIN && e->b < tick_ns(90))
				longest = max64(longest, e->b);
		}
	}
	for (size_t i = ARRAY_SIZE(rates); i-- > 0;)
		if (longest > 0 && longest <= tick_ns(rates[i]) + 20000)
			return rates[i];
	return 0;
}

int hz_find(const struct trace *t, char *source, size_t size)
{
	struct votes v = {0};
	size_t best = 0;
	int hz;

	for (int cpu = 0; cpu < t->ncpus; cpu++)
		vote_cpu(&v, t, &t->cpu[cpu]);
	for (size_t i = 0; i < ARRAY_SIZE(rates); i++)
		if (v.n[i] > v.n[best])
			best = i;
	if (v.total >= 3 && v.n[best] * 2 > v.total) {
		copy_text(source, size, "tick spacing");
		return rates[best];
	}
	hz = rate_from_probe(t);
	copy_text(source, size, hz ? "probe" : "guessed");
	return hz ? hz : 250;
}
