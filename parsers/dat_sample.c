// SPDX-License-Identifier: GPL-2.0-or-later
/* Which windows of a huge recording are kept, from a look at a few of its pages. */
#include "parsers/dat_page.h"
#include "parsers/dat_stream.h"
#include "parsers/dat_walk.h"

#include <math.h>

#define LOOKS_PER_RANGE 8 /* pages, or compressed pieces */
#define LOOKS_IN_ALL 512  /* of many CPUs each has fewer, but its first and last one */
#define SHARE 200	  /* one event in so many */
#define EVENTS_MIN 50000 /* but not fewer: shares of wakes are known to a percent or so then */
#define ROOM_MAX 1e6 /* events to make room for at once: how many there will be is what the file claims */
#define TIME_MAX (INT64_MAX / 2) /* clocks that count from 1970 included; beyond it they are broken */
#define WINDOWS_MIN 8 /* a recording has phases */
#define WINDOW_NS (25 * NSEC_PER_MSEC) /* some ticks: shorter ones know few timers */

struct survey {
	struct dat *d;
	int looks; /* per range */
	uint64_t bytes;
	double events; /* wanted ones, estimated */
	int64_t from_ns, to_ns;
	/* of the range at hand: bytes of records looked at, and the wanted events in them */
	uint64_t seen_bytes, seen_events;
};

static void look_at(struct survey *v, const uint8_t *page, uint32_t size)
{
	const struct dat *d = v->d;
	struct page_walk w;
	struct record r;
	int64_t lost;

	if (!page_open(&w, page, size, d->be, d->word, &lost))
		return;
	v->seen_bytes += (uint64_t)(w.end - w.p);
	while (page_next(&w, &r, d->be) == WALK_RECORD) {
		int64_t at_ns = dat_ns(d, r.ts);

		v->from_ns = min64(v->from_ns, at_ns);
		v->to_ns = max64(v->to_ns, at_ns);
		if (r.size >= 2)
			v->seen_events += d->events.inside[d->events.of_id[load16(r.data, d->be)]];
	}
}

/* the k-th of n evenly spread places among count, the first and the last included */
static uint64_t place(uint64_t count, int k, int n)
{
	return n > 1 ? (uint64_t)((count - 1) * (double)k / (n - 1) + 0.5) : 0;
}

static uint64_t look_at_pages(struct survey *v, const struct dat_buffer *b, const struct dat_range *r)
{
	uint64_t pages = r->size / b->page_size;
	struct dat_stream s;

	for (int k = 0; k < v->looks && pages; k++) {
		struct dat_range one = {.off = r->off + place(pages, k, v->looks) * b->page_size,
			.size = b->page_size, .cpu = r->cpu};

		stream_open(&s, v->d, b, &one);
		if (stream_block(&s) == STREAM_PAGES)
			look_at(v, s.page, b->page_size);
		stream_close(&s);
	}
	return pages;
}

static void look_at_piece(struct survey *v, struct dat_stream *s)
{
	uint32_t size = s->buffer->page_size;

	if (stream_block(s) != STREAM_PAGES || !s->npages)
		return;
	look_at(v, s->page, size);
	look_at(v, s->page + (s->npages - 1) * size, size);
}

static uint64_t look_at_pieces(struct survey *v, const struct dat_buffer *b, struct dat_range *r)
{
	uint64_t pages = 0, count = 0, n;
	struct dat_stream s;
	int k = 0;

	stream_open(&s, v->d, b, r);
	for (; (n = stream_pass(&s)); count++)
		pages += n;
	stream_close(&s);
	stream_open(&s, v->d, b, r);
	for (uint64_t i = 0; i < count; i++) {
		if (i != place(count, k, v->looks)) {
			stream_pass(&s);
			continue;
		}
		look_at_piece(v, &s);
		while (k < v->looks && place(count, k, v->looks) <= i)
			k++;
	}
	stream_close(&s);
	return pages;
}

static void look_at_range(struct survey *v, const struct dat_buffer *b, struct dat_range *r)
{
	uint64_t pages;

	v->seen_bytes = v->seen_events = 0;
	pages = b->compressed ? look_at_pieces(v, b, r) : look_at_pages(v, b, r);
	v->bytes += pages * b->page_size;
	/* by bytes: the last page is hardly ever full */
	if (v->seen_bytes)
		v->events += (double)v->seen_events * (double)pages * b->page_size / (double)v->seen_bytes;
}

static void look_around(struct survey *v)
{
	const struct dat *d = v->d;
	int ranges = 0;

	for (int i = 0; i < d->nbuffers; i++)
		if (dat_chosen(d, &d->buffer[i]))
			ranges += d->buffer[i].nranges;
	v->looks = LOOKS_IN_ALL / (ranges + 1);
	v->looks = v->looks > LOOKS_PER_RANGE ? LOOKS_PER_RANGE : v->looks < 2 ? 2 : v->looks;
	for (int i = 0; i < d->nbuffers; i++)
		for (int k = 0; k < d->buffer[i].nranges && dat_chosen(d, &d->buffer[i]); k++)
			look_at_range(v, &d->buffer[i], &d->buffer[i].range[k]);
}

/* evenly spread over [from_ns, to_ns), each in the middle of its part */
static void spread_windows(struct trace *t, int64_t from_ns, int64_t to_ns, double share)
{
	double span = (double)(to_ns - from_ns), length = span * share;
	int n = (int)(length / WINDOW_NS);

	n = n < WINDOWS_MIN ? WINDOWS_MIN : n > WINDOWS_MAX ? WINDOWS_MAX : n;
	for (int i = 0; i < n; i++) {
		double middle = span * (i + 0.5) / n;

		t->window[i] = (struct window){from_ns + (int64_t)(middle - length / n / 2),
			from_ns + (int64_t)(middle + length / n / 2)};
	}
	t->nwindows = n;
}

static int64_t settle_time(const struct parse_time *p, const struct survey *v, int64_t otherwise)
{
	int64_t ns = p->from_start ? v->from_ns + p->ns : p->ns;

	return !p->given ? otherwise : ns < v->from_ns ? v->from_ns : ns > v->to_ns ? v->to_ns : ns;
}

/* sizes by the file's own table: a big enough file may hold enough, packed or not */
static bool may_be_huge(const struct dat *d)
{
	return d->opt->sample_above && (d->codec != CODEC_NONE || dat_size(d) > d->opt->sample_above);
}

/*
 * Of a part of the recording that is small enough every event is kept, and up to a second on both sides:
 * there the timers were armed, and the last periods end.
 */
static void one_window(struct trace *t, const struct survey *v, int64_t from_ns, int64_t to_ns)
{
	double as_much = (double)(v->to_ns - v->from_ns) * (double)v->d->opt->sample_above / (double)v->bytes;
	int64_t around = (int64_t)fmax(as_much / 2, (double)(to_ns - from_ns));

	around = min64(around, NSEC_PER_SEC);
	t->window[0] = (struct window){from_ns - around, to_ns + around};
	t->nwindows = 1;
}

void dat_sample(struct dat *d, struct trace *t)
{
	const struct parse_options *o = d->opt;
	struct survey v = {.d = d, .from_ns = INT64_MAX, .to_ns = INT64_MIN};
	double part, events, wanted;
	int64_t from, to;

	if (!may_be_huge(d))
		return;
	look_around(&v);
	from = settle_time(&o->from, &v, v.from_ns);
	to = settle_time(&o->to, &v, v.to_ns);
	if (v.bytes <= o->sample_above || from >= to || v.from_ns <= -TIME_MAX || v.to_ns >= TIME_MAX)
		return;
	part = (double)(to - from) / (double)(v.to_ns - v.from_ns);
	events = v.events * part;
	wanted = o->sample_events ? (double)o->sample_events : fmax(events / SHARE, EVENTS_MIN);
	if ((double)v.bytes * part > (double)o->sample_above && events >= 2 * wanted) {
		spread_windows(t, from, to, wanted / events);
		d->sampled = (uint64_t)fmin(wanted, ROOM_MAX);
	} else if (part < 1) {
		one_window(t, &v, from, to);
	}
	/* else windows would take in most of it: all of it is simpler */
}
