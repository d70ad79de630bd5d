/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributions of a run's idle periods, made in slices: per power of two for bars, and finely enough
 * for percentiles (sub-buckets of 1/1024 of an octave, so within 0.1 %). Errors have a sign: each side
 * of zero has its buckets. A tally owns its counts.
 */
#ifndef REIDLE_VIEWS_TALLY_H
#define REIDLE_VIEWS_TALLY_H

#include "src/selection.h"
#include "views/session.h"

enum tally_quantity { TALLY_LENGTH, TALLY_PREDICTED, TALLY_ERROR, TALLY_LATENCY, TALLY_TIMER, TALLY_EARLY,
	TALLY_COST, TALLY_QUANTITIES };

#define TALLY_SIDE 48 /* [TALLY_SIDE + k]: from 2^(k-1) us, k 0: below 1 us; the mirror below them */
#define TALLY_BUCKETS (2 * TALLY_SIDE)
#define TALLY_FINE_BITS 10

struct tally_bucket {
	uint64_t n, above, below;
	int64_t time_ns; /* idle time of the periods in it */
	uint64_t by_state[STATES_MAX], by_wake[WAKE_KINDS];
};

struct tally {
	int run;
	enum tally_quantity quantity;
	int only_cpu; /* -1: all */
	const struct expr *filter; /* the view's; NULL: none */
	struct tally_bucket bucket[TALLY_BUCKETS];
	uint64_t n;
	int64_t time_ns, min_ns, max_ns;
	uint64_t *fine; /* own */
	int cpu;	/* where the slices are */
	size_t i;
	bool done;
};

/** tally_start() - begin anew */
void tally_start(struct tally *t, int run, enum tally_quantity quantity, int only_cpu,
	const struct expr *filter);
/** tally_work() - a slice; false when there was nothing left to do */
bool tally_work(struct tally *t, const struct session *s);
void tally_free(struct tally *t);
/** tally_percentile() - @p 0..1; 0 when empty */
int64_t tally_percentile(const struct tally *t, double p);
/** tally_add() - count one bucket into another, for bars of several */
void tally_add(struct tally_bucket *to, const struct tally_bucket *from);
/** tally_bucket_of() - which one a value falls in; tally_edge(): where one begins, ns */
int tally_bucket_of(int64_t ns);
int64_t tally_edge(int bucket);
/** tally_name() - in words; tally_word(): as one types it */
const char *tally_name(enum tally_quantity q);
const char *tally_word(enum tally_quantity q);
/** tally_is_length() - do target residencies mean something on its scale */
bool tally_is_length(enum tally_quantity q);

#endif
