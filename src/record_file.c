// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pages of every CPU and what is needed to read them, as one trace.dat of version 6: header page,
 * formats, function names, command names, options, and the table of where each CPU's pages are
 * (trace-cmd.dat.v6(5)). Written beside its final name and renamed when it is whole.
 */
#include "src/record_session.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum option_id { OPTION_DONE, OPTION_CPUSTAT = 2, OPTION_CLOCK = 4, OPTION_UNAME = 5, OPTION_VERSION = 9 };

static void put16(FILE *f, uint16_t v)
{
	fwrite(&v, sizeof(v), 1, f);
}

static void put32(FILE *f, uint32_t v)
{
	fwrite(&v, sizeof(v), 1, f);
}

static void put64(FILE *f, uint64_t v)
{
	fwrite(&v, sizeof(v), 1, f);
}

/* a file of the top trace folder, with its length before it; empty when it cannot be read */
static void put_trace_file(FILE *f, const char *name, int length_bytes)
{
	int size = 0;
	char *text = tracefs_instance_file_read(NULL, name, &size);

	if (!text || size < 0)
		size = 0;
	if (length_bytes == 4)
		put32(f, (uint32_t)size);
	else
		put64(f, (uint64_t)size);
	if (size)
		fwrite(text, 1, (size_t)size, f);
	free(text);
}

static bool is_format(const char *system, const char *event)
{
	return tracefs_event_file_exists(NULL, system, event, "format");
}

static void put_format(FILE *f, const char *system, const char *event)
{
	char *name = xasprintf("events/%s/%s/format", system, event);

	put_trace_file(f, name, 8);
	free(name);
}

/* the kernel's own record types: trace markers are one of them */
static void put_ftrace_formats(FILE *f)
{
	char **event = tracefs_system_events(NULL, "ftrace");
	uint32_t n = 0;

	for (int i = 0; event && event[i]; i++)
		n += is_format("ftrace", event[i]);
	put32(f, n);
	for (int i = 0; event && event[i]; i++)
		if (is_format("ftrace", event[i]))
			put_format(f, "ftrace", event[i]);
	tracefs_list_free(event);
}

/* every event that was on, as system and name */
static size_t events_on(const struct record_session *s, const char *on[][2])
{
	size_t n = 0;

	for (int i = 0; record_events[i].system; i++) {
		if (!s->event_on[i])
			continue;
		on[n][0] = record_events[i].system;
		on[n++][1] = record_events[i].name;
	}
	for (int i = 0; record_probes[i].name; i++) {
		if (!(s->probes_on & 1U << i))
			continue;
		on[n][0] = PROBE_GROUP;
		on[n++][1] = record_probes[i].name;
	}
	return n;
}

static void put_formats(FILE *f, const struct record_session *s)
{
	const char *on[RECORD_EVENTS_MAX + 32][2];
	size_t n = events_on(s, on);
	uint32_t systems = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < n; i++) {
			uint32_t members = 0;
			size_t first = 0;

			while (strcmp(on[first][0], on[i][0]))
				first++;
			if (first < i)
				continue;
			systems += !pass;
			if (!pass)
				continue;
			for (size_t k = i; k < n; k++)
				members += !strcmp(on[k][0], on[i][0]);
			fwrite(on[i][0], 1, strlen(on[i][0]) + 1, f);
			put32(f, members);
			for (size_t k = i; k < n; k++)
				if (!strcmp(on[k][0], on[i][0]))
					put_format(f, on[k][0], on[k][1]);
		}
		if (!pass)
			put32(f, systems);
	}
}

/* text symbols only: they name timer functions, and the rest is two thirds of the file */
static void put_kallsyms(FILE *f, const struct record_session *s)
{
	char path[300], line[1024], *text = NULL;
	FILE *in, *out;
	size_t size;

	snprintf(path, sizeof(path), "%s/proc/kallsyms", s->root);
	in = fopen(path, "re");
	out = open_memstream(&text, &size);
	while (in && fgets(line, sizeof(line), in)) {
		const char *type = strchr(line, ' ');

		if (type && strchr("tTwW", type[1]) && !strstr(line, " __pfx_"))
			fputs(line, out);
	}
	if (in)
		fclose(in);
	fclose(out);
	put32(f, (uint32_t)size);
	fwrite(text, 1, size, f);
	free(text);
}

static void put_option(FILE *f, enum option_id id, const char *text)
{
	put16(f, (uint16_t)id);
	put32(f, (uint32_t)strlen(text) + 1);
	fwrite(text, 1, strlen(text) + 1, f);
}

static void put_cpustat(FILE *f, const struct record_session *s)
{
	for (int i = 0; i < s->ncpus; i++) {
		char *name = xasprintf("per_cpu/cpu%d/stats", i);
		char *stats = tracefs_instance_file_read(s->instance, name, NULL);
		char *text = xasprintf("CPU: %d\n%s", i, stats ? stats : "");

		put_option(f, OPTION_CPUSTAT, text);
		free(text);
		free(stats);
		free(name);
	}
}

static void put_options(FILE *f, const struct record_session *s)
{
	struct utsname u;
	char *text;

	fwrite("options  ", 1, 10, f);
	put_cpustat(f, s);
	text = xasprintf("[%s]", s->clock);
	put_option(f, OPTION_CLOCK, text);
	free(text);
	uname(&u);
	text = xasprintf("%s %s %s %s", u.sysname, u.nodename, u.release, u.machine);
	put_option(f, OPTION_UNAME, text);
	free(text);
	put_option(f, OPTION_VERSION, "reidle " REIDLE_VERSION);
	put16(f, OPTION_DONE);
}

static void put_head(FILE *f, const struct record_session *s)
{
	static const char magic[] = "\x17\x08\x44tracing6";
	const uint32_t one = 1;

	fwrite(magic, 1, sizeof(magic), f); /* with the terminating NUL */
	fputc(*(const char *)&one ? 0 : 1, f);
	fputc((int)sizeof(long), f);
	put32(f, (uint32_t)sysconf(_SC_PAGESIZE));
	fwrite("header_page", 1, 12, f);
	put_trace_file(f, "events/header_page", 8);
	fwrite("header_event", 1, 13, f);
	put_trace_file(f, "events/header_event", 8);
	put_ftrace_formats(f);
	put_formats(f, s);
	put_kallsyms(f, s);
	put_trace_file(f, "printk_formats", 4);
	put_trace_file(f, "saved_cmdlines", 8);
	put32(f, (uint32_t)s->ncpus);
	put_options(f, s);
}

static int64_t piece_size(const struct record_session *s, int cpu)
{
	struct stat st;

	return s->piece[cpu] >= 0 && !fstat(s->piece[cpu], &st) ? st.st_size : 0;
}

/* where each CPU's pages begin, and in which clock they are; page-aligned from the end of the table on */
static void put_table(FILE *f, const struct record_session *s, int64_t *offset)
{
	int64_t page = sysconf(_SC_PAGESIZE), at;
	char clock[40];

	snprintf(clock, sizeof(clock), "[%s]", s->clock);
	fwrite("flyrecord", 1, 10, f);
	at = ftell(f) + s->ncpus * 16 + 8 + (int64_t)strlen(clock) + 1;
	at = (at + page - 1) / page * page;
	for (int i = 0; i < s->ncpus; i++) {
		offset[i] = at;
		put64(f, (uint64_t)at);
		put64(f, (uint64_t)piece_size(s, i));
		at += (piece_size(s, i) + page - 1) / page * page;
	}
	put64(f, strlen(clock) + 1);
	fwrite(clock, 1, strlen(clock) + 1, f);
}

static int copy_piece(int out, int in, int64_t at, int64_t size)
{
	off_t from = 0;

	if (lseek(out, at, SEEK_SET) < 0)
		return -1;
	while (from < size) {
		ssize_t n = sendfile(out, in, &from, (size_t)(size - from));

		if (n <= 0)
			return -1;
	}
	return 0;
}

static int write_file(FILE *f, struct record_session *s)
{
	int64_t *offset = xcalloc((size_t)s->ncpus, sizeof(*offset)), end = 0;
	int ret;

	put_head(f, s);
	put_table(f, s, offset);
	ret = fflush(f) || ferror(f) ? -1 : 0;
	for (int i = 0; i < s->ncpus && !ret; i++) {
		ret = copy_piece(fileno(f), s->piece[i], offset[i], piece_size(s, i));
		end = max64(end, offset[i] + piece_size(s, i));
	}
	if (!ret)
		ret = ftruncate(fileno(f), end);
	free(offset);
	return ret;
}

int record_session_write(struct record_session *s, struct error *err)
{
	char *partial = xasprintf("%s.partial", s->plan->output);
	FILE *f = fopen(partial, "we");
	int ret = f ? write_file(f, s) : -1;

	if (f && fclose(f))
		ret = -1;
	if (!ret)
		ret = rename(partial, s->plan->output);
	if (ret) {
		error_set(err, EXIT_INPUT, "record: %s: %s", partial, strerror(errno));
		if (f)
			unlink(partial);
	}
	free(partial);
	return ret;
}
