// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers and words of trace text. */
#include "parsers/text.h"

#include <string.h>

static inline unsigned int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a' + 10) : 16;
}

static bool take_hex(struct text_span *v, uint64_t *out)
{
	const char *start = v->s;
	uint64_t x = 0;

	while (v->s < v->end && hex_digit(*v->s) < 16)
		x = x << 4 | hex_digit(*v->s++);
	*out = x;
	return v->s > start;
}

static bool begins_0x(struct text_span v)
{
	return v.end - v.s > 2 && v.s[0] == '0' && (v.s[1] | 0x20) == 'x';
}

bool text_number(struct text_span *v, int64_t *out)
{
	bool minus = v->s < v->end && *v->s == '-';
	const char *start;
	uint64_t x = 0;
	unsigned int d;

	v->s += minus;
	if (begins_0x(*v)) {
		v->s += 2;
		take_hex(v, &x);
	} else {
		start = v->s;
		while (v->s < v->end && (d = (unsigned int)(unsigned char)*v->s - '0') < 10) {
			x = x * 10 + d;
			v->s++;
		}
		if (v->s == start)
			return false;
	}
	*out = minus ? -(int64_t)x : (int64_t)x;
	return true;
}

bool text_hex(struct text_span v, uint64_t *out)
{
	if (begins_0x(v))
		v.s += 2;
	return take_hex(&v, out);
}

bool text_key_n(struct text_span args, const char *key, size_t n, struct text_span *value)
{
	const char *p = args.s;

	while (p && (size_t)(args.end - p) > n) {
		if (p[n] == '=' && text_same(p, key, n)) {
			*value = (struct text_span){p + n + 1, args.end};
			return true;
		}
		p = memchr(p, ' ', (size_t)(args.end - p));
		while (p && p < args.end && (*p == ' ' || *p == '['))
			p++;
	}
	return false;
}

struct text_span text_word(struct text_span v)
{
	const char *p = memchr(v.s, ' ', (size_t)(v.end - v.s));

	return (struct text_span){v.s, p ? p : v.end};
}

bool text_is(struct text_span v, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(v.end - v.s) == n && text_same(v.s, word, n);
}

struct text_span text_trim(struct text_span v)
{
	while (v.s < v.end && (*v.s == ' ' || *v.s == '\t'))
		v.s++;
	while (v.end > v.s && (v.end[-1] == ' ' || v.end[-1] == '\t' || v.end[-1] == '\r'))
		v.end--;
	return v;
}
