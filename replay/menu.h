/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The menu governor's per-CPU memory and its steps, shared by the model and its explanation.
 * Restates drivers/cpuidle/governors/menu.c of 4.20 .. 7.3 with one switch per change.
 * Samples are us in every generation; other times are in the model's unit (ns; us up to 5.4).
 */
#ifndef REIDLE_REPLAY_MENU_H
#define REIDLE_REPLAY_MENU_H

#include "replay/model.h"

#define MENU_SAMPLES 8
#define MENU_BUCKETS 12
#define MENU_RESOLUTION 1024
#define MENU_NOTHING UINT32_MAX /* the detector found no typical interval */

enum menu_param {
	MENU_POLL_OVERRIDE,
	MENU_THRESHOLD,
	MENU_SLEEP_LENGTH,
	MENU_DETECTOR,
	MENU_VARIANCE,
	MENU_RATIO,
	MENU_KEEP,
	MENU_LATENCY_FIRST,
	MENU_IOWAIT,
	MENU_MULTIPLIER,
	MENU_STOPPED_FIX,
	MENU_REJECT_SAMPLE,
	MENU_NEGATIVE_CLAMP,
	MENU_DECAY,
	MENU_UNITS,
	MENU_PARAMS
};

enum menu_override { OVERRIDE_OFF, OVERRIDE_QOS, OVERRIDE_PREDICTED, OVERRIDE_THRESHOLD };
enum menu_read { READ_ALWAYS, READ_THRESHOLD, READ_THRESHOLD_OR_STOPPED };
enum menu_detector { DETECTOR_OLD, DETECTOR_OLD_MAX, DETECTOR_NEW_MAX, DETECTOR_NEW };
enum menu_multiplier { MULTIPLIER_NONE, MULTIPLIER_IOWAIT, MULTIPLIER_LOAD };
enum menu_stopped { STOPPED_DELTA, STOPPED_NEXT_TIMER, STOPPED_SAFE_TIMER };

struct menu_conf {
	enum menu_override poll_override;
	enum menu_read sleep_length;
	enum menu_detector detector;
	enum menu_multiplier multiplier;
	enum menu_stopped stopped_fix;
	bool latency_first, iowait, reject_sample, negative_clamp;
	uint32_t decay;
	unsigned keep;
	uint64_t variance_max, ratio;
	uint64_t threshold; /* in units */
	uint64_t unit;	    /* units in a us: 1000 or 1 */
};

struct menu_cpu {
	struct core core;
	struct menu_conf conf;
	bool needs_update, tick_wakeup;
	unsigned bucket;
	unsigned next_sample;
	uint64_t next_timer;
	uint32_t sample_us[MENU_SAMPLES];
	uint32_t factor[MENU_BUCKETS];
};

/* one pass of the typical-interval detector over the samples it still considers */
struct menu_pass {
	unsigned n;
	uint32_t min, max, average;
	uint64_t variance;
};

/* what select() worked with, for the explanation */
struct menu_belief {
	bool slept_read;
	uint64_t next_timer, predicted;
	int64_t tick_delta;
	int64_t limit;
};

/**
 * menu_typical() - the typical-interval detector
 * @below: only in forms that know the predicted length first: give up when no sample is shorter;
 * else UINT32_MAX
 * @pass, @npass: NULL, or filled with up to MENU_SAMPLES passes
 * Return: us, or MENU_NOTHING
 */
uint32_t menu_typical(const struct menu_cpu *m, uint32_t below, struct menu_pass *pass, int *npass);

/** menu_correct() - sleep length times the bucket's factor, us; wraps as the kernel's does */
uint32_t menu_correct(const struct menu_cpu *m);

unsigned menu_bucket(const struct menu_cpu *m, uint64_t duration, uint32_t iowait);

/** menu_adjust() - the prediction with the tick stopped, the limit with waiting tasks; changes *b
 */
void menu_adjust(const struct menu_cpu *m, const struct gov_input *in, struct menu_belief *b);

/**
 * menu_walk() - the search for a state, before the tick is looked at
 * @done: set to true where the choice ends there, the tick having been stopped already
 */
int menu_walk(
	const struct menu_cpu *m, const struct gov_input *in, struct menu_belief *b, bool *done);

/** menu_override() - may state i, longer than predicted, take the place of the polling state */
bool menu_override(const struct menu_cpu *m, const struct menu_belief *b, int i);

/** menu_nothing_to_choose() - state 0 without a search; @limit in the model's unit */
bool menu_nothing_to_choose(const struct menu_cpu *m, uint32_t disabled, int64_t limit);

void menu_explain(const void *cpu, const struct gov_input *in, const struct gov_choice *c,
	struct explain *out);

/** menu_predicted() - as struct governor says; before menu_adjust(), as the explanation has it */
int64_t menu_predicted(const void *cpu, const struct gov_input *in, const struct gov_choice *c);

extern const struct governor governor_menu;

#endif
