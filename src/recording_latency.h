/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The measured exit latencies of a recording as a table and as JSON, beside what its table says.
 * Nothing is kept; JSON is the caller's reference.
 */
#ifndef REIDLE_SRC_RECORDING_LATENCY_H
#define REIDLE_SRC_RECORDING_LATENCY_H

#include "replay/sojourn.h"
#include "src/json.h"
#include "src/recording.h"
#include "src/table.h"

/**
 * report_latencies() - per state: table, timer expiry to exit, waking to exit, finding
 * @extent: behind the caption, "" for a whole recording
 */
void report_latencies(const struct sojourns *s, const struct machine *m, const char *extent,
	enum out_format format, FILE *out);
json_t *report_latencies_json(const struct sojourns *s, const struct machine *m);

#endif
