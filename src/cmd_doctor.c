// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reidle doctor: how each governor input of a recording is known and what to record next time. Where
 * the recording holds probe events, the rebuilt inputs are scored against them.
 */
#include <math.h>
#include <string.h>

#include "replay/known.h"
#include "replay/score.h"
#include "src/cmd_verify.h"
#include "src/output.h"
#include "src/recording_header.h"
#include "src/recording_json.h"
#include "src/recording_subject.h"
#include "src/subcommand.h"

struct doctor {
	const struct options *o;
	struct recording rec;
	enum slowness slowness; /* without probes */
	char slow[320];
	bool scored;
	struct input_score score;
	struct decisions rebuilt;
	bool replayed;
	struct gov_spec spec;
	struct verify_result take[TAKES];
};

static const char *const how[] = {"exact", "bounded", "guessed"};

static int build_rebuilt(struct doctor *d, struct error *err)
{
	struct decision_options opt = {
		.hz = d->o->hz, .ignore_probes = true, .threads = d->o->jobs};

	return decisions_build(&d->rebuilt, d->rec.trace, &d->rec.machine, &opt, err);
}

/* what each input is worth: the rebuilt replay with one of them taken from the probes */
static int replay_takes(struct doctor *d, struct error *err)
{
	struct replay_options opt = verify_options(d->o);
	struct error unknown;

	if (verify_governor(&d->spec, d->o, &d->rec, &unknown))
		return 0; /* scored all the same */
	d->replayed = true;
	for (enum score_take t = TAKE_NOTHING; t < (d->scored ? TAKES : TAKE_SLEEP); t++) {
		struct decisions mixed;
		int ret;

		score_mix(&mixed, &d->rec.decisions, &d->rebuilt, t);
		ret = replay_taught(
			&d->take[t], &mixed, &d->rec.machine, &d->spec, &opt, NULL, err);
		decisions_free(&mixed);
		if (ret)
			return -1;
	}
	return 0;
}

static int examine(struct doctor *d, struct error *err)
{
	if (build_rebuilt(d, err))
		return -1;
	d->scored = d->rec.decisions.from_probes;
	if (d->scored)
		score_inputs(&d->score, &d->rec.decisions, &d->rebuilt);
	if (replay_takes(d, err))
		return -1;
	d->slowness = known_slowness(&d->rebuilt, &d->rec.machine,
		(double)d->take[TAKE_NOTHING].undetermined /
			(double)(d->take[TAKE_NOTHING].decisions + 1), d->slow, sizeof(d->slow));
	return 0;
}

static double ratio(uint64_t part, uint64_t all)
{
	return all ? (double)part / (double)all : NAN;
}

static void print_known(const struct doctor *d, FILE *out)
{
	const struct decisions *ds = &d->rec.decisions;
	struct table t;

	table_init(&t, "How each governor input is known");
	table_column(&t, "", "", "known", 1, 0, COL_LEFT | COL_KEY);
	table_column(&t, "input and source", "", "input", 1, 0, COL_LEFT);
	for (int i = 0; i < IN_COUNT; i++) {
		if (d->o->format == FORMAT_TEXT) {
			char first[32];

			snprintf(first, sizeof(first), "  %-8s ", how[ds->worst[i]]);
			table_wrap(out, first, "           ", ds->known[i]);
			continue;
		}
		table_text(&t, "%s", how[ds->worst[i]]);
		table_text(&t, "%s", ds->known[i]);
	}
	if (d->o->format != FORMAT_TEXT)
		table_write(&t, d->o->format, out);
	table_free(&t);
	fputc('\n', out);
}

static void error_row(struct table *t, const char *what, const struct error_sum *e)
{
	table_text(t, "%s", what);
	table_int(t, (int64_t)e->n);
	table_real(t, ratio(e->within_1us, e->n));
	table_real(t, ratio(e->within_10us, e->n));
	table_real(t, e->n ? (double)e->p50_ns : NAN);
	table_real(t, e->n ? (double)e->p95_ns : NAN);
	table_real(t, e->n ? (double)e->p99_ns : NAN);
	table_none(t);
}

static void right_row(struct table *t, const char *what, const struct right_sum *r)
{
	if (!r->n)
		return;
	table_text(t, "%s", what);
	table_int(t, (int64_t)r->n);
	for (int i = 0; i < 5; i++)
		table_none(t);
	table_real(t, ratio(r->right, r->n));
}

static void print_score(const struct doctor *d, FILE *out)
{
	const struct input_score *s = &d->score;
	struct right_sum read = {d->take[TAKE_NOTHING].sleep_read_compared,
		d->take[TAKE_NOTHING].sleep_read_agree};
	struct table t;

	table_init(&t, "Inputs rebuilt without the probe events, against them");
	table_column(&t, "", "", "input", 1, 0, COL_LEFT | COL_KEY);
	table_column(&t, "n", "", "n", 1, 0, 0);
	table_column(&t, "<= 1 us", "%", "within_1us", 0.01, 2, 0);
	table_column(&t, "<= 10 us", "%", "within_10us", 0.01, 2, 0);
	table_column(&t, "p50", "us", "p50_ns", 1000, 3, 0);
	table_column(&t, "p95", "us", "p95_ns", 1000, 3, 0);
	table_column(&t, "p99", "us", "p99_ns", 1000, 3, 0);
	table_column(&t, "right", "%", "right", 0.01, 2, 0);
	error_row(&t, "sleep length", &s->sleep);
	error_row(&t, "tick part", &s->delta);
	error_row(&t, "residency", &s->residency);
	right_row(&t, "sleep length read or not", &read);
	right_row(&t, "got tick", &s->got_tick);
	right_row(&t, "latency limit", &s->limit);
	right_row(&t, "polling limit", &s->poll_limit);
	right_row(&t, "aborted decisions", &s->aborted);
	table_note(&t, "errors are absolute, of %llu idle periods", (unsigned long long)s->periods);
	table_note(&t, "sleep length off by more than 1 ms: %llu: tick held (RCU) %llu, unknown expiry "
		"%llu, wheel timer that another CPU serves %llu, other %llu",
		(unsigned long long)s->far, (unsigned long long)s->far_held,
		(unsigned long long)s->far_unknown, (unsigned long long)s->far_foreign,
		(unsigned long long)s->far_other);
	table_note(&t, "tick part beyond a tick although the tick was taken to run: %llu",
		(unsigned long long)s->stopped_contradicted);
	if (s->cost_true_ns)
		table_note(&t, "event cost: estimated %.3f us (%.3f..%.3f), by the probes %.3f us",
			(double)d->rebuilt.event_cost_ns / 1e3,
			(double)d->rebuilt.event_cost_lo_ns / 1e3,
			(double)d->rebuilt.event_cost_hi_ns / 1e3, (double)s->cost_true_ns / 1e3);
	table_write(&t, d->o->format, out);
	table_free(&t);
	fputc('\n', out);
}

static void print_takes(const struct doctor *d, FILE *out)
{
	struct table t;

	table_init(&t, "Agreement of %s with one input taken from the probes", d->spec.label);
	table_column(&t, "taken", "", "taken", 1, 0, COL_LEFT | COL_KEY);
	table_column(&t, "agreement", "%", "agreement", 0.01, 3, 0);
	table_column(&t, "of all", "%", "agreement_all", 0.01, 3, 0);
	table_column(&t, "undetermined", "", "undetermined", 1, 0, 0);
	for (int i = 0; i < TAKES; i++) {
		table_text(&t, "%s", score_take_name((enum score_take)i));
		table_real(&t, d->take[i].agreement);
		table_real(&t, d->take[i].agreement_all);
		table_int(&t, (int64_t)d->take[i].undetermined);
	}
	table_note(&t, "same state as last time: %.3f %%", 100 * ratio(
		d->take[TAKE_NOTHING].naive_agree, d->take[TAKE_NOTHING].naive_compared));
	table_write(&t, d->o->format, out);
	table_free(&t);
}

static json_t *json_error(const struct error_sum *e)
{
	return json_pack("{s:I, s:o, s:o, s:I, s:I, s:I}", "n", (json_int_t)e->n, "within_1us",
		json_ratio(ratio(e->within_1us, e->n)), "within_10us",
		json_ratio(ratio(e->within_10us, e->n)), "p50_ns", (json_int_t)e->p50_ns, "p95_ns",
		(json_int_t)e->p95_ns, "p99_ns", (json_int_t)e->p99_ns);
}

static json_t *json_right(uint64_t n, uint64_t right)
{
	return json_pack("{s:I, s:o}", "n", (json_int_t)n, "right", json_ratio(ratio(right, n)));
}

static json_t *json_score(const struct doctor *d)
{
	const struct input_score *s = &d->score;
	json_t *o = json_object();

	json_object_set_new(o, "periods", json_integer((json_int_t)s->periods));
	json_object_set_new(o, "sleep_length", json_error(&s->sleep));
	json_object_set_new(o, "tick_part", json_error(&s->delta));
	json_object_set_new(o, "residency", json_error(&s->residency));
	json_object_set_new(o, "sleep_read", json_right(d->take[TAKE_NOTHING].sleep_read_compared,
						     d->take[TAKE_NOTHING].sleep_read_agree));
	json_object_set_new(o, "got_tick", json_right(s->got_tick.n, s->got_tick.right));
	json_object_set_new(o, "latency_limit", json_right(s->limit.n, s->limit.right));
	json_object_set_new(o, "poll_limit", json_right(s->poll_limit.n, s->poll_limit.right));
	json_object_set_new(o, "aborted", json_right(s->aborted.n, s->aborted.right));
	json_object_set_new(o, "far", json_pack("{s:I, s:I, s:I, s:I, s:I}", "n", (json_int_t)s->far,
		"tick_held", (json_int_t)s->far_held, "unknown_expiry", (json_int_t)s->far_unknown,
		"served_elsewhere", (json_int_t)s->far_foreign,
		"other", (json_int_t)s->far_other));
	json_object_set_new(o, "tick_stopped_contradicted",
		json_integer((json_int_t)s->stopped_contradicted));
	json_object_set_new(o, "event_cost_true_ns", json_known(s->cost_true_ns, s->cost_true_ns));
	return o;
}

static json_t *json_takes(const struct doctor *d)
{
	json_t *list = json_array();

	for (int i = 0; i < TAKES; i++)
		json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:I}", "taken",
			score_take_name((enum score_take)i), "agreement",
			json_ratio(d->take[i].agreement), "agreement_all",
			json_ratio(d->take[i].agreement_all), "undetermined",
			(json_int_t)d->take[i].undetermined));
	return list;
}

static void print_json(const struct doctor *d, FILE *out)
{
	json_t *doc = json_recording_document("doctor", &d->rec);

	json_object_set_new(doc, "known_inputs", json_known_inputs(&d->rec));
	json_object_set_new(doc, "event_cost", json_pack("{s:I, s:I, s:I, s:s}", "ns",
		(json_int_t)d->rebuilt.event_cost_ns, "lo_ns",
		(json_int_t)d->rebuilt.event_cost_lo_ns, "hi_ns",
		(json_int_t)d->rebuilt.event_cost_hi_ns, "source", d->rebuilt.event_cost_source));
	json_object_set_new(doc, "too_slow", json_text(d->slowness == TOO_SLOW ? d->slow : ""));
	json_object_set_new(doc, "score", d->scored ? json_score(d) : json_null());
	json_object_set_new(doc, "governor", d->replayed ? json_text(d->spec.label) : json_null());
	json_object_set_new(doc, "taken", d->replayed && d->scored ? json_takes(d) : json_null());
	json_print(doc, out);
}

static void print(const struct doctor *d, FILE *out)
{
	struct header h;

	if (d->o->format == FORMAT_JSON) {
		print_json(d, out);
		return;
	}
	header_begin(&h, out, d->o->format, "doctor");
	header_recording(&h, &d->rec);
	header_line(&h, "event cost", "%.3f us (%.3f..%.3f us, %s)",
		(double)d->rebuilt.event_cost_ns / 1e3, (double)d->rebuilt.event_cost_lo_ns / 1e3,
		(double)d->rebuilt.event_cost_hi_ns / 1e3, d->rebuilt.event_cost_source);
	if (d->slowness != NOT_SLOW)
		header_line(&h, d->slowness == SLOW ? "slow" : "too slow", "%s", d->slow);
	header_warnings(&h, &d->rec);
	header_command(&h, d->o);
	header_end(&h);
	print_known(d, out);
	if (d->scored)
		print_score(d, out);
	if (d->replayed && d->scored)
		print_takes(d, out);
}

static int run(const struct options *o, struct error *err)
{
	struct doctor d = {.o = o};
	struct output out;
	int ret = -1;

	if (o->files.n != 1)
		return error_set(err, EXIT_USAGE, "doctor takes one recording");
	ret = recording_open(&d.rec, o->files.s[0], o, NEED_DECISIONS, progress_for(o),
		(void *)o->files.s[0], err);
	close_progress(o);
	if (ret)
		return -1;
	ret = -1;
	if (!examine(&d, err) && !output_open(&out, o->output, err)) {
		print(&d, out.f);
		ret = output_close(&out, err);
	}
	decisions_free(&d.rebuilt);
	recording_close(&d.rec);
	return ret;
}

const struct subcommand cmd_doctor = {
	.name = "doctor",
	.usage = "FILE",
	.summary = "which governor inputs are exact, bounded, guessed; what to record next time",
	.run = run,
};
