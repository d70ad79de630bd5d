// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/model.h"

#include <assert.h>

void core_init(struct core *c, const struct gov_machine *m, int unit)
{
	const struct state_table *t = m->table;
	int div = unit == 1 ? 1000 : 1;

	assert(t->nstates >= 1 && t->nstates <= STATES_MAX);
	c->table = t;
	c->nstates = t->nstates;
	/* the kernel rounds TICK_USEC by itself: 3333, not 3333333 / 1000 rounded twice */
	c->tick = unit == 1 ? (1000000 + m->hz / 2) / m->hz : m->tick_ns;
	for (int i = 0; i < t->nstates; i++) {
		c->latency[i] = t->state[i].exit_latency_ns / div;
		c->residency[i] = t->state[i].target_residency_ns / div;
		c->polling |= (uint32_t)t->state[i].polling << i;
	}
}
