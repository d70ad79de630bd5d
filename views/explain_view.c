// SPDX-License-Identifier: GPL-2.0-or-later
/* One decision step by step: what the governor was given, what it made of it, what came. */
#include "src/wakes.h"
#include "views/lanes_keys.h"
#include "views/rows.h"
#include "views/teacher.h"
#include "views/words.h"

#include <string.h>

#define LABEL 24 /* columns */
#define LABEL_NARROW 18

struct state {
	struct teacher recorded, other;
	struct explain lines; /* label "": a heading */
	const struct decision *of;
	bool waits; /* for the teachers to come to it */
	unsigned generation;
	int right;
	struct rows rows;
};

static const struct hint hints[] = {{CMD_PREV_IDLE, CMD_NEXT_IDLE, "decision"},
	{CMD_NEXT, CMD_PREVIOUS, "miss"}, {CMD_DOWN, CMD_UP, "scroll"}, {CMD_OTHER, CMD_NONE, "other run"},
	{CMD_EVENTS, CMD_NONE, "events"}, {CMD_TIMELINE, CMD_NONE, "timeline"}, {CMD_EXPORT, CMD_NONE, "export"}, {CMD_HELP, CMD_NONE, "help"},
	{0}};

static void close_view(void *state)
{
	struct state *st = state;

	teacher_free(&st->recorded);
	teacher_free(&st->other);
	explain_free(&st->lines);
}

static const char *known(const struct decision *d, enum decision_input in)
{
	static const char *const words[] = {"", "  (rebuilt)", "  (guessed)", "  (guessed)"};

	return words[decision_prov(d, in)];
}

static const char *us(char *buf, size_t size, const struct session *s, int64_t ns)
{
	return words_length(buf, size, ns, s->units);
}

static void add_given(struct explain *x, const struct session *s, const struct decision *d)
{
	char a[40], b[40];

	explain_line(x, "", "what it was given");
	explain_line(x, "next timer", "%s%s", us(a, sizeof(a), s, d->sleep_ns), known(d, IN_SLEEP));
	if (d->sleep_alt_ns != d->sleep_ns)
		explain_line(x, "", " or %s, by another reading of the events",
			us(b, sizeof(b), s, d->sleep_alt_ns));
	explain_line(x, "next tick", "%s%s", us(a, sizeof(a), s, d->tick_delta_ns), known(d, IN_TICK_DELTA));
	explain_line(x, "tick", "%s%s", d->flags & DEC_TICK_STOPPED ? "already stopped" : "running",
		known(d, IN_TICK_STOPPED));
	explain_line(x, "latency limit", "%s%s",
		d->limit_ns >= LATENCY_ANY ? "none" : us(a, sizeof(a), s, d->limit_ns),
		known(d, IN_LIMIT));
}

static const char *state_name(const struct session *s, int cpu, int state, char *buf, size_t size)
{
	const struct state_table *t = machine_table(s->machine, cpu);

	snprintf(buf, size, "%d %s", state, state >= 0 && state < t->nstates ? t->state[state].name : "?");
	return buf;
}

static void add_steps(struct explain *x, const struct session *s, struct teacher *t, const char *text,
	int cpu, const struct decision *d, bool steps)
{
	struct explain own = {0};
	struct gov_choice choice;
	struct error err;
	size_t i = (size_t)(d - s->decisions->cpu[cpu].d);
	char name[48];

	if (teacher_ask(t, s, text, cpu, i, &choice, &own, &err)) {
		explain_line(x, "governor", "%s", err.text);
		return;
	}
	explain_line(x, "", "%s, taught by the recording", t->spec.label);
	for (int k = 0; k < own.nitems && steps; k++)
		explain_line(x, own.item[k].label, "%s%s", *own.item[k].label ? "" : " ", own.item[k].text);
	if (choice.state >= 0)
		explain_line(x, "chooses", "%s%s%s", state_name(s, cpu, choice.state, name, sizeof(name)),
			choice.stop_tick ? ", stop the tick" : ", keep the tick",
			choice.state == d->chosen ? "" : "   NOT what was recorded");
	explain_free(&own);
}

static void add_states(struct explain *x, const struct session *s, int cpu, const struct decision *d)
{
	const struct state_table *t = machine_table(s->machine, cpu);
	int ideal = d->period == UINT32_MAX ? -1 : words_ideal(s, 0, cpu, d->period);
	char target[40], latency[40];

	explain_line(x, "", "states");
	for (int i = 0; i < t->nstates; i++)
		explain_line(x, t->state[i].name, "target %-9s exit %-9s %s%s%s%s",
			us(target, sizeof(target), s, t->state[i].target_residency_ns),
			us(latency, sizeof(latency), s, t->state[i].exit_latency_ns),
			t->state[i].disabled ? "disabled  " : "", i == d->chosen ? "<- chosen  " : "",
			i == ideal ? "<- ideal  " : "",
			t->state[i].exit_latency_ns > d->limit_ns ? "over the limit" : "");
}

static void add_outcome(struct explain *x, const struct session *s, int cpu, const struct decision *d)
{
	const struct period *p;
	char a[40], b[40];

	explain_line(x, "", "what came");
	explain_line(x, "recorded choice", "%s", state_name(s, cpu, d->chosen, b, sizeof(b)));
	if (d->flags & DEC_ABORTED) {
		explain_line(x, "aborted", "a task was already waiting: no idle period");
		return;
	}
	if (d->entered != d->chosen)
		explain_line(x, "entered", "%s", state_name(s, cpu, d->entered, b, sizeof(b)));
	explain_line(x, "slept", "%s%s", us(a, sizeof(a), s, d->residency_ns), known(d, IN_RESIDENCY));
	if (d->period == UINT32_MAX)
		return;
	p = &session_get(s, 0)->cpu[cpu].period[d->period];
	explain_line(x, "woken by", "%s %s", wake_kind_name((enum wake_kind)p->wake),
		trace_name(s->trace, p->wake_name));
	if (p->delay_ns > 0)
		explain_line(x, "wake latency", "%s", us(a, sizeof(a), s, p->delay_ns));
}

static const struct decision *decision_here(const struct session *s)
{
	size_t i = session_period(s, 0);
	const struct decisions_cpu *c;
	size_t next;

	if (!s->decisions)
		return NULL;
	if (i != TIMELINE_NONE)
		return session_decision(s, s->cpu, i);
	c = &s->decisions->cpu[s->cpu]; /* aborted ones have no period: the last select before */
	next = decision_at(c, s->at_ns + 1);
	return next ? &c->d[next - 1] : NULL;
}

static bool has_other(const struct session *s)
{
	return s->right > 0 && s->right < s->nruns;
}

/* a slice of the way of both teachers; true: they are there */
static bool reach(struct state *st, const struct session *s, const struct decision *d)
{
	size_t i = (size_t)(d - s->decisions->cpu[s->cpu].d);

	return teacher_reach(&st->recorded, s, "", s->cpu, i) &&
	       (!has_other(s) || teacher_reach(&st->other, s, s->run[s->right]->spec, s->cpu, i));
}

static bool work(void *state, struct session *s)
{
	struct state *st = state;
	const struct decision *d = st->waits ? decision_here(s) : NULL;

	if (!d || d != st->of) {
		st->waits = false;
		return false;
	}
	if (reach(st, s, d)) { /* drawn anew with what they say */
		st->waits = false;
		st->of = NULL;
	}
	return true;
}

static void collect(struct state *st, const struct session *s, const struct decision *d)
{
	struct explain *x = &st->lines;

	if (st->of == d && st->generation == s->generation && st->right == s->right && x->nitems)
		return;
	explain_free(x);
	*x = (struct explain){0};
	st->of = d;
	st->generation = s->generation;
	st->right = s->right;
	st->rows.at = st->rows.top = 0;
	add_given(x, s, d);
	st->waits = !reach(st, s, d);
	if (st->waits)
		explain_line(x, "", "the governor is taught by the %zu decisions before it ...",
			(size_t)(d - s->decisions->cpu[s->cpu].d));
	else
		add_steps(x, s, &st->recorded, "", s->cpu, d, true);
	if (!st->waits && has_other(s))
		add_steps(x, s, &st->other, s->run[s->right]->spec, s->cpu, d, false);
	add_outcome(x, s, s->cpu, d);
	add_states(x, s, s->cpu, d);
}

/* the next part of a text that fits, broken at a blank where there is one; moves on */
static int take_part(const char **text, int width)
{
	int len = (int)strlen(*text), n = len < width ? len : width;

	if (n < len) {
		int at = n;

		while (at > width / 2 && (*text)[at] != ' ')
			at--;
		n = (*text)[at] == ' ' ? at : n;
		while (n > 1 && ((*text)[n] & 0xc0) == 0x80)
			n--;
	}
	*text += n;
	*text += strspn(*text, " ");
	return n;
}

static int label_width(struct area a)
{
	return a.w < 70 ? LABEL_NARROW : LABEL;
}

static int value_width(struct area a)
{
	int w = a.w - label_width(a) - 4;

	return w > 8 ? w : 8;
}

/* a heading has no label, what goes on from the line above begins with a blank */
static bool is_heading(const struct explain_item *it)
{
	return !*it->label && *it->text != ' ';
}

static int count_rows(const struct explain *x, struct area a)
{
	int n = 0;

	for (int i = 0; i < x->nitems; i++) {
		const char *p = x->item[i].text + strspn(x->item[i].text, " ");

		do {
			take_part(&p, is_heading(&x->item[i]) ? a.w - 2 : value_width(a));
			n++;
		} while (*p);
	}
	return n;
}

/* the parts of one item that lie in [top, top + rows); returns the row after it */
static int draw_item(struct canvas *c, struct area a, const struct explain_item *it, int row, int top, int rows)
{
	const char *p = it->text + strspn(it->text, " ");
	bool heading = is_heading(it), first = true;

	do {
		const char *part = p;
		int n = take_part(&p, heading ? a.w - 2 : value_width(a)), y = a.y + row - top;
		char text[400];

		snprintf(text, sizeof(text), "%.*s", n, part);
		if (row >= top && row < top + rows) {
			if (first && *it->label)
				canvas_foreign(c, a.x + 3, y, ROLE_DIM, it->label, label_width(a) - 1);
			canvas_foreign(c, heading ? a.x + 1 : a.x + 3 + label_width(a), y,
				heading ? ROLE_HEADING : *it->label ? ROLE_TEXT : ROLE_DIM, text, a.w - 2);
		}
		first = false;
		row++;
	} while (*p);
	return row;
}

static void draw_lines(struct state *st, struct canvas *c, struct area a)
{
	int row = 0, n = count_rows(&st->lines, a);
	char where[40];

	rows_fit(&st->rows, (size_t)n, 1, a.h);
	for (int i = 0; i < st->lines.nitems; i++)
		row = draw_item(c, a, &st->lines.item[i], row, (int)st->rows.top, a.h);
	if (n <= a.h)
		return;
	snprintf(where, sizeof(where), "%zu-%zu of %d", st->rows.top + 1, st->rows.top + (size_t)a.h, n);
	canvas_right(c, a.x + a.w - 1, a.y - 1, ROLE_DIM, where);
}

static void draw(void *state, struct session *s, struct canvas *c, struct area a)
{
	struct state *st = state;
	const struct decision *d = decision_here(s);
	int words = a.h < 12 ? 0 : a.w >= 96 ? 4 : a.h < 30 ? 3 : 7, x;
	char when[40];
	size_t i = session_period(s, 0);

	if (!d) {
		canvas_text(c, a.x + 2, a.y + 2, ROLE_NOTE,
			s->decisions ? "no decision at the cursor: [ and ] go to one"
				     : "no decisions: the recording has nothing to replay from");
		return;
	}
	collect(st, s, d);
	x = canvas_textf(c, a.x + 1, a.y, ROLE_HEADING, "cpu%d  decision %zu", s->cpu,
		(size_t)(d - s->decisions->cpu[s->cpu].d));
	if (a.w >= 60)
		canvas_textf(c, x + 2, a.y, ROLE_HEADING, "at %s s",
			words_time(when, sizeof(when), d->select_ns - s->trace->origin_ns, 9));
	draw_lines(st, c, (struct area){a.x, a.y + 1, a.w, a.h - words - 1});
	if (!words)
		return;
	canvas_rule(c, a.y + a.h - words);
	if (i != TIMELINE_NONE)
		words_period(s, 0, s->cpu, i, c,
			(struct area){a.x + 1, a.y + a.h - words + 1, a.w - 1, words - 1});
}

/* there is no row to choose: the keys scroll by the page that is seen */
static bool scroll(struct rows *r, enum command_id id)
{
	size_t page = r->shown > 1 ? (size_t)r->shown : 1, last = r->n > page ? r->n - page : 0;
	int64_t by = id == CMD_DOWN ? 1 : id == CMD_UP ? -1 : 0, at;

	if (id == CMD_PAGE_DOWN || id == CMD_HALF_DOWN)
		by = (int64_t)page / 2;
	if (id == CMD_PAGE_UP || id == CMD_HALF_UP)
		by = -(int64_t)page / 2;
	if (!by && id != CMD_FIRST && id != CMD_LAST)
		return false;
	at = id == CMD_FIRST ? 0 : id == CMD_LAST ? (int64_t)last : (int64_t)r->top + by;
	r->top = at < 0 ? 0 : (size_t)at > last ? last : (size_t)at;
	r->at = r->top;
	return true;
}

static bool command(void *state, struct session *s, enum command_id id, const char *arg)
{
	struct state *st = state;

	switch (id) {
	case CMD_NEXT:
	case CMD_PREVIOUS:
	case CMD_NEXT_IDLE:
	case CMD_PREV_IDLE:
		return lanes_command(s, 0, id, arg);
	case CMD_OPEN:
		s->go = VIEW_TIMELINE;
		return true;
	default:
		return scroll(&st->rows, id);
	}
}

static bool table(void *state, const struct session *s, struct table *out)
{
	struct state *st = state;
	const struct decision *d = decision_here(s);

	if (!d)
		return false;
	collect(st, s, d);
	table_init(out, "%s  cpu%d  decision %zu", s->file, s->cpu,
		(size_t)(d - s->decisions->cpu[s->cpu].d));
	table_column(out, "step", "", "step", 1, 0, COL_LEFT);
	table_column(out, "value", "", "value", 1, 0, COL_LEFT);
	for (int i = 0; i < st->lines.nitems; i++) {
		table_text(out, "%s", st->lines.item[i].label);
		table_text(out, "%s", st->lines.item[i].text);
	}
	return true;
}

const struct view_ops explain_view = {
	.id = VIEW_EXPLAIN,
	.size = sizeof(struct state),
	.hints = hints,
	.close = close_view,
	.draw = draw,
	.command = command,
	.table = table,
	.work = work,
};
