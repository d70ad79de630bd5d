// SPDX-License-Identifier: GPL-2.0-or-later
/* Objects built on the fly, kept by the content of everything that went into them. */
#include "src/govbuild.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct digest {
	uint64_t a, b;
};

/* two FNV-1a sums from different starts: chance alone does not meet in 128 bits */
static void add(struct digest *d, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	do {
		d->a = (d->a ^ *p) * 0x100000001b3ULL;
		d->b = (d->b ^ *p ^ 0x5a) * 0x100000001b3ULL;
	} while (*p++); /* the end is summed too, so that texts do not run together */
}

static void add_file(struct digest *d, const char *path)
{
	char *text = govbuild_read(path);

	add(d, text ? text : "");
	free(text);
}

static void add_local_headers(struct digest *d, const struct govbuild *b, const char *text)
{
	const char *slash = strrchr(b->source, '/');

	for (const char *p = text; p; p = strchr(p, '\n')) {
		char name[200], *path;

		p += *p == '\n';
		if (sscanf(p, " # include \"%199[^\"\n]\"", name) != 1)
			continue;
		path = xasprintf(
			"%.*s%s", slash ? (int)(slash + 1 - b->source) : 0, b->source, name);
		add_file(d, path);
		free(path);
	}
}

static int digest_of(struct govbuild *b, struct digest *d, struct error *err)
{
	static const char *const own[] = {"glue.c", "reidle-kernel.h", "reidle-cpuidle.h",
		"../reidle-governor.h", "reidle-governor.h"};
	const char *cc = getenv("CC");
	char *text = govbuild_read(b->source), *stand_ins;

	if (!text)
		return error_set(err, EXIT_INPUT, "%s: %s", b->source, strerror(errno));
	stand_ins = govbuild_find_cpuidle(b, err) ? NULL : govbuild_stand_ins(err);
	if (!stand_ins) {
		free(text);
		return -1;
	}
	*d = (struct digest){0xcbf29ce484222325ULL, 0x84222325cbf29ce4ULL};
	add(d, cc ? cc : "cc");
	add(d, text);
	add_local_headers(d, b, text);
	free(text);
	for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
		char *path = xasprintf("%s/%s", stand_ins, own[i]);

		add_file(d, path);
		free(path);
	}
	free(stand_ins);
	if (b->cpuidle_h[0])
		add_file(d, b->cpuidle_h);
	for (size_t i = 0; i < b->nincludes; i++)
		add_file(d, b->include[i]);
	return 0;
}

/* what lies there is loaded as code, so a folder of somebody else is no place for it */
static int make_folder(const char *path)
{
	struct stat st;

	if (mkdir(path, 0700) && errno != EEXIST)
		return -1;
	if (stat(path, &st))
		return -1;
	errno = EACCES;
	return st.st_uid == getuid() ? 0 : -1;
}

/* XDG_CACHE_HOME, else ~/.cache; made if missing */
static char *cache_folder(struct error *err)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *top, *mid, *dir;

	if (xdg && *xdg == '/')
		top = xstrdup(xdg);
	else if (home && *home == '/')
		top = xasprintf("%s/.cache", home);
	else
		top = xasprintf("/tmp/reidle-%ld", (long)getuid());
	mid = xasprintf("%s/reidle", top);
	dir = xasprintf("%s/governors", mid);
	if (make_folder(top) || make_folder(mid) || make_folder(dir)) {
		error_set(err, EXIT_INTERNAL,
			"%s: %s: set XDG_CACHE_HOME to a folder that can be written", dir,
			strerror(errno));
		free(dir);
		dir = NULL;
	}
	free(top);
	free(mid);
	return dir;
}

char *govbuild_cached(struct govbuild *b, struct error *err)
{
	struct digest d;
	char *dir, *path;

	if (digest_of(b, &d, err))
		return NULL;
	dir = cache_folder(err);
	if (!dir)
		return NULL;
	path = xasprintf("%s/%016" PRIx64 "%016" PRIx64 ".so", dir, d.a, d.b);
	free(dir);
	if (!access(path, R_OK) || !govbuild(b, path, err))
		return path;
	free(path);
	return NULL;
}
