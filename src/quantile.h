/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Quantiles of values too many to be copied: exact, from two passes over the same values. The first
 * counts them in buckets of some percent in width, the second keeps those in the buckets that the
 * quantiles fall into. Owns its arrays; all zeros to begin with, quantile_free() at the end.
 */
#ifndef REIDLE_SRC_QUANTILE_H
#define REIDLE_SRC_QUANTILE_H

#include "src/util.h"

#define QUANTILE_BUCKETS 3712
#define QUANTILE_AIMS 5

struct quantile {
	uint32_t *count; /* [QUANTILE_BUCKETS] once there is a value */
	uint64_t n;
	struct quantile_aim {
		int64_t from;	/* lowest value of the bucket */
		uint64_t width; /* of the bucket; 0: no aim, or another one has the same bucket */
		uint64_t below; /* values in lower buckets */
		double share;
		uint32_t *times; /* how often each value of the bucket came; or, of a wide one, */
		int64_t *v;	 /* those in it */
		size_t nv;
		int same_as; /* number of the aim with the same bucket, plus 1 */
	} aim[QUANTILE_AIMS];
};

/* 64 buckets for each power of two; negative values count as 0 */
static inline int quantile_bucket(int64_t v)
{
	int top;

	if (v < 64)
		return v > 0 ? (int)v : 0;
	top = 63 - __builtin_clzll((unsigned long long)v);
	return (top - 5) * 64 + (int)(v >> (top - 6)) - 64;
}

void quantile_begin(struct quantile *q);

/** quantile_count() - first pass */
static inline void quantile_count(struct quantile *q, int64_t v)
{
	if (!q->count)
		quantile_begin(q);
	q->count[quantile_bucket(v)]++;
	q->n++;
}

/** quantile_merge() - first pass: all the values of another one that is in its first pass, too */
void quantile_merge(struct quantile *q, const struct quantile *from);

/** quantile_aim() - between the passes: the two shares (0..1) that are wanted */
void quantile_aim(struct quantile *q, double first, double second);

/** quantile_mark() - between the passes: set the elements of @mark for the buckets that are aimed at */
void quantile_mark(const struct quantile *q, uint8_t mark[QUANTILE_BUCKETS]);

/** quantile_aim_all() - more of them: n shares, at most QUANTILE_AIMS */
void quantile_aim_all(struct quantile *q, const double *share, int n);

static inline void quantile_hit(struct quantile_aim *aim, int64_t v)
{
	uint64_t at = (uint64_t)(v - aim->from);

	if (at >= aim->width)
		return;
	if (aim->times)
		aim->times[at]++;
	else
		aim->v[aim->nv] = v;
	aim->nv++;
}

/** quantile_keep() - second pass: the same values, in any order; those of unmarked buckets may be left out */
static inline void quantile_keep(struct quantile *q, int64_t v)
{
	quantile_hit(&q->aim[0], v);
	quantile_hit(&q->aim[1], v);
}

/** quantile_keep_all() - the same for quantile_aim_all() */
static inline void quantile_keep_all(struct quantile *q, int64_t v)
{
	for (int i = 0; i < QUANTILE_AIMS; i++)
		quantile_hit(&q->aim[i], v);
}

/** quantile_get() - nearest rank of share number `which`, as stats_percentile(); 0 without values */
int64_t quantile_get(struct quantile *q, int which);
void quantile_free(struct quantile *q);

#endif
