/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace.dat file (trace-cmd, file versions 6 and 7) opened: where what is, nothing of the records yet.
 * struct dat borrows the input's bytes and owns everything else; release with dat_close().
 * Offsets and sizes are in bytes of the file. Format: trace-cmd.dat.v6(5), trace-cmd.dat.v7(5).
 */
#ifndef REIDLE_PARSERS_DAT_H
#define REIDLE_PARSERS_DAT_H

#include "parsers/bytes.h"
#include "parsers/dat_event.h"
#include "parsers/parser.h"

#define DAT_CPUS_MAX 8192
#define DAT_BUFFERS_MAX 64
#define DAT_PAGE_MIN 4096
#define DAT_PAGE_MAX (1U << 20)
#define DAT_SECTION_MAX (256U << 20) /* of a section when decompressed */
#define DAT_CHUNK_MAX (64U << 20)    /* of page data when decompressed */

enum dat_codec { CODEC_NONE, CODEC_ZSTD, CODEC_ZLIB, CODEC_UNKNOWN };

/* ids of options and, from DAT_HEADER on, of the sections of version 7 */
enum dat_id {
	DAT_DONE = 0,
	DAT_DATE = 1,
	DAT_CPUSTAT = 2,
	DAT_BUFFER = 3,
	DAT_TRACECLOCK = 4,
	DAT_UNAME = 5,
	DAT_OFFSET = 7,
	DAT_CPUCOUNT = 8,
	DAT_TRACEID = 11,
	DAT_TIME_SHIFT = 12,
	DAT_GUEST = 13,
	DAT_TSC2NSEC = 14,
	DAT_HEADER = 16,
	DAT_FTRACE_FORMATS = 17,
	DAT_EVENT_FORMATS = 18,
	DAT_KALLSYMS = 19,
	DAT_PRINTK = 20,
	DAT_CMDLINES = 21,
	DAT_BUFFER_TEXT = 22,
	DAT_IDS = 32
};

struct dat_range {
	uint64_t off, size;
	int cpu;
	uint64_t enough; /* bytes after which reading may stop; 0: read all */
	bool left;	 /* it did */
};

/* one ring buffer: the top one (name "") or an instance */
struct dat_buffer {
	char name[64], clock[32];
	uint32_t page_size;
	bool compressed;
	bool text; /* a latency tracer's output instead of records */
	uint64_t text_at; /* text: where it begins; it ends with its section, or the file */
	bool recovered; /* found without the file's table, see dat_recover() */
	struct dat_range *range;
	int nranges;
};

/* the text of one event format; it lives as long as the struct dat */
struct dat_format {
	const char *system, *text;
	size_t len;
};

#define DAT_FORMATS_MAX 65536 /* there are no more ids */

/* what dat_view() had to allocate */
struct dat_view {
	struct dat_view *next;
	uint8_t bytes[];
};

extern const struct parser parser_dat;

struct dat {
	const struct input *in;
	const struct parse_options *opt;
	struct error *err;
	struct dat_view *views;
	uint64_t viewed; /* bytes in views */
	int version;
	bool be;
	int word;	    /* size of the kernel's long: 4 or 8 */
	uint32_t page_size; /* of the file header */
	uint32_t sub_size;  /* of a sub-buffer, by header_page */
	enum dat_codec codec;
	struct dat_buffer buffer[DAT_BUFFERS_MAX];
	int nbuffers;
	int cpus;	   /* version 6: of the file header */
	int cpu_count;	   /* CPUCOUNT option, 0 none */
	uint64_t options_end; /* version 7: of the last options section read */
	uint64_t section[DAT_IDS]; /* version 7: offsets, 0 absent */
	struct cursor text[DAT_IDS]; /* version 6: kallsyms, printk formats, cmdlines */
	char clock[32], uname[160];
	bool tsc;
	uint32_t tsc_mult, tsc_shift;
	int64_t offset_ns;
	bool time_shift, guest;
	uint64_t sampled;   /* events expected in the windows of dat_sample() */
	uint64_t stat_lost; /* lost events by the kernel's own statistics */
	bool cut;	    /* a part is missing and opt->partial allowed that */
	struct dat_events events;
	struct dat_format *format;
	int nformats, format_cap;
};

/** dat_fail() - input error at the place where the cursor stands (NULL: no place); returns -1 */
int dat_fail(struct dat *d, const struct cursor *c, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * dat_view() - bytes of the file, valid until dat_close()
 * Return: NULL when the file does not hold [off, off + len), or when what has to be copied is
 * beyond DAT_SECTION_MAX in all
 */
const uint8_t *dat_view(struct dat *d, uint64_t off, uint64_t len);
/** dat_size() - of the whole file */
uint64_t dat_size(const struct dat *d);
/** dat_pread() - copy bytes of the file; false when they are not all there */
bool dat_pread(const struct dat *d, void *buf, uint64_t off, size_t len);

/** dat_section() - the payload of a section of version 7, decompressed where it has to be */
int dat_section(struct dat *d, uint64_t off, int id, struct cursor *out);
/**
 * dat_decompress() - one compressed piece
 * @ctx: scratch of the codec, NULL at first; release with dat_codec_free()
 * Return: true when exactly out_len bytes came out
 */
bool dat_decompress(enum dat_codec codec, void **ctx, uint8_t *out, size_t out_len,
	const uint8_t *in, size_t in_len);
void dat_codec_free(enum dat_codec codec, void *ctx);

/** dat_options() - read options up to their end; *next: offset of the next options section, 0 none */
int dat_options(struct dat *d, struct cursor *c, uint64_t *next);
/** dat_range_table() - version 6: the table of offsets behind a "flyrecord" tag */
int dat_range_table(struct dat *d, struct dat_buffer *b, struct cursor *c, int cpus);
/** dat_check_ranges() - inside the file, aligned, not overlapping */
int dat_check_ranges(struct dat *d);
/** dat_header_page(), dat_formats() - the texts that describe pages and events */
int dat_header_page(struct dat *d, struct cursor *c);
int dat_ftrace_formats(struct dat *d, struct cursor *c);
int dat_event_formats(struct dat *d, struct cursor *c);

/**
 * dat_open() - read the header, formats, options, and find the data
 * Return: 0, or -1 with err
 */
int dat_open(struct dat *d, const struct input *in, const struct parse_options *opt,
	struct error *err);
void dat_close(struct dat *d);

/**
 * dat_recover() - version 7 without its end: find the pages behind the options
 * @at: where the last readable options end
 * Return: true when there are any
 */
bool dat_recover(struct dat *d, uint64_t at);
/** dat_recover_cpus() - number the ranges of recovered buffers by the events in them */
void dat_recover_cpus(struct dat *d);

/** dat_text() - kallsyms, printk formats or cmdlines (by id); an empty cursor when absent */
struct cursor dat_text(struct dat *d, enum dat_id id);

/** dat_ns() - time of a record in ns */
static inline int64_t dat_ns(const struct dat *d, uint64_t ts)
{
	if (d->tsc)
		ts = (uint64_t)(((unsigned __int128)ts * d->tsc_mult) >> d->tsc_shift);
	return (int64_t)(ts + (uint64_t)d->offset_ns);
}

/**
 * dat_sample() - of a recording bigger than opt->sample_above: which windows of it are to be kept
 * Looks at a few pages of every range for the time that they span and how many wanted events they
 * hold, and spreads windows evenly over that time, the same on every CPU: fills t->window.
 */
void dat_sample(struct dat *d, struct trace *t);

/** dat_walk() - all records of the chosen buffers into the trace, in threads */
int dat_walk(struct dat *d, struct trace *t);

#endif
