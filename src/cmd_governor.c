// SPDX-License-Identifier: GPL-2.0-or-later
/* reidle governor build: compile a kernel's governor file into a plug-in. */
#include "replay/governor.h"
#include "src/govbuild.h"
#include "src/subcommand.h"

#include <stdlib.h>
#include <string.h>

/* menu.c -> ./menu.so */
static char *object_name(const char *source)
{
	const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
	size_t n = strlen(base);

	if (n > 2 && !strcmp(base + n - 2, ".c"))
		n -= 2;
	return xasprintf("%.*s.so", (int)n, base);
}

/* load it as a replay would, so that a broken object is told now */
static int try_object(const char *object, const struct govbuild *b, bool quiet, struct error *err)
{
	char *path = strchr(object, '/') ? xstrdup(object) : xasprintf("./%s", object);
	struct gov_spec s;
	int ret = governor_parse(&s, path, "", err);

	if (!ret && !quiet) {
		char *header = *b->cpuidle_h ? realpath(b->cpuidle_h, NULL) : NULL;

		printf("%s: governor %s, %zu bytes per CPU; with %s\nreplay it with -g %s\n", path,
			s.gov->name, s.gov->cpu_size, header ? header : "the stand-in cpuidle.h",
			path);
		free(header);
	}
	free(path);
	return ret;
}

static int governor(const struct options *o, struct error *err)
{
	struct govbuild b = {
		.kernel_dir = o->kernel_dir, .include = o->include.s, .nincludes = o->include.n};
	char *object;
	int ret;

	if (o->files.n != 2 || strcmp(o->files.s[0], "build"))
		return error_set(err, EXIT_USAGE,
			"usage: reidle governor build FILE.c [--kernel DIR] "
			"[--include FILE] [-o X.so]");
	b.source = o->files.s[1];
	object = o->output ? xstrdup(o->output) : object_name(b.source);
	ret = govbuild(&b, object, err) || try_object(object, &b, o->quiet, err) ? -1 : 0;
	free(object);
	return ret;
}

const struct subcommand cmd_governor = {
	"governor",
	"build FILE.c [--kernel DIR] [--include FILE] [-o X.so]",
	"compile a kernel's governor file into a plug-in",
	governor,
	false,
};
