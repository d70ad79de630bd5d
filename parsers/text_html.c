// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * systrace and atrace HTML: the trace stands in a script element of class trace-data, before 2014 in a
 * JavaScript string. All around it is a viewer's code, which may spell anything.
 */
#include "parsers/text.h"

#include <string.h>

#define HEAD 512

static const char *find(const char *p, const char *end, const char *what)
{
	return p < end ? memmem(p, (size_t)(end - p), what, strlen(what)) : NULL;
}

static bool is_html(struct text_span text)
{
	const char *p = text.s, *end = text.end - text.s > HEAD ? text.s + HEAD : text.end;

	while (p < end && strchr(" \t\r\n", *p) && *p)
		p++;
	return p < end && *p == '<' && (find(p, end, "<!DOCTYPE html") || find(p, end, "<html") ||
		find(p, end, "<!doctype html") || find(p, end, "<HTML"));
}

/* from one mark to the end of its script element */
static bool next_block(const char **from, const char *end, const char *mark, struct text_span *block)
{
	const char *p = find(*from, end, mark), *close;

	if (!p)
		return false;
	close = find(p, end, "</script>");
	*block = (struct text_span){p, close ? close : end};
	*from = block->end;
	return true;
}

bool text_html_block(struct text_span text, struct text_span *block)
{
	const char *from = text.s, *mark = "class=\"trace-data\"";

	if (!find(text.s, text.end, mark))
		mark = "linuxPerfData";
	while (next_block(&from, text.end, mark, block))
		if (text_looks(*block))
			return true;
	return false;
}

static int probe(const struct input *in)
{
	struct text_span text = {(const char *)in->data, (const char *)in->data + in->size};

	/* the viewer's code in front may be megabytes long, beyond the bytes that a probe sees */
	return is_html(text) ? 80 : 0;
}

static int parse(const struct input *in, const struct parse_options *opt, struct trace *out,
	struct error *err)
{
	struct text_span text = {(const char *)in->data, (const char *)in->data + in->size}, block;

	if (!text_html_block(text, &block))
		return error_set(err, EXIT_INPUT, "%s: HTML without a trace in it: systrace and atrace "
			"keep theirs in a script element of class trace-data", in->name);
	return text_parse_bytes(in->name, block, "systrace HTML", opt, out, err);
}

const struct parser parser_html = {
	.name = "html",
	.what = "systrace HTML",
	.probe = probe,
	.parse = parse,
};
