// SPDX-License-Identifier: GPL-2.0-or-later
/* A dump where a recording is wanted: no format to read, but a mistake to name. */
#include "parsers/dump.h"
#include "parsers/text.h"

static int probe(const struct input *in)
{
	return dump_is((const char *)in->data, in->size) ? 40 : 0;
}

static int parse(const struct input *in, const struct parse_options *opt, struct trace *out,
	struct error *err)
{
	(void)opt, (void)out;
	return error_set(err, EXIT_INPUT, "%s: an idle-state dump, no recording: give it with --states, "
		"or two of them with report --before A --after B; reidle states shows it", in->name);
}

const struct parser parser_dump = {
	.name = "dump",
	.what = "idle-state dump (for --states)",
	.probe = probe,
	.parse = parse,
};
