// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The oracle: is told how long the idle period will be, and takes the deepest enabled state whose
 * residency fits and whose latency the limit allows. What any governor can at best reach.
 */
#include "replay/models.h"
#include "replay/model.h"

static void oracle_init(void *cpu, const struct gov_machine *mc, const struct gov_spec *spec)
{
	(void)spec;
	core_init(cpu, mc, 1000);
}

static struct gov_choice oracle_select(
	void *cpu, const struct gov_input *in, int64_t true_length_ns)
{
	const struct core *c = cpu;
	int first = -1, best = -1;
	bool stop;

	for (int i = 0; i < c->nstates; i++) {
		if (core_is(in->disabled, i))
			continue;
		if (first < 0)
			first = i;
		if (c->residency[i] <= true_length_ns && c->latency[i] <= in->limit_ns)
			best = i;
	}
	if (best < 0)
		best = first < 0 ? 0 : first;
	stop = c->residency[best] >= c->tick || true_length_ns > c->tick;
	return (struct gov_choice){best, stop, GOV_READ_LIMIT, 0};
}

static bool oracle_reflect(void *cpu, const struct gov_outcome *out)
{
	(void)cpu;
	(void)out;
	return false;
}

static void oracle_explain(
	const void *cpu, const struct gov_input *in, const struct gov_choice *c, struct explain *x)
{
	const struct core *k = cpu;

	for (int i = 0; i < k->nstates; i++) {
		char r[32], l[32];

		explain_line(x, core_name(k, i), "residency %s, exit latency %s%s",
			explain_time(r, sizeof(r), k->residency[i]),
			explain_time(l, sizeof(l), k->latency[i]),
			core_is(in->disabled, i)       ? ": disabled"
			: k->latency[i] > in->limit_ns ? ": over the latency limit"
						       : "");
	}
	explain_line(
		x, "chosen", "%s: the deepest that the true length fills", core_name(k, c->state));
}

const struct governor governor_oracle = {
	.name = "oracle",
	.summary = "knows each length: the best possible",
	.cpu_size = sizeof(struct core),
	.init = oracle_init,
	.select = oracle_select,
	.reflect = oracle_reflect,
	.explain = oracle_explain,
	.sees_future = true,
	.reference = true,
};
