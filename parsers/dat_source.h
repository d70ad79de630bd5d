/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One CPU's records in one buffer, a record at a time; several of these are merged by time in a heap.
 * A source owns its stream; release with dat_source_close(). Times are in units of the trace clock.
 */
#ifndef REIDLE_PARSERS_DAT_SOURCE_H
#define REIDLE_PARSERS_DAT_SOURCE_H

#include "parsers/dat_page.h"
#include "parsers/dat_stream.h"

struct dat_source {
	struct dat_stream stream;
	struct page_walk page;
	struct record rec; /* the present one */
	uint64_t last_ts;  /* of the last record taken; 0 none */
	bool any;	   /* there was one */
	bool hole;	   /* something before the present record is missing */
	int64_t lost;	   /* in that hole; -1 unknown */
	uint64_t bad_pages;
	int cpu;
	/* called after each block of pages with its bytes of file; true cancels. May be NULL */
	bool (*tick)(void *ctx, uint64_t bytes);
	void *tick_ctx;
};

void dat_source_open(struct dat_source *s, struct dat *d, const struct dat_buffer *b,
	struct dat_range *r);
void dat_source_close(struct dat_source *s);
/** dat_source_next() - the next record into rec; false at the end (hole may be set then, too) */
bool dat_source_next(struct dat_source *s);
/** dat_source_tick() - tell of progress; false when cancelled */
bool dat_source_tick(struct dat_source *s);

/* what is missing before the next record: lost events, or (bad) a page */
void dat_source_hole(struct dat_source *s, int64_t lost);
void dat_source_bad(struct dat_source *s);

/** dat_heap_make(), dat_heap_sift() - sources in a heap, the earliest record first */
void dat_heap_make(struct dat_source **heap, int n);
void dat_heap_sift(struct dat_source **heap, int n, int i);

#endif
