// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/util.h"
#include "src/error.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void (*restore_terminal)(void);

void oom_hook(void (*restore)(void))
{
	restore_terminal = restore;
}

static void *checked(void *p)
{
	if (p)
		return p;
	if (restore_terminal)
		restore_terminal();
	fputs("reidle: out of memory\n", stderr);
	exit(EXIT_INTERNAL);
}

void *xcalloc(size_t n, size_t size)
{
	return checked(calloc(n ? n : 1, size ? size : 1));
}

void *xrealloc(void *p, size_t n, size_t size)
{
	return checked(reallocarray(p, n ? n : 1, size ? size : 1));
}

char *xstrdup(const char *s)
{
	return checked(strdup(s));
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	return checked(n < 0 ? NULL : s);
}

bool copy_text(char *dst, size_t size, const char *src)
{
	size_t n = strlen(src), k = n < size ? n : size - 1;

	memcpy(dst, src, k);
	dst[k] = '\0';
	return k == n;
}
