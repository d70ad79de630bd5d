// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/fail_if.h"

#include <math.h>
#include <string.h>

enum { F_RUN, F_LABEL, F_GROUP, F_STATE, F_FIRST_MEASURE };

#define MEASURES_MAX 32

struct fields {
	struct expr_field field[F_FIRST_MEASURE + 2 * MEASURES_MAX];
	char name[MEASURES_MAX][32];
	size_t n, nmeasures;
};

struct row {
	const struct style_set *set;
	size_t run;
	int group, state; /* state < 0: total */
};

static enum expr_type measure_type(const struct measure *m)
{
	if (m->scale == 0.01)
		return EXPR_PERCENT;
	return m->scale == 1 ? EXPR_NUMBER : EXPR_TIME;
}

static void make_fields(struct fields *f)
{
	size_t n = 0;

	memset(f, 0, sizeof(*f));
	f->field[F_RUN] = (struct expr_field){"run", EXPR_NUMBER, "number of the run; 0 recorded"};
	f->field[F_LABEL] = (struct expr_field){"label", EXPR_TEXT, "its governor or file"};
	f->field[F_GROUP] = (struct expr_field){"group", EXPR_TEXT, "CPU or cluster of --by"};
	f->field[F_STATE] = (struct expr_field){"state", EXPR_TEXT, "name, or total"};
	while (measure_list[n].name && n < MEASURES_MAX)
		n++;
	f->nmeasures = n;
	for (size_t i = 0; i < n; i++) {
		const struct measure *m = &measure_list[i];

		snprintf(f->name[i], sizeof(f->name[i]), "%s_change", m->name);
		f->field[F_FIRST_MEASURE + i] = (struct expr_field){m->name, measure_type(m), m->metric};
		f->field[F_FIRST_MEASURE + n + i] =
			(struct expr_field){f->name[i], EXPR_PERCENT, "against run 0"};
	}
	f->n = F_FIRST_MEASURE + 2 * n;
}

static size_t measure_count(void)
{
	size_t n = 0;

	while (measure_list[n].name && n < MEASURES_MAX)
		n++;
	return n;
}

static const struct fact *fact_of(const struct row *r, size_t run)
{
	const struct fact_group *g = &r->set->run[run].group[r->group];

	return r->state < 0 ? &g->total : &g->state[r->state];
}

static struct expr_value number(double v)
{
	return isnan(v) ? (struct expr_value){.known = false} : expr_number(v);
}

static struct expr_value read_row(void *ctx, int field)
{
	const struct row *r = ctx;
	size_t i = (size_t)(field - F_FIRST_MEASURE), n = measure_count();
	const struct measure *m;
	double v;

	switch (field) {
	case F_RUN:
		return expr_number((double)r->run);
	case F_LABEL:
		return expr_text(r->set->run[r->run].label);
	case F_GROUP:
		return expr_text(r->set->run[r->run].group[r->group].name);
	case F_STATE:
		return expr_text(r->state < 0 ? "total" : style_state_name(r->set, r->group, r->state));
	}
	if (i >= n)
		return number(style_change(&measure_list[i - n], fact_of(r, 0), fact_of(r, r->run)));
	m = &measure_list[i];
	v = measure_value(m, fact_of(r, r->run));
	return number(m->scale == 0.01 ? 100 * v : v);
}

static bool any_row(struct row *r, const struct expr *e)
{
	for (r->run = 0; r->run < r->set->nruns; r->run++)
		for (r->group = 0; r->group < r->set->run[r->run].ngroups; r->group++)
			for (r->state = -1; r->state < STATES_MAX; r->state++)
				if ((r->state < 0 || style_has_state(r->set, r->group, r->state)) &&
					expr_holds(e, read_row, r))
					return true;
	return false;
}

int fail_if_holds(const struct style_set *set, const char *text, char *where, size_t size,
	struct error *err)
{
	struct row r = {.set = set};
	struct fields f;
	struct expr *e;
	bool holds;

	make_fields(&f);
	e = expr_compile(text, f.field, f.n, NULL, err);
	if (!e)
		return -1;
	holds = any_row(&r, e);
	expr_free(e);
	if (holds)
		snprintf(where, size, "run %zu (%s), %s%s%s state %s", r.run, set->run[r.run].label,
			set->run[r.run].what, *set->run[r.run].what ? " " : "",
			*set->run[r.run].what ? set->run[r.run].group[r.group].name : "any CPU,",
			r.state < 0 ? "total" : style_state_name(set, r.group, r.state));
	return holds;
}
