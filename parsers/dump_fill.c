// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Residencies that a dump lacks: cpupower before 6.12 and sysfs before 3.15 do not print them.
 * A shipped table with the same names and latencies knows them, or the driver makes them by rule
 * (acpi/processor_idle.c latency_factor 2, intel_idle.c from _CST, cpuidle-pseries.c).
 */
#include "parsers/dump.h"

#include <string.h>

static bool lacks_residency(const struct state_table *t)
{
	for (int i = 0; i < t->nstates; i++)
		if (t->state[i].target_residency_ns < 0 && t->state[i].exit_latency_ns >= 0)
			return true;
	return false;
}

static bool lacks_latency(const struct state_table *t)
{
	for (int i = 0; i < t->nstates; i++)
		if (t->state[i].exit_latency_ns < 0)
			return true;
	return false;
}

static bool same_machine(const struct state_table *t, const struct state_table *known)
{
	if (t->nstates != known->nstates || t->nstates < 2)
		return false;
	for (int i = 0; i < t->nstates; i++)
		if (strcmp(t->state[i].name, known->state[i].name) ||
			t->state[i].exit_latency_ns != known->state[i].exit_latency_ns)
			return false;
	return true;
}

static bool fill_from_tables(struct state_table *t)
{
	const struct state_table *hit = NULL;
	struct table_set set = {0};
	bool found;

	if (tables_read_all(&set, NULL) == 0)
		for (size_t i = 0; i < set.n && !hit; i++)
			if (same_machine(t, &set.table[i]))
				hit = &set.table[i];
	found = hit != NULL;
	if (hit) {
		for (int i = 0; i < t->nstates; i++)
			t->state[i].target_residency_ns = hit->state[i].target_residency_ns;
		snprintf(t->note, sizeof(t->note),
			"the dump has no residencies: taken from table %s, same names and latencies",
			hit->id);
	}
	tables_free(&set);
	return found;
}

/* residency / latency of state i by the driver's rule; 0 when there is none */
static int factor_of(const struct idle_state *s, int i, const char *driver)
{
	if (!strcmp(driver, "acpi_idle"))
		return 2;
	if (!strcmp(driver, "pseries_idle") || !strcmp(s->name, "CEDE") ||
		!strcmp(s->name, "Shared Cede"))
		return 10;
	if (strstr(s->name, "_ACPI"))
		return i == 1 ? 1 : 3;
	return s->exit_latency_ns == 0 ? 1 : 0;
}

void dump_fill_residencies(struct state_table *t, const char *driver)
{
	bool all = true;

	if (lacks_latency(t))
		copy_text(t->note, sizeof(t->note),
			"the dump lacks latencies: no above or below can be told; set them with --set");
	if (!lacks_residency(t) || fill_from_tables(t))
		return;
	for (int i = 0; i < t->nstates; i++) {
		struct idle_state *s = &t->state[i];
		int factor = factor_of(s, i, driver);

		if (s->target_residency_ns >= 0 || s->exit_latency_ns < 0)
			continue;
		if (factor)
			s->target_residency_ns = s->exit_latency_ns * factor;
		else
			all = false;
	}
	copy_text(t->note, sizeof(t->note), all
		? "the dump has no residencies: made from latencies by the driver's rule"
		: "the dump lacks residencies and no rule gives them: set them with --set");
}
