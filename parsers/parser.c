// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/parser.h"

#include "parsers/archive.h"
#include "parsers/dat.h"
#include "parsers/digest.h"
#include "parsers/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define IN_MEMORY_MAX (64U << 20) /* bigger files are read piecemeal by parsers that can */
#define PROBE_HEAD (1U << 20)

const struct parser *const parser_list[] = {
	&parser_dat,
	&parser_text,
	&parser_html,
	&parser_dump,
	NULL,
};

/* the bytes of a file, or its first ones; a NUL stands behind them */
struct bytes {
	uint8_t *p;
	size_t size, cap;
	bool whole;
};

static int read_more(struct bytes *b, int fd, const char *name, size_t limit, struct error *err)
{
	while (b->size < limit) {
		size_t room;
		ssize_t n;

		if (b->cap - b->size < 2) {
			b->cap = b->cap ? b->cap * 2 : 1U << 16;
			b->p = xrealloc(b->p, b->cap, 1);
		}
		room = b->cap - b->size - 1;
		n = read(fd, b->p + b->size, room < limit - b->size ? room : limit - b->size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, EXIT_INPUT, "%s: cannot read it: %s", name, strerror(errno));
		if (!n)
			break;
		b->size += (size_t)n;
	}
	b->p[b->size] = '\0';
	b->whole = b->size < limit;
	return 0;
}

static int open_file(struct opened *o, const char *path, bool *big, struct error *err)
{
	struct stat st;

	memset(o, 0, sizeof(*o));
	o->in = (struct input){.name = path, .fd = -1};
	o->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (o->fd < 0 || fstat(o->fd, &st))
		return error_set(err, EXIT_INPUT, "%s: cannot open it: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return error_set(err, EXIT_INPUT, "%s: is a folder, not a recording", path);
	*big = S_ISREG(st.st_mode) && st.st_size >= IN_MEMORY_MAX;
	o->in.file_size = (uint64_t)st.st_size;
	return 0;
}

static const struct parser *find_parser(const struct input *in)
{
	const struct parser *best = NULL;
	int most = 0;

	for (int i = 0; parser_list[i]; i++) {
		int score = parser_list[i]->probe(in);

		if (score > most) {
			most = score;
			best = parser_list[i];
		}
	}
	return best;
}

static bool known(const uint8_t *data, size_t size)
{
	struct input in = {.name = "", .data = data, .size = size, .fd = -1};

	return find_parser(&in) != NULL;
}

static int refuse(const struct input *in, struct error *err)
{
	char list[200] = "";

	if (!in->size)
		return error_set(err, EXIT_INPUT, "%s: is empty: nothing was recorded, or the copy failed",
			in->name);
	for (int i = 0; parser_list[i]; i++) {
		size_t n = strlen(list);

		snprintf(list + n, sizeof(list) - n, "%s%s", n ? ", " : "", parser_list[i]->what);
	}
	return error_set(err, EXIT_INPUT, "%s: the first bytes are of no format known here (%s)", in->name,
		list);
}

/* the first file inside that somebody can read */
static int unwrap(struct opened *o, struct error *err)
{
	char inner[200];
	uint8_t *bytes;
	size_t size;

	if (archive_unwrap(o->in.name, o->in.data, o->in.size, known, &bytes, &size, inner, sizeof(inner),
		    err))
		return -1;
	o->memory[1] = bytes;
	o->in.data = bytes;
	o->in.size = size;
	if (*inner) {
		o->memory[2] = xasprintf("%s: %s", o->in.name, inner);
		o->in.name = o->memory[2];
	}
	return 0;
}

/* more bytes; who knows them is asked anew */
static int read_and_probe(struct opened *o, struct bytes *b, size_t limit, struct error *err)
{
	if (read_more(b, o->fd, o->in.name, limit, err))
		return -1;
	o->in.data = b->p;
	o->in.size = b->size;
	o->parser = find_parser(&o->in);
	return 0;
}

/* what has to be in memory whole, and is too large for any */
static int check_room(const struct opened *o, struct error *err)
{
	uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);

	if (o->in.file_size < memory)
		return 0;
	return error_set(err, EXIT_INPUT, "%s: %llu MB have to be read into memory, and this machine has %llu MB: "
		"give a part of it", o->in.name, (unsigned long long)(o->in.file_size >> 20),
		(unsigned long long)(memory >> 20));
}

/* bytes of a regular file need not be copied */
static bool map_whole(struct opened *o)
{
	const uint8_t *p = window_map(&o->window, o->fd, 0, o->in.file_size);

	if (!p)
		return false;
	o->in.data = p;
	o->in.size = o->in.file_size;
	return true;
}

static void keep_lines(struct opened *o, struct bytes *b)
{
	while (b->size && b->p[b->size - 1] != '\n')
		b->p[--b->size] = '\0';
	o->in.size = b->size;
	o->cut_short = true;
}

/*
 * A big file of a format that need not be in memory stays where it is. What nobody knows by its first
 * IN_MEMORY_MAX bytes is not read on: it may be a device or a pipe without end.
 */
static int load(struct opened *o, bool big, bool map, uint64_t head, struct error *err)
{
	struct bytes b = {NULL, 0, 0, false};
	int ret = read_and_probe(o, &b, big ? PROBE_HEAD : IN_MEMORY_MAX, err);

	if (!ret && !b.whole && !o->parser)
		ret = read_and_probe(o, &b, IN_MEMORY_MAX, err);
	if (!ret && !b.whole && big && o->parser && o->parser->from_fd) {
		o->in.fd = o->fd;
	} else if (!ret && head && !b.whole && o->parser && o->parser->from_head) {
		keep_lines(o, &b);
	} else if (!ret && !b.whole && map && big && o->parser && map_whole(o)) {
		o->file = o->in.data;
		o->file_size = o->in.size;
	} else if (!ret && !b.whole && (o->parser || archive_wrapped(b.p, b.size))) {
		ret = check_room(o, err);
		if (!ret)
			ret = read_and_probe(o, &b, SIZE_MAX, err);
	}
	if (o->in.fd < 0 && b.whole) {
		o->file = b.p;
		o->file_size = b.size;
	}
	o->memory[0] = b.p;
	return ret;
}

static int open_head(struct opened *o, const char *path, bool map, uint64_t head, struct error *err)
{
	bool big = false;

	if (open_file(o, path, &big, err) || load(o, big || head, map, head, err))
		return -1;
	if (o->in.fd < 0 && archive_wrapped(o->in.data, o->in.size) && unwrap(o, err))
		return -1;
	o->parser = find_parser(&o->in);
	return o->parser ? 0 : refuse(&o->in, err);
}

int input_open(struct opened *o, const char *path, struct error *err)
{
	return open_head(o, path, false, 0, err);
}

void input_close(struct opened *o)
{
	if (o->fd > STDIN_FILENO)
		close(o->fd);
	window_close(&o->window);
	for (size_t i = 0; i < ARRAY_SIZE(o->memory); i++)
		free(o->memory[i]);
}

static struct trace *parse_opened(const char *path, const struct opened *o,
	const struct parse_options *opt, struct error *err)
{
	struct trace *t = trace_new(path, opt->want);

	if (o->parser->parse(&o->in, opt, t, err)) {
		trace_free(t);
		return NULL;
	}
	t->cut_short = t->cut_short || o->cut_short;
	if (window_lost(&o->window))
		trace_warn(t, "the file was cut while it was read: its end is missing");
	trace_finish(t);
	/* hashing costs more than reading: of big files only where somebody asks (digest_file) */
	if (o->file && o->file_size < IN_MEMORY_MAX && !opt->head)
		digest_bytes(t->sha256, o->file, o->file_size);
	return t;
}

struct trace *parse_file(const char *path, const struct parse_options *opt, struct error *err)
{
	struct trace *t = NULL;
	struct opened o;

	if (!open_head(&o, path, true, opt->head, err))
		t = parse_opened(path, &o, opt, err);
	input_close(&o);
	return t;
}
