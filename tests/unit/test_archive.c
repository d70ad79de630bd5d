// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings in wrappers: which file is taken, what is too much, what is damaged. */
#include "parsers/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define ROOM (4UL << 20)

struct packed {
	struct archive *a;
	uint8_t *data;
	size_t size;
};

static struct packed begin(int format, int filter)
{
	struct packed p = {archive_write_new(), xcalloc(ROOM, 1), 0};

	assert_int_equal(archive_write_set_format(p.a, format), ARCHIVE_OK);
	assert_int_equal(archive_write_add_filter(p.a, filter), ARCHIVE_OK);
	archive_write_set_bytes_in_last_block(p.a, 1);
	return p;
}

static void open_it(struct packed *p)
{
	assert_int_equal(archive_write_open_memory(p->a, p->data, ROOM, &p->size), ARCHIVE_OK);
}

static void add(struct packed *p, const char *path, const void *data, size_t size)
{
	struct archive_entry *e = archive_entry_new();

	archive_entry_set_pathname(e, path);
	archive_entry_set_filetype(e, AE_IFREG);
	archive_entry_set_perm(e, 0644);
	archive_entry_set_size(e, (la_int64_t)size);
	assert_int_equal(archive_write_header(p->a, e), ARCHIVE_OK);
	for (size_t done = 0; done < size;) {
		la_ssize_t n = archive_write_data(p->a, (const char *)data + done, size - done);

		assert_true(n > 0);
		done += (size_t)n;
	}
	archive_entry_free(e);
}

static void end(struct packed *p)
{
	assert_int_equal(archive_write_close(p->a), ARCHIVE_OK);
	archive_write_free(p->a);
}

static bool wanted(const uint8_t *data, size_t size)
{
	return size >= 6 && !memcmp(data, "trace:", 6);
}

static int unwrap(const struct packed *p, char *got, size_t size, struct error *err)
{
	uint8_t *out;
	size_t n;
	char inner[64];
	int ret = archive_unwrap("x", p->data, p->size, wanted, &out, &n, inner, sizeof(inner), err);

	if (!ret) {
		snprintf(got, size, "%s|%.*s", inner, (int)n, (const char *)out);
		assert_int_equal(out[n], '\0');
		free(out);
	}
	return ret;
}

static void every_wrapper(void **unused)
{
	static const int form[][2] = {{ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE},
		{ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE}, {ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_GZIP},
		{ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_XZ},
		{ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_ZSTD}, {ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_BZIP2},
		{ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_GZIP}, {ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_ZSTD}};

	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(form); i++) {
		struct packed p = begin(form[i][0], form[i][1]);
		bool raw = form[i][0] == ARCHIVE_FORMAT_RAW;
		struct error err = {0};
		char got[80];

		open_it(&p);
		if (!raw)
			add(&p, "README", "decoy", 5);
		add(&p, "a/b.txt", "trace: 1", 8);
		end(&p);
		assert_true(archive_wrapped(p.data, p.size));
		if (unwrap(&p, got, sizeof(got), &err) < 0)
			fail_msg("form %zu: %s", i, err.text);
		assert_string_equal(got, raw ? "|trace: 1" : "a/b.txt|trace: 1");
		free(p.data);
	}
}

static struct packed gz(const void *data, size_t size)
{
	struct packed p = begin(ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_GZIP);

	open_it(&p);
	add(&p, "data", data, size);
	end(&p);
	return p;
}

static void wrappers_in_wrappers(void **unused)
{
	struct packed config = gz("config", 6), inner = gz("trace: 2", 8);
	struct packed zip = begin(ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE);
	struct error err = {0};
	char got[80];

	(void)unused;
	open_it(&zip);
	add(&zip, "config.gz", config.data, config.size);
	add(&zip, "cut.gz", inner.data, inner.size / 2);
	add(&zip, "t.gz", inner.data, inner.size);
	end(&zip);
	assert_int_equal(unwrap(&zip, got, sizeof(got), &err), 0);
	assert_string_equal(got, "t.gz|trace: 2");
	free(config.data);
	free(inner.data);
	free(zip.data);
}

static void refusals(void **unused)
{
	size_t much = 90UL << 20;
	uint8_t *same = memset(xcalloc(much, 1), 'a', much);
	struct packed bomb = gz(same, much), cut = gz("trace: 3 and some more text", 27), none = gz("hello", 5);
	struct error err = {0};
	char got[80];

	(void)unused;
	assert_int_equal(unwrap(&bomb, got, sizeof(got), &err), -1);
	if (!strstr(err.text, "far more"))
		fail_msg("%s (%zu bytes)", err.text, bomb.size);
	assert_int_equal(err.code, EXIT_INPUT);
	cut.size /= 2;
	assert_int_equal(unwrap(&cut, got, sizeof(got), &err), -1);
	assert_non_null(strstr(err.text, "cannot be unpacked"));
	assert_int_equal(unwrap(&none, got, sizeof(got), &err), -1);
	assert_non_null(strstr(err.text, "no recording in it"));
	assert_false(archive_wrapped((const uint8_t *)"trace: plain", 12));
	assert_false(archive_wrapped((const uint8_t *)"", 0));
	free(same);
	free(bomb.data);
	free(cut.data);
	free(none.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_wrapper),
		cmocka_unit_test(wrappers_in_wrappers), cmocka_unit_test(refusals)};

	return cmocka_run_group_tests_name("archive", tests, NULL, NULL);
}
