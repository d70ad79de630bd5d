// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's arithmetic on state tables: verdicts, ideal states, time-outs; copies of machines. */
#include "src/machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define HZ_DEFAULT 250
#define POLL_RESIDENCY_MIN 10000 /* poll_idle() skips states whose residency is below it, ns */

const char *machine_source_name(enum machine_source source)
{
	static const char *const name[] = {"recorded", "file", "table", "guessed"};

	return (unsigned int)source < ARRAY_SIZE(name) ? name[source] : "guessed";
}

void machine_uniform(struct machine *out, const struct state_table *table, int ncpus)
{
	assert(ncpus >= 1 && table->nstates >= 1 && table->nstates <= STATES_MAX);
	memset(out, 0, sizeof(*out));
	out->source = MACHINE_TABLE;
	copy_text(out->from, sizeof(out->from), table->id);
	out->tables = xcalloc(1, sizeof(*out->tables));
	out->tables[0] = *table;
	out->ntables = 1;
	out->ncpus = ncpus;
	out->table_of = xcalloc((size_t)ncpus, sizeof(*out->table_of));
}

void machine_copy(struct machine *out, const struct machine *m)
{
	*out = *m;
	out->tables = xcalloc((size_t)m->ntables, sizeof(*out->tables));
	memcpy(out->tables, m->tables, (size_t)m->ntables * sizeof(*out->tables));
	out->table_of = xcalloc((size_t)m->ncpus, sizeof(*out->table_of));
	memcpy(out->table_of, m->table_of, (size_t)m->ncpus * sizeof(*out->table_of));
	if (!m->cpu_limit_ns)
		return;
	out->cpu_limit_ns = xcalloc((size_t)m->ncpus, sizeof(*out->cpu_limit_ns));
	memcpy(out->cpu_limit_ns, m->cpu_limit_ns, (size_t)m->ncpus * sizeof(*out->cpu_limit_ns));
}

void machine_free(struct machine *m)
{
	free(m->tables);
	free(m->table_of);
	free(m->cpu_limit_ns);
	memset(m, 0, sizeof(*m));
}

void machine_guess(struct machine *out, int deepest, int ncpus)
{
	struct state_table t = {.nstates = deepest + 1};

	assert(deepest >= 0 && deepest < STATES_MAX);
	for (int i = 0; i <= deepest; i++) {
		snprintf(t.state[i].name, sizeof(t.state[i].name), "state%d", i);
		t.state[i].exit_latency_ns = TIME_UNKNOWN;
		t.state[i].target_residency_ns = TIME_UNKNOWN;
	}
	copy_text(t.title, sizeof(t.title), "states by number, no table given");
	machine_uniform(out, &t, ncpus);
	out->source = MACHINE_GUESSED;
	copy_text(out->from, sizeof(out->from), "no state table in or beside the recording");
}

bool machine_judges(const struct machine *m)
{
	if (m->source == MACHINE_GUESSED)
		return false;
	for (int t = 0; t < m->ntables; t++)
		for (int i = 0; i < m->tables[t].nstates; i++)
			if (m->tables[t].state[i].exit_latency_ns < 0 ||
				m->tables[t].state[i].target_residency_ns < 0)
				return false;
	return true;
}

static int64_t poll_idle_limit(const struct state_table *t, int hz)
{
	int64_t most = tick_ns(hz) / 16;

	for (int i = 1; i < t->nstates; i++) {
		const struct idle_state *s = &t->state[i];

		if (!s->disabled && s->target_residency_ns >= POLL_RESIDENCY_MIN)
			return min64(s->target_residency_ns, most);
	}
	return most;
}

static int64_t next_enabled_limit(const struct state_table *t, int state, int hz)
{
	for (int i = state + 1; i < t->nstates; i++)
		if (!t->state[i].disabled)
			return t->state[i].target_residency_ns;
	return tick_ns(hz);
}

int64_t machine_timeout(const struct state_table *t, int state, int hz)
{
	int64_t limit = INT64_MAX;

	if (hz <= 0)
		hz = HZ_DEFAULT;
	switch (t->state[state].timeout) {
	case TIMEOUT_POLL_IDLE:
		limit = poll_idle_limit(t, hz);
		break;
	case TIMEOUT_NEXT_RESIDENCY:
		/* fixed when the driver is set up; it does not look at the disable file */
		if (state + 1 < t->nstates)
			limit = t->state[state + 1].target_residency_ns;
		break;
	case TIMEOUT_NEXT_ENABLED:
		limit = next_enabled_limit(t, state, hz);
		break;
	case TIMEOUT_TICK:
		limit = tick_ns(hz);
		break;
	case TIMEOUT_FIXED:
		limit = t->state[state].timeout_ns;
		break;
	case TIMEOUT_NONE:
		break;
	}
	return limit >= 0 ? limit : INT64_MAX;
}

static bool shallower_enabled(const struct state_table *t, int state)
{
	for (int i = 0; i < state; i++)
		if (!t->state[i].disabled)
			return true;
	return false;
}

struct verdict_span machine_verdict_span(const struct state_table *t, int state)
{
	struct verdict_span span = {INT64_MIN, INT64_MIN, VERDICT_NONE};
	const struct idle_state *s;
	int next = state + 1;

	if (state < 0 || state >= t->nstates)
		return span;
	s = &t->state[state];
	if (s->target_residency_ns < 0 || s->exit_latency_ns < 0)
		return span;
	if (shallower_enabled(t, state))
		span.above_ns = s->target_residency_ns;
	/* only the first deeper state that is enabled is looked at */
	while (next < t->nstates && t->state[next].disabled)
		next++;
	span.beyond_ns = INT64_MAX;
	if (next == t->nstates)
		return span;
	span.beyond_ns = max64(s->target_residency_ns, s->exit_latency_ns + 1);
	if (t->state[next].target_residency_ns < 0)
		return span;
	span.beyond = VERDICT_BELOW;
	span.beyond_ns = max64(span.beyond_ns, s->exit_latency_ns + t->state[next].target_residency_ns);
	return span;
}

enum verdict machine_verdict(const struct state_table *t, int state, int64_t residency_ns)
{
	struct verdict_span span = machine_verdict_span(t, state);

	return verdict_in(&span, residency_ns);
}

int machine_ideal(const struct state_table *t, int64_t length_ns, int64_t limit_ns)
{
	int first = -1, best = -1;

	for (int i = 0; i < t->nstates; i++) {
		const struct idle_state *s = &t->state[i];

		if (s->disabled)
			continue;
		if (first < 0)
			first = i;
		if (s->target_residency_ns <= length_ns && s->exit_latency_ns <= limit_ns)
			best = i;
	}
	if (best < 0)
		best = first;
	return best < 0 ? 0 : best;
}

/* the enabled state next to one; -1 when there is none */
static int neighbour(const struct state_table *t, int state, int dir)
{
	for (int i = state + dir; i >= 0 && i < t->nstates; i += dir)
		if (!t->state[i].disabled)
			return i;
	return -1;
}

static enum verdict_reason why_right(const struct state_table *t, int entered, int64_t length_ns, int ideal)
{
	const struct idle_state *s = &t->state[entered];
	int next = neighbour(t, entered, 1);

	if (length_ns < s->target_residency_ns)
		return REASON_SHALLOWEST;
	if (ideal == entered)
		return next < 0 ? REASON_DEEPEST : REASON_PLAIN;
	if (ideal < entered)
		return REASON_DISABLED;
	if (length_ns <= s->exit_latency_ns)
		return REASON_OWN_EXIT;
	return t->state[next].target_residency_ns > length_ns ? REASON_NEXT_DEEPER : REASON_EXIT_TIME;
}

enum verdict_reason machine_reason(const struct state_table *t, int entered, enum verdict v,
	int64_t length_ns, int64_t limit_ns, int *ideal)
{
	int meant = v == VERDICT_OK ? entered : neighbour(t, entered, v == VERDICT_ABOVE ? -1 : 1);

	*ideal = machine_ideal(t, length_ns, LATENCY_ANY);
	if (v == VERDICT_NONE)
		return REASON_PLAIN;
	if (machine_verdict(t, entered, length_ns) != v) {
		*ideal = meant >= 0 ? meant : entered;
		return REASON_EDGE;
	}
	if (v == VERDICT_OK)
		return why_right(t, entered, length_ns, *ideal);
	if (v == VERDICT_BELOW && t->state[*ideal].exit_latency_ns > limit_ns)
		return REASON_LIMIT;
	return REASON_PLAIN;
}

int machine_find_state(const struct state_table *t, const char *name)
{
	char *end;
	long n;

	for (int i = 0; i < t->nstates; i++)
		if (t->state[i].name[0] && !strcmp(t->state[i].name, name))
			return i;
	if (*name < '0' || *name > '9')
		return -1;
	n = strtol(name, &end, 10);
	return *end == '\0' && n < t->nstates ? (int)n : -1;
}
