/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event lines of a trace text as they stand in the file, with time and CPU. Wrapped lines are given
 * up to where they were wrapped. Owns what it decoded; release with text_raw_close().
 */
#ifndef REIDLE_PARSERS_TEXT_RAW_H
#define REIDLE_PARSERS_TEXT_RAW_H

#include "parsers/text.h"

struct text_raw {
	struct text_span left; /* what has not been read yet */
	char *decoded;
	enum text_layout layout;
};

/** text_raw_open() - false when the input is no trace text; @o must outlive the result */
bool text_raw_open(struct text_raw *r, const struct opened *o);
void text_raw_close(struct text_raw *r);
/**
 * text_raw_next() - the next line of the file
 * @h: its head; name.s NULL: no event line
 * @line: without newline
 * Return: false at the end
 */
bool text_raw_next(struct text_raw *r, struct text_head *h, struct text_span *line);

#endif
