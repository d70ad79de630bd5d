// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void one_line(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = '?';
}

int error_set(struct error *err, enum exit_code code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	err->code = code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	one_line(err->text);
	return -1;
}

int error_prefix(struct error *err, const char *fmt, ...)
{
	char old[sizeof(err->text)], head[200];
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	vsnprintf(head, sizeof(head), fmt, ap);
	va_end(ap);
	memcpy(old, err->text, sizeof(old));
	snprintf(err->text, sizeof(err->text), "%s: %.*s", head, (int)(sizeof(old) - sizeof(head) - 3),
		old);
	one_line(err->text);
	return -1;
}
