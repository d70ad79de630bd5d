// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trace text in raw mails, as archives give them out: quoted-printable writes "state=3D2" for state=2 and
 * breaks lines in the middle of a word (RFC 2045, 6.7). Read as it stands, state 2 would become state 3.
 */
#include "parsers/text.h"

#include <stdlib.h>

#define PROBE_BYTES (1UL << 20)

static bool holds(struct text_span text, const char *what)
{
	return memmem(text.s, (size_t)(text.end - text.s), what, strlen(what)) != NULL;
}

bool text_is_encoded(struct text_span text)
{
	if ((size_t)(text.end - text.s) > PROBE_BYTES)
		text.end = text.s + PROBE_BYTES;
	return holds(text, " state=3D") || holds(text, " cpu_id=3D");
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* what stands at a '=': a byte, a line break that is none (-1), or just the sign; moves on */
static int decode_one(const char **p, const char *end)
{
	const char *s = *p;

	if (end - s >= 2 && s[1] == '\n') {
		*p = s + 2;
		return -1;
	}
	if (end - s >= 3 && s[1] == '\r' && s[2] == '\n') {
		*p = s + 3;
		return -1;
	}
	if (end - s >= 3 && hex(s[1]) >= 0 && hex(s[2]) >= 0) {
		*p = s + 3;
		return hex(s[1]) << 4 | hex(s[2]);
	}
	*p = s + 1;
	return '=';
}

char *text_decode(struct text_span text, struct text_span *out)
{
	char *data = xrealloc(NULL, (size_t)(text.end - text.s) + 1, 1), *q = data;

	for (const char *p = text.s; p < text.end;) {
		int c = *p == '=' ? decode_one(&p, text.end) : (unsigned char)*p++;

		if (c >= 0)
			*q++ = (char)c;
	}
	*out = (struct text_span){data, q};
	return data;
}
