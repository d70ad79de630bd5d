/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A quick look at a few places of a recording before it is read: how long it is, how many wanted events it
 * holds. From that follow the windows of a huge one in which all wanted events are kept (trace.window).
 */
#ifndef REIDLE_PARSERS_SURVEY_H
#define REIDLE_PARSERS_SURVEY_H

#include "parsers/parser.h"

struct survey_result {
	uint64_t bytes; /* of records, in all */
	double events;	/* wanted ones, estimated */
	int64_t from_ns, to_ns;
};

#define SURVEY_EMPTY (struct survey_result){.from_ns = INT64_MAX, .to_ns = INT64_MIN}

static inline void survey_time(struct survey_result *s, int64_t at_ns)
{
	s->from_ns = min64(s->from_ns, at_ns);
	s->to_ns = max64(s->to_ns, at_ns);
}

/** survey_place() - the k-th of n evenly spread places among count, the first and the last included */
static inline uint64_t survey_place(uint64_t count, int k, int n)
{
	return n > 1 ? (uint64_t)((count - 1) * (double)k / (n - 1) + 0.5) : 0;
}

/**
 * survey_windows() - choose the windows of a trace that is about to be read
 * None when there is no more than opt->sample_above, or when they would take in most of it.
 * Return: events to expect in the windows; 0 unknown or none
 */
uint64_t survey_windows(struct trace *t, const struct survey_result *s, const struct parse_options *opt);

#endif
