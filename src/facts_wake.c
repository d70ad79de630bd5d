// SPDX-License-Identifier: GPL-2.0-or-later
/* Wake sources in the shape of states, so that the same tables and tests serve for them. */
#include "src/facts.h"

#include <string.h>

#include "src/wakes.h"

/* a copy of a period with the kind of its wake as its state */
static void add_period(struct run_cpu *c, const struct period *p)
{
	GROW(c->period, c->nperiods, c->cap);
	c->period[c->nperiods] = *p;
	c->period[c->nperiods].state = (int8_t)p->wake;
	c->period[c->nperiods++].entered = (int8_t)p->wake;
}

int facts_by_wake(struct facts *out, const struct run *r, const struct grouping *g, int64_t span_ns,
	struct state_table *kinds, struct error *err)
{
	struct run by_wake = {.trace = r->trace, .ncpus = r->ncpus};
	int ret;

	memset(kinds, 0, sizeof(*kinds));
	kinds->nstates = WAKE_KINDS;
	for (int k = 0; k < WAKE_KINDS; k++)
		copy_text(kinds->state[k].name, sizeof(kinds->state[k].name),
			wake_kind_name((enum wake_kind)k));
	machine_uniform(&by_wake.machine, kinds, r->ncpus);
	/* what was right for a state says nothing about a kind: no verdicts here */
	by_wake.machine.source = MACHINE_GUESSED;
	by_wake.cpu = xcalloc((size_t)r->ncpus, sizeof(*by_wake.cpu));
	for (int i = 0; i < r->ncpus; i++)
		for (size_t k = 0; k < r->cpu[i].nperiods; k++)
			add_period(&by_wake.cpu[i], &r->cpu[i].period[k]);
	run_summarize(&by_wake, 0);
	ret = facts_build(out, &by_wake, g, span_ns, err);
	run_free(&by_wake);
	if (ret)
		return ret;
	out->run = r;
	out->label = r->label;
	for (int i = 0; i < out->ngroups; i++) {
		out->group[i].table = kinds;
		for (int s = 0; s < STATES_MAX; s++)
			out->group[i].state[s].verdicts = false;
		out->group[i].total.verdicts = false;
	}
	return 0;
}
