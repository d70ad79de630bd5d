// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ladder governor: one step deeper after long idle periods, one step back after a short one.
 * Restates drivers/cpuidle/governors/ladder.c of 5.10 .. 7.3. It never asks for the timer or the
 * tick.
 */
#include "replay/models.h"
#include "replay/model.h"

enum ladder_param { LADDER_PROMOTE, LADDER_DEMOTE, LADDER_PARAMS };

struct ladder_cpu {
	struct core core;
	int first; /* shallowest state that is no polling one */
	uint32_t promote_after, demote_after;
	uint32_t longer[STATES_MAX], shorter[STATES_MAX];
};

static const struct gov_param ladder_params[] = {
	[LADDER_PROMOTE] = {"promote_after", "long idle periods before a deeper state", PARAM_INT,
		1, 100, NULL, 0},
	[LADDER_DEMOTE] = {"demote_after", "short idle periods before a shallower state", PARAM_INT,
		1, 100, NULL, 0},
};

static void ladder_init(void *cpu, const struct gov_machine *mc, const struct gov_spec *spec)
{
	struct ladder_cpu *l = cpu;

	core_init(&l->core, mc, 1000);
	l->promote_after = spec->value[LADDER_PROMOTE];
	l->demote_after = spec->value[LADDER_DEMOTE];
	l->first = core_is(l->core.polling, 0) && l->core.nstates > 1;
	l->core.last = l->first;
}

static int move_to(struct ladder_cpu *l, int from, int to)
{
	l->longer[from] = l->shorter[from] = 0;
	l->core.last = to;
	return to;
}

/* down to a state that the limit allows; disabled states are not looked at */
static int step_under_limit(struct ladder_cpu *l, int last, int64_t limit)
{
	int i = last - 1;

	while (i > l->first && l->core.latency[i] > limit)
		i--;
	return move_to(l, last, i);
}

static int climb(struct ladder_cpu *l, const struct gov_input *in)
{
	const struct core *c = &l->core;
	int last = c->last;
	/* unsigned in the kernel: shorter than the exit latency counts as very long */
	uint64_t slept = c->slept - (uint64_t)c->latency[last];
	/* thresholds of states outside the ladder's range are unset */
	uint64_t promotion = last >= l->first ? c->latency[last] : 0;

	if (in->limit_ns == 0)
		return move_to(l, last, 0);
	if (last < c->nstates - 1 && !core_is(in->disabled, last + 1) && slept > promotion &&
		c->latency[last + 1] <= in->limit_ns) {
		l->longer[last]++;
		l->shorter[last] = 0;
		if (l->longer[last] >= (last >= l->first ? l->promote_after : 0))
			return move_to(l, last, last + 1);
	}
	if (last <= l->first)
		return last;
	if (core_is(in->disabled, last) || c->latency[last] > in->limit_ns)
		return step_under_limit(l, last, in->limit_ns);
	if (slept < (uint64_t)c->latency[last]) {
		l->shorter[last]++;
		l->longer[last] = 0;
		if (l->shorter[last] >= l->demote_after)
			return move_to(l, last, last - 1);
	}
	return last;
}

static struct gov_choice ladder_select(
	void *cpu, const struct gov_input *in, int64_t true_length_ns)
{
	(void)true_length_ns;
	return (struct gov_choice){climb(cpu, in), true, GOV_READ_LIMIT, 0};
}

static bool ladder_reflect(void *cpu, const struct gov_outcome *out)
{
	struct ladder_cpu *l = cpu;

	if (core_outcome(&l->core, out) && out->entered > 0)
		l->core.last = out->entered;
	return out->got_tick;
}

static void ladder_explain(
	const void *cpu, const struct gov_input *in, const struct gov_choice *c, struct explain *x)
{
	const struct ladder_cpu *l = cpu;
	const struct core *k = &l->core;
	char t[32], u[32];

	explain_line(x, "last idle period", "%s", explain_time(t, sizeof(t), (int64_t)k->slept));
	explain_line(x, "",
		"less the exit latency, against the thresholds of its state; shorter than the "
		"latency counts as very long, as in the kernel");
	if (in->limit_ns < LATENCY_ANY)
		explain_line(x, "latency limit", "%s", explain_time(t, sizeof(t), in->limit_ns));
	for (int i = 0; i < k->nstates; i++)
		explain_line(x, core_name(k, i),
			"up after %u of %u longer than %s, down after %u of %u shorter%s",
			l->longer[i], l->promote_after, explain_time(u, sizeof(u), k->latency[i]),
			l->shorter[i], l->demote_after,
			core_is(in->disabled, i) ? "; disabled" : "");
	explain_line(x, "tick", "left to the kernel: ladder asks for it to be stopped always");
	explain_line(x, "chosen", "%s (counts are those after the choice)", core_name(k, c->state));
}

const struct governor governor_ladder = {
	.name = "ladder",
	.summary = "a step deeper or back after each period",
	.params = ladder_params,
	.nparams = LADDER_PARAMS,
	.cpu_size = sizeof(struct ladder_cpu),
	.init = ladder_init,
	.select = ladder_select,
	.reflect = ladder_reflect,
	.explain = ladder_explain,
};
