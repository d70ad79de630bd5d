// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/whatif_states.h"
#include "views/whatif_totals.h"

#include <stdlib.h>
#include <string.h>

enum measure { OF_USAGE, OF_TIME, OF_ABOVE, OF_BELOW, MEASURES };

static int64_t measure_of(const struct state_sum *s, enum measure m)
{
	const int64_t of[] = {(int64_t)s->usage, s->time_ns, (int64_t)s->above, (int64_t)s->below};

	return of[m];
}

/* @end: 0 least, 1 most */
static int64_t span_of(const struct state_span *s, enum measure m, int end)
{
	const int64_t of[] = {(int64_t)s->usage[end], (int64_t)s->time_ns[end], (int64_t)s->above[end],
		(int64_t)s->below[end]};

	return of[m];
}

static void side_columns(struct table *t, const char *head, const char *key, const char *side,
	const char *run, double scale, bool bounded)
{
	char name[40], unit[12];

	snprintf(unit, sizeof(unit), "%.8s", run);
	for (int most = 0; most <= bounded; most++) {
		snprintf(name, sizeof(name), "%s_%s%s", side, key, !bounded ? "" : most ? "_most" : "_least");
		table_column(t, head, most ? "..most" : unit, name, scale, scale > 1 ? -1 : 0, 0);
		head = "";
	}
}

static void side_cells(struct table *t, const struct session *s, int r, int state, enum measure m)
{
	const struct session_run *run = s->run[r];
	bool known = m < OF_ABOVE || run_judged(session_get(s, r));

	for (int end = 0; end <= run->bounded; end++)
		if (known)
			table_int(t, run->bounded ? span_of(&run->span[state], m, end)
						  : measure_of(&session_get(s, r)->total[state], m));
		else
			table_none(t);
}

void whatif_states_table(const struct session *s, struct table *out)
{
	static const char *const heads[] = {"usage", "time ms", "above", "below"};
	static const char *const keys[] = {"usage", "time_ns", "above", "below"};
	const struct state_table *left = machine_table(&session_get(s, s->left)->machine, s->cpu);
	const struct state_table *right = machine_table(&session_get(s, s->right)->machine, s->cpu);
	int n = left->nstates > right->nstates ? left->nstates : right->nstates;

	table_init(out, "%s  %s against %s, state by state", s->file, session_get(s, s->left)->label,
		session_get(s, s->right)->label);
	table_column(out, "state", "", "state", 1, 0, COL_LEFT | COL_KEY);
	for (int m = 0; m < MEASURES; m++) {
		double scale = m == OF_TIME ? 1e6 : 1;

		side_columns(out, heads[m], keys[m], "left", s->run[s->left]->name, scale,
			s->run[s->left]->bounded);
		side_columns(out, "", keys[m], "right", s->run[s->right]->name, scale,
			s->run[s->right]->bounded);
	}
	for (int i = 0; i < n; i++) {
		table_text(out, "%s", i < right->nstates ? right->state[i].name : left->state[i].name);
		for (int m = 0; m < MEASURES; m++) {
			side_cells(out, s, s->left, i, (enum measure)m);
			side_cells(out, s, s->right, i, (enum measure)m);
		}
	}
	totals_notes(s, out);
}

void whatif_states_draw(const struct session *s, struct rows *rows, struct canvas *c, struct area a)
{
	char *text = NULL, *save = NULL;
	size_t size = 0, n = 0;
	struct table t;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return;
	whatif_states_table(s, &t);
	table_write(&t, FORMAT_TEXT, f);
	table_free(&t);
	fclose(f);
	for (const char *p = text; (p = strchr(p, '\n')); p++)
		n++;
	rows_scroll(rows, n, a.h);
	n = 0;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save), n++)
		if (n >= rows->top && n < rows->top + (size_t)a.h)
			canvas_foreign(c, a.x + 1, a.y + (int)(n - rows->top), n ? ROLE_TEXT : ROLE_HEADING,
				line, a.w - 2);
	free(text);
}
