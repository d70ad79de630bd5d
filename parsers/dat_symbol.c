// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dat_symbol.h"

#include <stdlib.h>
#include <string.h>

/* a function longer than this does not exist: what is further away is not inside it */
#define FUNCTION_MAX (1U << 20)

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

size_t symbol_sort(struct symbol *s, size_t n)
{
	size_t k = 0;

	if (n)
		qsort(s, n, sizeof(*s), by_address);
	for (size_t i = 0; i < n; i++)
		if (!k || s[k - 1].address != s[i].address)
			s[k++] = s[i];
	return k;
}

/* the first entry whose address is at or behind the given one */
static size_t lower_bound(const struct symbol *s, size_t n, uint64_t address)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s[mid].address < address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct symbol *symbol_find(const struct symbol *s, size_t n, uint64_t address)
{
	size_t i = lower_bound(s, n, address);

	return i < n && s[i].address == address ? &s[i] : NULL;
}

static const char *hex(const char *p, const char *end, uint64_t *out)
{
	uint64_t v = 0;

	for (; p < end; p++) {
		unsigned int c = (unsigned char)*p, digit = c - '0';

		if (digit > 9) {
			digit = (c | 0x20) - 'a' + 10;
			if (digit < 10 || digit > 15)
				break;
		}
		v = v << 4 | digit;
	}
	*out = v;
	return p;
}

static void offer(struct symbol *s, uint64_t address, const char *name, const char *end)
{
	uint32_t len = 0;

	while (name + len < end && name[len] != ' ' && name[len] != '\t')
		len++;
	s->found = address;
	s->name = name;
	s->len = len;
}

void symbol_functions(struct symbol *s, size_t n, const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	while (n && p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p)), *rest;
		uint64_t address;
		size_t i;

		if (!nl)
			nl = end;
		rest = hex(p, nl, &address);
		i = lower_bound(s, n, address);
		/* " T name"; of several at one place the first counts; absolute ones and $x are no functions */
		if (address && nl - rest > 3 && rest[1] != 'A' && rest[3] != '$' && i < n &&
			address > s[i].found)
			offer(&s[i], address, rest + 3, nl);
		p = nl + 1;
	}
	for (size_t i = 1; i < n; i++)
		if (s[i].found < s[i - 1].found)
			offer(&s[i], s[i - 1].found, s[i - 1].name, s[i - 1].name + s[i - 1].len);
	for (size_t i = 0; i < n; i++)
		if (s[i].name && s[i].address - s[i].found >= FUNCTION_MAX)
			s[i].name = NULL;
}

void symbol_strings(struct symbol *s, size_t n, const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	while (n && p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p)), *quote, *last;
		uint64_t address;
		size_t i;

		if (!nl)
			nl = end;
		quote = memchr(p, '"', (size_t)(nl - p));
		last = quote ? memrchr(p, '"', (size_t)(nl - p)) : NULL;
		hex(nl - p > 2 && p[1] == 'x' ? p + 2 : p, nl, &address);
		i = lower_bound(s, n, address);
		if (quote && last > quote && i < n && s[i].address == address) {
			s[i].name = quote + 1;
			s[i].len = (uint32_t)(last - quote - 1);
		}
		p = nl + 1;
	}
}
