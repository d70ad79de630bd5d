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
#define PROBE_HEAD (4U << 20)

const struct parser *const parser_list[] = {
	&parser_dat,
	&parser_text,
	&parser_html,
	&parser_dump,
	NULL,
};

/* a file held open: all of it, or its first bytes, in memory */
struct source {
	const char *name;
	int fd;
	uint8_t *data; /* NUL behind size */
	size_t size, cap;
	uint64_t file_size;
	bool whole; /* data is all there is */
};

static int read_more(struct source *s, size_t limit, struct error *err)
{
	while (s->size < limit) {
		ssize_t n;

		if (s->cap - s->size < 2) {
			s->cap = s->cap ? s->cap * 2 : 1U << 16;
			s->data = xrealloc(s->data, s->cap, 1);
		}
		n = read(s->fd, s->data + s->size,
			s->cap - s->size - 1 < limit - s->size ? s->cap - s->size - 1 : limit - s->size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, EXIT_INPUT, "%s: cannot read it: %s", s->name, strerror(errno));
		if (!n)
			break;
		s->size += (size_t)n;
	}
	s->data[s->size] = '\0';
	s->whole = s->size < limit;
	return 0;
}

static int open_source(struct source *s, const char *path, struct error *err)
{
	struct stat st;

	memset(s, 0, sizeof(*s));
	s->name = path;
	s->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (s->fd < 0 || fstat(s->fd, &st))
		return error_set(err, EXIT_INPUT, "%s: cannot open it: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return error_set(err, EXIT_INPUT, "%s: is a folder, not a recording", path);
	if (!S_ISREG(st.st_mode) || st.st_size < IN_MEMORY_MAX)
		return read_more(s, SIZE_MAX, err);
	s->file_size = (uint64_t)st.st_size;
	return read_more(s, PROBE_HEAD, err);
}

static void close_source(struct source *s)
{
	if (s->fd > STDIN_FILENO)
		close(s->fd);
	free(s->data);
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

static struct trace *parse_input(const char *path, const struct input *in,
	const struct parse_options *opt, struct error *err)
{
	const struct parser *p = find_parser(in);
	struct trace *t;

	if (!p) {
		refuse(in, err);
		return NULL;
	}
	t = trace_new(path, opt->want);
	if (p->parse(in, opt, t, err)) {
		trace_free(t);
		return NULL;
	}
	trace_finish(t);
	return t;
}

static struct trace *parse_wrapped(struct source *s, const struct parse_options *opt, struct error *err)
{
	char inner[200], *name;
	struct input in = {.fd = -1};
	struct trace *t = NULL;
	uint8_t *bytes;

	if (archive_unwrap(s->name, s->data, s->size, known, &bytes, &in.size, inner, sizeof(inner), err))
		return NULL;
	name = *inner ? xasprintf("%s: %s", s->name, inner) : xstrdup(s->name);
	in.name = name;
	in.data = bytes;
	t = parse_input(s->name, &in, opt, err);
	free(name);
	free(bytes);
	return t;
}

static struct trace *parse_source(struct source *s, const struct parse_options *opt, struct error *err)
{
	struct input in = {.name = s->name, .data = s->data, .size = s->size, .fd = -1};
	const struct parser *p;
	struct trace *t;

	if (!s->whole) {
		p = find_parser(&in);
		if (p && p->from_fd) {
			in.fd = s->fd;
			in.file_size = s->file_size;
			return parse_input(s->name, &in, opt, err);
		}
		if (read_more(s, SIZE_MAX, err))
			return NULL;
		in.data = s->data;
		in.size = s->size;
	}
	if (archive_wrapped(s->data, s->size))
		t = parse_wrapped(s, opt, err);
	else
		t = parse_input(s->name, &in, opt, err);
	/* hashing costs more than reading: of big files only where somebody asks (digest_file) */
	if (t && s->size < IN_MEMORY_MAX)
		digest_bytes(t->sha256, s->data, s->size);
	return t;
}

struct trace *parse_file(const char *path, const struct parse_options *opt, struct error *err)
{
	struct trace *t = NULL;
	struct source s;

	if (!open_source(&s, path, err))
		t = parse_source(&s, opt, err);
	close_source(&s);
	return t;
}
