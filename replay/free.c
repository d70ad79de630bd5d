// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/free.h"

#include <stdlib.h>
#include <string.h>

#include "replay/each_cpu.h"
#include "replay/free_cpu.h"
#include "src/stats.h"

/* sojourns whose periods are summed up while they are still in the cache */
#define AT_ONCE 512

struct job {
	const struct free_setup *setup;
	const struct run *recorded;
	struct run *out;
	struct free_result *result; /* [ncpus] */
	int *order;		    /* [ncpus]: the CPUs, those with most to do first */
	bool summary;
};

static void count_wakes(struct free_result *r, size_t from)
{
	for (size_t i = from; i < r->wake.n; i++)
		quantile_count(&r->wakes, r->wake.ns[i]);
}

/* the walk, and all that is made of each period, so that it need not stay */
static void walk_cpu(struct free_result *r, const struct job *job, int cpu)
{
	const struct free_setup *set = job->setup;
	const struct state_table *table = machine_table(set->machine, cpu);
	struct run_sums *sums = run_sums_begin(table, set->s->costs.event_ns);
	struct walker *w = free_cpu_begin(r, set, cpu);
	struct changes *changes =
		free_change_begin(r->cpu, table, set->s, job->recorded, cpu, set->limit_ns);
	size_t n = set->s->cpu[cpu].n, periods, wakes, to;

	for (size_t from = 0; from < n; from = to) {
		to = n - from < AT_ONCE ? n : from + AT_ONCE;
		periods = r->cpu->nperiods;
		wakes = r->wake.n;
		free_cpu_walk(w, from, to);
		free_change_feed(changes, from, to, periods);
		count_wakes(r, wakes);
		run_sums_add(sums, r->cpu->period + periods, r->cpu->nperiods - periods);
		if (job->summary)
			r->cpu->nperiods = 0;
	}
	run_sums_end(sums, r->cpu);
	free_change_end(changes, &r->change);
	free_cpu_end(w);
}

static void run_cpu(void *ctx, int index)
{
	struct job *job = ctx;
	int cpu = job->order[index];
	struct run_cpu *out = &job->out->cpu[cpu], c = {0};
	struct free_result r = {.cpu = &c};

	walk_cpu(&r, job, cpu);
	if (job->summary) {
		free(c.period);
		c.period = NULL;
		c.cap = 0;
	} else if (c.nperiods) {
		c.cap = c.nperiods;
		c.period = xrealloc(c.period, c.cap, sizeof(*c.period));
	}
	*out = c;
	r.cpu = out;
	job->result[cpu] = r;
}

/* a CPU that takes long must not be the last to be begun */
static int *heaviest_first(const struct sojourns *s)
{
	int *order = xcalloc((size_t)s->ncpus + 1, sizeof(*order));

	for (int i = 0, k; i < s->ncpus; i++) {
		for (k = i; k && s->cpu[order[k - 1]].n < s->cpu[i].n; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	return order;
}

/* --- the setup --- */

static enum latency_model resolve_latency(const struct replay_options *opt)
{
	if (opt->latency_model != LATENCY_DEFAULT)
		return opt->latency_model;
	return opt->machine ? LATENCY_TABLE : LATENCY_MEASURED;
}

/* a measured latency goes by the name of the state; what no state of that name was, is the table's */
static int64_t measured_latency(const struct sojourns *s, const struct machine *recorded, int table,
	const struct state_table *t, int state)
{
	const struct state_table *from = &recorded->tables[table];
	int same = machine_find_state(from, t->state[state].name);

	if (s->trace->emulated)
		return 0;
	return same >= 0 ? s->latency[table][same].exit_ns
			 : max64(t->state[state].exit_latency_ns, 0);
}

/* the recorded table of the CPUs that a table of the what-if is for */
static int recorded_table(const struct free_setup *set, int table)
{
	for (int i = 0; i < set->machine->ncpus && i < set->recorded->ncpus; i++)
		if (set->machine->table_of[i] == table)
			return set->recorded->table_of[i];
	return 0;
}

static void fill_table(struct free_setup *set, int i, enum latency_model model)
{
	struct free_table *out = &set->table[i];
	const struct state_table *table = &set->machine->tables[i];
	int from = recorded_table(set, i);

	out->table = table;
	for (int k = 0; k < table->nstates; k++) {
		out->timeout_ns[k] = machine_timeout(table, k, set->hz);
		out->span[k] = machine_verdict_span(table, k);
		if (table->state[k].disabled)
			out->disabled |= 1u << k;
		if (model == LATENCY_MEASURED)
			out->latency_ns[k] = measured_latency(set->s, set->recorded, from, table, k);
		/* a state that polls has no hardware to wake */
		else if (out->timeout_ns[k] == INT64_MAX)
			out->latency_ns[k] = max64(table->state[k].exit_latency_ns, 0);
	}
}

static void setup_begin(struct free_setup *out, const struct sojourns *s,
	const struct run *recorded, const struct gov_spec *spec, const struct replay_options *opt)
{
	const struct machine *m = opt->machine ? opt->machine : &recorded->machine;

	*out = (struct free_setup){.s = s, .trace = s->trace, .spec = spec, .machine = m,
		.recorded = &recorded->machine, .hz = opt->hz > 0 ? opt->hz : s->hz,
		.limit_ns = opt->limit_ns, .bound = opt->bound,
		.busiest = opt->busiest};
	out->tick_ns = tick_ns(out->hz);
	out->emulated = s->trace->emulated;
	out->keeps_tick = strcmp(spec->gov->name, "shallowest") == 0;
	out->table = xcalloc((size_t)m->ntables, sizeof(*out->table));
	for (int i = 0; i < m->ntables; i++)
		fill_table(out, i, resolve_latency(opt));
}

const char *replay_bound_name(enum replay_bound bound)
{
	static const char *const name[BOUND_COUNT] = {
		"", "every wake a known timer", "no timer near", "wakes within a tick are ticks"};

	return (unsigned int)bound < BOUND_COUNT ? name[bound] : "";
}

/* --- the run --- */

static const double latency_share[QUANTILE_AIMS] = {0.50, 0.90, 0.99, 0.999, 1};

void latency_sum_of(struct latency_sum *out, int64_t *paid_ns, int64_t *ns, size_t n)
{
	int64_t sum = 0, value[QUANTILE_AIMS];

	*out = (struct latency_sum){.n = n, .known = n > 0};
	for (size_t i = 0; i < n; i++)
		sum += ns[i];
	*paid_ns = sum;
	if (!n)
		return;
	out->mean_ns = sum / (int64_t)n;
	stats_select_all(ns, n, latency_share, value, QUANTILE_AIMS);
	out->p50_ns = value[0];
	out->p90_ns = value[1];
	out->p99_ns = value[2];
	out->p999_ns = value[3];
	out->max_ns = value[4];
}

/* the same percentiles as latency_sum_of(), without another copy of all latencies */
static void sum_latencies(struct run *out, const struct free_result *result)
{
	struct latency_sum *l = &out->wake_latency;
	struct quantile all = {0};

	for (int i = 0; i < out->ncpus; i++)
		quantile_merge(&all, &result[i].wakes);
	quantile_aim_all(&all, latency_share, ARRAY_SIZE(latency_share));
	for (int i = 0; i < out->ncpus; i++)
		for (size_t k = 0; k < result[i].wake.n; k++) {
			quantile_keep_all(&all, result[i].wake.ns[k]);
			out->latency_paid_ns += result[i].wake.ns[k];
		}
	*l = (struct latency_sum){.n = all.n, .known = all.n > 0};
	if (all.n)
		l->mean_ns = out->latency_paid_ns / (int64_t)all.n;
	l->p50_ns = quantile_get(&all, 0);
	l->p90_ns = quantile_get(&all, 1);
	l->p99_ns = quantile_get(&all, 2);
	l->p999_ns = quantile_get(&all, 3);
	l->max_ns = quantile_get(&all, 4);
	quantile_free(&all);
}

static void name_run(struct run *out, const struct gov_spec *spec, const struct replay_options *opt,
	const struct run *recorded)
{
	snprintf(out->label, sizeof(out->label), "%s%s%s", spec->label,
		opt->bound ? ", " : "", replay_bound_name(opt->bound));
	copy_text(out->governor, sizeof(out->governor), spec->label);
	copy_text(out->table, sizeof(out->table),
		!opt->machine			 ? recorded->table
			: *opt->machine->tables[0].id ? opt->machine->tables[0].id
						      : "edited");
	copy_text(out->latency_model, sizeof(out->latency_model),
		resolve_latency(opt) == LATENCY_TABLE ? "table" : "measured");
}

static void run_begin(struct run *out, const struct free_setup *setup)
{
	*out = (struct run){.trace = setup->trace, .ncpus = setup->s->ncpus,
		.ticks_known = !setup->s->alone};
	machine_copy(&out->machine, setup->machine);
	out->cpu = xcalloc((size_t)out->ncpus, sizeof(*out->cpu));
}

static void run_finish(struct run *out, const struct job *job, const struct sojourns *s)
{
	sum_latencies(out, job->result);
	/* where each end is held nothing is known of when its wake arrived */
	out->wake_latency.known &= !s->alone;
	for (int i = 0; i < out->ncpus; i++) {
		change_add_up(out, &job->result[i].change);
		free(job->result[i].wake.ns);
		quantile_free(&job->result[i].wakes);
	}
	run_total(out, s->costs.event_ns, !job->summary);
	out->spans = job->setup->bound != BOUND_NONE;
	for (int i = 0; i < out->ncpus && out->spans; i++)
		for (int k = 0; k < STATES_MAX; k++)
			run_span_add(&out->span[k], &out->cpu[i].span[k]);
}

int replay_free(struct run *out, const struct sojourns *s, const struct run *recorded,
	const struct gov_spec *spec, const struct replay_options *opt, struct error *err)
{
	struct free_setup setup;
	struct job job = {
		.setup = &setup, .recorded = recorded, .out = out, .summary = opt->summary};
	bool done;

	setup_begin(&setup, s, recorded, spec, opt);
	run_begin(out, &setup);
	job.result = xcalloc((size_t)out->ncpus + 1, sizeof(*job.result));
	job.order = heaviest_first(s);
	done = each_cpu(out->ncpus, opt->threads, run_cpu, &job, opt->progress, opt->ctx);
	run_finish(out, &job, s);
	name_run(out, spec, opt, recorded);
	free(job.result);
	free(job.order);
	free(setup.table);
	if (done && !governor_failure(spec, err))
		return 0;
	run_free(out);
	return done ? -1 : error_set(err, EXIT_FINE, "replay cancelled");
}
