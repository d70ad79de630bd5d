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

struct walk {
	const char *name; /* of the wrapper, for messages */
	archive_entry_fn *entry;
	void *ctx;
	size_t *left; /* of the bound over all entries, nested ones too */
	uint8_t *data;
	size_t size, cap;
};

/* 1: whole, 0: over the bound, -1: damaged */
static int read_entry(struct archive *a, struct walk *w)
{
	ssize_t n;

	w->size = 0;
	do {
		if (w->cap - w->size < CHUNK + 1) {
			w->cap = w->cap ? w->cap * 2 : 2 * CHUNK;
			w->data = xrealloc(w->data, w->cap, 1);
		}
		n = archive_read_data(a, w->data + w->size, CHUNK);
		if (n < 0)
			return -1;
		if ((size_t)n > *w->left)
			return 0;
		w->size += (size_t)n;
		*w->left -= (size_t)n;
	} while (n > 0);
	w->data[w->size] = '\0';
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

static int each_entry(struct archive *a, struct walk *w, struct error *err)
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
		got = read_entry(a, w);
		if (got <= 0)
			return entry_failed(got, w->name, archive_error_string(a), err);
		if (w->entry(w->ctx, path ? path : "?", w->data, w->size))
			return 0;
	}
	return ret == ARCHIVE_EOF ? 0 : entry_failed(-1, w->name, archive_error_string(a), err);
}

static int each(const char *name, const uint8_t *data, size_t size, size_t *left,
	archive_entry_fn *entry, void *ctx, struct error *err)
{
	struct walk w = {.name = name, .entry = entry, .ctx = ctx, .left = left};
	struct archive *a = open_reader(data, size);
	int ret;

	if (!a)
		return entry_failed(-1, name, NULL, err);
	ret = each_entry(a, &w, err);
	archive_read_free(a);
	free(w.data);
	return ret;
}

int archive_each(const char *name, const uint8_t *data, size_t size, archive_entry_fn *entry,
	void *ctx, struct error *err)
{
	size_t left = ARCHIVE_BASE + ARCHIVE_RATIO * size;

	return each(name, data, size, &left, entry, ctx, err);
}

struct search {
	bool (*want)(const uint8_t *data, size_t size);
	size_t *left;
	int depth, looked;
	uint8_t *found;
	size_t size;
	char *inner;
	size_t inner_size;
};

static void keep(struct search *s, const char *path, const uint8_t *data, size_t size)
{
	s->found = xrealloc(NULL, size + 1, 1);
	memcpy(s->found, data, size);
	s->found[size] = '\0';
	s->size = size;
	copy_text(s->inner, s->inner_size, path);
}

/* a .gz in a .zip and the like are opened too, one level deep; a damaged one is passed over */
static bool look(void *ctx, const char *path, const uint8_t *data, size_t size)
{
	struct search *s = ctx;

	s->looked++;
	if (!size)
		return false;
	if (s->want(data, size)) {
		keep(s, path, data, size);
		return true;
	}
	if (s->depth || !archive_wrapped(data, size))
		return false;
	s->depth++;
	each(path, data, size, s->left, look, s, NULL);
	s->depth--;
	if (s->found)
		copy_text(s->inner, s->inner_size, path);
	return s->found != NULL;
}

int archive_unwrap(const char *name, const uint8_t *data, size_t size,
	bool (*want)(const uint8_t *data, size_t size), uint8_t **out, size_t *out_size,
	char *inner, size_t inner_size, struct error *err)
{
	size_t left = ARCHIVE_BASE + ARCHIVE_RATIO * size;
	struct search s = {.want = want, .left = &left, .inner = inner, .inner_size = inner_size};

	if (each(name, data, size, &left, look, &s, err) < 0)
		return -1;
	if (!s.found)
		return error_set(err, EXIT_INPUT, "%s: no recording in it (%d files looked at)", name,
			s.looked);
	*out = s.found;
	*out_size = s.size;
	return 0;
}
