/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of gen_dat.c that puts events into sub-buffers, and these into the file. */

#define DROP 17
#define CHUNK_PAGES 10

/* one buffer of one CPU while it fills */
struct stream {
	uint8_t *page;
	uint32_t used; /* bytes of data */
	uint64_t last_ts, npages, chunk_n;
	bool open;     /* page has a record */
	long dropping; /* events still to lose */
	bool lost;     /* the present page follows a loss */
	struct piece chunk;
	uint64_t chunks;
};

static void flush_chunk(struct writer *w, struct stream *b)
{
	size_t max = squeezed_max(b->chunk.n), n;
	uint8_t *out;

	if (!b->chunk.n)
		return;
	out = malloc(max);
	n = squeeze(w, out, max, b->chunk.p, b->chunk.n);
	put_number(w, n, 4);
	put_number(w, b->chunk.n, 4);
	put(w, out, n);
	free(out);
	b->chunk.n = 0;
	b->chunks++;
}

static void close_page(struct writer *w, struct stream *b, bool visible, const struct settings *s)
{
	uint64_t commit = b->used;
	uint32_t head = 8 + (uint32_t)w->word;

	if (b->lost) {
		/* the kernel's constant is an int: its sign goes up into the upper half of a long */
		commit |= w->word == 8 ? 0xffffffff80000000ULL : 0x80000000ULL;
		if ((b->npages / (uint64_t)s->lost) & 1) {
			commit |= 1U << 30;
			store(w, b->page + head + b->used, DROP, w->word);
		}
	}
	store(w, b->page + 8, commit, w->word);
	if (visible && packs(w)) {
		add(&b->chunk, b->page, w->page);
		if (b->chunk.n == (size_t)CHUNK_PAGES * w->page)
			flush_chunk(w, b);
	} else if (visible) {
		put(w, b->page, w->page);
	}
	memset(b->page, 0, w->page);
	b->npages++;
	b->used = 0;
	b->open = b->lost = false;
	if (s->lost && b->npages % (uint64_t)s->lost == (uint64_t)s->lost - 1)
		b->dropping = DROP;
}

static uint8_t *record_head(const struct writer *w, struct stream *b, uint32_t type, uint64_t delta)
{
	uint8_t *p = b->page + 8 + w->word + b->used;

	store(w, p, w->be ? type << 27 | (uint32_t)delta : (uint32_t)delta << 5 | type, 4);
	b->used += 4;
	return p + 4;
}

static void time_record(const struct writer *w, struct stream *b, uint32_t type, uint64_t value)
{
	uint8_t *p = record_head(w, b, type, value & ((1U << 27) - 1));

	store(w, p, (value & ((1ULL << 59) - 1)) >> 27, 4);
	b->used += 4;
}

static void put_record(const struct writer *w, const struct settings *s, struct stream *b,
	const struct made *m, uint64_t ts, long k)
{
	uint64_t delta = b->open ? ts - b->last_ts : 0;
	bool big = m->size > 112 || (s->big && k % s->big == 0);
	uint8_t *p;

	if (!b->open)
		store(w, b->page, ts, 8);
	b->open = true;
	b->last_ts = ts;
	if (s->abs && k % s->abs == s->abs - 1) {
		time_record(w, b, 31, ts);
		delta = 0;
	} else if (delta >> 27) {
		time_record(w, b, 30, delta);
		delta = 0;
	}
	p = record_head(w, b, big ? 0 : m->size / 4, delta);
	if (big) {
		store(w, p, m->size + 4, 4);
		p += 4;
		b->used += 4;
	}
	memcpy(p, m->data, m->size);
	b->used += m->size;
	if (s->pad && k % s->pad == s->pad - 1) {
		p = record_head(w, b, 29, 1);
		store(w, p, 8, 4);
		b->used += 8;
		b->last_ts++; /* the reader adds the delta of a discarded record, as trace-cmd does */
	}
}
