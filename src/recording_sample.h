/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the windows of a huge recording tell of its wake-ups (trace.window). States, times and counts of
 * such a recording come from all its idle periods; wake sources, wake-up latencies, the governor's inputs
 * and the fidelity come from the windows, each analysed as a recording of its own.
 */
#ifndef REIDLE_SRC_RECORDING_SAMPLE_H
#define REIDLE_SRC_RECORDING_SAMPLE_H

#include "parsers/parser.h"
#include "replay/sojourn.h"
#include "src/json.h"
#include "src/options.h"
#include "src/recording.h"

struct sample {
	int windows;
	double share;	 /* of the recording's time, 0..1 */
	uint64_t events; /* kept in the windows, idle events included */
	bool delays;	 /* wake-up latencies of periods are known */
	struct run run;	 /* the periods that end in the windows, with what ended them and how fast */
	struct sojourns figures; /* nothing but the latencies of each state; valid with hz > 0 */
	bool have_figures;
	struct verify_result fidelity; /* sums over the windows */
	char no_fidelity[200];	       /* why there are none, "" there are */
};

/** sample_options() - which windows a reader is to keep for a report with these options, if any */
void sample_options(struct parse_options *po, const struct options *o);

/**
 * recording_sample() - analyse the windows of the recording's trace, fill r->sample and r->decisions
 * The decisions are an outline: tick rate, event cost, how inputs are known; none of a CPU.
 * Return: 0, or -1 with err; sample_free() is due in both cases
 */
int recording_sample(struct recording *r, const struct options *o, struct error *err);
void sample_free(struct sample *s);

/**
 * sample_words() - " (8 windows, 0.7 %, 67000 events; --full: all)" for captions; "" without a sample
 * @what: comes from there, "" all of the table
 */
const char *sample_words(const struct sample *s, const char *what, char *buf, size_t size);

/** sample_json() - {"windows", "share", "events"} */
json_t *sample_json(const struct sample *s);

#endif
