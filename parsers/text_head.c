// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The head of an event line. Task names hold anything, brackets and dashes too: a candidate counts only
 * when CPU, flags, time and event name follow as they must (kernel/trace/trace_output.c; trace-cmd report;
 * perf's builtin-script.c).
 */
#include "parsers/text.h"

#include <string.h>

#define CPU_MAX 8191
#define COMM_WIDTH 16 /* the kernel and trace-cmd right-align task names in as many columns */

static inline bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static bool is_flag(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '.' ||
		c == '#' || c == '*' || c == '-';
}

/* irqs-off, need-resched, hard or soft irq: the first three letters of the flags column */
static uint8_t context(const char *f)
{
	uint8_t ctx = 0;

	if (f[0] == 'd' || f[0] == 'D')
		ctx |= CTX_IRQS_OFF;
	if (f[1] == 'N' || f[1] == 'n' || f[1] == 'B' || f[1] == 'b')
		ctx |= CTX_NEED_RESCHED;
	if (f[2] == 'h' || f[2] == 'H' || f[2] == 'Z' || f[2] == 'z')
		ctx |= CTX_HARDIRQ;
	if (f[2] == 's' || f[2] == 'H')
		ctx |= CTX_SOFTIRQ;
	return ctx;
}

/* the flags column, 3 to 8 letters; NULL when this is none */
static const char *take_flags(struct text_head *h, const char *p, const char *end)
{
	const char *start = p;

	while (p < end && is_flag(*p))
		p++;
	if (p - start < 3 || p - start > 8 || (p < end && *p != ' ' && *p != '\t'))
		return NULL;
	h->ctx = context(start);
	return skip_blanks(p, end);
}

/* "105us+:" of latency tracers: us since the start of the trace, and a mark for long gaps */
static const char *take_us(struct text_head *h, const char *p, const char *end, uint64_t us)
{
	h->at_ns = (int64_t)us * NSEC_PER_USEC;
	h->digits = -1;
	for (p += 2; p < end && strchr("+!#*@$ ", *p); p++)
		;
	return p;
}

/* digits beyond ns are passed over */
static const char *take_fraction(struct text_head *h, const char *p, const char *end, uint64_t s)
{
	static const uint32_t scale[] = {1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000,
		100, 10, 1};
	const char *start = p, *most = end - p > 9 ? p + 9 : end;
	uint64_t x = 0;

	while (p < most && is_digit(*p))
		x = x * 10 + (uint64_t)(*p++ - '0');
	h->digits = (int8_t)(p - start);
	h->at_ns = (int64_t)(s * NSEC_PER_SEC + x * scale[h->digits]);
	while (p < end && is_digit(*p))
		p++;
	return h->digits ? p : NULL;
}

/* seconds with a fraction, a bare integer (clocks other than the usual), or us; then the colon */
static const char *take_time(struct text_head *h, const char *p, const char *end)
{
	const char *start = p;
	uint64_t x = 0;

	while (p < end && is_digit(*p))
		x = x * 10 + (uint64_t)(*p++ - '0');
	if (p == start || p - start > 19 || p >= end)
		return NULL;
	if (*p == '.') {
		if (x > INT64_MAX / NSEC_PER_SEC - 1)
			return NULL;
		p = take_fraction(h, p + 1, end, x);
	} else if (end - p > 2 && p[0] == 'u' && p[1] == 's') {
		p = x < INT64_MAX / NSEC_PER_USEC ? take_us(h, p, end, x) : NULL;
	} else {
		h->at_ns = x > INT64_MAX ? INT64_MAX : (int64_t)x;
		h->digits = 0;
	}
	return p && p < end && *p == ':' ? p + 1 : NULL;
}

/* what trace-cmd --ts-diff "(+12)" and perf's sample period put before the name */
static const char *skip_extras(const char *p, const char *end)
{
	const char *q;

	p = skip_blanks(p, end);
	if (p < end && *p == '(' && (q = memchr(p, ')', (size_t)(end - p))) && q - p < 24)
		p = skip_blanks(q + 1, end);
	for (q = p; q < end && is_digit(*q); q++)
		;
	return q > p && q < end && *q == ' ' ? skip_blanks(q, end) : p;
}

/* "cpu_idle:" or "power:cpu_idle:"; a line of the function tracer has no name and is kept as such */
static void take_name(struct text_head *h, const char *p, const char *end)
{
	const char *name = p, *q = p;

	h->name = (struct text_span){p, p};
	h->args = (struct text_span){p, end};
	for (;; q++) {
		/* letters and _ are above all that may end a name */
		while (q < end && (unsigned char)*q > ':')
			q++;
		if (q == end || *q == ' ' || *q == '\t')
			return;
		if (*q != ':')
			continue;
		if (q + 1 == end || q[1] == ' ' || q[1] == '\t') {
			h->perf = p != name;
			h->name = (struct text_span){p, q};
			h->args = (struct text_span){q + 1, end};
			return;
		}
		p = q + 1;
	}
}

/* all that follows the CPU */
static bool take_rest(struct text_head *h, const char *p, const char *end)
{
	p = skip_blanks(p, end);
	if (p < end && !is_digit(*p)) {
		p = take_flags(h, p, end);
		if (!p)
			return false;
	}
	p = take_time(h, p, end);
	if (!p)
		return false;
	take_name(h, skip_extras(p, end), end);
	return true;
}

/* the number that ends at @p: "comm-12", "comm 12/13", past a "( 12)" of the TGID column */
static int32_t pid_before(const char *start, const char *p)
{
	int64_t pid = 0, scale = 1;
	const char *stop;

	while (p > start && p[-1] == ' ')
		p--;
	if (p > start && p[-1] == ')') {
		while (p > start && *p != '(')
			p--;
		while (p > start && p[-1] == ' ')
			p--;
	}
	for (stop = p; p > start && is_digit(p[-1]) && stop - p < 10; p--) {
		pid += (p[-1] - '0') * scale;
		scale *= 10;
	}
	return p == stop || pid > INT32_MAX ? -1 : (int32_t)pid;
}

static bool bracket_at(struct text_head *h, const char *start, const char *p, const char *end)
{
	const char *q = p + 1;
	int cpu = 0;

	while (q < end && is_digit(*q) && cpu <= CPU_MAX)
		cpu = cpu * 10 + (*q++ - '0');
	if (q == p + 1 || q >= end || *q != ']' || cpu > CPU_MAX)
		return false;
	h->cpu = cpu;
	h->ctx = 0;
	h->perf = false;
	if (!take_rest(h, q + 1, end))
		return false;
	h->pid = pid_before(start, p);
	h->layout = TEXT_BRACKET;
	return true;
}

static bool head_bracket(struct text_head *h, const char *from, struct text_span line)
{
	const char *p = from;

	while ((p = memchr(p, '[', (size_t)(line.end - p)))) {
		if (bracket_at(h, line.s, p, line.end))
			return true;
		p++;
	}
	return false;
}

/* "-0       1dN.1.  ": pid, blanks, CPU and flags in one word */
static bool latency_at(struct text_head *h, const char *p, const char *end)
{
	struct text_span v = {p + 1, end};
	int64_t pid, cpu;

	if (p + 1 >= end || !is_digit(p[1]) || !text_number(&v, &pid))
		return false;
	if (v.s >= end || *v.s != ' ')
		return false;
	v.s = skip_blanks(v.s, end);
	if (!text_number(&v, &cpu) || cpu < 0 || cpu > CPU_MAX || v.s >= end || is_digit(*v.s))
		return false;
	h->perf = false;
	if (*v.s == ' ' || *v.s == '[' || !take_rest(h, v.s, end))
		return false;
	h->cpu = (int)cpu;
	h->pid = pid > INT32_MAX ? -1 : (int32_t)pid;
	h->layout = TEXT_LATENCY;
	return true;
}

static bool head_latency(struct text_head *h, struct text_span line)
{
	const char *p = line.s;

	while ((p = memchr(p, '-', (size_t)(line.end - p)))) {
		if (latency_at(h, p, line.end))
			return true;
		p++;
	}
	return false;
}

/* the usual line: name in its columns, pid, blanks, bracket; no search for any of them */
static bool head_aligned(struct text_head *h, struct text_span line)
{
	const char *p = line.s + COMM_WIDTH + 1;

	while (p < line.end && is_digit(*p))
		p++;
	p = skip_blanks(p, line.end);
	return p < line.end && *p == '[' && bracket_at(h, line.s + COMM_WIDTH, p, line.end);
}

bool text_head(struct text_head *h, struct text_span line, enum text_layout like)
{
	/* past the task name when it stands where the kernel puts it: it may look like anything */
	bool aligned = line.end - line.s > COMM_WIDTH + 1 && line.s[COMM_WIDTH] == '-' &&
		is_digit(line.s[COMM_WIDTH + 1]);

	if (aligned && (head_aligned(h, line) || head_bracket(h, line.s + COMM_WIDTH, line)))
		return true;
	if (like == TEXT_LATENCY && head_latency(h, line))
		return true;
	return head_bracket(h, line.s, line) || head_latency(h, line);
}
