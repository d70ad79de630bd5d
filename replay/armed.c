// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/armed.h"

#include <stdlib.h>
#include <string.h>

void armed_add(struct armed *a, int64_t from_ns, int64_t to_ns, int64_t expires_ns)
{
	if (to_ns <= from_ns)
		return;
	GROW(a->t, a->n, a->cap);
	a->t[a->n++] = (struct armed_timer){from_ns, to_ns, expires_ns};
}

static int by_from(const void *x, const void *y)
{
	const struct armed_timer *a = x, *b = y;

	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	return (a->expires_ns > b->expires_ns) - (a->expires_ns < b->expires_ns);
}

void armed_sort(struct armed *a)
{
	if (a->n)
		qsort(a->t, a->n, sizeof(*a->t), by_from);
	a->next = a->nheap = 0;
	a->asked_ns = INT64_MIN;
}

static bool earlier(const struct armed *a, size_t i, size_t j)
{
	return a->t[a->heap[i]].expires_ns < a->t[a->heap[j]].expires_ns;
}

static void swap(struct armed *a, size_t i, size_t j)
{
	uint32_t h = a->heap[i];

	a->heap[i] = a->heap[j];
	a->heap[j] = h;
}

static void push(struct armed *a, uint32_t timer)
{
	size_t i = a->nheap;

	GROW(a->heap, a->nheap, a->heap_cap);
	a->heap[a->nheap++] = timer;
	for (; i && earlier(a, i, (i - 1) / 2); i = (i - 1) / 2)
		swap(a, i, (i - 1) / 2);
}

static void pop(struct armed *a)
{
	size_t i = 0, child;

	a->heap[0] = a->heap[--a->nheap];
	while ((child = 2 * i + 1) < a->nheap) {
		if (child + 1 < a->nheap && earlier(a, child + 1, child))
			child++;
		if (!earlier(a, child, i))
			break;
		swap(a, i, child);
		i = child;
	}
}

static void begin_until(struct armed *a, int64_t at_ns)
{
	while (a->next < a->n && a->t[a->next].from_ns <= at_ns)
		push(a, (uint32_t)a->next++);
}

int64_t armed_next(struct armed *a, int64_t at_ns)
{
	/* handlers of neighbouring wakes overlap by a little: asking for the later time is the
	 * truth */
	at_ns = a->asked_ns = max64(at_ns, a->asked_ns);
	begin_until(a, at_ns);
	while (a->nheap && a->t[a->heap[0]].to_ns <= at_ns)
		pop(a);
	return a->nheap ? a->t[a->heap[0]].expires_ns : INT64_MAX;
}

void armed_disprove(struct armed *a, int64_t since_ns, int64_t bound_ns)
{
	begin_until(a, since_ns);
	while (a->nheap && a->t[a->heap[0]].expires_ns < bound_ns &&
		a->t[a->heap[0]].from_ns <= since_ns)
		pop(a);
}

void armed_free(struct armed *a)
{
	free(a->t);
	free(a->heap);
	memset(a, 0, sizeof(*a));
}
