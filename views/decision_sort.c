// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/decision_sort.h"

#include <stdlib.h>
#include <string.h>

#define BYTES 8

struct keyed {
	uint64_t key; /* ordered as unsigned */
	struct decision_item item;
};

struct sorter {
	struct keyed *a, *b;
	size_t n, added;
	int byte; /* the next to sort by, from the lowest */
	uint64_t differ; /* bits that are not the same in all keys */
};

struct sorter *sorter_new(size_t n)
{
	struct sorter *s = xcalloc(1, sizeof(*s));

	s->a = xcalloc(n, sizeof(*s->a));
	s->b = xcalloc(n, sizeof(*s->b));
	s->n = n;
	return s;
}

size_t sorter_added(const struct sorter *s)
{
	return s->added;
}

void sorter_add(struct sorter *s, int64_t key, struct decision_item item, bool up)
{
	uint64_t k = (uint64_t)key ^ (1ULL << 63);

	s->a[s->added] = (struct keyed){.key = up ? k : ~k, .item = item};
	s->differ |= s->a[s->added].key ^ s->a[0].key;
	s->added++;
}

static void sort_by(struct sorter *s, int shift)
{
	size_t start[257] = {0};
	struct keyed *t = s->a;

	for (size_t i = 0; i < s->n; i++)
		start[(s->a[i].key >> shift & 0xff) + 1]++;
	for (int v = 0; v < 256; v++)
		start[v + 1] += start[v];
	for (size_t i = 0; i < s->n; i++)
		s->b[start[s->a[i].key >> shift & 0xff]++] = s->a[i];
	s->a = s->b;
	s->b = t;
}

bool sorter_pass(struct sorter *s)
{
	while (s->byte < BYTES && !(s->differ >> 8 * s->byte & 0xff))
		s->byte++;
	if (s->byte == BYTES)
		return false;
	sort_by(s, 8 * s->byte++);
	return true;
}

void sorter_take(const struct sorter *s, struct decision_item *out)
{
	for (size_t i = 0; i < s->n; i++)
		out[i] = s->a[i].item;
}

void sorter_free(struct sorter *s)
{
	if (!s)
		return;
	free(s->a);
	free(s->b);
	free(s);
}
