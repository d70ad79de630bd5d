// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Version 7 says only at its end where each CPU's pages are. In a file that lost its end the pages
 * still follow the last options, CPU after CPU, each at the start of a page: with --partial they are
 * found by going from one to the next. Without any options the sections are found in the same way. Which CPU they are of is told by their own cpu_idle events.
 */
#include "parsers/dat.h"
#include "parsers/dat_page.h"
#include "parsers/dat_stream.h"

#include <stdlib.h>

static uint64_t page_up(const struct dat *d, uint64_t at)
{
	return (at + d->page_size - 1) & ~(uint64_t)(d->page_size - 1);
}

/* the end of one CPU's compressed pieces; 0 when there are none at this place */
static uint64_t pieces_end(struct dat *d, uint64_t at, uint32_t page)
{
	uint64_t size = dat_size(d);
	uint8_t head[8];
	uint32_t n;

	if (!dat_pread(d, head, at, 4))
		return 0;
	n = load32(head, d->be);
	at += 4;
	if (!n || n > size / 8)
		return 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t packed, unpacked;

		if (!dat_pread(d, head, at, 8))
			return size;
		packed = load32(head, d->be);
		unpacked = load32(head + 4, d->be);
		if (!packed || !unpacked || unpacked % page || unpacked > DAT_CHUNK_MAX)
			return i ? at : 0;
		at += 8 + (uint64_t)packed;
		if (at > size)
			return size;
	}
	return at;
}

/* pages of one CPU follow each other in time: where time steps back the next CPU begins */
static uint64_t pages_end(struct dat *d, uint64_t at, uint32_t page)
{
	uint64_t before = 0;
	uint8_t head[16];

	for (; dat_pread(d, head, at, sizeof(head)) && at + page <= dat_size(d); at += page) {
		uint64_t ts = load64(head, d->be);
		uint32_t commit;

		if (ts < before || !ts || !page_commit(head, page, d->be, d->word, &commit))
			break;
		before = ts;
	}
	return at;
}

static int first_idle_cpu(struct dat *d, const uint8_t *page, uint32_t size)
{
	struct page_walk w;
	struct record r;
	int64_t lost;

	if (!page_open(&w, page, size, d->be, d->word, &lost))
		return -1;
	while (page_next(&w, &r, d->be) == WALK_RECORD) {
		int slot = r.size >= 2 ? d->events.of_id[load16(r.data, d->be)] : 0;
		const struct dat_slot *s = slot ? &d->events.slot[slot - 1] : NULL;
		struct names names = {0};
		struct event ev = {0};
		bool idle = s && s->kind == EV_IDLE && r.size >= s->min_size &&
			    dat_event_decode(s, r.data, r.size, d->be, d->word, &names, &ev);

		names_free(&names);
		if (idle && ev.obj < DAT_CPUS_MAX)
			return (int)ev.obj;
	}
	return -1;
}

/* the CPU that the first idle event of the pages names; -1 when there is none in the first block */
static int cpu_of(struct dat *d, const struct dat_buffer *b, struct dat_range *r)
{
	struct dat_stream s;
	int cpu = -1;

	stream_open(&s, d, b, r);
	if (stream_block(&s) == STREAM_PAGES)
		for (uint64_t i = 0; i < s.npages && cpu < 0; i++)
			cpu = first_idle_cpu(d, s.page + i * b->page_size, b->page_size);
	stream_close(&s);
	return cpu;
}

static bool taken(const struct dat_buffer *b, int cpu)
{
	for (int i = 0; i < b->nranges; i++)
		if (b->range[i].cpu == cpu)
			return true;
	return false;
}

/* numbers after the fact: the formats are needed for it, which are read later than the options */
void dat_recover_cpus(struct dat *d)
{
	for (int i = 0; i < d->nbuffers; i++) {
		struct dat_buffer *b = &d->buffer[i];

		if (!b->recovered)
			continue;
		for (int k = 0; k < b->nranges; k++)
			b->range[k].cpu = -1 - k;
		for (int k = 0; k < b->nranges; k++) {
			int cpu = cpu_of(d, b, &b->range[k]);

			if (cpu >= 0 && !taken(b, cpu))
				b->range[k].cpu = cpu;
		}
		for (int k = 0, cpu = 0; k < b->nranges; k++) {
			while (b->range[k].cpu < 0 && taken(b, cpu))
				cpu++;
			if (b->range[k].cpu < 0)
				b->range[k].cpu = cpu;
		}
	}
}

static void recover_buffer(struct dat *d, uint64_t at, bool compressed)
{
	struct dat_buffer *b = &d->buffer[d->nbuffers];
	uint32_t page = d->page_size;
	int cap = 0;

	memset(b, 0, sizeof(*b));
	snprintf(b->name, sizeof(b->name), "%s", d->nbuffers ? "recovered" : "");
	copy_text(b->clock, sizeof(b->clock), d->clock);
	b->page_size = page;
	b->compressed = compressed;
	b->recovered = true;
	for (at = page_up(d, at); at < dat_size(d) && b->nranges < DAT_CPUS_MAX;) {
		uint64_t end = compressed ? pieces_end(d, at, page) : pages_end(d, at, page);

		if (end <= at + 4)
			break;
		GROW(b->range, b->nranges, cap);
		/* as in the file's own tables: without the count of pieces */
		b->range[b->nranges++] = (struct dat_range){.off = at,
			.size = end - at - (compressed ? 4 : 0)};
		at = page_up(d, end);
	}
	d->nbuffers += b->nranges > 0;
}

bool dat_recover(struct dat *d, uint64_t at)
{
	uint8_t head[16];
	int hops = 0;

	while (at && hops++ < 64 && d->nbuffers < DAT_BUFFERS_MAX && dat_pread(d, head, at, 16)) {
		int id = load16(head, d->be);
		uint64_t len = load64(head + 8, d->be);

		if (id == DAT_BUFFER) {
			recover_buffer(d, at + 16, load16(head + 2, d->be) & 1);
			break;
		}
		if (id >= DAT_IDS || len > dat_size(d) - at - 16)
			break;
		if (!d->section[id])
			d->section[id] = at;
		at += 16 + len;
	}
	d->cut = d->nbuffers > 0;
	return d->cut;
}
