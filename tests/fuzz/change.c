// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/fuzz/change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static uint64_t next(struct change *c)
{
	c->rng ^= c->rng << 13;
	c->rng ^= c->rng >> 7;
	c->rng ^= c->rng << 17;
	return c->rng;
}

size_t change_below(struct change *c, size_t n)
{
	return n ? (size_t)(next(c) % n) : 0;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* n bytes in the place of cut others */
static void replace(struct bytes *b, size_t at, size_t cut, const void *with, size_t n)
{
	uint8_t *data = malloc(b->size - cut + n + 1);

	memcpy(data, b->data, at);
	if (n)
		memcpy(data + at, with, n);
	memcpy(data + at + n, b->data + at + cut, b->size - at - cut);
	free(b->data);
	b->data = data;
	b->size = b->size - cut + n;
}

static void overwrite(struct bytes *b, size_t at, const void *p, size_t n)
{
	memcpy(b->data + at, p, least(n, b->size - at));
}

/* where it hurts: the header, the first bytes of a page, the tables at the end, anywhere */
static size_t place(struct change *c, const struct bytes *b)
{
	switch (change_below(c, 5)) {
	case 0:
		return change_below(c, least(b->size, 5000));
	case 1:
		return (change_below(c, b->size / 4096 + 1) * 4096 + change_below(c, 32)) % b->size;
	case 2:
		return b->size - 1 - change_below(c, least(b->size, 600));
	default:
		return change_below(c, b->size);
	}
}

static const uint64_t extremes[] = {0, 1, 2, 3, 4, 7, 8, 16, 29, 30, 31, 0x7f, 0xff, 0xfff, 0x1000, 0xffff,
	0x10000, 100000, 0x7fffffff, 0x80000000, 0xc0000ff0, 0x80000ff0, 0xfffffff0, 0xfffffff8, 0xfffffffc,
	0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffffff0,
	0xffffffffffffffff};

static void put_extreme(struct change *c, struct bytes *b)
{
	uint64_t v = extremes[change_below(c, COUNT(extremes))];
	size_t n = (size_t)2 << change_below(c, 3);
	bool swapped = change_below(c, 2);
	uint8_t raw[8];

	for (size_t i = 0; i < n; i++)
		raw[swapped ? n - 1 - i : i] = (uint8_t)(v >> (8 * i));
	overwrite(b, place(c, b), raw, n);
}

/* a number in a format's text: offsets, sizes, ids */
static void put_format_number(struct change *c, struct bytes *b)
{
	static const char *const keys[] = {"offset:", "size:", "ID: ", "signed:", "field:"};
	static const char *const values[] = {"0", "9", "65535", "99999999", "-1", ";", "\n"};
	const char *key = keys[change_below(c, COUNT(keys))], *value = values[change_below(c, COUNT(values))];
	size_t from = change_below(c, b->size);
	uint8_t *p = memmem(b->data + from, b->size - from, key, strlen(key));

	if (p && p + strlen(key) < b->data + b->size)
		overwrite(b, (size_t)(p - b->data) + strlen(key), value, strlen(value));
}

/* another number in the place of the next one written in digits */
static void put_digits(struct change *c, struct bytes *b)
{
	uint64_t v = extremes[change_below(c, COUNT(extremes))];
	size_t at = change_below(c, b->size), n = 0;
	char text[32];

	while (at < b->size && (b->data[at] < '0' || b->data[at] > '9'))
		at++;
	while (at + n < b->size && b->data[at + n] >= '0' && b->data[at + n] <= '9')
		n++;
	snprintf(text, sizeof(text), change_below(c, 4) ? "%llu" : "-%llu", (unsigned long long)v);
	if (n)
		replace(b, at, n, text, strlen(text));
}

/* a stretch of this or of another seed, put in or put over */
static void copy_part(struct change *c, struct bytes *b)
{
	const struct bytes *from = change_below(c, 3) ? b : &c->seed[change_below(c, c->nseeds)];
	size_t at = change_below(c, b->size + 1), start = change_below(c, from->size);
	size_t n = least(change_below(c, 400), from->size - start);
	uint8_t part[400];

	if (n)
		memcpy(part, from->data + start, n);
	replace(b, at, change_below(c, 2) ? least(n, b->size - at) : 0, part, n);
}

static void put_word(struct change *c, struct bytes *b)
{
	size_t count = 0, at = change_below(c, b->size + 1), cut = change_below(c, 2) ? change_below(c, 40) : 0;
	const char *word;

	while (c->feed->words[count])
		count++;
	word = c->feed->words[change_below(c, count)];
	replace(b, at, least(cut, b->size - at), word, strlen(word));
}

static void change_bits(struct change *c, struct bytes *b)
{
	for (size_t n = 1 + change_below(c, 4); n; n--)
		b->data[place(c, b)] ^= (uint8_t)(1U << change_below(c, 8));
}

static void change_once(struct change *c, struct bytes *b)
{
	static const uint8_t zeros[4096];
	size_t at = place(c, b);

	switch (change_below(c, 10)) {
	case 0:
		change_bits(c, b);
		break;
	case 1:
		b->data[at] = (uint8_t)next(c);
		break;
	case 2:
		replace(b, at, least(1 + change_below(c, 64), b->size - at), NULL, 0);
		break;
	case 3:
		copy_part(c, b);
		break;
	case 4:
		overwrite(b, at, zeros, change_below(c, c->feed->words ? 4 : sizeof(zeros)));
		break;
	case 5:
		put_digits(c, b);
		break;
	case 6:
		if (!change_below(c, 4))
			b->size = change_below(c, b->size);
		break;
	case 7:
		put_format_number(c, b);
		break;
	default:
		if (c->feed->words && change_below(c, 8))
			put_word(c, b);
		else
			put_extreme(c, b);
	}
}

void change_some(struct change *c, struct bytes *b)
{
	size_t n = 1 + change_below(c, b->size < 300 ? 2 : 6); /* little is left of a short text after six */

	while (n-- && b->size)
		change_once(c, b);
}
