/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a report beside the state tables: wake sources, what was lost, how inputs are known,
 * the counters of dumps. They print to the stream given; JSON parts are the caller's references.
 */
#ifndef REIDLE_SRC_RECORDING_REPORT_H
#define REIDLE_SRC_RECORDING_REPORT_H

#include "parsers/dump.h"
#include "src/json.h"
#include "src/recording.h"
#include "src/table.h"

/**
 * report_wakes() - what ended the idle periods of a run, by kind; of its sample where it has one
 * @extent: behind the caption, "" for all
 */
void report_wakes(const struct run *r, const char *extent, enum out_format format, FILE *out);
json_t *report_wakes_json(const struct run *r);

/** report_losses() - per CPU: lost events, cut starts and ends; only CPUs that have any */
void report_losses(const struct trace *t, enum out_format format, FILE *out);

/** report_inputs() - one line per governor input: how it is known, what to record to know it better */
void report_inputs(const struct recording *r, enum out_format format, FILE *out);

/** report_dump_rows() - the counters of a dump, one row per CPU and state, s2idle too */
void report_dump_rows(const struct dump *d, enum out_format format, FILE *out);
json_t *report_dump_json(const struct dump *d);

#endif
