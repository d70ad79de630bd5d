// SPDX-License-Identifier: GPL-2.0-or-later
/* How long, how often, how wrong: bars per power of two, percentiles as numbers. */
#include "src/wakes.h"
#include "views/lanes_keys.h"
#include "views/tally.h"
#include "views/words.h"

#include <stdlib.h>
#include <string.h>

enum split { SPLIT_NONE, SPLIT_STATE, SPLIT_WAKE, SPLITS };

struct state {
	struct tally left, right;
	struct expr *filter;
	char filter_text[240];
	enum tally_quantity quantity;
	enum split split;
	bool by_time, overlay, one_cpu;
	int cpu;
	unsigned generation;
	int runs[2];
	bool begun;
};

static const double percentiles[] = {0.01, 0.10, 0.25, 0.50, 0.75, 0.90, 0.99, 0.999, 1};
static const char *const percentile_names[] = {"p1", "p10", "p25", "p50", "p75", "p90", "p99", "p99.9",
	"max"};

static const struct hint hints[] = {{CMD_QUANTITY, CMD_NONE, "quantity"}, {CMD_WEIGHT, CMD_NONE, "weight"},
	{CMD_BY, CMD_NONE, "split"}, {CMD_LANES, CMD_NONE, "cpus"}, {CMD_OTHER, CMD_NONE, "overlay run"},
	{CMD_FILTER, CMD_NONE, "filter"}, {CMD_EXPORT, CMD_NONE, "export"}, {CMD_HELP, CMD_NONE, "help"},
	{0}};

static void close_view(void *state)
{
	struct state *st = state;

	tally_free(&st->left);
	tally_free(&st->right);
	expr_free(st->filter);
}

/* anew whenever what is asked is not what was counted */
static void refresh(struct state *st, const struct session *s)
{
	int cpu = st->one_cpu ? s->cpu : -1;
	bool same = st->begun && st->left.quantity == st->quantity && st->cpu == cpu &&
		    st->generation == s->generation && st->runs[0] == s->left &&
		    st->runs[1] == s->right && !strcmp(st->filter_text, s->filter);

	if (same)
		return;
	if (strcmp(st->filter_text, s->filter)) {
		expr_free(st->filter);
		st->filter = *s->filter ? expr_compile(s->filter, period_fields, FIELD_COUNT, NULL, NULL)
					: NULL;
		copy_text(st->filter_text, sizeof(st->filter_text), s->filter);
	}
	st->begun = true;
	st->cpu = cpu;
	st->generation = s->generation;
	st->runs[0] = s->left;
	st->runs[1] = s->right;
	st->overlay = s->right != s->left && session_ready(s, s->right);
	tally_start(&st->left, s->left, st->quantity, cpu, st->filter);
	tally_start(&st->right, s->right, st->quantity, cpu, st->filter);
	st->right.done = !st->overlay;
}

static bool work(void *state, struct session *s)
{
	struct state *st = state;

	refresh(st, s);
	return tally_work(&st->left, s) || (st->overlay && tally_work(&st->right, s));
}

static double weight(const struct state *st, const struct tally_bucket *b)
{
	return st->by_time ? (double)b->time_ns : (double)b->n;
}

static void used_range(const struct state *st, int *first, int *last)
{
	*first = TALLY_BUCKETS;
	*last = -1;
	for (int i = 0; i < TALLY_BUCKETS; i++)
		if (st->left.bucket[i].n || (st->overlay && st->right.bucket[i].n)) {
			*first = *first < i ? *first : i;
			*last = i;
		}
}

static void bar_plain(struct canvas *c, int x, int y, int eighths)
{
	canvas_fill(c, x, y, eighths / 8, 0x2588, ROLE_BAR);
	if (eighths % 8)
		canvas_put(c, x + eighths / 8, y, glyph_right(eighths % 8), ROLE_BAR);
}

/* the bar in parts: digits of states, or first letters of what woke */
static void bar_split(const struct state *st, struct canvas *c, int x, int y, int cells,
	const struct tally_bucket *b)
{
	const uint64_t *part = st->split == SPLIT_STATE ? b->by_state : b->by_wake;
	int n = st->split == SPLIT_STATE ? STATES_MAX : WAKE_KINDS, at = 0;
	uint64_t sum = 0;

	for (int i = 0; i < n; i++) {
		int end;

		sum += part[i];
		end = (int)((double)sum / (double)b->n * cells + 0.5);
		for (; at < end; at++)
			canvas_put(c, x + at, y,
				st->split == SPLIT_STATE ? (uint32_t)('0' + i)
							 : (uint32_t)*wake_kind_name((enum wake_kind)i),
				st->split == SPLIT_STATE ? theme_state(i) : theme_state(i % 8));
	}
}

static int draw_targets(const struct session *s, struct canvas *c, int x, int y, int bucket)
{
	const struct state_table *t = machine_table(s->machine, s->cpu);
	char buf[24];

	for (int i = 0; i < t->nstates; i++)
		if (t->state[i].target_residency_ns &&
			tally_bucket_of(t->state[i].target_residency_ns) == bucket) {
			x = canvas_text(c, x, y, ROLE_MARK, "◄");
			x = canvas_foreign(c, x, y, theme_state(i), t->state[i].name, 6);
			x = canvas_textf(c, x, y, ROLE_DIM, " %s ",
				words_short(buf, sizeof(buf), t->state[i].target_residency_ns));
		}
	return x;
}

static void bucket_label(char *buf, size_t size, int bucket)
{
	char edge[24];

	words_short(edge, sizeof(edge), tally_edge(bucket));
	snprintf(buf, size, bucket ? "%s" : "< 1us", edge);
}

static void draw_bucket(const struct state *st, const struct session *s, struct canvas *c, struct area a,
	int bucket, double most, double before)
{
	const struct tally_bucket *b = &st->left.bucket[bucket];
	int width = a.w - 62, eighths = most > 0 ? (int)(weight(st, b) / most * width * 8) : 0, x;
	double all = st->by_time ? (double)st->left.time_ns : (double)st->left.n;
	char buf[40];

	bucket_label(buf, sizeof(buf), bucket);
	canvas_right(c, a.x + 9, a.y, ROLE_LABEL, buf);
	canvas_right(c, a.x + 20, a.y, ROLE_TEXT,
		st->by_time ? words_short(buf, sizeof(buf), b->time_ns) : words_count(buf, sizeof(buf), b->n));
	if (b->n && !eighths)
		eighths = 1;
	if (st->split != SPLIT_NONE && b->n)
		bar_split(st, c, a.x + 22, a.y, (eighths + 7) / 8, b);
	else
		bar_plain(c, a.x + 22, a.y, eighths);
	x = a.x + 22 + (eighths + 7) / 8;
	if (st->overlay && st->right.bucket[bucket].n && most > 0) {
		int end = (int)(weight(st, &st->right.bucket[bucket]) / most * width);

		canvas_put(c, a.x + 22 + end, a.y, GLYPH_VLINE, ROLE_BAR2);
		x = x > a.x + 23 + end ? x : a.x + 23 + end;
	}
	draw_targets(s, c, x + 1, a.y, bucket);
	snprintf(buf, sizeof(buf), "%.1f", all > 0 ? 100 * before / all : 0);
	canvas_fill(c, a.x + a.w - 26, a.y, 26, ' ', ROLE_TEXT);
	canvas_right(c, a.x + a.w - 19, a.y, ROLE_DIM, buf);
	if (b->above)
		canvas_right(c, a.x + a.w - 10, a.y, ROLE_ABOVE, words_count(buf, sizeof(buf), b->above));
	if (b->below)
		canvas_right(c, a.x + a.w - 1, a.y, ROLE_BELOW, words_count(buf, sizeof(buf), b->below));
}

static void draw_bars(const struct state *st, const struct session *s, struct canvas *c, struct area a)
{
	int first, last;
	double most = 0, before = 0;

	canvas_text(c, a.x + 3, a.y, ROLE_HEADING, "bucket");
	canvas_right(c, a.x + 20, a.y, ROLE_HEADING, st->by_time ? "time" : "count");
	canvas_right(c, a.x + a.w - 1, a.y, ROLE_HEADING, "cum%    above    below");
	used_range(st, &first, &last);
	for (int i = 0; i < TALLY_BUCKETS; i++) {
		most = weight(st, &st->left.bucket[i]) > most ? weight(st, &st->left.bucket[i]) : most;
		if (st->overlay && weight(st, &st->right.bucket[i]) > most)
			most = weight(st, &st->right.bucket[i]);
	}
	for (int i = 0; i < first; i++)
		before += weight(st, &st->left.bucket[i]);
	for (int i = first, y = a.y + 1; i <= last && y < a.y + a.h; i++, y++) {
		before += weight(st, &st->left.bucket[i]);
		draw_bucket(st, s, c, (struct area){a.x, y, a.w, 1}, i, most, before);
	}
}

static void draw_percentiles(const struct tally *t, const char *name, struct canvas *c, int x, int y)
{
	char buf[32];

	canvas_textf(c, x + 1, y, ROLE_LABEL, "%.16s", name);
	for (size_t i = 0; i < ARRAY_SIZE(percentiles); i++)
		canvas_right(c, x + 26 + (int)i * 8, y, ROLE_TEXT,
			!t->n ? "–"
			      : words_short(buf, sizeof(buf),
					percentiles[i] >= 1 ? t->max_ns : tally_percentile(t, percentiles[i])));
}

static void draw_numbers(const struct state *st, const struct session *s, struct canvas *c, struct area a)
{
	canvas_text(c, a.x + 1, a.y, ROLE_HEADING, "percentile");
	for (size_t i = 0; i < ARRAY_SIZE(percentiles); i++)
		canvas_right(c, a.x + 26 + (int)i * 8, a.y, ROLE_HEADING, percentile_names[i]);
	draw_percentiles(&st->left, s->run[s->left]->name, c, a.x, a.y + 1);
	if (st->overlay)
		draw_percentiles(&st->right, s->run[s->right]->name, c, a.x, a.y + 2);
}

static void draw(void *state, struct session *s, struct canvas *c, struct area a)
{
	struct state *st = state;
	int x, numbers = st->overlay ? 3 : 2;
	char n[32], t[32];

	refresh(st, s);
	x = canvas_textf(c, a.x + 1, a.y, ROLE_HEADING, "%s", tally_name(st->quantity));
	x = canvas_textf(c, x + 2, a.y, ROLE_TEXT, "%s", s->run[s->left]->name);
	if (st->overlay)
		x = canvas_textf(c, x + 1, a.y, ROLE_BAR2, "│ %s", s->run[s->right]->name);
	x = st->one_cpu ? canvas_textf(c, x + 2, a.y, ROLE_TEXT, "cpu%d", s->cpu)
			: canvas_text(c, x + 2, a.y, ROLE_TEXT, "all cpus");
	x = canvas_textf(c, x + 2, a.y, ROLE_DIM, "%s periods, %s idle",
		words_count(n, sizeof(n), st->left.n), words_length(t, sizeof(t), st->left.time_ns, UNITS_AUTO));
	if (!st->left.done)
		canvas_text(c, x + 2, a.y, ROLE_MARK, "counting ...");
	draw_bars(st, s, c, (struct area){a.x, a.y + 1, a.w, a.h - 2 - numbers});
	draw_numbers(st, s, c, (struct area){a.x, a.y + a.h - numbers, a.w, numbers});
}

static bool command(void *state, struct session *s, enum command_id id, const char *arg)
{
	static const char *const splits[] = {"not split", "split by state", "split by what woke"};
	struct state *st = state;

	switch (id) {
	case CMD_QUANTITY:
		st->quantity = (enum tally_quantity)((st->quantity + 1) % TALLY_QUANTITIES);
		return true;
	case CMD_WEIGHT:
		st->by_time = !st->by_time;
		return true;
	case CMD_BY:
		st->split = (enum split)((st->split + 1) % SPLITS);
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

static bool table(void *state, const struct session *s, struct table *out)
{
	struct state *st = state;
	int first, last;

	refresh(st, s);
	while (tally_work(&st->left, s))
		;
	used_range(st, &first, &last);
	table_init(out, "%s  %s of %s%s%s", s->file, tally_name(st->quantity), s->run[s->left]->name,
		*s->filter ? ", only " : "", s->filter);
	table_column(out, "from", "us", "from_ns", 1e3, 0, COL_KEY);
	table_column(out, "count", "", "count", 1, 0, 0);
	table_column(out, "time", "ms", "time_ns", 1e6, 3, 0);
	table_column(out, "above", "", "above", 1, 0, 0);
	table_column(out, "below", "", "below", 1, 0, 0);
	for (int i = first; i <= last; i++) {
		table_int(out, tally_edge(i));
		table_int(out, (int64_t)st->left.bucket[i].n);
		table_int(out, st->left.bucket[i].time_ns);
		table_int(out, (int64_t)st->left.bucket[i].above);
		table_int(out, (int64_t)st->left.bucket[i].below);
	}
	return true;
}

const struct view_ops histogram_view = {
	.id = VIEW_HISTOGRAM,
	.size = sizeof(struct state),
	.hints = hints,
	.close = close_view,
	.draw = draw,
	.command = command,
	.table = table,
	.work = work,
};
