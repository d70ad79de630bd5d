// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dat_raw.h"
#include "parsers/dat_source.h"
#include "parsers/dat_walk.h"

#include <stdlib.h>

struct dat_raw {
	struct dat d;
	struct raw_format *format;
	struct dat_source *source;
	const struct dat_range **range; /* of each source */
	struct dat_source **heap;
	int nsources, nheap, ncpus;
	bool started; /* heap[0] was handed out */
	int64_t origin_ns;
};

static void open_buffer(struct dat_raw *r, const struct dat_buffer *b, const bool *cpu, int ncpus)
{
	for (int k = 0; k < b->nranges; k++) {
		struct dat_range *range = &b->range[k];

		r->ncpus = range->cpu >= r->ncpus ? range->cpu + 1 : r->ncpus;
		if (!range->size || (cpu && (range->cpu >= ncpus || !cpu[range->cpu])))
			continue;
		r->range[r->nsources] = range;
		dat_source_open(&r->source[r->nsources++], &r->d, b, range);
	}
}

static int count_ranges(const struct dat *d)
{
	int n = 0;

	for (int i = 0; i < d->nbuffers; i++)
		n += d->buffer[i].nranges;
	return n;
}

static void take_first(struct dat_raw *r)
{
	r->nheap = 0;
	for (int i = 0; i < r->nsources; i++)
		if (dat_source_next(&r->source[i]))
			r->heap[r->nheap++] = &r->source[i];
	dat_heap_make(r->heap, r->nheap);
}

static void start(struct dat_raw *r, const bool *cpu, int ncpus)
{
	int most = count_ranges(&r->d);

	r->source = xcalloc((size_t)most, sizeof(*r->source));
	r->range = xcalloc((size_t)most, sizeof(struct dat_range *));
	r->heap = xcalloc((size_t)most, sizeof(struct dat_source *));
	for (int i = 0; i < r->d.nbuffers; i++)
		if (dat_chosen(&r->d, &r->d.buffer[i]))
			open_buffer(r, &r->d.buffer[i], cpu, ncpus);
	take_first(r);
	if (r->nheap)
		r->origin_ns = dat_ns(&r->d, r->heap[0]->rec.ts);
}

struct dat_raw *dat_raw_open(const struct opened *o, const struct parse_options *opt, const bool *cpu,
	int ncpus, struct error *err)
{
	struct dat_raw *r = xcalloc(1, sizeof(*r));

	if (dat_open(&r->d, &o->in, opt, err)) {
		dat_raw_close(r);
		return NULL;
	}
	start(r, cpu, ncpus);
	return r;
}

void dat_raw_close(struct dat_raw *r)
{
	for (int i = 0; i < r->nsources; i++)
		dat_source_close(&r->source[i]);
	free(r->source);
	free(r->range);
	free(r->heap);
	free(r->format);
	dat_close(&r->d);
	free(r);
}

/* when a page begins, by its head; INT64_MAX when it cannot be read */
static int64_t page_begins(const struct dat_raw *r, const struct dat_range *range, uint64_t page, uint32_t size)
{
	uint8_t head[8];

	if (!dat_pread(&r->d, head, range->off + page * size, sizeof(head)))
		return INT64_MAX;
	return dat_ns(&r->d, load64(head, r->d.be));
}

/* the last page of a range that begins before a time; 0 where the pages' times are not in order */
static uint64_t page_before(const struct dat_raw *r, const struct dat_range *range, uint32_t size,
	int64_t from_ns)
{
	uint64_t lo = 0, hi = range->size / size;

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (page_begins(r, range, mid, size) < from_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && page_begins(r, range, lo - 1, size) < from_ns ? lo - 1 : 0;
}

void dat_raw_seek(struct dat_raw *r, int64_t from_ns)
{
	for (int i = 0; i < r->nsources; i++) {
		struct dat_source *s = &r->source[i];
		const struct dat_buffer *b = s->stream.buffer;
		struct dat_range rest = *r->range[i];

		if (!b->compressed && b->page_size) {
			uint64_t skip = page_before(r, &rest, b->page_size, from_ns) * b->page_size;

			rest.off += skip;
			rest.size -= skip;
		}
		dat_source_close(s);
		dat_source_open(s, &r->d, b, &rest);
	}
	take_first(r);
}

bool dat_raw_next(void *raw, struct raw_event *ev)
{
	struct dat_raw *r = raw;
	struct dat_source *s;

	if (r->started) {
		r->heap[0]->hole = false;
		if (!dat_source_next(r->heap[0]))
			r->heap[0] = r->heap[--r->nheap];
		if (r->nheap)
			dat_heap_sift(r->heap, r->nheap, 0);
	}
	r->started = true;
	if (!r->nheap)
		return false;
	s = r->heap[0];
	*ev = (struct raw_event){.at_ns = dat_ns(&r->d, s->rec.ts), .cpu = s->cpu,
		.data = s->rec.data, .size = s->rec.size, .buffer = s->stream.buffer->name,
		.lost = s->hole ? s->lost : 0};
	return true;
}

static struct raw_text text_of(struct dat *d, enum dat_id id)
{
	struct cursor c = dat_text(d, id);

	return (struct raw_text){(const char *)c.p, cursor_left(&c)};
}

void dat_raw_world(struct dat_raw *r, struct raw_world *w)
{
	struct dat *d = &r->d;

	r->format = xcalloc((size_t)d->nformats, sizeof(*r->format));
	for (int i = 0; i < d->nformats; i++)
		r->format[i] = (struct raw_format){d->format[i].system,
			{d->format[i].text, d->format[i].len}};
	*w = (struct raw_world){.be = d->be, .word = d->word, .format = r->format,
		.nformats = d->nformats, .kallsyms = text_of(d, DAT_KALLSYMS),
		.printk = text_of(d, DAT_PRINTK), .cmdlines = text_of(d, DAT_CMDLINES)};
}

int dat_raw_cpus(const struct dat_raw *r)
{
	return r->ncpus;
}

int64_t dat_raw_origin(const struct dat_raw *r)
{
	return r->origin_ns;
}
