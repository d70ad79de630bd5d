// SPDX-License-Identifier: GPL-2.0-or-later
/* reidle whatif: the same wake-ups through other governors, tables and limits, side by side. */
#include "src/output.h"
#include "src/recording_tabulate.h"
#include "src/recording_whatif.h"
#include "src/stats.h"
#include "src/subcommand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t total(const struct run *r, size_t offset)
{
	int64_t sum = 0;

	for (int i = 0; i < r->ncpus; i++)
		sum += (int64_t)*(const uint64_t *)((const char *)&r->cpu[i] + offset);
	return sum;
}

static int64_t periods(const struct run *r)
{
	int64_t n = 0;

	for (int s = 0; s < STATES_MAX; s++)
		n += (int64_t)r->total[s].usage;
	return n;
}

static void known_int(struct table *t, bool known, int64_t v)
{
	if (known)
		table_int(t, v);
	else
		table_none(t);
}

/* columns that say nothing are left out of the text, so that it is not folded */
struct run_columns {
	bool limited, energy;
};

static struct run_columns run_columns_of(const struct whatif *w, enum out_format format)
{
	struct run_columns c = {format != FORMAT_TEXT, format != FORMAT_TEXT};

	for (size_t i = 0; i < w->nruns; i++) {
		c.limited |= w->run[i].limited > 0;
		c.energy |= !isnan(w->energy[i][ENERGY_ASSUMED]);
	}
	return c;
}

static void run_row(struct table *t, const struct whatif *w, size_t i, struct run_columns shown)
{
	const struct run *r = &w->run[i];
	bool table = run_judged(r) && r->change.changed + r->change.same > 0;
	bool wake = r->wake_latency.known;

	table_int(t, (int64_t)i);
	table_int(t, periods(r));
	known_int(t, r->ticks_known, total(r, offsetof(struct run_cpu, ticks)));
	known_int(t, r->ticks_known, total(r, offsetof(struct run_cpu, tick_stops)));
	known_int(t, i && table, (int64_t)r->change.changed);
	known_int(t, i && table, (int64_t)r->change.better);
	known_int(t, i && table, (int64_t)r->change.worse);
	if (shown.limited)
		known_int(t, table, (int64_t)r->limited);
	known_int(t, table, r->regret_ns);
	known_int(t, wake, r->latency_paid_ns);
	if (shown.energy)
		table_real(t, w->energy[i][ENERGY_ASSUMED]);
	known_int(t, wake, r->wake_latency.mean_ns);
	known_int(t, wake, r->wake_latency.p99_ns);
}

/* what the assumed ratio does to the energies */
static void write_energy_range(struct table *t, const struct whatif *w)
{
	double most = 0;

	for (size_t i = 1; i < w->nruns; i++)
		for (int k = ENERGY_LOWER; k < ENERGIES; k++)
			most = fmax(most, fabs(w->energy[i][k] - w->energy[i][ENERGY_ASSUMED]));
	if (most > 0)
		table_note(t, "with %.1g or %.1g in its place energies move by up to %.2f %% of the "
			"recording's", 0.6 * ENERGY_RATIO, 1.4 * ENERGY_RATIO, 100 * most);
}

static json_t *json_energy(const double *e)
{
	return json_pack("[o, o]", json_ratio(fmin(e[ENERGY_LOWER], e[ENERGY_HIGHER])),
		json_ratio(fmax(e[ENERGY_LOWER], e[ENERGY_HIGHER])));
}

/* ladder and haltpoll do not look at every state's switch, and with all states off menu takes the first */
static void note_disabled(struct table *t, const struct whatif *w)
{
	for (size_t i = 1; i < w->nruns; i++) {
		const struct run *r = &w->run[i];
		const struct state_table *st = machine_table(&r->machine, 0);

		for (int s = 0; s < st->nstates; s++)
			if (st->state[s].disabled && r->total[s].usage)
				table_note(t, "run %zu enters %s although it is disabled: its governor does not look, or "
					"no state is left",
					i, st->state[s].name);
	}
}

/* the oracle misses nothing that could be helped; what could not is said */
static void note_oracle(struct table *t, const struct whatif *w)
{
	for (size_t i = 1; i < w->nruns; i++) {
		const struct run *r = &w->run[i];
		uint64_t below = 0;

		for (int k = 0; k < STATES_MAX && w->spec[i - 1].gov->sees_future; k++)
			below += r->total[k].below;
		if (below > r->limited)
			table_note(t, "run %zu: below while polling went on past interrupts and ticks that woke "
				"nobody; any other state would have been too deep", i);
	}
}

/* what belongs to a run as a whole and not to a state */
static void write_runs(const struct whatif *w, enum out_format format, FILE *out)
{
	struct run_columns shown = run_columns_of(w, format);
	struct table t;

	table_init(&t, "Runs");
	table_column(&t, "run", "", "run", 1, 0, COL_KEY);
	table_column(&t, "periods", "", "periods", 1, 0, 0);
	table_column(&t, "ticks", "", "ticks", 1, 0, 0);
	table_column(&t, "stops", "", "tick_stops", 1, 0, 0);
	table_column(&t, "changed", "", "changed", 1, 0, 0);
	table_column(&t, "better", "", "better", 1, 0, 0);
	table_column(&t, "worse", "", "worse", 1, 0, 0);
	if (shown.limited)
		table_column(&t, "lim", "", "limited", 1, 0, 0);
	table_column(&t, "regret", "ms", "regret_ns", 1e6, -1, 0);
	table_column(&t, "paid", "ms", "latency_paid_ns", 1e6, -1, 0);
	if (shown.energy)
		table_column(&t, "energy", "%", "energy", 0.01, 2, 0);
	table_column(&t, "wake", "avg us", "wake_mean_ns", 1e3, -1, COL_BREAK);
	table_column(&t, "wake", "p99 us", "wake_p99_ns", 1e3, -1, 0);
	for (size_t i = 0; i < w->nruns; i++)
		run_row(&t, w, i, shown);
	if (*w->run[0].governor)
		table_note(&t, "run 0 is the recording, under %s", w->run[0].governor);
	note_disabled(&t, w);
	table_note(&t, "changed, better, worse: stretches between wakes, against run 0");
	if (shown.limited)
		table_note(&t, "lim: below only because the latency limit cut the choice");
	note_oracle(&t, w);
	table_note(&t, "regret: time too shallow and residency not reached, against the ideal state");
	table_note(&t, "%s; %s", shown.energy ? "energy: of the recording's" : "no energy", w->energy_why);
	write_energy_range(&t, w);
	table_note(&t, "wake: arrival of a wake-up to the end of idle, also where there is no delay or no period; "
		"paid: their sum");
	table_write(&t, format, out);
	fputc('\n', out);
	table_free(&t);
}

/* one pair per stretch between wakes that both spent asleep: replays of one recording are paired */
static void write_pairs(const struct whatif *w, enum out_format format, FILE *out)
{
	struct ttest test;
	struct table t;

	table_init(&t, "Cost per stretch between wakes, against the recording");
	table_column(&t, "run", "", "run", 1, 0, COL_KEY);
	table_column(&t, "n", "", "n", 1, 0, 0);
	table_column(&t, "recorded", "us", "cost_recorded_ns", 1e3, 3, 0);
	table_column(&t, "run", "us", "cost_ns", 1e3, 3, 0);
	table_column(&t, "difference", "us", "diff_ns", 1e3, 3, COL_SIGN);
	table_column(&t, "95% CI", "from", "ci_lo_ns", 1e3, 3, COL_SIGN);
	table_column(&t, "", "to", "ci_hi_ns", 1e3, 3, COL_SIGN);
	table_column(&t, "p", "", "p", 1, 4, 0);
	for (size_t i = 1; i < w->nruns; i++) {
		const struct run_change *c = &w->run[i].change;

		stats_paired_sums(&test, c->pairs, c->cost_recorded, c->cost_run, c->cost_diff,
			c->cost_diff2);
		table_int(&t, (int64_t)i);
		table_int(&t, (int64_t)c->pairs);
		table_real(&t, test.mean_a);
		table_real(&t, test.mean_b);
		table_real(&t, test.diff);
		if (test.significant)
			table_mark(&t, MARK_SIGNIFICANT);
		table_real(&t, test.lo);
		table_real(&t, test.hi);
		table_real(&t, test.p);
	}
	table_note(&t, "cost: residency not reached where too deep, time beyond the ideal state's residency "
		"where too shallow");
	table_note(&t, "*: p < 0.05, paired t-test, wake by wake; it knows this recording only, and "
		"neighbouring wakes resemble each other");
	if (w->nruns > 1 && w->run[1].change.pairs && run_judged(&w->run[1])) {
		table_write(&t, format, out);
		fputc('\n', out);
	}
	table_free(&t);
}

static void write_head(const struct whatif *w, const struct options *o, FILE *out)
{
	struct header h;

	header_begin(&h, out, o->format, "whatif");
	header_recording(&h, &w->s.rec);
	header_fidelity(&h, &w->s.rec);
	whatif_head(&h, w, o);
	header_warnings(&h, &w->s.rec);
	header_command(&h, o);
	header_end(&h);
}

static json_t *json_runs(const struct whatif *w, const struct facts *facts)
{
	json_t *runs = json_array(), *one;

	for (size_t i = 0; i < w->nruns; i++) {
		one = json_run(&w->run[i], i ? json_params(&w->spec[i - 1]) : NULL);
		json_run_whatif(one, &w->run[i], &w->run[0]);
		json_object_set_new(one, "groups", *facts[i].what ? json_groups(&facts[i]) : json_null());
		json_object_set_new(one, "energy", json_ratio(w->energy[i][ENERGY_ASSUMED]));
		json_object_set_new(one, "energy_range", json_energy(w->energy[i]));
		json_object_set_new(one, "iowait_utilization", json_doubt(&w->doubt[i]));
		if (w->topology.nlevels)
			json_object_set_new(one, "topology",
				json_topology_groups(&w->run[i], &w->topology));
		json_array_append_new(runs, one);
	}
	return runs;
}

static json_t *json_replay(const struct whatif *w)
{
	uint64_t sojourns = 0, empty = 0;
	int64_t length_ns;
	int cpu;

	for (int i = 0; i < w->sojourns.ncpus; i++)
		for (size_t k = 0; k < w->sojourns.cpu[i].n; k++) {
			sojourns++;
			empty += !w->sojourns.cpu[i].sojourn[k].nperiods;
		}
	return json_pack("{s:s, s:s, s:I, s:I, s:b, s:I, s:I, s:o}", "mode", "free", "wakes",
		"as recorded", "sojourns", (json_int_t)sojourns, "empty", (json_int_t)empty, "alone",
		w->sojourns.alone, "early_timers", (json_int_t)w->sojourns.early_timers, "event_cost_ns",
		(json_int_t)w->sojourns.costs.event_ns, "largest_single_choice",
		json_ratio(whatif_longest(w, &cpu, &length_ns)));
}

static void write_json(const struct whatif *w, const struct facts *facts, FILE *out)
{
	json_t *doc = json_recording_document("whatif", &w->s.rec);

	if (w->s.rec.machine_edited)
		json_object_set_new(doc, "replayed_on", json_machine(&w->s.rec.replay_on));
	json_object_set_new(doc, "self_check", json_self_check(w));
	json_object_set_new(doc, "replay", json_replay(w));
	json_object_set_new(doc, "intervals", json_intervals(w));
	json_object_set_new(doc, "runs", json_runs(w, facts));
	json_object_set_new(doc, "inputs", json_known_inputs(&w->s.rec));
	json_print(doc, out);
}

static int write_set(const struct whatif *w, const struct options *o, const struct facts *facts,
	FILE *out, struct error *err)
{
	const struct style *style = style_find(o->style, err);
	struct error bad_sort = {0};
	struct style_set set = {.run = facts, .nruns = w->nruns, .format = o->format,
		.caption = o->style ? "" : "Idle states by run", .name = base_name(w->s.name),
		.base = style_base(o->style, w->nruns), .sort = o->sort, .bad_sort = &bad_sort};
	const struct run *runs[1 + GOVERNORS_MAX];
	int ret = check_fail_if(&set, o, err);

	if (ret < 0)
		return ret;
	if (o->format == FORMAT_JSON) {
		write_json(w, facts, out);
		return ret;
	}
	write_head(w, o, out);
	style_write(&set, style, out);
	if (bad_sort.code) {
		*err = bad_sort;
		return -1;
	}
	write_intervals(w, o->format, out);
	if (!o->style)
		write_runs(w, o->format, out);
	if (!o->style)
		write_pairs(w, o->format, out);
	if (!o->style && w->topology.nlevels) {
		for (size_t i = 0; i < w->nruns; i++)
			runs[i] = &w->run[i];
		write_groups(runs, w->nruns, &w->topology, o->format, out);
	}
	return ret;
}

static int write_tables(const struct whatif *w, const struct options *o, FILE *out, struct error *err)
{
	const struct run *runs[1 + GOVERNORS_MAX];
	struct tabulated t;
	int ret;

	for (size_t i = 0; i < w->nruns; i++)
		runs[i] = &w->run[i];
	if (tabulate(&t, runs, w->nruns, groups_of(o), w->s.span_ns, w->sojourns.costs.event_ns, o, err))
		return -1;
	ret = write_set(w, o, t.facts, out, err);
	tabulated_free(&t);
	return ret;
}

static int whatif(const struct options *o, struct error *err)
{
	struct output out;
	struct whatif w;
	bool failed = false;
	int ret;

	if (o->files.n != 1)
		return error_set(err, EXIT_USAGE, "whatif: one recording at a time (reidle compare takes "
			"several)");
	if (!style_find(o->style, err) || output_open(&out, o->output, err))
		return -1;
	output_hold(&out);
	ret = whatif_open(&w, o->files.s[0], o, err);
	if (!ret) {
		subject_warn(&w.s, o);
		ret = write_tables(&w, o, out.f, err);
		failed = w.plugin_failed;
		if (failed && ret >= 0)
			*err = w.failure;
		whatif_close(&w);
	}
	if (ret < 0) {
		output_abort(&out);
		return -1;
	}
	return output_close(&out, err) || failed ? -1 : ret;
}

const struct subcommand cmd_whatif = {
	"whatif", "FILE -g GOV[,GOV...]", "replay and compare side by side with the recording", whatif, true,
};
