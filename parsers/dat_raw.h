/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a trace.dat as they are, of all kinds, from all CPUs in order of time: for showing events
 * that no analysis uses. Owns what it opens; release with dat_raw_close(). Times are ns of the recording.
 */
#ifndef REIDLE_PARSERS_DAT_RAW_H
#define REIDLE_PARSERS_DAT_RAW_H

#include "parsers/dat.h"
#include "src/raw.h"

struct dat_raw;

/**
 * dat_raw_open() - begin with the first record
 * @o: opened input of a trace.dat; must outlive the result
 * @opt: instance, partial; must outlive the result
 * @cpu: flags of ncpus CPUs to read, NULL: all
 * Return: NULL with err
 */
struct dat_raw *dat_raw_open(const struct opened *o, const struct parse_options *opt, const bool *cpu,
	int ncpus, struct error *err);
void dat_raw_close(struct dat_raw *r);

/**
 * dat_raw_seek() - leave out what lies before a time, as far as that goes without reading it
 * Whole pages are skipped where they are not compressed; earlier records may still come. Before the
 * first dat_raw_next() only.
 */
void dat_raw_seek(struct dat_raw *r, int64_t from_ns);

/** dat_raw_next() - for rawevents_print(): the next record; data is valid until the next call */
bool dat_raw_next(void *raw, struct raw_event *ev);
/** dat_raw_world() - formats and names for the renderer; valid until dat_raw_close() */
void dat_raw_world(struct dat_raw *r, struct raw_world *w);
/** dat_raw_cpus() - number of CPUs; dat_raw_origin() - time of the first record, ns */
int dat_raw_cpus(const struct dat_raw *r);
int64_t dat_raw_origin(const struct dat_raw *r);

#endif
