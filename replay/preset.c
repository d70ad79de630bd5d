// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/preset.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* releases whose governor files were read in full and driven beside the models (make check-kernel)
 */
static const char *const read_releases[] = {"5.10.223", "6.1.176", "6.12.117", "7.2.13", "7.3.4"};

/* driven beside the models too, but not what NAME@X.Y stands for */
static const char *const more_releases[] = {"5.10.262", "6.12.95"};

int preset_version(const char *text, int v[3])
{
	const char *p = text;

	v[2] = -1;
	for (int i = 0; i < 3; i++) {
		char *end;
		long n;

		if (!isdigit((unsigned char)*p))
			return i < 2 ? 0 : (int)(p - text - 1);
		n = strtol(p, &end, 10);
		if (n < 0 || n > 9999)
			return 0;
		v[i] = n;
		p = end;
		if (*p != '.' || i == 2)
			return i < 1 ? 0 : (int)(p - text);
		p++;
	}
	return p - text;
}

const char *preset_newest(void)
{
	return read_releases[ARRAY_SIZE(read_releases) - 1];
}

const char *preset_oldest(const struct preset_family *f)
{
	return f->row[0].version;
}

const char *preset_read_release(const char *series)
{
	int v[3], r[3];

	preset_version(series, v);
	for (size_t i = 0; i < ARRAY_SIZE(read_releases); i++) {
		preset_version(read_releases[i], r);
		if (r[0] == v[0] && r[1] == v[1])
			return read_releases[i];
	}
	return NULL;
}

static int compare(const int a[3], const int b[3], int parts)
{
	for (int i = 0; i < parts; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static void apply_row(struct gov_spec *s, const struct preset_row *row)
{
	char text[512], *save = NULL;
	struct error err;

	assert(strlen(row->changes) < sizeof(text));
	strcpy(text, row->changes);
	for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		char *eq = strchr(w, '=');
		int bad;

		assert(eq);
		*eq = '\0';
		bad = governor_set_value(s, w, eq + 1, &err);
		assert(!bad);
		(void)bad;
	}
}

static const char *check_text(enum preset_check c)
{
	switch (c) {
	case CHECK_KERNEL:
		return "driven beside the kernel's own object without a difference (make "
		       "check-kernel)";
	case CHECK_PIECED:
		return "put together from patches and mails, reviewed, not run beside a kernel";
	default:
		return "source read and reviewed line by line, not run beside a kernel";
	}
}

static bool was_read(const char *version)
{
	for (size_t i = 0; i < ARRAY_SIZE(read_releases); i++)
		if (!strcmp(read_releases[i], version))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(more_releases); i++)
		if (!strcmp(more_releases[i], version))
			return true;
	return false;
}

/* mainline rows up to the series, then the stable rows of that series up to the release */
static void apply_rows(struct gov_spec *s, const struct preset_family *f, const int v[3])
{
	enum preset_check checked = CHECK_READ;
	const char *model = "";
	bool stable = false;

	for (int i = 0; i < f->nrows; i++) {
		const struct preset_row *row = &f->row[i];
		int r[3];

		preset_version(row->version, r);
		if (row->model ? compare(r, v, 2) > 0 : compare(r, v, 2) || r[2] > v[2])
			continue;
		apply_row(s, row);
		checked = row->checked;
		if (row->model)
			model = row->model;
		else
			stable = true;
	}
	if (was_read(s->version))
		checked = CHECK_KERNEL;
	snprintf(s->model, sizeof(s->model), "%s%s", model, stable ? "+" : "");
	copy_text(s->checked, sizeof(s->checked), check_text(checked));
}

int preset_apply(struct gov_spec *s, const char *version, struct error *err)
{
	const struct preset_family *f = preset_family(s->gov);
	int v[3], newest[3], oldest[3], used = preset_version(version, v);

	if (!f)
		return error_set(err, EXIT_USAGE,
			"%s: no kernel has it, so it takes no version: leave out @%s", s->gov->name,
			version);
	if (!used || version[used])
		return error_set(err, EXIT_USAGE,
			"%s@%s: a version is X.Y or X.Y.Z, for example %s@%s", s->gov->name,
			version, s->gov->name, preset_newest());
	preset_version(preset_newest(), newest);
	preset_version(preset_oldest(f), oldest);
	if (compare(v, newest, 2) > 0)
		return error_set(err, EXIT_USAGE,
			"%s@%s: newer than the newest kernel read (%s): replay its "
			"own source with -g ./%s.c",
			s->gov->name, version, preset_newest(), s->gov->name);
	if (compare(v, oldest, 2) < 0)
		return error_set(err, EXIT_USAGE, "%s@%s: older than the oldest form known (%s)",
			s->gov->name, version, preset_oldest(f));
	if (v[2] < 0) {
		const char *read = preset_read_release(version);

		if (read)
			preset_version(read, v);
		else
			v[2] = 0;
	}
	snprintf(s->version, sizeof(s->version), "%d.%d.%d", v[0], v[1], v[2]);
	apply_rows(s, f, v);
	return 0;
}
