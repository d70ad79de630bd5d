// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * teo from 5.14 on, the learning half: each wake-up is a hit of the state that the timer called
 * for, or an intercept of the state that the measured length called for; both decay. teo_update()
 * of teo.c.
 */
#include "replay/teo.h"

struct bins {
	int timer, duration; /* state of the sleep length, state of the measured length */
	uint32_t sum;	     /* of all decayed metrics */
};

/* all bins at once, so that the compiler can use vectors; returns their sum */
static inline uint32_t decay_bins(uint32_t *bin, unsigned shift, bool floor)
{
	uint32_t sum = 0;

	if (floor) {
		for (int i = 0; i < TEO_BINS; i++) {
			uint32_t d = bin[i] >> shift;

			bin[i] = d ? bin[i] - d : 0;
			sum += bin[i];
		}
		return sum;
	}
	for (int i = 0; i < TEO_BINS; i++) {
		bin[i] -= bin[i] >> shift;
		sum += bin[i];
	}
	return sum;
}

static inline void decay_all(struct teo_cpu *t)
{
	const struct teo_conf *k = &t->conf;
	/* the kernels' own shift as a constant */
	bool usual = k->shift == 3;

	t->hits_sum = usual ? decay_bins(t->hits, 3, k->decay_floor)
			    : decay_bins(t->hits, k->shift, k->decay_floor);
	t->intercepts_sum = usual ? decay_bins(t->intercepts, 3, k->decay_floor)
				  : decay_bins(t->intercepts, k->shift, k->decay_floor);
}

/* all metrics lose a share; which states do the two lengths stand for */
static inline __attribute__((always_inline)) struct bins decay_and_classify(
	struct teo_cpu *t, uint64_t length)
{
	const struct core *c = &t->core;
	struct bins b = {0};

	decay_all(t);
	b.sum = t->hits_sum + t->intercepts_sum;
	for (int i = 0; i < c->nstates; i++) {
		bool timer = c->residency[i] <= t->sleep;

		b.timer = timer ? i : b.timer;
		b.duration = timer && (uint64_t)c->residency[i] <= length ? i : b.duration;
	}
	return b;
}

/* 6.6 .. 6.13: wake-ups after a tick or more when all states are shorter; true if that settles it
 */
static bool count_tick_hit(struct teo_cpu *t, uint64_t length, struct bins *b)
{
	const struct core *c = &t->core;

	if (c->residency[c->nstates - 1] >= c->tick)
		return false;
	t->tick_hits = teo_decay(&t->conf, t->tick_hits);
	b->sum += t->tick_hits;
	if (t->sleep < c->tick)
		return false;
	b->timer = c->nstates;
	if (length < (uint64_t)c->tick)
		return false;
	t->tick_hits += TEO_PULSE;
	return true;
}

/* the ring slot that this wake-up takes over; its old entry is forgotten */
static int take_slot(struct teo_cpu *t)
{
	int slot = t->next;

	t->next = (slot + 1) % TEO_RECENT;
	if (t->ring[slot] >= 0)
		t->recent[t->ring[slot]]--;
	return slot;
}

static inline void add_hit(struct teo_cpu *t, int state)
{
	t->hits[state] += TEO_PULSE;
	t->hits_sum += TEO_PULSE;
}

static inline void count_bin(struct teo_cpu *t, const struct bins *b, bool hit, int slot)
{
	if (hit) {
		add_hit(t, b->timer);
		if (slot >= 0)
			t->ring[slot] = -1;
		return;
	}
	t->intercepts[b->duration] += TEO_PULSE;
	t->intercepts_sum += TEO_PULSE;
	if (slot >= 0) {
		t->recent[b->duration]++;
		t->ring[slot] = b->duration;
	}
}

/* 5.14 .. 6.13: a wake-up by the timer shows in the clock */
static void update_by_span(struct teo_cpu *t)
{
	const struct core *c = &t->core;
	uint64_t latency = c->latency[c->last], length = UINT64_MAX;
	struct bins b;
	int slot;

	if (t->span < t->sleep)
		length = c->slept >= latency ? c->slept - latency / 2 : c->slept / 2;
	b = decay_and_classify(t, length);
	slot = t->conf.recent ? take_slot(t) : -1;
	/* a tick hit leaves the slot's entry stale, as in 6.6: its count then wraps */
	if (t->conf.tick_metric != TICK_HITS || !count_tick_hit(t, length, &b))
		count_bin(t, &b, b.timer == b.duration, slot);
	t->total = b.sum + TEO_PULSE;
}

/* the measured length; short ones are counted on their own */
static int64_t measure(struct teo_cpu *t)
{
	const struct core *c = &t->core;
	int64_t latency = c->latency[c->last], slept = c->slept;
	int64_t length = slept >= latency ? slept - latency / 2 : slept / 2;

	if (slept < latency || length < t->conf.threshold)
		t->short_idles += TEO_PULSE;
	return length;
}

static bool is_hit(const struct teo_cpu *t, const struct bins *b, int64_t length)
{
	if (b->timer != b->duration)
		return false;
	/* wraps when the length is endless and the timer in the past: then it is no hit */
	return !t->conf.bin_and_delay || t->sleep - length < t->core.latency[t->core.last] / 2;
}

static void count_intercept_of_tick(struct teo_cpu *t, int64_t length)
{
	bool inverted = t->conf.tick_metric == TICK_INVERTED;

	if (inverted ? (uint64_t)t->core.tick <= (uint64_t)length : length <= t->core.tick)
		t->tick_intercepts += TEO_PULSE;
}

/* 6.14 .. 6.18: the tick and the polling limit count as the timer */
static void update_artificial(struct teo_cpu *t)
{
	uint64_t length = UINT64_MAX;
	struct bins b;
	bool hit;

	t->short_idles = teo_decay(&t->conf, t->short_idles);
	if (!t->artificial)
		length = measure(t);
	b = decay_and_classify(t, length);
	t->tick_intercepts = teo_decay(&t->conf, t->tick_intercepts);
	hit = is_hit(t, &b, length);
	count_bin(t, &b, hit, -1);
	if (!hit)
		count_intercept_of_tick(t, length);
	t->total = t->conf.total_decays ? teo_decay(&t->conf, t->total) + TEO_PULSE
					: b.sum + TEO_PULSE;
}

/* mostly ticks: the deepest state; from 7.0 also: few intercepts within a tick, so a hit */
static bool count_tick_wakeup(struct teo_cpu *t, const struct bins *b)
{
	t->total_tick += TEO_PULSE;
	if (3 * t->total_tick > 2 * t->total) {
		add_hit(t, t->core.nstates - 1);
		return true;
	}
	if (t->conf.bin_and_delay && 3 * t->tick_intercepts < 2 * b->sum) {
		add_hit(t, b->timer);
		return true;
	}
	return false;
}

/* from 6.19: wake-ups by the tick are judged on their own */
static void update_by_tick(struct teo_cpu *t)
{
	int64_t length = KTIME_MAX;
	struct bins b;
	bool hit;

	t->short_idles = teo_decay(&t->conf, t->short_idles);
	if (t->core.poll_limit)
		t->core.poll_limit = false;
	else
		length = measure(t);
	b = decay_and_classify(t, length);
	t->total = t->conf.total_decays ? teo_decay(&t->conf, t->total) + TEO_PULSE
					: b.sum + TEO_PULSE;
	t->tick_intercepts = teo_decay(&t->conf, t->tick_intercepts);
	t->total_tick = teo_decay(&t->conf, t->total_tick);
	if (t->tick_wakeup && count_tick_wakeup(t, &b))
		return;
	hit = is_hit(t, &b, length);
	count_bin(t, &b, hit, -1);
	if (!hit)
		count_intercept_of_tick(t, length);
}

void teo_bins_update(struct teo_cpu *t)
{
	if (t->conf.wake == WAKE_BY_SPAN)
		update_by_span(t);
	else if (t->conf.wake == WAKE_ARTIFICIAL)
		update_artificial(t);
	else
		update_by_tick(t);
}
