// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The typical-interval detector of the menu governor: the average of the last eight idle lengths
 * once outliers are gone, if they agree well enough. get_typical_interval() of menu.c, two
 * generations.
 */
#include "replay/menu.h"

/* are the samples close enough to speak of a typical length: small spread, absolute or relative */
static inline bool agree(const struct menu_conf *k, const struct menu_pass *p)
{
	uint64_t avg = p->average;

	if (p->variance > UINT64_MAX / 36)
		return false; /* the product below would wrap */
	return (avg * avg > k->ratio * p->variance && p->n >= k->keep) ||
	       p->variance <= k->variance_max;
}

/* sums of one pass; without branches, as which samples fall is hard to predict */
struct sums {
	uint64_t sum, squares;
};

static inline struct sums add_samples(
	const struct menu_cpu *m, int64_t lo, int64_t hi, struct menu_pass *p)
{
	struct sums s = {0, 0};
	uint32_t min = UINT32_MAX, max = 0;
	unsigned n = 0;

	for (int i = 0; i < MENU_SAMPLES; i++) {
		uint32_t v = m->sample_us[i];
		bool in = (int64_t)v > lo && (int64_t)v < hi;
		uint64_t counted = in ? v : 0;

		s.sum += counted;
		s.squares += counted * counted;
		n += in;
		max = counted > max ? (uint32_t)counted : max;
		min = in && v < min ? v : min;
	}
	p->n = n;
	p->min = min;
	p->max = max;
	p->average = 0;
	p->variance = 0;
	return s;
}

/*
 * The sum of (x - average)^2 that the kernel adds up in a second loop, from the squares:
 * equal modulo 2^64, as all of it is integers.
 */
static inline void pass_old(const struct menu_cpu *m, uint32_t thresh, struct menu_pass *p)
{
	struct sums s = add_samples(m, -1, (int64_t)thresh + 1, p);
	uint64_t avg, var;

	if (!p->n)
		return;
	avg = p->n == MENU_SAMPLES ? s.sum >> 3 : s.sum / p->n;
	var = s.squares - 2 * avg * s.sum + p->n * avg * avg;
	p->average = (uint32_t)avg;
	p->variance = p->n == MENU_SAMPLES ? var >> 3 : var / p->n;
}

/* up to 6.14: only the longest samples may fall, at most two of them */
static uint32_t typical_old(
	const struct menu_cpu *m, uint32_t below, struct menu_pass *pass, int *npass)
{
	const struct menu_conf *k = &m->conf;
	bool early = k->sleep_length == READ_ALWAYS;
	uint32_t thresh = INT32_MAX;
	struct menu_pass p;

	for (;;) {
		pass_old(m, thresh, &p);
		if (pass && *npass < MENU_SAMPLES)
			pass[(*npass)++] = p;
		if (early ? p.min >= below : p.max == 0)
			return MENU_NOTHING;
		if (agree(k, &p))
			return p.average;
		if (p.n <= k->keep)
			return k->detector == DETECTOR_OLD_MAX && p.n >= MENU_SAMPLES / 2
				       ? p.max
				       : MENU_NOTHING;
		thresh = p.max - 1;
	}
}

static inline void pass_new(const struct menu_cpu *m, int64_t lo, int64_t hi, struct menu_pass *p)
{
	struct sums s = add_samples(m, lo, hi, p);

	if (!p->n)
		return;
	p->average = (uint32_t)(p->n == MENU_SAMPLES ? s.sum >> 3 : s.sum / p->n);
	p->variance = p->n == MENU_SAMPLES ? s.squares >> 3 : s.squares / p->n;
	p->variance -= (uint64_t)p->average * p->average;
}

/* from 6.15: outliers fall on both ends */
static uint32_t typical_new(const struct menu_cpu *m, struct menu_pass *pass, int *npass)
{
	const struct menu_conf *k = &m->conf;
	int64_t lo = -1, hi = UINT32_MAX;
	struct menu_pass p;

	for (;;) {
		pass_new(m, lo, hi, &p);
		if (pass && *npass < MENU_SAMPLES)
			pass[(*npass)++] = p;
		if (!p.max)
			return MENU_NOTHING;
		if (agree(k, &p))
			return p.average;
		if (p.n <= k->keep)
			return k->detector == DETECTOR_NEW_MAX && p.n >= MENU_SAMPLES / 2
				       ? p.max
				       : MENU_NOTHING;
		if (p.average - p.min > p.max - p.average)
			lo = p.min;
		else
			hi = p.max;
	}
}

uint32_t menu_typical(const struct menu_cpu *m, uint32_t below, struct menu_pass *pass, int *npass)
{
	if (m->conf.detector == DETECTOR_OLD || m->conf.detector == DETECTOR_OLD_MAX)
		return typical_old(m, below, pass, npass);
	return typical_new(m, pass, npass);
}
