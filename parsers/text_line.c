// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of trace text that are no events, and lines that a mailer has wrapped. */
#include "parsers/text_reader.h"

#include <stdlib.h>
#include <string.h>

bool text_next_line(struct text_reader *r, struct text_span *line)
{
	const char *nl;

	if (r->next >= r->end)
		return false;
	nl = memchr(r->next, '\n', (size_t)(r->end - r->next));
	*line = (struct text_span){r->next, nl ? nl : r->end};
	r->next = nl ? nl + 1 : r->end;
	while (line->end > line->s && line->end[-1] == '\r')
		line->end--;
	/* systrace before 2014 keeps the text in a JavaScript string */
	if (line->end - line->s > 3 && !memcmp(line->end - 3, "\\n\\", 3))
		line->end -= 3;
	return true;
}

bool text_cpu(struct text_reader *r, int cpu)
{
	int cap = r->cpu_cap ? r->cpu_cap : 64;

	if (cpu < 0 || cpu >= TEXT_CPUS_MAX)
		return false;
	if (cpu >= r->cpus_used)
		r->cpus_used = cpu + 1;
	if (cpu < r->cpu_cap)
		return true;
	while (cap <= cpu)
		cap *= 2;
	r->cpu_last = xrealloc(r->cpu_last, (size_t)cap, sizeof(*r->cpu_last));
	r->cpu_lost = xrealloc(r->cpu_lost, (size_t)cap, sizeof(*r->cpu_lost));
	r->cpu_back = xrealloc(r->cpu_back, (size_t)cap, sizeof(*r->cpu_back));
	for (int i = r->cpu_cap; i < cap; i++) {
		r->cpu_last[i] = INT64_MIN;
		r->cpu_lost[i] = 0;
		r->cpu_back[i] = 0;
	}
	r->cpu_cap = cap;
	trace_cpus(r->t, cap);
	return true;
}

static bool after(struct text_span line, const char *what, struct text_span *rest)
{
	const char *at = memmem(line.s, (size_t)(line.end - line.s), what, strlen(what));

	if (!at)
		return false;
	*rest = (struct text_span){at + strlen(what), line.end};
	return true;
}

static void cpus_said(struct text_reader *r, struct text_span v)
{
	int64_t n;

	if (text_number(&v, &n) && n > 0 && n <= TEXT_CPUS_MAX)
		r->cpus_said = (int)n;
}

/* the first word */
static void copy_value(char *dst, size_t size, struct text_span v)
{
	v = text_word(text_trim(v));
	snprintf(dst, size, "%.*s", (int)(v.end - v.s), v.s);
	for (; *dst; dst++)
		if (*dst < ' ' || *dst == 0x7f)
			*dst = '?';
}

/* "# entries-in-buffer/entries-written: 22/40   #P:64" and what latency tracers say of the kernel */
static void comment(struct text_reader *r, struct text_span line)
{
	int64_t kept, written;
	struct text_span v;

	if (after(line, "#P:", &v))
		cpus_said(r, v);
	if (after(line, "entries-written:", &v)) {
		v = text_trim(v);
		if (text_number(&v, &kept) && v.s < v.end && *v.s++ == '/' && text_number(&v, &written)) {
			r->kept = kept;
			r->written = written;
		}
	}
	/* perf script --header */
	if (after(line, "# os release :", &v))
		copy_value(r->t->kernel, sizeof(r->t->kernel), v);
	if (after(line, "# arch :", &v))
		copy_value(r->t->arch, sizeof(r->t->arch), v);
	if (after(line, "# nrcpus avail :", &v))
		cpus_said(r, text_trim(v));
	if (after(line, "latency trace v", &v) && after(v, " on ", &v))
		copy_value(r->t->kernel, sizeof(r->t->kernel), v);
}

/* "CPU:3 [17 EVENTS DROPPED]" of trace-cmd, "CPU:3 [LOST 17 EVENTS]" of the kernel */
static bool lost_line(struct text_reader *r, struct text_span line)
{
	struct text_span v, at;
	int64_t cpu, lost = -1;

	if (!after(line, "CPU:", &v) || !text_number(&v, &cpu) || cpu < 0 || cpu >= TEXT_CPUS_MAX)
		return false;
	if (!after(v, "EVENTS", &at) || !after(v, "[", &v))
		return false;
	if (v.end - v.s > 5 && !memcmp(v.s, "LOST ", 5))
		v.s += 5;
	if (!text_number(&v, &lost))
		lost = -1;
	if (!text_cpu(r, (int)cpu))
		return false;
	r->cpu_lost[cpu] = lost < 0 ? -1 : lost + 1;
	if (r->sorting)
		return true;
	if (lost >= 0)
		r->t->lost_events += (uint64_t)lost;
	else
		r->t->lost_unknown++;
	return true;
}

void text_other_line(struct text_reader *r, struct text_span line)
{
	struct text_span v;

	line = text_trim(line);
	if (line.s >= line.end)
		return;
	if (*line.s == '#') {
		comment(r, line);
	} else if (line.end - line.s > 5 && !memcmp(line.s, "cpus=", 5)) {
		v = (struct text_span){line.s + 5, line.end};
		cpus_said(r, v);
		r->trace_cmd = true;
	} else {
		lost_line(r, line);
	}
}

/* without what mailers put before quoted lines */
static struct text_span unquoted(struct text_span line)
{
	while (line.s < line.end && (*line.s == '>' || *line.s == ' ' || *line.s == '\t'))
		line.s++;
	return text_trim(line);
}

static bool peek(const struct text_reader *r, struct text_span *line)
{
	const char *nl;

	if (r->next >= r->end)
		return false;
	nl = memchr(r->next, '\n', (size_t)(r->end - r->next));
	*line = unquoted((struct text_span){r->next, nl ? nl : r->end});
	return line->s < line->end;
}

bool text_join(struct text_reader *r, struct text_span *line)
{
	struct text_span below, taken;
	struct text_head h;
	size_t a = (size_t)(line->end - line->s), b;

	if (!peek(r, &below) || *below.s == '#' || text_head(&h, below, r->layout))
		return false;
	b = (size_t)(below.end - below.s);
	if (a + b + 1 > sizeof(r->joined))
		return false;
	memmove(r->joined, line->s, a);
	r->joined[a] = ' ';
	memcpy(r->joined + a + 1, below.s, b);
	*line = (struct text_span){r->joined, r->joined + a + 1 + b};
	return text_next_line(r, &taken);
}

bool text_head_wrapped(const struct text_reader *r, struct text_span line)
{
	const char *p = memchr(line.s, '[', (size_t)(line.end - line.s));
	struct text_span v = {p ? p + 1 : NULL, line.end}, below;
	int64_t cpu;

	return p && text_number(&v, &cpu) && v.s < v.end && *v.s == ']' && peek(r, &below) &&
		*below.s >= '0' && *below.s <= '9';
}

bool text_of_instance(const char *instance, struct text_span line)
{
	const char *bracket = memchr(line.s, '[', (size_t)(line.end - line.s));
	struct text_span v = text_trim((struct text_span){line.s, bracket ? bracket : line.end});
	struct text_span word = text_word(v);
	bool prefixed = word.end > word.s && word.end[-1] == ':';

	if (!prefixed)
		return !*instance;
	word.end--;
	return text_is(word, instance);
}
