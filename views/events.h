/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw events as lines of text, in chunks: the view asks, the app reads in the background, the view adds
 * what came to its list. Chunks and lists own their lines. Times are ns on the recording's clock.
 */
#ifndef REIDLE_VIEWS_EVENTS_H
#define REIDLE_VIEWS_EVENTS_H

#include "src/util.h"

struct event_line {
	int64_t at_ns;
	char *text; /* the whole line, as `reidle events` prints it */
	uint16_t cpu, body; /* body: where the event's name begins in text */
};

struct event_chunk {
	struct event_line *line;
	size_t n, cap;
	int64_t from_ns, to_ns; /* all events of [from, to) are here */
	char error[200];	/* "" fine */
	char note[120];		/* what kind of lines these are, "" the usual */
};

/* at most @before lines that end before @at_ns, back to @from_ns, and @after lines from there on */
struct event_request {
	int64_t at_ns, from_ns;
	size_t before, after;
	int cpu; /* -1: all */
};

/* between the view and the app; the app clears asked when it begins */
struct event_feed {
	struct event_request want;
	bool asked, busy, answered, stop;
	struct event_chunk chunk; /* answered: the view takes it over */
	uint64_t seen;		  /* busy: lines so far */
};

/** event_chunk_free() - and make it an empty one */
void event_chunk_free(struct event_chunk *c);
/** event_chunk_add() - in order of time; copies the text */
void event_chunk_add(struct event_chunk *c, int64_t at_ns, int cpu, const char *text, size_t len, size_t body);
/**
 * event_chunk_keep() - leave @n lines: drop the oldest (@oldest) or the newest, and those of the same time
 * as the last one dropped, so that the chunk is whole between its new ends
 */
void event_chunk_keep(struct event_chunk *c, size_t n, bool oldest);
/** event_chunk_join() - add a chunk that follows (@after) or precedes; @more is emptied */
void event_chunk_join(struct event_chunk *c, struct event_chunk *more, bool after);
/** event_chunk_at() - first line at or after a time; n when there is none */
size_t event_chunk_at(const struct event_chunk *c, int64_t at_ns);

#endif
