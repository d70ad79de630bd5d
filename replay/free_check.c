// SPDX-License-Identifier: GPL-2.0-or-later
/* How well a replay gives the recording back: totals, and the state sequence of every sojourn. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "replay/free.h"
#include "replay/samples.h"

/* periods of a run inside one sojourn: [from, to) */
struct span {
	size_t from, to;
};

static struct span span_of(const struct run_cpu *c, size_t from, const struct sojourn *so)
{
	struct span s;

	while (from < c->nperiods && c->period[from].enter_ns < so->start_ns)
		from++;
	s.from = s.to = from;
	while (s.to < c->nperiods && c->period[s.to].enter_ns < so->end_ns)
		s.to++;
	return s;
}

static bool same_states(
	const struct run_cpu *a, struct span x, const struct run_cpu *b, struct span y)
{
	if (x.to - x.from != y.to - y.from)
		return false;
	for (size_t i = 0; i < x.to - x.from; i++)
		if (a->period[x.from + i].state != b->period[y.from + i].state)
			return false;
	return true;
}

static void compare_sequences(struct self_check *out, const struct sojourns *s,
	const struct run *recorded, const struct run *run, int cpu)
{
	const struct run_cpu *rec = &recorded->cpu[cpu], *mod = &run->cpu[cpu];
	const struct sojourns_cpu *c = &s->cpu[cpu];
	struct span x = {0}, y = {0};

	for (size_t i = 0; i < c->n; i++) {
		x = span_of(rec, x.to, &c->sojourn[i]);
		y = span_of(mod, y.to, &c->sojourn[i]);
		if (x.from == x.to || (c->sojourn[i].flags & SOJOURN_SKIP))
			continue;
		out->sojourns++;
		out->same += same_states(rec, x, mod, y);
	}
}

static int64_t cpu_span(const struct sojourns_cpu *c)
{
	return c->n ? c->sojourn[c->n - 1].end_ns - c->sojourn[0].start_ns : 0;
}

static int64_t difference(const struct state_sum *a, const struct state_sum *b)
{
	return llabs(a->time_ns - b->time_ns);
}

static void compare_times(struct self_check *out, const struct sojourns *s,
	const struct run *recorded, const struct run *run)
{
	int64_t whole = 0, worst = 0;

	for (int i = 0; i < s->ncpus; i++) {
		int64_t span = cpu_span(&s->cpu[i]);

		whole += span;
		for (int k = 0; k < STATES_MAX && span; k++) {
			int64_t d = difference(&recorded->cpu[i].state[k], &run->cpu[i].state[k]);

			out->worst_cpu_time_error =
				fmax(out->worst_cpu_time_error, (double)d / (double)span);
		}
	}
	for (int k = 0; k < STATES_MAX; k++)
		worst = max64(worst, difference(&recorded->total[k], &run->total[k]));
	out->time_error = whole ? (double)worst / (double)whole : NAN;
}

static void compare_usage(struct self_check *out, const struct run *recorded, const struct run *run)
{
	uint64_t periods = 0, off = 0;

	for (int k = 0; k < STATES_MAX; k++) {
		uint64_t a = recorded->total[k].usage, b = run->total[k].usage;

		periods += a;
		off += a > b ? a - b : b - a;
	}
	out->usage_error = periods ? (double)off / 2 / (double)periods : NAN;
}

void free_self_check(struct self_check *out, const struct sojourns *s, const struct run *recorded,
	const struct run *run)
{
	memset(out, 0, sizeof(*out));
	copy_text(out->governor, sizeof(out->governor), run->governor);
	out->known = true;
	for (int i = 0; i < s->ncpus; i++)
		compare_sequences(out, s, recorded, run, i);
	compare_times(out, s, recorded, run);
	compare_usage(out, recorded, run);
	out->same_sequences = out->sojourns ? (double)out->same / (double)out->sojourns : NAN;
}

/* at several bounds the check is as good as at the worst of them */
static void worst_of(struct self_check *sum, const struct self_check *one)
{
	if (!sum->known) {
		*sum = *one;
		return;
	}
	sum->same_sequences = fmin(sum->same_sequences, one->same_sequences);
	sum->time_error = fmax(sum->time_error, one->time_error);
	sum->usage_error = fmax(sum->usage_error, one->usage_error);
	sum->worst_cpu_time_error = fmax(sum->worst_cpu_time_error, one->worst_cpu_time_error);
}

int free_check_engine(struct self_check *out, const struct sojourns *s, const struct run *recorded,
	const struct gov_spec *spec, const struct replay_options *options, struct error *err)
{
	struct replay_options opt = *options;
	struct self_check one;
	struct run again;

	memset(out, 0, sizeof(*out));
	for (opt.bound = s->alone ? BOUND_TIMERS : BOUND_NONE; opt.bound < BOUND_COUNT; opt.bound++) {
		if (replay_free(&again, s, recorded, spec, &opt, err))
			return -1;
		free_self_check(&one, s, recorded, &again);
		run_free(&again);
		worst_of(out, &one);
		if (!s->alone)
			break;
	}
	return 0;
}

static void recorded_latencies(struct run *run0, const struct sojourns *s)
{
	struct samples all = {0};

	for (int i = 0; i < s->ncpus; i++)
		for (size_t k = 0; k < s->cpu[i].narrivals; k++) {
			const struct arrival *a = &s->cpu[i].arrival[k];

			if ((a->flags & ARRIVAL_ENDED) && a->then.delay_ns != UNKNOWN_NS)
				samples_add(&all, a->then.delay_ns);
		}
	latency_sum_of(&run0->wake_latency, &run0->latency_paid_ns, all.v, all.n);
	run0->wake_latency.known &= !s->alone;
	free(all.v);
}

void free_describe_recording(struct run *run0, const struct sojourns *s)
{
	for (int i = 0; i < s->ncpus; i++) {
		run0->cpu[i].ticks = s->cpu[i].ticks;
		run0->cpu[i].tick_stops = s->cpu[i].stops;
		run0->cpu[i].aborted = s->cpu[i].aborted;
	}
	run0->ticks_known = !s->alone;
	recorded_latencies(run0, s);
	free_changes(run0, s, run0, -1);
}
