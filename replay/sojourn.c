// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/sojourn.h"

#include <stdlib.h>
#include <string.h>

#include "replay/cut.h"
#include "src/stats.h"

#define FIRST_GLOBAL_WHEEL                                                                         \
	60900000 /* 6.9: timers that are not pinned may be run by another CPU                      \
		  */

uint64_t sojourns_want(void)
{
	return EV_BIT(EV_SWITCH) | EV_BIT(EV_WAKING) | EV_BIT(EV_HRTIMER_START) |
	       EV_BIT(EV_HRTIMER_START_EXPIRED) | EV_BIT(EV_HRTIMER_CANCEL) |
	       EV_BIT(EV_HRTIMER_EXPIRE) | EV_BIT(EV_TIMER_START) | EV_BIT(EV_TIMER_CANCEL) |
	       EV_BIT(EV_TIMER_EXPIRE) | EV_BIT(EV_TICK_STOP) | EV_BIT(EV_IRQ_ENTRY) |
	       EV_BIT(EV_VECTOR_ENTRY) | EV_BIT(EV_IPI_SEND) | EV_BIT(EV_IPI_RAISE) |
	       EV_BIT(EV_PROBE_SLEEP) | EV_BIT(EV_PROBE_LIMIT) | EV_BIT(EV_PROBE_SELECT) |
	       EV_BIT(EV_PROBE_REFLECT);
}

int64_t sojourns_grid(const struct sojourns *s, int64_t after_ns, int64_t tick_ns)
{
	int64_t since = after_ns - s->tick_phase_ns;

	return s->tick_phase_ns + (since / tick_ns + 1) * tick_ns;
}

void samples_add(struct samples *s, int64_t v)
{
	GROW(s->v, s->n, s->cap);
	s->v[s->n++] = v;
}

int64_t samples_median(struct samples *s, int64_t fallback)
{
	int64_t median = fallback;

	if (s->n)
		median = stats_nth(s->v, s->n, s->n / 2);
	free(s->v);
	*s = (struct samples){0};
	return median;
}

/* --- typical costs --- */

/* of many time-outs in a row the mean gives the right number in a stretch, the median does not */
static int64_t samples_mean(struct samples *s)
{
	int64_t sum = 0, n = (int64_t)s->n;

	for (size_t i = 0; i < s->n; i++)
		sum += s->v[i];
	free(s->v);
	*s = (struct samples){0};
	return n ? sum / n : 0;
}

struct cost_samples {
	struct samples first, turn[TURN_KINDS], delay[ARRIVAL_KINDS], reflect[ARRIVAL_KINDS];
	struct samples tick_delay, tick_reflect, limit_over, limit_reflect;
};

static void add_known(struct samples *s, int32_t ns)
{
	if (ns != UNKNOWN_NS)
		samples_add(s, ns);
}

static void cost_of_arrivals(struct cost_samples *cs, const struct sojourns_cpu *c)
{
	for (size_t i = 0; i < c->narrivals; i++) {
		const struct arrival *a = &c->arrival[i];

		if (!(a->flags & ARRIVAL_ENDED))
			continue;
		add_known(&cs->delay[a->kind], a->then.delay_ns);
		add_known(&cs->reflect[a->kind], a->then.reflect_ns);
		add_known(&cs->turn[TURN_WAKE], a->then.turn_ns);
	}
}

static void cost_of_notes(struct cost_samples *cs, const struct sojourns_cpu *c, int64_t timeout_ns)
{
	for (size_t i = 0; i < c->nnotes; i++) {
		const struct note *n = &c->note[i];

		if (n->kind == NOTE_TICK) {
			if (n->then.delay_ns >= 0)
				samples_add(&cs->tick_delay, n->then.delay_ns);
			add_known(&cs->turn[TURN_TICK], n->then.turn_ns);
			add_known(&cs->tick_reflect, n->then.reflect_ns);
		} else if (n->kind == NOTE_LIMIT) {
			samples_add(&cs->limit_over, n->then.delay_ns - timeout_ns);
			add_known(&cs->turn[TURN_LIMIT], n->then.turn_ns);
			add_known(&cs->limit_reflect, n->then.reflect_ns);
		}
	}
}

static void cost_of_cpu(struct cost_samples *cs, const struct sojourns_cpu *c, int64_t timeout_ns)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->sojourn[i].entry_ns != NEVER_NS && !(c->sojourn[i].flags & SOJOURN_PARTIAL))
			samples_add(&cs->first, c->sojourn[i].entry_ns - c->sojourn[i].start_ns);
	cost_of_arrivals(cs, c);
	cost_of_notes(cs, c, timeout_ns);
}

static void settle_costs(struct sojourns *s, struct cost_samples *cs)
{
	struct sojourn_costs *k = &s->costs;
	int64_t wake;

	k->first_ns = samples_median(&cs->first, 2000);
	wake = samples_median(&cs->turn[TURN_WAKE], 2 * k->first_ns);
	k->turn_ns[TURN_WAKE] = wake;
	k->turn_ns[TURN_TICK] = samples_median(&cs->turn[TURN_TICK], wake);
	k->turn_ns[TURN_LIMIT] = samples_median(&cs->turn[TURN_LIMIT], k->first_ns);
	k->tick_delay_ns = samples_median(&cs->tick_delay, 1000);
	k->limit_over_ns = max64(samples_mean(&cs->limit_over), 0);
	k->tick_reflect_ns = samples_median(&cs->tick_reflect, wake / 2);
	k->limit_reflect_ns = samples_median(&cs->limit_reflect, k->event_ns);
	for (int i = 0; i < ARRIVAL_KINDS; i++) {
		k->delay_ns[i] = samples_median(&cs->delay[i], 1000);
		k->reflect_ns[i] = samples_median(
			&cs->reflect[i], i == ARRIVAL_REMOTE ? k->event_ns : wake / 4);
	}
}

/* --- latency limits --- */

static void find_limits(struct sojourns_cpu *out, const struct cpu_trace *t)
{
	int64_t last = LATENCY_ANY;

	for (size_t i = 0; i < t->nevs; i++) {
		const struct event *ev = &t->ev[i];

		if (ev->kind != EV_PROBE_LIMIT || ev->a == last)
			continue;
		GROW(out->limit, out->nlimits, out->limit_cap);
		out->limit[out->nlimits++] = (struct limit_step){ev->at_ns, ev->a};
		last = ev->a;
	}
}

/* --- building --- */

/* what lies inside lost events is not replayed */
static void skip_holes(struct sojourns_cpu *out, const struct cpu_trace *t)
{
	size_t h = 0;

	for (size_t i = 0; i < out->n && h < t->nholes; i++) {
		struct sojourn *s = &out->sojourn[i];

		while (h < t->nholes && t->hole[h].to_ns <= s->start_ns)
			h++;
		if (h < t->nholes && t->hole[h].from_ns < s->end_ns)
			s->flags |= SOJOURN_SKIP;
	}
}

/* of the first state that gives up by itself; all tables in use have at most one */
static int64_t table_timeout(const struct state_table *table, int hz)
{
	for (int i = 0; i < table->nstates; i++)
		if (machine_timeout(table, i, hz) != INT64_MAX)
			return machine_timeout(table, i, hz);
	return NEVER_NS;
}

static void cut_cpu(struct sojourns *s, const struct scan *pass, const struct machine *m, int cpu,
	struct cut_samples *samples, bool ignore_probes, const struct decisions *rebuilt)
{
	struct cutter c = {.all = s,
		.t = s->trace,
		.pass = pass,
		.scan = &pass->cpu[cpu],
		.cpu = cpu,
		.timeout_ns = table_timeout(machine_table(m, cpu), s->hz),
		.head_ns = 1000,
		.ignore_probes = ignore_probes,
		.out = &s->cpu[cpu],
		.samples = samples,
		.stop_bound_ns = INT64_MIN};

	c.rebuilt = rebuilt ? &rebuilt->cpu[cpu] : NULL;
	c.handlers_follow = strncmp(s->trace->arch, "ppc", 3) != 0;
	for (size_t i = 0; i < pass->cpu[cpu].n; i++)
		cut_stretch(&c, &pass->cpu[cpu].stretch[i]);
	cut_free(&c);
	skip_holes(&s->cpu[cpu], &s->trace->cpu[cpu]);
	if (!ignore_probes)
		find_limits(&s->cpu[cpu], &s->trace->cpu[cpu]);
}

static void find_costs(struct sojourns *s, const struct machine *m, struct cut_samples *samples,
	int64_t event_cost_ns)
{
	struct cost_samples cs = {0};
	int64_t probed = samples_median(&samples->event, 0);

	s->costs.event_ns = event_cost_ns >= 0 ? event_cost_ns : probed;
	for (int i = 0; i < s->ncpus; i++)
		cost_of_cpu(&cs, &s->cpu[i], table_timeout(machine_table(m, i), s->hz));
	settle_costs(s, &cs);
	s->costs.select_ns = samples_median(&samples->select, s->costs.first_ns / 8);
	s->costs.select_start_ns = samples_median(&samples->select_start, s->costs.first_ns / 2);
}

static void build_alone(struct sojourns *out, const struct machine *m, int64_t event_cost_ns)
{
	struct cost_samples cs = {0};
	struct sojourns limits = {0};

	for (int i = 0; i < out->ncpus; i++) {
		const struct state_table *table = machine_table(m, i);

		sojourns_alone(&out->cpu[i], &out->trace->cpu[i], table, out->hz);
		cost_of_notes(&cs, &out->cpu[i], table_timeout(table, out->hz));
	}
	settle_costs(&limits, &cs);
	out->costs = (struct sojourn_costs){.event_ns = max64(event_cost_ns, 0), .first_ns = 2000,
		.turn_ns = {2000, 2000, limits.costs.turn_ns[TURN_LIMIT]},
		.limit_over_ns = limits.costs.limit_over_ns};
}

static void build_cut(struct sojourns *out, const struct machine *m, int64_t event_cost_ns,
	bool ignore_probes, const struct decisions *rebuilt)
{
	struct cut_samples samples = {0};
	struct scan pass;

	scan_run(&pass, out->trace, out->tick_ns, out->global_wheel);
	out->tick_phase_ns = pass.tick_phase_ns;
	out->early_timers = pass.early;
	for (int i = 0; i < out->ncpus; i++)
		cut_cpu(out, &pass, m, i, &samples, ignore_probes, rebuilt);
	scan_free(&pass);
	find_costs(out, m, &samples, event_cost_ns);
}

static void build(struct sojourns *out, const struct trace *t, const struct machine *m, int hz,
	int64_t event_cost_ns, bool ignore_probes, const struct decisions *rebuilt)
{
	*out = (struct sojourns){
		.trace = t, .ncpus = t->ncpus, .hz = hz, .tick_ns = tick_ns(hz)};
	out->cpu = xcalloc((size_t)t->ncpus, sizeof(*out->cpu));
	out->global_wheel = trace_kernel_version(t->kernel) >= FIRST_GLOBAL_WHEEL;
	out->have_switches = t->present & EV_BIT(EV_SWITCH);
	out->have_timers = t->present & EV_BIT(EV_HRTIMER_START);
	out->have_interrupts = t->present & (EV_BIT(EV_IRQ_ENTRY) | EV_BIT(EV_VECTOR_ENTRY));
	out->probed = !ignore_probes && (t->present & EV_BIT(EV_PROBE_SELECT));
	out->alone = !out->have_switches || !out->have_timers;
	if (out->alone)
		build_alone(out, m, event_cost_ns);
	else
		build_cut(out, m, event_cost_ns, ignore_probes, rebuilt);
	out->latency = xcalloc((size_t)m->ntables, sizeof(*out->latency));
	latency_measure(out->latency, out, m);
}

void sojourns_build(struct sojourns *out, const struct trace *t, const struct machine *m, int hz,
	int64_t event_cost_ns, bool ignore_probes)
{
	build(out, t, m, hz, event_cost_ns, ignore_probes, NULL);
}

/* as rebuilt from latency requests, at each decision */
static void take_limits(struct sojourns_cpu *out, const struct decisions_cpu *d)
{
	int64_t last = LATENCY_ANY;

	for (size_t i = 0; i < d->n; i++) {
		if (d->d[i].limit_ns == last)
			continue;
		last = d->d[i].limit_ns;
		GROW(out->limit, out->nlimits, out->limit_cap);
		out->limit[out->nlimits++] = (struct limit_step){d->d[i].select_ns, last};
	}
}

/* most of what each sojourn's decisions may have seen; and where the governor was enabled anew */
static void take_decisions(struct sojourns_cpu *out, const struct decisions_cpu *d)
{
	size_t k = 0;

	for (size_t i = 0; i < out->n; i++) {
		struct sojourn *so = &out->sojourn[i];

		while (k < d->n && d->d[k].select_ns < so->start_ns)
			k++;
		for (size_t j = k; j < d->n && d->d[j].select_ns < so->end_ns; j++) {
			if (d->d[j].iowait_max > so->iowait_max)
				so->iowait_max = d->d[j].iowait_max;
			if (d->d[j].flags & DEC_RESET)
				so->flags |= SOJOURN_RESET;
		}
	}
}

void sojourns_of_decisions(struct sojourns *out, const struct decisions *d, const struct machine *m)
{
	build(out, d->trace, m, d->hz, d->event_cost_ns, !d->from_probes, d->from_probes ? NULL : d);
	out->costs.event_lo_ns = min64(d->event_cost_lo_ns, d->event_cost_ns);
	out->costs.event_hi_ns = max64(d->event_cost_hi_ns, d->event_cost_ns);
	for (int i = 0; i < out->ncpus; i++) {
		take_decisions(&out->cpu[i], &d->cpu[i]);
		if (!out->cpu[i].nlimits)
			take_limits(&out->cpu[i], &d->cpu[i]);
	}
}

void sojourns_free(struct sojourns *s)
{
	for (int i = 0; i < s->ncpus; i++) {
		free(s->cpu[i].sojourn);
		free(s->cpu[i].arrival);
		free(s->cpu[i].note);
		free(s->cpu[i].limit);
	}
	free(s->cpu);
	free(s->latency);
	memset(s, 0, sizeof(*s));
}
