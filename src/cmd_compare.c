// SPDX-License-Identifier: GPL-2.0-or-later
/* reidle compare: recordings and sysfs dumps against each other, singly or in two sets. */
#include "src/compare.h"
#include "src/output.h"
#include "src/recording_header.h"
#include "src/recording_json.h"
#include "src/recording_subject.h"
#include "src/subcommand.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INPUTS_MAX 256

struct comparison {
	const struct options *o;
	struct subject *s;
	struct facts *facts;
	struct grouping *groups;
	struct state_table *kinds; /* --by wake */
	struct compare_input *in;
	char (*label)[80];
	size_t n;
	bool two_sets, dumps;
};

/* NAME.sysfs-before.txt stands for itself and NAME.sysfs-after.txt */
static char *after_of(const char *path)
{
	const char *at = strstr(base_name(path), "before");
	char *after;

	if (!at)
		return NULL;
	after = xasprintf("%.*safter%s", (int)(at - path), path, at + strlen("before"));
	if (!access(after, R_OK))
		return after;
	free(after);
	return NULL;
}

static int open_pair(struct subject *s, const char *text, const char *dots, struct error *err)
{
	char *before = xasprintf("%.*s", (int)(dots - text), text);
	int ret = subject_open_dumps(s, before, dots + 2, err);

	free(before);
	return ret;
}

static int open_input(struct subject *s, const char *text, const struct options *o, struct error *err)
{
	const char *dots = strstr(text, "..");
	char *after;
	int ret;

	/* "../x" is a path; only what stands between two names is a pair */
	while (dots && (dots == text || dots[2] == '/' || dots[-1] == '/'))
		dots = strstr(dots + 2, "..");
	if (dots && access(text, F_OK))
		return open_pair(s, text, dots, err);
	if (!subject_is_dump(text))
		return subject_open(s, text, o, NEED_DECISIONS, err);
	after = after_of(text);
	ret = subject_open_dumps(s, after ? text : NULL, after ? after : text, err);
	free(after);
	return ret;
}

static const char *default_groups(const struct comparison *c)
{
	if (c->o->by)
		return c->o->by;
	for (size_t i = 0; i < c->n; i++)
		if (c->s[i].run->machine.ntables > 1)
			return "cluster";
	return "all";
}

static int build_facts(struct comparison *c, struct error *err)
{
	bool wake = c->o->by && !strcmp(c->o->by, "wake");
	const char *by = wake ? "all" : default_groups(c);

	for (size_t i = 0; i < c->n; i++) {
		const struct run *r = c->s[i].run;
		int ret;

		if (wake && c->s[i].is_dump)
			return error_set(err, EXIT_USAGE, "%s: a dump does not say what ended idle periods",
				c->s[i].name);
		ret = subject_groups(&c->groups[i], by, r, c->o, err);
		if (!ret && wake)
			ret = facts_by_wake(&c->facts[i], r, &c->groups[i], c->s[i].span_ns,
				&c->kinds[i], err);
		else if (!ret)
			ret = facts_build(&c->facts[i], r, &c->groups[i], c->s[i].span_ns, err);
		if (ret)
			return -1;
		c->facts[i].label = c->label[i];
		c->in[i] = (struct compare_input){.label = c->label[i], .facts = &c->facts[i],
			.set = c->two_sets ? i >= c->o->files.n : (int)i};
	}
	return 0;
}

static void label_input(struct comparison *c, size_t i)
{
	const struct subject *s = &c->s[i];

	if (s->is_dump)
		snprintf(c->label[i], sizeof(c->label[i]), "%.60s%s",
			base_name(s->since_boot ? s->name : strstr(s->name, "..") + 2),
			s->since_boot ? ", since boot" : ", minus before");
	else
		snprintf(c->label[i], sizeof(c->label[i]), "%.60s", base_name(s->name));
}

static int open_all(struct comparison *c, struct error *err)
{
	const struct options *o = c->o;

	for (size_t i = 0; i < o->files.n + o->versus.n; i++) {
		const char *text = i < o->files.n ? o->files.s[i] : o->versus.s[i - o->files.n];

		if (open_input(&c->s[i], text, o, err))
			return -1;
		c->n++;
		subject_warn(&c->s[i], o);
		label_input(c, i);
		c->dumps |= c->s[i].is_dump;
	}
	return build_facts(c, err);
}

static void input_line(const struct header *h, const struct comparison *c, size_t i)
{
	const struct subject *s = &c->s[i];
	char letter[4] = {(char)('A' + (c->two_sets ? c->in[i].set : i < 26 ? (int)i : 25))};

	if (s->is_dump)
		header_line(h, letter, "%s: counters of %d CPUs, driver %s, governor %s", c->label[i],
			s->delta.ncpus, *s->delta.driver ? s->delta.driver : "unknown",
			*s->delta.governor ? s->delta.governor : "unknown");
	else
		header_line(h, letter, "%s, sha256 %.12s, %.3f s, kernel %s, governor %s, %llu lost "
			"events%s", c->label[i], s->rec.trace->sha256, (double)s->span_ns / 1e9,
			*s->rec.trace->kernel ? s->rec.trace->kernel : "unknown",
			*s->rec.governor ? s->rec.governor : "unknown",
			(unsigned long long)s->rec.trace->lost_events,
			s->rec.trace->emulated ? ", EMULATED" : "");
}

static int64_t longest_idle(const struct run *r)
{
	int64_t most = 0;

	for (int i = 0; i < r->ncpus; i++) {
		int64_t sum = 0;

		for (int s = 0; s < STATES_MAX; s++)
			sum += r->cpu[i].state[s].time_ns;
		most = max64(most, sum);
	}
	return most;
}

static uint64_t periods(const struct run *r)
{
	uint64_t n = 0;

	for (int s = 0; s < STATES_MAX; s++)
		n += r->total[s].usage;
	return n;
}

/* a dump has no clock: how long its window is at least follows from its idlest CPU */
static void window_line(const struct header *h, const struct comparison *c)
{
	for (size_t i = 0; i < c->n; i++) {
		for (size_t k = 0; k < c->n; k++) {
			const struct subject *rec = &c->s[i], *dump = &c->s[k];

			if (rec->is_dump || !dump->is_dump || dump->since_boot)
				continue;
			header_line(h, "windows", "%s spans %.3f s; %s covers at least %.3f s (its idlest "
				"CPU) and has %lld idle periods more: compare shares, not counts",
				c->label[i], (double)rec->span_ns / 1e9, c->label[k],
				(double)longest_idle(dump->run) / 1e9,
				(long long)periods(dump->run) - (long long)periods(rec->run));
		}
	}
}

static bool same_tables(const struct machine *a, const struct machine *b)
{
	if (a->ntables != b->ntables || a->source == MACHINE_GUESSED || b->source == MACHINE_GUESSED)
		return false;
	for (int i = 0; i < a->ntables; i++) {
		const struct state_table *x = &a->tables[i], *y = &b->tables[i];

		if (x->nstates != y->nstates)
			return false;
		for (int s = 0; s < x->nstates; s++)
			if (strcmp(x->state[s].name, y->state[s].name) ||
				x->state[s].exit_latency_ns != y->state[s].exit_latency_ns ||
				x->state[s].target_residency_ns != y->state[s].target_residency_ns ||
				x->state[s].disabled != y->state[s].disabled)
				return false;
	}
	return true;
}

static void write_head(const struct comparison *c, FILE *out)
{
	struct header h;

	header_begin(&h, out, c->o->format, "compare");
	for (size_t i = 0; i < c->n; i++)
		input_line(&h, c, i);
	for (size_t i = 0; i < c->n; i++) {
		char label[16];

		if (i && same_tables(&c->s[0].run->machine, &c->s[i].run->machine))
			continue;
		snprintf(label, sizeof(label), "table %c",
			(char)('A' + (c->two_sets ? c->in[i].set : i < 26 ? (int)i : 25)));
		header_table(&h, i ? label : "table", &c->s[i].run->machine);
	}
	window_line(&h, c);
	header_command(&h, c->o);
	header_end(&h);
}

static json_t *json_input(const struct comparison *c, size_t i)
{
	const struct subject *s = &c->s[i];
	json_t *in;

	if (s->is_dump)
		in = json_pack("{s:o, s:i, s:n, s:b}", "file", json_text(s->name), "cpus", s->delta.ncpus,
			"span_ns", "since_boot", s->since_boot);
	else
		in = json_recording(&s->rec);
	json_object_set_new(in, "label", json_text(c->label[i]));
	json_object_set_new(in, "set", json_integer(c->in[i].set));
	json_object_set_new(in, "machine", json_machine(&s->run->machine));
	return in;
}

static void write_json(const struct comparison *c, const struct compare *cmp, FILE *out)
{
	json_t *doc = json_document("compare"), *inputs = json_array(), *body = compare_json(cmp);

	for (size_t i = 0; i < c->n; i++)
		json_array_append_new(inputs, json_input(c, i));
	json_object_set_new(doc, "inputs", inputs);
	json_object_set_new(doc, "by",
		json_string(*c->groups[0].what ? c->groups[0].what : "all"));
	json_object_update(doc, body);
	json_decref(body);
	json_print(doc, out);
}

/* the styles take states by number, so the tables have to be the same */
static int check_same_states(const struct comparison *c, struct error *err)
{
	for (size_t i = 1; i < c->n; i++) {
		if (c->facts[i].ngroups != c->facts[0].ngroups)
			return error_set(err, EXIT_USAGE, "%s and %s differ in their groups: only the "
				"default style compares them", c->label[0], c->label[i]);
		for (int g = 0; g < c->facts[0].ngroups; g++) {
			const struct state_table *a = c->facts[0].group[g].table;
			const struct state_table *b = c->facts[i].group[g].table;

			for (int s = 0; s < a->nstates && s < b->nstates; s++)
				if (strcmp(a->state[s].name, b->state[s].name))
					return error_set(err, EXIT_USAGE, "%s and %s differ in their states: "
						"only the default style compares them", c->label[0],
						c->label[i]);
		}
	}
	return 0;
}

static int write_style(const struct comparison *c, struct style_set *set, FILE *out, struct error *err)
{
	const struct style *style = style_find(c->o->style, err);
	int set_of[INPUTS_MAX];

	if (!style || check_same_states(c, err))
		return -1;
	for (size_t i = 0; i < c->n; i++)
		set_of[i] = c->in[i].set;
	set->set_of = set_of;
	style_write(set, style, out);
	return 0;
}

static void write_default(const struct comparison *c, FILE *out)
{
	const char *measures = c->dumps ? "idle% usage% above% below% avg"
					: "time% usage% rate above% below% avg p50 p99";
	struct compare cmp;

	compare_build(&cmp, c->in, c->n, c->two_sets ? 2 : (int)c->n, c->two_sets, measures);
	if (c->o->format == FORMAT_JSON)
		write_json(c, &cmp, out);
	else
		compare_write(&cmp, c->o->format, out);
	compare_free(&cmp);
}

static int write_all(struct comparison *c, FILE *out, struct error *err)
{
	struct style_set set = {.run = c->facts, .nruns = c->n, .format = c->o->format, .caption = "",
		.name = "all", .base = style_base(c->o->style, c->n), .sort = c->o->sort};
	int verdict = 0;

	/* rows of states by number: --fail-if, too, needs the same ones */
	if (c->o->fail_if) {
		if (check_same_states(c, err))
			return -1;
		verdict = check_fail_if(&set, c->o, err);
		if (verdict < 0)
			return -1;
	}
	if (c->o->format != FORMAT_JSON)
		write_head(c, out);
	if (c->o->style && c->o->format != FORMAT_JSON && write_style(c, &set, out, err))
		return -1;
	if (!c->o->style || c->o->format == FORMAT_JSON)
		write_default(c, out);
	return verdict;
}

static void comparison_free(struct comparison *c)
{
	for (size_t i = 0; i < c->n; i++) {
		facts_free(&c->facts[i]);
		grouping_free(&c->groups[i]);
		subject_close(&c->s[i]);
	}
	free(c->s);
	free(c->facts);
	free(c->groups);
	free(c->kinds);
	free(c->in);
	free(c->label);
}

static int check_usage(const struct options *o, struct error *err)
{
	size_t n = o->files.n + o->versus.n;

	if (n < 2 || !o->files.n)
		return error_set(err, EXIT_USAGE, "compare: at least two recordings or dumps");
	if (n > INPUTS_MAX || (!o->versus.n && n > 26))
		return error_set(err, EXIT_USAGE, "compare: %zu inputs are too many (26, or %d in two sets)",
			n, INPUTS_MAX);
	return style_find(o->style, err) ? 0 : -1;
}

static int compare(const struct options *o, struct error *err)
{
	size_t n = o->files.n + o->versus.n;
	struct comparison c = {.o = o, .two_sets = o->versus.n > 0};
	struct output out;
	int ret;

	if (check_usage(o, err) || output_open(&out, o->output, err))
		return -1;
	output_hold(&out);
	c.s = xcalloc(n, sizeof(*c.s));
	c.facts = xcalloc(n, sizeof(*c.facts));
	c.groups = xcalloc(n, sizeof(*c.groups));
	c.kinds = xcalloc(n, sizeof(*c.kinds));
	c.in = xcalloc(n, sizeof(*c.in));
	c.label = xcalloc(n, sizeof(*c.label));
	ret = open_all(&c, err);
	if (!ret)
		ret = write_all(&c, out.f, err);
	comparison_free(&c);
	if (ret < 0) {
		output_abort(&out);
		return -1;
	}
	return output_close(&out, err) ? -1 : ret;
}

const struct subcommand cmd_compare = {
	"compare", "A... [--vs B...]", "recordings or sysfs dumps against each other", compare, true,
};
