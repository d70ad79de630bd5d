// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dat.h"

#include <stdlib.h>

#define HEAD_FIRST (1U << 20) /* how much of a version 6 file is looked at first */

static int by_offset(const void *a, const void *b)
{
	const struct dat_range *x = a, *y = b;

	return x->off < y->off ? -1 : x->off > y->off;
}

static int check_range(struct dat *d, const struct dat_buffer *b, struct dat_range *r)
{
	uint64_t size = dat_size(d);

	if (!r->size)
		return 0;
	if (!b->compressed && r->off % DAT_PAGE_MIN)
		return dat_fail(d, NULL, "the data of CPU %d starts at byte %llu, between pages: the file is "
			"damaged", r->cpu, (unsigned long long)r->off);
	if (r->off <= size && r->size <= size - r->off)
		return 0;
	if (!d->opt->partial)
		return dat_fail(d, NULL, "the data of CPU %d (%llu bytes at byte %llu) ends past the end of "
			"the file (%llu bytes): it is cut; copy it again or try --partial", r->cpu,
			(unsigned long long)r->size, (unsigned long long)r->off, (unsigned long long)size);
	d->cut = true;
	r->size = r->off < size ? size - r->off : 0;
	return 0;
}

int dat_check_ranges(struct dat *d)
{
	struct dat_range *all = NULL;
	size_t n = 0, cap = 0;
	int r = 0;

	for (int i = 0; i < d->nbuffers && !r; i++)
		for (int k = 0; k < d->buffer[i].nranges && !r; k++) {
			r = check_range(d, &d->buffer[i], &d->buffer[i].range[k]);
			if (!d->buffer[i].range[k].size)
				continue;
			GROW(all, n, cap);
			all[n++] = d->buffer[i].range[k];
		}
	if (n)
		qsort(all, n, sizeof(*all), by_offset);
	for (size_t i = 1; i < n && !r; i++)
		if (all[i].off - all[i - 1].off < all[i - 1].size)
			r = dat_fail(d, NULL, "the data of CPU %d and of CPU %d overlap at byte %llu: the file is "
				"damaged", all[i - 1].cpu, all[i].cpu, (unsigned long long)all[i].off);
	free(all);
	return r;
}

/* a table that goes on behind its last CPU: the CPU count of the header is too small */
static bool table_goes_on(const struct dat *d, struct cursor c, uint64_t last_end)
{
	uint64_t off = take64(&c), size = take64(&c);

	return !c.bad && size && off && !(off % d->page_size) && off >= last_end && off < dat_size(d) &&
	       size <= dat_size(d) - off;
}

int dat_range_table(struct dat *d, struct dat_buffer *b, struct cursor *c, int cpus)
{
	uint64_t end = 0;

	if (cpus < 1 || cpus > DAT_CPUS_MAX || cpus * 16ULL > cursor_left(c))
		return dat_fail(d, c, "a table for %d CPUs cannot be here: the file is cut or damaged", cpus);
	b->range = xcalloc((size_t)cpus, sizeof(*b->range));
	b->nranges = cpus;
	for (int i = 0; i < cpus; i++) {
		b->range[i].cpu = i;
		b->range[i].off = take64(c);
		b->range[i].size = take64(c);
		if (b->range[i].size)
			end = b->range[i].off + b->range[i].size;
	}
	if (end && table_goes_on(d, *c, end))
		return dat_fail(d, c, "there is data of more than the %d CPUs of the header: the file is "
			"damaged", cpus);
	return 0;
}

int dat_header_page(struct dat *d, struct cursor *c)
{
	const uint8_t *tag = take(c, 12);
	uint64_t len = take64(c);
	const char *text = (const char *)take(c, len);
	struct dat_field stamp, commit, data;

	if (!tag || memcmp(tag, "header_page", 12) || !text)
		return dat_fail(d, c, "no page header format here: the file is cut or damaged");
	if (!dat_format_field(text, len, "timestamp", &stamp) || stamp.off || stamp.size != 8 ||
		!dat_format_field(text, len, "commit", &commit) || commit.off != 8 ||
		(commit.size != 4 && commit.size != 8) ||
		!dat_format_field(text, len, "data", &data) || data.off != 8 + commit.size)
		return dat_fail(d, c, "the page header format is not one of the kernel's ring buffer");
	d->word = (int)commit.size;
	d->sub_size = 8 + commit.size + data.size;
	tag = take(c, 13);
	len = take64(c);
	if (!tag || memcmp(tag, "header_event", 13) || !take(c, len))
		return dat_fail(d, c, "no event header format here: the file is cut or damaged");
	return 0;
}

static int one_format(struct dat *d, struct cursor *c, const char *system)
{
	uint64_t len = take64(c);
	const char *text = (const char *)take(c, len);

	if (!text)
		return dat_fail(d, c, "the event formats end early: the file is cut or damaged");
	dat_event_format(&d->events, system, text, len, d->opt->want);
	if (d->nformats == DAT_FORMATS_MAX)
		return 0;
	GROW(d->format, d->nformats, d->format_cap);
	d->format[d->nformats++] = (struct dat_format){system, text, len};
	return 0;
}

int dat_ftrace_formats(struct dat *d, struct cursor *c)
{
	uint32_t n = take32(c);

	for (uint32_t i = 0; i < n; i++)
		if (one_format(d, c, "ftrace"))
			return -1;
	return 0;
}

int dat_event_formats(struct dat *d, struct cursor *c)
{
	uint32_t systems = take32(c);

	for (uint32_t i = 0; i < systems; i++) {
		const char *system = take_string(c);
		uint32_t n = take32(c);

		for (uint32_t k = 0; k < n || !system; k++)
			if (one_format(d, c, system ? system : ""))
				return -1;
	}
	if (c->bad)
		return dat_fail(d, c, "the event formats end early: the file is cut or damaged");
	return 0;
}

static int keep_text(struct dat *d, struct cursor *c, int id, uint64_t len)
{
	uint64_t at = cursor_at(c);
	const uint8_t *p = take(c, len);

	if (!p)
		return dat_fail(d, c, "the file is cut in its header; copy it again");
	d->text[id] = cursor_make(p, len, at, d->be);
	return 0;
}

/* the data of a sub-buffer may be larger than a page (6.8 and later), never smaller */
static int settle_page_size(struct dat *d)
{
	bool odd = d->sub_size & (d->sub_size - 1);

	if (d->sub_size < d->page_size || d->sub_size > DAT_PAGE_MAX || odd)
		return dat_fail(d, NULL, "pages of %u bytes, but the page header format says %u: the file is "
			"damaged", d->page_size, d->sub_size);
	return 0;
}

static int open_v6(struct dat *d, struct cursor *c)
{
	const uint8_t *tag;
	uint64_t next;

	if (dat_header_page(d, c) || settle_page_size(d) || dat_ftrace_formats(d, c) ||
		dat_event_formats(d, c))
		return -1;
	if (keep_text(d, c, DAT_KALLSYMS, take32(c)) || keep_text(d, c, DAT_PRINTK, take32(c)) ||
		keep_text(d, c, DAT_CMDLINES, take64(c)))
		return -1;
	d->cpus = (int)take32(c);
	d->nbuffers = 1; /* the top one; instances come as options before its table does */
	d->buffer[0].page_size = d->sub_size;
	tag = take(c, 10);
	if (tag && !memcmp(tag, "options", 7)) {
		if (dat_options(d, c, &next))
			return -1;
		tag = take(c, 10);
	}
	if (!tag)
		return dat_fail(d, c, "the file ends before its data: a recording that is still running, or a "
			"cut one (trace-cmd restore may help)");
	if (!memcmp(tag, "latency", 7)) {
		d->buffer[0].text = true;
		d->buffer[0].text_at = cursor_at(c);
		return 0;
	}
	if (memcmp(tag, "flyrecord", 9))
		return dat_fail(d, c, "no per-CPU data here: the file is damaged");
	return dat_range_table(d, &d->buffer[0], c, d->cpu_count ? d->cpu_count : d->cpus);
}

static enum dat_codec codec_of(const char *name)
{
	if (!strcmp(name, "none"))
		return CODEC_NONE;
	if (!strcmp(name, "zstd"))
		return CODEC_ZSTD;
	return strcmp(name, "zlib") ? CODEC_UNKNOWN : CODEC_ZLIB;
}

static int option_chain(struct dat *d, uint64_t off)
{
	for (int hops = 0; off; hops++) {
		struct cursor c;

		if (hops == 64)
			return dat_fail(d, NULL, "the options of the file go round in a circle: it is damaged");
		if (dat_section(d, off, DAT_DONE, &c))
			return -1;
		d->options_end = cursor_at(&c) + cursor_left(&c);
		if (dat_options(d, &c, &off))
			return -1;
	}
	return 0;
}

static int formats_v7(struct dat *d)
{
	struct cursor c;

	if (!d->section[DAT_HEADER])
		return dat_fail(d, NULL, "no page header format in the file: it is cut or damaged");
	if (dat_section(d, d->section[DAT_HEADER], DAT_HEADER, &c) || dat_header_page(d, &c))
		return -1;
	if (d->section[DAT_FTRACE_FORMATS] &&
		(dat_section(d, d->section[DAT_FTRACE_FORMATS], DAT_FTRACE_FORMATS, &c) ||
			dat_ftrace_formats(d, &c)))
		return -1;
	if (d->section[DAT_EVENT_FORMATS] &&
		(dat_section(d, d->section[DAT_EVENT_FORMATS], DAT_EVENT_FORMATS, &c) ||
			dat_event_formats(d, &c)))
		return -1;
	return 0;
}

static int open_v7(struct dat *d, struct cursor *c)
{
	const char *name = take_string(c), *version = take_string(c);
	uint64_t off = take64(c);

	if (!name || !version || c->bad)
		return dat_fail(d, c, "the file is cut in its header; copy it again");
	d->codec = codec_of(name);
	if (d->codec == CODEC_UNKNOWN)
		return dat_fail(d, c, "compressed with \"%.20s\", which is not known here; "
			"trace-cmd convert --compression zstd helps", name);
	if (!off)
		return dat_fail(d, c, "the file has no options yet: a recording that is still running, or a "
			"cut one (trace-cmd restore may help)");
	d->options_end = cursor_at(c);
	if (option_chain(d, off)) {
		if (!d->opt->partial)
			return -1;
		if (!dat_recover(d, d->options_end))
			return dat_fail(d, NULL, "the file is cut before its data: nothing is left to read");
	}
	if (formats_v7(d))
		return -1;
	dat_recover_cpus(d);
	if (!d->nbuffers)
		return dat_fail(d, NULL, "there is no per-CPU data: a recording that is still running, or a "
			"cut one (trace-cmd restore may help)");
	for (int i = 0; i < d->nbuffers; i++)
		if (d->sub_size > d->buffer[i].page_size && d->sub_size <= DAT_PAGE_MAX &&
			!(d->sub_size & (d->sub_size - 1)))
			d->buffer[i].page_size = d->sub_size;
	return 0;
}

static int open_head(struct dat *d, struct cursor *c)
{
	const uint8_t *magic = take(c, 10), *byte;
	const char *version = magic ? take_string(c) : NULL;

	if (!version || memcmp(magic, "\x17\x08\x44tracing", 10))
		return dat_fail(d, c, "not a trace.dat file, or one cut in its first bytes");
	if (strcmp(version, "6") && strcmp(version, "7"))
		return dat_fail(d, c, "trace.dat version \"%.10s\": 6 and 7 are known; trace-cmd convert "
			"--file-version 7 helps", version);
	d->version = version[0] - '0';
	byte = take(c, 2);
	d->be = c->be = byte && byte[0];
	d->page_size = take32(c);
	if (c->bad)
		return dat_fail(d, c, "the file is cut in its first bytes: nothing can be read");
	if (byte[0] > 1 || (byte[1] != 4 && byte[1] != 8) || d->page_size < DAT_PAGE_MIN ||
		d->page_size > DAT_PAGE_MAX || (d->page_size & (d->page_size - 1)))
		return dat_fail(d, c, "byte order %u, long of %u bytes, pages of %u bytes: the file is "
			"damaged", byte[0], byte[1], d->page_size);
	return d->version == 6 ? open_v6(d, c) : open_v7(d, c);
}

static void reset(struct dat *d)
{
	struct dat_view *v = d->views;

	while (v) {
		struct dat_view *next = v->next;

		free(v);
		v = next;
	}
	for (int i = 0; i < DAT_BUFFERS_MAX; i++)
		free(d->buffer[i].range);
	free(d->format);
	memset(d, 0, sizeof(*d));
}

static int open_in(struct dat *d, uint64_t head)
{
	const uint8_t *bytes = dat_view(d, 0, head);
	struct cursor c = cursor_make(bytes, bytes ? head : 0, 0, false);
	int r;

	if (!bytes)
		return dat_fail(d, NULL, "the first %llu bytes cannot be read", (unsigned long long)head);
	r = open_head(d, &c);
	if (!r)
		r = dat_check_ranges(d);
	return r && c.bad ? 1 : r;
}

int dat_open(struct dat *d, const struct input *in, const struct parse_options *opt, struct error *err)
{
	uint64_t size = in->fd >= 0 ? in->file_size : in->size;
	uint64_t head = in->fd >= 0 && HEAD_FIRST < size ? HEAD_FIRST : size;

	memset(d, 0, sizeof(*d));
	for (;;) {
		int r;

		d->in = in;
		d->opt = opt;
		d->err = err;
		r = open_in(d, head);
		if (r <= 0 || head >= size || head >= DAT_SECTION_MAX / 4)
			return r ? -1 : 0;
		/* a header longer than what was looked at, as opposed to a damaged one */
		reset(d);
		head = head * 8 < size ? head * 8 : size;
		head = head < DAT_SECTION_MAX / 4 ? head : DAT_SECTION_MAX / 4;
	}
}

void dat_close(struct dat *d)
{
	reset(d);
}

/* version 7 keeps the length of each text in front of it, as version 6 does */
static struct cursor inner_text(struct cursor c, int id)
{
	uint64_t len = id == DAT_CMDLINES ? take64(&c) : take32(&c);

	if (len < cursor_left(&c))
		c.end = c.p + len;
	return c;
}

struct cursor dat_text(struct dat *d, enum dat_id id)
{
	struct cursor c, none = {.be = d->be};
	struct error *err = d->err, unused;
	int r;

	if (d->version == 6)
		return d->text[id];
	if (!d->section[id])
		return none;
	d->err = &unused; /* names are worth having, but not worth refusing a recording for */
	r = dat_section(d, d->section[id], id, &c);
	d->err = err;
	return r ? none : inner_text(c, id);
}
