// SPDX-License-Identifier: GPL-2.0-or-later
/* Styles with one row per state or per run. */
#include "src/style.h"

#include <math.h>
#include <string.h>

#define MEASURES_MAX 16

static void put_row(struct table *t, const struct measure *const *m, size_t n, const struct fact *f)
{
	for (size_t i = 0; i < n; i++)
		style_cell(t, m[i], f);
}

static void state_cell(struct table *t, const struct style_set *set, int group, int state)
{
	table_text(t, "%d %s", state, style_state_name(set, group, state));
}

/* runs have long labels (governor, model, parameters): a number here, and the label in the legend */
static void run_cell(struct table *t, const struct style_set *set, const struct facts *run)
{
	if (set->nruns < 2)
		return;
	if (set->format == FORMAT_CSV)
		table_text(t, "%s", run->label);
	else
		table_text(t, "%zu", (size_t)(run - set->run));
}

/* the states of one group of one run, and their total where there is more than one group or run */
static void state_rows(struct table *t, const struct style_set *set, const struct facts *run, int group,
	const struct measure *const *m, size_t n)
{
	const struct fact_group *g = &run->group[group];

	for (int s = 0; s < STATES_MAX; s++) {
		if (!style_has_state(set, group, s))
			continue;
		run_cell(t, set, run);
		if (*run->what)
			table_text(t, "%s", g->name);
		state_cell(t, set, group, s);
		put_row(t, m, n, &g->state[s]);
	}
	run_cell(t, set, run);
	if (*run->what)
		table_text(t, "%s", g->name);
	table_text(t, "total");
	put_row(t, m, n, &g->total);
}

static void name_runs(struct table *t, const struct style_set *set)
{
	for (size_t r = 0; r < set->nruns; r++)
		table_note(t, "run %zu: %s", r, set->run[r].label);
}

void layout_states(const struct style_set *set, const struct style *style, FILE *out)
{
	const struct measure *m[MEASURES_MAX];
	size_t n = style_measures(set, style, m, MEASURES_MAX);
	struct table t;

	table_init(&t, "%s", set->caption);
	t.rules = style->rules;
	if (set->nruns > 1)
		table_column(&t, "run", "", "run", 1, 0, COL_LEFT | COL_KEY | COL_GROUP);
	if (*set->run[0].what)
		table_column(&t, set->run[0].what, "", set->run[0].what, 1, 0,
			COL_LEFT | COL_KEY | COL_GROUP);
	table_column(&t, "state", "", "state", 1, 0, COL_LEFT | COL_KEY);
	for (size_t i = 0; i < n; i++)
		style_column(&t, m[i]);
	for (int g = 0; g < set->run[0].ngroups; g++) {
		for (size_t r = 0; r < set->nruns; r++) {
			if (g || r)
				table_rule(&t);
			state_rows(&t, set, &set->run[r], g, m, n);
		}
	}
	if (set->nruns > 1)
		name_runs(&t, set);
	style_finish(set, &t, out);
}

void layout_misses(const struct style_set *set, const struct style *style, FILE *out)
{
	const struct measure *m[MEASURES_MAX], *miss = measure_find("miss", 4);
	const struct measure *share = measure_find("miss%", 5);
	size_t n = style_measures(set, style, m, MEASURES_MAX);
	struct table t;

	for (size_t r = 0; r < set->nruns; r++) {
		for (int g = 0; g < set->run[r].ngroups; g++) {
			const struct fact_group *group = &set->run[r].group[g];

			table_init(&t, "%s%s%s%s", set->run[r].label, *set->run[r].what ? ", " : "",
				set->run[r].what, *set->run[r].what ? group->name : "");
			t.rules = style->rules;
			table_column(&t, "State", "", "state", 1, 0, COL_LEFT | COL_KEY);
			for (size_t i = 0; i < n; i++)
				style_column(&t, m[i]);
			table_column(&t, "", "", "note", 1, 0, COL_LEFT);
			for (int s = 0; s < STATES_MAX; s++) {
				if (!style_has_state(set, g, s))
					continue;
				state_cell(&t, set, g, s);
				put_row(&t, m, n, &group->state[s]);
				table_text(&t, "%s", "");
			}
			table_text(&t, "total");
			put_row(&t, m, n, &group->total);
			table_text(&t, "%.0f (%.2f%%) <<< Misses", measure_value(miss, &group->total),
				100 * measure_value(share, &group->total));
			style_finish(set, &t, out);
		}
	}
}

static void rows_columns(struct table *t, const struct style_set *set, int nstates)
{
	char key[32];

	table_column(t, "device", "", "device", 1, 0, COL_LEFT | COL_KEY);
	table_column(t, "gov", "", "gov", 1, 0, COL_LEFT | COL_KEY);
	table_column(t, "iter", "", "iter", 1, 0, COL_KEY);
	table_column(t, "score", "", "score_ns", 1e3, -1, 0);
	table_column(t, "idles", "", "idles", 1, 0, 0);
	table_column(t, "idle_misses", "", "idle_misses", 1, 0, 0);
	table_column(t, "idle_miss_ratio", "", "idle_miss_ratio", 1, 4, 0);
	table_column(t, "belows", "", "belows", 1, 0, 0);
	table_column(t, "aboves", "", "aboves", 1, 0, 0);
	for (int s = 0; s < nstates; s++) {
		snprintf(key, sizeof(key), "state%d", s);
		table_column(t, key, "", key, 1, 0, 0);
	}
	table_note(t, "score: mean idle length (us); idle_miss_ratio = (above + below) / usage");
	if (set->name)
		table_note(t, "device: the recording; iter: its number among the inputs");
}

/* the model's number in brackets would make the line too long for a mail */
static void governor_cell(struct table *t, const struct facts *run)
{
	const char *gov = *run->run->governor ? run->run->governor : run->label;
	const char *from = strstr(gov, " ("), *to = from ? strchr(from, ')') : NULL;

	if (to)
		table_text(t, "%.*s%s", (int)(from - gov), gov, to + 1);
	else
		table_text(t, "%s", gov);
}

void layout_rows(const struct style_set *set, const struct style *style, FILE *out)
{
	const struct measure *miss = measure_find("miss", 4);
	const struct measure *share = measure_find("miss%", 5);
	int nstates = 0;
	struct table t;

	for (int s = 0; s < STATES_MAX; s++)
		if (style_has_state(set, 0, s))
			nstates = s + 1;
	table_init(&t, "%s", set->caption);
	t.rules = style->rules;
	rows_columns(&t, set, nstates);
	for (size_t r = 0; r < set->nruns; r++) {
		for (int g = 0; g < set->run[r].ngroups; g++) {
			const struct fact_group *group = &set->run[r].group[g];

			table_text(&t, "%s%s%s", set->name, *set->run[r].what ? ":" : "",
				*set->run[r].what ? group->name : "");
			governor_cell(&t, &set->run[r]);
			table_int(&t, 1);
			style_cell(&t, measure_find("avg", 3), &group->total);
			style_cell(&t, measure_find("usage", 5), &group->total);
			style_cell(&t, miss, &group->total);
			table_real(&t, measure_value(share, &group->total));
			style_cell(&t, measure_find("below", 5), &group->total);
			style_cell(&t, measure_find("above", 5), &group->total);
			for (int s = 0; s < nstates; s++)
				table_int(&t, (int64_t)group->state[s].sum.usage);
		}
	}
	style_finish(set, &t, out);
}

/* CPUs of one table are one cluster whatever the grouping was: the caller groups by cluster */
void layout_cluster(const struct style_set *set, const struct style *style, FILE *out)
{
	const struct measure *m[MEASURES_MAX];
	size_t n = style_measures(set, style, m, MEASURES_MAX);
	struct fact total;
	struct table t;

	for (size_t r = 0; r < set->nruns; r++) {
		const struct facts *run = &set->run[r];

		memset(&total, 0, sizeof(total));
		table_init(&t, "%s", set->nruns > 1 || !*set->caption ? run->label : set->caption);
		t.rules = style->rules;
		table_column(&t, "cluster", "", "cluster", 1, 0, COL_LEFT | COL_KEY | COL_GROUP);
		table_column(&t, "state", "", "state", 1, 0, COL_KEY);
		table_column(&t, "name", "", "name", 1, 0, COL_LEFT | COL_KEY);
		for (size_t i = 0; i < n; i++)
			style_column(&t, m[i]);
		for (int g = 0; g < run->ngroups; g++) {
			if (g)
				table_rule(&t);
			for (int s = 0; s < STATES_MAX; s++) {
				if (!style_has_state(set, g, s))
					continue;
				table_text(&t, "%s", run->group[g].name);
				table_int(&t, s);
				table_text(&t, "%s", style_state_name(set, g, s));
				put_row(&t, m, n, &run->group[g].state[s]);
			}
			fact_add(&total, &run->group[g].total);
		}
		table_rule(&t);
		table_text(&t, "TOTAL");
		table_none(&t);
		table_text(&t, "%s", "");
		put_row(&t, m, n, &total);
		style_finish(set, &t, out);
	}
}

static void add_groups(struct fact *total, const struct facts *run)
{
	memset(total, 0, sizeof(*total));
	for (int g = 0; g < run->ngroups; g++)
		fact_add(total, &run->group[g].total);
}

static void reference_row(struct table *t, const struct measure *m, const struct facts *run,
	const struct fact *base, const struct fact *total)
{
	double sum = 0, max = NAN, min = NAN, v;
	int n = 0;

	for (int g = 0; g < run->ngroups; g++) {
		v = measure_value(m, &run->group[g].total);
		if (isnan(v))
			continue;
		sum += v;
		max = fmax(max, v);
		min = fmin(min, v);
		n++;
	}
	style_cell(t, m, total);
	table_real(t, base ? style_change(m, base, total) : NAN);
	table_real(t, n ? sum / n : NAN);
	table_real(t, max);
	table_real(t, min);
}

/* value, change against the first run, then average, largest and smallest CPU: groups are the CPUs */
static void reference_table(const struct style_set *set, const struct style *style,
	const struct measure *m, FILE *out)
{
	struct fact base, total;
	char head[24];
	struct table t;

	table_init(&t, "%s", m->metric);
	t.rules = style->rules;
	table_column(&t, "run", "", "run", 1, 0, COL_KEY);
	table_column(&t, m->head, m->unit, m->key, m->scale, m->decimals, 0);
	snprintf(head, sizeof(head), "vs run %zu", set->base);
	table_column(&t, head, "%", "change_percent", 1, 2, COL_SIGN);
	table_column(&t, "ave", m->unit, "ave", m->scale, m->decimals, 0);
	table_column(&t, "max", m->unit, "max", m->scale, m->decimals, 0);
	table_column(&t, "min", m->unit, "min", m->scale, m->decimals, 0);
	table_column(&t, "name", "", "name", 1, 0, COL_LEFT);
	add_groups(&base, &set->run[set->base]);
	for (size_t r = 0; r < set->nruns; r++) {
		add_groups(&total, &set->run[r]);
		table_int(&t, (int64_t)r);
		reference_row(&t, m, &set->run[r], r == set->base ? NULL : &base, &total);
		table_text(&t, "%s", set->run[r].label);
	}
	if (m->legend)
		table_note(&t, "%s", m->legend);
	table_note(&t, "reference is run %zu; ave, max, min over %ss", set->base,
		*set->run[0].what ? set->run[0].what : "group");
	style_finish(set, &t, out);
}

void layout_reference(const struct style_set *set, const struct style *style, FILE *out)
{
	const struct measure *m[MEASURES_MAX];
	size_t n = style_measures(set, style, m, MEASURES_MAX);

	for (size_t i = 0; i < n; i++)
		reference_table(set, style, m[i], out);
}
