/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the fuzz targets share: one input through one parser, as parse_file() would do it, then through
 * what looks at every trace. libFuzzer hands over a buffer of exactly the input's size.
 */
#ifndef REIDLE_TESTS_FUZZ_H
#define REIDLE_TESTS_FUZZ_H

#include "parsers/parser.h"
#include "src/wakes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_parser(const struct parser *p, const uint8_t *data, size_t size)
{
	struct input in = {.name = "input", .data = data, .size = size, .fd = -1};
	/* the input decides on the options, so that a crash comes back with the file alone */
	struct parse_options opt = {.threads = 1, .partial = size & 1,
		.want = size & 2 ? EV_WANT_ALL : EV_WANT_IDLE, .instance = size % 16 == 4 ? "sched" : NULL};
	struct trace *t = trace_new("input", opt.want);
	struct error err = {0};

	if (p->probe(&in) && !p->parse(&in, &opt, t, &err)) {
		struct machine m = {0};

		trace_finish(t);
		machine_guess(&m, STATES_MAX - 1, t->ncpus > 0 ? t->ncpus : 1);
		wakes_attribute(t, &m);
		machine_free(&m);
	}
	trace_free(t);
}

#endif
