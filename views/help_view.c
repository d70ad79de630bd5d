// SPDX-License-Identifier: GPL-2.0-or-later
/* Help for a view, made from the command table, and the words of the trade, defined once. */
#include "views/view.h"

#include <string.h>

#define LINES_MAX 160
#define KEY_WIDTH 17

struct line {
	char key[48];
	char text[90];
};

struct state {
	struct line left[LINES_MAX], right[LINES_MAX];
	int nleft, nright;
	int top;
};

static const struct hint hints[] = {{CMD_DOWN, CMD_UP, "scroll"}, {CMD_BACK, CMD_NONE, "close"}, {0}};

static const char *const words[][2] = {
	{"above", "too deep: woke before its target"},
	{"below", "too shallow: a deeper one would fit"},
	{"miss", "above or below"},
	{"cost", "short of, or beyond, the target"},
	{"ideal", "deepest that fits the length"},
	{"target", "target residency: pays off from"},
	{"exit", "exit latency: time to wake up"},
	{"decision", "one answer of the governor"},
	{"period", "one stay, from entry to exit"},
	{"run", "the recording, or a replay of it"},
	{"oracle", "governor that knows the length"},
	{"0 1 2 .. :", "state; . runs, : mostly runs"},
	{"t k i q s p l", "woke: timer tick ipi irq softirq poll limit"},
	{"* \302\267", "woke: several; not known"},
	{"T K \342\224\212", "due: timer, tick; target reached"},
	{"~ ?", "~5: within bounds, ?5: guessed"},
};

static void add(struct line *lines, int *n, const char *key, const char *text)
{
	if (*n == LINES_MAX)
		return;
	copy_text(lines[*n].key, sizeof(lines[*n].key), key);
	copy_text(lines[*n].text, sizeof(lines[*n].text), text);
	(*n)++;
}

static void add_command(struct line *lines, int *n, const struct session *s, const struct command *c)
{
	char keys[48], name[60];

	keymap_keys(s->keys, c->id, keys, sizeof(keys));
	if (*keys) {
		add(lines, n, keys, c->help);
		return;
	}
	snprintf(name, sizeof(name), ":%s %s", c->name, c->arg);
	add(lines, n, name, c->help);
}

static bool mine(const struct session *s, const struct command *c)
{
	return c->views != V_ALL && (c->views & (1u << s->topic));
}

static void collect(struct state *st, const struct session *s)
{
	st->nleft = st->nright = 0;
	add(st->left, &st->nleft, "everywhere", "");
	add(st->right, &st->nright, view_name(s->topic), "");
	for (int i = 1; i < CMD_COUNT; i++) {
		const struct command *c = command_get((enum command_id)i);

		if (c->views == V_ALL)
			add_command(st->left, &st->nleft, s, c);
		else if (mine(s, c))
			add_command(st->right, &st->nright, s, c);
	}
	add(st->right, &st->nright, "", "");
	add(st->right, &st->nright, "words", "");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		add(st->right, &st->nright, words[i][0], words[i][1]);
}

static void draw_line(struct canvas *c, int x, int y, const struct line *l)
{
	if (!*l->text) {
		canvas_text(c, x, y, ROLE_HEADING, l->key);
		return;
	}
	x = canvas_text(c, x + 2, y, ROLE_KEY, l->key) - x - 2 < KEY_WIDTH ? x + 2 + KEY_WIDTH
									    : x + 3 + canvas_width(l->key);
	canvas_text(c, x, y, ROLE_TEXT, l->text);
}

static void draw_column(struct canvas *c, struct area a, const struct line *lines, int n, int top)
{
	canvas_clip(c, a.x, a.y, a.w, a.h);
	for (int i = 0; i < a.h && i + top < n; i++)
		draw_line(c, a.x, a.y + i, &lines[i + top]);
	canvas_unclip(c);
}

static void draw(void *state, struct session *s, struct canvas *c, struct area a)
{
	struct state *st = state;
	bool two = a.w >= 98;
	int rows = a.h - 1, n, half = two ? a.w / 2 : a.w;

	collect(st, s);
	n = two ? (st->nleft > st->nright ? st->nleft : st->nright) : st->nleft + st->nright + 1;
	if (st->top > n - rows)
		st->top = n - rows;
	if (st->top < 0)
		st->top = 0;
	if (two) {
		draw_column(c, (struct area){a.x + 1, a.y, half - 2, rows}, st->left, st->nleft, st->top);
		draw_column(c, (struct area){a.x + half, a.y, a.w - half, rows}, st->right, st->nright,
			st->top);
	} else {
		int gone = st->top < st->nright + 1 ? 0 : st->top - st->nright - 1;
		int y = a.y + st->nright + 1 - (st->top < st->nright + 1 ? st->top : st->nright + 1);

		draw_column(c, (struct area){a.x + 1, a.y, half - 1, rows}, st->right, st->nright, st->top);
		draw_column(c, (struct area){a.x + 1, y, half - 1, a.y + rows - y}, st->left, st->nleft,
			gone);
	}
	if (n > rows)
		canvas_textf(c, a.x + 1, a.y + rows, ROLE_DIM, "line %d-%d of %d", st->top + 1,
			st->top + rows < n ? st->top + rows : n, n);
	else
		canvas_text(c, a.x + 1, a.y + rows, ROLE_DIM,
			"Every key runs a named command; : and the config file use the same names.");
}

static bool command(void *state, struct session *s, enum command_id id, const char *arg)
{
	struct state *st = state;

	(void)s;
	(void)arg;
	switch (id) {
	case CMD_DOWN:
		return st->top++, true;
	case CMD_UP:
		return st->top--, true;
	case CMD_PAGE_DOWN:
	case CMD_HALF_DOWN:
		return st->top += 10, true;
	case CMD_PAGE_UP:
	case CMD_HALF_UP:
		return st->top -= 10, true;
	case CMD_FIRST:
		return st->top = 0, true;
	case CMD_LAST:
		return st->top = LINES_MAX * 2, true;
	default:
		return false;
	}
}

const struct view_ops help_view = {
	.id = VIEW_HELP,
	.size = sizeof(struct state),
	.hints = hints,
	.draw = draw,
	.command = command,
};
