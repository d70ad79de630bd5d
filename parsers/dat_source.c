// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dat_source.h"

void dat_source_open(struct dat_source *s, struct dat *d, const struct dat_buffer *b,
	struct dat_range *r)
{
	memset(s, 0, sizeof(*s));
	s->cpu = r->cpu;
	stream_open(&s->stream, d, b, r);
}

void dat_source_close(struct dat_source *s)
{
	stream_close(&s->stream);
}

void dat_source_hole(struct dat_source *s, int64_t lost)
{
	/* two reasons in a row make one hole of unknown size */
	s->lost = s->hole || lost <= 0 ? -1 : lost;
	s->hole = true;
}

void dat_source_bad(struct dat_source *s)
{
	s->bad_pages++;
	dat_source_hole(s, -1);
}

bool dat_source_tick(struct dat_source *s)
{
	uint64_t bytes = s->stream.done;

	s->stream.done = 0;
	return !s->tick || !s->tick(s->tick_ctx, bytes);
}

/* the next page that can be read; false at the end of the stream */
static bool next_page(struct dat_source *s)
{
	struct dat_stream *st = &s->stream;
	const struct dat *d = st->d;
	int64_t lost;

	for (;;) {
		enum stream_result got = st->npages ? STREAM_PAGES : stream_block(st);
		const uint8_t *page = st->page;

		if (got == STREAM_END || (st->done && !dat_source_tick(s)))
			return false;
		if (got == STREAM_DAMAGED) {
			dat_source_bad(s);
			continue;
		}
		if (!st->npages)
			continue;
		st->page += st->buffer->page_size;
		st->npages--;
		if (!page_open(&s->page, page, st->buffer->page_size, d->be, d->word, &lost)) {
			dat_source_bad(s);
			continue;
		}
		if (lost)
			dat_source_hole(s, lost);
		return true;
	}
}

bool dat_source_next(struct dat_source *s)
{
	for (;;) {
		enum walk_result got = WALK_END;

		if (s->page.p)
			got = page_next(&s->page, &s->rec, s->stream.d->be);
		if (got == WALK_RECORD)
			return true;
		if (got == WALK_BAD)
			dat_source_bad(s);
		if (!next_page(s))
			return false;
	}
}

/* equal times in the order of CPUs, then of buffers: the output may not depend on the heap's moods */
static bool before(const struct dat_source *a, const struct dat_source *b)
{
	if (a->rec.ts != b->rec.ts)
		return a->rec.ts < b->rec.ts;
	return a->cpu != b->cpu ? a->cpu < b->cpu : a < b;
}

void dat_heap_sift(struct dat_source **heap, int n, int i)
{
	struct dat_source *s = heap[i];

	for (;;) {
		int child = 2 * i + 1;

		if (child + 1 < n && before(heap[child + 1], heap[child]))
			child++;
		if (child >= n || !before(heap[child], s))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = s;
}

void dat_heap_make(struct dat_source **heap, int n)
{
	for (int i = n / 2 - 1; i >= 0; i--)
		dat_heap_sift(heap, n, i);
}
