// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The beginning of a big recording. Buffers lie one behind the other in the file, so to see a stretch of
 * time of all CPUs, of each buffer the same share is read: that many bytes are about that much time.
 */
#include "parsers/dat_head.h"
#include "parsers/dat_walk.h"

#define PACKED_SHARE 8 /* unpacking takes several times as long as walking, and makes several times the bytes */

/* the buffer to read, when there is one only: the ends of several would have to be matched */
static struct dat_buffer *only_buffer(struct dat *d)
{
	struct dat_buffer *one = NULL;

	for (int i = 0; i < d->nbuffers; i++) {
		if (!dat_chosen(d, &d->buffer[i]))
			continue;
		if (one)
			return NULL;
		one = &d->buffer[i];
	}
	return one;
}

void dat_head(struct dat *d)
{
	struct dat_buffer *b = d->opt->head ? only_buffer(d) : NULL;
	uint64_t size = 0, most = d->opt->head;

	for (int k = 0; b && k < b->nranges; k++)
		size += b->range[k].size;
	if (b && b->compressed)
		most /= PACKED_SHARE;
	if (size <= most)
		return;
	for (int k = 0; k < b->nranges; k++)
		b->range[k].enough = 1 + (uint64_t)((double)b->range[k].size * (double)most / (double)size);
}

static void cut_cpu(struct cpu_trace *c, int64_t end_ns)
{
	while (c->nevs && c->ev[c->nevs - 1].at_ns > end_ns)
		c->nevs--;
	if (c->open && c->open_enter_ns >= end_ns)
		c->open = false;
	while (c->nperiods && c->period[c->nperiods - 1].exit_ns > end_ns) {
		const struct period *p = &c->period[--c->nperiods];

		if (p->enter_ns >= end_ns)
			continue;
		c->open = true;
		c->open_enter_ns = p->enter_ns;
		c->open_state = p->state;
		c->open_flags = 0;
	}
	c->last_ns = min64(c->last_ns, end_ns);
}

static bool was_left(const struct dat *d, int cpu)
{
	bool left = false;

	for (int i = 0; i < d->nbuffers; i++)
		for (int k = 0; k < d->buffer[i].nranges; k++)
			left = left || (d->buffer[i].range[k].cpu == cpu && d->buffer[i].range[k].left);
	return left;
}

/*
 * The trace ends where the CPU that was followed furthest was left; what is past it is of CPUs with little
 * to read. What the others did from where they were left is not known.
 */
void dat_head_end(const struct dat *d, struct trace *t)
{
	int64_t end = INT64_MIN;

	for (int i = 0; i < t->ncpus; i++)
		if (was_left(d, i))
			end = max64(end, t->cpu[i].last_ns);
	t->cut_short = end != INT64_MIN;
	for (int i = 0; i < t->ncpus && t->cut_short; i++) {
		struct cpu_trace *c = &t->cpu[i];

		if (!was_left(d, i))
			cut_cpu(c, end);
		else if (c->last_ns < end)
			trace_hole(t, i, max64(c->last_ns, t->cpu[i].first_ns), end, 0);
	}
}
