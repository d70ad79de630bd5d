// SPDX-License-Identifier: GPL-2.0-or-later
/* reidle states: list the idle-state tables, show one, make one from a dump. */
#include "parsers/dump.h"
#include "src/json.h"
#include "src/output.h"
#include "src/recording_header.h"
#include "src/subcommand.h"
#include "src/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "POLL C1 C1E": the names in one cell */
static void state_names(const struct state_table *t, char *out, size_t size)
{
	size_t n = 0;

	*out = '\0';
	for (int i = 0; i < t->nstates && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%s", i ? ", " : "", t->state[i].name);
}

/* a mail's line holds 46 characters of it */
static void list_title(struct table *t, const char *title, enum out_format format)
{
	if (format == FORMAT_TEXT && strlen(title) > 46)
		table_text(t, "%.43s...", title);
	else
		table_text(t, "%s", title);
}

static void list_table(const struct table_set *set, enum out_format format, FILE *out)
{
	struct table t;
	char names[200];

	table_init(&t, "%zu idle-state tables (reidle states TABLE shows one; -t TABLE replays on it)",
		set->n);
	table_column(&t, "table", "", "table", 1, 0, COL_LEFT);
	table_column(&t, "states", "", "states", 1, 0, 0);
	table_column(&t, "machines", "", "machines", 1, 0, COL_LEFT);
	if (format == FORMAT_CSV)
		table_column(&t, "names", "", "names", 1, 0, COL_LEFT);
	for (size_t i = 0; i < set->n; i++) {
		table_text(&t, "%s", set->table[i].id);
		table_int(&t, set->table[i].nstates);
		list_title(&t, set->table[i].title, format);
		state_names(&set->table[i], names, sizeof(names));
		if (format == FORMAT_CSV)
			table_text(&t, "%s", names);
	}
	table_write(&t, format, out);
	table_free(&t);
}

static void list_omitted(const struct table_set *set, FILE *out)
{
	fprintf(out, "\nLeft out (%zu):\n", set->nomits);
	for (size_t i = 0; i < set->nomits; i++) {
		char *line = xasprintf("%s: %s: %s", set->omit[i].id, set->omit[i].title,
			set->omit[i].why);

		table_wrap(out, "  ", "    ", line);
		free(line);
	}
}

static json_t *json_list(const struct table_set *set)
{
	json_t *doc = json_document("states"), *tables = json_array(), *omits = json_array();

	for (size_t i = 0; i < set->n; i++) {
		const struct state_table *t = &set->table[i];
		struct machine m;
		json_t *j;

		machine_uniform(&m, t, 1);
		j = json_machine(&m);
		json_array_append_new(tables, json_pack("{s:s, s:o, s:o, s:o, s:b, s:O}", "id", t->id,
			"title", json_text(t->title), "source", json_text(t->source), "note",
			json_text(t->note), "rule_made", t->rule_made, "states",
			json_object_get(json_array_get(json_object_get(j, "tables"), 0), "states")));
		json_decref(j);
		machine_free(&m);
	}
	for (size_t i = 0; i < set->nomits; i++)
		json_array_append_new(omits, json_pack("{s:s, s:o, s:o}", "id", set->omit[i].id,
			"title", json_text(set->omit[i].title), "why", json_text(set->omit[i].why)));
	json_object_set_new(doc, "tables", tables);
	json_object_set_new(doc, "left_out", omits);
	return doc;
}

static int list(const struct options *o, FILE *out, struct error *err)
{
	struct table_set set = {0};
	int ret = tables_read_all(&set, err);

	if (!ret && o->format == FORMAT_JSON) {
		json_print(json_list(&set), out);
	} else if (!ret) {
		list_table(&set, o->format, out);
		if (o->format == FORMAT_TEXT && !o->quiet)
			list_omitted(&set, out);
	}
	tables_free(&set);
	return ret;
}

static void show_us(struct table *t, int64_t ns)
{
	if (ns < 0)
		table_text(t, "?");
	else if (ns % NSEC_PER_USEC)
		table_text(t, "%.3f", (double)ns / NSEC_PER_USEC);
	else
		table_text(t, "%lld", (long long)(ns / NSEC_PER_USEC));
}

static void show_state(struct table *t, const struct idle_state *s, int index)
{
	char timeout[32];

	table_timeout_text(s, timeout, sizeof(timeout));
	table_int(t, index);
	table_text(t, "%s", s->name);
	show_us(t, s->exit_latency_ns);
	show_us(t, s->target_residency_ns);
	table_text(t, "%s", s->polling ? "yes" : "no");
	table_text(t, "%s", timeout);
	table_text(t, "%s", s->disabled ? "off" : "on");
}

static void show_one(const struct machine *m, int i, enum out_format format, FILE *out)
{
	const struct state_table *s = &m->tables[i];
	char *cpus = json_table_cpus(m, i);
	struct table t;

	if (s->id[0])
		table_init(&t, "%s: %s", s->id, s->title);
	else
		table_init(&t, "%s: CPUs %s", m->from, cpus);
	table_column(&t, "state", "", "state", 1, 0, 0);
	table_column(&t, "name", "", "name", 1, 0, COL_LEFT);
	table_column(&t, "latency", "us", "exit_latency_us", 1, 0, 0);
	table_column(&t, "residency", "us", "target_residency_us", 1, 0, 0);
	table_column(&t, "polling", "", "polling", 1, 0, COL_LEFT);
	table_column(&t, "time-out", "", "timeout", 1, 0, COL_LEFT);
	table_column(&t, "on/off", "", "enabled", 1, 0, COL_LEFT);
	for (int k = 0; k < s->nstates; k++)
		show_state(&t, &s->state[k], k);
	if (s->source[0])
		table_note(&t, "source: %s", s->source);
	if (s->note[0])
		table_note(&t, "note: %s", s->note);
	if (s->rule_made)
		table_note(&t, "residencies made by rule carry no energy information");
	table_write(&t, format, out);
	table_free(&t);
	free(cpus);
}

static int edit(struct machine *m, const struct options *o, struct error *err)
{
	for (size_t i = 0; i < o->set.n; i++)
		if (machine_set(m, o->set.s[i], err) < 0)
			return -1;
	for (size_t i = 0; i < o->disable.n; i++)
		if (machine_set_disabled(m, o->disable.s[i], true, err) < 0)
			return -1;
	for (size_t i = 0; i < o->enable.n; i++)
		if (machine_set_disabled(m, o->enable.s[i], false, err) < 0)
			return -1;
	return 0;
}

static int show(const struct options *o, const char *name, FILE *out, struct error *err)
{
	struct machine m;
	json_t *doc;

	if (dump_load_table(&m, name, 1, err) < 0)
		return -1;
	if (edit(&m, o, err) < 0) {
		machine_free(&m);
		return -1;
	}
	if (o->format == FORMAT_JSON) {
		doc = json_document("states");
		json_object_set_new(doc, "machine", json_machine(&m));
		json_print(doc, out);
	} else {
		for (int i = 0; i < m.ntables; i++)
			show_one(&m, i, o->format, out);
	}
	machine_free(&m);
	return 0;
}

/* an id from a file's name: "pepc-adl0.sysfs.txt" becomes "pepc-adl0" */
static void id_from_path(char *out, size_t size, const char *path)
{
	const char *base = strrchr(path, '/');
	size_t n = 0;

	base = base ? base + 1 : path;
	for (; *base && *base != '.' && n + 1 < size; base++)
		out[n++] = isalnum((unsigned char)*base) || *base == '_'
			? (char)tolower((unsigned char)*base) : '-';
	out[n] = '\0';
	if (!n)
		copy_text(out, size, "imported");
}

static int check_known(const struct state_table *t, const char *path, struct error *err)
{
	for (int i = 0; i < t->nstates; i++) {
		const struct idle_state *s = &t->state[i];

		if (s->exit_latency_ns < 0 || s->target_residency_ns < 0)
			return error_set(err, EXIT_INPUT, "%s: the %s of state %d (%s) is not in it; "
				"give it with --set %d.%s=US", path,
				s->exit_latency_ns < 0 ? "latency" : "residency", i, s->name, i,
				s->exit_latency_ns < 0 ? "latency" : "residency");
	}
	return 0;
}

static void name_import(struct state_table *t, const struct machine *m, int i, const char *path)
{
	char base[20], *cpus = json_table_cpus(m, i);

	bool piped = !strcmp(path, "-");

	id_from_path(base, sizeof(base), piped ? "imported" : path);
	if (m->ntables > 1 && strlen(cpus) < sizeof(t->cpus))
		copy_text(t->cpus, sizeof(t->cpus), cpus);
	if (m->ntables > 1)
		snprintf(t->id, sizeof(t->id), "%s-%d", base, i);
	else
		copy_text(t->id, sizeof(t->id), base);
	snprintf(t->title, sizeof(t->title), "imported, CPUs %.80s%s%.20s", cpus,
		m->driver[0] ? ", " : "", m->driver);
	copy_text(t->source, sizeof(t->source), piped ? "standard input" : base_name(path));
	free(cpus);
}

static int import(const struct options *o, FILE *out, struct error *err)
{
	struct machine m;
	int ret;

	if (dump_load_table(&m, o->import, 1, err) < 0)
		return -1;
	ret = edit(&m, o, err);
	for (int i = 0; !ret && i < m.ntables; i++) {
		name_import(&m.tables[i], &m, i, o->import);
		ret = check_known(&m.tables[i], o->import, err);
	}
	if (!ret) {
		fputs("# state: index, name, exit latency us, target residency us, polling, timeout, "
		      "tells, disabled\n", out);
		for (int i = 0; i < m.ntables; i++)
			table_write_tsv(&m.tables[i], out);
	}
	machine_free(&m);
	return ret;
}

static int states(const struct options *o, struct error *err)
{
	struct output out;
	int ret = 0;

	if (output_open(&out, o->output, err) < 0)
		return -1;
	if (o->import)
		ret = import(o, out.f, err);
	else if (!o->files.n)
		ret = list(o, out.f, err);
	for (size_t i = 0; !o->import && i < o->files.n && !ret; i++)
		ret = show(o, o->files.s[i], out.f, err);
	if (ret < 0) {
		output_abort(&out);
		return -1;
	}
	return output_close(&out, err);
}

const struct subcommand cmd_states = {
	.name = "states",
	.usage = "[TABLE|DUMP...] [--import FILE]",
	.summary = "list and show idle-state tables, or make one from a sysfs dump or cpupower output",
	.run = states,
};
