// SPDX-License-Identifier: GPL-2.0-or-later
/* Styles with one column per state or per run. */
#include "src/style.h"

#include <math.h>
#include <string.h>

#define MEASURES_MAX 16

static void share_row(struct table *t, const struct style_set *set, int group,
	const struct fact_group *g)
{
	const struct measure *share = measure_find("time%", 5);

	table_text(t, "Time share");
	for (int s = 0; s < STATES_MAX; s++)
		if (style_has_state(set, group, s))
			style_cell(t, share, &g->state[s]);
	style_cell(t, share, &g->total);
}

/* "Time Spent (us)" carries its share in the cell, as posted; CSV has them in two rows */
static void time_row(struct table *t, const struct style_set *set, int group,
	const struct fact_group *g)
{
	table_text(t, "Time Spent (us)");
	for (int s = 0; s <= STATES_MAX; s++) {
		const struct fact *f = s < STATES_MAX ? &g->state[s] : &g->total;

		if (s == STATES_MAX ? set->format != FORMAT_CSV : !style_has_state(set, group, s))
			continue;
		if (set->format == FORMAT_CSV)
			table_real(t, (double)f->sum.time_ns / 1e3);
		else
			table_text(t, "%.0f (%.2f%%)", (double)f->sum.time_ns / 1e3,
				100.0 * (double)f->sum.time_ns / (double)f->span_ns);
	}
	if (set->format == FORMAT_CSV)
		share_row(t, set, group, g);
}

static void metric_row(struct table *t, const struct style_set *set, int group,
	const struct fact_group *g, const struct measure *m)
{
	bool overall = !strcmp(m->name, "avg") || !strcmp(m->name, "wavg"), first = true;

	if (!strcmp(m->name, "time")) {
		time_row(t, set, group, g);
		return;
	}
	if (overall)
		table_text(t, "Overall %c%s", *m->metric | 0x20, m->metric + 1);
	else
		table_text(t, "%s", m->metric);
	/* what holds for all states together stands once, in the first column */
	for (int s = 0; s <= STATES_MAX; s++) {
		struct measured v = m->get(s < STATES_MAX && !overall ? &g->state[s] : &g->total);

		if (s == STATES_MAX ? set->format != FORMAT_CSV : !style_has_state(set, group, s))
			continue;
		if (overall && !first)
			table_text(t, "%s", "");
		else if (!v.known)
			table_none(t);
		else if (v.real || m->scale != 1)
			table_real(t, (v.real ? v.d : (double)v.i) / m->scale);
		else
			table_int(t, v.i);
		first = false;
	}
}

static void metric_table(const struct style_set *set, const struct style *style, size_t run, int group,
	FILE *out)
{
	const struct measure *m[MEASURES_MAX];
	size_t n = style_measures(set, style, m, MEASURES_MAX);
	const struct facts *f = &set->run[run];
	struct table t;

	table_init(&t, "%s%s%s%s%s", run ? "With " : set->nruns > 1 ? "Baseline: " : "", f->label,
		*f->what ? ", " : "", f->what, *f->what ? f->group[group].name : "");
	t.rules = style->rules;
	table_column(&t, "Metric", "", "metric", 1, 0, COL_LEFT | COL_KEY);
	for (int s = 0; s < STATES_MAX; s++)
		if (style_has_state(set, group, s))
			table_column(&t, style_state_name(set, group, s), "",
				style_state_name(set, group, s), 1, -1, 0);
	if (set->format == FORMAT_CSV)
		table_column(&t, "Total", "", "total", 1, -1, 0);
	for (size_t i = 0; i < n; i++)
		metric_row(&t, set, group, &f->group[group], m[i]);
	style_finish(set, &t, out);
}

void layout_metric(const struct style_set *set, const struct style *style, FILE *out)
{
	for (int g = 0; g < set->run[0].ngroups; g++)
		for (size_t r = 0; r < set->nruns; r++)
			metric_table(set, style, r, g, out);
}

static void run_heads(struct table *t, const struct style_set *set)
{
	char head[32];

	for (size_t r = 0; r < set->nruns; r++) {
		snprintf(head, sizeof(head), "run %zu", r);
		table_column(t, head, "", head, 1, -1, 0);
		table_note(t, "run %zu: %s", r, set->run[r].label);
	}
}

static void columns_row(struct table *t, const struct style_set *set, int group, int state,
	const struct measure *m)
{
	const struct fact_group *from = &set->run[set->base].group[group];
	const struct fact *base = state < 0 ? &from->total : &from->state[state], *f;

	if (state < 0)
		table_text(t, "%s", m->metric);
	else
		table_text(t, "  %s", style_state_name(set, group, state));
	for (size_t r = 0; r < set->nruns; r++) {
		struct measured v;

		f = state < 0 ? &set->run[r].group[group].total
			      : &set->run[r].group[group].state[state];
		v = m->get(f);
		if (!v.known)
			table_none(t);
		else if (v.real || m->scale != 1)
			table_real(t, (v.real ? v.d : (double)v.i) / m->scale);
		else
			table_int(t, v.i);
	}
	for (size_t r = 0; r < set->nruns; r++)
		if (r != set->base)
			table_real(t, style_change(m, base, state < 0
					? &set->run[r].group[group].total
					: &set->run[r].group[group].state[state]));
}

void layout_columns(const struct style_set *set, const struct style *style, FILE *out)
{
	const struct measure *m[MEASURES_MAX];
	size_t n = style_measures(set, style, m, MEASURES_MAX);
	char head[16];
	struct table t;

	for (int g = 0; g < set->run[0].ngroups; g++) {
		table_init(&t, "%s%s%s", set->caption, set->run[0].what,
			*set->run[0].what ? set->run[0].group[g].name : "");
		t.rules = style->rules;
		table_column(&t, "Metric", "", "metric", 1, 0, COL_LEFT | COL_KEY);
		run_heads(&t, set);
		for (size_t r = 0; r < set->nruns; r++) {
			if (r == set->base)
				continue;
			snprintf(head, sizeof(head), set->nruns > 2 ? "(%%) %zu" : "(%%)", r);
			table_column(&t, "Change", head, "change_percent", 1, 2, COL_SIGN);
		}
		for (size_t i = 0; i < n; i++) {
			columns_row(&t, set, g, -1, m[i]);
			for (int s = 0; s < STATES_MAX; s++)
				if (strcmp(m[i]->name, "miss%") && style_has_state(set, g, s))
					columns_row(&t, set, g, s, m[i]);
		}
		if (set->nruns > 1)
			table_note(&t, "Change (%%) = (run - run %zu) / run %zu", set->base, set->base);
		style_finish(set, &t, out);
	}
}

static void sweep_measure(const struct style_set *set, const struct style *style,
	const struct measure *m, FILE *out)
{
	char head[32];
	struct table t;

	table_init(&t, "%s", m->metric);
	t.rules = style->rules;
	table_column(&t, *set->run[0].what ? set->run[0].what : "group", "", "group", 1, 0, COL_KEY);
	for (size_t r = 0; r < set->nruns; r++) {
		snprintf(head, sizeof(head), "run %zu", r);
		table_column(&t, head, m->unit, m->key, m->scale, 3, 0);
		if (r != set->base)
			table_column(&t, "(change", "%)", "change_percent", 1, 2, COL_SIGN);
	}
	for (int g = 0; g < set->run[0].ngroups; g++) {
		table_text(&t, "%s", set->run[0].group[g].name);
		for (size_t r = 0; r < set->nruns; r++) {
			style_cell(&t, m, &set->run[r].group[g].total);
			if (r == set->base)
				continue;
			table_real(&t, style_change(m, &set->run[set->base].group[g].total,
					&set->run[r].group[g].total));
		}
	}
	style_finish(set, &t, out);
}

/* "(snooze, CEDE)" residency in percent, one bracket per run; one column per state in CSV */
static void residency_cells(struct table *t, const struct style_set *set, size_t run, int group)
{
	const struct measure *share = measure_find("time%", 5);
	char text[128] = "(";
	size_t n = 1;

	for (int s = 0; s < STATES_MAX; s++) {
		double v = measure_value(share, &set->run[run].group[group].state[s]);

		if (!style_has_state(set, 0, s))
			continue;
		if (set->format == FORMAT_CSV)
			table_real(t, v);
		else
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%.2f", n > 1 ? ", " : "",
				100 * v);
	}
	if (set->format != FORMAT_CSV)
		table_text(t, "%s)", text);
}

static void sweep_residency(const struct style_set *set, const struct style *style, FILE *out)
{
	char names[160] = "", head[64];
	size_t n = 0;
	struct table t;

	for (int s = 0; s < STATES_MAX; s++)
		if (style_has_state(set, 0, s))
			n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s", n ? ", " : "",
				style_state_name(set, 0, s));
	table_init(&t, "(%s) residency %%", names);
	t.rules = style->rules;
	table_column(&t, *set->run[0].what ? set->run[0].what : "group", "", "group", 1, 0, COL_KEY);
	for (size_t r = 0; r < set->nruns; r++) {
		for (int s = 0; s < STATES_MAX; s++) {
			if (set->format == FORMAT_CSV ? !style_has_state(set, 0, s) : s > 0)
				continue;
			snprintf(head, sizeof(head), "run %zu", r);
			if (set->format == FORMAT_CSV)
				snprintf(head, sizeof(head), "run %zu %s", r,
					style_state_name(set, 0, s));
			table_column(&t, head, "", head, 1, 0, 0);
		}
		table_note(&t, "run %zu: %s", r, set->run[r].label);
	}
	for (int g = 0; g < set->run[0].ngroups; g++) {
		table_text(&t, "%s", set->run[0].group[g].name);
		for (size_t r = 0; r < set->nruns; r++)
			residency_cells(&t, set, r, g);
	}
	style_finish(set, &t, out);
}

void layout_sweep(const struct style_set *set, const struct style *style, FILE *out)
{
	const struct measure *m[MEASURES_MAX];
	size_t n = style_measures(set, style, m, MEASURES_MAX);

	if (*set->caption)
		fprintf(out, "%s%s\n\n", set->format == FORMAT_CSV ? "# " : "", set->caption);
	for (size_t i = 0; i < n; i++)
		sweep_measure(set, style, m[i], out);
	sweep_residency(set, style, out);
}
