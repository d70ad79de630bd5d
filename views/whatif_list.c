// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/whatif_list.h"
#include "views/changes.h"
#include "views/words.h"

#include <stdlib.h>

#define WIDE 92 /* columns for names and verdicts beside the numbers */

void whatif_list_update(struct whatif_list *l, const struct session *s, bool by_cost)
{
	const struct session_run *left = s->run[s->left], *right = s->run[s->right];
	bool same = l->left == left && l->right == right && l->generation == s->generation;

	if (same && l->by_cost == by_cost)
		return;
	if (!same) {
		changes_free(&l->own);
		l->changes = NULL;
		if (s->left == 0 && session_ready(s, s->right)) {
			l->changes = &right->changes;
		} else if (session_ready(s, s->left) && session_ready(s, s->right)) {
			changes_build(&l->own, &left->tl, &right->tl);
			changes_sort(&l->own);
			l->changes = &l->own;
		}
	}
	l->left = left;
	l->right = right;
	l->generation = s->generation;
	l->by_cost = by_cost;
	l->rows.at = l->rows.top = 0;
}

size_t whatif_list_count(const struct whatif_list *l)
{
	return l->changes ? l->changes->n : 0;
}

static const struct change *change_at(const struct whatif_list *l, size_t k)
{
	return &l->changes->c[l->by_cost ? l->changes->by_cost[k] : k];
}

void whatif_list_free(struct whatif_list *l)
{
	changes_free(&l->own);
}

static const char *verdict_word(const struct timeline *tl, int cpu, size_t i)
{
	static const char *const words[] = {"-", "ok", "above", "below"};

	return words[timeline_verdict(tl, cpu, i)];
}

/* @wide: with the state's name and the verdict, else its number and the cost only */
static int draw_side(struct canvas *c, int x, int y, const struct session_run *r, int cpu, uint32_t i,
	int64_t cost_ns, bool wide)
{
	const struct timeline_cpu *tc = &r->tl.cpu[cpu];
	int state = tc->period[i].state;
	const char *verdict = verdict_word(&r->tl, cpu, i);
	char cost[32];

	canvas_textf(c, x, y, theme_state(state), "%d", state);
	if (!wide) {
		canvas_right(c, x + 14, y, *verdict == 'a' ? ROLE_ABOVE : ROLE_BELOW,
			cost_ns ? words_length(cost, sizeof(cost), cost_ns, UNITS_US) : "–");
		return x + 15;
	}
	canvas_foreign(c, x + 2, y, ROLE_TEXT, tc->table->state[state].name, 7);
	canvas_text(c, x + 10, y, *verdict == 'a' ? ROLE_ABOVE : *verdict == 'b' ? ROLE_BELOW : ROLE_DIM,
		verdict);
	canvas_right(c, x + 25, y, ROLE_TEXT,
		cost_ns ? words_length(cost, sizeof(cost), cost_ns, UNITS_US) : "–");
	return x + 28;
}

static void draw_row(const struct whatif_list *l, const struct session *s, struct canvas *c,
	struct area a, int y, size_t k)
{
	const struct change *ch = change_at(l, k);
	char buf[40];
	bool wide = a.w >= WIDE;
	int x = a.x + 1;

	canvas_textf(c, x, y, ROLE_TEXT, "%4d", ch->cpu);
	canvas_text(c, x + 6, y, ROLE_TEXT,
		words_time(buf, sizeof(buf), ch->at_ns - s->trace->origin_ns, 6));
	canvas_right(c, x + 31, y, ROLE_TEXT, words_length(buf, sizeof(buf), ch->length_ns, UNITS_US));
	x = draw_side(c, x + (wide ? 34 : 32), y, l->left, ch->cpu, ch->left, ch->cost_left_ns, wide);
	draw_side(c, x, y, l->right, ch->cpu, ch->right, ch->cost_right_ns, wide);
	if (k == l->rows.at)
		rows_cursor(c, a, y);
}

void whatif_list_draw(struct whatif_list *l, const struct session *s, struct canvas *c, struct area a)
{
	char n[32], all[32], text[80];

	rows_fit(&l->rows, whatif_list_count(l), 1, a.h - 1);
	canvas_textf(c, a.x + 1, a.y, ROLE_HEADING, a.w >= WIDE ?
		" cpu      time s          length    %-28.26s%.26s" :
		" cpu      time s          length  %-15.14s%.12s",
		s->run[s->left]->name, s->run[s->right]->name);
	snprintf(text, sizeof(text), "%s of %s", words_count(n, sizeof(n), l->rows.at + 1),
		words_count(all, sizeof(all), whatif_list_count(l)));
	if (whatif_list_count(l))
		canvas_right(c, a.x + a.w - 1, a.y, ROLE_DIM, text);
	for (int i = 0; i < a.h - 1 && l->rows.top + (size_t)i < whatif_list_count(l); i++)
		draw_row(l, s, c, a, a.y + 1 + i, l->rows.top + (size_t)i);
	if (!whatif_list_count(l))
		canvas_text(c, a.x + 2, a.y + 2, ROLE_NOTE, "the two runs chose the same everywhere");
}

static void side_cells(struct table *out, const struct session_run *r, int cpu, uint32_t i, int64_t cost)
{
	const struct timeline_cpu *tc = &r->tl.cpu[cpu];

	table_text(out, "%s", tc->table->state[tc->period[i].state].name);
	table_text(out, "%s", verdict_word(&r->tl, cpu, i));
	table_int(out, cost);
}

void whatif_list_table(const struct whatif_list *l, const struct session *s, struct table *out)
{
	table_init(out, "%s  changes from %s to %s, by %s", s->file, session_get(s, s->left)->label,
		session_get(s, s->right)->label, l->by_cost ? "cost" : "time");
	table_column(out, "cpu", "", "cpu", 1, 0, COL_KEY);
	table_column(out, "time", "s", "time_ns", 1e9, 6, COL_KEY);
	table_column(out, "length", "us", "length_ns", 1e3, 1, 0);
	table_column(out, "left", "", "left_state", 1, 0, COL_LEFT);
	table_column(out, "verdict", "", "left_verdict", 1, 0, COL_LEFT);
	table_column(out, "cost", "us", "left_cost_ns", 1e3, 1, 0);
	table_column(out, "right", "", "right_state", 1, 0, COL_LEFT);
	table_column(out, "verdict", "", "right_verdict", 1, 0, COL_LEFT);
	table_column(out, "cost", "us", "right_cost_ns", 1e3, 1, 0);
	for (size_t k = 0; k < whatif_list_count(l); k++) {
		const struct change *ch = change_at(l, k);

		table_int(out, ch->cpu);
		table_int(out, ch->at_ns - s->trace->origin_ns);
		table_int(out, ch->length_ns);
		side_cells(out, l->left, ch->cpu, ch->left, ch->cost_left_ns);
		side_cells(out, l->right, ch->cpu, ch->right, ch->cost_right_ns);
	}
	table_note(out, "cost: time short of the target (above) or beyond the ideal state's (below)");
}

void whatif_list_goto(const struct whatif_list *l, struct session *s)
{
	const struct change *ch = change_at(l, l->rows.at);

	s->cpu = ch->cpu;
	s->at_ns = ch->at_ns;
	s->exact = true;
	session_see(s);
}

/* by time, the walk goes on from wherever the cursor is; by cost, from the list's own place */
static size_t first_after(const struct whatif_list *l, const struct session *s)
{
	size_t lo = 0, hi = whatif_list_count(l);

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct change *ch = change_at(l, mid);

		if (ch->at_ns > s->at_ns || (ch->at_ns == s->at_ns && ch->cpu > s->cpu))
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

bool whatif_list_step(struct whatif_list *l, struct session *s, int dir)
{
	size_t at = l->by_cost ? l->rows.at + (size_t)dir : first_after(l, s);

	if (!l->by_cost && dir < 0) {
		const struct change *here = at ? change_at(l, at - 1) : NULL;

		at -= here && here->at_ns == s->at_ns && here->cpu == s->cpu ? 2 : 1;
	}
	if (at >= whatif_list_count(l))
		return false;
	l->rows.at = at;
	whatif_list_goto(l, s);
	return true;
}
