// SPDX-License-Identifier: GPL-2.0-or-later
/* What surrounds every view: header with the views, message line, the most useful keys. */
#include "src/app_parts.h"
#include "views/words.h"

#include <string.h>

#define VIEWS_NUMBERED 9 /* the others stand in the header while they are shown */

/* the header shrinks in steps until the recording's name fits beside it */
enum header { HEADER_FULL, HEADER_NARROW, HEADER_BRIEF, HEADER_NUMBERS };

static int tab(struct canvas *c, int x, enum view_id v, bool on, enum header how)
{
	const char *name = how == HEADER_BRIEF && !on ? view_brief(v)
			   : how == HEADER_NUMBERS && !on ? ""
							  : view_name(v);
	const char *gap = how == HEADER_FULL ? "  " : " ";
	char number[4] = "";

	if (v < VIEWS_NUMBERED)
		snprintf(number, sizeof(number), "%d%s", v + 1, *name ? " " : "");
	x += (int)strlen(gap);
	return on ? canvas_textf(c, x, 0, ROLE_TAB_ON, "[%s%s]", number, name)
		  : canvas_textf(c, x, 0, ROLE_TAB, "%s%s", number, name);
}

static int tabs(struct canvas *c, int x, const struct app *a, enum header how)
{
	for (int v = 0; v < VIEW_COUNT; v++)
		if (view_list[v] && (v < VIEWS_NUMBERED || app_view(a) == (enum view_id)v))
			x = tab(c, x, (enum view_id)v, app_view(a) == (enum view_id)v, how);
	return x;
}

/* the name of the recording, and less of the rest with each @brief */
#define BRIEFEST 2

static void recording_text(const struct app *a, char *buf, size_t size, int brief)
{
	const struct trace *t = a->s.trace;
	char length[32], number[32] = "";

	if (a->deck->n > 1)
		snprintf(number, sizeof(number), "{%d/%d} ", a->s.self + 1, a->deck->n);
	if (!t || brief == BRIEFEST) {
		snprintf(buf, size, "%s%s", number, a->s.file);
		return;
	}
	snprintf(length, sizeof(length), "  %d cpu  ", t->ncpus);
	words_length(length + strlen(length), sizeof(length) - strlen(length), t->end_ns - t->origin_ns,
		UNITS_AUTO);
	snprintf(buf, size, "%s%s%s%s", number, a->s.file, brief ? "" : length,
		t->cut_short ? "  the beginning" : a->s.partial ? "  partial" : t->emulated ? "  emulated" : "");
}

static void draw_header(const struct app *a, struct canvas *c)
{
	char text[160];
	struct canvas probe;
	int how = HEADER_FULL, width, brief = 0;

	recording_text(a, text, sizeof(text), brief);
	canvas_init(&probe, 1, 1, c->glyphs);
	while (how < HEADER_NUMBERS &&
		tabs(&probe, 7, a, (enum header)how) + 2 + canvas_width(text) > c->w)
		how++;
	width = tabs(&probe, 7, a, (enum header)how);
	while (width + 2 + canvas_width(text) > c->w && brief < BRIEFEST)
		recording_text(a, text, sizeof(text), ++brief);
	canvas_free(&probe);
	canvas_text(c, 1, 0, ROLE_TITLE, "reidle");
	width = tabs(c, 7, a, (enum header)how);
	if (width + 2 + canvas_width(text) <= c->w)
		canvas_right(c, c->w, 0, ROLE_DIM, text);
}

/* the keys and what they do; returns the column after it, or the same @x when it does not fit before @end */
static int draw_hint(const struct app *a, struct canvas *c, const struct hint *h, int x, int end)
{
	char first[16], second[16] = "", text[80];
	const char *k1 = keymap_first(&a->keys, h->first, first, sizeof(first)), *k2 = "";

	if (h->second)
		k2 = keymap_first(&a->keys, h->second, second, sizeof(second));
	snprintf(text, sizeof(text), "%s%s %s", k1, k2, h->text);
	if (x + canvas_width(text) > end)
		return x;
	x = canvas_textf(c, x, c->h - 1, ROLE_KEY, "%s%s", k1, k2);
	return canvas_textf(c, x + 1, c->h - 1, ROLE_DIM, "%s", h->text) + 2;
}

#define HELP_WIDTH 8 /* the last hint leads to all the others: room is kept for it */

static void draw_hints(const struct app *a, struct canvas *c)
{
	const struct hint *h = view_list[app_view(a)]->hints;
	int x = 1;

	for (; h && h->first != CMD_NONE; h++)
		x = draw_hint(a, c, h, x, h->first == CMD_HELP ? c->w : c->w - HELP_WIDTH);
}

static void draw_job(const struct app *a, struct app *worker, struct canvas *c, int y)
{
	const struct job *j = &worker->job;
	const char *what = j->kind <= JOB_LOAD	    ? "loading"
			   : j->kind == JOB_CELL    ? j->cell->spec
			   : j->kind == JOB_BELIEFS ? "predictions"
			   : j->kind == JOB_CHECK   ? "self check"
						    : j->run->name;
	char text[160];

	snprintf(text, sizeof(text), " %.60s%s%.40s %d%%  ^C stop ", what, worker == a ? "" : " ",
		worker == a ? "" : worker->s.file, atomic_load(&worker->job.permille) / 10);
	canvas_right(c, c->w - 1, y, ROLE_MARK, text);
}

static void draw_message(const struct app *a, struct canvas *c)
{
	int y = c->h - 2;

	canvas_rule(c, y);
	if (*a->s.filter && !*a->s.message)
		canvas_textf(c, 1, y, ROLE_MARK, " filter: %s ", a->s.filter);
	if (*a->s.message) {
		int x = canvas_text(c, 1, y, ROLE_TEXT, " ");

		x = canvas_foreign(c, x, y, a->s.alert ? ROLE_ALERT : ROLE_NOTE, a->s.message, c->w - 4);
		canvas_text(c, x, y, ROLE_TEXT, " ");
	}
	if (app_worker(a) && !*a->s.message) {
		draw_job(a, app_worker(a), c, y);
	} else if (a->stray && !*a->s.message) {
		char text[60];

		snprintf(text, sizeof(text), " %d lines on stderr, shown at the end ", a->stray);
		canvas_right(c, c->w - 1, y, ROLE_ALERT, text);
	}
}

static void draw_waiting(const struct app *a, struct canvas *c)
{
	int permille = atomic_load(&((struct app *)(uintptr_t)a)->job.permille), bar = c->w - 4;

	if (a->failed) {
		canvas_foreign(c, 2, 2, ROLE_ALERT, a->load_error.text, c->w - 4);
		return;
	}
	canvas_textf(c, 2, 2, ROLE_TEXT, "loading %s  %d%%", a->s.file, permille / 10);
	canvas_fill(c, 2, 4, bar * permille / 1000, 0x2588, ROLE_BAR);
}

/* lists show how far the work on each recording is */
static void note_progress(struct app *a)
{
	for (int i = 0; i < a->deck->n; i++) {
		struct app *o = a->deck->app[i];

		o->s.percent = o->job.kind == JOB_NONE ? -1 : atomic_load(&o->job.permille) / 10;
		copy_text(o->s.trouble, sizeof(o->s.trouble), o->failed ? o->load_error.text : "");
	}
}

void app_draw(struct app *a, struct canvas *c)
{
	enum view_id v;

	a = app_front(a);
	v = app_view(a);
	note_progress(a);
	canvas_clear(c);
	a->last_w = c->w;
	a->last_h = c->h;
	if (c->w < MIN_W || c->h < MIN_H) {
		canvas_textf(c, 0, 0, ROLE_TEXT, "reidle needs %dx%d, this is %dx%d (q quits)", MIN_W,
			MIN_H, c->w, c->h);
		return;
	}
	a->body = (struct area){0, 1, c->w, c->h - 3};
	draw_header(a, c);
	canvas_clip(c, 0, 1, c->w, c->h - 3);
	if (a->s.trace)
		view_list[v]->draw(a->state[v], &a->s, c, a->body);
	else
		draw_waiting(a, c);
	canvas_unclip(c);
	draw_message(a, c);
	if (a->prompt.open)
		prompt_draw(&a->prompt, c, c->h - 1);
	else
		draw_hints(a, c);
}
