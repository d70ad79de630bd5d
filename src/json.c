// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/json.h"

#include "src/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_document(const char *command)
{
	return json_pack("{s:o, s:s}", "schema", json_sprintf("reidle.%s/1", command), "reidle",
		REIDLE_VERSION);
}

json_t *json_ratio(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

json_t *json_known(bool known, int64_t v)
{
	return known ? json_integer(v) : json_null();
}

json_t *json_text(const char *s)
{
	json_t *j = *s ? json_string(s) : json_null();
	char *clean;

	if (j)
		return j;
	/* not UTF-8: a file name or comm of foreign bytes */
	clean = xstrdup(s);
	for (char *p = clean; *p; p++)
		if ((unsigned char)*p >= 0x80)
			*p = '?';
	j = json_string(clean);
	free(clean);
	return j ? j : json_null();
}

static const char *timeout_name(enum state_timeout t)
{
	static const char *const names[] = {[TIMEOUT_NONE] = "none", [TIMEOUT_POLL_IDLE] = "poll_idle",
		[TIMEOUT_NEXT_RESIDENCY] = "next_residency", [TIMEOUT_NEXT_ENABLED] = "next_enabled",
		[TIMEOUT_TICK] = "tick", [TIMEOUT_FIXED] = "fixed"};

	return names[t];
}

static json_t *machine_state(const struct machine *m, const struct state_table *t, int i)
{
	const struct idle_state *s = &t->state[i];
	bool known = m->source != MACHINE_GUESSED;

	return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:b}", "index", i, "name", json_text(s->name),
		"exit_latency_ns", json_known(known && s->exit_latency_ns >= 0, s->exit_latency_ns), "target_residency_ns",
		json_known(known && s->target_residency_ns >= 0, s->target_residency_ns), "polling",
		known ? json_boolean(s->polling) : json_null(), "timeout",
		s->timeout == TIMEOUT_FIXED ? json_integer(s->timeout_ns)
					    : json_string(timeout_name(s->timeout)),
		"disabled", s->disabled);
}

char *json_cpu_list(const bool *set, int n)
{
	char *out = xstrdup(""), *next;
	int last;

	for (int i = 0; i < n; i++) {
		if (!set[i])
			continue;
		for (last = i; last + 1 < n && set[last + 1]; last++)
			;
		next = last > i ? xasprintf("%s%s%d-%d", out, *out ? "," : "", i, last)
				: xasprintf("%s%s%d", out, *out ? "," : "", i);
		free(out);
		out = next;
		i = last;
	}
	return out;
}

char *json_table_cpus(const struct machine *m, int table)
{
	bool *set = xcalloc((size_t)m->ncpus, sizeof(*set));
	char *list;

	for (int i = 0; i < m->ncpus; i++)
		set[i] = m->table_of[i] == table;
	list = json_cpu_list(set, m->ncpus);
	free(set);
	return list;
}

json_t *json_machine(const struct machine *m)
{
	json_t *tables = json_array(), *states;
	char *cpus;

	for (int i = 0; i < m->ntables; i++) {
		states = json_array();
		for (int s = 0; s < m->tables[i].nstates; s++)
			json_array_append_new(states, machine_state(m, &m->tables[i], s));
		cpus = json_table_cpus(m, i);
		json_array_append_new(tables,
			json_pack("{s:s, s:o, s:o}", "cpus", cpus, "id", json_text(m->tables[i].id),
				"states", states));
		free(cpus);
	}
	return json_pack("{s:s, s:o, s:o, s:o, s:o}", "source", machine_source_name(m->source), "from",
		json_text(m->from), "driver", json_text(m->driver), "governor", json_text(m->governor),
		"tables", tables);
}

static json_t *one_sum(const struct run *r, const struct state_table *t, int i,
	const struct state_sum *s)
{
	bool verdicts = run_judged(r);
	bool misses = r->recorded && (r->trace ? !!(r->trace->seen & EV_BIT(EV_MISS)) : verdicts);
	bool lengths = s->usage > 0 && s->p50_ns >= 0;

	return json_pack("{s:i, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "index", i, "name",
		i < t->nstates ? json_text(t->state[i].name) : json_null(), "usage",
		(json_int_t)s->usage, "time_ns", (json_int_t)s->time_ns, "above",
		json_known(verdicts, (int64_t)s->above), "below",
		json_known(verdicts, (int64_t)s->below), "above_recorded",
		json_known(misses, (int64_t)s->above_recorded), "below_recorded",
		json_known(misses, (int64_t)s->below_recorded), "mean_ns",
		json_known(s->usage > 0, s->mean_ns), "p50_ns", json_known(lengths, s->p50_ns),
		"p99_ns", json_known(lengths, s->p99_ns));
}

json_t *json_sums(const struct run *r, const struct state_table *t, const struct state_sum *sum)
{
	json_t *states = json_array();

	for (int i = 0; i < STATES_MAX; i++)
		if (i < t->nstates || sum[i].usage || sum[i].above_recorded || sum[i].below_recorded)
			json_array_append_new(states, one_sum(r, t, i, &sum[i]));
	return states;
}

static json_t *run_cpu(const struct run *r, int cpu)
{
	const struct run_cpu *c = &r->cpu[cpu];
	const struct cpu_trace *t = r->recorded && r->trace ? &r->trace->cpu[cpu] : NULL;
	const struct period *last = c->nperiods ? &c->period[c->nperiods - 1] : NULL;
	bool open = last && last->flags & PERIOD_CUT_END;

	return json_pack("{s:i, s:o, s:o, s:o, s:o}", "cpu", cpu, "states",
		json_sums(r, machine_table(&r->machine, cpu), c->state), "orphan_exits",
		json_known(t, t ? (int64_t)t->orphan_exits : 0), "open_tail_ns",
		json_known(open, open ? last->exit_ns - last->enter_ns : 0), "reenters",
		json_known(t, t ? (int64_t)t->reenters : 0));
}

/* names of the table with the most states stand for all in a total */
static const struct state_table *longest_table(const struct machine *m)
{
	const struct state_table *t = &m->tables[0];

	for (int i = 1; i < m->ntables; i++)
		if (m->tables[i].nstates > t->nstates)
			t = &m->tables[i];
	return t;
}

json_t *json_run(const struct run *r, json_t *params)
{
	json_t *cpus = json_array();

	for (int i = 0; i < r->ncpus; i++)
		json_array_append_new(cpus, run_cpu(r, i));
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o}}", "label", json_text(r->label),
		"governor", json_text(r->governor), "params", params ? params : json_object(), "table",
		json_text(r->table), "latency_model", json_text(r->latency_model), "cpus", cpus,
		"total", "states", json_sums(r, longest_table(&r->machine), r->total));
}

json_t *json_latency(const struct latency_sum *l)
{
	return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "n", (json_int_t)(l->known ? l->n : 0), "mean_ns",
		json_known(l->known && l->n, l->mean_ns), "p50_ns", json_known(l->known && l->n, l->p50_ns),
		"p90_ns", json_known(l->known && l->n, l->p90_ns), "p99_ns",
		json_known(l->known && l->n, l->p99_ns), "p999_ns",
		json_known(l->known && l->n, l->p999_ns), "max_ns",
		json_known(l->known && l->n, l->max_ns));
}

struct totals {
	uint64_t decisions, aborted, periods, ticks, tick_stops, undetermined;
};

static struct totals run_totals(const struct run *r)
{
	struct totals t = {0};

	for (int i = 0; i < r->ncpus; i++) {
		const struct run_cpu *c = &r->cpu[i];

		t.decisions += c->decisions;
		t.aborted += c->aborted;
		t.ticks += c->ticks;
		t.tick_stops += c->tick_stops;
		t.undetermined += c->undetermined;
		for (int s = 0; s < STATES_MAX; s++)
			t.periods += c->state[s].usage;
	}
	return t;
}

static json_t *rounded(double ns)
{
	return isfinite(ns) ? json_integer(llround(ns)) : json_null();
}

/* the test in pairs, per stretch between wakes; null for the recording itself */
static json_t *paired_cost(const struct run_change *c)
{
	struct ttest t;

	if (!c->pairs)
		return json_null();
	stats_paired_sums(&t, c->pairs, c->cost_recorded, c->cost_run, c->cost_diff, c->cost_diff2);
	return json_pack("{s:I, s:o, s:o, s:o, s:[o,o], s:o}", "n", (json_int_t)c->pairs,
		"recorded_ns", rounded(t.mean_a), "run_ns", rounded(t.mean_b), "diff_ns",
		rounded(t.diff), "ci95_ns", rounded(t.lo), rounded(t.hi), "p", json_ratio(t.p));
}

void json_run_whatif(json_t *obj, const struct run *r, const struct run *recorded)
{
	struct totals rec = run_totals(recorded), run = run_totals(r);
	bool ticks = r->ticks_known, machine = r->machine.source != MACHINE_GUESSED;
	bool changes = machine && !r->part && (r->recorded || r->change.changed + r->change.same > 0);
	json_t *more;

	more = json_pack("{s:o, s:o, s:{s:I, s:I}}", "decisions", json_known(!r->part, (int64_t)run.decisions),
		"aborted", json_known(!r->part, (int64_t)run.aborted), "periods", "rec",
		(json_int_t)rec.periods, "run", (json_int_t)run.periods);
	json_object_set_new(more, "ticks",
		ticks ? json_pack("{s:I, s:I}", "rec", (json_int_t)rec.ticks, "run",
				(json_int_t)run.ticks)
		      : json_null());
	json_object_set_new(more, "tick_stops", json_known(ticks, (int64_t)run.tick_stops));
	json_object_set_new(more, "changed", json_known(changes, (int64_t)r->change.changed));
	json_object_set_new(more, "better", json_known(changes, (int64_t)r->change.better));
	json_object_set_new(more, "worse", json_known(changes, (int64_t)r->change.worse));
	json_object_set_new(more, "paired_cost", machine ? paired_cost(&r->change) : json_null());
	json_object_set_new(more, "limited", json_known(machine && !r->part, (int64_t)r->limited));
	json_object_set_new(more, "latency_paid_ns", json_known(machine && r->wake_latency.known, r->latency_paid_ns));
	json_object_set_new(more, "wake_latency", json_latency(&r->wake_latency));
	json_object_set_new(more, "regret_ns", json_known(machine && !r->part, r->regret_ns));
	json_object_set_new(more, "undetermined", json_known(!r->part, (int64_t)run.undetermined));
	json_object_update(obj, more);
	json_decref(more);
}

void json_print(json_t *doc, FILE *out)
{
	json_dumpf(doc, out, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));
	fputc('\n', out);
	json_decref(doc);
}
