/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The head that every table in text form carries: what was recorded, where, on what, by which command,
 * and how far the answer can be trusted. Nothing is kept; text goes to the stream it is given.
 */
#ifndef REIDLE_SRC_RECORDING_HEADER_H
#define REIDLE_SRC_RECORDING_HEADER_H

#include "src/recording.h"
#include "src/table.h"

/* a head being written: "label  text" lines, wrapped, in the way of the format */
struct header {
	FILE *out;
	enum out_format format;
};

/** header_begin() - title line: "reidle VERSION COMMAND" */
void header_begin(struct header *h, FILE *out, enum out_format format, const char *command);

/** header_line() - one labelled line; label of at most 11 characters */
void header_line(const struct header *h, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** header_end() - the legend that holds for every table, and an empty line */
void header_end(const struct header *h);

/** header_recording() - file, hash, length, clock, lost events, machine, kernel, HZ, governor, states */
void header_recording(const struct header *h, const struct recording *r);

/** header_fidelity() - agreement of the recorded governor's model, taught by the recording, measured now */
void header_fidelity(const struct header *h, const struct recording *r);

/** header_sample() - what comes from a part of a huge recording only; nothing where all of it was analysed */
void header_sample(const struct header *h, const struct recording *r);

/** header_table() - one line per state table of a machine: names, latencies, residencies */
void header_table(const struct header *h, const char *label, const struct machine *m);

/** header_warnings() - what was odd in the file, one line each */
void header_warnings(const struct header *h, const struct recording *r);

/** header_command() - the command line as typed */
void header_command(const struct header *h, const struct options *o);

/** base_name() - file name without its folders, so that no path of one machine goes into a mail */
const char *base_name(const char *path);

#endif
