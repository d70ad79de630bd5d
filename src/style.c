// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct style style_list[] = {
	{"default", "one row per state", layout_states,
		"usage time time% above above% below below% avg p50 p99 wavg wp99", RULES_DASH},
	{"metric", "one column per state, a box per run", layout_metric,
		"usage above below time avg wavg", RULES_BOX},
	{"columns", "one column per run, the change last", layout_columns,
		"usage time above below above% below% miss%", RULES_BOX},
	{"sweep", "one row per group, value and change per run", layout_sweep, "wavg avg miss% time%",
		RULES_TILDE},
	{"reference", "one row per run, change against the first", layout_reference,
		"avg miss% time% wavg", RULES_DASH},
	{"misses", "one block per run, ends with the misses", layout_misses,
		"usage above below above% below%", RULES_NONE},
	{"rows", "one row per run", layout_rows, "usage miss miss% below above", RULES_NONE},
	{"cluster", "clusters and their states, with a total", layout_cluster,
		"time time% usage above above% below below%", RULES_DASH},
	{"mmtests", "means with percent changes per run", layout_mmtests, "rate avg wavg miss% time%",
		RULES_NONE},
	{NULL, NULL, NULL, NULL, RULES_NONE},
};

const struct style *style_find(const char *name, struct error *err)
{
	char known[200] = "";
	size_t n = 0, len = name ? strcspn(name, ":") : 0;

	for (const struct style *s = style_list; s->name; s++) {
		if (name ? strlen(s->name) == len && !memcmp(s->name, name, len)
			 : !strcmp(s->name, "default"))
			return s;
		n += (size_t)snprintf(known + n, sizeof(known) - n, "%s%s", n ? ", " : "", s->name);
	}
	error_set(err, EXIT_USAGE, "--style takes %s, not '%s'", known, name);
	return NULL;
}

size_t style_base(const char *name, size_t nruns)
{
	const char *colon = name ? strchr(name, ':') : NULL;
	unsigned long n = colon ? strtoul(colon + 1, NULL, 10) : 0;

	return n < nruns ? n : 0;
}

void style_write(const struct style_set *set, const struct style *style, FILE *out)
{
	style->layout(set, style, out);
}

static bool known_somewhere(const struct style_set *set, const struct measure *m)
{
	for (size_t r = 0; r < set->nruns; r++)
		for (int g = 0; g < set->run[r].ngroups; g++)
			if (m->get(&set->run[r].group[g].total).known)
				return true;
	return false;
}

size_t style_measures(const struct style_set *set, const struct style *style,
	const struct measure **out, size_t max)
{
	const char *list = set->measures ? set->measures : style->measures;
	const struct measure *m;
	size_t n = 0, len;

	while (*(list += strspn(list, " ")) && n < max) {
		len = strcspn(list, " ");
		m = measure_find(list, len);
		/* dumps have no clock: the share is of the idle time then */
		if (m && !strcmp(m->name, "time%") && !known_somewhere(set, m))
			m = measure_find("idle%", 5);
		if (m && known_somewhere(set, m))
			out[n++] = m;
		list += len;
	}
	return n;
}

void style_column(struct table *t, const struct measure *m)
{
	table_column(t, m->head, m->unit, m->key, m->scale, m->decimals,
		strcmp(m->name, "avg") ? 0 : COL_BREAK);
	if (m->legend)
		table_note(t, "%s", m->legend);
}

void style_cell(struct table *t, const struct measure *m, const struct fact *f)
{
	struct measured v = m->get(f);

	if (!v.known) {
		table_none(t);
		return;
	}
	if (v.real)
		table_real(t, v.d);
	else
		table_int(t, v.i);
	if (v.n < WEAK_N) {
		table_mark(t, MARK_WEAK);
		table_note(t, "? fewer than %d values", WEAK_N);
	}
}

double style_change(const struct measure *m, const struct fact *base, const struct fact *run)
{
	double a = measure_value(m, base), b = measure_value(m, run);

	return a != 0 ? (b - a) / fabs(a) * 100 : b == 0 ? 0 : NAN;
}

bool style_has_state(const struct style_set *set, int group, int state)
{
	for (size_t r = 0; r < set->nruns; r++) {
		const struct fact_group *g = &set->run[r].group[group];

		if ((g->table && state < g->table->nstates) || g->state[state].sum.usage)
			return true;
	}
	return false;
}

const char *style_state_name(const struct style_set *set, int group, int state)
{
	for (size_t r = 0; r < set->nruns; r++) {
		const struct fact_group *g = &set->run[r].group[group];

		if (g->table && state < g->table->nstates && *g->table->state[state].name)
			return g->table->state[state].name;
	}
	return "?";
}

static void no_such_column(const struct style_set *set, const struct table *t)
{
	char names[160] = "";
	size_t n = 0;

	for (size_t i = 0; i < t->ncols && n + 24 < sizeof(names); i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%.20s", n ? ", " : "", t->col[i].key);
	error_set(set->bad_sort, EXIT_USAGE, "--sort %.40s: no such column; there are %s", set->sort, names);
}

static bool is_mixed(const struct style_set *set)
{
	for (size_t r = 0; r < set->nruns; r++)
		for (int k = 0; k < set->run[r].ngroups; k++)
			if (set->run[r].group[k].mixed)
				return true;
	return false;
}

void style_finish(const struct style_set *set, struct table *t, FILE *out)
{
	if (set->quiet) {
		for (size_t i = 0; i < t->nnotes; i++)
			t->note[i][0] = '\0';
		t->nnotes = 0;
	}
	if (is_mixed(set))
		table_note(t, "clusters name their states differently: added by number, with the names of the first "
			"(--by cluster parts them)");
	if (set->sort && !table_sort(t, set->sort) && set->bad_sort)
		no_such_column(set, t);
	table_write(t, set->format, out);
	fputc('\n', out);
	table_free(t);
}
