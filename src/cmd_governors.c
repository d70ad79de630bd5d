// SPDX-License-Identifier: GPL-2.0-or-later
/* reidle governors: the models, the kernels they mirror, how each was checked, what can be set. */
#include "replay/preset.h"
#include "src/output.h"
#include "src/recording.h"
#include "src/recording_json.h"
#include "src/subcommand.h"
#include "src/table.h"

#include <stdlib.h>
#include <string.h>

/* what people ask for by other names */
static const struct {
	const char *text, *what;
} variants[] = {
	{"menu@6.12:poll_override=off",
		"menu without the way from polling to a physical state (proposed 2024)"},
	{"menu@6.12:stopped_fix=safe_timer", "6.12 with the stopped-tick rule of 7.1"},
	{"teo@6.6", "teo that does not check timers every time (the rjw kernel of the 2023 "
		    "comparison)"},
	{"teo@6.1", "teo that checks timers every time"},
	{"teo@6.12:residency_threshold_us=30",
		"a threshold, as any number here, can be swept: reidle sweep"},
};

static const char *check_word(enum preset_check c)
{
	static const char *const words[] = {"read", "pieced", "kernel"};

	return words[c];
}

/* "M0..M12" */
static void forms_of(const struct preset_family *f, char *out, size_t size)
{
	const char *first = "", *last = "";

	for (int i = 0; f && i < f->nrows; i++) {
		if (!f->row[i].model || !f->row[i].model[0])
			continue;
		if (!*first)
			first = f->row[i].model;
		last = f->row[i].model;
	}
	snprintf(out, size, strcmp(first, last) ? "%s..%s" : "%s", first, last);
}

static void list_models(enum out_format format, FILE *out)
{
	struct table t;

	table_init(&t, "Governors (reidle governors NAME shows releases and parameters)");
	table_column(&t, "governor", "", "governor", 1, 0, COL_LEFT);
	table_column(&t, "forms", "", "forms", 1, 0, COL_LEFT);
	table_column(&t, "kernels", "", "kernels", 1, 0, COL_LEFT);
	table_column(&t, "params", "", "params", 1, 0, 0);
	table_column(&t, "what it does", "", "summary", 1, 0, COL_LEFT);
	for (int i = 0; governor_list[i]; i++) {
		const struct governor *g = governor_list[i];
		const struct preset_family *f = preset_family(g);
		char forms[40], kernels[60] = "";

		forms_of(f, forms, sizeof(forms));
		if (f)
			snprintf(kernels, sizeof(kernels), "%s..%s", preset_oldest(f),
				preset_newest());
		table_text(&t, "%s", g->name);
		table_text(&t, "%s", forms);
		table_text(&t, "%s", kernels);
		table_int(&t, g->nparams);
		table_text(&t, "%s", g->summary);
	}
	table_note(&t,
		"driven beside the kernel's own object without a difference: 5.10.223, 5.10.262, "
		"6.1.176, 6.12.95, 6.12.117, 7.2.13, 7.3.4 (make check-kernel); other releases say "
		"how they were checked");
	table_note(&t,
		"NAME@6.12 is the newest release of 6.12 that was read, NAME@6.12.0 the first one, "
		"NAME@6.12.57 that one with what it took over by then");
	table_note(&t, "./FILE.c, ./FILE.so: a governor of your own (reidle governor build)");
	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		table_note(&t, "%s: %s", variants[i].text, variants[i].what);
	table_write(&t, format, out);
	table_free(&t);
}

static void list_releases(const struct preset_family *f, enum out_format format, FILE *out)
{
	struct table t;

	table_init(&t, "Releases that changed it");
	table_column(&t, "from", "", "from", 1, 0, COL_LEFT);
	table_column(&t, "form", "", "form", 1, 0, COL_LEFT);
	table_column(&t, "checked", "", "checked", 1, 0, COL_LEFT);
	table_column(&t, "change", "", "change", 1, 0, COL_LEFT);
	if (format != FORMAT_TEXT) {
		table_column(&t, "commit title", "", "title", 1, 0, COL_LEFT);
		table_column(&t, "commit", "", "commit", 1, 0, COL_LEFT);
	}
	for (int i = 0; i < f->nrows; i++) {
		const struct preset_row *row = &f->row[i];

		if (i && !row->model && f->row[i - 1].model)
			table_rule(&t);
		table_text(&t, "%s", row->version);
		table_text(&t, "%s", row->model ? row->model : "+");
		table_text(&t, "%s", check_word(row->checked));
		table_text(&t, format == FORMAT_TEXT && !i ? "(all parameters set)" : "%s",
			row->changes);
		if (format != FORMAT_TEXT) {
			table_text(&t, "%s", row->title);
			table_text(&t, "%s", row->commit);
		}
	}
	table_note(&t, "checked: read = source read, reviewed line by line, not run; pieced = from "
		       "patches "
		       "and mails, reviewed, not run; the releases 5.10.223, 5.10.262, 6.1.176, "
		       "6.12.95, 6.12.117, "
		       "7.2.13 and 7.3.4 as a whole were driven beside the kernel's own object "
		       "without a difference");
	table_write(&t, format, out);
	table_free(&t);
}

/* what a parameter takes: words, or a range */
static void takes(const struct gov_param *p, char *out, size_t size)
{
	size_t n = 0;

	*out = '\0';
	if (p->type == PARAM_BOOL)
		snprintf(out, size, "off, on");
	else if (p->type != PARAM_ENUM)
		snprintf(out, size, "%g..%g", p->min, p->max);
	else
		for (int i = 0; p->words[i] && n < size; i++)
			n += (size_t)snprintf(
				out + n, size - n, "%s%s", i ? ", " : "", p->words[i]);
}

/* does a row set the parameter; where its value starts */
static const char *sets(const struct preset_row *row, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = row->changes; (p = strstr(p, name)); p += n)
		if ((p == row->changes || p[-1] == ' ') && p[n] == '=')
			return p + n + 1;
	return NULL;
}

static void write_history(const struct preset_family *f, const char *name, FILE *out)
{
	for (int i = 1; f && i < f->nrows; i++) {
		const struct preset_row *row = &f->row[i];
		const char *value = sets(row, name);
		char *line;

		if (!value)
			continue;
		line = xasprintf("%s -> %.*s: %s%s%s%s", row->version, (int)strcspn(value, " "),
			value, row->title, *row->commit ? " (" : "", row->commit,
			*row->commit ? ")" : "");
		table_wrap(out, "      ", "        ", line);
		free(line);
	}
}

static void write_params(const struct gov_spec *s, FILE *out)
{
	const struct preset_family *f = preset_family(s->gov);

	fprintf(out, "\nParameters, with the values of %s (-g %s:PARAM=VALUE)\n", s->label,
		s->gov->name);
	for (int i = 0; i < s->gov->nparams; i++) {
		const struct gov_param *p = &s->gov->params[i];
		char value[64], range[120], *line;

		takes(p, range, sizeof(range));
		line = xasprintf("%s=%s  [%s]", p->name,
			governor_value_text(s, i, value, sizeof(value)), range);
		table_wrap(out, "  ", "      ", line);
		free(line);
		table_wrap(out, "      ", "      ", p->help);
		write_history(f, p->name, out);
	}
}

static void write_params_table(const struct gov_spec *s, enum out_format format, FILE *out)
{
	struct table t;

	table_init(&t, "Parameters of %s", s->label);
	table_column(&t, "parameter", "", "parameter", 1, 0, COL_LEFT);
	table_column(&t, "value", "", "value", 1, 0, COL_LEFT);
	table_column(&t, "takes", "", "takes", 1, 0, COL_LEFT);
	table_column(&t, "what it does", "", "help", 1, 0, COL_LEFT);
	for (int i = 0; i < s->gov->nparams; i++) {
		char value[64], range[120];

		takes(&s->gov->params[i], range, sizeof(range));
		table_text(&t, "%s", s->gov->params[i].name);
		table_text(&t, "%s", governor_value_text(s, i, value, sizeof(value)));
		table_text(&t, "%s", range);
		table_text(&t, "%s", s->gov->params[i].help);
	}
	table_write(&t, format, out);
	table_free(&t);
}

static void show(const struct gov_spec *s, enum out_format format, FILE *out)
{
	const struct preset_family *f = preset_family(s->gov);

	if (format == FORMAT_TEXT) {
		fprintf(out, "%s: %s\n", s->label, s->gov->summary);
		if (*s->checked)
			table_wrap(out, "checked  ", "         ", s->checked);
		if (*s->confidence)
			table_wrap(out, "chosen   ", "         ", s->confidence);
		fputc('\n', out);
	}
	if (f && format != FORMAT_CSV)
		list_releases(f, format, out);
	if (!s->gov->nparams)
		return;
	if (format == FORMAT_TEXT)
		write_params(s, out);
	else
		write_params_table(s, format, out);
}

static json_t *json_releases(const struct preset_family *f)
{
	json_t *rows = json_array();

	for (int i = 0; f && i < f->nrows; i++) {
		const struct preset_row *r = &f->row[i];

		json_array_append_new(
			rows, json_pack("{s:s, s:o, s:s, s:s, s:o, s:s}", "from", r->version,
				      "form", json_text(r->model ? r->model : ""), "changes",
				      r->changes, "title", r->title, "commit", json_text(r->commit),
				      "checked", check_word(r->checked)));
	}
	return rows;
}

static json_t *json_takes(const struct governor *g)
{
	json_t *rows = json_array();

	for (int i = 0; i < g->nparams; i++) {
		const struct gov_param *p = &g->params[i];
		json_t *one = json_pack("{s:s, s:s}", "name", p->name, "help", p->help), *words;

		if (p->type == PARAM_ENUM) {
			words = json_array();
			for (int k = 0; p->words[k]; k++)
				json_array_append_new(words, json_string(p->words[k]));
			json_object_set_new(one, "words", words);
		} else if (p->type != PARAM_BOOL) {
			json_object_set_new(one, "min", json_real(p->min));
			json_object_set_new(one, "max", json_real(p->max));
		}
		json_array_append_new(rows, one);
	}
	return rows;
}

static json_t *json_spec(const struct gov_spec *s)
{
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", s->gov->name,
		"summary", s->gov->summary, "label", s->label, "model", json_text(s->model),
		"version", json_text(s->version), "checked", json_text(s->checked), "confidence",
		json_text(s->confidence), "params", json_params(s), "takes", json_takes(s->gov),
		"releases", json_releases(preset_family(s->gov)));
}

static int write_json(const struct gov_spec *one, FILE *out, struct error *err)
{
	json_t *doc = json_document("governors"), *all = json_array();
	int ret = 0;

	if (one)
		json_array_append_new(all, json_spec(one));
	for (int i = 0; !one && governor_list[i] && !ret; i++) {
		const char *name = governor_list[i]->name;
		struct gov_spec s;

		ret = governor_parse(&s, strcmp(name, "fixed") ? name : "fixed:state=0", "", err);
		if (!ret)
			json_array_append_new(all, json_spec(&s));
	}
	json_object_set_new(doc, "governors", all);
	if (ret)
		json_decref(doc);
	else
		json_print(doc, out);
	return ret;
}

static int choose(struct gov_spec *s, const struct options *o, struct error *err)
{
	if (o->governor_source)
		return governor_source(s, o->governor_source, err);
	if (governor_parse(
		    s, strcmp(o->files.s[0], "fixed") ? o->files.s[0] : "fixed:state=0", "", err))
		return -1;
	s->confidence[0] = '\0'; /* no recording was asked about */
	return 0;
}

static int governors(const struct options *o, struct error *err)
{
	bool one = o->files.n || o->governor_source;
	struct gov_spec s;
	struct output out;
	int ret = 0;

	if (o->files.n > 1)
		return error_set(err, EXIT_USAGE, "governors: one NAME at a time");
	if ((one && choose(&s, o, err)) || output_open(&out, o->output, err))
		return -1;
	if (o->format == FORMAT_JSON)
		ret = write_json(one ? &s : NULL, out.f, err);
	else if (one)
		show(&s, o->format, out.f);
	else
		list_models(o->format, out.f);
	if (ret) {
		output_abort(&out);
		return -1;
	}
	return output_close(&out, err);
}

const struct subcommand cmd_governors = {
	"governors",
	"[NAME[@VERSION]] [--governor-source FILE.c]",
	"list models: the kernels they mirror, how each was checked, parameters",
	governors,
	false,
};
