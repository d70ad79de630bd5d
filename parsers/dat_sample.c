// SPDX-License-Identifier: GPL-2.0-or-later
/* How much a trace.dat holds, from a look at a few of its pages: for the windows of a huge one. */
#include "parsers/dat_page.h"
#include "parsers/dat_stream.h"
#include "parsers/dat_walk.h"
#include "parsers/survey.h"

#define LOOKS_PER_RANGE 8 /* pages, or compressed pieces */
#define LOOKS_IN_ALL 512  /* of many CPUs each has fewer, but its first and last one */

struct survey {
	struct dat *d;
	int looks; /* per range */
	struct survey_result is;
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
		survey_time(&v->is, dat_ns(d, r.ts));
		if (r.size >= 2)
			v->seen_events += d->events.inside[d->events.of_id[load16(r.data, d->be)]];
	}
}

static uint64_t look_at_pages(struct survey *v, const struct dat_buffer *b, const struct dat_range *r)
{
	uint64_t pages = r->size / b->page_size;
	struct dat_stream s;

	for (int k = 0; k < v->looks && pages; k++) {
		struct dat_range one = {.off = r->off + survey_place(pages, k, v->looks) * b->page_size,
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
		if (i != survey_place(count, k, v->looks)) {
			stream_pass(&s);
			continue;
		}
		look_at_piece(v, &s);
		while (k < v->looks && survey_place(count, k, v->looks) <= i)
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
	v->is.bytes += pages * b->page_size;
	/* by bytes: the last page is hardly ever full */
	if (v->seen_bytes)
		v->is.events += (double)v->seen_events * (double)pages * b->page_size / (double)v->seen_bytes;
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

/* sizes by the file's own table: a big enough file may hold enough, packed or not */
static bool may_be_huge(const struct dat *d)
{
	return d->opt->sample_above && (d->codec != CODEC_NONE || dat_size(d) > d->opt->sample_above);
}

void dat_sample(struct dat *d, struct trace *t)
{
	struct survey v = {.d = d, .is = SURVEY_EMPTY};

	if (!may_be_huge(d))
		return;
	look_around(&v);
	d->sampled = survey_windows(t, &v.is, d->opt);
}
