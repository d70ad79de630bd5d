// SPDX-License-Identifier: GPL-2.0-or-later
/* Dumps from files, folders and archives; which reader knows the text. */
#include "parsers/archive.h"
#include "parsers/dump.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DUMP_BYTES_MAX (256UL << 20)
#define PROBE_BYTES 65536
#define SYSFS_FILE_MAX 4096
#define TREE_FILES_MAX 2000000 /* 8192 CPUs with 10 states of 15 files are 1.2 million */

static bool holds(const char *text, size_t size, const char *what)
{
	return memmem(text, size, what, strlen(what)) != NULL;
}

/* "state2/residency" without the folder above: grep ran inside cpuidle/ */
static bool is_bare_sysfs(const char *text, size_t size)
{
	static const char *const file[] = {"/latency", "/residency", "/name", "/usage", "/time"};

	if (!holds(text, size, "state"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(file); i++) {
		const char *at = memmem(text, size, file[i], strlen(file[i]));

		if (at && at - text >= 6 && at[-1] >= '0' && at[-1] <= '9' && !memcmp(at - 6, "state", 5))
			return true;
	}
	return false;
}

int dump_is(const char *text, size_t size)
{
	size_t n = size < PROBE_BYTES ? size : PROBE_BYTES;

	if (holds(text, n, "cpuidle/state") || is_bare_sysfs(text, n))
		return 90;
	if (holds(text, n, "Available idle states:") || holds(text, n, "analyzing CPU ") ||
		holds(text, n, "CPUidle driver:"))
		return 90;
	return holds(text, n, "cpuidle/current_driver") ? 60 : 0;
}

int dump_parse(struct dump *out, const char *name, const char *text, size_t size,
	struct error *err)
{
	size_t n = size < PROBE_BYTES ? size : PROBE_BYTES;

	memset(out, 0, sizeof(*out));
	if (holds(text, n, "cpuidle/") || is_bare_sysfs(text, n)) {
		copy_text(out->format, sizeof(out->format), "sysfs");
		dump_sysfs_text(out, text, size);
	} else if (dump_is(text, size)) {
		copy_text(out->format, sizeof(out->format), "cpupower");
		dump_cpupower_text(out, text, size);
	} else {
		return error_set(err, EXIT_INPUT, "%s: no idle-state dump; make one with "
			"grep -r . /sys/devices/system/cpu/cpu*/cpuidle or cpupower -c all idle-info",
			name);
	}
	if (out->dropped && !out->ncpus) {
		dump_free(out);
		return error_set(err, EXIT_INPUT,
			"%s: CPU and state numbers beyond what a kernel has (8192, 10)", name);
	}
	return 0;
}

static bool add_file(void *ctx, const char *path, const uint8_t *data, size_t size)
{
	struct dump *d = ctx;

	if (strstr(path, "cpuidle/") && size <= SYSFS_FILE_MAX)
		dump_sysfs_value(d, path, strlen(path), (const char *)data, size);
	return false;
}

static void add_tree_file(struct dump *d, const char *path)
{
	char value[SYSFS_FILE_MAX + 1];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return;
	n = read(fd, value, SYSFS_FILE_MAX);
	close(fd);
	if (n > 0)
		add_file(d, path, (const uint8_t *)value, (size_t)n);
}

static int load_tree(struct dump *d, const char *path, struct error *err)
{
	char *real = realpath(path, NULL), *roots[] = {real, NULL};
	FTS *fts = real ? fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL) : NULL;
	FTSENT *e;
	long seen = 0;

	if (!fts) {
		free(real);
		return error_set(err, EXIT_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
	}
	copy_text(d->format, sizeof(d->format), "sysfs");
	while (seen++ < TREE_FILES_MAX && (e = fts_read(fts)))
		if (e->fts_info == FTS_F && strstr(e->fts_path, "cpuidle/"))
			add_tree_file(d, e->fts_path);
	fts_close(fts);
	free(real);
	if (d->ncpus)
		return 0;
	return error_set(err, EXIT_INPUT,
		"%s: no cpu*/cpuidle/state*/ below this folder; copy /sys/devices/system/cpu", path);
}

/* a packed dump is one text, or a tar of the tree: each file its own entry */
struct packed {
	struct dump *dump;
	const char *name;
	bool text;
};

static bool add_packed(void *ctx, const char *path, const uint8_t *data, size_t size)
{
	struct packed *p = ctx;

	if (strstr(path, "cpuidle/"))
		return add_file(p->dump, path, data, size);
	if (p->text || !dump_is((const char *)data, size))
		return false;
	p->text = dump_parse(p->dump, p->name, (const char *)data, size, NULL) == 0;
	return p->text;
}

static int load_packed(struct dump *d, const char *path, const uint8_t *data, size_t size,
	struct error *err)
{
	struct packed p = {.dump = d, .name = path};

	copy_text(d->format, sizeof(d->format), "sysfs");
	if (archive_each(path, data, size, add_packed, &p, err) < 0)
		return -1;
	if (d->ncpus || p.text)
		return 0;
	return error_set(err, EXIT_INPUT, "%s: no idle-state dump in it", path);
}

static uint8_t *read_all(const char *path, size_t *size, struct error *err)
{
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
	size_t cap = 65536;
	uint8_t *data;
	ssize_t n = 1;

	*size = 0;
	if (fd < 0) {
		error_set(err, EXIT_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
		return NULL;
	}
	data = xrealloc(NULL, cap, 1);
	while (n > 0 && *size < DUMP_BYTES_MAX) {
		if (*size + 1 >= cap)
			data = xrealloc(data, cap *= 2, 1);
		n = read(fd, data + *size, cap - *size - 1);
		*size += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	if (n == 0)
		return data;
	free(data);
	error_set(err, EXIT_INPUT, "%s: %s", path,
		n < 0 ? strerror(errno) : "larger than 256 MB; this is no idle-state dump");
	return NULL;
}

int dump_load(struct dump *out, const char *path, struct error *err)
{
	struct stat st;
	uint8_t *data;
	size_t size;
	int ret;

	memset(out, 0, sizeof(*out));
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
		ret = load_tree(out, path, err);
	} else {
		data = read_all(path, &size, err);
		if (!data)
			return -1;
		ret = archive_wrapped(data, size)
			? load_packed(out, path, data, size, err)
			: dump_parse(out, path, (const char *)data, size, err);
		free(data);
	}
	if (ret < 0)
		dump_free(out);
	return ret;
}

static int load_machine(struct machine *out, const char *path, struct error *err)
{
	struct dump d;
	int ret;

	if (dump_load(&d, path, err) < 0)
		return -1;
	ret = dump_machine(out, &d, path, err);
	dump_free(&d);
	return ret;
}

int dump_load_table(struct machine *out, const char *name_or_file, int ncpus, struct error *err)
{
	struct stat st;
	int ret;

	if (!strcmp(name_or_file, "-"))
		return load_machine(out, "-", err);
	ret = machine_load_table(out, name_or_file, ncpus, err);
	if (!ret || strstr(name_or_file, ".tsv"))
		return ret;
	if (stat(name_or_file, &st) == 0)
		return load_machine(out, name_or_file, err);
	if (!strchr(name_or_file, '/') && !strchr(name_or_file, '.'))
		return ret;
	return error_set(err, EXIT_INPUT, "%s: cannot be opened: %s, and no idle-state table has that name",
		name_or_file, strerror(errno));
}
