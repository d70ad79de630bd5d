// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/command_prompt.h"
#include "src/util.h"

#include <string.h>

void prompt_open(struct prompt *p, char lead, const char *text)
{
	p->open = true;
	p->lead = lead;
	copy_text(p->text, sizeof(p->text), text);
	p->at = (int)strlen(p->text);
	p->back = 0;
	p->tries = 0;
}

static void set_text(struct prompt *p, const char *text)
{
	copy_text(p->text, sizeof(p->text), text);
	p->at = (int)strlen(p->text);
}

/* histories of the three leads share the ring; the lead is kept in front of each line */
static void remember(struct prompt *p)
{
	char line[PROMPT_TEXT];

	if (!*p->text)
		return;
	snprintf(line, sizeof(line), "%c%.*s", p->lead, PROMPT_TEXT - 2, p->text);
	if (p->nhistory && !strcmp(p->history[p->nhistory - 1], line))
		return;
	if (p->nhistory == PROMPT_HISTORY)
		memmove(p->history[0], p->history[1], sizeof(p->history[0]) * --p->nhistory);
	copy_text(p->history[p->nhistory++], PROMPT_TEXT, line);
}

static void walk_history(struct prompt *p, int dir)
{
	int k = p->back + dir;

	if (p->back == 0)
		copy_text(p->kept, sizeof(p->kept), p->text);
	while (k > 0 && k <= p->nhistory && p->history[p->nhistory - k][0] != p->lead)
		k += dir;
	if (k < 0 || k > p->nhistory)
		return;
	p->back = k;
	set_text(p, k ? p->history[p->nhistory - k] + 1 : p->kept);
}

static int prev_char(const struct prompt *p, int at)
{
	if (at > 0)
		at--;
	while (at > 0 && ((unsigned char)p->text[at] & 0xc0) == 0x80)
		at--;
	return at;
}

static int next_char(const struct prompt *p, int at)
{
	if (p->text[at])
		at++;
	while (((unsigned char)p->text[at] & 0xc0) == 0x80)
		at++;
	return at;
}

static void cut(struct prompt *p, int from, int to)
{
	memmove(p->text + from, p->text + to, strlen(p->text + to) + 1);
	p->at = from;
}

static void insert(struct prompt *p, int key)
{
	char utf8[4];
	int n = utf8_put(utf8, (uint32_t)key), len = (int)strlen(p->text);

	if (len + n >= PROMPT_TEXT)
		return;
	memmove(p->text + p->at + n, p->text + p->at, (size_t)(len - p->at) + 1);
	memcpy(p->text + p->at, utf8, (size_t)n);
	p->at += n;
}

static int word_start(const struct prompt *p)
{
	int at = p->at;

	while (at > 0 && p->text[at - 1] == ' ')
		at--;
	while (at > 0 && p->text[at - 1] != ' ')
		at--;
	return at;
}

static void complete_word(struct prompt *p, prompt_complete complete, void *ctx)
{
	const char *word;
	char *start;

	if (!p->tries)
		copy_text(p->stem, sizeof(p->stem), p->text);
	set_text(p, p->stem);
	start = strrchr(p->text, ' ');
	start = start ? start + 1 : p->text;
	word = complete ? complete(ctx, p->text, (size_t)(start - p->text), p->tries) : NULL;
	if (!word) {
		p->tries = 0;
		return;
	}
	p->tries++;
	snprintf(start, sizeof(p->text) - (size_t)(start - p->text), "%s", word);
	p->at = (int)strlen(p->text);
}

static enum prompt_result edit(struct prompt *p, int key)
{
	switch (key) {
	case KEYS_BACKSPACE:
		if (!*p->text) {
			p->open = false;
			return PROMPT_CANCELLED;
		}
		cut(p, prev_char(p, p->at), p->at);
		return PROMPT_EDITED;
	case KEYS_DELETE:
		cut(p, p->at, next_char(p, p->at));
		return PROMPT_EDITED;
	case CTRL_KEY('W'):
		cut(p, word_start(p), p->at);
		return PROMPT_EDITED;
	case CTRL_KEY('U'):
		cut(p, 0, p->at);
		return PROMPT_EDITED;
	case CTRL_KEY('K'):
		cut(p, p->at, (int)strlen(p->text));
		return PROMPT_EDITED;
	default:
		if (key < ' ' || key >= KEYS_UP)
			return PROMPT_NOTHING;
		insert(p, key);
		return PROMPT_EDITED;
	}
}

static bool move(struct prompt *p, int key)
{
	switch (key) {
	case KEYS_LEFT:
		p->at = prev_char(p, p->at);
		return true;
	case KEYS_RIGHT:
		p->at = next_char(p, p->at);
		return true;
	case KEYS_HOME:
	case CTRL_KEY('A'):
		p->at = 0;
		return true;
	case KEYS_END:
	case CTRL_KEY('E'):
		p->at = (int)strlen(p->text);
		return true;
	default:
		return false;
	}
}

enum prompt_result prompt_key(struct prompt *p, int key, prompt_complete complete, void *ctx)
{
	if (key == KEYS_TAB) {
		complete_word(p, complete, ctx);
		return PROMPT_EDITED;
	}
	p->tries = 0;
	if (move(p, key))
		return PROMPT_NOTHING;
	switch (key) {
	case KEYS_ENTER:
		remember(p);
		p->open = false;
		return PROMPT_DONE;
	case KEYS_ESC:
	case CTRL_KEY('C'):
		p->open = false;
		return PROMPT_CANCELLED;
	case KEYS_UP:
	case KEYS_DOWN:
		walk_history(p, key == KEYS_UP ? 1 : -1);
		return PROMPT_EDITED;
	default:
		return edit(p, key);
	}
}

void prompt_draw(const struct prompt *p, struct canvas *c, int y)
{
	char before[PROMPT_TEXT];
	int x, skip;

	copy_text(before, sizeof(before), p->text);
	before[p->at] = '\0';
	skip = canvas_width(before) + 3 - c->w;
	canvas_fill(c, 0, y, c->w, ' ', ROLE_TEXT);
	x = canvas_textf(c, 0, y, ROLE_KEY, "%c", p->lead);
	x -= skip > 0 ? skip : 0;
	canvas_clip(c, 1, y, c->w, 1);
	canvas_foreign(c, x, y, ROLE_TEXT, p->text, PROMPT_TEXT);
	canvas_unclip(c);
	c->cursor_x = x + canvas_width(before);
	c->cursor_y = y;
}
