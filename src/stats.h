/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics over a handful of values: means, percentiles, t tests, confidence intervals.
 * Nothing is owned; arrays belong to the caller. Units are those of the values; empty input gives NAN.
 */
#ifndef REIDLE_SRC_STATS_H
#define REIDLE_SRC_STATS_H

#include "src/util.h"

double stats_mean(const double *v, size_t n);
/** stats_variance() - of a sample (n - 1 below the line); NAN for n < 2 */
double stats_variance(const double *v, size_t n);
double stats_stddev(const double *v, size_t n);
/** stats_hmean() - harmonic mean; NAN when a value is not positive */
double stats_hmean(const double *v, size_t n);
double stats_median(const double *v, size_t n);
double stats_max(const double *v, size_t n);

/** stats_best_mean() - mean of the best 95 % (rounded up, at least one): the lower or the higher ones */
double stats_best_mean(const double *v, size_t n, bool lower_is_better);

/**
 * stats_percentile() - nearest rank: the smallest value with at least that share at or below it
 * @sorted: ascending, @share: 0..1
 * Return: 0 when n is 0
 */
int64_t stats_percentile(const int64_t *sorted, size_t n, double share);

/**
 * stats_select() - stats_percentile() of values in any order, which are moved about; linear in n
 * @share: 0..1; Return: 0 when n is 0
 */
int64_t stats_select(int64_t *v, size_t n, double share);

/** stats_select_all() - for m shares in ascending order at once; out[m] */
void stats_select_all(int64_t *v, size_t n, const double *share, int64_t *out, int m);

/** stats_rank() - index of the nearest rank among n > 0 sorted values: what stats_percentile() takes */
size_t stats_rank(size_t n, double share);
/** stats_nth() - the value that would stand at index k after sorting; moves values about, linear */
int64_t stats_nth(int64_t *v, size_t n, size_t k);

/** stats_sort() - ascending, in place */
void stats_sort(int64_t *v, size_t n);

struct ttest {
	size_t na, nb;
	double mean_a, mean_b, diff; /* diff = b - a */
	double t, df, p;	     /* two-sided; NAN when it cannot be told */
	double lo, hi;		     /* 95 % confidence interval of diff; NAN when it cannot be told */
	bool significant;	     /* p < 0.05; never with one value on either side */
};

/** stats_welch() - two independent sets, unequal variances (Welch 1947, Satterthwaite's df) */
void stats_welch(struct ttest *out, const double *a, size_t na, const double *b, size_t nb);

/** stats_paired() - the same n things measured twice */
void stats_paired(struct ttest *out, const double *a, const double *b, size_t n);

/**
 * stats_paired_sums() - as stats_paired(), from sums over the differences b - a
 * For differences too many to be kept (wake by wake).
 */
void stats_paired_sums(struct ttest *out, size_t n, double sum_a, double sum_b, double sum_diff,
	double sum_diff2);

/** stats_t_p() - two-sided probability of |T| >= |t| with df degrees of freedom */
double stats_t_p(double t, double df);

/** stats_t_quantile() - t with two-sided probability alpha outside [-t, t] */
double stats_t_quantile(double alpha, double df);

#endif
