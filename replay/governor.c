// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/governor.h"
#include "replay/menu.h"
#include "replay/models.h"
#include "replay/origin.h"
#include "replay/plugin.h"
#include "replay/preset.h"
#include "replay/teo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct governor *const governor_list[] = {
	&governor_menu,
	&governor_teo,
	&governor_ladder,
	&governor_haltpoll,
	&governor_oracle,
	&governor_shallowest,
	&governor_deepest,
	&governor_fixed,
	NULL,
};

const struct governor *governor_find(const char *name)
{
	for (int i = 0; governor_list[i]; i++)
		if (!strcmp(governor_list[i]->name, name))
			return governor_list[i];
	return NULL;
}

int governor_param(const struct governor *g, const char *name)
{
	for (int i = 0; i < g->nparams; i++)
		if (!strcmp(g->params[i].name, name))
			return i;
	return -1;
}

static void append(char *buf, size_t size, const char *text)
{
	size_t n = strlen(buf);

	if (n < size)
		snprintf(buf + n, size - n, "%s", text);
}

static int no_such_param(const struct governor *g, const char *name, struct error *err)
{
	char known[360] = "";

	if (!g->nparams)
		return error_set(
			err, EXIT_USAGE, "%s takes no parameters, not even %s", g->name, name);
	for (int i = 0; i < g->nparams; i++) {
		append(known, sizeof(known), i ? ", " : "");
		append(known, sizeof(known), g->params[i].name);
	}
	return error_set(err, EXIT_USAGE, "%s has no parameter %s: %s", g->name, name, known);
}

static int parse_word(const struct governor *g, const struct gov_param *p, const char *const *words,
	const char *value, double *out, struct error *err)
{
	char known[160] = "";

	for (int i = 0; words[i]; i++) {
		if (!strcmp(words[i], value)) {
			*out = i;
			return 0;
		}
		append(known, sizeof(known), i ? ", " : "");
		append(known, sizeof(known), words[i]);
	}
	return error_set(
		err, EXIT_USAGE, "%s:%s=%s: it is one of %s", g->name, p->name, value, known);
}

static int parse_number(const struct governor *g, const struct gov_param *p, const char *value,
	double *out, struct error *err)
{
	char *end;
	double d = strtod(value, &end);

	if (end == value || *end || !isfinite(d) || d < p->min || d > p->max ||
		(p->type == PARAM_INT && d != floor(d)))
		return error_set(err, EXIT_USAGE, "%s:%s=%s: it is a%s number of %g..%g", g->name,
			p->name, value, p->type == PARAM_INT ? " whole" : "", p->min, p->max);
	*out = d;
	return 0;
}

int governor_set_value(struct gov_spec *s, const char *name, const char *value, struct error *err)
{
	static const char *const on_off[] = {"off", "on", NULL};
	const struct governor *g = s->gov;
	int i = governor_param(g, name);
	const struct gov_param *p;

	if (i < 0)
		return no_such_param(g, name, err);
	p = &g->params[i];
	if (p->type == PARAM_ENUM)
		return parse_word(g, p, p->words, value, &s->value[i], err);
	if (p->type == PARAM_BOOL)
		return parse_word(g, p, on_off, value, &s->value[i], err);
	return parse_number(g, p, value, &s->value[i], err);
}

char *governor_value_text(const struct gov_spec *s, int i, char *buf, size_t size)
{
	const struct gov_param *p = &s->gov->params[i];

	if (p->type == PARAM_ENUM)
		snprintf(buf, size, "%s", p->words[(int)s->value[i]]);
	else if (p->type == PARAM_BOOL)
		snprintf(buf, size, "%s", s->value[i] ? "on" : "off");
	else
		snprintf(buf, size, "%g", s->value[i]);
	return buf;
}

/* a path as typed; of a long one the end, for it stands in tables */
static void label_path(struct gov_spec *s)
{
	int n = (int)strcspn(s->text, ":"), most = 36;
	const char *tail = s->text + (n > most ? n - (most - 3) : 0);

	snprintf(s->label, sizeof(s->label), "%s%.*s", n > most ? "..." : "",
		(int)(s->text + n - tail), tail);
}

/* name, version, model, and what differs from the preset */
void governor_relabel(struct gov_spec *s)
{
	struct gov_spec base = *s;

	if (s->plugin)
		label_path(s);
	else
		snprintf(s->label, sizeof(s->label), "%s%s%s", s->gov->name,
			s->version[0] ? "@" : "", s->version);
	if (s->model[0]) {
		append(s->label, sizeof(s->label), " (");
		append(s->label, sizeof(s->label), s->model);
		append(s->label, sizeof(s->label), ")");
	}
	if (s->version[0])
		preset_apply(&base, s->version, NULL);
	for (int i = 0; i < s->gov->nparams; i++) {
		char text[64];

		if (s->value[i] == (s->version[0] ? base.value[i] : s->gov->params[i].value))
			continue;
		append(s->label, sizeof(s->label), " ");
		append(s->label, sizeof(s->label), s->gov->params[i].name);
		append(s->label, sizeof(s->label), "=");
		append(s->label, sizeof(s->label), governor_value_text(s, i, text, sizeof(text)));
	}
}

static int unknown_governor(const char *name, struct error *err)
{
	char known[120] = "";

	for (int i = 0; governor_list[i]; i++) {
		append(known, sizeof(known), governor_list[i]->name);
		append(known, sizeof(known), ", ");
	}
	return error_set(err, EXIT_USAGE, "%s: no such governor: %srecorded, ./FILE.c or ./FILE.so",
		name, known);
}

static int apply_version(
	struct gov_spec *s, const char *version, const char *kernel, struct error *err)
{
	if (version)
		return preset_apply(s, version, err);
	if (!preset_family(s->gov))
		return 0;
	return origin_preset(s, kernel, err);
}

static int apply_params(struct gov_spec *s, char *params, struct error *err)
{
	char *save = NULL;

	for (char *w = strtok_r(params, ":", &save); w; w = strtok_r(NULL, ":", &save)) {
		char *eq = strchr(w, '=');

		if (!eq)
			return error_set(
				err, EXIT_USAGE, "%s: after a colon comes PARAM=VALUE", s->text);
		*eq = '\0';
		if (governor_set_value(s, w, eq + 1, err))
			return -1;
	}
	return 0;
}

/* NAME[@VERSION] of a model */
static int find_model(struct gov_spec *out, char *name, const char *kernel, struct error *err)
{
	char *version = strchr(name, '@');

	if (version)
		*version++ = '\0';
	out->gov = governor_find(name);
	if (!out->gov)
		return unknown_governor(name, err);
	for (int i = 0; i < out->gov->nparams; i++)
		out->value[i] = out->gov->params[i].value;
	return apply_version(out, version, kernel ? kernel : "", err);
}

int governor_parse(struct gov_spec *out, const char *text, const char *kernel, struct error *err)
{
	char buf[sizeof(out->text)];
	char *params;

	*out = (struct gov_spec){0};
	if (!copy_text(out->text, sizeof(out->text), text))
		return error_set(err, EXIT_USAGE, "%.60s...: a governor is at most %zu characters",
			text, sizeof(out->text) - 1);
	strcpy(buf, out->text);
	params = strchr(buf, ':');
	if (params)
		*params++ = '\0';
	if (plugin_is_path(buf) ? plugin_open(out, buf, err) : find_model(out, buf, kernel, err))
		return -1;
	if (params && apply_params(out, params, err))
		return -1;
	if (out->gov == &governor_fixed && !params)
		return error_set(err, EXIT_USAGE, "fixed: say which state: fixed:state=1");
	governor_relabel(out);
	return 0;
}

int governor_parse_list(struct gov_spec *out, int max, const char *text, const char *kernel,
	bool *recorded, struct error *err)
{
	char *buf = xstrdup(text), *save = NULL;
	int n = 0;

	for (char *w = strtok_r(buf, ",", &save); w && n >= 0; w = strtok_r(NULL, ",", &save)) {
		if (!strcmp(w, "recorded"))
			*recorded = true;
		else if (n == max)
			n = error_set(err, EXIT_USAGE, "%s: more than %d governors", text, max);
		else
			n = governor_parse(&out[n], w, kernel, err) ? -1 : n + 1;
	}
	free(buf);
	return n;
}

int governor_for_recording(
	struct gov_spec *out, const char *gov_name, const char *kernel, struct error *err)
{
	char why[sizeof(out->confidence)];

	if (gov_name[0])
		return governor_parse(out, gov_name, kernel, err);
	if (governor_parse(out, "menu", kernel, err))
		return -1;
	copy_text(why, sizeof(why), out->confidence);
	snprintf(out->confidence, sizeof(out->confidence),
		"governor not recorded, menu assumed; %.80s", why);
	return 0;
}

int governor_failure(const struct gov_spec *s, struct error *err)
{
	return s->plugin ? plugin_failure(s, err) : 0;
}
