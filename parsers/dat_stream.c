// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dat_stream.h"

#include <stdlib.h>

#define BLOCK (256U << 10) /* few system calls, and little memory with many CPUs' streams open at once */

void stream_open(struct dat_stream *s, struct dat *d, const struct dat_buffer *b,
	const struct dat_range *r)
{
	uint8_t count[4];

	memset(s, 0, sizeof(*s));
	s->d = d;
	s->buffer = b;
	s->off = r->off;
	s->end = r->off + r->size;
	if (!b->compressed)
		return;
	/* the recorded size leaves out the count of chunks in front of them */
	if (!dat_pread(d, count, s->off, sizeof(count))) {
		s->damaged++;
		s->end = s->off;
		return;
	}
	s->chunks = load32(count, d->be);
	s->off += sizeof(count);
	s->end += sizeof(count);
	if (s->end > dat_size(d))
		s->end = dat_size(d);
}

static uint8_t *at_least(uint8_t **p, size_t *cap, size_t need)
{
	if (need > *cap) {
		free(*p);
		*p = xrealloc(NULL, 1, need);
		*cap = need;
	}
	return *p;
}

/* bytes of the file: in place when they are in memory */
static const uint8_t *fetch(struct dat_stream *s, uint64_t len)
{
	const struct input *in = s->d->in;
	uint8_t *p;

	if (s->off + len <= in->size)
		return in->data + s->off;
	p = at_least(&s->packed, &s->packed_cap, len);
	return dat_pread(s->d, p, s->off, len) ? p : NULL;
}

/* pages of the file; of a big one mapped */
static const uint8_t *pages(struct dat_stream *s, uint64_t len)
{
	const struct input *in = s->d->in;
	const uint8_t *p = NULL;

	if (in->fd >= 0 && s->off + len > in->size && s->off + len <= in->file_size)
		p = window_map(&s->window, in->fd, s->off, len);
	return p ? p : fetch(s, len);
}

static enum stream_result give_up(struct dat_stream *s)
{
	s->damaged++;
	s->chunks = 0;
	s->off = s->end;
	return STREAM_DAMAGED;
}

static enum stream_result next_chunk(struct dat_stream *s)
{
	uint32_t packed, unpacked, page = s->buffer->page_size;
	uint64_t left = s->end - s->off;
	const uint8_t *p;
	uint8_t head[8];

	if (!s->chunks)
		return STREAM_END;
	s->chunks--;
	if (left < 8 || !dat_pread(s->d, head, s->off, 8))
		return give_up(s);
	packed = load32(head, s->d->be);
	unpacked = load32(head + 4, s->d->be);
	if (packed > left - 8 || unpacked % page || unpacked > DAT_CHUNK_MAX ||
		unpacked > (uint64_t)packed * 65536)
		return give_up(s);
	s->off += 8;
	p = fetch(s, packed);
	if (!p)
		return give_up(s);
	s->off += packed;
	s->done += 8 + packed;
	at_least(&s->block, &s->block_cap, unpacked);
	if (!dat_decompress(s->d->codec, &s->codec, s->block, unpacked, p, packed)) {
		s->damaged++;
		return STREAM_DAMAGED;
	}
	s->page = s->block;
	s->npages = unpacked / page;
	return STREAM_PAGES;
}

enum stream_result stream_block(struct dat_stream *s)
{
	uint32_t page = s->buffer->page_size;
	uint64_t len = s->end - s->off;

	if (s->buffer->compressed)
		return next_chunk(s);
	if (window_lost(&s->window) && len)
		return give_up(s);
	if (len < page) {
		/* a last page that is not whole; only a cut file has one */
		if (!len)
			return STREAM_END;
		return give_up(s);
	}
	len = len < BLOCK || page > BLOCK ? page : BLOCK;
	if (s->end - s->off < BLOCK && s->end - s->off >= page)
		len = (s->end - s->off) / page * page;
	s->page = pages(s, len);
	if (!s->page)
		return give_up(s);
	s->npages = len / page;
	s->off += len;
	s->done += len;
	return STREAM_PAGES;
}

void stream_close(struct dat_stream *s)
{
	window_close(&s->window);
	free(s->block);
	free(s->packed);
	dat_codec_free(s->d->codec, s->codec);
}
