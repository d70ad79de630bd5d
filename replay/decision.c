// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/decision.h"

#include <stdlib.h>
#include <string.h>

#include "replay/cost.h"
#include "replay/hz.h"
#include "replay/inputs.h"
#include "replay/iowait.h"
#include "replay/known.h"
#include "replay/limits.h"

#define PROBES                                                                                     \
	(EV_BIT(EV_PROBE_SLEEP) | EV_BIT(EV_PROBE_LIMIT) | EV_BIT(EV_PROBE_TICK) |                 \
		EV_BIT(EV_PROBE_SELECT) | EV_BIT(EV_PROBE_REFLECT))
#define POLL_LIMIT_FLAG 0x4 /* third bit of struct cpuidle_device's flags: poll_time_limit */
#define NONE SIZE_MAX

/* what was seen on a CPU since its last decision, and which decision waits for what */
struct build_cpu {
	bool have_limit, have_sleep, have_snap, after_hole, reset;
	int64_t limit_ns, select_ns, sleep_ns, delta_ns;
	struct input_snapshot snap;
	size_t chosen;	  /* selected, neither entered nor aborted yet */
	size_t entered;	  /* its period is open or has just ended */
	size_t reflected; /* the tick flag has not been read yet */
	bool got_tick_seen;
};

struct builder {
	struct decisions *out;
	const struct trace *trace;
	const struct machine *machine;
	bool probes, reenables;
	struct inputs in;
	struct limits limits;
	struct iowait iowait;
	struct build_cpu *cpu;
};

uint64_t decisions_want(void)
{
	return EV_WANT_IDLE | EV_BIT(EV_SWITCH) | EV_BIT(EV_WAKING) | EV_BIT(EV_HRTIMER_INIT) |
	       EV_BIT(EV_HRTIMER_START) | EV_BIT(EV_HRTIMER_START_EXPIRED) |
	       EV_BIT(EV_HRTIMER_CANCEL) | EV_BIT(EV_HRTIMER_EXPIRE) |
	       EV_BIT(EV_HRTIMER_EXPIRE_EXIT) | EV_BIT(EV_HRTIMER_REARM) |
	       EV_BIT(EV_TIMER_START) | EV_BIT(EV_TIMER_CANCEL) | EV_BIT(EV_TIMER_EXPIRE) |
	       EV_BIT(EV_TIMER_BASE_IDLE) | EV_BIT(EV_TICK_STOP) | EV_BIT(EV_IRQ_ENTRY) |
	       EV_BIT(EV_IRQ_EXIT) | EV_BIT(EV_SOFTIRQ_ENTRY) | EV_BIT(EV_SOFTIRQ_EXIT) |
	       EV_BIT(EV_SOFTIRQ_RAISE) | EV_BIT(EV_VECTOR_ENTRY) | EV_BIT(EV_VECTOR_EXIT) |
	       EV_BIT(EV_IPI_ENTRY) | EV_BIT(EV_IPI_EXIT) | EV_BIT(EV_PM_QOS) |
	       EV_BIT(EV_DEV_PM_QOS) | PROBES;
}

static void set_prov(struct decision *d, enum decision_input i, enum provenance p)
{
	d->prov = (uint16_t)((d->prov & ~(3u << (2 * i))) | ((unsigned)p << (2 * i)));
}

static struct decision *at(struct builder *b, int cpu, size_t i)
{
	return &b->out->cpu[cpu].d[i];
}

/* the reconstruction must look before the tick is stopped for this very decision */
static void snap(struct builder *b, int cpu, int64_t at_ns)
{
	struct build_cpu *c = &b->cpu[cpu];

	if (!c->have_snap)
		inputs_take(&b->in, cpu, at_ns, &c->snap);
	c->have_snap = true;
}

static void fill_rebuilt(struct decision *d, const struct input_snapshot *s)
{
	d->sleep_ns = s->sleep_ns;
	d->sleep_alt_ns = s->sleep_alt_ns;
	d->bound = (uint8_t)s->bound;
	d->tick_delta_ns = s->delta_ns;
	set_prov(d, IN_SLEEP, s->exact ? PROV_BOUNDED : PROV_GUESSED);
	set_prov(d, IN_TICK_DELTA, s->bound == BOUND_NOTHING ? PROV_GUESSED : PROV_BOUNDED);
	set_prov(d, IN_TICK_STOPPED, s->bound == BOUND_NOTHING ? PROV_GUESSED : PROV_BOUNDED);
	if (s->stopped)
		d->flags |= DEC_TICK_STOPPED;
}

static void fill_probed(struct decision *d, const struct build_cpu *c)
{
	if (c->have_limit) {
		d->limit_ns = c->limit_ns;
		d->select_ns = c->select_ns;
		set_prov(d, IN_LIMIT, PROV_EXACT);
	}
	if (!c->have_sleep)
		return;
	d->flags |= DEC_SLEEP_READ;
	d->sleep_ns = d->sleep_alt_ns = c->sleep_ns;
	set_prov(d, IN_SLEEP, PROV_EXACT);
	/* up to 6.1 the probe has no second output; the tick part is never later than the whole */
	if (c->delta_ns == INT64_MIN) {
		d->tick_delta_ns = min64(d->tick_delta_ns, c->sleep_ns);
	} else {
		d->tick_delta_ns = c->delta_ns;
		set_prov(d, IN_TICK_DELTA, PROV_EXACT);
	}
}

static size_t new_decision(struct builder *b, int cpu, int64_t at_ns)
{
	struct decisions_cpu *out = &b->out->cpu[cpu];
	struct build_cpu *c = &b->cpu[cpu];
	struct decision *d;

	snap(b, cpu, at_ns);
	GROW(out->d, out->n, out->cap);
	d = &out->d[out->n];
	*d = (struct decision){.select_ns = c->snap.entry_ns, .enter_ns = at_ns, .exit_ns = at_ns,
		.reflect_ns = at_ns, 
		.limit_ns = limits_at(&b->limits, cpu, at_ns), .residency_ns = INT64_MIN,
		.chosen = -1, .entered = -1, .period = UINT32_MAX};
	set_prov(d, IN_LIMIT, b->limits.source >= LIMIT_EVENTS ? PROV_BOUNDED : PROV_GUESSED);
	fill_rebuilt(d, &c->snap);
	d->iowait_max = (uint8_t)min64(b->iowait.waiting[cpu], UINT8_MAX);
	set_prov(d, IN_IOWAIT, d->iowait_max ? PROV_BOUNDED : PROV_EXACT);
	if (b->probes)
		fill_probed(d, c);
	if (c->after_hole)
		d->flags |= DEC_AFTER_HOLE;
	if (c->reset)
		d->flags |= DEC_RESET;
	c->reset = c->after_hole = c->have_snap = c->have_limit = c->have_sleep = false;
	return out->n++;
}

/* nothing more will be learnt about the period that ended last */
static void settle(struct builder *b, int cpu)
{
	struct build_cpu *c = &b->cpu[cpu];

	if (c->entered != NONE && !c->got_tick_seen) {
		struct decision *d = at(b, cpu, c->entered);

		if (inputs_got_tick(&b->in, cpu))
			d->flags |= DEC_GOT_TICK;
		if (!b->probes)
			d->reflect_ns = inputs_reflect_ns(&b->in, cpu);
		set_prov(d, IN_GOT_TICK, PROV_BOUNDED);
	}
	c->entered = c->reflected = NONE;
	c->got_tick_seen = false;
}

static void on_enter(struct builder *b, const struct moment *m)
{
	struct build_cpu *c = &b->cpu[m->cpu];
	struct decision *d;

	settle(b, m->cpu);
	if (c->chosen == NONE)
		c->chosen = new_decision(b, m->cpu, m->at_ns);
	d = at(b, m->cpu, c->chosen);
	/* without any timer event all that is known is that nothing came due before the end */
	if (d->bound == BOUND_NOTHING && decision_prov(d, IN_SLEEP) == PROV_GUESSED)
		d->sleep_ns = m->period->exit_ns - m->at_ns;
	d->enter_ns = m->at_ns;
	d->exit_ns = d->reflect_ns = m->period->exit_ns;
	d->entered = m->period->entered;
	d->period = m->index;
	if (!(d->flags & DEC_HAVE_CHOICE))
		d->chosen = m->period->state;
	if (m->period->flags & PERIOD_CUT_END)
		d->flags |= DEC_NO_OUTCOME;
	if (m->period->flags & PERIOD_FORCED)
		d->flags |= DEC_FORCED;
	c->entered = c->chosen;
	c->chosen = NONE;
}

static void abort_chosen(struct builder *b, int cpu, int64_t at_ns)
{
	struct build_cpu *c = &b->cpu[cpu];
	struct decision *d;

	if (c->chosen == NONE)
		return;
	d = at(b, cpu, c->chosen);
	d->flags |= DEC_ABORTED;
	d->exit_ns = d->reflect_ns = at_ns;
	d->residency_ns = 0;
	c->chosen = NONE;
	c->have_snap = false;
}

static void on_select(struct builder *b, int cpu, const struct event *e)
{
	struct build_cpu *c = &b->cpu[cpu];
	struct decision *d;

	abort_chosen(b, cpu, e->at_ns);
	settle(b, cpu);
	c->chosen = new_decision(b, cpu, e->at_ns);
	d = at(b, cpu, c->chosen);
	if (e->a >= 0 && e->a < STATES_MAX) {
		d->chosen = (int8_t)e->a;
		d->flags |= DEC_HAVE_CHOICE;
	}
}

static void on_reflect(struct builder *b, int cpu, const struct event *e)
{
	struct build_cpu *c = &b->cpu[cpu];
	struct decision *d;

	if (e->a < 0) {
		abort_chosen(b, cpu, e->at_ns);
		return;
	}
	if (c->entered == NONE)
		return;
	d = at(b, cpu, c->entered);
	d->reflect_ns = e->at_ns;
	if (e->a < STATES_MAX)
		d->entered = (int8_t)e->a;
	if (e->b != INT64_MIN) {
		d->residency_ns = e->b;
		/* the flag is left over from earlier unless this state sets it */
		if ((e->aux & POLL_LIMIT_FLAG) && d->entered >= 0 &&
			d->entered < machine_table(b->machine, cpu)->nstates &&
			machine_table(b->machine, cpu)->state[d->entered].polling)
			d->flags |= DEC_POLL_LIMIT;
	}
	c->reflected = c->entered;
}

static void on_got_tick(struct builder *b, int cpu, const struct event *e)
{
	struct build_cpu *c = &b->cpu[cpu];
	struct decision *d;

	/* the first reader after reflect is the governor, or the idle loop where the governor does not */
	if (c->reflected == NONE)
		return;
	d = at(b, cpu, c->reflected);
	if (e->a)
		d->flags |= DEC_GOT_TICK;
	set_prov(d, IN_GOT_TICK, PROV_EXACT);
	/* teo up to 6.13 reads the clock right after the flag */
	d->reflect_ns = e->at_ns;
	c->got_tick_seen = true;
	inputs_got_tick(&b->in, cpu);
	c->reflected = NONE;
}

static void on_probe(struct builder *b, int cpu, const struct event *e)
{
	struct build_cpu *c = &b->cpu[cpu];

	switch (e->kind) {
	case EV_PROBE_LIMIT:
		c->have_limit = true;
		c->have_sleep = false;
		c->limit_ns = e->a;
		c->select_ns = e->at_ns;
		break;
	case EV_PROBE_SLEEP:
		c->have_sleep = true;
		c->sleep_ns = e->a;
		c->delta_ns = e->b;
		break;
	case EV_PROBE_SELECT:
		on_select(b, cpu, e);
		break;
	case EV_PROBE_REFLECT:
		on_reflect(b, cpu, e);
		break;
	case EV_PROBE_TICK:
		on_got_tick(b, cpu, e);
		break;
	default:
		break;
	}
}

static void on_hole(struct builder *b, int cpu, int64_t at_ns)
{
	struct build_cpu *c = &b->cpu[cpu];

	abort_chosen(b, cpu, at_ns);
	settle(b, cpu);
	c->after_hole = true;
	c->have_limit = c->have_sleep = c->have_snap = false;
}

/* the idle task gives way; without probes an aborted decision only shows in the time that it took */
static void on_leave(struct builder *b, int cpu, int64_t at_ns)
{
	struct build_cpu *c = &b->cpu[cpu];

	abort_chosen(b, cpu, at_ns);
	settle(b, cpu);
	if (b->probes || !inputs_aborted(&b->in, cpu, at_ns))
		return;
	c->chosen = new_decision(b, cpu, at_ns);
	at(b, cpu, c->chosen)->flags |= DEC_INFERRED;
	abort_chosen(b, cpu, at_ns);
	inputs_got_tick(&b->in, cpu);
}

static void on_moment(struct builder *b, const struct moment *m)
{
	struct build_cpu *c = &b->cpu[m->cpu];
	const struct event *e = m->ev;

	if (m->kind == MOMENT_HOLE) {
		on_hole(b, m->cpu, m->at_ns);
	} else if (m->kind == MOMENT_ENTER) {
		on_enter(b, m);
	} else if (m->kind == MOMENT_EXIT) {
		c->have_snap = false;
	} else if (e->kind == EV_PM_QOS || e->kind == EV_DEV_PM_QOS) {
		limits_feed(&b->limits, e);
	} else if (EV_BIT(e->kind) & PROBES) {
		if (b->probes)
			on_probe(b, m->cpu, e);
	} else if (e->kind == EV_SWITCH) {
		if (e->a == 0 && e->b != 0)
			on_leave(b, m->cpu, m->at_ns);
		/* the thread that takes a CPU off line and puts it on again */
		c->reset |= b->reenables && !strncmp(trace_name(b->trace, e->name), "cpuhp/", 6);
		c->have_snap = false;
	} else if (inputs_will_change(&b->in, m)) {
		snap(b, m->cpu, m->at_ns);
	}
}

/* did the state end by its own time-out, and does its driver tell the governor so */
static bool hit_poll_limit(const struct builder *b, int cpu, const struct decision *d)
{
	const struct state_table *t = machine_table(b->machine, cpu);
	int s = d->entered;

	if (d->period == UINT32_MAX || s < 0 || s >= t->nstates || !t->state[s].polling ||
		!t->state[s].timeout_sets_poll_limit)
		return false;
	return !(b->trace->cpu[cpu].period[d->period].flags & PERIOD_RESCHED) &&
	       d->residency_ns > machine_timeout(t, s, b->out->hz);
}

/* residencies that no probe gave: the recorded length without the cost of its own events */
static void fill_residencies(struct builder *b, int cpu)
{
	struct decisions_cpu *c = &b->out->cpu[cpu];

	for (size_t i = 0; i < c->n; i++) {
		struct decision *d = &c->d[i];

		if (d->residency_ns != INT64_MIN)
			continue;
		d->residency_ns = max64(d->exit_ns - d->enter_ns - b->out->event_cost_ns, 1);
		set_prov(d, IN_RESIDENCY, PROV_BOUNDED);
		set_prov(d, IN_POLL_LIMIT, PROV_BOUNDED);
		if (hit_poll_limit(b, cpu, d))
			d->flags |= DEC_POLL_LIMIT;
	}
}

static void fill_cost(struct decisions *out, bool probes)
{
	struct event_cost cost;

	if (!probes || !cost_from_probes(&cost, out->trace))
		cost_estimate(&cost, out->trace);
	out->event_cost_ns = cost.ns;
	out->event_cost_lo_ns = cost.lo_ns;
	out->event_cost_hi_ns = cost.hi_ns;
	copy_text(out->event_cost_source, sizeof(out->event_cost_source), cost.source);
}

static void fill_hz(struct decisions *out, const struct machine *m, const struct decision_options *opt)
{
	if (opt->hz > 0 || m->hz > 0) {
		out->hz = opt->hz > 0 ? opt->hz : m->hz;
		copy_text(out->hz_source, sizeof(out->hz_source), opt->hz > 0 ? "option" : "recording");
	} else {
		out->hz = hz_find(out->trace, out->hz_source, sizeof(out->hz_source));
	}
}

static void take_scale(struct decisions *out, const struct decisions *from)
{
	out->hz = from->hz;
	copy_text(out->hz_source, sizeof(out->hz_source), from->hz_source);
	out->event_cost_ns = from->event_cost_ns;
	out->event_cost_lo_ns = from->event_cost_lo_ns;
	out->event_cost_hi_ns = from->event_cost_hi_ns;
	copy_text(out->event_cost_source, sizeof(out->event_cost_source), from->event_cost_source);
}

void decisions_scale(struct decisions *out, const struct trace *t, const struct machine *m,
	const struct decision_options *opt)
{
	*out = (struct decisions){.trace = t, .ncpus = t->ncpus};
	out->from_probes = !opt->ignore_probes && (t->present & EV_BIT(EV_PROBE_SELECT));
	out->reads_known = out->from_probes && (t->present & EV_BIT(EV_PROBE_SLEEP));
	if (opt->like) {
		take_scale(out, opt->like);
		return;
	}
	fill_hz(out, m, opt);
	fill_cost(out, out->from_probes);
}

/*
 * Drivers that disable and enable the cpuidle device of a CPU that goes off line and comes back: the
 * governor's enable() forgets all. intel_idle and the Arm drivers leave it as it is.
 * Source: drivers/acpi/processor_idle.c acpi_processor_hotplug(), drivers/cpuidle/cpuidle-pseries.c,
 * cpuidle-powernv.c, cpuidle-haltpoll.c of 6.1 and 6.12
 */
static bool hotplug_reenables(const char *driver)
{
	return !strcmp(driver, "acpi_idle") || !strcmp(driver, "pseries_idle") ||
	       !strcmp(driver, "powernv_idle") || !strcmp(driver, "haltpoll");
}

static void walk_trace(struct builder *b)
{
	struct walk w;
	struct moment m;

	walk_init(&w, b->trace);
	while (walk_next(&w, &m)) {
		on_moment(b, &m);
		inputs_feed(&b->in, &m);
		if (m.kind == MOMENT_EVENT)
			iowait_feed(&b->iowait, m.cpu, m.ev);
	}
	walk_free(&w);
	for (int i = 0; i < b->out->ncpus; i++) {
		abort_chosen(b, i, b->trace->end_ns);
		settle(b, i);
	}
}

int decisions_build(struct decisions *out, const struct trace *t, const struct machine *m,
	const struct decision_options *opt, struct error *err)
{
	struct builder b = {.out = out, .trace = t, .machine = m};

	*out = (struct decisions){.trace = t};
	if (!(t->present & EV_BIT(EV_IDLE)))
		return error_set(err, EXIT_INPUT,
			"%s: no cpu_idle event; record power:cpu_idle (`reidle record --print-command` "
			"shows how)", t->path);
	decisions_scale(out, t, m, opt);
	b.probes = out->from_probes;
	b.reenables = hotplug_reenables(m->driver);
	out->cpu = xcalloc((size_t)t->ncpus + 1, sizeof(*out->cpu));
	b.cpu = xcalloc((size_t)t->ncpus + 1, sizeof(*b.cpu));
	for (int i = 0; i < t->ncpus; i++)
		b.cpu[i].chosen = b.cpu[i].entered = b.cpu[i].reflected = NONE;
	limits_init(&b.limits, t, m);
	iowait_init(&b.iowait, t->ncpus);
	inputs_init(&b.in, t, m, out->hz, out->event_cost_ns);
	walk_trace(&b);
	inputs_free(&b.in);
	iowait_free(&b.iowait);
	free(b.cpu);
	for (int i = 0; i < t->ncpus; i++)
		fill_residencies(&b, i);
	known_fill(out, &b.limits);
	limits_free(&b.limits);
	return 0;
}

void decisions_free(struct decisions *d)
{
	for (int i = 0; i < d->ncpus && d->cpu; i++)
		free(d->cpu[i].d);
	free(d->cpu);
	*d = (struct decisions){0};
}

size_t decision_at(const struct decisions_cpu *c, int64_t at_ns)
{
	size_t lo = 0, hi = c->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->d[mid].select_ns < at_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
