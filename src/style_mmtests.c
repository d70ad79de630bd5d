// SPDX-License-Identifier: GPL-2.0-or-later
/* The comparison of mmtests: means of iterations per kernel with percent changes. */
#include "src/style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/stats.h"

#define MEASURES_MAX 16

/* the values of one measure in one set of runs */
struct samples {
	double *v;
	size_t n;
};

static int nsets(const struct style_set *set)
{
	int n = 0;

	for (size_t r = 0; r < set->nruns; r++)
		n = (set->set_of ? set->set_of[r] : (int)r) >= n
			? (set->set_of ? set->set_of[r] : (int)r) + 1 : n;
	return n;
}

static void collect(struct samples *s, const struct style_set *set, int which, int group,
	const struct measure *m)
{
	double v;

	s->v = xcalloc(set->nruns, sizeof(*s->v));
	s->n = 0;
	for (size_t r = 0; r < set->nruns; r++) {
		if ((set->set_of ? set->set_of[r] : (int)r) != which)
			continue;
		v = measure_value(m, &set->run[r].group[group].total) / m->scale;
		if (!isnan(v))
			s->v[s->n++] = v;
	}
}

static double amean(const struct samples *s)
{
	return stats_mean(s->v, s->n);
}

static double coeffvar(const struct samples *s)
{
	return 100 * stats_stddev(s->v, s->n) / stats_mean(s->v, s->n);
}

static double largest(const struct samples *s)
{
	return stats_max(s->v, s->n);
}

static double stddev(const struct samples *s)
{
	return stats_stddev(s->v, s->n);
}

static double best_low(const struct samples *s)
{
	return stats_best_mean(s->v, s->n, true);
}

static double best_high(const struct samples *s)
{
	return stats_best_mean(s->v, s->n, false);
}

static double hmean(const struct samples *s)
{
	return stats_hmean(s->v, s->n);
}

struct mean_line {
	const char *name;
	double (*get)(const struct samples *s);
	bool tested;
	bool many; /* says something for more than one value only */
};

#define LINES 5

/* as mmtests does: the harmonic mean for what is better when higher, the arithmetic one for times */
static const struct mean_line times[LINES] = {{"Amean", amean, true, false},
	{"Stddev", stddev, false, true}, {"CoeffVar", coeffvar, false, true},
	{"Max", largest, false, true}, {"BAmean-95", best_low, false, true}};
static const struct mean_line rates[LINES] = {{"Hmean", hmean, true, false},
	{"Stddev", stddev, false, true}, {"CoeffVar", coeffvar, false, true},
	{"Max", largest, false, true}, {"BHmean-95", best_high, false, true}};

static bool is_rate(const struct measure *m)
{
	return !strcmp(m->name, "rate");
}

static void mm_cell(struct table *t, const struct style_set *set, const struct samples *base,
	const struct samples *s, const struct mean_line *line, bool rate)
{
	double a = line->get(base), b = line->get(s), gain = rate ? b - a : a - b;
	double change = a != 0 ? gain / fabs(a) * 100 : NAN;
	struct ttest test;

	if (set->format == FORMAT_CSV) {
		table_real(t, b);
		table_real(t, change);
		return;
	}
	if (isnan(b)) {
		table_none(t);
		return;
	}
	stats_welch(&test, base->v, base->n, s->v, s->n);
	if (line->tested && s != base && test.significant)
		table_text(t, "%.2f *%7.2f%%*", b, change);
	else
		table_text(t, "%.2f (%7.2f%%)", b, isnan(change) ? 0 : change);
}

static void mm_rows(struct table *t, const struct style_set *set, int group, const struct measure *m)
{
	int n = nsets(set), base = (int)set->base < n ? (int)set->base : 0;
	const struct mean_line *lines = is_rate(m) ? rates : times;
	struct samples *s = xcalloc((size_t)n, sizeof(*s));
	bool many = false;

	for (int k = 0; k < n; k++) {
		collect(&s[k], set, k, group, m);
		many |= s[k].n > 1;
	}
	for (size_t i = 0; i < LINES; i++) {
		if ((lines[i].many && !many) || isnan(lines[i].get(&s[base])))
			continue;
		table_text(t, "%s %s%s%s", lines[i].name, m->name, *set->run[0].what ? "-" : "",
			*set->run[0].what ? set->run[0].group[group].name : "");
		for (int k = 0; k < n; k++)
			mm_cell(t, set, &s[base], &s[k], &lines[i], is_rate(m));
	}
	for (int k = 0; k < n; k++)
		free(s[k].v);
	free(s);
}

void layout_mmtests(const struct style_set *set, const struct style *style, FILE *out)
{
	const struct measure *m[MEASURES_MAX];
	size_t n = style_measures(set, style, m, MEASURES_MAX);
	char head[32];
	struct table t;

	table_init(&t, "%s", set->caption);
	t.rules = style->rules;
	table_column(&t, "", "", "mean", 1, 0, COL_LEFT | COL_KEY);
	for (int k = 0; k < nsets(set); k++) {
		snprintf(head, sizeof(head), "run %d", k);
		table_column(&t, head, "", head, 1, 2, 0);
		if (set->format == FORMAT_CSV)
			table_column(&t, "change", "%", "gain_percent", 1, 2, 0);
	}
	for (size_t i = 0; i < n; i++) {
		for (int g = 0; g < set->run[0].ngroups; g++)
			mm_rows(&t, set, g, m[i]);
		table_note(&t, "%s: %s", m[i]->name, m[i]->metric);
	}
	for (size_t r = 0; r < set->nruns; r++)
		table_note(&t, "run %zu: %s", set->set_of ? (size_t)set->set_of[r] : r,
			set->run[r].label);
	table_note(&t, "( x%%): gain against run %zu, positive is better (a higher rate, a lower time or share); * x%%*: significant, Welch "
		"t-test over recordings, p < 0.05; one recording a side claims nothing", set->base);
	style_finish(set, &t, out);
}
