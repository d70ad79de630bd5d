// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/selection.h"

#include <stdlib.h>
#include <string.h>

#include "src/wakes.h"

const struct expr_field period_fields[FIELD_COUNT] = {
	[FIELD_CPU] = {"cpu", EXPR_NUMBER, "CPU number"},
	[FIELD_TIME] = {"time", EXPR_TIME, "when the CPU went idle, from the start of the recording"},
	[FIELD_STATE] = {"state", EXPR_TEXT, "name of the state asked for"},
	[FIELD_INDEX] = {"index", EXPR_NUMBER, "index of the state asked for"},
	[FIELD_LENGTH] = {"length", EXPR_TIME, "idle length"},
	[FIELD_MISS] = {"miss", EXPR_TEXT, "above (too deep), below (too shallow) or none"},
	[FIELD_VERDICT] = {"verdict", EXPR_TEXT, "ok, above, below, unknown"},
	[FIELD_IDEAL] = {"ideal", EXPR_TEXT, "name of the deepest state that fits the length"},
	[FIELD_COST] = {"cost", EXPR_TIME, "time short of, or beyond, the right residency"},
	[FIELD_WAKE] = {"wake", EXPR_TEXT, "what ended it: tick timer irq ipi softirq poll limit unknown"},
	[FIELD_WAKER] = {"waker", EXPR_TEXT, "timer function, interrupt or waking task"},
	[FIELD_FORCED] = {"forced", EXPR_NUMBER, "1 when no governor was asked"},
};

static const struct state_table *table_of(const struct period_ref *ref)
{
	return machine_table(&ref->run->machine, ref->cpu);
}

/* the kernel's residency: the recorded length without what the events themselves took */
static int64_t kernel_length(const struct period_ref *ref)
{
	return period_kernel_ns(ref->p, ref->run->event_cost_ns);
}

static enum verdict verdict_of(const struct period_ref *ref)
{
	if (ref->p->flags & (PERIOD_FORCED | PERIOD_CUT_END))
		return VERDICT_NONE;
	if (ref->p->flags & PERIOD_JUDGED)
		return ref->p->flags & PERIOD_MISS_ABOVE   ? VERDICT_ABOVE
		       : ref->p->flags & PERIOD_MISS_BELOW ? VERDICT_BELOW
							   : VERDICT_OK;
	return machine_verdict(table_of(ref), ref->p->entered, kernel_length(ref));
}

int64_t period_cost_ns(const struct period_ref *ref)
{
	const struct state_table *t = table_of(ref);
	int64_t length = kernel_length(ref);

	switch (verdict_of(ref)) {
	case VERDICT_ABOVE:
		return max64(t->state[ref->p->entered].target_residency_ns - length, 0);
	case VERDICT_BELOW:
		return max64(length - t->state[machine_ideal(t, length, LATENCY_ANY)].target_residency_ns, 0);
	default:
		return 0;
	}
}

static const char *state_name(const struct period_ref *ref, int state)
{
	const struct state_table *t = table_of(ref);

	return state >= 0 && state < t->nstates ? t->state[state].name : "?";
}

static struct expr_value verdict_value(const struct period_ref *ref, bool miss)
{
	static const char *const names[] = {[VERDICT_NONE] = "unknown", [VERDICT_OK] = "ok",
		[VERDICT_ABOVE] = "above", [VERDICT_BELOW] = "below"};
	enum verdict v = verdict_of(ref);

	if (miss && v != VERDICT_ABOVE && v != VERDICT_BELOW)
		return expr_text("none");
	return expr_text(names[v]);
}

struct expr_value period_read(void *ctx, int field)
{
	const struct period_ref *ref = ctx;
	const struct period *p = ref->p;
	int64_t length = p->exit_ns - p->enter_ns;

	switch ((enum period_field)field) {
	case FIELD_CPU:
		return expr_number(ref->cpu);
	case FIELD_TIME:
		return expr_number((double)(p->enter_ns - ref->run->trace->origin_ns));
	case FIELD_STATE:
		return expr_text(state_name(ref, p->state));
	case FIELD_INDEX:
		return expr_number(p->state);
	case FIELD_LENGTH:
		return expr_number((double)length);
	case FIELD_MISS:
		return verdict_value(ref, true);
	case FIELD_VERDICT:
		return verdict_value(ref, false);
	case FIELD_IDEAL:
		return expr_text(state_name(ref, machine_ideal(table_of(ref), kernel_length(ref),
			LATENCY_ANY)));
	case FIELD_COST:
		return expr_number((double)period_cost_ns(ref));
	case FIELD_WAKE:
		return expr_text(wake_kind_name((enum wake_kind)p->wake));
	case FIELD_WAKER:
		return expr_text(trace_name(ref->run->trace, p->wake_name));
	case FIELD_FORCED:
		return expr_number(p->flags & PERIOD_FORCED ? 1 : 0);
	default:
		return (struct expr_value){0};
	}
}

int selection_make(struct selection *s, bool *cpus, int ncpus, int64_t from_ns, int64_t to_ns,
	const char *filter, struct error *err)
{
	*s = (struct selection){.cpu = cpus, .ncpus = ncpus, .from_ns = from_ns, .to_ns = to_ns};
	if (filter) {
		s->filter = expr_compile(filter, period_fields, FIELD_COUNT, NULL, err);
		if (!s->filter) {
			selection_free(s);
			return -1;
		}
	}
	s->any = filter || from_ns != INT64_MIN || to_ns != INT64_MAX;
	for (int i = 0; cpus && i < ncpus; i++)
		s->any |= !cpus[i];
	return 0;
}

void selection_free(struct selection *s)
{
	free(s->cpu);
	expr_free(s->filter);
	memset(s, 0, sizeof(*s));
}

bool selection_has(const struct selection *s, const struct run *r, int cpu, const struct period *p)
{
	struct period_ref ref = {.run = r, .cpu = cpu, .p = p};

	if (!selection_has_cpu(s, cpu) || p->enter_ns < s->from_ns || p->enter_ns >= s->to_ns)
		return false;
	return !s->filter || expr_holds(s->filter, period_read, &ref);
}

/* miss events of the chosen periods; those of periods left out are not counted */
static void recount_recorded(struct run_cpu *c)
{
	for (size_t i = 0; i < c->nperiods; i++) {
		const struct period *p = &c->period[i];
		struct state_sum *s = &c->state[p->entered];

		s->above_recorded += !!(p->flags & PERIOD_MISS_ABOVE);
		s->below_recorded += !!(p->flags & PERIOD_MISS_BELOW);
	}
}

void run_select(struct run *out, const struct run *r, const struct selection *s, int64_t event_cost_ns)
{
	*out = *r;
	out->borrowed = out->recorded = false;
	out->part = true;
	machine_copy(&out->machine, &r->machine);
	out->cpu = xcalloc((size_t)r->ncpus, sizeof(*out->cpu));
	for (int i = 0; i < r->ncpus; i++) {
		struct run_cpu *c = &out->cpu[i];

		*c = r->cpu[i];
		c->period = NULL;
		c->nperiods = c->cap = 0;
		for (size_t k = 0; k < r->cpu[i].nperiods; k++) {
			if (!selection_has(s, r, i, &r->cpu[i].period[k]))
				continue;
			GROW(c->period, c->nperiods, c->cap);
			c->period[c->nperiods++] = r->cpu[i].period[k];
		}
	}
	run_summarize(out, event_cost_ns);
	out->recorded = r->recorded;
	/* what might have been is known of whole CPUs, not of some of their periods */
	out->spans = r->spans && !s->filter && s->from_ns == INT64_MIN && s->to_ns == INT64_MAX;
	memset(out->span, 0, sizeof(out->span));
	for (int i = 0; i < r->ncpus && out->spans; i++)
		for (int k = 0; k < STATES_MAX && selection_has_cpu(s, i); k++)
			run_span_add(&out->span[k], &r->cpu[i].span[k]);
	for (int i = 0; i < r->ncpus && r->recorded; i++) {
		recount_recorded(&out->cpu[i]);
		for (int k = 0; k < STATES_MAX; k++) {
			out->total[k].above_recorded += out->cpu[i].state[k].above_recorded;
			out->total[k].below_recorded += out->cpu[i].state[k].below_recorded;
		}
	}
}
