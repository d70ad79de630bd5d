// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/histogram.h"
#include "src/wakes.h"
#include "views/words.h"

#include <string.h>

#define LABELS 22 /* columns left of the bars: bucket, count */
#define SUMS 26	  /* right of them: cumulated share, misses */

/* some neighbouring buckets as one line */
struct line {
	int first, n;
	bool tail; /* the last one, which takes all that is left */
	struct tally_bucket left;
	double left_weight, right_weight;
};

static double weight(const struct histogram *h, const struct tally_bucket *b)
{
	return h->by_time ? (double)b->time_ns : (double)b->n;
}

static double weight_of_all(const struct histogram *h, const struct tally *t)
{
	return h->by_time ? (double)t->time_ns : (double)t->n;
}

void histogram_range(const struct histogram *h, int *first, int *last)
{
	const struct tally *t = &h->left[h->quantity];

	*first = TALLY_BUCKETS;
	*last = -1;
	for (int i = 0; i < TALLY_BUCKETS; i++)
		if (t->bucket[i].n || (h->over && h->right.bucket[i].n)) {
			*first = *first < i ? *first : i;
			*last = i;
		}
}

/* another recording has another length: its shape is what compares, at the same total */
static double overlay_scale(const struct histogram *h, const struct session *s)
{
	double right = weight_of_all(h, &h->right);

	return h->over == s || !(right > 0) ? 1 : weight_of_all(h, &h->left[h->quantity]) / right;
}

static struct line line_of(const struct histogram *h, const struct session *s, int first, int n)
{
	struct line l = {.first = first, .n = n};
	double scale = h->over ? overlay_scale(h, s) : 0;

	for (int i = first; i < first + n && i < TALLY_BUCKETS; i++) {
		if (i < 0)
			continue;
		tally_add(&l.left, &h->left[h->quantity].bucket[i]);
		l.right_weight += h->over ? scale * weight(h, &h->right.bucket[i]) : 0;
	}
	l.left_weight = weight(h, &l.left);
	return l;
}

static void bar_plain(struct canvas *c, int x, int y, int eighths)
{
	canvas_fill(c, x, y, eighths / 8, 0x2588, ROLE_BAR);
	if (eighths % 8)
		canvas_put(c, x + eighths / 8, y, glyph_right(eighths % 8), ROLE_BAR);
}

/* the bar in parts: digits of states, or first letters of what woke */
static void bar_split(const struct histogram *h, struct canvas *c, int x, int y, int cells,
	const struct tally_bucket *b)
{
	const uint64_t *part = h->split == SPLIT_STATE ? b->by_state : b->by_wake;
	int n = h->split == SPLIT_STATE ? STATES_MAX : WAKE_KINDS, at = 0;
	uint64_t sum = 0;

	for (int i = 0; i < n; i++) {
		int end;

		sum += part[i];
		end = (int)((double)sum / (double)b->n * cells + 0.5);
		for (; at < end; at++)
			canvas_put(c, x + at, y,
				h->split == SPLIT_STATE ? (uint32_t)('0' + i)
							 : (uint32_t)*wake_kind_name((enum wake_kind)i),
				h->split == SPLIT_STATE ? theme_state(i) : theme_state(i % 8));
	}
}

static int draw_targets(const struct session *s, struct canvas *c, int x, int y, const struct line *l)
{
	const struct state_table *t = machine_table(s->machine, s->cpu);
	char buf[24];

	for (int i = 0; i < t->nstates; i++) {
		int64_t target = t->state[i].target_residency_ns;
		int bucket = tally_bucket_of(target);

		if (target <= 0 || bucket < l->first || bucket >= l->first + l->n)
			continue;
		x = canvas_text(c, x, y, ROLE_MARK, "◄");
		x = canvas_foreign(c, x, y, theme_state(i), t->state[i].name, 6);
		x = canvas_textf(c, x, y, ROLE_DIM, " %s ", words_short(buf, sizeof(buf), target));
	}
	return x;
}

static void bucket_label(char *buf, size_t size, const struct line *l)
{
	char edge[24];

	words_signed(edge, sizeof(edge), tally_edge(l->first + (l->first == TALLY_SIDE ? l->n : 0)));
	snprintf(buf, size, l->tail ? ">= %s" : l->first == TALLY_SIDE ? "< %s" : "%s", edge);
}

static void draw_sums(const struct histogram *h, struct canvas *c, struct area a, const struct line *l,
	double before)
{
	double all = weight_of_all(h, &h->left[h->quantity]);
	char buf[40];

	snprintf(buf, sizeof(buf), "%.1f", all > 0 ? 100 * before / all : 0);
	canvas_fill(c, a.x + a.w - SUMS, a.y, SUMS, ' ', ROLE_TEXT);
	canvas_right(c, a.x + a.w - 19, a.y, ROLE_DIM, buf);
	if (l->left.above)
		canvas_right(c, a.x + a.w - 10, a.y, ROLE_ABOVE, words_count(buf, sizeof(buf), l->left.above));
	if (l->left.below)
		canvas_right(c, a.x + a.w - 1, a.y, ROLE_BELOW, words_count(buf, sizeof(buf), l->left.below));
}

/* the marks of targets stand beside the bars where there is room for both */
static int bar_width(struct area a)
{
	int room = a.w - LABELS - SUMS;

	return room >= 22 ? room - 14 : room > 1 ? room - 1 : 0;
}

static void draw_line(const struct histogram *h, const struct session *s, struct canvas *c, struct area a,
	const struct line *l, double most)
{
	int width = bar_width(a), eighths = most > 0 ? (int)(l->left_weight / most * width * 8) : 0, x;
	char buf[40];

	bucket_label(buf, sizeof(buf), l);
	canvas_right(c, a.x + 9, a.y, ROLE_LABEL, buf);
	canvas_right(c, a.x + 20, a.y, ROLE_TEXT,
		h->by_time ? words_short(buf, sizeof(buf), l->left.time_ns)
			   : words_count(buf, sizeof(buf), l->left.n));
	if (l->left.n && !eighths)
		eighths = 1;
	if (h->split != SPLIT_NONE && l->left.n)
		bar_split(h, c, a.x + LABELS, a.y, (eighths + 7) / 8, &l->left);
	else
		bar_plain(c, a.x + LABELS, a.y, eighths);
	x = a.x + LABELS + (eighths + 7) / 8;
	if (l->right_weight > 0 && most > 0) {
		int end = (int)(l->right_weight / most * width);

		canvas_put(c, a.x + LABELS + end, a.y, GLYPH_VLINE, ROLE_BAR2);
		x = x > a.x + LABELS + 1 + end ? x : a.x + LABELS + 1 + end;
	}
	if (tally_is_length(h->quantity))
		draw_targets(s, c, x + 1, a.y, l);
}

/*
 * So many buckets on a line that all lines fit; a line ends at zero, where errors change their sign. A
 * few too many are the last line's: a long tail is no reason to make all of them coarser.
 */
static int fold(int *first, int last, int lines)
{
	int n = 1;

	while (lines > 0) {
		int from = *first - (((*first - TALLY_SIDE) % n) + n) % n;

		if ((last - from) / n + 1 <= lines + lines / 4 || n >= TALLY_BUCKETS) {
			*first = from;
			return n;
		}
		n++;
	}
	return TALLY_BUCKETS;
}

static struct line nth_line(const struct histogram *h, const struct session *s, int first, int last, int n,
	int i, int lines)
{
	int from = first + i * n;
	bool tail = i == lines - 1 && last >= from + n;
	struct line l = line_of(h, s, from, tail ? last - from + 1 : n);

	l.tail = tail;
	return l;
}

void histogram_bars(const struct histogram *h, const struct session *s, struct canvas *c, struct area a)
{
	int first, last, n, lines;
	double most = 0, before = 0;

	canvas_text(c, a.x + 3, a.y, ROLE_HEADING, "bucket");
	canvas_right(c, a.x + 20, a.y, ROLE_HEADING, h->by_time ? "time" : "count");
	canvas_right(c, a.x + a.w - 1, a.y, ROLE_HEADING, "cum%    above    below");
	histogram_range(h, &first, &last);
	n = fold(&first, last, a.h - 1);
	lines = last < first ? 0 : (last - first) / n + 1;
	lines = lines < a.h - 1 ? lines : a.h - 1;
	for (int i = 0; i < lines; i++) {
		struct line l = nth_line(h, s, first, last, n, i, lines);

		most = l.left_weight > most ? l.left_weight : most;
		most = l.right_weight > most ? l.right_weight : most;
	}
	for (int i = 0; i < lines; i++) {
		struct line l = nth_line(h, s, first, last, n, i, lines);
		struct area row = {a.x, a.y + 1 + i, a.w, 1};

		before += l.left_weight;
		draw_line(h, s, c, row, &l, most);
		draw_sums(h, c, row, &l, before);
	}
}
