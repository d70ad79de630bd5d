// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/rawevents_render.h"

#include <event-parse.h>
#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>

#define IDS 65536
#define RECORD_ROOM 65536 /* zeros behind a record: the library trusts the sizes of the format */

enum id_state { ID_NEW, ID_PARSED, ID_BROKEN };

struct renderer {
	const struct raw_world *w;
	struct tep_handle *tep;
	uint8_t state[IDS];
	int format_of[IDS]; /* index + 1 */
	uint8_t room[RECORD_ROOM];
	struct trace_seq seq;
	char line[8192];
};

static long number_after(const struct raw_text *t, const char *key)
{
	const char *p = memmem(t->p, t->len, key, strlen(key)), *end = t->p + t->len;
	long v = 0;

	if (!p)
		return -1;
	for (p += strlen(key); p < end && *p >= '0' && *p <= '9' && v < IDS; p++)
		v = v * 10 + (*p - '0');
	return v < IDS ? v : -1;
}

/* each line of a text, NUL-terminated in a buffer of its own */
static void each_line(const struct raw_text *t, void (*one)(struct tep_handle *tep, char *line),
	struct tep_handle *tep)
{
	const char *p = t->p, *end = p + t->len;
	char line[512];

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((nl ? nl : end) - p);

		if (n < sizeof(line)) {
			memcpy(line, p, n);
			line[n] = '\0';
			one(tep, line);
		}
		p += n + 1;
	}
}

static void one_comm(struct tep_handle *tep, char *line)
{
	char *name;
	long pid = strtol(line, &name, 10);

	if (*name == ' ')
		tep_register_comm(tep, name + 1, (int)pid);
}

/* "ffffffff81000000 T name	[module]" */
static void one_function(struct tep_handle *tep, char *line)
{
	char *rest, *save = NULL, *name, *module;
	unsigned long long address = strtoull(line, &rest, 16);

	/* absolute symbols are no places in the kernel, $x and $d no names */
	if (rest == line || strlen(rest) < 4 || rest[1] == 'A' || rest[3] == '$')
		return;
	name = strtok_r(rest + 3, " \t", &save);
	module = name ? strtok_r(NULL, " \t[]", &save) : NULL;
	if (name)
		tep_register_function(tep, name, address, module);
}

/* 0xffff... : "text"; the library takes the quotes off, and steps out of texts of less than two letters */
static void one_string(struct tep_handle *tep, char *line)
{
	unsigned long long address = strtoull(line, NULL, 16);
	char *quote = strchr(line, '"'), *last = quote ? strrchr(line, '"') : NULL;

	if (!last || last - quote < 3)
		return;
	last[1] = '\0';
	tep_register_print_string(tep, quote, address);
}

struct renderer *renderer_new(const struct raw_world *w)
{
	struct renderer *r = xcalloc(1, sizeof(*r));

	r->w = w;
	r->tep = tep_alloc();
	if (!r->tep) {
		free(r);
		return NULL;
	}
	tep_set_loglevel(TEP_LOG_NONE);
	trace_seq_init(&r->seq);
	tep_set_long_size(r->tep, w->word);
	tep_set_file_bigendian(r->tep, w->be ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(r->tep,
		__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	for (int i = 0; i < w->nformats; i++) {
		long id = number_after(&w->format[i].text, "\nID: ");

		if (id >= 0)
			r->format_of[id] = i + 1;
	}
	each_line(&w->cmdlines, one_comm, r->tep);
	each_line(&w->kallsyms, one_function, r->tep);
	each_line(&w->printk, one_string, r->tep);
	return r;
}

static int id_of(const struct renderer *r, const struct raw_event *ev)
{
	if (ev->size < 2)
		return -1;
	return r->w->be ? ev->data[0] << 8 | ev->data[1] : ev->data[1] << 8 | ev->data[0];
}

static size_t line_head(struct renderer *r, const struct raw_event *ev, const char *comm, int pid,
	const char *name)
{
	long long s = ev->at_ns / NSEC_PER_SEC, ns = ev->at_ns % NSEC_PER_SEC;

	return (size_t)snprintf(r->line, sizeof(r->line), "%s%s%16.40s-%-7d [%03d] %s%6lld.%09lld: %-20.60s ",
		ev->buffer, *ev->buffer ? ": " : "", comm, pid, ev->cpu, ev->at_ns < 0 ? "-" : "",
		s < 0 ? -s : s, ns < 0 ? -ns : ns, name);
}

static const char *line_tail(struct renderer *r, const struct raw_event *ev, size_t n)
{
	if (ev->lost > 0 && n < sizeof(r->line))
		snprintf(r->line + n, sizeof(r->line) - n, " [%lld events lost before]", (long long)ev->lost);
	else if (ev->lost && n < sizeof(r->line))
		snprintf(r->line + n, sizeof(r->line) - n, " [events lost before]");
	return r->line;
}

static const char *bytes_line(struct renderer *r, const struct raw_event *ev, const char *why)
{
	char name[24];
	size_t n;

	snprintf(name, sizeof(name), "event %d:", id_of(r, ev));
	n = line_head(r, ev, "?", 0, name);
	n += (size_t)snprintf(r->line + n, sizeof(r->line) - n, "%s", why);
	for (uint32_t i = 0; i < ev->size && n + 4 < sizeof(r->line); i++)
		n += (size_t)snprintf(r->line + n, sizeof(r->line) - n, " %02x", ev->data[i]);
	return line_tail(r, ev, n);
}

const char *renderer_hex(struct renderer *r, const struct raw_event *ev)
{
	int id = id_of(r, ev);

	if (id >= 0)
		r->state[id] = ID_BROKEN;
	return bytes_line(r, ev, "(its format breaks the renderer)");
}

/* formats are parsed when their first event comes: one that kills the library is known by its event */
static struct tep_event *event_of(struct renderer *r, int id)
{
	const struct raw_format *f = r->format_of[id] ? &r->w->format[r->format_of[id] - 1] : NULL;

	if (r->state[id] == ID_NEW && f) {
		char *copy = xcalloc(f->text.len + 1, 1);

		memcpy(copy, f->text.p, f->text.len);
		tep_parse_event(r->tep, copy, f->text.len, f->system);
		free(copy);
		r->state[id] = ID_PARSED;
	}
	return r->state[id] == ID_PARSED ? tep_find_event(r->tep, id) : NULL;
}

const char *renderer_line(struct renderer *r, const struct raw_event *ev)
{
	int id = id_of(r, ev), pid;
	struct tep_event *event = id >= 0 ? event_of(r, id) : NULL;
	uint32_t size = ev->size < RECORD_ROOM / 2 ? ev->size : RECORD_ROOM / 2;
	struct tep_record record = {.ts = (unsigned long long)ev->at_ns, .cpu = ev->cpu,
		.size = (int)size, .record_size = (int)size, .data = r->room};
	char name[64];
	size_t n;

	if (!event)
		return bytes_line(r, ev, id >= 0 && r->state[id] == ID_BROKEN ?
			"(its format breaks the renderer)" : "(no format in the file)");
	memcpy(r->room, ev->data, size);
	memset(r->room + size, 0, RECORD_ROOM - size);
	pid = tep_data_pid(r->tep, &record);
	snprintf(name, sizeof(name), "%s:", event->name);
	n = line_head(r, ev, tep_data_comm_from_pid(r->tep, pid), pid, name);
	trace_seq_reset(&r->seq);
	tep_print_event(r->tep, &r->seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&r->seq);
	if (n < sizeof(r->line))
		n += (size_t)snprintf(r->line + n, sizeof(r->line) - n, "%s", r->seq.buffer);
	return line_tail(r, ev, n);
}
