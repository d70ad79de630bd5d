// SPDX-License-Identifier: GPL-2.0-or-later
/* How long, how often, how wrong: bars per power of two, percentiles as numbers. */
#include "views/histogram.h"
#include "views/beliefs.h"
#include "views/lanes_keys.h"
#include "views/words.h"

#include <stdlib.h>
#include <string.h>

static const double percentiles[] = {0.01, 0.10, 0.25, 0.50, 0.75, 0.90, 0.99, 0.999, 1};
static const char *const percentile_names[] = {"p1", "p10", "p25", "p50", "p75", "p90", "p99", "p99.9",
	"max"};

/* those whose percentiles stand below the bars where there is room */
static const enum tally_quantity panel[] = {TALLY_LENGTH, TALLY_PREDICTED, TALLY_ERROR, TALLY_LATENCY};

#define PANEL_MIN_H 24 /* lines */

static const struct hint hints[] = {{CMD_QUANTITY, CMD_NONE, "quantity"}, {CMD_WEIGHT, CMD_NONE, "weight"},
	{CMD_BY, CMD_NONE, "split"}, {CMD_LANES, CMD_NONE, "cpus"}, {CMD_OTHER, CMD_NONE, "overlay run"},
	{CMD_FILTER, CMD_NONE, "filter"}, {CMD_EXPORT, CMD_NONE, "export"}, {CMD_HELP, CMD_NONE, "help"},
	{0}};

static void close_view(void *state)
{
	struct histogram *st = state;

	for (int q = 0; q < TALLY_QUANTITIES; q++)
		tally_free(&st->left[q]);
	tally_free(&st->right);
	expr_free(st->filter);
}

/* the run that lies over the bars; NULL none */
static struct session *overlay_of(struct session *s, int *run)
{
	struct session *of = s->overlay >= 0 && s->overlay < s->npeers ? s->peer[s->overlay] : s;

	*run = of == s ? s->right : 0;
	if (!session_ready(of, *run) || (of == s && *run == s->left))
		return NULL;
	return of;
}

static bool needs_beliefs(const struct histogram *st)
{
	return st->panel || st->quantity == TALLY_PREDICTED || st->quantity == TALLY_ERROR;
}

static struct histogram_asked what_is_asked(const struct histogram *st, struct session *s)
{
	struct histogram_asked a = {.quantity = st->quantity, .panel = st->panel, .left = s->left,
		.cpu = st->one_cpu ? s->cpu : -1, .generation = s->generation, .recording = -1};
	struct session *of = overlay_of(s, &a.right);

	if (needs_beliefs(st))
		beliefs_want(s);
	if (needs_beliefs(st) && of)
		beliefs_want(of);
	a.beliefs[0] = s->beliefs.status == RUN_READY;
	if (!of)
		return a;
	a.overlay = true;
	a.recording = of->self;
	a.right_generation = of->generation;
	a.beliefs[1] = of->beliefs.status == RUN_READY;
	return a;
}

static bool same(const struct histogram_asked *a, const struct histogram_asked *b)
{
	return a->quantity == b->quantity && a->panel == b->panel && a->left == b->left &&
	       a->right == b->right && a->overlay == b->overlay && a->recording == b->recording &&
	       a->cpu == b->cpu && a->generation == b->generation &&
	       a->right_generation == b->right_generation && a->beliefs[0] == b->beliefs[0] &&
	       a->beliefs[1] == b->beliefs[1];
}

static bool is_shown(const struct histogram *st, enum tally_quantity q)
{
	for (size_t i = 0; i < ARRAY_SIZE(panel) && st->panel; i++)
		if (panel[i] == q)
			return true;
	return q == st->quantity;
}

/* anew whenever what is asked is not what was counted */
static void refresh(struct histogram *st, struct session *s)
{
	struct histogram_asked asked = what_is_asked(st, s);
	int run;

	if (st->begun && same(&asked, &st->asked) && !strcmp(st->filter_text, s->filter))
		return;
	if (strcmp(st->filter_text, s->filter)) {
		expr_free(st->filter);
		st->filter = *s->filter ? expr_compile(s->filter, period_fields, FIELD_COUNT, NULL, NULL)
					: NULL;
		copy_text(st->filter_text, sizeof(st->filter_text), s->filter);
	}
	st->begun = true;
	st->asked = asked;
	st->over = overlay_of(s, &run);
	for (int q = 0; q < TALLY_QUANTITIES; q++)
		if (is_shown(st, (enum tally_quantity)q))
			tally_start(&st->left[q], s->left, (enum tally_quantity)q, asked.cpu, st->filter);
	tally_start(&st->right, run, st->quantity, asked.cpu, st->filter);
	st->right.done = !st->over;
}

static bool work(void *state, struct session *s)
{
	struct histogram *st = state;

	refresh(st, s);
	if (tally_work(&st->left[st->quantity], s) || (st->over && tally_work(&st->right, st->over)))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(panel) && st->panel; i++)
		if (tally_work(&st->left[panel[i]], s))
			return true;
	return false;
}

/* columns of the numbers: all nine fit into 80 */
static int number_x(struct area a, size_t i)
{
	return a.w < 92 ? a.x + 24 + (int)i * 7 : a.x + 26 + (int)i * 8;
}

static void draw_percentiles(const struct tally *t, enum role role, const char *name, struct canvas *c,
	struct area a)
{
	char buf[32];

	canvas_textf(c, a.x + 1, a.y, role, "%.16s", name);
	for (size_t i = 0; i < ARRAY_SIZE(percentiles); i++)
		canvas_right(c, number_x(a, i), a.y, ROLE_TEXT,
			!t->n ? "–"
			      : words_signed(buf, sizeof(buf),
					percentiles[i] >= 1 ? t->max_ns : tally_percentile(t, percentiles[i])));
}

static const char *over_name(const struct histogram *st, const struct session *s)
{
	return st->over == s ? s->run[s->right]->name : st->over->file;
}

static int numbers_height(const struct histogram *st)
{
	int extra = st->panel;

	for (size_t i = 0; i < ARRAY_SIZE(panel); i++)
		extra = extra && panel[i] != st->quantity;
	return 1 + (st->panel ? (int)ARRAY_SIZE(panel) + extra : 1) + (st->over != NULL);
}

static void draw_numbers(const struct histogram *st, const struct session *s, struct canvas *c, struct area a)
{
	canvas_text(c, a.x + 1, a.y, ROLE_HEADING, "percentile");
	for (size_t i = 0; i < ARRAY_SIZE(percentiles); i++)
		canvas_right(c, number_x(a, i), a.y, ROLE_HEADING, percentile_names[i]);
	a.y++;
	if (!st->panel) {
		draw_percentiles(&st->left[st->quantity], ROLE_LABEL, s->run[s->left]->name, c, a);
		a.y++;
	}
	for (int q = 0; q < TALLY_QUANTITIES && st->panel; q++) {
		enum tally_quantity k = (enum tally_quantity)q;

		if (!is_shown(st, k))
			continue;
		draw_percentiles(&st->left[q], k == st->quantity ? ROLE_HEADING : ROLE_LABEL,
			k == TALLY_EARLY ? "before the timer" : tally_name(k), c, a);
		a.y++;
	}
	if (st->over)
		draw_percentiles(&st->right, ROLE_BAR2, over_name(st, s), c, a);
}

/* what keeps predictions from being there */
static void draw_beliefs(const struct histogram *st, const struct session *s, struct canvas *c, int x, int y)
{
	const struct session_beliefs *b = &s->beliefs;

	if (st->quantity != TALLY_PREDICTED && st->quantity != TALLY_ERROR)
		return;
	if (b->status == RUN_FAILED)
		canvas_foreign(c, x, y, ROLE_ALERT, b->why, 60);
	else if (b->status != RUN_READY)
		canvas_text(c, x, y, ROLE_MARK, "asking the governor ...");
	else if (s->left)
		canvas_text(c, x, y, ROLE_NOTE, "known of the recording only");
}

static void draw(void *state, struct session *s, struct canvas *c, struct area a)
{
	struct histogram *st = state;
	const struct tally *t;
	int x, numbers;
	char n[32], idle[32];

	st->panel = a.h >= PANEL_MIN_H;
	refresh(st, s);
	t = &st->left[st->quantity];
	x = canvas_textf(c, a.x + 1, a.y, ROLE_HEADING, "%s", tally_name(st->quantity));
	x = canvas_textf(c, x + 2, a.y, ROLE_TEXT, "%s", s->run[s->left]->name);
	if (st->over) {
		x = canvas_text(c, x + 1, a.y, ROLE_BAR2, "│ ");
		x = canvas_foreign(c, x, a.y, ROLE_BAR2, over_name(st, s), 24);
	}
	x = st->one_cpu ? canvas_textf(c, x + 2, a.y, ROLE_TEXT, "cpu%d", s->cpu)
			: canvas_text(c, x + 2, a.y, ROLE_TEXT, "all cpus");
	x = canvas_textf(c, x + 2, a.y, ROLE_DIM, "%s periods, %s idle", words_count(n, sizeof(n), t->n),
		words_length(idle, sizeof(idle), t->time_ns, UNITS_AUTO));
	if (!t->done)
		x = canvas_text(c, x + 2, a.y, ROLE_MARK, "counting ...");
	draw_beliefs(st, s, c, x + 2, a.y);
	numbers = numbers_height(st);
	histogram_bars(st, s, c, (struct area){a.x, a.y + 1, a.w, a.h - 2 - numbers});
	draw_numbers(st, s, c, (struct area){a.x, a.y + a.h - numbers, a.w, numbers});
}

static bool set_quantity(struct histogram *st, struct session *s, const char *arg)
{
	if (!arg || !*arg) {
		st->quantity = (enum tally_quantity)((st->quantity + 1) % TALLY_QUANTITIES);
		return true;
	}
	for (int q = 0; q < TALLY_QUANTITIES; q++)
		if (!strcmp(arg, tally_word((enum tally_quantity)q))) {
			st->quantity = (enum tally_quantity)q;
			return true;
		}
	session_say(s, true, "no quantity '%s': length predicted error latency timer early cost", arg);
	return false;
}

static bool command(void *state, struct session *s, enum command_id id, const char *arg)
{
	static const char *const splits[] = {"not split", "split by state", "split by what woke"};
	struct histogram *st = state;

	switch (id) {
	case CMD_QUANTITY:
		return set_quantity(st, s, arg);
	case CMD_WEIGHT:
		st->by_time = !st->by_time;
		return true;
	case CMD_BY:
		st->split = (enum histogram_split)((st->split + 1) % SPLITS);
		session_say(s, false, "%s", splits[st->split]);
		return true;
	case CMD_LANES:
		st->one_cpu = !st->one_cpu;
		return true;
	case CMD_DOWN:
	case CMD_UP:
		st->one_cpu = true;
		s->cpu = (s->cpu + (id == CMD_DOWN ? 1 : s->trace->ncpus - 1)) % s->trace->ncpus;
		return true;
	case CMD_FILTER:
		return lanes_filter(s, arg);
	default:
		return false;
	}
}

static void percentile_note(const struct tally *t, const char *name, struct table *out)
{
	char text[240];
	size_t len = (size_t)snprintf(text, sizeof(text), "%.40s, us:", name);

	for (size_t i = 0; i < ARRAY_SIZE(percentiles) && t->n && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, " %s %.1f", percentile_names[i],
			(double)(percentiles[i] >= 1 ? t->max_ns : tally_percentile(t, percentiles[i])) / 1e3);
	table_note(out, "%s%s", text, t->n ? "" : " nothing to count");
}

/* work() needs what draw() may adjust; an export does not */
static bool table(void *state, const struct session *s, struct table *out)
{
	struct histogram *st = state;
	const struct tally *t = &st->left[st->quantity];
	int first, last;

	while (work(st, s->peer[s->self]))
		;
	histogram_range(st, &first, &last);
	table_init(out, "%s  %s of %s%s%s", s->file, tally_name(st->quantity), s->run[s->left]->name,
		*s->filter ? ", only " : "", s->filter);
	table_column(out, "from", "us", "from_ns", 1e3, 0, COL_KEY);
	table_column(out, "count", "", "count", 1, 0, 0);
	table_column(out, "time", "ms", "time_ns", 1e6, 3, 0);
	table_column(out, "above", "", "above", 1, 0, 0);
	table_column(out, "below", "", "below", 1, 0, 0);
	if (st->over)
		table_column(out, over_name(st, s), "", "overlay_count", 1, 0, 0);
	for (int i = first; i <= last; i++) {
		table_int(out, tally_edge(i));
		table_int(out, (int64_t)t->bucket[i].n);
		table_int(out, t->bucket[i].time_ns);
		table_int(out, (int64_t)t->bucket[i].above);
		table_int(out, (int64_t)t->bucket[i].below);
		if (st->over)
			table_int(out, (int64_t)st->right.bucket[i].n);
	}
	percentile_note(t, s->run[s->left]->name, out);
	if (st->over)
		percentile_note(&st->right, over_name(st, s), out);
	return true;
}

const struct view_ops histogram_view = {
	.id = VIEW_HISTOGRAM,
	.size = sizeof(struct histogram),
	.hints = hints,
	.close = close_view,
	.draw = draw,
	.command = command,
	.table = table,
	.work = work,
};
