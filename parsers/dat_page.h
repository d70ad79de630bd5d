/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One sub-buffer (page) of the kernel's ring buffer, record by record, all bounds checked.
 * The caller owns the bytes. Times are in units of the trace clock. Byte order and size of long
 * come as arguments that the callers know at compile time: inlined, the walk runs at memory speed.
 * Source: kernel/trace/ring_buffer.c, include/linux/ring_buffer.h (6.12); ingest of trace-cmd agrees
 * except for discarded records, whose delta we add as trace-cmd does and the kernel does not.
 */
#ifndef REIDLE_PARSERS_DAT_PAGE_H
#define REIDLE_PARSERS_DAT_PAGE_H

#include "parsers/bytes.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/*
 * The bytes may be those of a file that is mapped, and change while they are looked at: a value that was
 * checked is kept in a register, never loaded again.
 */
#define HOLD(v) __asm__("" : "+r"(v))

#define PAGE_LOST (1U << 31)	/* records were lost before this page */
#define PAGE_COUNTED (1U << 30) /* and their number is stored behind the data */
#define PAGE_LENGTH 0xfffffU

enum { TYPE_PADDING = 29, TYPE_EXTEND = 30, TYPE_STAMP = 31 };

struct page_walk {
	const uint8_t *p, *end;
	uint64_t ts;
};

struct record {
	uint64_t ts;
	const uint8_t *data;
	uint32_t size; /* bytes in data: padded to 4 */
};

enum walk_result { WALK_BAD = -1, WALK_END, WALK_RECORD };

/* the upper half of a 64-bit commit is the sign of bit 31 at most */
ALWAYS_INLINE bool page_commit(const uint8_t *page, uint32_t page_size, bool be, int word,
	uint32_t *commit)
{
	uint64_t raw = word == 8 ? load64(page + 8, be) : load32(page + 8, be);
	uint32_t high;

	HOLD(raw);
	high = (uint32_t)(raw >> 32);
	*commit = (uint32_t)raw;
	if (high && !(high == UINT32_MAX && (*commit & PAGE_LOST)))
		return false;
	return !(*commit & ~(PAGE_LOST | PAGE_COUNTED | PAGE_LENGTH)) &&
	       (*commit & PAGE_LENGTH) <= page_size - 8 - (uint32_t)word;
}

/**
 * page_open() - begin a page
 * @lost: set to the number of records lost before it, 0 none, -1 unknown
 * Return: false when its header cannot be
 */
ALWAYS_INLINE bool page_open(struct page_walk *w, const uint8_t *page, uint32_t page_size, bool be,
	int word, int64_t *lost)
{
	uint32_t head = 8 + (uint32_t)word, commit, len;

	*lost = 0;
	if (!page_commit(page, page_size, be, word, &commit))
		return false;
	len = commit & PAGE_LENGTH;
	w->ts = load64(page, be);
	w->p = page + head;
	w->end = w->p + len;
	if (__builtin_expect(!(commit & PAGE_LOST), 1))
		return true;
	*lost = -1;
	if ((commit & PAGE_COUNTED) && len + (uint32_t)word <= page_size - head)
		*lost = word == 8 ? (int64_t)load64(w->end, be) : load32(w->end, be);
	if (*lost <= 0)
		*lost = -1;
	return true;
}

/*
 * Only 59 bits of an absolute time are stored. The upper 5 are those of the time before, and one more
 * when that would throw the time back by half the range: the stored bits have gone round. A small step
 * back is one that the clock made.
 */
ALWAYS_INLINE uint64_t page_stamp(uint64_t before, uint32_t high, uint32_t delta)
{
	uint64_t ts = (((uint64_t)high << 27) | delta) & ((1ULL << 59) - 1);

	ts |= before & (0x1fULL << 59);
	return ts < before && before - ts > 1ULL << 58 ? ts + (1ULL << 59) : ts;
}

/* records with a length word, and those that only move the time; fits the header and one word */
ALWAYS_INLINE enum walk_result page_long(struct page_walk *w, struct record *r, uint32_t type,
	uint32_t delta, uint32_t word)
{
	uint32_t left = (uint32_t)(w->end - w->p) - 4, step;

	if (type == TYPE_EXTEND || type == TYPE_STAMP) {
		w->ts = type == TYPE_STAMP ? page_stamp(w->ts, word, delta) :
					     w->ts + ((uint64_t)word << 27) + delta;
		w->p += 8;
		return WALK_END;
	}
	if (word < 4 || word > left)
		return WALK_BAD;
	w->ts += delta;
	if (type == TYPE_PADDING) {
		w->p += 4 + word;
		return WALK_END;
	}
	*r = (struct record){.ts = w->ts, .data = w->p + 8, .size = word - 4};
	step = 4 + ((word + 3) & ~3U);
	w->p = step > left + 4 ? w->end : w->p + step;
	return WALK_RECORD;
}

/**
 * page_next() - the next record
 * Return: WALK_RECORD with *r filled; WALK_END at the end of the page; WALK_BAD when a length leads out
 * of it: what came before is good, nothing behind can be
 */
ALWAYS_INLINE enum walk_result page_next(struct page_walk *w, struct record *r, bool be)
{
	while (w->end - w->p >= 4) {
		uint32_t head = load32(w->p, be), word, type, delta;
		enum walk_result got;

		HOLD(head);
		type = be ? head >> 27 : head & 31;
		delta = be ? head & 0x7ffffff : head >> 5;
		if (__builtin_expect(type - 1 < 28, 1)) {
			uint32_t size = type * 4;

			if ((uint32_t)(w->end - w->p) < size + 4)
				return WALK_BAD;
			w->ts += delta;
			*r = (struct record){.ts = w->ts, .data = w->p + 4, .size = size};
			w->p += 4 + size;
			return WALK_RECORD;
		}
		if (type == TYPE_PADDING && !delta)
			return WALK_END;
		if (w->end - w->p < 8)
			return WALK_BAD;
		word = load32(w->p + 4, be);
		HOLD(word);
		got = page_long(w, r, type, delta, word);
		if (got != WALK_END)
			return got;
	}
	return WALK_END;
}

#endif
