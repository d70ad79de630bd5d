/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing trace.dat files for tests: integers in either order, headers, event formats, sections and
 * options of versions 6 and 7. Independent of the reader in parsers/: nothing is shared with it.
 * For programs of one file: all functions are static. Sizes in bytes.
 */
#ifndef REIDLE_TESTS_DAT_WRITER_H
#define REIDLE_TESTS_DAT_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { ID_PRINT = 5, ID_EXPIRE = 249, ID_START = 250, ID_SWITCH = 316, ID_IDLE = 400, ID_MISS = 401 };

struct writer {
	FILE *f;
	uint64_t at;	  /* bytes written */
	bool be;
	int word;	  /* 4 or 8 */
	uint32_t page;
	int version;
	const char *codec; /* none, zstd, zlib */
};

/* a growing piece of memory, for what needs its length in front */
struct piece {
	uint8_t *p;
	size_t n, cap;
};

static void put(struct writer *w, const void *p, size_t n)
{
	if (fwrite(p, 1, n, w->f) != n) {
		perror("gen_dat: write");
		exit(1);
	}
	w->at += n;
}

static void store(const struct writer *w, uint8_t *p, uint64_t v, int n)
{
	for (int i = 0; i < n; i++)
		p[w->be ? n - 1 - i : i] = (uint8_t)(v >> (8 * i));
}

static void put_number(struct writer *w, uint64_t v, int n)
{
	uint8_t b[8];

	store(w, b, v, n);
	put(w, b, (size_t)n);
}

static void add(struct piece *o, const void *p, size_t n)
{
	if (o->n + n > o->cap) {
		o->cap = (o->n + n) * 2;
		o->p = realloc(o->p, o->cap);
	}
	memcpy(o->p + o->n, p, n);
	o->n += n;
}

static void add_number(const struct writer *w, struct piece *o, uint64_t v, int n)
{
	uint8_t b[8];

	store(w, b, v, n);
	add(o, b, (size_t)n);
}

static void add_string(struct piece *o, const char *s)
{
	add(o, s, strlen(s) + 1);
}

static void add_text(const struct writer *w, struct piece *o, const char *s, int length_size)
{
	add_number(w, o, strlen(s), length_size);
	add(o, s, strlen(s));
}

/* overwrite a number that was not known when it was due */
static void patch(struct writer *w, uint64_t at, uint64_t v, int n)
{
	uint8_t b[8];

	store(w, b, v, n);
	fflush(w->f);
	fseeko(w->f, (off_t)at, SEEK_SET);
	fwrite(b, 1, (size_t)n, w->f);
	fseeko(w->f, (off_t)w->at, SEEK_SET);
}

static void align_to_page(struct writer *w)
{
	static const uint8_t zeros[4096];

	while (w->at % w->page) {
		size_t n = w->page - w->at % w->page;

		put(w, zeros, n < sizeof(zeros) ? n : sizeof(zeros));
	}
}

/* one event format; fields: "type name size signed;..." (~ for a blank) laid out with natural alignment */
static void add_format(const struct writer *w, struct piece *o, const char *name, int id,
	const char *fields)
{
	static const char common[] = "unsigned~short common_type 2 0;unsigned_char common_flags 1 0;"
		"unsigned~char common_preempt_count 1 0;int common_pid 4 1;";
	char text[4096], all[2048], *save, *one;
	int n = sprintf(text, "name: %s\nID: %d\nformat:\n", name, id), at = 0, count = 0;

	snprintf(all, sizeof(all), "%s%s", common, fields);
	for (one = strtok_r(all, ";", &save); one; one = strtok_r(NULL, ";", &save)) {
		char type[40], field[40], *tilde;
		int size, is_signed, align;

		sscanf(one, "%39s %39s %d %d", type, field, &size, &is_signed);
		size = size == -1 ? w->word : size;
		align = size == 8 || size == 4 || size == 2 ? size : 1;
		at = (at + align - 1) / align * align;
		while ((tilde = strchr(type, '~')))
			*tilde = ' ';
		n += sprintf(text + n, "\tfield:%s %s;\toffset:%d;\tsize:%d;\tsigned:%d;\n", type, field, at,
			size, is_signed);
		at += size;
		if (++count == 4) /* the common fields end with an empty line */
			n += sprintf(text + n, "\n");
	}
	sprintf(text + n, "\nprint fmt: \"%%d\", REC->common_pid\n");
	add_text(w, o, text, 8);
}

static void header_info(const struct writer *w, struct piece *o)
{
	char text[600];

	snprintf(text, sizeof(text), "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:%d;\tsigned:1;\n"
		"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		"\tfield: char data;\toffset:%d;\tsize:%u;\tsigned:1;\n", w->word, 8 + w->word,
		w->page - 8 - (uint32_t)w->word);
	add(o, "header_page", 12);
	add_text(w, o, text, 8);
	add(o, "header_event", 13);
	add_text(w, o, "# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
		"\tarray       :   32 bits\n\n\tpadding     : type == 29\n\ttime_extend : type == 30\n"
		"\ttime_stamp : type == 31\n\tdata max type_len  == 28\n", 8);
}

static void ftrace_formats(const struct writer *w, struct piece *o)
{
	add_number(w, o, 1, 4);
	add_format(w, o, "print", ID_PRINT, "unsigned~long ip -1 0;char buf[] 0 0;");
}

static void event_formats(const struct writer *w, struct piece *o)
{
	add_number(w, o, 3, 4);
	add_string(o, "power");
	add_number(w, o, 2, 4);
	add_format(w, o, "cpu_idle", ID_IDLE, "u32 state 4 0;u32 cpu_id 4 0;");
	add_format(w, o, "cpu_idle_miss", ID_MISS, "u32 cpu_id 4 0;u32 state 4 0;bool below 1 0;");
	add_string(o, "sched");
	add_number(w, o, 1, 4);
	add_format(w, o, "sched_switch", ID_SWITCH, "char prev_comm[16] 16 0;pid_t prev_pid 4 1;"
		"int prev_prio 4 1;long prev_state -1 1;char next_comm[16] 16 0;pid_t next_pid 4 1;"
		"int next_prio 4 1;");
	add_string(o, "timer");
	add_number(w, o, 2, 4);
	add_format(w, o, "hrtimer_expire_entry", ID_EXPIRE,
		"void~* hrtimer -1 0;s64 now 8 1;void~* function -1 0;");
	add_format(w, o, "hrtimer_start", ID_START, "void~* hrtimer -1 0;void~* function -1 0;"
		"s64 expires 8 1;s64 softexpires 8 1;enum~hrtimer_mode mode 4 0;");
}

static size_t squeeze(const struct writer *w, uint8_t *out, size_t cap, const uint8_t *in, size_t n)
{
	uLongf got = cap;

	if (!strcmp(w->codec, "zstd"))
		return ZSTD_compress(out, cap, in, n, 1);
	compress2(out, &got, in, n, 1);
	return got;
}

static size_t squeezed_max(size_t n)
{
	return ZSTD_compressBound(n) > compressBound(n) ? ZSTD_compressBound(n) : compressBound(n);
}

static bool packs(const struct writer *w)
{
	return w->version == 7 && strcmp(w->codec, "none");
}

/* version 7: a section with its header; returns its offset */
static uint64_t section(struct writer *w, int id, const struct piece *body, bool pack)
{
	uint64_t at = w->at;
	size_t max = squeezed_max(body->n), n = 0;
	uint8_t *out = malloc(max + 1);

	pack = pack && packs(w);
	if (pack)
		n = squeeze(w, out, max, body->p, body->n);
	put_number(w, (uint64_t)id, 2);
	put_number(w, pack, 2);
	put_number(w, 0, 4);
	put_number(w, pack ? n + 8 : body->n, 8);
	if (pack) {
		put_number(w, n, 4);
		put_number(w, body->n, 4);
	}
	put(w, pack ? out : body->p, pack ? n : body->n);
	free(out);
	return at;
}

static void add_option(const struct writer *w, struct piece *o, int id, const void *p, size_t n)
{
	add_number(w, o, (uint64_t)id, 2);
	add_number(w, o, n, 4);
	add(o, p, n);
}

static void add_offset_option(const struct writer *w, struct piece *o, int id, uint64_t offset)
{
	uint8_t b[8];

	store(w, b, offset, 8);
	add_option(w, o, id, b, 8);
}

#endif
