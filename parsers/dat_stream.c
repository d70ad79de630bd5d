// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dat_stream.h"

#include <stdlib.h>

#define BLOCK (256U << 10) /* few system calls, and little memory with many CPUs' streams open at once */

void stream_open(struct dat_stream *s, struct dat *d, const struct dat_buffer *b,
	struct dat_range *r)
{
	uint8_t count[4];

	memset(s, 0, sizeof(*s));
	s->d = d;
	s->buffer = b;
	s->head = r->enough ? r : NULL;
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

struct chunk {
	uint32_t packed, unpacked;
};

/* the head of the next piece; s->off moves past it */
static bool chunk_head(struct dat_stream *s, struct chunk *c)
{
	uint64_t left = s->end - s->off;
	uint8_t head[8];

	s->chunks--;
	if (left < 8 || !dat_pread(s->d, head, s->off, 8))
		return false;
	*c = (struct chunk){load32(head, s->d->be), load32(head + 4, s->d->be)};
	if (c->packed > left - 8 || c->unpacked % s->buffer->page_size || c->unpacked > DAT_CHUNK_MAX ||
		c->unpacked > (uint64_t)c->packed * 65536)
		return false;
	s->off += 8;
	return true;
}

static enum stream_result next_chunk(struct dat_stream *s)
{
	const uint8_t *p;
	struct chunk c;

	if (!s->chunks)
		return STREAM_END;
	if (!chunk_head(s, &c))
		return give_up(s);
	p = fetch(s, c.packed);
	if (!p)
		return give_up(s);
	s->off += c.packed;
	s->done += 8 + c.packed;
	at_least(&s->block, &s->block_cap, c.unpacked);
	if (!dat_decompress(s->d->codec, &s->codec, s->block, c.unpacked, p, c.packed)) {
		s->damaged++;
		return STREAM_DAMAGED;
	}
	s->page = s->block;
	s->npages = c.unpacked / s->buffer->page_size;
	return STREAM_PAGES;
}

uint64_t stream_pass(struct dat_stream *s)
{
	struct chunk c;

	if (!s->chunks || !chunk_head(s, &c))
		return 0;
	s->off += c.packed;
	return c.unpacked / s->buffer->page_size;
}

enum stream_result stream_block(struct dat_stream *s)
{
	uint32_t page = s->buffer->page_size;
	uint64_t len = s->end - s->off;

	if (s->head && len && s->off >= s->head->off + s->head->enough) {
		s->head->left = true;
		return STREAM_END;
	}
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
