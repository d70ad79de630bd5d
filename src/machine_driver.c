// SPDX-License-Identifier: GPL-2.0-or-later
/* What sysfs does not show of a state: whether it polls, when it gives up, what its numbers mean. */
#include "src/machine.h"

#include <string.h>

static bool has_state(const struct state_table *t, const char *prefix)
{
	for (int i = 0; i < t->nstates; i++)
		if (!strncmp(t->state[i].name, prefix, strlen(prefix)))
			return true;
	return false;
}

/* powernv gives snooze the next enabled state's residency, pseries that of state 1 */
static bool is_powernv(const struct state_table *t, const char *driver)
{
	if (*driver)
		return !strcmp(driver, "powernv_idle");
	return has_state(t, "stop") || has_state(t, "Nap");
}

static void make_polling(struct idle_state *s, enum state_timeout timeout)
{
	s->polling = true;
	s->timeout = timeout;
	s->timeout_sets_poll_limit = true;
}

/* residency is @factor times the latency in every state deeper than @from */
static bool follows_factor(const struct state_table *t, int from, int64_t factor)
{
	bool any = false;

	for (int i = from; i < t->nstates; i++) {
		const struct idle_state *s = &t->state[i];

		if (s->exit_latency_ns <= 0 || s->target_residency_ns != s->exit_latency_ns * factor)
			return false;
		any = true;
	}
	return any;
}

static void say_rule(struct state_table *t, const char *how)
{
	t->rule_made = true;
	if (!t->note[0])
		snprintf(t->note, sizeof(t->note),
			"residencies are rule-made (%s)", how);
}

static void find_rule(struct state_table *t, const char *driver)
{
	if (!strcmp(driver, "acpi_idle") && follows_factor(t, 1, 2))
		say_rule(t, "2 x latency, acpi_idle");
	else if (has_state(t, "C2_ACPI") && follows_factor(t, 2, 3))
		say_rule(t, "3 x latency, intel_idle from _CST");
	else if ((has_state(t, "CEDE") || has_state(t, "Shared Cede")) && follows_factor(t, 1, 10))
		say_rule(t, "10 x latency, pseries");
}

void table_apply_driver(struct state_table *t, const char *driver)
{
	for (int i = 0; i < t->nstates; i++) {
		struct idle_state *s = &t->state[i];

		if (i == 0 && !strcmp(s->name, "POLL"))
			make_polling(s, TIMEOUT_POLL_IDLE);
		else if (i == 0 && !strcmp(s->name, "snooze"))
			make_polling(s, is_powernv(t, driver) ? TIMEOUT_NEXT_ENABLED
							      : TIMEOUT_NEXT_RESIDENCY);
	}
	find_rule(t, driver);
}

void table_timeout_text(const struct idle_state *s, char *out, size_t size)
{
	static const char *const word[] = {
		"none", "poll_idle", "next_residency", "next_enabled", "tick"};

	if (s->timeout == TIMEOUT_FIXED)
		snprintf(out, size, "%gus", (double)s->timeout_ns / NSEC_PER_USEC);
	else
		copy_text(out, size, word[s->timeout]);
}
