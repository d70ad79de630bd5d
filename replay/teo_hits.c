// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * teo up to 5.13: hits, misses and early hits per state, and the average of recent short intervals.
 * Comparisons are unsigned where the kernel's are, so that a timer in the past is a far one.
 */
#include "replay/teo.h"

/* what was measured, in the model's unit; *late: at least the whole sleep length passed */
static uint64_t measured(const struct teo_cpu *t, bool *late)
{
	const struct core *c = &t->core;
	uint64_t half = c->latency[c->last] / 2, latency = c->latency[c->last];
	uint64_t length = t->conf.unit == 1 ? (uint64_t)t->span / 1000 : c->slept;

	*late = (uint64_t)t->span >= (uint64_t)t->sleep;
	if (*late)
		return t->conf.unit == 1 ? (uint64_t)t->sleep / 1000 : UINT64_MAX;
	return length >= latency ? length - half : length / 2;
}

static void count(struct teo_cpu *t, int timer, int hit)
{
	if (timer < 0)
		return;
	t->hits[timer] -= t->hits[timer] >> t->conf.shift;
	t->intercepts[timer] -= t->intercepts[timer] >> t->conf.shift;
	if (timer > hit) {
		t->intercepts[timer] += TEO_PULSE;
		if (hit >= 0)
			t->early[hit] += TEO_PULSE;
	} else {
		t->hits[timer] += TEO_PULSE;
	}
}

void teo_hits_update(struct teo_cpu *t)
{
	const struct core *c = &t->core;
	uint64_t sleep = t->conf.unit == 1 ? (uint64_t)t->sleep / 1000 : (uint64_t)t->sleep;
	bool late;
	uint64_t length = measured(t, &late);
	int timer = -1, hit = -1;

	for (int i = 0; i < c->nstates; i++) {
		t->early[i] -= t->early[i] >> t->conf.shift;
		if ((uint64_t)c->residency[i] > sleep)
			continue;
		timer = i;
		if ((uint64_t)c->residency[i] <= length)
			hit = i;
	}
	count(t, timer, hit);
	t->interval[t->next] = late ? UINT64_MAX : length;
	t->next = (t->next + 1) % TEO_INTERVALS;
}

struct hits_scan {
	int idx, constraint, max_early, previous_max;
	uint32_t hits, misses, early;
};

/* a disabled state's metrics count for the enabled one above it */
static void scan_disabled(const struct teo_cpu *t, bool stopped, int i, struct hits_scan *s)
{
	s->hits = t->hits[i];
	s->misses = t->intercepts[i];
	if (s->early >= t->early[i] || s->idx < 0)
		return;
	if (s->max_early == s->idx) {
		s->early = t->early[i];
	} else if (teo_state_ok(&t->core, stopped, t->core.residency[s->idx])) {
		s->previous_max = s->max_early;
		s->early = t->early[i];
		s->max_early = s->idx;
	}
}

static void scan_states(const struct teo_cpu *t, const struct gov_input *in, uint64_t duration,
	int64_t limit, struct hits_scan *s)
{
	const struct core *c = &t->core;

	for (int i = 0; i < c->nstates; i++) {
		if (core_is(in->disabled, i)) {
			if ((uint64_t)c->residency[i] <= duration)
				scan_disabled(t, in->tick_stopped, i, s);
			continue;
		}
		if (s->idx < 0) {
			s->idx = i;
			s->hits = t->hits[i];
			s->misses = t->intercepts[i];
		}
		if ((uint64_t)c->residency[i] > duration)
			break;
		if (c->latency[i] > limit && s->constraint > i)
			s->constraint = i;
		s->idx = i;
		s->hits = t->hits[i];
		s->misses = t->intercepts[i];
		if (s->early < t->early[i] && teo_state_ok(c, in->tick_stopped, c->residency[i])) {
			s->previous_max = s->max_early;
			s->early = t->early[i];
			s->max_early = i;
		}
	}
}

/* more than half of the recent intervals are shorter than expected: believe their average */
static uint64_t average_short(const struct teo_cpu *t, uint64_t duration, bool *found)
{
	uint64_t sum = 0, n = 0;

	for (int i = 0; i < TEO_INTERVALS; i++) {
		if (t->interval[i] >= duration)
			continue;
		sum += t->interval[i];
		n++;
	}
	*found = n > TEO_INTERVALS / 2;
	return *found ? sum / n : 0;
}

static void shorten(
	const struct teo_cpu *t, const struct gov_input *in, int *idx, uint64_t *duration)
{
	const struct core *c = &t->core;
	bool found;
	uint64_t avg = average_short(t, *duration, &found);

	if (!found || !teo_state_ok(c, in->tick_stopped, avg))
		return;
	*duration = avg;
	if ((uint64_t)c->residency[*idx] > avg)
		*idx = core_below(c, in->disabled, *idx, avg);
}

struct gov_choice teo_hits_select(struct teo_cpu *t, const struct gov_input *in)
{
	const struct core *c = &t->core;
	int64_t div = t->conf.unit == 1 ? 1000 : 1;
	/* compared unsigned: residencies are u64 up to 5.10 */
	int64_t delta = in->tick_delta_ns < 0 ? KTIME_MAX : in->tick_delta_ns / div;
	struct hits_scan s = {
		.idx = -1, .constraint = c->nstates, .max_early = -1, .previous_max = -1};
	struct gov_choice out = {.stop_tick = true, .read = t->conf.reads};
	uint64_t duration;

	t->span = in->now_ns;
	t->sleep = in->sleep_ns;
	duration = (uint64_t)t->sleep / div;
	scan_states(t, in, duration, in->limit_ns / div, &s);
	if (s.hits <= s.misses) {
		if (s.idx == s.max_early)
			s.max_early = s.previous_max;
		if (s.max_early >= 0) {
			s.idx = s.max_early;
			duration = c->residency[s.idx];
		}
	}
	/* the constraint is the first state over the limit: those kernels take it all the same */
	if (s.constraint < s.idx)
		s.idx = s.constraint;
	if (s.idx < 0)
		s.idx = 0;
	else if (s.idx > 0)
		shorten(t, in, &s.idx, &duration);
	out.state = s.idx;
	if ((core_is(c->polling, s.idx) || duration < (uint64_t)c->tick) && !in->tick_stopped) {
		out.stop_tick = false;
		if (s.idx > 0 && c->residency[s.idx] > delta)
			out.state = core_below(c, in->disabled, s.idx, delta);
	}
	return out;
}
