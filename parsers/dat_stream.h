/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages of one CPU in one buffer of a trace.dat, block by block: straight from memory, mapped, read
 * with pread, or decompressed. A stream owns its block and its window, must not move, and belongs to one
 * thread; release with stream_close(). Sizes in bytes.
 */
#ifndef REIDLE_PARSERS_DAT_STREAM_H
#define REIDLE_PARSERS_DAT_STREAM_H

#include "parsers/dat.h"
#include "parsers/file_window.h"

struct dat_stream {
	struct dat *d;
	const struct dat_buffer *buffer;
	uint64_t off, end;   /* what is left of the file range */
	struct dat_range *head; /* set when only its first so many bytes are wanted */
	uint32_t chunks;     /* compressed: pieces left */
	struct file_window window; /* pages in place */
	uint8_t *block;	     /* own memory, when needed */
	size_t block_cap;
	uint8_t *packed;
	size_t packed_cap;
	void *codec;
	const uint8_t *page; /* pages of the present block */
	uint64_t npages;
	uint64_t damaged; /* pieces that did not unpack, bytes that are no page */
	uint64_t done;	  /* bytes of the file consumed: for progress */
};

enum stream_result { STREAM_END, STREAM_PAGES, STREAM_DAMAGED };

void stream_open(struct dat_stream *s, struct dat *d, const struct dat_buffer *b,
	struct dat_range *r);
/**
 * stream_block() - the next block of whole pages, in page and npages
 * Return: STREAM_DAMAGED for a piece that is lost; go on after it
 */
enum stream_result stream_block(struct dat_stream *s);
/** stream_pass() - compressed: pass over the next piece unread; its pages, 0 at the end or when damaged */
uint64_t stream_pass(struct dat_stream *s);
void stream_close(struct dat_stream *s);

#endif
