// SPDX-License-Identifier: GPL-2.0-or-later
/* reidle verify: replayed choices against recorded ones, the governor taught by the recording. */
#include "src/cmd_verify.h"

#include <math.h>
#include <string.h>

#include "replay/known.h"
#include "src/expr.h"
#include "src/output.h"
#include "src/recording_header.h"
#include "src/recording_json.h"
#include "src/recording_subject.h"
#include "src/subcommand.h"

struct verify {
	const struct options *o;
	struct recording rec;
	struct selection sel;
	struct gov_spec spec;
	struct verify_result sum;
	enum slowness slowness;
	char slow[320]; /* why */
};

int verify_governor(struct gov_spec *out, const struct options *o, const struct recording *r,
	struct error *err)
{
	bool recorded = false;
	int n;

	if (o->governors.n > 1)
		return error_set(err, EXIT_USAGE, "one -g at a time can be compared with the recording");
	if (o->governors.n) {
		n = governor_parse_list(out, 1, o->governors.s[0], r->kernel, &recorded, err);
		if (n || !recorded)
			return n < 0 ? -1 : governor_fits(out, &r->machine, err);
	}
	if (!*r->governor && !o->governors.n && !o->governor_source)
		return error_set(err, EXIT_INPUT,
			"%s: the recording does not say which governor ran; name it with -g or give its "
			"sysfs dump with --states", r->trace->path);
	return recording_governor(out, r, o, err);
}

struct replay_options verify_options(const struct options *o)
{
	return (struct replay_options){.limit_ns = -1, .warmup = o->warmup, .threads = o->jobs};
}

static double naive(const struct verify_result *s)
{
	return s->naive_compared ? (double)s->naive_agree / (double)s->naive_compared : NAN;
}

static json_t *json_matrix(const struct verify *v)
{
	json_t *rows = json_array();
	int n = 0;

	for (int i = 0; i < v->rec.machine.ntables; i++)
		if (v->rec.machine.tables[i].nstates > n)
			n = v->rec.machine.tables[i].nstates;
	for (int i = 0; i < n; i++) {
		json_t *row = json_array();

		for (int k = 0; k < n; k++)
			json_array_append_new(row, json_integer((json_int_t)v->sum.matrix[i][k]));
		json_array_append_new(rows, row);
	}
	return rows;
}

static void print_json(const struct verify *v, FILE *out)
{
	const struct verify_result *s = &v->sum;
	json_t *doc = json_recording_document("verify", &v->rec), *causes = json_object();

	json_object_set_new(doc, "governor", json_text(v->spec.label));
	json_object_set_new(doc, "params", json_params(&v->spec));
	json_object_set_new(doc, "from_probes", json_boolean(v->rec.decisions.from_probes));
	json_object_set_new(doc, "decisions", json_integer((json_int_t)s->decisions));
	json_object_set_new(doc, "compared", json_integer((json_int_t)s->compared));
	json_object_set_new(doc, "agree", json_integer((json_int_t)s->agree));
	json_object_set_new(doc, "agreement", json_ratio(s->agreement));
	json_object_set_new(doc, "agreement_all", json_ratio(s->agreement_all));
	json_object_set_new(doc, "naive_agreement", json_ratio(naive(s)));
	json_object_set_new(doc, "warmup", json_integer((json_int_t)s->warmup));
	json_object_set_new(doc, "undetermined", json_integer((json_int_t)s->undetermined));
	json_object_set_new(doc, "matrix", json_matrix(v));
	for (int i = 0; verify_cause_name(i); i++)
		json_object_set_new(causes, verify_cause_name(i),
			json_integer((json_int_t)s->cause[i]));
	json_object_set_new(doc, "causes", causes);
	json_object_set_new(doc, "event_cost_ns", json_integer(v->rec.decisions.event_cost_ns));
	json_object_set_new(doc, "event_cost_lo_ns", json_integer(v->rec.decisions.event_cost_lo_ns));
	json_object_set_new(doc, "event_cost_hi_ns", json_integer(v->rec.decisions.event_cost_hi_ns));
	json_object_set_new(doc, "too_slow", json_text(v->slowness == TOO_SLOW ? v->slow : ""));
	json_object_set_new(doc, "known_inputs", json_known_inputs(&v->rec));
	json_print(doc, out);
}

static void print_head(const struct verify *v, FILE *out)
{
	const struct decisions *d = &v->rec.decisions;
	struct header h;

	header_begin(&h, out, v->o->format, "verify");
	header_recording(&h, &v->rec);
	header_line(&h, "governor", "%s%s%s, taught by the recording", v->spec.label,
		*v->spec.confidence ? ": " : "", v->spec.confidence);
	header_line(&h, "inputs", "%s", d->from_probes ? "from the recorded probe events" :
		"rebuilt from timers, ticks and interrupts, without probe events");
	header_line(&h, "event cost", "%.3f us (%.3f..%.3f us, from %s)",
		(double)d->event_cost_ns / 1e3, (double)d->event_cost_lo_ns / 1e3,
		(double)d->event_cost_hi_ns / 1e3, d->event_cost_source);
	if (v->slowness != NOT_SLOW)
		header_line(&h, v->slowness == SLOW ? "slow" : "too slow", "%s", v->slow);
	if (v->rec.trace->emulated)
		header_line(&h, "note", "this agreement was measured on an emulated machine, not on "
					"hardware");
	header_warnings(&h, &v->rec);
	header_command(&h, v->o);
	header_end(&h);
}

static void count_row(struct table *t, const char *what, uint64_t n, double share)
{
	table_text(t, "%s", what);
	table_int(t, (int64_t)n);
	table_real(t, share);
}

static void print_counts(const struct verify *v, FILE *out)
{
	const struct verify_result *s = &v->sum;
	double all = s->decisions ? (double)s->decisions : NAN;
	struct table t;

	table_init(&t, "Replayed choices against recorded ones");
	table_column(&t, "", "", "what", 1, 0, COL_LEFT | COL_KEY);
	table_column(&t, "decisions", "", "decisions", 1, 0, 0);
	table_column(&t, "share", "%", "share", 0.01, 3, 0);
	count_row(&t, "recorded", s->decisions, NAN);
	count_row(&t, "left out (warm-up)", s->warmup, (double)s->warmup / all);
	count_row(&t, "undetermined", s->undetermined, (double)s->undetermined / all);
	count_row(&t, "compared", s->compared, (double)s->compared / all);
	table_rule(&t);
	count_row(&t, "agree: of those compared", s->agree, s->agreement);
	count_row(&t, "agree: of all after warm-up", s->agree, s->agreement_all);
	count_row(&t, "same state as last time", s->naive_agree, naive(s));
	if (s->sleep_read_compared)
		count_row(&t, "sleep length read or not", s->sleep_read_agree,
			(double)s->sleep_read_agree / (double)s->sleep_read_compared);
	if (s->compared > s->agree)
		table_rule(&t);
	for (int i = 0; verify_cause_name(i); i++)
		if (s->cause[i])
			count_row(&t, verify_cause_name(i), s->cause[i],
				(double)s->cause[i] / (double)s->compared);
	table_note(&t, "a cause is named only where the decision with that input replaced gives the "
		       "recorded choice");
	table_write(&t, v->o->format, out);
	table_free(&t);
}

static void print_matrix(const struct verify *v, FILE *out)
{
	const struct state_table *st = machine_table(&v->rec.machine, 0);
	struct table t;

	table_init(&t, "Decisions by recorded (rows) and replayed state (columns)");
	table_column(&t, "recorded", "", "recorded", 1, 0, COL_LEFT | COL_KEY);
	for (int k = 0; k < st->nstates; k++)
		table_column(&t, st->state[k].name, "", st->state[k].name, 1, 0, 0);
	for (int i = 0; i < st->nstates; i++) {
		table_text(&t, "%s", st->state[i].name);
		for (int k = 0; k < st->nstates; k++)
			table_int(&t, (int64_t)v->sum.matrix[i][k]);
	}
	table_write(&t, v->o->format, out);
	table_free(&t);
}

static void print(const struct verify *v, FILE *out)
{
	if (v->o->format == FORMAT_JSON) {
		print_json(v, out);
		return;
	}
	print_head(v, out);
	print_counts(v, out);
	fputc('\n', out);
	print_matrix(v, out);
}

static const struct expr_field fields[] = {
	{"agreement", EXPR_RATIO, "agree / compared"},
	{"agreement_all", EXPR_RATIO, "agree / all decisions after the warm-up"},
	{"naive_agreement", EXPR_RATIO, "share in which the state of last time was right"},
	{"undetermined", EXPR_NUMBER, "decisions that the inputs do not settle"},
	{"decisions", EXPR_NUMBER, "recorded decisions"},
	{"compared", EXPR_NUMBER, "decisions compared"},
	{"agree", EXPR_NUMBER, "decisions that agree"},
	{"unexplained", EXPR_NUMBER, "disagreements without a cause"},
};

static struct expr_value read_field(void *ctx, int field)
{
	const struct verify_result *s = ctx;
	uint64_t unexplained = 0;

	for (int i = 0; verify_cause_name(i); i++)
		if (!strcmp(verify_cause_name(i), "unexplained"))
			unexplained = s->cause[i];
	double v[] = {s->agreement, s->agreement_all, naive(s), (double)s->undetermined,
		(double)s->decisions, (double)s->compared, (double)s->agree, (double)unexplained};

	return isnan(v[field]) ? (struct expr_value){0} : expr_number(v[field]);
}

/* --cpus, --from, --to and --filter choose what is compared, not what teaches */
static bool is_selected(const void *ctx, int cpu, const struct decision *d)
{
	const struct verify *v = ctx;

	if (d->period != UINT32_MAX)
		return selection_has(&v->sel, &v->rec.run0, cpu,
			&v->rec.trace->cpu[cpu].period[d->period]);
	return selection_has_cpu(&v->sel, cpu) && !v->sel.filter && d->select_ns >= v->sel.from_ns &&
	       d->select_ns < v->sel.to_ns;
}

static int finish(struct verify *v, const struct expr *fail, struct error *err)
{
	struct replay_options opt = verify_options(v->o);
	struct output out;

	opt.counts = v->sel.any ? is_selected : NULL;
	opt.counts_ctx = v;
	if (replay_taught(&v->sum, &v->rec.decisions, &v->rec.machine, &v->spec, &opt, NULL, err))
		return -1;
	if (governor_failure(&v->spec, err))
		return -1;
	if (!v->rec.decisions.from_probes)
		v->slowness = known_slowness(&v->rec.decisions, &v->rec.machine,
			(double)v->sum.undetermined / (double)(v->sum.decisions + 1), v->slow,
			sizeof(v->slow));
	if (output_open(&out, v->o->output, err))
		return -1;
	print(v, out.f);
	if (output_close(&out, err))
		return -1;
	if (!fail || !expr_holds(fail, read_field, &v->sum))
		return EXIT_FINE;
	if (!v->o->quiet)
		fprintf(stderr, "reidle: %s holds\n", v->o->fail_if);
	return EXIT_HOLDS;
}

static int run(const struct options *o, struct error *err)
{
	struct verify v = {.o = o};
	struct expr *fail = NULL;
	int ret = -1;

	if (o->files.n != 1)
		return error_set(err, EXIT_USAGE, "verify takes one recording");
	if (o->fail_if) {
		fail = expr_compile(o->fail_if, fields, ARRAY_SIZE(fields), NULL, err);
		if (!fail)
			return -1;
	}
	ret = recording_open(&v.rec, o->files.s[0], o, NEED_DECISIONS, progress_for(o),
		(void *)o->files.s[0], err);
	close_progress(o);
	if (!ret) {
		ret = -1;
		if (!verify_governor(&v.spec, o, &v.rec, err) &&
			!recording_select(&v.sel, &v.rec, o, err)) {
			ret = finish(&v, fail, err);
			selection_free(&v.sel);
		}
		recording_close(&v.rec);
	}
	expr_free(fail);
	return ret;
}

const struct subcommand cmd_verify = {
	.name = "verify",
	.usage = "FILE [-g GOV]",
	.summary = "replayed choices against recorded ones",
	.run = run,
	.fail_if = true,
};
