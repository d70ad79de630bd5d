// SPDX-License-Identifier: GPL-2.0-or-later
/* How long after its wake each recorded period ended. */
#include "replay/free.h"

static void sojourn_delays(struct run_cpu *c, const struct sojourns_cpu *sc, const struct sojourn *so)
{
	for (uint32_t k = 0; k < so->narrivals; k++) {
		const struct arrival *a = &sc->arrival[so->arrival + k];

		if (!(a->flags & ARRIVAL_ENDED) || a->period >= so->nperiods ||
			a->then.delay_ns == UNKNOWN_NS)
			continue;
		if (so->period + a->period < c->nperiods)
			c->period[so->period + a->period].delay_ns = a->then.delay_ns;
	}
}

void free_period_delays(struct run *run0, const struct sojourns *s)
{
	run_own(run0);
	run0->delays = true;
	for (int i = 0; i < run0->ncpus; i++)
		for (size_t k = 0; k < s->cpu[i].n; k++)
			sojourn_delays(&run0->cpu[i], &s->cpu[i], &s->cpu[i].sojourn[k]);
}
