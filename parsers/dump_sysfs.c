// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sysfs cpuidle files as `grep -r .` prints them: any order, any prefix before the path, line numbers,
 * mail quoting, `:`, `: `, `=` or `|` after the path, or head's "==> path <==" with the value below.
 */
#include "parsers/dump.h"

#include <stdlib.h>
#include <string.h>

struct span {
	const char *s;
	size_t n;
};

/* what a path names: a file of a state, or of the cpuidle folder itself */
struct where {
	long cpu, state; /* state -1: not a state's file */
	struct span file; /* "usage", "s2idle/time", "current_driver" */
};

static bool take(struct span *s, const char *text)
{
	size_t n = strlen(text);

	if (s->n < n || memcmp(s->s, text, n))
		return false;
	s->s += n;
	s->n -= n;
	return true;
}

static bool take_number(struct span *s, long *out)
{
	size_t i = 0;
	long v = 0;

	for (; i < s->n && s->s[i] >= '0' && s->s[i] <= '9'; i++)
		v = v < 100000000 ? v * 10 + (s->s[i] - '0') : v;
	*out = v;
	s->s += i;
	s->n -= i;
	return i > 0;
}

/* N of a "cpuN/" that ends at @end; 0 when the path does not say (run inside cpuN) */
static long cpu_before(const char *start, const char *end)
{
	const char *p = end - 1;
	struct span digits;
	long cpu;

	if (end <= start || *p != '/')
		return 0;
	while (p > start && p[-1] >= '0' && p[-1] <= '9')
		p--;
	digits = (struct span){p, (size_t)(end - p)};
	if (p - start < 3 || memcmp(p - 3, "cpu", 3) || !take_number(&digits, &cpu))
		return 0;
	return cpu;
}

static bool is_file_char(char c)
{
	return (c >= 'a' && c <= 'z') || c == '_' || c == '/' || (c >= '0' && c <= '9');
}

/* the path must end in what sysfs has; what follows is left in @rest */
static bool find_where(struct where *w, const char *line, size_t len, struct span *rest)
{
	const char *at = memmem(line, len, "cpuidle/", 8);
	struct span s = {line, len};
	size_t n = 0;

	w->cpu = 0;
	w->state = -1;
	if (at) {
		w->cpu = cpu_before(line, at);
		s = (struct span){at + 8, len - (size_t)(at + 8 - line)};
	} else {
		while (s.n && (*s.s == ' ' || *s.s == '>' || *s.s == '\t' || *s.s == '.' ||
				*s.s == '/'))
			s.s++, s.n--;
	}
	if (take(&s, "state")) {
		if (!take_number(&s, &w->state) || !take(&s, "/"))
			return false;
	} else if (!at) {
		return false;
	}
	while (n < s.n && is_file_char(s.s[n]))
		n++;
	w->file = (struct span){s.s, n};
	*rest = (struct span){s.s + n, s.n - n};
	return n > 0;
}

static bool is(const struct where *w, const char *name)
{
	return w->file.n == strlen(name) && !memcmp(w->file.s, name, w->file.n);
}

static void copy_span(char *dst, size_t size, struct span v)
{
	size_t n = v.n < size - 1 ? v.n : size - 1;

	if (v.n == 6 && !memcmp(v.s, "<null>", 6))
		n = 0;
	memcpy(dst, v.s, n);
	dst[n] = '\0';
}

static bool is_number(struct span v, int64_t *out)
{
	uint64_t x = 0;

	if (!v.n || v.n > 19)
		return false;
	for (size_t i = 0; i < v.n; i++) {
		if (v.s[i] < '0' || v.s[i] > '9')
			return false;
		x = x * 10 + (uint64_t)(v.s[i] - '0');
	}
	*out = x > INT64_MAX ? INT64_MAX : (int64_t)x;
	return true;
}

static int64_t *field_of(struct dump_state *s, const struct where *w)
{
	static const struct {
		const char *name;
		size_t offset;
	} field[] = {
		{"latency", offsetof(struct dump_state, latency_us)},
		{"residency", offsetof(struct dump_state, residency_us)},
		{"usage", offsetof(struct dump_state, usage)},
		{"time", offsetof(struct dump_state, time_us)},
		{"above", offsetof(struct dump_state, above)},
		{"below", offsetof(struct dump_state, below)},
		{"rejected", offsetof(struct dump_state, rejected)},
		{"disable", offsetof(struct dump_state, disable)},
		{"s2idle/usage", offsetof(struct dump_state, s2idle_usage)},
		{"s2idle/time", offsetof(struct dump_state, s2idle_time_us)},
	};

	for (size_t i = 0; i < ARRAY_SIZE(field); i++)
		if (is(w, field[i].name))
			return (int64_t *)((char *)s + field[i].offset);
	return NULL;
}

static void set_state(struct dump *d, const struct where *w, struct span v)
{
	struct dump_state *s = dump_state_at(d, w->cpu, w->state);
	int64_t *field, x;

	if (!s)
		return;
	if (is(w, "name")) {
		copy_span(s->name, sizeof(s->name), v);
	} else if (is(w, "desc")) {
		copy_span(s->desc, sizeof(s->desc), v);
	} else if (is(w, "default_status")) {
		s->default_off = v.n == 8 && !memcmp(v.s, "disabled", 8);
	} else if ((field = field_of(s, w)) && is_number(v, &x)) {
		if (field == &s->usage && *field >= 0 && *field != x)
			d->repeats++;
		*field = x;
	}
}

static void set_value(struct dump *d, const struct where *w, struct span v)
{
	while (v.n && (v.s[v.n - 1] == ' ' || v.s[v.n - 1] == '\r' || v.s[v.n - 1] == '\n' ||
			v.s[v.n - 1] == '\t'))
		v.n--;
	if (w->state >= 0)
		set_state(d, w, v);
	else if (is(w, "current_driver") || is(w, "driver/name"))
		copy_span(d->driver, sizeof(d->driver), v);
	else if (is(w, "current_governor") || (is(w, "current_governor_ro") && !d->governor[0]))
		copy_span(d->governor, sizeof(d->governor), v);
	else if (is(w, "available_governors"))
		copy_span(d->available, sizeof(d->available), v);
}

/* ": ", "::", "|", "=" and grep -n's line number between path and value */
static struct span skip_separator(struct span v)
{
	struct span number;
	long line;

	while (v.n && strchr(":|= \t", *v.s))
		v.s++, v.n--;
	number = v;
	if (take_number(&number, &line) && take(&number, ":"))
		return number;
	return v;
}

void dump_sysfs_value(struct dump *d, const char *path, size_t path_len, const char *value,
	size_t len)
{
	const char *nul = memchr(value, '\0', len);
	struct where w;
	struct span rest;

	if (nul)
		len = (size_t)(nul - value);
	if (find_where(&w, path, path_len, &rest) && !rest.n)
		set_value(d, &w, (struct span){value, len});
}

void dump_sysfs_text(struct dump *d, const char *text, size_t size)
{
	const char *end = text + size;
	struct where head = {.file = {NULL, 0}}, w;
	struct span rest;

	while (text < end) {
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		size_t len = (size_t)((nl ? nl : end) - text);
		bool path = find_where(&w, text, len, &rest);

		if (path && rest.n >= 4 && !memcmp(rest.s, " <==", 4)) {
			head = w;
		} else if (path && rest.n && strchr(":|= \t", *rest.s)) {
			set_value(d, &w, skip_separator(rest));
		} else if (head.file.s && len) {
			set_value(d, &head, (struct span){text, len});
			head.file.s = NULL;
		}
		text += len + 1;
	}
}
