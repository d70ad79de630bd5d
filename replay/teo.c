// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/teo.h"

static const char *const words_form[] = {"hits_misses", "bins", NULL};
static const char *const words_read[] = {"always", "deep_only", "threshold", NULL};
static const char *const words_util[] = {"off", "mid", "state", NULL};
static const char *const words_tick[] = {
	"none", "tick_hits", "tick_intercepts_inverted", "tick_intercepts", NULL};
static const char *const words_total[] = {"sum", "decayed", NULL};
static const char *const words_wake[] = {"span", "artificial", "tick", NULL};
static const char *const words_hit[] = {"bin", "bin_and_delay", NULL};
static const char *const words_search[] = {"T3", "T4", "T7", "T8", "T9", NULL};
static const char *const words_ratio[] = {"5/8", "2/3", NULL};
static const char *const words_units[] = {"ns", "us", NULL};

static const struct gov_param teo_params[] = {
	[TEO_FORM] = {"form", "what is counted per state", PARAM_ENUM, 0, 1, words_form, 0},
	[TEO_SLEEP_LENGTH] = {"sleep_length",
		"when the time to the next timer is read: always, not "
		"for state 0 and a polling start, not below the thresholds",
		PARAM_ENUM, 0, 2, words_read, 0},
	[TEO_COUNT_SLEEP] = {"count_sleep",
		"deep_only: read the timer too when the search ended at "
		"state 0, so that it is no intercept",
		PARAM_BOOL, 0, 1, NULL, 0},
	[TEO_RECENT_RING] = {"recent", "the last 9 early wake-ups count too", PARAM_BOOL, 0, 1,
		NULL, 0},
	[TEO_UTIL] = {"util",
		"a utilized CPU takes a shallower state, judged between two states (mid) "
		"or by its own residency (state)",
		PARAM_ENUM, 0, 2, words_util, 0},
	[TEO_TICK_METRIC] = {"tick_metric", "what tells that wake-ups come within a tick",
		PARAM_ENUM, 0, 3, words_tick, 0},
	[TEO_TOTAL] = {"total", "events in all: sum of the metrics, or a metric of its own",
		PARAM_ENUM, 0, 1, words_total, 0},
	[TEO_WAKE_RULE] = {"wake_rule", "what makes a wake-up the timer's or the tick's",
		PARAM_ENUM, 0, 2, words_wake, 0},
	[TEO_HIT_RULE] = {"hit_rule",
		"a hit: same bin as the timer; and at most half the exit latency "
		"before it, with ticks no fake intercepts",
		PARAM_ENUM, 0, 1, words_hit, 0},
	[TEO_SEARCH] = {"search", "how a shallower state is found, by generation", PARAM_ENUM, 0, 4,
		words_search, 0},
	[TEO_TICK_RATIO] = {"tick_ratio", "share of events within a tick that keeps the tick",
		PARAM_ENUM, 0, 1, words_ratio, 0},
	[TEO_DECAY_SHIFT] = {"decay_shift", "metrics lose 1/2^shift at every wake-up", PARAM_INT, 1,
		8, NULL, 0},
	[TEO_DECAY_FLOOR] = {"decay_floor", "metrics too small to decay become 0", PARAM_BOOL, 0, 1,
		NULL, 0},
	[TEO_THRESHOLD] = {"residency_threshold_us",
		"us; states below it are taken without the timer", PARAM_FLOAT, 0, 1000, NULL, 0},
	[TEO_LATENCY_THRESHOLD] = {"latency_threshold_us",
		"us; as residency_threshold_us, for the "
		"latency limit",
		PARAM_FLOAT, 0, 1000, NULL, 0},
	[TEO_SLEEP_GUARD] = {"sleep_guard",
		"with the tick stopped, a timer does not lead to a state "
		"below a tick",
		PARAM_BOOL, 0, 1, NULL, 0},
	[TEO_UNITS] = {"units", "the kernel's own counting; us up to 5.4", PARAM_ENUM, 0, 1,
		words_units, 0},
};

static void teo_conf(struct teo_conf *k, const double *v)
{
	k->hits_misses = v[TEO_FORM] == 0;
	k->read = v[TEO_SLEEP_LENGTH];
	k->count_sleep = v[TEO_COUNT_SLEEP];
	k->recent = v[TEO_RECENT_RING];
	k->util = v[TEO_UTIL];
	k->tick_metric = v[TEO_TICK_METRIC];
	k->total_decays = v[TEO_TOTAL];
	k->wake = v[TEO_WAKE_RULE];
	k->bin_and_delay = v[TEO_HIT_RULE];
	k->search = v[TEO_SEARCH];
	k->two_thirds = v[TEO_TICK_RATIO];
	k->shift = v[TEO_DECAY_SHIFT];
	k->decay_floor = v[TEO_DECAY_FLOOR];
	k->threshold = v[TEO_THRESHOLD] * NSEC_PER_USEC;
	k->latency_threshold = v[TEO_LATENCY_THRESHOLD] * NSEC_PER_USEC;
	k->sleep_guard = v[TEO_SLEEP_GUARD];
	k->unit = v[TEO_UNITS] ? 1 : 1000;
	k->reads = GOV_READ_LIMIT | (k->util ? GOV_READ_UTIL : 0) |
		   (k->wake == WAKE_BY_SPAN ? GOV_READ_CLOCK : 0) |
		   (k->read == TEO_READ_ALWAYS ? GOV_READ_SLEEP : 0);
}

static void teo_init(void *cpu, const struct gov_machine *mc, const struct gov_spec *spec)
{
	struct teo_cpu *t = cpu;

	teo_conf(&t->conf, spec->value);
	t->tick_ns = mc->tick_ns;
	core_init(&t->core, mc, t->conf.hits_misses ? t->conf.unit : 1000);
	for (int i = 0; i < STATES_MAX; i++)
		t->middle[i] = (t->core.residency[i] + t->core.residency[i + 1]) / 2;
	for (int i = 0; i < TEO_RECENT; i++)
		t->ring[i] = -1;
	for (int i = 0; i < TEO_INTERVALS; i++)
		t->interval[i] = UINT64_MAX;
}

static struct gov_choice teo_select(void *cpu, const struct gov_input *in, int64_t true_length_ns)
{
	struct teo_cpu *t = cpu;

	(void)true_length_ns;
	/* none after an aborted entry; one for state 0 at the very first select, as the device is
	 * zeroed */
	if (t->core.last >= 0) {
		if (t->conf.hits_misses)
			teo_hits_update(t);
		else
			teo_bins_update(t);
		t->core.last = -1;
	}
	if (t->conf.hits_misses)
		return teo_hits_select(t, in);
	return teo_bins_select(t, in);
}

static bool sleeps_past_tick(const struct teo_cpu *t)
{
	if (t->conf.hits_misses) /* unsigned there */
		return (uint64_t)t->sleep > (uint64_t)t->tick_ns;
	return t->sleep > t->tick_ns;
}

/* up to 6.18: the flag of a tick stays set when the polling limit already explains the wake-up */
static bool reflect_span(struct teo_cpu *t, const struct gov_outcome *out)
{
	bool pending = out->got_tick;
	bool timer = true;

	if (t->core.poll_limit) {
		t->core.poll_limit = false;
	} else {
		timer = pending && sleeps_past_tick(t);
		pending = false;
	}
	t->artificial = timer;
	t->span = timer ? t->sleep : out->now_ns - t->span;
	return pending;
}

static bool teo_reflect(void *cpu, const struct gov_outcome *out)
{
	struct teo_cpu *t = cpu;

	if (!core_outcome(&t->core, out))
		return out->got_tick;
	t->core.last = out->entered;
	if (t->conf.wake != WAKE_BY_TICK)
		return reflect_span(t, out);
	t->tick_wakeup = out->got_tick;
	return false;
}

const struct governor governor_teo = {
	.name = "teo",
	.summary = "counts wake-ups before and at the timer",
	.params = teo_params,
	.nparams = TEO_PARAMS,
	.cpu_size = sizeof(struct teo_cpu),
	.init = teo_init,
	.select = teo_select,
	.reflect = teo_reflect,
	.explain = teo_explain,
	.predicted = teo_predicted,
};
