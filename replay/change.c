// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/change.h"

int64_t change_cost(const struct state_table *t, int state, int64_t length_ns, int64_t limit_ns,
	bool *limited)
{
	return change_cost_of(
		t, state, machine_verdict(t, state, length_ns), length_ns, limit_ns, limited);
}

int64_t change_cost_of(const struct state_table *t, int state, enum verdict v, int64_t length_ns,
	int64_t limit_ns, bool *limited)
{
	int ideal;

	if (limited)
		*limited = false;
	if (v == VERDICT_ABOVE)
		return max64(0, t->state[state].target_residency_ns - length_ns);
	if (v != VERDICT_BELOW)
		return 0;
	ideal = machine_ideal(t, length_ns, limit_ns);
	/* the kernel's verdict knows no limits: with one, there may have been nothing deeper to take */
	if (ideal <= state) {
		if (limited)
			*limited = true;
		return 0;
	}
	return max64(0, length_ns - t->state[ideal].target_residency_ns);
}

void change_count(struct change_sum *s, const struct state_table *was_table, int was,
	const struct state_table *table, int is, int64_t length_ns, int64_t limit_ns, bool cut)
{
	int64_t before, after;
	bool limited;

	if (was == is)
		s->change.same++;
	else
		s->change.changed++;
	if (cut)
		return;
	after = change_cost(table, is, length_ns, limit_ns, &limited);
	before = change_cost(was_table, was, length_ns, limit_ns, NULL);
	run_change_pair(&s->change, before, after);
	if (was != is) {
		s->change.better += after < before;
		s->change.worse += after > before;
	}
	s->limited += limited;
	s->regret_ns += after;
	s->latency_paid_ns += table->state[is].exit_latency_ns;
	if (machine_verdict(table, is, length_ns) == VERDICT_BELOW && !limited)
		s->too_shallow_ns += length_ns;
}

void change_add_up(struct run *out, const struct change_sum *s)
{
	out->change.changed += s->change.changed;
	out->change.better += s->change.better;
	out->change.worse += s->change.worse;
	out->change.same += s->change.same;
	out->change.pairs += s->change.pairs;
	out->change.cost_recorded += s->change.cost_recorded;
	out->change.cost_run += s->change.cost_run;
	out->change.cost_diff += s->change.cost_diff;
	out->change.cost_diff2 += s->change.cost_diff2;
	out->regret_ns += s->regret_ns;
	out->too_shallow_ns += s->too_shallow_ns;
	out->latency_paid_ns += s->latency_paid_ns;
	out->limited += s->limited;
}
