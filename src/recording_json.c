// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/recording_json.h"

#include "parsers/digest.h"

#include <string.h>

static int recording_hz(const struct recording *r)
{
	return r->have_decisions && r->decisions.hz ? r->decisions.hz : r->machine.hz;
}

json_t *json_recording(const struct recording *r)
{
	const struct trace *t = r->trace;
	int hz = recording_hz(r);
	char sha256[DIGEST_SIZE];
	const char *source = r->have_decisions ? r->decisions.hz_source : hz ? "machine" : "";

	/* of big files the digest costs more than all that reads only a part or only the idle periods */
	copy_text(sha256, sizeof(sha256), t->sha256);
	if (!*sha256 && r->have_decisions && !r->sample)
		digest_file(sha256, t->path);
	return json_pack("{s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:I, s:I, s:I, s:b, s:o, s:o}",
		"file", json_text(t->path), "sha256", json_text(sha256), "kernel",
		json_text(t->kernel), "arch", json_text(t->arch), "cpus", t->ncpus, "hz",
		json_known(hz > 0, hz), "hz_source", json_text(source), "clock", json_text(t->clock),
		"span_ns", (json_int_t)(t->end_ns - t->origin_ns), "lost_events",
		(json_int_t)t->lost_events, "bad_pages", (json_int_t)t->bad_pages, "emulated",
		t->emulated, "format", json_text(t->format), "governor", json_text(r->governor));
}

json_t *json_recording_document(const char *command, const struct recording *r)
{
	json_t *doc = json_document(command);

	json_object_set_new(doc, "recording", json_recording(r));
	json_object_set_new(doc, "machine", json_machine(&r->machine));
	return doc;
}

json_t *json_params(const struct gov_spec *spec)
{
	json_t *params = json_object();

	for (int i = 0; i < spec->gov->nparams && i < GOV_PARAMS_MAX; i++) {
		const struct gov_param *p = &spec->gov->params[i];
		double v = spec->value[i];
		json_t *value;

		if (p->type == PARAM_ENUM)
			value = json_string(p->words[(int)v]);
		else if (p->type == PARAM_BOOL)
			value = json_boolean(v != 0);
		else if (p->type == PARAM_FLOAT)
			value = json_ratio(v);
		else
			value = json_integer((json_int_t)v);
		json_object_set_new(params, p->name, value);
	}
	return params;
}

json_t *json_known_inputs(const struct recording *r)
{
	static const char *const names[IN_COUNT] = {"sleep_length", "tick_delta", "tick_stopped",
		"got_tick", "latency_limit", "poll_limit", "residency", "iowait", "clock"};
	static const char *const how[] = {"exact", "bounded", "guessed"};
	json_t *known;

	if (!r->have_decisions)
		return json_null();
	known = json_object();
	for (int i = 0; i < IN_COUNT; i++)
		json_object_set_new(known, names[i],
			json_pack("{s:s, s:o}", "known", how[r->decisions.worst[i]], "text",
				json_text(r->decisions.known[i])));
	return known;
}
