// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "src/stats.h"

static void close_to(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance))
		fail_msg("got %.12g, want %.12g", got, want);
}

/* --- the reference: the density of t integrated by Simpson's rule, no beta function --- */

static double t_density(double x, double df)
{
	return exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * M_PI) *
		pow(1 + x * x / df, -(df + 1) / 2);
}

static double reference_p(double t, double df)
{
	const int steps = 20000;
	double h = fabs(t) / steps, sum = t_density(0, df) + t_density(fabs(t), df);

	for (int i = 1; i < steps; i++)
		sum += (i % 2 ? 4 : 2) * t_density(i * h, df);
	return 1 - 2 * sum * h / 3;
}

static void t_p_is_the_area_outside(void **state)
{
	static const double df[] = {1, 1.7, 2, 3.5, 10, 29, 120, 2500};
	static const double t[] = {0, 0.1, 0.7, 1, 1.96, 2.5, 4, 7};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(df); i++)
		for (size_t j = 0; j < ARRAY_SIZE(t); j++)
			close_to(stats_t_p(t[j], df[i]), reference_p(t[j], df[i]), 1e-9);
}

/* printed in every table of Student's distribution */
static void t_quantile_is_the_table(void **state)
{
	(void)state;
	close_to(stats_t_quantile(0.05, 1), 12.706, 5e-4);
	close_to(stats_t_quantile(0.05, 2), 4.303, 5e-4);
	close_to(stats_t_quantile(0.05, 10), 2.228, 5e-4);
	close_to(stats_t_quantile(0.01, 10), 3.169, 5e-4);
	close_to(stats_t_quantile(0.05, 1e6), 1.960, 5e-4);
}

/* with one degree of freedom the distribution is Cauchy's: a closed form */
static void t_p_of_one_degree_is_cauchy(void **state)
{
	(void)state;
	for (double t = 0; t < 50; t += 0.37)
		close_to(stats_t_p(t, 1), 1 - 2 / M_PI * atan(t), 1e-12);
}

/* worked by hand: means 3 and 6, variances 2.5 and 10, se^2 = 2.5 */
static void welch_by_hand(void **state)
{
	static const double a[] = {1, 2, 3, 4, 5}, b[] = {2, 4, 6, 8, 10};
	struct ttest r;
	double df = 2.5 * 2.5 / (0.5 * 0.5 / 4 + 2.0 * 2.0 / 4);

	(void)state;
	stats_welch(&r, a, 5, b, 5);
	close_to(r.diff, 3, 1e-12);
	close_to(r.t, 3 / sqrt(2.5), 1e-12);
	close_to(r.df, df, 1e-12);
	close_to(r.p, reference_p(r.t, df), 1e-9);
	assert_false(r.significant);
	/* the interval is where a shifted hypothesis is just not rejected */
	close_to(reference_p((r.diff - r.lo) / sqrt(2.5), df), 0.05, 1e-8);
	close_to(r.hi - r.diff, r.diff - r.lo, 1e-9);
}

static void paired_by_hand(void **state)
{
	static const double a[] = {10, 12, 9, 11}, b[] = {11, 14, 12, 13};
	struct ttest r, s;

	(void)state;
	stats_paired(&r, a, b, 4);
	close_to(r.diff, 2, 1e-12);
	close_to(r.t, 2 / sqrt((2.0 / 3) / 4), 1e-12);
	close_to(r.df, 3, 0);
	assert_true(r.significant);
	stats_paired_sums(&s, 4, 42, 50, 8, 1 + 4 + 9 + 4);
	close_to(s.t, r.t, 1e-9);
	close_to(s.p, r.p, 1e-12);
	close_to(s.hi, r.hi, 1e-9);
}

static void swapping_negates(void **state)
{
	static const double a[] = {1, 2, 4, 4.5}, b[] = {7, 3, 9, 11, 6};
	struct ttest r, s;

	(void)state;
	stats_welch(&r, a, 4, b, 5);
	stats_welch(&s, b, 5, a, 4);
	close_to(r.diff, -s.diff, 1e-12);
	close_to(r.t, -s.t, 1e-12);
	close_to(r.p, s.p, 1e-12);
	close_to(r.lo, -s.hi, 1e-12);
}

static void one_value_claims_nothing(void **state)
{
	static const double a[] = {1}, b[] = {100, 101, 102};
	struct ttest r;

	(void)state;
	stats_welch(&r, a, 1, b, 3);
	assert_false(r.significant);
	assert_true(isnan(r.p));
	assert_true(isnan(r.lo));
	stats_paired(&r, a, b, 1);
	assert_false(r.significant);
	stats_welch(&r, a, 0, b, 0);
	assert_true(isnan(r.diff));
}

static void means_and_ranks(void **state)
{
	static const double v[] = {4, 1, 2}, zero[] = {1, 0};
	static const int64_t s[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
	double many[40];

	(void)state;
	close_to(stats_mean(v, 3), 7.0 / 3, 1e-12);
	close_to(stats_hmean(v, 3), 3 / 1.75, 1e-12);
	close_to(stats_median(v, 3), 2, 0);
	close_to(stats_median(v, 2), 2.5, 0);
	close_to(stats_variance(v, 3), 7.0 / 3, 1e-12);
	assert_true(isnan(stats_hmean(zero, 2)));
	assert_int_equal(stats_percentile(s, 10, 0.5), 5);
	assert_int_equal(stats_percentile(s, 10, 0.99), 10);
	assert_int_equal(stats_percentile(s, 10, 0.1), 1);
	assert_int_equal(stats_percentile(s, 10, 0), 1);
	assert_int_equal(stats_percentile(s, 10, 1), 10);
	assert_int_equal(stats_percentile(s, 0, 0.5), 0);
	for (int i = 0; i < 40; i++)
		many[i] = i;
	/* 38 of 40 are kept */
	close_to(stats_best_mean(many, 40, true), 18.5, 1e-12);
	close_to(stats_best_mean(many, 40, false), 20.5, 1e-12);
}

static uint64_t seed;

static void sorts_any_values(void **state)
{
	static const size_t sizes[] = {0, 1, 2, 511, 512, 513, 5000};
	int64_t v[5000], before, sum, after;

	(void)state;
	seed = 12345;
	for (size_t k = 0; k < ARRAY_SIZE(sizes); k++) {
		for (int shift = 0; shift < 64; shift += 9) {
			sum = after = 0;
			for (size_t i = 0; i < sizes[k]; i++) {
				seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
				v[i] = (int64_t)seed >> shift;
				sum ^= v[i];
			}
			stats_sort(v, sizes[k]);
			before = INT64_MIN;
			for (size_t i = 0; i < sizes[k]; i++) {
				assert_true(v[i] >= before);
				before = v[i];
				after ^= v[i];
			}
			assert_true(sum == after);
		}
	}
}

/* --- simulation: no difference, so 5 % of the tests at the 5 % level may say there is one --- */

static double uniform(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(double sd)
{
	return sd * sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

static double false_positives(size_t na, double sda, size_t nb, double sdb, bool paired)
{
	const int trials = 20000;
	double a[32], b[32], shared;
	struct ttest r;
	int hits = 0;

	for (int k = 0; k < trials; k++) {
		for (size_t i = 0; i < na || i < nb; i++) {
			shared = paired ? normal(5) : 0;
			a[i] = 100 + shared + normal(sda);
			b[i] = 100 + shared + normal(sdb);
		}
		if (paired)
			stats_paired(&r, a, b, na);
		else
			stats_welch(&r, a, na, b, nb);
		hits += r.significant;
	}
	return (double)hits / trials;
}

/* one standard error of 20000 trials is 0.15 %; Welch is nearly exact for these sizes */
static void five_percent_false_positives(void **state)
{
	(void)state;
	seed = 0x9e3779b97f4a7c15ULL;
	close_to(false_positives(8, 1, 8, 1, false), 0.05, 0.006);
	close_to(false_positives(10, 1, 20, 4, false), 0.05, 0.006);
	close_to(false_positives(20, 1, 10, 4, false), 0.05, 0.006);
	close_to(false_positives(6, 1, 6, 2, true), 0.05, 0.006);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(t_p_is_the_area_outside),
		cmocka_unit_test(t_quantile_is_the_table),
		cmocka_unit_test(t_p_of_one_degree_is_cauchy),
		cmocka_unit_test(welch_by_hand),
		cmocka_unit_test(paired_by_hand),
		cmocka_unit_test(swapping_negates),
		cmocka_unit_test(one_value_claims_nothing),
		cmocka_unit_test(means_and_ranks),
		cmocka_unit_test(sorts_any_values),
		cmocka_unit_test(five_percent_false_positives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
