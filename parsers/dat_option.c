// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dat.h"

#include <stdlib.h>

/* option texts need not end in NUL */
static void option_text(char *dst, size_t size, const uint8_t *p, uint32_t len)
{
	size_t n = strnlen((const char *)p, len < size ? len : size - 1);

	memcpy(dst, p, n);
	dst[n] = '\0';
}

/* "[local] global ..." or one bare name: the clock in brackets */
static void clock_name(char *dst, size_t size, const char *text)
{
	const char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

	if (close) {
		size_t n = (size_t)(close - open - 1);

		n = n < size ? n : size - 1;
		memcpy(dst, open + 1, n);
		dst[n] = '\0';
	} else {
		copy_text(dst, size, text);
		dst[strcspn(dst, " \n")] = '\0';
	}
}

static struct dat_buffer *new_buffer(struct dat *d, const char *name)
{
	struct dat_buffer *b;

	if (d->nbuffers == DAT_BUFFERS_MAX)
		return NULL;
	b = &d->buffer[d->nbuffers++];
	memset(b, 0, sizeof(*b));
	copy_text(b->name, sizeof(b->name), name);
	b->page_size = d->sub_size ? d->sub_size : d->page_size;
	return b;
}

/* version 6: the option only says where the instance's own table stands */
static int buffer_v6(struct dat *d, struct cursor *c)
{
	uint64_t off = take64(c), want;
	const char *name = take_string(c);
	struct dat_buffer *b;
	struct cursor table;
	const uint8_t *bytes;

	if (!name)
		return dat_fail(d, c, "a buffer option without a name: the file is damaged");
	want = 10 + 16ULL * DAT_CPUS_MAX;
	if (off < dat_size(d))
		want = want < dat_size(d) - off ? want : dat_size(d) - off;
	bytes = off < dat_size(d) ? dat_view(d, off, want) : NULL;
	b = bytes ? new_buffer(d, name) : NULL;
	if (!b)
		return dat_fail(d, c, "instance \"%s\" should have its data at byte %llu: the file is cut "
			"or damaged", name, (unsigned long long)off);
	table = cursor_make(bytes, want, off, d->be);
	if (want >= 8 && !memcmp(bytes, "latency", 7)) {
		b->text = true;
		b->text_at = off + 10;
		return 0;
	}
	if (want < 10 || memcmp(take(&table, 10), "flyrecord", 9))
		return dat_fail(d, &table, "the data of instance \"%s\" is not here: the file is damaged",
			name);
	return dat_range_table(d, b, &table, d->cpus);
}

static int read_ranges(struct dat *d, struct dat_buffer *b, struct cursor *c)
{
	uint32_t n = take32(c);

	if (c->bad || n > DAT_CPUS_MAX || n * 20ULL > cursor_left(c))
		return dat_fail(d, c, "buffer \"%s\" claims %u CPUs: the file is damaged", b->name, n);
	b->range = xcalloc(n, sizeof(*b->range));
	b->nranges = (int)n;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t cpu = take32(c);

		if (cpu >= DAT_CPUS_MAX)
			return dat_fail(d, c, "buffer \"%s\" names CPU %u: the file is damaged", b->name,
				cpu);
		b->range[i].cpu = (int)cpu;
		b->range[i].off = take64(c);
		b->range[i].size = take64(c);
	}
	return 0;
}

static bool page_size_fits(uint32_t size)
{
	return size >= DAT_PAGE_MIN && size <= DAT_PAGE_MAX && !(size & (size - 1));
}

/* version 7: everything about the buffer is in the option */
static int buffer_v7(struct dat *d, struct cursor *c, bool text)
{
	uint64_t off = take64(c);
	const char *name = take_string(c), *clock = take_string(c);
	struct dat_buffer *b = name && clock ? new_buffer(d, name) : NULL;
	const uint8_t *head;

	if (!b)
		return dat_fail(d, c, "a buffer option that cannot be read: the file is damaged");
	clock_name(b->clock, sizeof(b->clock), clock);
	b->text = text;
	b->text_at = off;
	if (text)
		return 0;
	b->page_size = take32(c);
	if (!page_size_fits(b->page_size))
		return dat_fail(d, c, "buffer \"%s\" has pages of %u bytes: the file is damaged", name,
			b->page_size);
	head = dat_view(d, off, 16);
	if (!head)
		return dat_fail(d, c, "buffer \"%s\" should be at byte %llu, past the end of the file "
			"(%llu bytes): it is cut; copy it again", name, (unsigned long long)off,
			(unsigned long long)dat_size(d));
	b->compressed = load16(head + 2, d->be) & 1;
	return read_ranges(d, b, c);
}

static int tsc_option(struct dat *d, struct cursor *c)
{
	d->tsc_mult = take32(c);
	d->tsc_shift = take32(c);
	/* a 64-bit offset follows: trace-cmd stores it and never applies it; neither do we */
	if (c->bad || d->tsc_shift > 32 || !d->tsc_mult)
		return dat_fail(d, c, "the conversion of TSC cycles to ns cannot be: the file is damaged");
	d->tsc = true;
	return 0;
}

static uint64_t stat_number(const char *text, const char *key)
{
	const char *p = strstr(text, key);

	return p ? strtoull(p + strlen(key), NULL, 10) : 0;
}

static void cpu_stat(struct dat *d, const uint8_t *p, uint32_t len)
{
	char text[1024];

	option_text(text, sizeof(text), p, len);
	d->stat_lost += stat_number(text, "\noverrun: ") + stat_number(text, "\ncommit overrun: ") +
			stat_number(text, "\ndropped events: ");
}

static void time_option(struct dat *d, int id, const uint8_t *p, uint32_t len)
{
	char text[32];

	option_text(text, sizeof(text), p, len);
	if (id == DAT_DATE)
		d->offset_ns += (int64_t)(strtoull(text, NULL, 16) * 1000);
	else
		d->offset_ns = (int64_t)((uint64_t)d->offset_ns + (uint64_t)strtoll(text, NULL, 0));
}

static int count_option(struct dat *d, struct cursor *c)
{
	uint32_t n = take32(c);

	if (c->bad || !n || n > DAT_CPUS_MAX)
		return dat_fail(d, c, "%u CPUs cannot be: the file is damaged", n);
	d->cpu_count = (int)n;
	return 0;
}

static void clock_option(struct dat *d, const uint8_t *p, uint32_t len)
{
	char text[256];

	option_text(text, sizeof(text), p, len);
	clock_name(d->clock, sizeof(d->clock), text);
}

static int one_option(struct dat *d, int id, const uint8_t *p, uint32_t len, struct cursor *c,
	uint64_t *next)
{
	switch (id) {
	case DAT_DONE:
		*next = len >= 8 ? load64(p, d->be) : 0;
		return 0;
	case DAT_BUFFER:
		return d->version == 6 ? buffer_v6(d, c) : buffer_v7(d, c, false);
	case DAT_BUFFER_TEXT:
		return buffer_v7(d, c, true);
	case DAT_CPUSTAT:
		cpu_stat(d, p, len);
		return 0;
	case DAT_TRACECLOCK:
		clock_option(d, p, len);
		return 0;
	case DAT_UNAME:
		option_text(d->uname, sizeof(d->uname), p, len);
		return 0;
	case DAT_DATE:
	case DAT_OFFSET:
		time_option(d, id, p, len);
		return 0;
	case DAT_CPUCOUNT:
		return count_option(d, c);
	case DAT_TIME_SHIFT:
		d->time_shift = true;
		return 0;
	case DAT_GUEST:
		d->guest = true;
		return 0;
	case DAT_TSC2NSEC:
		return tsc_option(d, c);
	default:
		/* ids that we do not know are skipped by their size: newer trace-cmds add some */
		if (id >= DAT_HEADER && id <= DAT_CMDLINES && len >= 8)
			d->section[id] = load64(p, d->be);
		return 0;
	}
}

int dat_options(struct dat *d, struct cursor *c, uint64_t *next)
{
	*next = 0;
	for (;;) {
		int id = take16(c);
		uint64_t at = cursor_at(c);
		/* version 6 ends its options with a bare 0; in version 7 that one has a payload too */
		uint32_t len = d->version == 6 && !id ? 0 : take32(c);
		const uint8_t *p = take(c, len);
		struct cursor own;

		if (c->bad)
			return dat_fail(d, c, "the options end early: the file is cut or damaged");
		own = cursor_make(p, len, at, d->be);
		if (one_option(d, id, p, len, &own, next))
			return -1;
		if (!id)
			return 0;
	}
}
