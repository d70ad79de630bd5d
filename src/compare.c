// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- matching: groups by name, states by name --- */

static const struct fact_group *find_group(const struct facts *f, const char *name)
{
	for (int g = 0; g < f->ngroups; g++)
		if (!strcmp(f->group[g].name, name))
			return &f->group[g];
	return NULL;
}

/* a guessed table has numbers for names: such a state is the one of that number */
static bool is_number_name(const char *name, int state)
{
	char number[24];

	snprintf(number, sizeof(number), "state%d", state);
	return !strcmp(name, number);
}

#define TOTAL (-1)

static const struct fact *find_state(const struct fact_group *g, const char *name, int state)
{
	if (state == TOTAL)
		return &g->total;
	for (int s = 0; g->table && s < g->table->nstates; s++)
		if (!strcmp(g->table->state[s].name, name) ||
			(s == state && (is_number_name(g->table->state[s].name, s) ||
				is_number_name(name, s))))
			return &g->state[s];
	return NULL;
}

static const struct fact *find_fact(const struct facts *f, const char *group, const char *name, int state)
{
	const struct fact_group *g = find_group(f, group);

	return g ? find_state(g, name, state) : NULL;
}

static bool in_all(const struct compare *c, const char *group, const char *name, int state)
{
	for (size_t i = 0; i < c->nin; i++)
		if (!find_fact(c->in[i].facts, group, name, state))
			return false;
	return true;
}

static void add_row(struct compare *c, const struct measure *m, const char *group, const char *name,
	int state)
{
	struct compare_row *row;

	GROW(c->row, c->nrows, c->row_cap);
	row = &c->row[c->nrows++];
	memset(row, 0, sizeof(*row));
	copy_text(row->group, sizeof(row->group), group);
	copy_text(row->state, sizeof(row->state), name);
	row->measure = m;
	for (int s = 0; s < c->nsets; s++)
		row->value[s] = xcalloc(c->nin, sizeof(double));
	for (size_t i = 0; i < c->nin; i++) {
		const struct fact *f = find_fact(c->in[i].facts, group, name, state);
		double v = measure_value(m, f);
		int s = c->in[i].set;

		if (isnan(v))
			continue;
		row->value[s][row->n[s]++] = v;
		row->weak[s] |= m->get(f).n < WEAK_N;
	}
	if (c->paired_sets)
		stats_welch(&row->test, row->value[0], row->n[0], row->value[1], row->n[1]);
}

/* the states of the first input's group that all inputs have */
static void match_group(struct compare *c, const struct measure *m, const struct fact_group *g)
{
	for (int s = 0; g->table && s < g->table->nstates; s++)
		if (in_all(c, g->name, g->table->state[s].name, s))
			add_row(c, m, g->name, g->table->state[s].name, s);
	/* the share of all states is 1 by its making */
	if (strcmp(m->name, "idle%") && strcmp(m->name, "usage%") && in_all(c, g->name, "total", TOTAL))
		add_row(c, m, g->name, "total", TOTAL);
}

static void collect_rest(struct compare *c, const struct compare_input *in)
{
	for (int g = 0; g < in->facts->ngroups; g++) {
		const struct fact_group *group = &in->facts->group[g];

		for (int s = 0; group->table && s < group->table->nstates; s++) {
			const char *name = group->table->state[s].name;
			struct compare_rest *rest;

			if (in_all(c, group->name, name, s))
				continue;
			GROW(c->rest, c->nrest, c->rest_cap);
			rest = &c->rest[c->nrest++];
			rest->label = in->label;
			rest->fact = &group->state[s];
			copy_text(rest->group, sizeof(rest->group), group->name);
			copy_text(rest->state, sizeof(rest->state), name);
		}
	}
}

static bool known_somewhere(const struct compare *c, const struct measure *m)
{
	for (size_t i = 0; i < c->nin; i++)
		for (int g = 0; g < c->in[i].facts->ngroups; g++)
			if (!isnan(measure_value(m, &c->in[i].facts->group[g].total)))
				return true;
	return false;
}

void compare_build(struct compare *c, const struct compare_input *in, size_t nin, int nsets,
	bool two_sets, const char *measures)
{
	const struct measure *m;
	size_t len;

	memset(c, 0, sizeof(*c));
	c->in = in;
	c->nin = nin;
	c->nsets = nsets;
	c->paired_sets = two_sets;
	while (*(measures += strspn(measures, " "))) {
		len = strcspn(measures, " ");
		m = measure_find(measures, len);
		if (m && known_somewhere(c, m))
			for (int g = 0; g < in[0].facts->ngroups; g++)
				match_group(c, m, &in[0].facts->group[g]);
		measures += len;
	}
	for (size_t i = 0; i < nin; i++)
		collect_rest(c, &in[i]);
}

void compare_free(struct compare *c)
{
	for (size_t i = 0; i < c->nrows; i++)
		for (int s = 0; s < c->nsets; s++)
			free(c->row[i].value[s]);
	free(c->row);
	free(c->rest);
	memset(c, 0, sizeof(*c));
}

/* --- JSON --- */

static json_t *json_set(const struct compare_row *r, int s)
{
	json_t *values = json_array();

	for (size_t i = 0; i < r->n[s]; i++)
		json_array_append_new(values, json_ratio(r->value[s][i]));
	return json_pack("{s:i, s:I, s:o, s:o, s:o, s:o}", "set", s, "n", (json_int_t)r->n[s], "mean",
		json_ratio(stats_mean(r->value[s], r->n[s])), "stddev",
		json_ratio(stats_stddev(r->value[s], r->n[s])), "median",
		json_ratio(stats_median(r->value[s], r->n[s])), "values", values);
}

static json_t *json_row(const struct compare *c, const struct compare_row *r)
{
	json_t *sets = json_array(), *row;

	for (int s = 0; s < c->nsets; s++)
		json_array_append_new(sets, json_set(r, s));
	row = json_pack("{s:s, s:s, s:s, s:o}", "measure", r->measure->key, "group", r->group, "state",
		r->state, "sets", sets);
	if (c->paired_sets)
		json_object_set_new(row, "welch",
			json_pack("{s:o, s:o, s:o, s:[o,o], s:b}", "diff", json_ratio(r->test.diff),
				"df", json_ratio(r->test.df), "p", json_ratio(r->test.p), "ci95",
				json_ratio(r->test.lo), json_ratio(r->test.hi), "significant",
				r->test.significant));
	return row;
}

json_t *compare_json(const struct compare *c)
{
	json_t *rows = json_array(), *rest = json_array();

	for (size_t i = 0; i < c->nrows; i++)
		json_array_append_new(rows, json_row(c, &c->row[i]));
	for (size_t i = 0; i < c->nrest; i++)
		json_array_append_new(rest,
			json_pack("{s:o, s:s, s:o, s:I, s:I}", "input", json_text(c->rest[i].label),
				"group", c->rest[i].group, "state", json_text(c->rest[i].state), "usage",
				(json_int_t)c->rest[i].fact->sum.usage, "time_ns",
				(json_int_t)c->rest[i].fact->sum.time_ns));
	return json_pack("{s:o, s:o}", "rows", rows, "unmatched", rest);
}
