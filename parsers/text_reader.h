/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of reading one trace text, shared by text.c (lines into a trace) and text_line.c (lines that
 * are no events, wrapped lines). Lives on the stack of text_parse_bytes(); owns its arrays.
 */
#ifndef REIDLE_PARSERS_TEXT_READER_H
#define REIDLE_PARSERS_TEXT_READER_H

#include "parsers/text.h"

#define TEXT_CPUS_MAX 8192
#define TEXT_JOIN_MAX 4096 /* bytes of a line put together again */

/* an event, or a hole (kind EV_NONE, a = lost), kept until all are sorted */
struct text_item {
	struct event ev;
	size_t order;
};

struct text_reader {
	struct trace *t;
	const struct parse_options *opt;
	struct text_events *events;
	struct text_events *outside; /* what is read between windows (trace.window) */
	struct window stretch;	/* of the last line: the window or the gap it lies in */
	bool stretch_in_window;
	const char *next, *end; /* what is left of the text */
	enum text_layout layout;
	bool sorting;	/* second pass: times went back, so all is kept and sorted first */
	bool went_back; /* first pass: it has to be done again */
	struct text_item *item;
	size_t nitems, item_cap;
	int64_t *cpu_last; /* [cpu_cap]: time of the CPU's last line; INT64_MIN none */
	int64_t *cpu_lost; /* [cpu_cap]: events lost before the next line, + 1; 0 none, -1 unknown number */
	uint64_t *cpu_back; /* [cpu_cap]: second pass: steps back */
	int cpu_cap, cpus_used, cpus_said;
	int64_t first_ns, last_ns;
	uint64_t lines, lacking, back_steps;
	int8_t min_digits, max_digits;
	int64_t kept, written; /* as the text's head says */
	bool perf, trace_cmd;
	char joined[TEXT_JOIN_MAX];
};

/** text_next_line() - take the next line, without its end; false at the end of the text */
bool text_next_line(struct text_reader *r, struct text_span *line);

/** text_cpu() - make room for a CPU; false when there can be no such CPU */
bool text_cpu(struct text_reader *r, int cpu);

/** text_other_line() - comments, lost events, CPU counts, and lines of no meaning */
void text_other_line(struct text_reader *r, struct text_span line);

/**
 * text_join() - put a line and the one below it together, as before a mailer wrapped them
 * @line: becomes the joined line (in r->joined)
 * Return: false when the line below begins an event, is empty, or there is none; then nothing was taken
 */
bool text_join(struct text_reader *r, struct text_span *line);

/** text_head_wrapped() - may the time have been wrapped onto the next line */
bool text_head_wrapped(const struct text_reader *r, struct text_span line);

/** text_of_instance() - is the line of the buffer that was asked for ("name:" in front) */
bool text_of_instance(const char *instance, struct text_span line);

/** text_sample() - the windows of a text that is huge, from a look at some places of it */
void text_sample(struct text_reader *r, struct text_span text);
/** text_in_window() - are all wanted events of this time kept; for traces with windows */
bool text_in_window(struct text_reader *r, int64_t at_ns);

#endif
