// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * teo from 5.14 on, the choosing half: the candidate is the deepest state; early wake-ups make it
 * shallower, then the latency limit, then the next timer. teo_select() of teo.c by generation.
 */
#include "replay/teo.h"

struct chosen {
	int idx;
	int64_t duration;
};

int teo_max_bin(const struct teo_cpu *t)
{
	uint32_t most = 0;
	int bin = -1;

	for (int i = 0; i < t->core.nstates - 1; i++) {
		if (t->intercepts[i] < most)
			continue;
		most = t->intercepts[i];
		bin = i;
	}
	return bin;
}

static inline uint32_t sum_of(const uint32_t *bin)
{
	uint32_t sum = 0;

	for (int i = 0; i < TEO_BINS; i++)
		sum += bin[i];
	return sum;
}

/* nothing disabled and no end: the deepest state is the candidate */
static void scan_all(const struct teo_cpu *t, const struct gov_input *in, struct teo_scan *s)
{
	const struct core *c = &t->core;
	int deepest = c->nstates - 1, con = deepest;

	while (con > 0 && c->latency[con] > in->limit_ns)
		con--;
	s->first = 0;
	s->idx = deepest;
	s->constraint = con;
	s->all_intercepts = t->intercepts_sum;
	s->intercepts = s->all_intercepts - t->intercepts[deepest];
	s->hits = t->hits_sum - t->hits[deepest];
	s->recent = t->conf.recent ? sum_of(t->recent) - t->recent[deepest] : 0;
}

void teo_scan(
	const struct teo_cpu *t, const struct gov_input *in, int64_t dur, struct teo_scan *out)
{
	const struct core *c = &t->core;
	uint32_t intercepts = 0, hits = 0, recent = 0;
	/* a local one: stores through @out could alias the bins */
	struct teo_scan s = {.idx = core_is(in->disabled, 0) ? -1 : 0};

	if (!in->disabled && dur == KTIME_MAX) {
		scan_all(t, in, out);
		return;
	}
	for (int i = 1; i < c->nstates; i++) {
		intercepts += t->intercepts[i - 1];
		hits += t->hits[i - 1];
		recent += t->recent[i - 1];
		if (core_is(in->disabled, i))
			continue;
		if (s.idx < 0)
			s.first = s.idx = i;
		if (c->residency[i] > dur)
			break;
		s.idx = i;
		s.constraint = c->latency[i] <= in->limit_ns ? i : s.constraint;
		s.intercepts = intercepts;
		s.hits = hits;
		s.recent = recent;
	}
	s.all_intercepts = t->intercepts_sum;
	*out = s;
}

/* core_below() that leaves out polling states: for a utilized CPU */
static int below_physical(const struct core *c, uint32_t disabled, int idx, int64_t duration)
{
	for (int i = idx - 1; i >= 0; i--) {
		if (core_is(disabled, i) || core_is(c->polling, i))
			continue;
		idx = i;
		if (c->residency[i] <= duration)
			break;
	}
	return idx;
}

/* the end of every path that may stop the tick */
static struct gov_choice finish(const struct teo_cpu *t, const struct gov_input *in, int first,
	int idx, int64_t duration, int64_t delta)
{
	const struct core *c = &t->core;
	struct gov_choice out = {.state = idx, .stop_tick = true, .read = t->conf.reads};

	if (in->tick_stopped || (!core_is(c->polling, idx) && duration >= c->tick))
		return out;
	out.stop_tick = false;
	/* the tick stays and will end the idle period */
	if (idx > first && c->residency[idx] > delta)
		out.state = core_below(c, in->disabled, idx, delta);
	return out;
}

static struct gov_choice keep_tick(const struct teo_cpu *t, int idx)
{
	return (struct gov_choice){.state = idx, .stop_tick = false, .read = t->conf.reads};
}

bool teo_mostly_early(const struct teo_cpu *t, const struct teo_scan *s)
{
	return 2 * s->intercepts > t->total - s->hits;
}

/*
 * Up to 6.18: deepest state that was not too deep in over half of the early wake-ups. Spans are the
 * middles of the bins (mid) or the residencies. With the tick stopped the last state that was long
 * enough is taken instead of one that is not.
 */
static inline __attribute__((always_inline)) struct chosen search_early(const struct teo_cpu *t,
	const struct gov_input *in, const struct teo_scan *s, struct chosen now, bool mid)
{
	const struct core *c = &t->core;
	bool by_recent = t->conf.recent && s->recent > TEO_RECENT / 2;
	bool by_count = teo_mostly_early(t, s);
	uint32_t intercepts = 0, recent = 0;
	struct chosen fit = now;

	if (!by_recent && !by_count)
		return now;
	for (int i = now.idx - 1; i >= 0; i--) {
		int64_t span = mid ? t->middle[i] : c->residency[i];
		bool ok = teo_state_ok(c, in->tick_stopped, span);

		intercepts += t->intercepts[i];
		recent += t->recent[i];
		if ((!by_recent || 2 * recent > s->recent) &&
			(!by_count || 2 * intercepts > s->intercepts))
			return ok && !core_is(in->disabled, i) ? (struct chosen){i, span} : fit;
		if (core_is(in->disabled, i))
			continue;
		if (ok)
			fit = (struct chosen){i, span};
		else if (fit.idx == now.idx)
			break;
	}
	return now;
}

/* search_early() by residency and without the ring, as 6.11 .. 6.18 have it */
static int search_count(
	const struct teo_cpu *t, const struct gov_input *in, const struct teo_scan *s)
{
	const struct core *c = &t->core;
	uint32_t intercepts = 0;
	int fit = s->idx;

	for (int i = s->idx - 1; i >= 0; i--) {
		bool ok = teo_state_ok(c, in->tick_stopped, c->residency[i]);

		intercepts += t->intercepts[i];
		if (2 * intercepts > s->intercepts)
			return ok && !core_is(in->disabled, i) ? i : fit;
		if (core_is(in->disabled, i))
			continue;
		if (ok)
			fit = i;
		else if (fit == s->idx)
			break;
	}
	return s->idx;
}

/* from 6.19; from 7.0 it also walks on to the bin with most intercepts (@bin, else above all) */
static int walk_down(const struct teo_cpu *t, uint32_t disabled, const struct teo_scan *s, int idx,
	int lowest, int bin)
{
	uint32_t intercepts = 0;

	for (int i = idx - 1; i >= lowest; i--) {
		intercepts += t->intercepts[i];
		if (core_is(disabled, i))
			continue;
		idx = i;
		if (2 * intercepts > s->intercepts && i <= bin)
			break;
	}
	return idx;
}

/* 6.19 and 7.0: with the tick stopped, no lower than the first state of a tick or more */
static int search_floor(
	const struct teo_cpu *t, const struct gov_input *in, const struct teo_scan *s)
{
	const struct core *c = &t->core;
	int lowest = s->first, idx = s->idx, bin = teo_max_bin(t);

	if (in->tick_stopped)
		while (lowest < idx && c->residency[lowest] < c->tick)
			lowest++;
	if (t->conf.search == SEARCH_T7)
		return walk_down(t, in->disabled, s, idx, lowest, STATES_MAX);
	if (in->tick_stopped && c->residency[lowest] == c->residency[idx])
		return idx;
	if (lowest >= bin && !core_is(in->disabled, lowest))
		return lowest;
	return walk_down(t, in->disabled, s, idx, lowest, bin);
}

int teo_search(const struct teo_cpu *t, const struct gov_input *in, const struct teo_scan *s)
{
	enum teo_search form = t->conf.search;

	if (t->conf.read == TEO_READ_ALWAYS)
		return search_early(t, in, s, (struct chosen){s->idx, in->sleep_ns}, true).idx;
	if (!teo_mostly_early(t, s) && !t->conf.recent)
		return s->idx;
	if (form == SEARCH_T4 && !t->conf.recent)
		return search_count(t, in, s);
	if (form <= SEARCH_T4)
		return search_early(t, in, s, (struct chosen){s->idx, 0}, form == SEARCH_T3).idx;
	if (!teo_mostly_early(t, s))
		return s->idx;
	if (form == SEARCH_T9)
		return walk_down(t, in->disabled, s, s->idx, s->first, teo_max_bin(t));
	return search_floor(t, in, s);
}

/* 6.3 .. 6.5: two states and a utilized CPU; true if that settles it */
static bool utilized_pair(const struct core *c, const struct gov_input *in, int64_t span, int *idx)
{
	if ((*idx == 0 && !core_is(c->polling, 0) && teo_state_ok(c, in->tick_stopped, span)) ||
		core_is(in->disabled, 1)) {
		*idx = 0;
		return true;
	}
	*idx = 1;
	return false;
}

/* 5.14 .. 6.5, sleep length known from the start: nothing to search */
static bool nothing_deeper(
	const struct teo_cpu *t, const struct gov_input *in, struct gov_choice *out)
{
	const struct core *c = &t->core;
	bool util = t->conf.util == UTIL_MID;
	int64_t duration = in->sleep_ns;

	if (c->nstates < 2 || (!core_is(in->disabled, 0) && c->residency[1] > duration)) {
		*out = util ? keep_tick(t, 0) : finish(t, in, 0, 0, duration, in->tick_delta_ns);
		return true;
	}
	if (util && c->nstates < 3 && in->utilized) {
		int idx = core_is(in->disabled, 0) ? -1 : 0;

		*out = utilized_pair(c, in, t->middle[0], &idx)
			       ? keep_tick(t, 0)
			       : finish(t, in, 0, idx, t->middle[0], in->tick_delta_ns);
		return true;
	}
	return false;
}

/* 5.14 .. 6.5 */
static struct gov_choice select_always(struct teo_cpu *t, const struct gov_input *in)
{
	const struct core *c = &t->core;
	bool util = t->conf.util == UTIL_MID;
	struct chosen now = {0, in->sleep_ns};
	struct teo_scan s;
	struct gov_choice out;

	t->span = in->now_ns;
	t->sleep = in->sleep_ns;
	if (nothing_deeper(t, in, &out))
		return out;
	teo_scan(t, in, now.duration, &s);
	if (s.idx < 0)
		return util ? keep_tick(t, 0)
			    : finish(t, in, 0, 0, now.duration, in->tick_delta_ns);
	now.idx = s.idx;
	if (s.idx == s.first) {
		if (util)
			now.duration = c->residency[s.idx];
		return finish(t, in, s.first, now.idx, now.duration, in->tick_delta_ns);
	}
	now = search_early(t, in, &s, now, true);
	if (now.idx > s.constraint)
		now.idx = s.constraint; /* 0 if no state is within the limit, even a disabled 0 */
	if (util && in->utilized) {
		int i = below_physical(c, in->disabled, now.idx, now.duration);

		if (teo_state_ok(c, in->tick_stopped, t->middle[i]))
			now = (struct chosen){i, t->middle[i]};
	}
	return finish(t, in, s.first, now.idx, now.duration, in->tick_delta_ns);
}

bool teo_within_tick(const struct teo_cpu *t, uint32_t events)
{
	if (t->conf.two_thirds)
		return 3 * events >= 2 * t->total;
	return events > t->total / 2 + t->total / 8;
}

/* the timer was read: the last word on the state, and on the tick */
static struct gov_choice apply_timer(
	struct teo_cpu *t, const struct gov_input *in, const struct teo_scan *s, int idx)
{
	const struct core *c = &t->core;
	int64_t duration = in->sleep_ns;
	uint32_t events = t->conf.tick_metric == TICK_HITS ? s->all_intercepts : t->tick_intercepts;

	if (c->residency[idx] > duration) {
		int i = core_below(c, in->disabled, idx, duration);

		if (!t->conf.sleep_guard || teo_state_ok(c, in->tick_stopped, c->residency[i]))
			idx = i;
	}
	/* most wake-ups come within a tick: keep it, whatever the timer says */
	if (t->conf.tick_metric != TICK_NONE && c->residency[idx] < c->tick &&
		teo_within_tick(t, events))
		duration = c->tick / 2;
	return finish(t, in, s->first, idx, duration, in->tick_delta_ns);
}

static struct gov_choice read_sleep(
	struct teo_cpu *t, const struct gov_input *in, struct gov_choice c)
{
	t->sleep = in->sleep_ns;
	c.read |= GOV_READ_SLEEP;
	return c;
}

/* 6.6 .. 6.13: the timer is read unless state 0, or a short state with a polling state 0, is chosen
 */
static struct gov_choice select_deep(
	struct teo_cpu *t, const struct gov_input *in, const struct teo_scan *s)
{
	const struct core *c = &t->core;
	int idx = teo_search(t, in, s);

	if (t->conf.count_sleep && idx == 0 && s->idx != 0)
		return read_sleep(t, in, keep_tick(t, 0));
	if (idx > s->constraint)
		idx = s->constraint;
	if (t->conf.util && in->utilized) {
		int i = below_physical(c, in->disabled, idx, KTIME_MAX);

		if (teo_state_ok(c, in->tick_stopped, c->residency[i]))
			idx = i;
	}
	if (idx == 0 || (core_is(c->polling, 0) && c->residency[idx] < t->conf.threshold))
		return keep_tick(t, idx);
	return read_sleep(t, in, apply_timer(t, in, s, idx));
}

/* 7.1: no tick will end a short state that was guessed wrong, so take the deepest that fits the
 * timer */
static int deeper_when_stopped(
	const struct core *c, const struct gov_input *in, const struct teo_scan *s, int idx)
{
	for (int i = s->constraint; i > idx; i--)
		if (!core_is(in->disabled, i) && c->residency[i] <= in->sleep_ns)
			return i;
	return idx;
}

/* from 6.14: the timer is not read when short idle periods or a tight limit make it irrelevant */
static struct gov_choice select_threshold(
	struct teo_cpu *t, const struct gov_input *in, const struct teo_scan *s)
{
	const struct core *c = &t->core;
	bool t9 = t->conf.search == SEARCH_T9;
	int idx = teo_search(t, in, s);

	if (idx > s->constraint)
		idx = s->constraint;
	if (!(t9 && in->tick_stopped) && (idx == 0 || c->residency[idx] < t->conf.threshold) &&
		(2 * t->short_idles >= t->total || in->limit_ns < t->conf.latency_threshold))
		return keep_tick(t, idx);
	if (t9 && in->tick_stopped && in->sleep_ns > 2 * c->tick && c->residency[idx] < c->tick) {
		struct gov_choice out = {.stop_tick = true, .read = t->conf.reads};

		out.state = deeper_when_stopped(c, in, s, idx);
		return read_sleep(t, in, out);
	}
	if (idx == 0)
		return read_sleep(t, in, keep_tick(t, 0));
	return read_sleep(t, in, apply_timer(t, in, s, idx));
}

/* from 6.6 */
static struct gov_choice select_lazy(struct teo_cpu *t, const struct gov_input *in)
{
	const struct core *c = &t->core;
	int64_t delta = c->tick / 2;
	struct teo_scan s;

	t->span = in->now_ns;
	t->sleep = KTIME_MAX;
	if (c->nstates < 2 && t->conf.search != SEARCH_T9)
		return keep_tick(t, 0);
	if (t->conf.util && c->nstates < 3 && in->utilized) {
		int idx = core_is(in->disabled, 0) ? -1 : 0;

		if (utilized_pair(c, in, c->residency[0], &idx))
			return keep_tick(t, 0);
		return finish(t, in, 0, idx, c->residency[idx], delta);
	}
	teo_scan(t, in, KTIME_MAX, &s);
	if (s.idx < 0)
		return keep_tick(t, 0);
	if (s.idx == s.first)
		return finish(t, in, s.first, s.idx, c->residency[s.idx], delta);
	if (t->conf.read == TEO_READ_DEEP)
		return select_deep(t, in, &s);
	return select_threshold(t, in, &s);
}

struct gov_choice teo_bins_select(struct teo_cpu *t, const struct gov_input *in)
{
	return t->conf.read == TEO_READ_ALWAYS ? select_always(t, in) : select_lazy(t, in);
}
