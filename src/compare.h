/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of recordings or dumps against each other: states matched by name, one value per input and
 * measure, means with Welch's test between two sets. A struct compare owns its rows; facts and labels
 * stay the caller's. Release with compare_free().
 */
#ifndef REIDLE_SRC_COMPARE_H
#define REIDLE_SRC_COMPARE_H

#include "src/facts.h"
#include "src/json.h"
#include "src/stats.h"
#include "src/table.h"

#define SETS_MAX 32

struct compare_input {
	const char *label;
	const struct facts *facts;
	int set; /* 0..nsets-1 */
};

/* one state (or total, or wake source) of one group: the values of every set */
struct compare_row {
	char group[40], state[40];
	const struct measure *measure;
	double *value[SETS_MAX]; /* known values only */
	size_t n[SETS_MAX];
	bool weak[SETS_MAX];	 /* a value of the set rests on fewer than WEAK_N idle periods */
	struct ttest test;	 /* set 1 against set 0; of more sets: not made */
};

/* a state that not every input has */
struct compare_rest {
	const char *label;
	char group[40], state[40];
	const struct fact *fact;
};

struct compare {
	const struct compare_input *in;
	size_t nin;
	int nsets;
	bool paired_sets; /* two sets of --vs, to be tested */
	struct compare_row *row;
	size_t nrows, row_cap;
	struct compare_rest *rest;
	size_t nrest, rest_cap;
};

/**
 * compare_build() - match and collect
 * @in: nin inputs, which must outlive it
 * @measures: names separated by spaces
 * @two_sets: inputs are sides A and B: means and tests; else each is a column of its own
 */
void compare_build(struct compare *c, const struct compare_input *in, size_t nin, int nsets,
	bool two_sets, const char *measures);
void compare_free(struct compare *c);

/** compare_write() - one table per measure, and the states that do not match */
void compare_write(const struct compare *c, enum out_format format, FILE *out);

/** compare_json() - arrays "rows" and "unmatched" of an object; the caller's reference */
json_t *compare_json(const struct compare *c);

#endif
