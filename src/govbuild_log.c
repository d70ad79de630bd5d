// SPDX-License-Identifier: GPL-2.0-or-later
/* What a compiler said about a governor file, in one line: which kernel names are missing. */
#include "src/govbuild.h"

#include <string.h>

#define NAMES_MAX 24

struct missing {
	char name[NAMES_MAX][64];
	int n;
	bool more;
};

static void add_name(struct missing *m, const char *at, char end)
{
	const char *stop = strchr(at, end);
	size_t len = stop ? (size_t)(stop - at) : 0;

	if (!len || len >= sizeof(m->name[0]))
		return;
	for (int i = 0; i < m->n; i++)
		if (strlen(m->name[i]) == len && !strncmp(m->name[i], at, len))
			return;
	if (m->n == NAMES_MAX) {
		m->more = true;
		return;
	}
	memcpy(m->name[m->n], at, len);
	m->name[m->n++][len] = '\0';
}

/* gcc and clang put the name in quotes after the same words, or before "undeclared" */
static void read_line(struct missing *m, const char *line, size_t len)
{
	static const char *const before[] = {"implicit declaration of function '",
		"call to undeclared function '", "unknown type name '",
		"use of undeclared identifier '", "undefined reference to `",
		"undefined reference to '"};
	char text[400], *at;

	snprintf(text, sizeof(text), "%.*s", (int)(len < 399 ? len : 399), line);
	for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
		at = strstr(text, before[i]);
		if (at)
			add_name(m, at + strlen(before[i]), '\'');
	}
	at = strstr(text, "' undeclared");
	if (at) {
		*at = '\0';
		at = strrchr(text, '\'');
		if (at) {
			strcat(at, "'");
			add_name(m, at + 1, '\'');
		}
	}
}

/* the first line that is an error, without the compiler's path of it */
static void first_error(const char *log, char *out, size_t size)
{
	const char *at = strstr(log, "error:");
	const char *line = at;

	if (!at)
		at = line = log;
	while (line > log && line[-1] != '\n')
		line--;
	snprintf(out, size, "%.*s", (int)strcspn(line, "\n"), line);
}

int govbuild_complain(const struct govbuild *b, const char *log, struct error *err)
{
	struct missing m = {.n = 0};
	char names[300] = "", first[300];

	for (const char *p = log; *p;) {
		size_t len = strcspn(p, "\n");

		read_line(&m, p, len);
		p += len + (p[len] == '\n');
	}
	/* the glue calls what the kernel's macro for an initcall would have made */
	if (m.n == 1 && !strcmp(m.name[0], "reidle_initcall"))
		return error_set(err, EXIT_USAGE, "%s: registers no governor; a file written for reidle and not for "
			"a kernel is compiled with cc -shared -fPIC, and its .so given", b->source);
	for (int i = 0; i < m.n; i++) {
		size_t used = strlen(names);

		snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "", m.name[i]);
	}
	if (m.n)
		return error_set(err, EXIT_USAGE,
			"%s: needs kernel names that reidle has no stand-in for: %s%s: "
			"declare them in a file and add --include FILE",
			b->source, names, m.more ? ", ..." : "");
	first_error(log, first, sizeof(first));
	if (strstr(log, "has no member named") && !b->cpuidle_h[0])
		return error_set(err, EXIT_USAGE,
			"%s: does not compile: %s: give its kernel tree with --kernel DIR",
			b->source, first);
	return error_set(err, EXIT_USAGE, "%s: does not compile: %s", b->source, first);
}
