/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line of input with history and completion, for commands, find and filter. A struct prompt is
 * plain data without pointers of its own; positions are bytes of UTF-8 text.
 */
#ifndef REIDLE_SRC_COMMAND_PROMPT_H
#define REIDLE_SRC_COMMAND_PROMPT_H

#include "src/canvas.h"
#include "src/command_keys.h"

#define PROMPT_TEXT 240
#define PROMPT_HISTORY 32

enum prompt_result { PROMPT_NOTHING, PROMPT_EDITED, PROMPT_DONE, PROMPT_CANCELLED };

struct prompt {
	bool open;
	char lead; /* ':', '/' or '&' */
	char text[PROMPT_TEXT];
	int at;
	char history[PROMPT_HISTORY][PROMPT_TEXT];
	int nhistory, back; /* back: how far in history, 0 the line itself */
	char kept[PROMPT_TEXT];
	char stem[PROMPT_TEXT]; /* what was typed before completion began */
	int tries;
};

/**
 * prompt_complete - the @n-th completion of the last word of a line
 * @word: offset of that word in @line; Return: the whole word, NULL past the last
 */
typedef const char *(*prompt_complete)(void *ctx, const char *line, size_t word, int n);

void prompt_open(struct prompt *p, char lead, const char *text);
/** prompt_key() - edit; DONE leaves the line in text, closed and put into history */
enum prompt_result prompt_key(struct prompt *p, int key, prompt_complete complete, void *ctx);
/** prompt_draw() - on row @y, with the terminal's cursor */
void prompt_draw(const struct prompt *p, struct canvas *c, int y);

#endif
