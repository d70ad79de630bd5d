// SPDX-License-Identifier: GPL-2.0-or-later
/* reidle report: what was recorded, in tables; of recordings, or of two sysfs dumps. */
#include "src/output.h"
#include "src/recording_groups.h"
#include "src/recording_header.h"
#include "src/recording_json.h"
#include "src/recording_latency.h"
#include "src/recording_sample.h"
#include "src/recording_subject.h"
#include "src/recording_tabulate.h"
#include "src/recording_report.h"
#include "src/subcommand.h"

#include <stdlib.h>
#include <string.h>

#define CPUS_SHOWN 32 /* per-CPU tables of bigger machines come with --by cpu only */

/* the latencies of each state; NULL: they were not measured */
static const struct sojourns *figures(const struct subject *s)
{
	if (!s->is_dump && s->rec.sample)
		return s->rec.sample->have_figures ? &s->rec.sample->figures : NULL;
	return s->have_sojourns ? &s->sojourns : NULL;
}

/* the number of the CPU takes the room of the counts that the shares stand for */
static const char *measures_for(const char *by, const struct options *o)
{
	if (o->style || strcmp(by, "cpu") || o->format == FORMAT_CSV)
		return NULL;
	return "usage time time% above% below% avg p50 p99 wavg wp99";
}

static int64_t event_cost(const struct subject *s)
{
	return !s->is_dump && s->rec.have_decisions ? s->rec.decisions.event_cost_ns : 0;
}

/* the kernel's own verdicts stand beside those by its arithmetic */
static void write_misses(const struct subject *s, const struct options *o, const struct facts *f,
	FILE *out)
{
	struct style_set set = {.run = f, .nruns = 1, .format = o->format, .caption = "Misses, by the "
		"table's arithmetic and as recorded (cpu_idle_miss)", .name = base_name(s->name),
		.measures = "usage above above_recorded below below_recorded"};
	struct error err;

	if (!s->is_dump && !o->style && f->group[0].total.misses && f->group[0].total.verdicts)
		style_write(&set, style_find(NULL, &err), out);
}

static int write_style(struct subject *s, const struct options *o, const char *by,
	const char *style_name, const char *caption, FILE *out, int *verdict, struct error *err)
{
	struct style_set set = {.nruns = 1, .format = o->format, .caption = caption,
		.name = base_name(s->name), .measures = measures_for(by, o), .sort = o->sort};
	struct error bad_sort = {0};
	struct tabulated t;
	int ret = 0;

	if (tabulate(&t, &s->run, 1, by, s->span_ns, event_cost(s), o, err))
		return -1;
	set.run = t.facts;
	set.bad_sort = verdict ? &bad_sort : NULL;
	style_write(&set, style_find(style_name, err), out);
	if (bad_sort.code) {
		*err = bad_sort;
		ret = -1;
	} else if (verdict) {
		write_misses(s, o, t.facts, out);
		ret = *verdict = check_fail_if(&set, o, err);
	}
	tabulated_free(&t);
	return ret < 0 ? -1 : 0;
}

/* of CPUs and periods left out it could not be told whether they were idle */
static int write_topology(struct subject *s, const struct options *o, FILE *out, struct error *err)
{
	const struct run *run = s->run;
	struct topology t;
	int known;

	if (o->cpus || o->from || o->to || o->filter)
		return 0;
	known = recording_topology(&t, &s->rec, o, err);
	if (known > 0) {
		write_groups(&run, 1, &t, o->format, out);
		topology_free(&t);
	}
	return known < 0 ? -1 : 0;
}

static int write_tables(struct subject *s, const struct options *o, FILE *out, int *verdict,
	struct error *err)
{
	const char *by = groups_of(o);
	const struct sample *sample = s->is_dump ? NULL : s->rec.sample;
	char extent[120], caption[200];

	sample_words(sample && sample->delays ? sample : NULL, "wake: ", extent, sizeof(extent));
	snprintf(caption, sizeof(caption), "Idle states as recorded%s", extent);
	sample_words(sample, "", extent, sizeof(extent));
	if (write_style(s, o, by, o->style, o->style ? "" : caption, out, verdict, err))
		return -1;
	if (o->style || o->by)
		return 0;
	if (s->run->ncpus > CPUS_SHOWN)
		fprintf(out, "%s(%d CPUs: --by cpu prints each)\n\n", o->format == FORMAT_CSV ? "# " : "",
			s->run->ncpus);
	else if (write_style(s, o, "cpu", NULL, "By CPU", out, NULL, err))
		return -1;
	if (s->is_dump)
		return 0;
	if (!o->light)
		report_wakes(s->run, extent, o->format, out);
	if (figures(s))
		report_latencies(figures(s), &s->rec.machine, extent, o->format, out);
	if (write_topology(s, o, out, err))
		return -1;
	report_losses(s->rec.trace, o->format, out);
	return 0;
}

static void dump_header(const struct header *h, const struct subject *s, const struct options *o)
{
	if (s->since_boot || !o->after)
		header_line(h, "counters", "%s, since boot", base_name(s->name));
	else
		header_line(h, "counters", "%s minus %s", base_name(o->after), base_name(o->before));
	header_line(h, "machine", "%d CPUs, idle driver %s, governor %s", s->delta.ncpus,
		*s->delta.driver ? s->delta.driver : "unknown",
		*s->delta.governor ? s->delta.governor : "unknown");
	header_line(h, "", "counters only: no lengths, no wakes, no length of the window");
	header_table(h, "table", &s->machine);
}

static void write_head(const struct subject *s, const struct options *o, FILE *out)
{
	struct header h;

	header_begin(&h, out, o->format, "report");
	if (s->is_dump) {
		dump_header(&h, s, o);
	} else {
		header_recording(&h, &s->rec);
		header_fidelity(&h, &s->rec);
		if (o->light)
			header_line(&h, "light", "idle events only: above and below are judged on the recorded lengths, "
				"which are about an event longer than the kernel's");
		header_sample(&h, &s->rec);
		header_warnings(&h, &s->rec);
	}
	header_command(&h, o);
	header_end(&h);
}

static int write_report(struct subject *s, const struct options *o, FILE *out, int *verdict,
	struct error *err)
{
	struct topology t;

	/* told before anything is printed */
	if (o->topology && !s->is_dump) {
		if (topology_from_option(&t, o->topology, s->rec.trace->ncpus, err))
			return -1;
		topology_free(&t);
	}
	write_head(s, o, out);
	if (s->is_dump && o->format == FORMAT_CSV && !o->style && !o->by) {
		report_dump_rows(&s->delta, o->format, out);
		return 0;
	}
	if (write_tables(s, o, out, verdict, err))
		return -1;
	if (!s->is_dump && !o->style)
		report_inputs(&s->rec, o->format, out);
	return 0;
}

static json_t *report_json(struct subject *s, const struct facts *facts)
{
	json_t *doc, *runs = json_array(), *run = json_run(s->run, NULL);

	if (s->is_dump) {
		doc = json_document("report");
		json_object_set_new(doc, "recording",
			json_pack("{s:o, s:i, s:n, s:b}", "file", json_text(s->name), "cpus",
				s->delta.ncpus, "span_ns", "since_boot", s->since_boot));
		json_object_set_new(doc, "machine", json_machine(&s->machine));
		json_object_set_new(doc, "counters", report_dump_json(&s->delta));
	} else {
		doc = json_recording_document("report", &s->rec);
		json_object_set_new(doc, "wakes", report_wakes_json(s->run));
		json_object_set_new(doc, "latencies", figures(s)
				? report_latencies_json(figures(s), &s->rec.machine) : json_null());
		if (s->rec.sample)
			json_object_set_new(doc, "sampled", sample_json(s->rec.sample));
		json_object_set_new(doc, "inputs", json_known_inputs(&s->rec));
	}
	json_object_set_new(run, "groups", *facts->what ? json_groups(facts) : json_null());
	json_array_append_new(runs, run);
	json_object_set_new(doc, "runs", runs);
	return doc;
}

/* several inputs: the first one's document, and the others whole in "more" */
static void add_json(json_t **doc, json_t *next)
{
	json_t *more;

	if (!*doc) {
		*doc = next;
		return;
	}
	more = json_object_get(*doc, "more");
	if (!more) {
		more = json_array();
		json_object_set_new(*doc, "more", more);
	}
	json_array_append_new(more, next);
}

static int json_input(struct subject *s, const struct options *o, json_t **doc, int *verdict,
	struct error *err)
{
	struct style_set set = {.nruns = 1, .format = FORMAT_JSON, .caption = ""};
	struct tabulated t;

	if (tabulate(&t, &s->run, 1, groups_of(o), s->span_ns, event_cost(s), o, err))
		return -1;
	set.run = t.facts;
	*verdict = check_fail_if(&set, o, err);
	if (*verdict >= 0)
		add_json(doc, report_json(s, t.facts));
	tabulated_free(&t);
	return *verdict < 0 ? -1 : 0;
}

static int one_input(struct subject *s, const struct options *o, FILE *out, json_t **doc,
	int *verdict, struct error *err)
{
	int now = EXIT_FINE, ret;

	subject_warn(s, o);
	if (o->format == FORMAT_JSON)
		ret = json_input(s, o, doc, &now, err);
	else
		ret = write_report(s, o, out, &now, err);
	if (now == EXIT_HOLDS)
		*verdict = EXIT_HOLDS;
	return ret;
}

static int open_input(struct subject *s, const struct options *o, size_t i, struct error *err)
{
	if (o->after)
		return subject_open_dumps(s, o->before, o->after, err);
	if (subject_is_dump(o->files.s[i]))
		return subject_open_dumps(s, NULL, o->files.s[i], err);
	/* idle periods only: less of the time and memory, for recordings of any size */
	if (o->light)
		return subject_open(s, o->files.s[i], o, NEED_PERIODS, err);
	return subject_open_measured(s, o->files.s[i], o, err);
}

static int check_usage(const struct options *o, struct error *err)
{
	if (o->before && !o->after)
		return error_set(err, EXIT_USAGE, "report: --before needs --after DUMP");
	if (o->after && o->files.n)
		return error_set(err, EXIT_USAGE, "report: recordings or --before and --after, not both");
	if (o->light + o->full + (o->sample > 0) > 1)
		return error_set(err, EXIT_USAGE, "report: one of --light, --sample and --full");
	if (!o->files.n && !o->after)
		return error_set(err, EXIT_USAGE, "report: no recording given");
	return style_find(o->style, err) ? 0 : -1;
}

static int report(const struct options *o, struct error *err)
{
	size_t n = o->after ? 1 : o->files.n;
	int verdict = EXIT_FINE, ret = check_usage(o, err);
	struct output out;
	struct subject s;
	json_t *doc = NULL;

	if (ret || output_open(&out, o->output, err))
		return -1;
	output_hold(&out);
	for (size_t i = 0; i < n && !ret; i++) {
		ret = open_input(&s, o, i, err);
		if (ret)
			break;
		ret = one_input(&s, o, out.f, &doc, &verdict, err);
		subject_close(&s);
	}
	if (!ret && doc)
		json_print(json_incref(doc), out.f);
	json_decref(doc);
	if (ret) {
		output_abort(&out);
		return ret;
	}
	return output_close(&out, err) ? -1 : verdict;
}

const struct subcommand cmd_report = {
	"report", "FILE... | --before DUMP --after DUMP", "what was recorded, per state and CPU", report, true,
};
