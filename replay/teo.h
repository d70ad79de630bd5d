/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The timer events oriented governor's per-CPU memory and its steps, shared by model and
 * explanation. Restates drivers/cpuidle/governors/teo.c of 5.1 .. 7.3 with one switch per change:
 * teo_hits.c is the form up to 5.13, teo_bins.c all later ones. Times are ns; us in the us-counting
 * form up to 5.4.
 */
#ifndef REIDLE_REPLAY_TEO_H
#define REIDLE_REPLAY_TEO_H

#include "replay/model.h"

#define TEO_PULSE 1024 /* weight of one event in a metric */
#define TEO_INTERVALS 8
#define TEO_RECENT 9
#define TEO_BINS 12 /* a multiple of what one vector register holds; slots past the states stay 0  \
		     */

enum teo_param {
	TEO_FORM,
	TEO_SLEEP_LENGTH,
	TEO_COUNT_SLEEP,
	TEO_RECENT_RING,
	TEO_UTIL,
	TEO_TICK_METRIC,
	TEO_TOTAL,
	TEO_WAKE_RULE,
	TEO_HIT_RULE,
	TEO_SEARCH,
	TEO_TICK_RATIO,
	TEO_DECAY_SHIFT,
	TEO_DECAY_FLOOR,
	TEO_THRESHOLD,
	TEO_LATENCY_THRESHOLD,
	TEO_SLEEP_GUARD,
	TEO_UNITS,
	TEO_PARAMS
};

enum teo_read { TEO_READ_ALWAYS, TEO_READ_DEEP, TEO_READ_THRESHOLD };
enum teo_util { UTIL_OFF, UTIL_MID, UTIL_STATE };
enum teo_tick { TICK_NONE, TICK_HITS, TICK_INVERTED, TICK_INTERCEPTS };
enum teo_wake { WAKE_BY_SPAN, WAKE_ARTIFICIAL, WAKE_BY_TICK };
enum teo_search { SEARCH_T3, SEARCH_T4, SEARCH_T7, SEARCH_T8, SEARCH_T9 };

struct teo_conf {
	bool hits_misses, count_sleep, recent, total_decays, bin_and_delay, two_thirds;
	bool decay_floor, sleep_guard;
	enum teo_read read;
	enum teo_util util;
	enum teo_tick tick_metric;
	enum teo_wake wake;
	enum teo_search search;
	unsigned shift;
	unsigned reads;			      /* GOV_READ_* of every selection */
	int64_t threshold, latency_threshold; /* ns */
	int64_t unit;			      /* units in a us: 1000 or 1 */
};

struct teo_cpu {
	struct core core;
	struct teo_conf conf;
	int64_t span;	 /* clock at select, after reflect the time between the two */
	int64_t tick_ns; /* also where states are counted in us */
	/* between the residencies of a state and the next; the last state's next is a slot of
	 * zeroes */
	int64_t middle[STATES_MAX];
	int64_t sleep; /* sleep length of the last select; KTIME_MAX when it was not read */
	bool artificial, tick_wakeup;
	uint32_t hits[TEO_BINS], intercepts[TEO_BINS]; /* misses in the hits_misses form */
	uint32_t early[TEO_BINS];		       /* hits_misses form only */
	uint32_t recent[TEO_BINS];
	uint32_t hits_sum, intercepts_sum; /* of all bins */
	uint32_t total, short_idles, tick_hits, tick_intercepts, total_tick;
	int ring[TEO_RECENT];
	int next;
	uint64_t interval[TEO_INTERVALS];
};

/* what one scan over the states found; shared with the explanation */
struct teo_scan {
	int first;			   /* shallowest enabled state */
	int idx;			   /* deepest candidate, -1 none */
	int constraint;			   /* deepest state within the latency limit, 0 none */
	uint32_t intercepts, hits, recent; /* of the states above idx */
	uint32_t all_intercepts;
};

static inline uint32_t teo_decay(const struct teo_conf *k, uint32_t x)
{
	uint32_t d = x >> k->shift;

	return d || !k->decay_floor ? x - d : 0;
}

/* with the tick stopped only a state of a tick or more is worth a guess */
static inline bool teo_state_ok(const struct core *c, bool stopped, int64_t residency)
{
	return !stopped || residency >= c->tick;
}

struct gov_choice teo_hits_select(struct teo_cpu *t, const struct gov_input *in);
void teo_hits_update(struct teo_cpu *t);
struct gov_choice teo_bins_select(struct teo_cpu *t, const struct gov_input *in);
void teo_bins_update(struct teo_cpu *t);

/** teo_scan() - sums over the states @in allows; @limit_ns latency limit, @dur states longer end it
 */
void teo_scan(const struct teo_cpu *t, const struct gov_input *in, int64_t dur, struct teo_scan *s);

/** teo_mostly_early() - do intercepts below the candidate outweigh what speaks for it */
bool teo_mostly_early(const struct teo_cpu *t, const struct teo_scan *s);
/** teo_search() - the state that early wake-ups lead to, from the scan's candidate */
int teo_search(const struct teo_cpu *t, const struct gov_input *in, const struct teo_scan *s);
/** teo_within_tick() - is @events a share of all that keeps the tick */
bool teo_within_tick(const struct teo_cpu *t, uint32_t events);

/** teo_max_bin() - the state above 0..N-2 with most intercepts, the deepest of equals */
int teo_max_bin(const struct teo_cpu *t);

void teo_explain(const void *cpu, const struct gov_input *in, const struct gov_choice *c,
	struct explain *out);

/** teo_predicted() - as struct governor says: the timer where teo trusts it; not for hits_misses */
int64_t teo_predicted(const void *cpu, const struct gov_input *in, const struct gov_choice *c);

extern const struct governor governor_teo;

#endif
