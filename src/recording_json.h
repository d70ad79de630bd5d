/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the JSON documents say about recordings and replays that the model alone does not know.
 * Each function returns a new reference, which the caller owns. Names are those of cli.md.
 */
#ifndef REIDLE_SRC_RECORDING_JSON_H
#define REIDLE_SRC_RECORDING_JSON_H

#include "src/json.h"
#include "src/recording.h"

/** json_recording() - the object "recording" */
json_t *json_recording(const struct recording *r);

/** json_recording_document() - schema, reidle, recording, machine: how every document begins */
json_t *json_recording_document(const char *command, const struct recording *r);

/** json_params() - parameters of a governor by name; words as words */
json_t *json_params(const struct gov_spec *spec);

/** json_known_inputs() - how each governor input is known; null without decisions */
json_t *json_known_inputs(const struct recording *r);

#endif
