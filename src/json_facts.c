// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/json.h"

static json_t *one_fact(const struct fact *f)
{
	const struct state_sum *s = &f->sum;

	return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "usage", (json_int_t)s->usage,
		"time_ns", (json_int_t)s->time_ns, "above", json_known(f->verdicts, (int64_t)s->above),
		"below", json_known(f->verdicts, (int64_t)s->below), "mean_ns",
		json_known(s->usage > 0, s->mean_ns), "p50_ns", json_known(f->lengths, s->p50_ns),
		"p99_ns", json_known(f->lengths, s->p99_ns), "wake_mean_ns",
		json_known(f->wake_mean_ns >= 0, f->wake_mean_ns), "wake_p99_ns",
		json_known(f->wake_p99_ns >= 0, f->wake_p99_ns));
}

static json_t *one_group(const struct fact_group *g)
{
	json_t *states = json_array(), *one;

	for (int s = 0; g->table && s < g->table->nstates; s++) {
		one = one_fact(&g->state[s]);
		json_object_set_new(one, "index", json_integer(s));
		json_object_set_new(one, "name", json_text(g->table->state[s].name));
		json_array_append_new(states, one);
	}
	return json_pack("{s:s, s:i, s:o, s:o, s:o}", "name", g->name, "cpus", g->ncpus, "span_ns",
		json_known(g->total.span_ns > 0, g->total.span_ns), "states", states, "total",
		one_fact(&g->total));
}

json_t *json_groups(const struct facts *f)
{
	json_t *groups = json_array();

	for (int i = 0; i < f->ngroups; i++)
		json_array_append_new(groups, one_group(&f->group[i]));
	return groups;
}
