// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Governors that no kernel has, to measure others against: always the shallowest, always the
 * deepest, always one. They obey disabled states and the latency limit, and learn nothing.
 */
#include "replay/models.h"
#include "replay/model.h"

struct reference_cpu {
	struct core core;
	int state;
};

static const struct gov_param fixed_params[] = {
	{"state", "index of the state", PARAM_INT, 0, STATES_MAX - 1, NULL, -1},
};

static void reference_init(void *cpu, const struct gov_machine *mc, const struct gov_spec *spec)
{
	struct reference_cpu *r = cpu;

	core_init(&r->core, mc, 1000);
	r->state = spec->gov->nparams ? (int)spec->value[0] : 0;
}

static int shallowest(const struct core *c, uint32_t disabled)
{
	for (int i = 0; i < c->nstates; i++)
		if (!core_is(disabled, i))
			return i;
	return 0;
}

/* deepest enabled state up to @top that the limit allows */
static int deepest(const struct core *c, const struct gov_input *in, int top)
{
	for (int i = top < c->nstates ? top : c->nstates - 1; i > 0; i--)
		if (!core_is(in->disabled, i) && c->latency[i] <= in->limit_ns)
			return i;
	return shallowest(c, in->disabled);
}

/* the engine knows the next arrival and may stop the tick for it as well */
static struct gov_choice choice(const struct core *c, const struct gov_input *in, int state)
{
	bool long_sleep = in->sleep_ns > c->tick && !core_is(c->polling, state);

	return (struct gov_choice){
		state, c->residency[state] >= c->tick || long_sleep, GOV_READ_LIMIT, 0};
}

static struct gov_choice shallowest_select(
	void *cpu, const struct gov_input *in, int64_t true_length_ns)
{
	struct reference_cpu *r = cpu;

	(void)true_length_ns;
	return (struct gov_choice){shallowest(&r->core, in->disabled), false, 0, 0};
}

static struct gov_choice deepest_select(
	void *cpu, const struct gov_input *in, int64_t true_length_ns)
{
	struct reference_cpu *r = cpu;

	(void)true_length_ns;
	return choice(&r->core, in, deepest(&r->core, in, STATES_MAX));
}

static struct gov_choice fixed_select(void *cpu, const struct gov_input *in, int64_t true_length_ns)
{
	struct reference_cpu *r = cpu;
	int state = r->state < r->core.nstates ? r->state : r->core.nstates - 1;

	(void)true_length_ns;
	/* the user's word stands above the limit, but a disabled state cannot be entered */
	if (core_is(in->disabled, state))
		state = deepest(&r->core, in, state);
	return choice(&r->core, in, state);
}

static bool reference_reflect(void *cpu, const struct gov_outcome *out)
{
	(void)cpu;
	(void)out;
	return false;
}

static void reference_explain(
	const void *cpu, const struct gov_input *in, const struct gov_choice *c, struct explain *x)
{
	const struct reference_cpu *r = cpu;

	if (in->disabled)
		explain_line(x, "disabled", "states with these bits: 0x%x", in->disabled);
	explain_line(x, "chosen", "%s: it knows nothing and always chooses so",
		core_name(&r->core, c->state));
}

#define REFERENCE(id, text)                                                                        \
	.name = #id, .summary = text, .cpu_size = sizeof(struct reference_cpu),                    \
	.init = reference_init, .select = id##_select, .reflect = reference_reflect,               \
	.explain = reference_explain, .reference = true

const struct governor governor_shallowest = {
	REFERENCE(shallowest, "always the shallowest enabled state"),
};

const struct governor governor_deepest = {
	REFERENCE(deepest, "deepest enabled state within the limit"),
};

const struct governor governor_fixed = {
	REFERENCE(fixed, "always one state: fixed:state=1"),
	.params = fixed_params,
	.nparams = 1,
};
