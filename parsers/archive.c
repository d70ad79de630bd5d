// SPDX-License-Identifier: GPL-2.0-or-later
/* Wrappers, through libarchive. */
#include "parsers/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK (256UL << 10)
#define TAR_BLOCK 512

static bool begins(const uint8_t *data, size_t size, const char *magic, size_t n)
{
	return size > n && !memcmp(data, magic, n);
}

/* ustar's magic, or an old tar's header checksum */
static bool is_tar(const uint8_t *data, size_t size)
{
	unsigned int sum = 8 * ' ';

	if (size < TAR_BLOCK)
		return false;
	if (!memcmp(data + 257, "ustar", 5))
		return true;
	for (int i = 0; i < TAR_BLOCK; i++)
		sum += i >= 148 && i < 156 ? 0 : data[i];
	return data[0] && data[148] && strtoul((const char *)data + 148, NULL, 8) == sum;
}

bool archive_wrapped(const uint8_t *data, size_t size)
{
	return begins(data, size, "\x1f\x8b", 2) || begins(data, size, "\xfd" "7zXZ\0", 6) ||
		begins(data, size, "BZh", 3) || begins(data, size, "\x28\xb5\x2f\xfd", 4) ||
		begins(data, size, "PK\3\4", 4) || is_tar(data, size);
}

static struct archive *open_reader(const uint8_t *data, size_t size)
{
	struct archive *a = archive_read_new();

	archive_read_support_filter_gzip(a);
	archive_read_support_filter_xz(a);
	archive_read_support_filter_bzip2(a);
	archive_read_support_filter_zstd(a);
	archive_read_support_format_zip(a);
	archive_read_support_format_tar(a);
	archive_read_support_format_raw(a);
	if (archive_read_open_memory(a, data, size) == ARCHIVE_OK)
		return a;
	archive_read_free(a);
	return NULL;
}

struct entry_buffer {
	uint8_t *data;
	size_t size, cap;
	size_t left; /* of the bound over all entries */
};

/* 1: whole, 0: over the bound, -1: damaged */
static int read_entry(struct archive *a, struct entry_buffer *b)
{
	ssize_t n;

	b->size = 0;
	do {
		if (b->cap - b->size < CHUNK + 1) {
			b->cap = b->cap ? b->cap * 2 : 2 * CHUNK;
			b->data = xrealloc(b->data, b->cap, 1);
		}
		n = archive_read_data(a, b->data + b->size, CHUNK);
		if (n < 0)
			return -1;
		if ((size_t)n > b->left)
			return 0;
		b->size += (size_t)n;
		b->left -= (size_t)n;
	} while (n > 0);
	b->data[b->size] = '\0';
	return 1;
}

static int entry_failed(int how, const char *name, const char *why, struct error *err)
{
	if (how < 0)
		return error_set(err, EXIT_INPUT, "%s: cannot be unpacked: %s; unpack it by hand", name,
			why ? why : "damaged");
	return error_set(err, EXIT_INPUT,
		"%s: unpacks to far more than a recording would; unpack it by hand", name);
}

static int each_entry(struct archive *a, const char *name, struct entry_buffer *b,
	bool (*entry)(void *ctx, const char *path, const uint8_t *data, size_t size), void *ctx,
	struct error *err)
{
	struct archive_entry *e;
	int ret = ARCHIVE_OK;

	for (int n = 0; n < ARCHIVE_ENTRIES_MAX; n++) {
		const char *path;
		int got;

		ret = archive_read_next_header(a, &e);
		if (ret != ARCHIVE_OK && ret != ARCHIVE_WARN)
			break;
		path = archive_format(a) == ARCHIVE_FORMAT_RAW ? "" : archive_entry_pathname(e);
		if (path && *path && archive_entry_filetype(e) != AE_IFREG)
			continue;
		got = read_entry(a, b);
		if (got <= 0)
			return entry_failed(got, name, archive_error_string(a), err);
		if (entry(ctx, path ? path : "?", b->data, b->size))
			return 0;
	}
	return ret == ARCHIVE_EOF ? 0 : entry_failed(-1, name, archive_error_string(a), err);
}

int archive_each(const char *name, const uint8_t *data, size_t size,
	bool (*entry)(void *ctx, const char *path, const uint8_t *data, size_t size), void *ctx,
	struct error *err)
{
	struct entry_buffer b = {.left = ARCHIVE_BASE + ARCHIVE_RATIO * size};
	struct archive *a = open_reader(data, size);
	int ret;

	if (!a)
		return entry_failed(-1, name, NULL, err);
	ret = each_entry(a, name, &b, entry, ctx, err);
	archive_read_free(a);
	free(b.data);
	return ret;
}

struct search {
	bool (*want)(const uint8_t *data, size_t size);
	uint8_t *found;
	size_t size;
	char *inner;
	size_t inner_size;
	int looked;
};

static bool look(void *ctx, const char *path, const uint8_t *data, size_t size)
{
	struct search *s = ctx;

	s->looked++;
	if (!size || (!s->want(data, size) && !archive_wrapped(data, size)))
		return false;
	s->found = xrealloc(NULL, size + 1, 1);
	memcpy(s->found, data, size);
	s->found[size] = '\0';
	s->size = size;
	copy_text(s->inner, s->inner_size, path);
	return true;
}

int archive_unwrap(const char *name, const uint8_t *data, size_t size,
	bool (*want)(const uint8_t *data, size_t size), uint8_t **out, size_t *out_size,
	char *inner, size_t inner_size, struct error *err)
{
	struct search s = {.want = want, .inner = inner, .inner_size = inner_size};
	uint8_t *outer = NULL;

	/* a .zip of a .gz, or a tar in a gz (which libarchive opens in one go), but no deeper */
	for (int depth = 0; depth < 2; depth++) {
		int ret = archive_each(name, data, size, look, &s, err);

		free(outer);
		if (ret < 0)
			return -1;
		if (!s.found)
			break;
		if (want(s.found, s.size)) {
			*out = s.found;
			*out_size = s.size;
			return 0;
		}
		data = outer = s.found;
		size = s.size;
		s.found = NULL;
		if (depth == 1)
			free(outer);
	}
	return error_set(err, EXIT_INPUT, "%s: no recording in it (%d files looked at)", name,
		s.looked);
}
