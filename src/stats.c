// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double stats_mean(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i];
	return n ? sum / (double)n : NAN;
}

double stats_variance(const double *v, size_t n)
{
	double mean = stats_mean(v, n), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return n > 1 ? sum / (double)(n - 1) : NAN;
}

double stats_stddev(const double *v, size_t n)
{
	return sqrt(stats_variance(v, n));
}

double stats_hmean(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (!(v[i] > 0))
			return NAN;
		sum += 1 / v[i];
	}
	return n ? (double)n / sum : NAN;
}

static int compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double *sorted_copy(const double *v, size_t n)
{
	double *copy = xcalloc(n, sizeof(*copy));

	if (n)
		memcpy(copy, v, n * sizeof(*copy));
	qsort(copy, n, sizeof(*copy), compare_double);
	return copy;
}

double stats_median(const double *v, size_t n)
{
	double *s = sorted_copy(v, n);
	double m = NAN;

	if (n)
		m = n % 2 ? s[n / 2] : (s[n / 2 - 1] + s[n / 2]) / 2;
	free(s);
	return m;
}

double stats_max(const double *v, size_t n)
{
	double m = n ? v[0] : NAN;

	for (size_t i = 1; i < n; i++)
		m = fmax(m, v[i]);
	return m;
}

double stats_best_mean(const double *v, size_t n, bool lower_is_better)
{
	double *s = sorted_copy(v, n);
	size_t keep = (n * 95 + 99) / 100;
	double m = stats_mean(lower_is_better ? s : s + (n - keep), keep);

	free(s);
	return m;
}

static int compare_int64(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* the byte that a pass sorts by; the sign bit turned over makes negative values come first */
static unsigned radix_byte(int64_t v, int shift)
{
	return (unsigned)(((uint64_t)v ^ (1ULL << 63)) >> shift) & 0xff;
}

/* one pass from @from to @to; false when all values have the same byte and nothing was moved */
static bool radix_pass(const int64_t *from, int64_t *to, size_t n, int shift)
{
	size_t start[256] = {0}, sum = 0, count;

	for (size_t i = 0; i < n; i++)
		start[radix_byte(from[i], shift)]++;
	if (start[radix_byte(from[0], shift)] == n)
		return false;
	for (int b = 0; b < 256; b++) {
		count = start[b];
		start[b] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[start[radix_byte(from[i], shift)]++] = from[i];
	return true;
}

/* recordings have millions of lengths: by bytes it takes time in proportion to them */
void stats_sort(int64_t *v, size_t n)
{
	int64_t *other, *a = v, *b, *swap;

	if (n < 512) {
		if (n)
			qsort(v, n, sizeof(*v), compare_int64);
		return;
	}
	other = b = xcalloc(n, sizeof(*other));
	for (int shift = 0; shift < 64; shift += 8) {
		if (!radix_pass(a, b, n, shift))
			continue;
		swap = a;
		a = b;
		b = swap;
	}
	if (a != v)
		memcpy(v, a, n * sizeof(*v));
	free(other);
}

size_t stats_rank(size_t n, double share)
{
	double rank = ceil(share * (double)n - 1e-9);

	if (rank < 1)
		rank = 1;
	return rank > (double)n ? n - 1 : (size_t)rank - 1;
}

static int64_t middle_of(int64_t a, int64_t b, int64_t c)
{
	if (a > b)
		return b > c ? b : a < c ? a : c;
	return a > c ? a : b < c ? b : c;
}

/* Hoare's selection; equal values go to both sides, so that many of them do no harm */
int64_t stats_nth(int64_t *v, size_t n, size_t k)
{
	size_t lo = 0, hi = n ? n - 1 : 0;

	while (lo < hi) {
		int64_t pivot = middle_of(v[lo], v[lo + (hi - lo) / 2], v[hi]);
		size_t i = lo, j = hi;

		for (;; i++, j--) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			int64_t x = v[i];

			v[i] = v[j];
			v[j] = x;
		}
		if (k <= j)
			hi = j;
		else
			lo = j + 1;
	}
	return n ? v[k] : 0;
}

int64_t stats_select(int64_t *v, size_t n, double share)
{
	return n ? stats_nth(v, n, stats_rank(n, share)) : 0;
}

void stats_select_all(int64_t *v, size_t n, const double *share, int64_t *out, int m)
{
	size_t from = 0, k;

	for (int i = 0; i < m; i++) {
		k = n ? stats_rank(n, share[i]) : 0;
		/* what lies below an earlier rank stays there */
		out[i] = n ? stats_nth(v + from, n - from, k - from) : 0;
		from = k;
	}
}

int64_t stats_percentile(const int64_t *sorted, size_t n, double share)
{
	return n ? sorted[stats_rank(n, share)] : 0;
}

/*
 * The continued fraction of the regularized incomplete beta function, evaluated by Lentz's method;
 * converges in O(sqrt(max(a, b))) steps where x < (a + 1) / (a + b + 2).
 */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f, num, step;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (int m = 1; m < 10000; m++) {
		for (int odd = 0; odd < 2; odd++) {
			if (odd)
				num = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
			else
				num = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
			d = 1 + num * d;
			d = 1 / (fabs(d) < tiny ? tiny : d);
			c = 1 + num / c;
			c = fabs(c) < tiny ? tiny : c;
			step = c * d;
			f *= step;
		}
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return f;
}

static double incomplete_beta(double a, double b, double x)
{
	double front;

	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double stats_t_p(double t, double df)
{
	if (isnan(t) || !(df > 0))
		return NAN;
	if (isinf(t))
		return 0;
	return incomplete_beta(df / 2, 0.5, df / (df + t * t));
}

double stats_t_quantile(double alpha, double df)
{
	double lo = 0, hi = 1, mid;

	if (!(alpha > 0 && alpha < 1 && df > 0))
		return NAN;
	while (stats_t_p(hi, df) > alpha && hi < 1e300)
		hi *= 2;
	for (int i = 0; i < 200 && hi - lo > 1e-13 * hi; i++) {
		mid = (lo + hi) / 2;
		if (stats_t_p(mid, df) > alpha)
			lo = mid;
		else
			hi = mid;
	}
	return (lo + hi) / 2;
}

/* from the standard error of the difference; two constant sets differ for certain or not at all */
static void ttest_finish(struct ttest *r, double se)
{
	r->t = r->p = r->lo = r->hi = NAN;
	r->significant = false;
	if (r->na < 2 || r->nb < 2 || isnan(se))
		return;
	if (se == 0) {
		r->t = r->diff ? copysign(INFINITY, r->diff) : 0;
		r->p = r->diff ? 0 : 1;
		r->lo = r->hi = r->diff;
	} else {
		r->t = r->diff / se;
		r->p = stats_t_p(r->t, r->df);
		r->lo = r->diff - stats_t_quantile(0.05, r->df) * se;
		r->hi = r->diff + stats_t_quantile(0.05, r->df) * se;
	}
	r->significant = r->p < 0.05;
}

void stats_welch(struct ttest *out, const double *a, size_t na, const double *b, size_t nb)
{
	double va = stats_variance(a, na) / (double)na, vb = stats_variance(b, nb) / (double)nb;

	*out = (struct ttest){.na = na, .nb = nb, .mean_a = stats_mean(a, na),
		.mean_b = stats_mean(b, nb), .df = NAN};
	out->diff = out->mean_b - out->mean_a;
	if (na > 1 && nb > 1 && va + vb > 0)
		out->df = (va + vb) * (va + vb) /
			(va * va / (double)(na - 1) + vb * vb / (double)(nb - 1));
	ttest_finish(out, sqrt(va + vb));
}

void stats_paired_sums(struct ttest *out, size_t n, double sum_a, double sum_b, double sum_diff,
	double sum_diff2)
{
	double dn = (double)n, var = NAN;

	*out = (struct ttest){.na = n, .nb = n, .df = dn - 1};
	out->mean_a = n ? sum_a / dn : NAN;
	out->mean_b = n ? sum_b / dn : NAN;
	out->diff = n ? sum_diff / dn : NAN;
	if (n > 1)
		var = fmax(0, (sum_diff2 - sum_diff * sum_diff / dn) / (dn - 1));
	ttest_finish(out, sqrt(var / dn));
}

void stats_paired(struct ttest *out, const double *a, const double *b, size_t n)
{
	double *diff = xcalloc(n, sizeof(*diff));

	for (size_t i = 0; i < n; i++)
		diff[i] = b[i] - a[i];
	*out = (struct ttest){.na = n, .nb = n, .df = (double)n - 1, .mean_a = stats_mean(a, n),
		.mean_b = stats_mean(b, n), .diff = stats_mean(diff, n)};
	ttest_finish(out, sqrt(stats_variance(diff, n) / (double)n));
	free(diff);
}
