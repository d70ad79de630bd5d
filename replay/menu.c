// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/menu.h"

/* lengths from here on do not teach the correction factors; a tick stands for 9/10 of it */
#define MAX_INTERESTING_US 50000

static const char *const words_override[] = {"off", "qos", "predicted", "threshold", NULL};
static const char *const words_read[] = {"always", "threshold", "threshold_or_stopped", NULL};
static const char *const words_detector[] = {"old", "old_max", "new_max", "new", NULL};
static const char *const words_multiplier[] = {"none", "iowait", "load", NULL};
static const char *const words_stopped[] = {"delta", "next_timer", "safe_timer", NULL};
static const char *const words_units[] = {"ns", "us", NULL};

static const struct gov_param menu_params[] = {
	[MENU_POLL_OVERRIDE] = {"poll_override",
		"leave the polling state for a physical one that is "
		"longer than predicted: never, if the latency limit allows, if also shorter to "
		"leave "
		"than predicted, if also below residency_threshold_us",
		PARAM_ENUM, 0, 3, words_override, 0},
	[MENU_THRESHOLD] = {"residency_threshold_us", "us; below it the timers are not asked",
		PARAM_INT, 0, 1000, NULL, 0},
	[MENU_SLEEP_LENGTH] = {"sleep_length", "when the time to the next timer is read",
		PARAM_ENUM, 0, 2, words_read, 0},
	[MENU_DETECTOR] = {"detector",
		"typical interval: outliers from the top (old) or from both "
		"ends (new); _max: the longest sample left instead of no answer",
		PARAM_ENUM, 0, 3, words_detector, 0},
	[MENU_VARIANCE] = {"variance_max_us2", "us^2; samples that spread less agree", PARAM_INT, 0,
		1000000, NULL, 0},
	[MENU_RATIO] = {"ratio", "samples agree if average^2 > ratio * variance", PARAM_INT, 1, 36,
		NULL, 0},
	[MENU_KEEP] = {"keep", "of 8 samples, as many must remain", PARAM_INT, 1, 8, NULL, 0},
	[MENU_LATENCY_FIRST] = {"latency_first",
		"a state over the latency limit ends the search "
		"before its residency is looked at",
		PARAM_BOOL, 0, 1, NULL, 0},
	[MENU_IOWAIT] = {"iowait", "separate correction factors while tasks wait for I/O",
		PARAM_BOOL, 0, 1, NULL, 0},
	[MENU_MULTIPLIER] = {"multiplier",
		"the latency limit shrinks with waiting tasks (iowait) and "
		"CPU load (load: no recording has it, taken as 0)",
		PARAM_ENUM, 0, 2, words_multiplier, 0},
	[MENU_STOPPED_FIX] = {"stopped_fix",
		"tick stopped and a short prediction: believe the next "
		"clock event, the next timer, or the timer if over two ticks away",
		PARAM_ENUM, 0, 2, words_stopped, 0},
	[MENU_REJECT_SAMPLE] = {"reject_sample", "an aborted entry leaves an endless sample",
		PARAM_BOOL, 0, 1, NULL, 0},
	[MENU_NEGATIVE_CLAMP] = {"negative_clamp", "a timer in the past counts as now", PARAM_BOOL,
		0, 1, NULL, 0},
	[MENU_DECAY] = {"decay", "a new length weighs 1/decay in its correction factor", PARAM_INT,
		2, 64, NULL, 0},
	[MENU_UNITS] = {"units", "the kernel's own counting; us up to 5.4", PARAM_ENUM, 0, 1,
		words_units, 0},
};

static void menu_init(void *cpu, const struct gov_machine *mc, const struct gov_spec *spec)
{
	struct menu_cpu *m = cpu;
	struct menu_conf *k = &m->conf;
	const double *v = spec->value;

	k->unit = v[MENU_UNITS] ? 1 : 1000;
	core_init(&m->core, mc, k->unit);
	k->poll_override = v[MENU_POLL_OVERRIDE];
	k->sleep_length = v[MENU_SLEEP_LENGTH];
	k->detector = v[MENU_DETECTOR];
	k->multiplier = v[MENU_MULTIPLIER];
	k->stopped_fix = v[MENU_STOPPED_FIX];
	k->latency_first = v[MENU_LATENCY_FIRST];
	k->iowait = v[MENU_IOWAIT];
	k->reject_sample = v[MENU_REJECT_SAMPLE];
	k->negative_clamp = v[MENU_NEGATIVE_CLAMP];
	k->decay = v[MENU_DECAY];
	k->keep = v[MENU_KEEP];
	k->ratio = v[MENU_RATIO];
	k->variance_max = v[MENU_VARIANCE];
	k->threshold = v[MENU_THRESHOLD] * k->unit;
	for (int i = 0; i < MENU_BUCKETS; i++)
		m->factor[i] = MENU_RESOLUTION * k->decay;
}

unsigned menu_bucket(const struct menu_cpu *m, uint64_t duration, uint32_t iowait)
{
	uint64_t us = m->conf.unit;
	unsigned b = m->conf.iowait && iowait ? 6 : 0;

	return b + (duration >= 10 * us) + (duration >= 100 * us) + (duration >= 1000 * us) +
	       (duration >= 10000 * us) + (duration >= 100000 * us);
}

static void push_sample(struct menu_cpu *m, uint32_t us)
{
	m->sample_us[m->next_sample] = us;
	m->next_sample = (m->next_sample + 1) % MENU_SAMPLES;
}

/* how long the CPU could have slept, as far as the governor can tell */
static uint64_t measured_length(const struct menu_cpu *m)
{
	const struct core *c = &m->core;
	uint64_t latency = c->latency[c->last],
		 slept = m->conf.unit == 1 ? c->slept / 1000 : c->slept;

	if (m->tick_wakeup && m->next_timer > (uint64_t)c->tick)
		return MAX_INTERESTING_US * 9 / 10 * m->conf.unit;
	if (core_is(c->polling, c->last) && c->poll_limit)
		return m->next_timer;
	return slept > 2 * latency ? slept - latency : slept / 2;
}

/* menu_update(): what the last idle period teaches */
static void update(struct menu_cpu *m)
{
	uint64_t length = measured_length(m);
	uint32_t f = m->factor[m->bucket];

	if (length > m->next_timer)
		length = m->next_timer;
	f -= m->conf.decay == 8 ? f / 8 : f / m->conf.decay;
	if (m->next_timer > 0 && length < MAX_INTERESTING_US * m->conf.unit)
		f += MENU_RESOLUTION * length / m->next_timer;
	else
		f += MENU_RESOLUTION;
	m->factor[m->bucket] = f;
	push_sample(m, m->conf.unit == 1 ? length : (uint64_t)((int64_t)length / 1000));
}

uint32_t menu_correct(const struct menu_cpu *m)
{
	uint64_t x = m->next_timer * m->factor[m->bucket];

	uint64_t one = MENU_RESOLUTION * m->conf.decay * m->conf.unit;

	/* the usual one spelt out, so that the division becomes a multiplication */
	if (one == MENU_RESOLUTION * 8 * 1000)
		return (x + MENU_RESOLUTION * 8 * 1000 / 2) / (MENU_RESOLUTION * 8 * 1000);
	return (x + one / 2) / one;
}

/* tick_nohz_get_sleep_length(), as the generation stores it */
static inline void read_timer(struct menu_cpu *m, const struct gov_input *in, int64_t *delta)
{
	int64_t sleep = in->sleep_ns;

	*delta = in->tick_delta_ns;
	if (sleep < 0 && m->conf.negative_clamp)
		sleep = *delta = 0;
	else if (*delta < 0 && !m->conf.negative_clamp)
		*delta = KTIME_MAX; /* compared unsigned: residencies are u64 up to 5.10 */
	if (m->conf.unit == 1) {    /* unsigned int in those kernels */
		m->next_timer = (uint32_t)(sleep / 1000);
		*delta = (uint32_t)(*delta / 1000);
	} else {
		m->next_timer = sleep;
	}
	m->bucket = menu_bucket(m, m->next_timer, in->iowait);
}

/* the first two states settle it: no other choice, or no time, or no latency to spare */
bool menu_nothing_to_choose(const struct menu_cpu *m, uint32_t disabled, int64_t limit)
{
	const struct core *c = &m->core;

	if (c->nstates <= 1 && m->conf.stopped_fix != STOPPED_SAFE_TIMER)
		return true;
	return limit == 0 ||
	       ((m->next_timer < (uint64_t)c->residency[1] || limit < c->latency[1]) &&
		       !core_is(disabled, 0));
}

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* up to 6.5: timer first, detector after it */
static uint64_t predict_timer_first(const struct menu_cpu *m)
{
	uint32_t corrected = menu_correct(m);
	uint32_t typical = menu_typical(m, corrected, NULL, NULL);

	return min_u64(typical, corrected) * m->conf.unit;
}

/* from 6.6: detector first, and the timer only if it could matter */
static uint64_t predict_typical_first(
	struct menu_cpu *m, const struct gov_input *in, struct menu_belief *b)
{
	uint64_t predicted = (uint64_t)menu_typical(m, UINT32_MAX, NULL, NULL) * m->conf.unit;
	bool always = m->conf.sleep_length == READ_THRESHOLD_OR_STOPPED && in->tick_stopped;

	if (predicted <= m->conf.threshold && !always) {
		b->slept_read = false;
		m->next_timer = KTIME_MAX;
		b->tick_delta = m->core.tick / 2;
		m->bucket = m->conf.iowait && in->iowait ? MENU_BUCKETS - 1 : MENU_BUCKETS / 2 - 1;
		return predicted;
	}
	read_timer(m, in, &b->tick_delta);
	return min_u64((uint64_t)menu_correct(m) * m->conf.unit, predicted);
}

/* what the length prediction means once the tick is stopped, and what waiting tasks are worth */
void menu_adjust(const struct menu_cpu *m, const struct gov_input *in, struct menu_belief *b)
{
	const struct menu_conf *k = &m->conf;
	uint64_t tick = m->core.tick;

	if (in->tick_stopped) {
		/* a wrong short guess would now be paid for without a tick to end it */
		if (b->predicted >= tick)
			return;
		if (k->stopped_fix == STOPPED_DELTA)
			b->predicted = b->tick_delta;
		else if (k->stopped_fix == STOPPED_NEXT_TIMER || m->next_timer > 2 * tick)
			b->predicted = m->next_timer;
		return;
	}
	if (k->multiplier != MULTIPLIER_NONE && !in->iowait)
		b->limit = min_u64(b->limit, b->predicted);
	else if (k->multiplier != MULTIPLIER_NONE)
		b->limit = min_u64(b->limit, b->predicted / (1 + 10 * (uint64_t)in->iowait));
}

/* may a physical state that is longer than predicted take the place of the polling one */
bool menu_override(const struct menu_cpu *m, const struct menu_belief *b, int i)
{
	const struct core *c = &m->core;
	enum menu_override o = m->conf.poll_override;

	if (o == OVERRIDE_OFF || (uint64_t)c->residency[i] > m->next_timer ||
		c->latency[i] > b->limit)
		return false;
	if (o >= OVERRIDE_PREDICTED && (uint64_t)c->latency[i] > b->predicted)
		return false;
	return o != OVERRIDE_THRESHOLD || (uint64_t)c->residency[i] < m->conf.threshold;
}

/*
 * The first state that is too long for the prediction: what becomes of the choice.
 * Return: true if select() ends here and leaves the tick alone.
 */
static inline bool too_long(
	const struct menu_cpu *m, struct menu_belief *b, bool stopped, int i, int *idx)
{
	const struct core *c = &m->core;

	if (core_is(c->polling, *idx) && menu_override(m, b, i)) {
		b->predicted = c->residency[i];
		*idx = i;
		return false;
	}
	if (b->predicted < (uint64_t)c->tick)
		return false;
	if (!stopped) {
		/* too shallow for what may follow: let the tick end it */
		b->predicted = c->residency[*idx];
		return false;
	}
	if (c->residency[*idx] < c->tick && c->residency[i] <= b->tick_delta)
		*idx = i;
	return true;
}

int menu_walk(
	const struct menu_cpu *m, const struct gov_input *in, struct menu_belief *b, bool *done)
{
	const struct core *c = &m->core;
	int idx = -1;

	for (int i = 0; i < c->nstates; i++) {
		if (core_is(in->disabled, i))
			continue;
		if (idx < 0)
			idx = i;
		if (m->conf.latency_first && c->latency[i] > b->limit)
			break;
		if ((uint64_t)c->residency[i] > b->predicted) {
			*done = too_long(m, b, in->tick_stopped, i, &idx);
			break;
		}
		if (c->latency[i] > b->limit)
			break;
		idx = i;
	}
	return idx < 0 ? 0 : idx;
}

static struct gov_choice choose(
	struct menu_cpu *m, const struct gov_input *in, struct menu_belief *b)
{
	const struct core *c = &m->core;
	struct gov_choice out = {.stop_tick = true};
	bool done = false;

	out.state = menu_walk(m, in, b, &done);
	if (done || in->tick_stopped)
		return out;
	if (core_is(c->polling, out.state) || b->predicted < (uint64_t)c->tick) {
		out.stop_tick = false;
		/* the tick stays and will end the idle period */
		if (out.state > 0 && c->residency[out.state] > b->tick_delta)
			out.state = core_below(c, in->disabled, out.state, b->tick_delta);
	}
	return out;
}

static struct gov_choice menu_select(void *cpu, const struct gov_input *in, int64_t true_length_ns)
{
	struct menu_cpu *m = cpu;
	bool timer_first = m->conf.sleep_length == READ_ALWAYS;
	struct menu_belief b = {.slept_read = true,
		.limit = m->conf.unit == 1 ? in->limit_ns / 1000 : in->limit_ns};
	struct gov_choice out;

	(void)true_length_ns;
	if (m->needs_update) {
		update(m);
		m->needs_update = false;
	} else if (m->conf.reject_sample && !m->core.slept) {
		push_sample(m, UINT32_MAX);
	}
	if (timer_first)
		read_timer(m, in, &b.tick_delta);
	else
		b.predicted = predict_typical_first(m, in, &b);
	if (menu_nothing_to_choose(m, in->disabled, b.limit)) {
		out = (struct gov_choice){.stop_tick = !core_is(m->core.polling, 0)};
	} else {
		if (timer_first)
			b.predicted = predict_timer_first(m);
		menu_adjust(m, in, &b);
		out = choose(m, in, &b);
	}
	out.read = GOV_READ_LIMIT | (b.slept_read ? GOV_READ_SLEEP : 0) |
		   (m->conf.iowait || m->conf.multiplier ? GOV_READ_IOWAIT : 0);
	return out;
}

static bool menu_reflect(void *cpu, const struct gov_outcome *out)
{
	struct menu_cpu *m = cpu;

	if (!core_outcome(&m->core, out))
		return out->got_tick;
	m->core.last = out->entered;
	m->needs_update = true;
	m->tick_wakeup = out->got_tick;
	return false;
}

const struct governor governor_menu = {
	.name = "menu",
	.summary = "next timer, corrected by recent lengths",
	.params = menu_params,
	.nparams = MENU_PARAMS,
	.cpu_size = sizeof(struct menu_cpu),
	.init = menu_init,
	.select = menu_select,
	.reflect = menu_reflect,
	.explain = menu_explain,
	.predicted = menu_predicted,
};
