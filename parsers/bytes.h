/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading numbers and strings from bytes that nobody vouches for, in either byte order.
 * A cursor never leaves its bytes: the first thing that does not fit sets bad, and all later reads
 * give zeros. Nothing here owns memory; sizes are in bytes.
 */
#ifndef REIDLE_PARSERS_BYTES_H
#define REIDLE_PARSERS_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t load16(const uint8_t *p, bool be)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return be ? __builtin_bswap16(v) : v;
}

static inline uint32_t load32(const uint8_t *p, bool be)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return be ? __builtin_bswap32(v) : v;
}

static inline uint64_t load64(const uint8_t *p, bool be)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return be ? __builtin_bswap64(v) : v;
}

struct cursor {
	const uint8_t *start, *p, *end;
	uint64_t base; /* offset of start in the file, for messages */
	bool be, bad;
};

static inline struct cursor cursor_make(const uint8_t *p, uint64_t n, uint64_t base, bool be)
{
	return (struct cursor){.start = p, .p = p, .end = p + n, .base = base, .be = be};
}

static inline uint64_t cursor_left(const struct cursor *c)
{
	return c->bad ? 0 : (uint64_t)(c->end - c->p);
}

/* where in the file the cursor stands */
static inline uint64_t cursor_at(const struct cursor *c)
{
	return c->base + (uint64_t)(c->p - c->start);
}

/** take() - the next n bytes, or NULL when there are not so many */
static inline const uint8_t *take(struct cursor *c, uint64_t n)
{
	const uint8_t *p = c->p;

	if (n > cursor_left(c) || c->bad) {
		c->bad = true;
		return NULL;
	}
	c->p += n;
	return p;
}

static inline uint16_t take16(struct cursor *c)
{
	const uint8_t *p = take(c, 2);

	return p ? load16(p, c->be) : 0;
}

static inline uint32_t take32(struct cursor *c)
{
	const uint8_t *p = take(c, 4);

	return p ? load32(p, c->be) : 0;
}

static inline uint64_t take64(struct cursor *c)
{
	const uint8_t *p = take(c, 8);

	return p ? load64(p, c->be) : 0;
}

/** take_string() - a string that ends in NUL inside the bytes, or NULL */
static inline const char *take_string(struct cursor *c)
{
	const uint8_t *nul = c->bad ? NULL : memchr(c->p, 0, (size_t)(c->end - c->p));
	const char *s = (const char *)c->p;

	if (!nul) {
		c->bad = true;
		return NULL;
	}
	c->p = nul + 1;
	return s;
}

#endif
