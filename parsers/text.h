/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trace text: what trace-cmd report, tracefs, perf script and systrace print, one event a line.
 * Shared by parsers/text*.c. Spans point into the caller's bytes, which are not NUL-terminated.
 */
#ifndef REIDLE_PARSERS_TEXT_H
#define REIDLE_PARSERS_TEXT_H

#include "parsers/parser.h"

#include <string.h>

struct text_span {
	const char *s, *end;
};

/* where a layout keeps the CPU */
enum text_layout {
	TEXT_BRACKET, /* comm-pid [003] d..1 12.345678: event: ...; perf script */
	TEXT_LATENCY, /* comm-pid 3d..1 12.345678: event: ... or 105us: trace-cmd report -l, latency tracers */
};

/* the head of a line: who, where, when, which event */
struct text_head {
	int64_t at_ns;
	int cpu;
	int32_t pid; /* -1: no task column */
	uint8_t ctx; /* CTX_* */
	int8_t digits; /* of the fraction; 0: a bare integer; -1: "105us" */
	enum text_layout layout;
	bool perf;	       /* the name had its system in front */
	struct text_span name; /* empty: nothing after the time */
	struct text_span args; /* with the blanks around */
};

/**
 * text_head() - the head of one line
 * @line: without its newline
 * @like: layout to try first (that of the line before)
 * Return: false when this is no event line
 */
bool text_head(struct text_head *h, struct text_span line, enum text_layout like);

/* what text_event() made of a line */
enum text_result {
	TEXT_OTHER,   /* an event that nobody asked for */
	TEXT_EVENT,   /* ev is filled */
	TEXT_LACKING, /* fields are missing: cut or wrapped line */
};

struct text_events; /* the table of known events, prepared for one file */

/** text_events_new() - @want: kinds to fill (EV_BITs); release with free() */
struct text_events *text_events_new(uint64_t want);

/**
 * text_event() - the fields of one line
 * @t: names are interned there
 * @strict: false: take what is there (the line is not continued below); cpu_id may be missing then
 * @kind: the event's kind also when it is not wanted, else EV_NONE
 */
enum text_result text_event(const struct text_events *all, struct event *ev,
	const struct text_head *h, struct trace *t, bool strict, enum ev_kind *kind);

/* --- reading values, text_value.c --- */

/** text_same() - n bytes, few: a call of memcmp() would cost more than the comparison */
static inline bool text_same(const char *a, const char *b, size_t n)
{
	uint64_t x, y;

	for (; n >= 8; n -= 8, a += 8, b += 8) {
		memcpy(&x, a, 8);
		memcpy(&y, b, 8);
		if (x != y)
			return false;
	}
	while (n && *a == *b) {
		n--;
		a++;
		b++;
	}
	return !n;
}

/** text_number() - decimal, 0x hex, with a minus; moves on; false when there is no digit */
bool text_number(struct text_span *v, int64_t *out);
/** text_hex() - a pointer, with or without 0x */
bool text_hex(struct text_span v, uint64_t *out);
/** text_key() - what follows "key=" at the start of a word, up to the end of the line */
bool text_key_n(struct text_span args, const char *key, size_t n, struct text_span *value);
static inline bool text_key(struct text_span args, const char *key, struct text_span *value)
{
	return text_key_n(args, key, strlen(key), value);
}
static inline bool text_key_number(struct text_span args, const char *key, int64_t *out)
{
	struct text_span v;

	return text_key_n(args, key, strlen(key), &v) && text_number(&v, out);
}
/** text_word() - up to the next blank */
struct text_span text_word(struct text_span v);
/** text_is() - equals */
bool text_is(struct text_span v, const char *word);
struct text_span text_trim(struct text_span v);

/**
 * text_parse_bytes() - read trace text; the parsers of the formats differ only in what they cut off before
 * @format: NULL: told from the lines
 */
int text_parse_bytes(const char *name, struct text_span text, const char *format,
	const struct parse_options *opt, struct trace *out, struct error *err);

/** text_looks() - does an event line come early in the text */
bool text_looks(struct text_span text);

/** text_is_encoded() - is it a raw mail in quoted-printable */
bool text_is_encoded(struct text_span text);
/** text_decode() - the bytes that were encoded; @out points into the returned buffer, the caller's to free */
char *text_decode(struct text_span text, struct text_span *out);

/** text_html_block() - the trace in a page of HTML; false when there is none */
bool text_html_block(struct text_span text, struct text_span *block);

extern const struct parser parser_text, parser_html, parser_dump;

#endif
