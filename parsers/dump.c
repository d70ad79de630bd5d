// SPDX-License-Identifier: GPL-2.0-or-later
/* A dump in memory: its slots, the machine it describes, the difference of two. */
#include "parsers/dump.h"

#include <stdlib.h>
#include <string.h>

static struct dump_cpu *cpu_at(struct dump *d, int cpu)
{
	if (cpu >= d->cap) {
		int cap = d->cap ? d->cap : 16;

		while (cap <= cpu)
			cap *= 2;
		d->cpu = xrealloc(d->cpu, (size_t)cap, sizeof(struct dump_cpu *));
		memset(d->cpu + d->cap, 0, (size_t)(cap - d->cap) * sizeof(struct dump_cpu *));
		d->cap = cap;
	}
	if (cpu >= d->ncpus)
		d->ncpus = cpu + 1;
	if (!d->cpu[cpu])
		d->cpu[cpu] = xcalloc(1, sizeof(struct dump_cpu));
	return d->cpu[cpu];
}

struct dump_state *dump_state_at(struct dump *d, long cpu, long state)
{
	struct dump_cpu *c;
	struct dump_state *s;

	if (cpu < 0 || cpu >= DUMP_CPUS_MAX || state < 0 || state >= STATES_MAX) {
		d->dropped++;
		return NULL;
	}
	c = cpu_at(d, (int)cpu);
	s = &c->state[state];
	if (!s->present) {
		*s = (struct dump_state){.present = true, .latency_us = -1, .residency_us = -1,
			.usage = -1, .time_us = -1, .above = -1, .below = -1, .rejected = -1,
			.s2idle_usage = -1, .s2idle_time_us = -1, .disable = -1, .default_off = -1};
		if (state >= c->nstates)
			c->nstates = (int)state + 1;
	}
	return s;
}

void dump_free(struct dump *d)
{
	for (int i = 0; i < d->ncpus; i++)
		free(d->cpu[i]);
	free(d->cpu);
	memset(d, 0, sizeof(*d));
}

static int64_t us_to_ns(int64_t us)
{
	return us < 0 || us > DUMP_NEVER_US ? TIME_UNKNOWN : us * NSEC_PER_USEC;
}

static void fill_state(struct idle_state *out, const struct dump_state *s, int index)
{
	if (s->present && s->name[0])
		copy_text(out->name, sizeof(out->name), s->name);
	else
		snprintf(out->name, sizeof(out->name), "state%d", index);
	out->exit_latency_ns = s->present ? us_to_ns(s->latency_us) : TIME_UNKNOWN;
	out->target_residency_ns = s->present ? us_to_ns(s->residency_us) : TIME_UNKNOWN;
	if (s->disable >= 0)
		out->disabled = s->disable != 0;
	else
		out->disabled = s->default_off == 1;
	/* s2idle between others keeps its number, but nobody chooses it */
	if (s->present && s->residency_us >= DUMP_NEVER_US)
		out->disabled = true;
}

static void fill_table(struct state_table *t, const struct dump *d, const struct dump_cpu *c)
{
	memset(t, 0, sizeof(*t));
	t->nstates = c->nstates;
	while (t->nstates > 0 && c->state[t->nstates - 1].residency_us >= DUMP_NEVER_US)
		t->nstates--;
	for (int i = 0; i < t->nstates; i++)
		fill_state(&t->state[i], &c->state[i], i);
	dump_fill_residencies(t, d->driver);
	table_apply_driver(t, d->driver);
}

/* the number of an equal table, added when new; -1 when there are too many */
static int add_table(struct machine *m, const struct state_table *t)
{
	for (int i = 0; i < m->ntables; i++)
		if (!memcmp(&m->tables[i], t, sizeof(*t)))
			return i;
	if (m->ntables > UINT8_MAX)
		return -1;
	m->tables = xrealloc(m->tables, (size_t)m->ntables + 1, sizeof(*t));
	m->tables[m->ntables] = *t;
	return m->ntables++;
}

static bool same_states(const struct dump_cpu *a, const struct dump_cpu *b)
{
	if (!a || a->nstates != b->nstates)
		return false;
	for (int i = 0; i < a->nstates; i++) {
		const struct dump_state *x = &a->state[i], *y = &b->state[i];

		if (x->present != y->present || strcmp(x->name, y->name) ||
			x->latency_us != y->latency_us || x->residency_us != y->residency_us ||
			x->disable != y->disable || x->default_off != y->default_off)
			return false;
	}
	return true;
}

/* CPUs of one table mostly come in a row: only a change costs a new table */
static int fill_tables(struct machine *out, const struct dump *d)
{
	const struct dump_cpu *last = NULL;
	struct state_table t;
	int n = 0;

	for (int i = 0; i < d->ncpus; i++) {
		const struct dump_cpu *c = d->cpu[i];

		if (!c)
			continue;
		if (!same_states(last, c)) {
			fill_table(&t, d, c);
			n = t.nstates ? add_table(out, &t) : 0;
			if (n < 0)
				return -1;
		}
		out->table_of[i] = (uint8_t)n;
		last = c;
	}
	return out->ntables;
}

int dump_machine(struct machine *out, const struct dump *d, const char *from, struct error *err)
{
	int n;

	memset(out, 0, sizeof(*out));
	out->source = MACHINE_FILE;
	copy_text(out->from, sizeof(out->from), from);
	copy_text(out->driver, sizeof(out->driver), d->driver);
	copy_text(out->governor, sizeof(out->governor), d->governor);
	out->ncpus = d->ncpus ? d->ncpus : 1;
	out->table_of = xcalloc((size_t)out->ncpus, sizeof(*out->table_of));
	n = fill_tables(out, d);
	if (n > 0)
		return 0;
	machine_free(out);
	if (n < 0)
		return error_set(err, EXIT_INPUT,
			"%s: more than 256 different state tables; this is no dump of one machine", from);
	return error_set(err, EXIT_INPUT, "%s: no idle states in it (cpuidle driver %s); dump with "
		"grep -r . /sys/devices/system/cpu/cpu*/cpuidle", from,
		d->driver[0] ? d->driver : "unknown");
}

static bool counter_back(int64_t *out, int64_t before, int64_t after)
{
	*out = before < 0 || after < 0 ? -1 : after - before;
	return *out < -1;
}

static bool subtract_state(struct dump_state *o, const struct dump_state *b)
{
	bool back = counter_back(&o->usage, b->usage, o->usage);

	back |= counter_back(&o->time_us, b->time_us, o->time_us);
	back |= counter_back(&o->above, b->above, o->above);
	back |= counter_back(&o->below, b->below, o->below);
	back |= counter_back(&o->rejected, b->rejected, o->rejected);
	back |= counter_back(&o->s2idle_usage, b->s2idle_usage, o->s2idle_usage);
	back |= counter_back(&o->s2idle_time_us, b->s2idle_time_us, o->s2idle_time_us);
	return back;
}

static int subtract_cpu(struct dump_cpu *o, const struct dump_cpu *b, int cpu, struct error *err)
{
	for (int i = 0; i < o->nstates; i++) {
		struct dump_state *s = &o->state[i];

		if (!s->present)
			continue;
		if (i >= b->nstates || !b->state[i].present || strcmp(s->name, b->state[i].name))
			return error_set(err, EXIT_INPUT, "cpu%d state%d (%s) differs between the dumps: "
				"they are not of one machine and driver", cpu, i, s->name);
		if (subtract_state(s, &b->state[i]))
			return error_set(err, EXIT_INPUT, "cpu%d state%d (%s): a counter went back "
				"between the dumps: swapped, or the CPU was reset", cpu, i, s->name);
	}
	return 0;
}

int dump_subtract(struct dump *out, const struct dump *before, const struct dump *after,
	struct error *err)
{
	if (before->repeats || after->repeats)
		return error_set(err, EXIT_INPUT, "the %s dump holds some counters twice with different "
			"numbers: two dumps in one file, part them", before->repeats ? "first" : "second");
	*out = *after;
	out->cap = after->ncpus;
	out->cpu = xcalloc((size_t)after->ncpus, sizeof(struct dump_cpu *));
	for (int i = 0; i < after->ncpus; i++) {
		const struct dump_cpu *b = i < before->ncpus ? before->cpu[i] : NULL;

		/* a CPU that was offline in one of the dumps has no difference */
		if (!after->cpu[i] || !b)
			continue;
		out->cpu[i] = xcalloc(1, sizeof(struct dump_cpu));
		*out->cpu[i] = *after->cpu[i];
		if (subtract_cpu(out->cpu[i], b, i, err) < 0) {
			dump_free(out);
			return -1;
		}
	}
	return 0;
}
