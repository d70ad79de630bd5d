// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where a replay did better or worse than the recording: per stretch between exogenous wakes, since
 * the two need not have the same number of periods in it (replay.md 5).
 */
#include "replay/free_cpu.h"

#include <stdlib.h>
#include <string.h>

/* what one side did in one stretch */
struct side {
	int64_t time_ns[STATES_MAX], cost_ns;
	bool slept;
};

struct stretch_sums {
	struct side recorded, run;
};

/* one side's way through its periods */
struct track {
	const struct run_cpu *c;
	const struct state_table *table;
	size_t next;
	size_t next_limit;
	int64_t limit_ns, fixed_limit_ns; /* the latter < 0: as recorded */
	uint64_t limited;
	int64_t regret_ns, too_shallow_ns;
};

struct changes {
	const struct sojourns *s;
	const struct sojourns_cpu *c;
	struct track recorded, run;
	struct stretch_sums *sum;
	size_t cap;
	struct run_change change;
};

static int64_t limit_at(struct track *t, const struct sojourns_cpu *c, int64_t at_ns)
{
	if (t->fixed_limit_ns >= 0)
		return t->fixed_limit_ns;
	while (t->next_limit < c->nlimits && c->limit[t->next_limit].from_ns <= at_ns)
		t->limit_ns = c->limit[t->next_limit++].limit_ns;
	return t->limit_ns;
}

/* what a period cost against the ideal; a replay's verdict is known already */
static int64_t cost_of(struct changes *ch, struct track *t, const struct period *p, bool *limited)
{
	int64_t length_ns = max64(p->exit_ns - p->enter_ns - ch->s->costs.event_ns, 0);
	bool missed = p->flags & (PERIOD_MISS_ABOVE | PERIOD_MISS_BELOW);

	*limited = false;
	if ((p->flags & PERIOD_FORCED) || ((p->flags & PERIOD_JUDGED) && !missed))
		return 0;
	return change_cost(t->table, p->entered, length_ns, limit_at(t, ch->c, p->enter_ns), limited);
}

static int64_t add_cost(struct changes *ch, struct track *t, const struct period *p)
{
	bool limited;
	int64_t cost_ns = cost_of(ch, t, p, &limited);
	int64_t length_ns = p->exit_ns - p->enter_ns - ch->s->costs.event_ns;

	t->regret_ns += cost_ns;
	t->limited += limited;
	if (cost_ns && machine_verdict(t->table, p->entered, length_ns) == VERDICT_BELOW)
		t->too_shallow_ns += length_ns;
	return cost_ns;
}

static void add_period(struct changes *ch, struct track *t, struct side *side,
	const struct period *p)
{
	side->slept = true;
	side->time_ns[p->state] += p->exit_ns - p->enter_ns;
	side->cost_ns += add_cost(ch, t, p);
}

/*
 * A period belongs to the wake that ended it; one that ended by a tick or a time-out, to the wake
 * that came next.
 */
static void fill_side(struct changes *ch, struct track *t, const struct sojourn *so, bool run)
{
	const struct arrival *a = ch->c->arrival + so->arrival;
	size_t k = 0;

	while (t->next < t->c->nperiods && t->c->period[t->next].enter_ns < so->start_ns)
		t->next++;
	for (; t->next < t->c->nperiods && t->c->period[t->next].enter_ns < so->end_ns; t->next++) {
		const struct period *p = &t->c->period[t->next];

		if (p->flags & PERIOD_CUT_END)
			break;
		while (k < so->narrivals && a[k].at_ns < p->enter_ns)
			k++;
		add_period(ch, t, run ? &ch->sum[k].run : &ch->sum[k].recorded, p);
	}
}

/* the same states for the same times, but for the jitter of a few events */
static int64_t tolerance(const struct sojourns *s, int64_t all_ns)
{
	return all_ns / 100 + 2 * max64(s->costs.event_ns, 1000);
}

static bool is_same(const struct stretch_sums *sum, const struct sojourns *s)
{
	int64_t all_ns = 0;

	for (int i = 0; i < STATES_MAX; i++)
		all_ns += sum->recorded.time_ns[i];
	for (int i = 0; i < STATES_MAX; i++)
		if (llabs(sum->recorded.time_ns[i] - sum->run.time_ns[i]) > tolerance(s, all_ns))
			return false;
	return true;
}

static void judge(struct changes *ch, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct stretch_sums *s = &ch->sum[i];

		if (!s->recorded.slept && !s->run.slept)
			continue;
		run_change_pair(&ch->change, s->recorded.cost_ns, s->run.cost_ns);
		if (is_same(s, ch->s)) {
			ch->change.same++;
			continue;
		}
		ch->change.changed++;
		ch->change.better += s->run.cost_ns < s->recorded.cost_ns;
		ch->change.worse += s->run.cost_ns > s->recorded.cost_ns;
	}
}

/* the track's only period in a sojourn; NULL when there is none or more than one */
static const struct period *only_period(struct track *t, const struct sojourn *so)
{
	const struct period *p = t->c->period;

	while (t->next < t->c->nperiods && p[t->next].enter_ns < so->start_ns)
		t->next++;
	if (t->next >= t->c->nperiods || p[t->next].enter_ns >= so->end_ns)
		return NULL;
	if (t->next + 1 < t->c->nperiods && p[t->next + 1].enter_ns < so->end_ns)
		return NULL;
	return p[t->next].flags & PERIOD_CUT_END ? NULL : &p[t->next];
}

/* by far the most sojourns are one wake and one period in which nothing changed */
static bool quick_sojourn(struct changes *ch, const struct sojourn *so)
{
	const struct period *was = only_period(&ch->recorded, so);
	const struct period *is = only_period(&ch->run, so);
	int64_t time_ns, cost_ns;

	if (so->narrivals > 1 || !was || !is || was->state != is->state)
		return false;
	time_ns = was->exit_ns - was->enter_ns;
	if (llabs(time_ns - (is->exit_ns - is->enter_ns)) > tolerance(ch->s, time_ns))
		return false;
	cost_ns = add_cost(ch, &ch->run, is);
	run_change_pair(&ch->change, cost_ns, cost_ns);
	ch->change.same++;
	return true;
}

static void change_sojourn(struct changes *ch, const struct sojourn *so)
{
	size_t n = (size_t)so->narrivals + 1;

	if (quick_sojourn(ch, so))
		return;
	if (n > ch->cap) {
		ch->cap = 2 * n;
		ch->sum = xrealloc(ch->sum, ch->cap, sizeof(*ch->sum));
	}
	memset(ch->sum, 0, n * sizeof(*ch->sum));
	fill_side(ch, &ch->recorded, so, false);
	fill_side(ch, &ch->run, so, true);
	judge(ch, n);
}

static struct track track_of(const struct run *r, int cpu, int64_t limit_ns)
{
	return (struct track){.c = &r->cpu[cpu], .table = machine_table(&r->machine, cpu),
		.limit_ns = LATENCY_ANY, .fixed_limit_ns = limit_ns};
}

void free_change_cpu(struct change_sum *out, const struct run *run, const struct sojourns *s,
	const struct run *recorded, int cpu, int64_t limit_ns)
{
	struct changes ch = {.s = s, .c = &s->cpu[cpu], .recorded = track_of(recorded, cpu, -1),
		.run = track_of(run, cpu, limit_ns)};

	for (size_t i = 0; i < ch.c->n; i++)
		change_sojourn(&ch, &ch.c->sojourn[i]);
	free(ch.sum);
	*out = (struct change_sum){.change = ch.change, .regret_ns = ch.run.regret_ns,
		.too_shallow_ns = ch.run.too_shallow_ns, .limited = ch.run.limited};
}

void free_changes(struct run *run, const struct sojourns *s, const struct run *recorded,
	int64_t limit_ns)
{
	struct change_sum sum;

	for (int i = 0; i < s->ncpus; i++) {
		free_change_cpu(&sum, run, s, recorded, i, limit_ns);
		change_add_up(run, &sum);
	}
}
