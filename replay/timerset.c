// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/timerset.h"

#include <stdlib.h>

#define HASH_FUNCTION HASH_JEN
#include <uthash.h>

struct timer_slot {
	struct armed timer; /* first: heaps point here */
	int cpu;
	size_t at; /* in the heap of cpu; SIZE_MAX when disarmed */
	UT_hash_handle hh;
};

static struct timer_slot *slot_of(struct armed *a)
{
	return (struct timer_slot *)a;
}

void timerset_init(struct timerset *s, int ncpus)
{
	*s = (struct timerset){.ncpus = ncpus};
	s->cpu = xcalloc((size_t)ncpus + 1, sizeof(*s->cpu));
}

void timerset_free(struct timerset *s)
{
	struct timer_slot *slot, *next;

	HASH_ITER(hh, s->map, slot, next)
	{
		HASH_DEL(s->map, slot);
		free(slot);
	}
	for (int i = 0; i < s->ncpus; i++)
		free(s->cpu[i].v);
	free(s->cpu);
	*s = (struct timerset){0};
}

/* equal times are told apart by address, so that the result does not depend on the order of arming */
static bool before(const struct armed *a, const struct armed *b)
{
	return a->expires_ns != b->expires_ns ? a->expires_ns < b->expires_ns : a->obj < b->obj;
}

static void put(struct timer_heap *h, size_t i, struct armed *a)
{
	h->v[i] = a;
	slot_of(a)->at = i;
}

static void up(struct timer_heap *h, size_t i)
{
	struct armed *a = h->v[i];

	while (i && before(a, h->v[(i - 1) / 2])) {
		put(h, i, h->v[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	put(h, i, a);
}

static void down(struct timer_heap *h, size_t i)
{
	struct armed *a = h->v[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= h->n)
			break;
		if (child + 1 < h->n && before(h->v[child + 1], h->v[child]))
			child++;
		if (!before(h->v[child], a))
			break;
		put(h, i, h->v[child]);
		i = child;
	}
	put(h, i, a);
}

static void take_out(struct timerset *s, struct timer_slot *slot)
{
	struct timer_heap *h = &s->cpu[slot->cpu];
	size_t i = slot->at;

	if (i == SIZE_MAX)
		return;
	slot->at = SIZE_MAX;
	if (i != --h->n) {
		struct armed *last = h->v[h->n];

		put(h, i, last);
		up(h, i);
		down(h, slot_of(last)->at);
	}
}

void timerset_disarm(struct timerset *s, uint64_t obj)
{
	struct timer_slot *slot;

	HASH_FIND(hh, s->map, &obj, sizeof(obj), slot);
	if (slot)
		take_out(s, slot);
}

void timerset_arm(struct timerset *s, int cpu, const struct armed *timer)
{
	struct timer_heap *h;
	struct timer_slot *slot;

	if (cpu < 0 || cpu >= s->ncpus)
		return;
	HASH_FIND(hh, s->map, &timer->obj, sizeof(timer->obj), slot);
	if (!slot) {
		slot = xcalloc(1, sizeof(*slot));
		slot->timer.obj = timer->obj;
		slot->at = SIZE_MAX;
		HASH_ADD(hh, s->map, timer.obj, sizeof(timer->obj), slot);
	}
	take_out(s, slot);
	slot->timer = *timer;
	slot->cpu = cpu;
	h = &s->cpu[cpu];
	GROW(h->v, h->n, h->cap);
	h->v[h->n] = &slot->timer;
	slot->at = h->n;
	up(h, h->n++);
}
