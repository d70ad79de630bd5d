// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dat.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

int dat_fail(struct dat *d, const struct cursor *c, const char *fmt, ...)
{
	char what[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (!c)
		return error_set(d->err, EXIT_INPUT, "%s: %s", d->in->name, what);
	return error_set(d->err, EXIT_INPUT, "%s: at byte %llu: %s", d->in->name,
		(unsigned long long)cursor_at(c), what);
}

uint64_t dat_size(const struct dat *d)
{
	return d->in->fd >= 0 ? d->in->file_size : d->in->size;
}

bool dat_pread(const struct dat *d, void *buf, uint64_t off, size_t len)
{
	uint8_t *p = buf;

	if (off > dat_size(d) || len > dat_size(d) - off)
		return false;
	if (d->in->fd < 0) {
		memcpy(p, d->in->data + off, len);
		return true;
	}
	while (len) {
		ssize_t n = pread(d->in->fd, p, len, (off_t)off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		off += (uint64_t)n;
		len -= (size_t)n;
	}
	return true;
}

/* all views of a file together stay below the limit: a file may not ask for ever more */
static uint8_t *new_view(struct dat *d, size_t len)
{
	struct dat_view *v;

	if (len > DAT_SECTION_MAX || len > DAT_SECTION_MAX - d->viewed)
		return NULL;
	d->viewed += len;
	v = xrealloc(NULL, 1, sizeof(*v) + len);
	v->next = d->views;
	d->views = v;
	return v->bytes;
}

const uint8_t *dat_view(struct dat *d, uint64_t off, uint64_t len)
{
	uint8_t *copy;

	if (off > dat_size(d) || len > dat_size(d) - off)
		return NULL;
	if (off + len <= d->in->size)
		return d->in->data + off;
	copy = new_view(d, len);
	return copy && dat_pread(d, copy, off, len) ? copy : NULL;
}

bool dat_decompress(enum dat_codec codec, void **ctx, uint8_t *out, size_t out_len,
	const uint8_t *in, size_t in_len)
{
	uLongf n = out_len;

	if (codec == CODEC_ZSTD) {
		if (!*ctx)
			*ctx = ZSTD_createDCtx();
		return *ctx && ZSTD_decompressDCtx(*ctx, out, out_len, in, in_len) == out_len;
	}
	if (codec == CODEC_ZLIB)
		return uncompress(out, &n, in, in_len) == Z_OK && n == out_len;
	return false;
}

void dat_codec_free(enum dat_codec codec, void *ctx)
{
	if (codec == CODEC_ZSTD)
		ZSTD_freeDCtx(ctx);
}

/* a size that no honest compression reaches is not worth the memory */
static bool plausible(uint64_t packed, uint64_t unpacked)
{
	return unpacked <= DAT_SECTION_MAX && unpacked <= packed * 4096 + 65536;
}

static int unpack(struct dat *d, struct cursor *c, struct cursor *out)
{
	uint32_t packed = take32(c), unpacked = take32(c);
	const uint8_t *in = take(c, packed);
	void *ctx = NULL;
	uint8_t *bytes;
	bool ok;

	if (!in || !plausible(packed, unpacked))
		return dat_fail(d, c, "a compressed section has impossible sizes: the file is damaged");
	bytes = new_view(d, unpacked);
	ok = bytes && dat_decompress(d->codec, &ctx, bytes, unpacked, in, packed);
	dat_codec_free(d->codec, ctx);
	if (!ok)
		return dat_fail(d, c, "a compressed section does not unpack: the file is damaged");
	*out = cursor_make(bytes, unpacked, c->base, d->be);
	return 0;
}

static const char *section_name(int id)
{
	static const char *const names[] = {"page header format", "ftrace formats", "event formats",
		"kallsyms", "printk formats", "command names"};

	return id >= DAT_HEADER && id <= DAT_CMDLINES ? names[id - DAT_HEADER] : "options";
}

int dat_section(struct dat *d, uint64_t off, int id, struct cursor *out)
{
	const uint8_t *head = dat_view(d, off, 16), *bytes;
	struct cursor c = cursor_make(head, head ? 16 : 0, off, d->be);
	uint64_t len;

	if (!head)
		return dat_fail(d, NULL, "the %s should be at byte %llu, past the end of the file "
			"(%llu bytes): it is cut; copy it again or try --partial", section_name(id),
			(unsigned long long)off, (unsigned long long)dat_size(d));
	len = load64(head + 8, d->be);
	if (load16(head, d->be) != id)
		return dat_fail(d, &c, "no %s here, but section %d: the file is damaged",
			section_name(id), load16(head, d->be));
	bytes = dat_view(d, off + 16, len);
	if (!bytes)
		return dat_fail(d, &c, "the %s of %llu bytes cannot be in this file: it is cut or "
			"damaged; try --partial", section_name(id), (unsigned long long)len);
	*out = cursor_make(bytes, len, off + 16, d->be);
	return load16(head + 2, d->be) & 1 ? unpack(d, out, out) : 0;
}
