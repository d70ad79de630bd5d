// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/recording_whatif.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONG_IDLE 0.01 /* share of the watched time from which one idle period is told */

static int parse_one(struct whatif *w, const char *text, bool *recorded, struct error *err)
{
	int n = w->nedits, k;
	char *governor;

	if (n == GOVERNORS_MAX)
		return error_set(err, EXIT_USAGE, "more than %d governors", GOVERNORS_MAX);
	if (edit_take(&w->edit[n], &governor, text, &w->s.rec.replay_on, err))
		return -1;
	k = governor_parse_list(&w->spec[n], 1, governor, w->s.rec.kernel, recorded, err);
	free(governor);
	if (k > 0 && governor_fits(&w->spec[n], &w->s.rec.replay_on, err))
		k = -1;
	w->edit_of[n] = n;
	/* "recorded" is run 0 already */
	if (k > 0)
		w->nedits++;
	else
		edit_free(&w->edit[n]);
	return k < 0 ? -1 : 0;
}

static int parse_governors(struct whatif *w, const struct options *o, struct error *err)
{
	bool recorded = false;
	int ret = 0;

	for (size_t i = 0; i < o->governors.n && !ret; i++) {
		char *list = xstrdup(o->governors.s[i]), *save = NULL;

		for (char *g = strtok_r(list, ",", &save); g && !ret; g = strtok_r(NULL, ",", &save))
			ret = parse_one(w, g, &recorded, err);
		free(list);
	}
	if (!ret && !w->nedits && !recorded)
		ret = error_set(err, EXIT_USAGE, "no governor given: -g menu,teo,oracle "
			"(reidle governors lists them)");
	w->nruns = (size_t)w->nedits + 1;
	return ret;
}

/* a recording that leaves inputs open: each governor is run at the ends of what may have been */
static int spread_over_bounds(struct whatif *w, struct error *err)
{
	size_t n = w->nruns - 1, k = BOUND_COUNT - BOUND_TIMERS;

	if (!w->sojourns.alone)
		return 0;
	if (n * k > GOVERNORS_MAX)
		return error_set(err, EXIT_USAGE, "too many governors: this recording holds only idle "
			"events, each is run %zu times: give at most %zu", k, GOVERNORS_MAX / k);
	for (size_t i = n; i--;)
		for (size_t b = k; b--;) {
			w->spec[i * k + b] = w->spec[i];
			w->edit_of[i * k + b] = w->edit_of[i];
			w->bound[i * k + b] = (enum replay_bound)(BOUND_TIMERS + b);
		}
	w->nruns = n * k + 1;
	return 0;
}

static int replay_options_of(struct replay_options *out, const struct whatif *w,
	const struct options *o, struct error *err)
{
	int64_t us;

	*out = (struct replay_options){.limit_ns = -1, .hz = o->hz, .warmup = o->warmup,
		.threads = o->jobs > 0 ? o->jobs : 1, .progress = progress_for(o)};
	out->ctx = w->s.name;
	if (w->s.rec.machine_edited)
		out->machine = &w->s.rec.replay_on;
	if (o->latency_model)
		out->latency_model = strcmp(o->latency_model, "table") ? LATENCY_MEASURED : LATENCY_TABLE;
	if (!o->latency_limit)
		return 0;
	if (!machine_parse_us(&us, o->latency_limit))
		return error_set(err, EXIT_USAGE, "--latency-limit takes a number of us, not '%s'",
			o->latency_limit);
	out->limit_ns = us;
	return 0;
}

/* the part of a run that the command line asks for; the run is replaced */
static int select_run(struct run *r, const struct whatif *w, const struct options *o, struct error *err)
{
	struct selection sel;
	struct run part;

	if (recording_select(&sel, &w->s.rec, o, err))
		return -1;
	if (sel.any) {
		run_select(&part, r, &sel, w->sojourns.costs.event_ns);
		run_free(r);
		*r = part;
		/* these speak of the whole run, not of the part */
		memset(&r->change, 0, sizeof(r->change));
		memset(&r->wake_latency, 0, sizeof(r->wake_latency));
		r->ticks_known = false;
	}
	selection_free(&sel);
	return 0;
}

/* how well the engine gives the recording back: without it no what-if is worth reading */
static int check_engine(struct whatif *w, const struct options *o, struct error *err)
{
	const struct recording *rec = &w->s.rec;
	struct replay_options opt = {.limit_ns = -1, .warmup = o->warmup,
		.threads = o->jobs > 0 ? o->jobs : 1};
	struct error unknown;

	if ((!*rec->governor && !o->governor_source) ||
		recording_governor(&w->recorded, rec, o, &unknown))
		return 0;
	w->recorded_known = true;
	if (free_check_engine(&w->check, &w->sojourns, &rec->run0, &w->recorded, &opt, err))
		return -1;
	w->taught_known = !replay_taught(&w->taught, &rec->decisions, &rec->machine, &w->recorded, &opt,
		NULL, &unknown);
	return 0;
}

/* a plug-in that went wrong costs its own run only; the first one is told at the end */
static void drop_run(struct whatif *w, size_t i, const struct error *err)
{
	if (!w->plugin_failed)
		w->failure = *err;
	w->plugin_failed = true;
	w->nruns--;
	memmove(&w->spec[i - 1], &w->spec[i], (w->nruns - i) * sizeof(w->spec[0]));
	memmove(&w->bound[i - 1], &w->bound[i], (w->nruns - i) * sizeof(w->bound[0]));
	memmove(&w->edit_of[i - 1], &w->edit_of[i], (w->nruns - i) * sizeof(w->edit_of[0]));
	memset(&w->run[w->nruns], 0, sizeof(w->run[0]));
}

static void append(char *text, size_t size, const char *more)
{
	size_t n = strlen(text);

	if (n + 2 > size)
		return;
	text[n++] = ' ';
	copy_text(text + n, size - n, more);
}

static int replay_one(struct whatif *w, size_t i, struct replay_options opt, struct error *err)
{
	const struct table_edit *edit = &w->edit[w->edit_of[i - 1]];
	struct run *r = &w->run[i];

	if (edit->machine)
		opt.machine = edit->machine;
	if (replay_free(r, &w->sojourns, &w->s.rec.run0, &w->spec[i - 1], &opt, err))
		return -1;
	if (!w->sojourns.alone && whatif_doubt(w, i, &opt, err))
		return -1;
	if (!edit->machine)
		return 0;
	append(r->label, sizeof(r->label), edit->text);
	append(r->governor, sizeof(r->governor), edit->text);
	copy_text(r->table, sizeof(r->table), "edited");
	return 0;
}

static int replay_all(struct whatif *w, const struct options *o, struct error *err)
{
	const struct recording *rec = &w->s.rec;
	struct replay_options opt;

	if (replay_options_of(&opt, w, o, err))
		return -1;
	run_of_recording(&w->run[0], rec->trace, &rec->machine, rec->decisions.event_cost_ns);
	copy_text(w->run[0].governor, sizeof(w->run[0].governor),
		w->recorded_known ? w->recorded.label : rec->governor);
	free_describe_recording(&w->run[0], &w->sojourns);
	recording_count(&w->run[0], rec);
	free_period_delays(&w->run[0], &w->sojourns);
	for (size_t i = 1; i < w->nruns; i++) {
		opt.bound = w->bound[i - 1];
		if (!replay_one(w, i, opt, err))
			continue;
		if (!governor_failure(&w->spec[i - 1], NULL))
			return -1;
		drop_run(w, i--, err);
	}
	for (size_t i = 0; i < w->nruns; i++)
		if (select_run(&w->run[i], w, o, err))
			return -1;
	return 0;
}

/* of the whole recording only: the running time of a part is not known */
static int find_energies(struct whatif *w, const struct options *o, struct error *err)
{
	int64_t span_ns = w->s.rec.trace->end_ns - w->s.rec.trace->origin_ns;
	bool part = o->cpus || o->from || o->to || o->filter;
	char *powers = o->power ? energy_read_powers(o->power, err) : NULL;
	int ret = o->power && !powers ? -1 : 0;

	for (size_t i = w->nruns; i-- && !ret;) {
		ret = energies_of(w->energy[i], &w->run[i], span_ns, powers, w->energy_why,
			sizeof(w->energy_why), err);
		for (int k = 0; k < ENERGIES && part; k++)
			w->energy[i][k] = NAN;
	}
	for (size_t i = w->nruns; i-- && !ret;)
		for (int k = 0; k < ENERGIES; k++)
			w->energy[i][k] /= w->energy[0][k];
	free(powers);
	return ret;
}

static int build(struct whatif *w, const char *path, const struct options *o, struct error *err)
{
	struct recording *rec = &w->s.rec;
	struct options as_recorded = *o;
	int ret;

	/* --hz is the what-if's tick rate here, not the recording's */
	as_recorded.hz = 0;
	if (subject_open(&w->s, path, &as_recorded, NEED_DECISIONS, err))
		return -1;
	if (parse_governors(w, o, err))
		return -1;
	if (rec->decisions.hz <= 0)
		return error_set(err, EXIT_INPUT, "%s: the tick rate is not known: give it with --hz", path);
	sojourns_of_decisions(&w->sojourns, &rec->decisions, &rec->machine);
	w->have_sojourns = true;
	if (spread_over_bounds(w, err))
		return -1;
	/* of CPUs and periods left out it could not be told whether they were idle */
	if (!o->cpus && !o->from && !o->to && !o->filter &&
		recording_topology(&w->topology, rec, o, err) < 0)
		return -1;
	ret = check_engine(w, o, err);
	if (!ret)
		ret = replay_all(w, o, err);
	if (!ret)
		ret = find_energies(w, o, err);
	close_progress(o);
	return ret;
}

int whatif_open(struct whatif *w, const char *path, const struct options *o, struct error *err)
{
	memset(w, 0, sizeof(*w));
	if (!build(w, path, o, err))
		return 0;
	whatif_close(w);
	return -1;
}

void whatif_close(struct whatif *w)
{
	for (size_t i = 0; i < w->nruns; i++)
		run_free(&w->run[i]);
	for (int i = 0; i < w->nedits; i++)
		edit_free(&w->edit[i]);
	if (w->have_sojourns)
		sojourns_free(&w->sojourns);
	topology_free(&w->topology);
	if (w->s.name)
		subject_close(&w->s);
	memset(w, 0, sizeof(*w));
}

int whatif_facts(const struct whatif *w, const struct grouping *g, struct facts *out,
	struct error *err)
{
	for (size_t i = 0; i < w->nruns; i++) {
		if (!facts_build(&out[i], &w->run[i], g, w->s.span_ns, err))
			continue;
		while (i--)
			facts_free(&out[i]);
		return -1;
	}
	return 0;
}

/* one idle period is one choice: how much of the watched time hangs on the longest */
double whatif_longest(const struct whatif *w, int *cpu, int64_t *length_ns)
{
	const struct trace *t = w->s.rec.trace;
	double all = (double)(t->end_ns - t->origin_ns) * t->ncpus;

	*cpu = -1;
	*length_ns = 0;
	for (size_t r = 0; r < w->nruns; r++)
		for (int i = 0; i < w->run[r].ncpus; i++)
			for (size_t k = 0; k < w->run[r].cpu[i].nperiods; k++) {
				const struct period *p = &w->run[r].cpu[i].period[k];

				if ((p->flags & PERIOD_CUT_END) || p->exit_ns - p->enter_ns <= *length_ns)
					continue;
				*length_ns = p->exit_ns - p->enter_ns;
				*cpu = i;
			}
	return all > 0 ? (double)*length_ns / all : 0;
}

static double undetermined_share(const struct verify_result *v)
{
	uint64_t n = v->decisions - v->warmup;

	return n ? (double)v->undetermined / (double)n : NAN;
}

json_t *json_self_check(const struct whatif *w)
{
	const struct self_check *c = &w->check;
	const struct verify_result *v = &w->taught;
	bool known = w->recorded_known, taught = w->taught_known;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "governor",
		json_text(w->recorded_known ? w->recorded.label : ""), "same_sequences",
		json_ratio(known ? c->same_sequences : NAN), "time_error",
		json_ratio(known ? c->time_error : NAN), "usage_error",
		json_ratio(known ? c->usage_error : NAN), "worst_cpu_time_error",
		json_ratio(known ? c->worst_cpu_time_error : NAN), "taught_agreement",
		json_ratio(taught ? v->agreement : NAN), "naive_agreement",
		json_ratio(taught && v->naive_compared
				? (double)v->naive_agree / (double)v->naive_compared : NAN),
		"undetermined", json_ratio(taught ? undetermined_share(v) : NAN));
}

/* states whose exit latency no wake of the recording measured: never passed over in silence */
static void name_assumed(char *out, size_t size, const struct whatif *w)
{
	const struct state_table *to = &w->run[1].machine.tables[0];
	const struct state_table *from = &w->s.rec.machine.tables[0];
	size_t used = 0;

	*out = '\0';
	for (int i = 0; i < to->nstates && used < size; i++) {
		int same = machine_find_state(from, to->state[i].name);

		if (same < 0 || !w->sojourns.latency[0][same].measured)
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
				to->state[i].name);
	}
}

static void latency_line(const struct header *h, const struct whatif *w, const struct options *o)
{
	const char *by_default = o->latency_model ? "" : " (default)";
	const char *model = w->run[1].latency_model;
	char assumed[200];

	if (strcmp(model, "measured")) {
		header_line(h, "latencies", "%s%s", model, by_default);
	} else if (w->s.rec.trace->emulated) {
		header_line(h, "latencies", "%s%s: in an emulated machine no state takes longer to leave",
			model, by_default);
	} else {
		name_assumed(assumed, sizeof(assumed), w);
		header_line(h, "latencies", "%s%s%s%s", model, by_default,
			*assumed ? "; assumed from the table, too few wakes: " : "", assumed);
	}
}

void whatif_head(const struct header *h, const struct whatif *w, const struct options *o)
{
	const struct self_check *c = &w->check;
	int64_t length_ns;
	double share;
	int cpu;

	header_line(h, "held", "wake times as recorded; ticks, aborted entries and time-outs are each "
		"run's own");
	if (w->sojourns.alone) {
		header_line(h, "", "no %s events: every idle period is taken for itself, its wake held",
			w->sojourns.have_switches ? "timer" : "sched_switch");
		header_line(h, "bounds", "sleep lengths and ticks are unknown: each governor is run with "
			"every wake a timer it saw, with none, and with short ones being the tick, and "
			"each decision asked with every reading; read the intervals, not the runs%s",
			w->nruns > 1 && !w->run[1].spans ? " (which are known of whole CPUs only)" : "");
	}
	if (w->sojourns.early_timers)
		header_line(h, "", "%llu timers fired early, within their slack: kept as recorded",
			(unsigned long long)w->sojourns.early_timers);
	if (w->s.rec.machine_edited)
		header_table(h, "replayed on", &w->s.rec.replay_on);
	if (w->nruns > 1 && w->s.rec.replay_on.source == MACHINE_GUESSED)
		header_line(h, "no table", "residencies and latencies are not known, so a governor's choices mean "
			"nothing here: give the table with --states or -t");
	if (w->nruns > 1)
		latency_line(h, w, o);
	for (size_t i = 1; i < w->nruns; i++)
		if (*w->spec[i - 1].confidence && (i < 2 || strcmp(w->spec[i - 2].label, w->spec[i - 1].label)))
			header_line(h, "governor", "%s: %s", w->spec[i - 1].label,
				w->spec[i - 1].confidence);
	doubt_lines(h, w);
	share = whatif_longest(w, &cpu, &length_ns);
	if (share > LONG_IDLE)
		header_line(h, "long idle", "CPU %d slept %.4g ms at once: %.1f %% of the watched time of all "
			"CPUs hang on one choice", cpu, (double)length_ns / 1e6, 100 * share);
	if (!w->recorded_known) {
		header_line(h, "self check", "none: the recorded governor is not known");
		return;
	}
	header_line(h, "self check", "%s replayed freely gives back %.2f %% of %llu sojourns state by "
		"state; time off by %.3f %% of the span, usage by %.2f %%: a smaller difference between "
		"runs is no finding", c->governor, 100 * c->same_sequences,
		(unsigned long long)c->sojourns, 100 * c->time_error, 100 * c->usage_error);
}
