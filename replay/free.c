// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/free.h"

#include <stdlib.h>
#include <string.h>

#include "replay/each_cpu.h"
#include "replay/free_cpu.h"
#include "src/stats.h"

struct job {
	const struct free_setup *setup;
	const struct run *recorded;
	struct run *out;
	struct free_result *result; /* [ncpus] */
	bool summary;
};

/* all that is made of one CPU's periods, so that they need not stay */
static void run_cpu(void *ctx, int cpu)
{
	struct job *job = ctx;
	const struct free_setup *set = job->setup;
	struct free_result *result = &job->result[cpu];
	struct run_cpu *c = &job->out->cpu[cpu];

	result->cpu = c;
	free_cpu_run(result, set, cpu);
	free_change_cpu(&result->change, job->out, set->s, job->recorded, cpu, set->limit_ns);
	run_summarize_cpu(job->out, cpu, set->s->costs.event_ns);
	if (!job->summary && c->nperiods) {
		c->cap = c->nperiods;
		c->period = xrealloc(c->period, c->cap, sizeof(*c->period));
		return;
	}
	free(c->period);
	c->period = NULL;
	c->nperiods = c->cap = 0;
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
		.limit_ns = opt->limit_ns, .bound = opt->bound};
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

void latency_sum_of(struct latency_sum *out, int64_t *paid_ns, int64_t *ns, size_t n)
{
	static const double share[5] = {0.50, 0.90, 0.99, 0.999, 1};
	int64_t sum = 0, value[5];

	*out = (struct latency_sum){.n = n, .known = n > 0};
	for (size_t i = 0; i < n; i++)
		sum += ns[i];
	*paid_ns = sum;
	if (!n)
		return;
	out->mean_ns = sum / (int64_t)n;
	stats_select_all(ns, n, share, value, 5);
	out->p50_ns = value[0];
	out->p90_ns = value[1];
	out->p99_ns = value[2];
	out->p999_ns = value[3];
	out->max_ns = value[4];
}

static void sum_latencies(struct run *out, struct free_result *result)
{
	int64_t *all;
	size_t n = 0;

	for (int i = 0; i < out->ncpus; i++)
		n += result[i].wake.n;
	all = xcalloc(n + 1, sizeof(*all));
	n = 0;
	for (int i = 0; i < out->ncpus; i++)
		for (size_t k = 0; k < result[i].wake.n; k++)
			all[n++] = result[i].wake.ns[k];
	latency_sum_of(&out->wake_latency, &out->latency_paid_ns, all, n);
	free(all);
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
	}
	run_total(out, s->costs.event_ns, !job->summary);
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
	done = each_cpu(out->ncpus, opt->threads, run_cpu, &job, opt->progress, opt->ctx);
	run_finish(out, &job, s);
	name_run(out, spec, opt, recorded);
	free(job.result);
	free(setup.table);
	if (done && !governor_failure(spec, err))
		return 0;
	run_free(out);
	return done ? -1 : error_set(err, EXIT_FINE, "replay cancelled");
}
