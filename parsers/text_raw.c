// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/text_raw.h"

#include <stdlib.h>

bool text_raw_open(struct text_raw *r, const struct opened *o)
{
	struct text_span text = {(const char *)o->in.data, (const char *)o->in.data + o->in.size};

	memset(r, 0, sizeof(*r));
	r->layout = TEXT_BRACKET;
	if (o->parser == &parser_html && !text_html_block(text, &text))
		return false;
	if (o->parser != &parser_html && o->parser != &parser_text)
		return false;
	if (text_is_encoded(text))
		r->decoded = text_decode(text, &text);
	r->left = text;
	return true;
}

void text_raw_close(struct text_raw *r)
{
	free(r->decoded);
}

bool text_raw_next(struct text_raw *r, struct text_head *h, struct text_span *line)
{
	const char *nl;

	if (r->left.s >= r->left.end)
		return false;
	nl = memchr(r->left.s, '\n', (size_t)(r->left.end - r->left.s));
	*line = (struct text_span){r->left.s, nl ? nl : r->left.end};
	r->left.s = nl ? nl + 1 : r->left.end;
	if (line->end > line->s && line->end[-1] == '\r')
		line->end--;
	if (text_head(h, *line, r->layout))
		r->layout = h->layout;
	else
		h->name.s = NULL;
	return true;
}
