// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The plainest what-if: every recorded period keeps its entry, its end and its wake, ticks included,
 * and only the state is the model's. The governor learns from its own choices. What the choice would
 * have changed in time (later wakes, more or fewer ticks) is left out, and the run says so.
 */
#include "replay/replay.h"

#include <stdlib.h>

#include "replay/change.h"
#include "replay/each_cpu.h"
#include "replay/feed.h"

struct simple {
	struct run *out;
	const struct run *recorded;
	const struct decisions *d;
	const struct gov_spec *spec;
	const struct replay_options *opt;
	struct change_sum *sum; /* [ncpus] */
};

/* a table may have fewer states than the recorded one: the deepest stands for what is beyond it */
static int clamp_state(int state, const struct state_table *t)
{
	return state < t->nstates ? state : t->nstates - 1;
}

static void copy_periods(struct run_cpu *out, const struct run_cpu *from, const struct state_table *t)
{
	out->nperiods = out->cap = from->nperiods;
	out->period = xcalloc(from->nperiods + 1, sizeof(*out->period));
	for (size_t i = 0; i < from->nperiods; i++) {
		struct period *p = &out->period[i];

		*p = from->period[i];
		/* the kernel's own verdict was on another state */
		p->flags &= (uint8_t)~(PERIOD_MISS_ABOVE | PERIOD_MISS_BELOW);
		p->state = p->entered = (int8_t)clamp_state(p->entered, t);
	}
}

/* what the model learns: its own state, over the recorded length */
static struct gov_outcome own_outcome(const struct simple *s, const struct decision *d, int state,
	const struct state_table *t)
{
	struct gov_outcome out = feed_outcome(d, d->residency_ns, t->nstates);

	if (out.entered < 0)
		return out;
	out.entered = state;
	out.poll_limit = t->state[state].polling && t->state[state].timeout_sets_poll_limit &&
			 d->residency_ns > machine_timeout(t, state, s->d->hz);
	return out;
}

static void step(struct simple *s, int cpu, void *mem, const struct decision *d, uint32_t disabled)
{
	struct run_cpu *c = &s->out->cpu[cpu];
	const struct state_table *t = machine_table(&s->out->machine, cpu);
	struct gov_input in = feed_input(d, disabled, s->opt->limit_ns);
	struct gov_choice choice = s->spec->gov->select(
		mem, &in, s->spec->gov->sees_future ? feed_true_length(d) : -1);
	struct gov_outcome out;
	int state = clamp_state(choice.state, t);

	c->decisions++;
	c->aborted += (d->flags & DEC_ABORTED) != 0;
	c->undetermined += (choice.read & GOV_READ_SLEEP) && d->sleep_alt_ns != d->sleep_ns;
	if (!(d->flags & DEC_ABORTED)) {
		struct period *p = &c->period[d->period];

		change_count(&s->sum[cpu], machine_table(&s->recorded->machine, cpu),
			s->recorded->cpu[cpu].period[d->period].entered, t, state, d->residency_ns,
			in.limit_ns, p->flags & PERIOD_CUT_END);
		p->state = p->entered = (int8_t)state;
	}
	if (d->flags & DEC_NO_OUTCOME)
		return;
	out = own_outcome(s, d, state, t);
	s->spec->gov->reflect(mem, &out);
}

static void simple_cpu(void *ctx, int cpu)
{
	struct simple *s = ctx;
	const struct decisions_cpu *ds = &s->d->cpu[cpu];
	const struct state_table *t = machine_table(&s->out->machine, cpu);
	struct gov_machine gm = {
		.table = t, .hz = s->d->hz, .tick_ns = tick_ns(s->d->hz), .cpu = cpu};
	void *mem = xcalloc(1, s->spec->gov->cpu_size + 1);
	uint32_t disabled = feed_disabled(t);

	copy_periods(&s->out->cpu[cpu], &s->recorded->cpu[cpu], t);
	s->spec->gov->init(mem, &gm, s->spec);
	for (size_t i = 0; i < ds->n; i++)
		if (!(ds->d[i].flags & DEC_FORCED))
			step(s, cpu, mem, &ds->d[i], disabled);
	free(mem);
}

static void begin(struct run *out, const struct run *recorded, const struct gov_spec *spec,
	const struct machine *m, bool edited)
{
	*out = (struct run){.trace = recorded->trace, .ncpus = recorded->ncpus};
	out->cpu = xcalloc((size_t)out->ncpus + 1, sizeof(*out->cpu));
	machine_copy(&out->machine, m);
	copy_text(out->label, sizeof(out->label), spec->label);
	copy_text(out->governor, sizeof(out->governor), spec->label);
	copy_text(out->table, sizeof(out->table),
		!edited ? "recorded" : *m->tables[0].id ? m->tables[0].id : "edited");
	copy_text(out->latency_model, sizeof(out->latency_model), "table");
}

int replay_simple(struct run *out, const struct run *recorded, const struct decisions *d,
	const struct gov_spec *spec, const struct replay_options *opt, struct error *err)
{
	struct simple s = {.out = out, .recorded = recorded, .d = d, .spec = spec, .opt = opt};
	const struct machine *m = opt->machine ? opt->machine : &recorded->machine;
	bool done;

	begin(out, recorded, spec, m, m != &recorded->machine);
	s.sum = xcalloc((size_t)out->ncpus + 1, sizeof(*s.sum));
	done = each_cpu(out->ncpus, opt->threads, simple_cpu, &s, opt->progress, opt->ctx);
	for (int i = 0; i < out->ncpus; i++)
		change_add_up(out, &s.sum[i]);
	free(s.sum);
	if (!done) {
		run_free(out);
		return error_set(err, EXIT_HOLDS, "cancelled");
	}
	if (governor_failure(spec, err)) {
		run_free(out);
		return -1;
	}
	run_summarize(out, d->event_cost_ns);
	return 0;
}
