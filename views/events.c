// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/events.h"

#include <stdlib.h>
#include <string.h>

void event_chunk_free(struct event_chunk *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->line[i].text);
	free(c->line);
	memset(c, 0, sizeof(*c));
}

void event_chunk_add(struct event_chunk *c, int64_t at_ns, int cpu, const char *text, size_t len, size_t body)
{
	char *copy = xcalloc(len + 1, 1);

	memcpy(copy, text, len);
	GROW(c->line, c->n, c->cap);
	c->line[c->n++] = (struct event_line){at_ns, copy, (uint16_t)cpu,
		(uint16_t)(body > len ? 0 : body > UINT16_MAX ? 0 : body)};
	/* texts may go back in time by a little */
	for (size_t i = c->n - 1; i > 0 && c->line[i - 1].at_ns > at_ns; i--) {
		struct event_line late = c->line[i];

		c->line[i] = c->line[i - 1];
		c->line[i - 1] = late;
	}
}

static void drop(struct event_chunk *c, size_t from, size_t n)
{
	for (size_t i = from; i < from + n; i++)
		free(c->line[i].text);
	memmove(c->line + from, c->line + from + n, (c->n - from - n) * sizeof(*c->line));
	c->n -= n;
}

void event_chunk_keep(struct event_chunk *c, size_t n, bool oldest)
{
	size_t from = oldest ? c->n - n : 0, to = oldest ? c->n : n;

	if (c->n <= n)
		return;
	if (oldest) {
		int64_t cut = c->line[from - 1].at_ns;

		while (from < to - 1 && c->line[from].at_ns == cut)
			from++;
		c->from_ns = cut + 1;
		drop(c, 0, from);
	} else {
		int64_t cut = c->line[to].at_ns;

		while (to > 1 && c->line[to - 1].at_ns == cut)
			to--;
		c->to_ns = cut;
		drop(c, to, c->n - to);
	}
}

void event_chunk_join(struct event_chunk *c, struct event_chunk *more, bool after)
{
	size_t at = after ? c->n : 0, n = more->n;

	while (c->cap < c->n + n) {
		c->cap = (c->n + n) * 2;
		c->line = xrealloc(c->line, c->cap, sizeof(*c->line));
	}
	if (n) {
		memmove(c->line + at + n, c->line + at, (c->n - at) * sizeof(*c->line));
		memcpy(c->line + at, more->line, n * sizeof(*c->line));
	}
	c->n += n;
	c->from_ns = min64(c->from_ns, more->from_ns);
	c->to_ns = max64(c->to_ns, more->to_ns);
	more->n = 0; /* the lines are the list's now */
	event_chunk_free(more);
}

size_t event_chunk_at(const struct event_chunk *c, int64_t at_ns)
{
	size_t lo = 0, hi = c->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->line[mid].at_ns < at_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
