// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of compare: a column per input, or two sets with their test. */
#include "src/compare.h"

#include <math.h>
#include <string.h>

static const char *group_word(const struct compare *c)
{
	return c->in[0].facts->what;
}

static void begin(struct table *t, const struct compare *c, const struct measure *m)
{
	table_init(t, "%s", m->metric);
	if (*group_word(c))
		table_column(t, group_word(c), "", group_word(c), 1, 0, COL_LEFT | COL_KEY | COL_GROUP);
	table_column(t, "state", "", "state", 1, 0, COL_LEFT | COL_KEY);
}

static void row_head(struct table *t, const struct compare *c, const struct compare_row *r)
{
	if (*group_word(c))
		table_text(t, "%s", r->group);
	table_text(t, "%s", r->state);
}

/* --- one column per input --- */

static void input_columns(struct table *t, const struct compare *c, const struct measure *m)
{
	char head[16];

	for (int s = 0; s < c->nsets; s++) {
		snprintf(head, sizeof(head), "%c", 'A' + s);
		table_column(t, head, m->unit, head, m->scale, m->decimals, 0);
	}
	for (int s = 1; s < c->nsets; s++) {
		snprintf(head, sizeof(head), "%c-A", 'A' + s);
		table_column(t, head, m->unit, head, m->scale, m->decimals < 0 ? 2 : m->decimals,
			COL_SIGN);
	}
}

static double one_value(const struct compare_row *r, int s)
{
	return r->n[s] ? r->value[s][0] : NAN;
}

static void value_cell(struct table *t, const struct compare_row *r, int s, double v)
{
	table_real(t, v);
	if (!r->weak[s])
		return;
	table_mark(t, MARK_WEAK);
	table_note(t, "? rests on fewer than %d idle periods", WEAK_N);
}

static void input_row(struct table *t, const struct compare *c, const struct compare_row *r)
{
	row_head(t, c, r);
	for (int s = 0; s < c->nsets; s++)
		value_cell(t, r, s, one_value(r, s));
	for (int s = 1; s < c->nsets; s++)
		table_real(t, one_value(r, s) - one_value(r, 0));
}

/* --- two sets --- */

static void set_columns(struct table *t, const struct measure *m)
{
	int d = m->decimals < 0 ? 2 : m->decimals;

	table_column(t, "A", m->unit, "mean_a", m->scale, m->decimals, 0);
	table_column(t, "n", "", "n_a", 1, 0, 0);
	table_column(t, "B", m->unit, "mean_b", m->scale, m->decimals, 0);
	table_column(t, "n", "", "n_b", 1, 0, 0);
	table_column(t, "B-A", m->unit, "diff", m->scale, d, COL_SIGN);
	table_column(t, "95% CI", "from", "ci_lo", m->scale, d, COL_SIGN);
	table_column(t, "", "to", "ci_hi", m->scale, d, COL_SIGN);
	table_column(t, "p", "", "p", 1, 4, 0);
}

static void set_row(struct table *t, const struct compare *c, const struct compare_row *r)
{
	row_head(t, c, r);
	value_cell(t, r, 0, r->test.mean_a);
	table_int(t, (int64_t)r->n[0]);
	value_cell(t, r, 1, r->test.mean_b);
	table_int(t, (int64_t)r->n[1]);
	table_real(t, r->test.diff);
	if (r->test.significant)
		table_mark(t, MARK_SIGNIFICANT);
	table_real(t, r->test.lo);
	table_real(t, r->test.hi);
	table_real(t, r->test.p);
}

static void legend(struct table *t, const struct compare *c, const struct measure *m)
{
	bool tested = false;

	if (m->legend)
		table_note(t, "%s", m->legend);
	if (!c->paired_sets)
		return;
	for (size_t i = 0; i < c->nrows; i++)
		tested |= !isnan(c->row[i].test.p);
	if (tested)
		table_note(t, "*: p < 0.05 in Welch's t-test over recordings, one value each; 95 %% CI of B-A");
	else
		table_note(t, "one input a side: a difference, no test, nothing is claimed");
}

static void one_measure(const struct compare *c, size_t from, size_t to, enum out_format format,
	FILE *out)
{
	const struct measure *m = c->row[from].measure;
	struct table t;

	begin(&t, c, m);
	if (c->paired_sets)
		set_columns(&t, m);
	else
		input_columns(&t, c, m);
	for (size_t i = from; i < to; i++) {
		if (i > from && strcmp(c->row[i].group, c->row[i - 1].group))
			table_rule(&t);
		if (c->paired_sets)
			set_row(&t, c, &c->row[i]);
		else
			input_row(&t, c, &c->row[i]);
	}
	legend(&t, c, m);
	table_write(&t, format, out);
	fputc('\n', out);
	table_free(&t);
}

static void write_rest(const struct compare *c, enum out_format format, FILE *out)
{
	const struct measure *share = measure_find("idle%", 5);
	struct table t;

	table_init(&t, "Not in every input, so not compared");
	table_column(&t, "input", "", "input", 1, 0, COL_LEFT | COL_GROUP);
	if (*group_word(c))
		table_column(&t, group_word(c), "", group_word(c), 1, 0, COL_LEFT);
	table_column(&t, "state", "", "state", 1, 0, COL_LEFT);
	table_column(&t, "usage", "", "usage", 1, 0, 0);
	table_column(&t, "time", "ms", "time_ns", 1e6, -1, 0);
	table_column(&t, share->head, share->unit, share->key, share->scale, share->decimals, 0);
	for (size_t i = 0; i < c->nrest; i++) {
		table_text(&t, "%s", c->rest[i].label);
		if (*group_word(c))
			table_text(&t, "%s", c->rest[i].group);
		table_text(&t, "%s", c->rest[i].state);
		table_int(&t, (int64_t)c->rest[i].fact->sum.usage);
		table_int(&t, c->rest[i].fact->sum.time_ns);
		table_real(&t, measure_value(share, c->rest[i].fact));
	}
	table_write(&t, format, out);
	fputc('\n', out);
	table_free(&t);
}

void compare_write(const struct compare *c, enum out_format format, FILE *out)
{
	size_t to;

	for (size_t from = 0; from < c->nrows; from = to) {
		for (to = from; to < c->nrows && c->row[to].measure == c->row[from].measure; to++)
			;
		one_measure(c, from, to, format, out);
	}
	if (c->nrest)
		write_rest(c, format, out);
}
