// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dat_walk.h"
#include "parsers/dat_source.h"

#include <stdlib.h>

#define AHEAD 2048 /* bytes: a mapped page is not in any cache, and one record leads to the next */

bool dat_chosen(const struct dat *d, const struct dat_buffer *b)
{
	return !b->text && (!d->opt->instance || !strcmp(d->opt->instance, b->name));
}

static void add_foreign(struct dat_lane *l, const struct event *ev)
{
	if (ev->obj >= (uint64_t)l->t->ncpus) {
		l->bad_records++;
		return;
	}
	GROW(l->foreign, l->nforeign, l->foreign_cap);
	l->foreign[l->nforeign++] = *ev;
}

static void admit_visitors(struct dat_lane *l, int64_t until_ns)
{
	while (l->nvisitors && l->visitor->at_ns <= until_ns) {
		trace_add(l->t, l->visitor++);
		l->nvisitors--;
	}
}

/* a record of a wanted kind */
static __attribute__((noinline)) void wanted(struct dat_lane *l, const struct dat_slot *slot, uint64_t ts,
	const uint8_t *data, uint32_t size)
{
	struct event ev = {.kind = slot->kind, .cpu = (uint16_t)l->cpu, .at_ns = dat_ns(l->d, ts)};

	if (size < slot->min_size) {
		l->bad_records++;
		return;
	}
	if (l->t->nwindows && !l->d->events.anywhere[slot - l->d->events.slot + 1] &&
		!trace_in_window(l->t, &l->t->cpu[l->cpu], ev.at_ns))
		return;
	if (slot->quick)
		dat_event_quick(slot, data, l->d->be, &ev);
	else if (!dat_event_decode(slot, data, size, l->d->be, l->d->word, &l->names, &ev))
		return;
	if (l->nvisitors)
		admit_visitors(l, ev.at_ns);
	if ((ev.kind == EV_IDLE || ev.kind == EV_MISS) && ev.obj != (uint64_t)l->cpu)
		add_foreign(l, &ev);
	else
		trace_add(l->t, &ev);
}

/* most records wanted are idle events: straight into the periods, where nothing else is to be done */
ALWAYS_INLINE bool idle_record(struct dat_lane *l, const struct dat_slot *slot, uint64_t ts,
	const uint8_t *data, uint32_t size, bool be)
{
	if (size < slot->min_size || load32(data + slot->at[COL_OBJ], be) != (uint32_t)l->cpu)
		return false;
	trace_idle(l->own, dat_ns(l->d, ts), (int32_t)load32(data + slot->at[COL_A], be),
		(int32_t)load32(data + slot->at[COL_PID], be), data[slot->at[COL_FLAGS]]);
	return true;
}

ALWAYS_INLINE void one_record(struct dat_lane *l, const struct dat_events *e, const struct record *r, bool be)
{
	uint32_t slot;

	if (__builtin_expect(r->size < 2, 0)) {
		l->bad_records++;
		return;
	}
	slot = e->of_id[load16(r->data, be)];
	if (!slot)
		return;
	l->seen[slot] = true;
	if (slot == l->idle_slot && idle_record(l, &e->slot[slot - 1], r->ts, r->data, r->size, be))
		return;
	if (l->wants[slot])
		wanted(l, &e->slot[slot - 1], r->ts, r->data, r->size);
}

/* the hole ends where the next record is known, or nowhere */
static void end_hole(struct dat_lane *l, struct dat_source *s, uint64_t ts, bool known)
{
	uint64_t from = s->any ? s->last_ts : ts, to = known ? ts : from;

	if (s->lost > 0)
		l->lost += (uint64_t)s->lost;
	else
		l->lost_unknown++;
	if (s->any || known)
		trace_hole(l->t, l->cpu, dat_ns(l->d, from), dat_ns(l->d, to), s->lost);
	s->hole = false;
}

static void note_span(struct dat_lane *l, const struct dat_source *s, uint64_t first_ts)
{
	if (first_ts < l->first_ts)
		l->first_ts = first_ts;
	if (s->last_ts > l->last_ts)
		l->last_ts = s->last_ts;
}

/* the fast way: one buffer only, a page in one go */
ALWAYS_INLINE void walk_page(struct dat_lane *l, struct dat_source *s, const uint8_t *page, bool be, int word)
{
	struct page_walk w;
	struct record r = {.data = NULL};
	int64_t lost;
	uint64_t first, records = 0;
	enum walk_result got;

	if (!page_open(&w, page, s->stream.buffer->page_size, be, word, &lost)) {
		dat_source_bad(s);
		return;
	}
	if (lost)
		dat_source_hole(s, lost);
	got = page_next(&w, &r, be);
	first = w.ts;
	if (s->hole && got == WALK_RECORD)
		end_hole(l, s, first, true);
	while (got == WALK_RECORD) {
		__builtin_prefetch(w.p + AHEAD);
		records++;
		one_record(l, &l->d->events, &r, be);
		got = page_next(&w, &r, be);
	}
	if (records) {
		l->records += records;
		s->any = true;
		s->last_ts = r.ts;
		note_span(l, s, first);
	}
	if (got == WALK_BAD)
		dat_source_bad(s);
}

/* a page that lies between two windows as a whole: most of its records are passed over */
static void choose_wants(struct dat_lane *l, const uint8_t *page, const uint8_t *next, uint32_t size)
{
	const struct dat *d = l->d;
	const struct trace *t = l->t;
	struct cpu_trace *c = &l->t->cpu[l->cpu];
	bool touches = trace_in_window(t, c, dat_ns(d, load64(page, d->be)));

	if (!touches && c->window < t->nwindows)
		touches = !next || dat_ns(d, load64(next, d->be)) >= t->window[c->window].from_ns;
	/* the page after it is looked at from the next one */
	if (next)
		__builtin_prefetch(next + size);
	l->wants = touches ? d->events.inside : d->events.anywhere;
	l->idle_slot = touches ? 0 : l->outside_slot;
}

static void walk_pages(struct dat_lane *l, struct dat_source *s)
{
	uint32_t size = s->stream.buffer->page_size;
	const uint8_t *p = s->stream.page, *end = p + s->stream.npages * size;

	for (; p < end; p += size) {
		if (l->t->nwindows)
			choose_wants(l, p, p + size < end ? p + size : NULL, size);
		if (!l->d->be && l->d->word == 8)
			walk_page(l, s, p, false, 8);
		else if (!l->d->be)
			walk_page(l, s, p, false, 4);
		else if (l->d->word == 8)
			walk_page(l, s, p, true, 8);
		else
			walk_page(l, s, p, true, 4);
	}
}

static void walk_one(struct dat_lane *l, struct dat_source *s)
{
	enum stream_result got;

	while ((got = stream_block(&s->stream)) != STREAM_END && dat_source_tick(s)) {
		if (got == STREAM_DAMAGED)
			dat_source_bad(s);
		else
			walk_pages(l, s);
	}
}

static void take_record(struct dat_lane *l, struct dat_source *s)
{
	if (s->hole)
		end_hole(l, s, s->rec.ts, true);
	l->records++;
	one_record(l, &l->d->events, &s->rec, l->d->be);
	s->any = true;
	s->last_ts = s->rec.ts;
	note_span(l, s, s->rec.ts);
}

static void merge(struct dat_lane *l, struct dat_source *all, int count)
{
	struct dat_source *heap[DAT_BUFFERS_MAX];
	int n = 0;

	for (int i = 0; i < count; i++)
		if (dat_source_next(&all[i]))
			heap[n++] = &all[i];
	dat_heap_make(heap, n);
	while (n) {
		take_record(l, heap[0]);
		if (!dat_source_next(heap[0]))
			heap[0] = heap[--n];
		if (n)
			dat_heap_sift(heap, n, 0);
	}
}

static int open_sources(struct dat_lane *l, struct dat_source *s)
{
	int n = 0;

	for (int i = 0; i < l->d->nbuffers; i++) {
		const struct dat_buffer *b = &l->d->buffer[i];

		for (int k = 0; k < b->nranges && dat_chosen(l->d, b); k++) {
			if (b->range[k].cpu != l->cpu || !b->range[k].size || n == DAT_BUFFERS_MAX)
				continue;
			dat_source_open(&s[n], l->d, b, &b->range[k]);
			s[n].tick = l->tick;
			s[n].tick_ctx = l->tick_ctx;
			n++;
		}
	}
	return n;
}

/* visitors, and events that are kept to be ordered among others, go the long way */
static void settle_idle(struct dat_lane *l)
{
	const struct dat_events *e = &l->d->events;

	l->own = &l->t->cpu[l->cpu];
	l->outside_slot = 0;
	for (int i = 0; i < e->nslots && !l->nvisitors; i++)
		if (e->slot[i].quick && e->slot[i].wanted)
			l->outside_slot = (uint32_t)i + 1;
	l->idle_slot = trace_keeps_idle(l->t) ? 0 : l->outside_slot;
}

void lane_walk(struct dat_lane *l)
{
	struct dat_source *s = xcalloc(DAT_BUFFERS_MAX, sizeof(*s));
	int n = open_sources(l, s);

	l->first_ts = UINT64_MAX;
	settle_idle(l);
	if (n == 1)
		walk_one(l, s);
	else
		merge(l, s, n);
	for (int i = 0; i < n; i++) {
		if (s[i].hole)
			end_hole(l, &s[i], s[i].last_ts, false);
		l->bad_pages += s[i].bad_pages;
		dat_source_close(&s[i]);
	}
	admit_visitors(l, INT64_MAX);
	free(s);
}

void dat_lane_free(struct dat_lane *l)
{
	names_free(&l->names);
	free(l->foreign);
}
