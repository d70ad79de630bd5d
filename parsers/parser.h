/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One parser per format: bytes in, trace out. parser_list holds them all; a new format is one file
 * and one line there. The input's bytes belong to the caller; the trace is the caller's to free.
 * Any bytes may come: a parser never crashes, never reads outside, never allocates without bound.
 */
#ifndef REIDLE_PARSERS_PARSER_H
#define REIDLE_PARSERS_PARSER_H

#include "parsers/file_window.h"
#include "src/error.h"
#include "src/trace.h"

struct input {
	const char *name; /* for messages */
	const uint8_t *data; /* all bytes; with fd the first ones, at least */
	size_t size;	     /* of data */
	int fd; /* >= 0: a big file, readable with pread: only parsers with from_fd get that; else -1 */
	uint64_t file_size; /* of fd */
};

/* a time of the command line, before the recording's first one is known */
struct parse_time {
	bool given;
	bool from_start; /* counts from the first record */
	int64_t ns;
};

struct parse_options {
	uint64_t want;	      /* kinds to keep (EV_WANT_...) */
	bool partial;	      /* use what is whole of a damaged file */
	const char *instance; /* NULL: all buffers merged; "" the top one */
	int threads;	      /* >= 1 */
	/*
	 * of more bytes of records than this, only windows of the recording are kept (trace.window), for
	 * parsers that can; 0: never. All of them together hold about sample_events of the wanted ones,
	 * 0: a fixed share
	 */
	uint64_t sample_above, sample_events;
	struct parse_time from, to; /* of what the windows are to tell: only this part, or as much around it */
	/*
	 * Bytes: a quick first look reads only about so many, the beginning of every CPU; the trace says
	 * whether it was cut short. Formats that cannot, and files within wrappers, are read in full. 0: all
	 */
	uint64_t head;
	/* called now and then from the calling thread; true cancels. May be NULL */
	bool (*progress)(void *ctx, double fraction);
	void *ctx;
};

struct parser {
	const char *name;
	const char *what; /* one line for `--help` and errors */
	bool from_fd; /* reads big files through fd instead of having them in memory */
	bool from_head; /* can read the first lines of a file alone */
	/** score: 0 no, 1..100 how sure, from the first bytes (content, never the file name) */
	int (*probe)(const struct input *in);
	/** parse: fills and returns 0, or -1 with err (input errors: what, where, remedy) */
	int (*parse)(const struct input *in, const struct parse_options *opt, struct trace *out,
		struct error *err);
};

extern const struct parser *const parser_list[]; /* NULL-terminated */

/* a recording opened: its bytes, out of their wrappers, and who can read them */
struct opened {
	struct input in;
	const struct parser *parser;
	const uint8_t *file; /* as on disk, when all of it is in memory; for the digest */
	size_t file_size;
	bool cut_short;	 /* only the beginning is in memory */
	struct file_window window; /* a big file that has to be in memory as a whole is mapped where it can be */
	void *memory[3]; /* what in points into */
	int fd;
};

/**
 * input_open() - open a recording without reading it
 * @path: as for parse_file(); the string must outlive the struct
 * Return: 0, or -1 with err; input_close() is due in both cases
 */
int input_open(struct opened *o, const char *path, struct error *err);
void input_close(struct opened *o);

/**
 * parse_file() - read a recording of any format
 * @path: file, or "-" for stdin; wrappers (gz, xz, zip, tar) are opened
 * Return: the trace, finished; or NULL with err
 */
struct trace *parse_file(const char *path, const struct parse_options *opt, struct error *err);

#endif
