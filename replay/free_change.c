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
	struct verdict_span span[STATES_MAX];
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
static int64_t add_cost(struct changes *ch, struct track *t, const struct period *p)
{
	bool missed = p->flags & (PERIOD_MISS_ABOVE | PERIOD_MISS_BELOW), limited;
	int64_t length_ns, cost_ns;
	enum verdict v;

	if ((p->flags & PERIOD_FORCED) || ((p->flags & PERIOD_JUDGED) && !missed) ||
		(unsigned)p->entered >= STATES_MAX)
		return 0;
	length_ns = max64(p->exit_ns - p->enter_ns - ch->s->costs.event_ns, 0);
	v = verdict_in(&t->span[p->entered], length_ns);
	if (v != VERDICT_ABOVE && v != VERDICT_BELOW)
		return 0;
	cost_ns = change_cost_of(
		t->table, p->entered, v, length_ns, limit_at(t, ch->c, p->enter_ns), &limited);
	t->regret_ns += cost_ns;
	t->limited += limited;
	if (cost_ns && v == VERDICT_BELOW)
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

static void count_pair(struct changes *ch, int64_t recorded_ns, int64_t run_ns, bool same)
{
	run_change_pair(&ch->change, recorded_ns, run_ns);
	ch->change.same += same;
	ch->change.changed += !same;
	ch->change.better += !same && run_ns < recorded_ns;
	ch->change.worse += !same && run_ns > recorded_ns;
}

static void judge(struct changes *ch, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct stretch_sums *s = &ch->sum[i];

		if (!s->recorded.slept && !s->run.slept)
			continue;
		count_pair(ch, s->recorded.cost_ns, s->run.cost_ns, is_same(s, ch->s));
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

/* both periods belong to the same stretch: the one wake came after both entries, or before both */
static bool share_stretch(const struct changes *ch, const struct sojourn *so,
	const struct period *was, const struct period *is)
{
	int64_t at_ns = so->narrivals ? ch->c->arrival[so->arrival].at_ns : INT64_MAX;

	return (at_ns < was->enter_ns) == (at_ns < is->enter_ns);
}

/* by far the most sojourns are one wake and one period */
static bool quick_sojourn(struct changes *ch, const struct sojourn *so)
{
	const struct period *was = only_period(&ch->recorded, so);
	const struct period *is = only_period(&ch->run, so);
	int64_t time_ns, run_ns, off_ns, cost_ns;
	bool same;

	if (so->narrivals > 1 || !was || !is)
		return false;
	time_ns = was->exit_ns - was->enter_ns;
	run_ns = is->exit_ns - is->enter_ns;
	off_ns = was->state == is->state ? llabs(time_ns - run_ns) : max64(time_ns, run_ns);
	same = off_ns <= tolerance(ch->s, time_ns);
	if (same && was->state == is->state) {
		cost_ns = add_cost(ch, &ch->run, is);
		count_pair(ch, cost_ns, cost_ns, true);
		return true;
	}
	if (!share_stretch(ch, so, was, is))
		return false;
	cost_ns = add_cost(ch, &ch->recorded, was);
	count_pair(ch, cost_ns, add_cost(ch, &ch->run, is), same);
	ch->recorded.next++;
	ch->run.next++;
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

struct changes *free_change_begin(const struct run_cpu *run, const struct state_table *table,
	const struct sojourns *s, const struct run *recorded, int cpu, int64_t limit_ns)
{
	struct changes *ch = xcalloc(1, sizeof(*ch));

	*ch = (struct changes){.s = s, .c = &s->cpu[cpu]};
	ch->recorded = (struct track){.c = &recorded->cpu[cpu],
		.table = machine_table(&recorded->machine, cpu),
		.limit_ns = LATENCY_ANY,
		.fixed_limit_ns = -1};
	ch->run = (struct track){
		.c = run, .table = table, .limit_ns = LATENCY_ANY, .fixed_limit_ns = limit_ns};
	for (int i = 0; i < STATES_MAX; i++) {
		ch->recorded.span[i] = machine_verdict_span(ch->recorded.table, i);
		ch->run.span[i] = machine_verdict_span(table, i);
	}
	return ch;
}

void free_change_feed(struct changes *ch, size_t from, size_t to, size_t run_from)
{
	ch->run.next = run_from;
	for (size_t i = from; i < to; i++)
		change_sojourn(ch, &ch->c->sojourn[i]);
}

void free_change_end(struct changes *ch, struct change_sum *out)
{
	*out = (struct change_sum){.change = ch->change, .regret_ns = ch->run.regret_ns,
		.too_shallow_ns = ch->run.too_shallow_ns, .limited = ch->run.limited};
	free(ch->sum);
	free(ch);
}

void free_changes(struct run *run, const struct sojourns *s, const struct run *recorded,
	int64_t limit_ns)
{
	struct change_sum sum;

	for (int i = 0; i < s->ncpus; i++) {
		struct changes *ch = free_change_begin(&run->cpu[i], machine_table(&run->machine, i), s,
			recorded, i, limit_ns);

		free_change_feed(ch, 0, s->cpu[i].n, 0);
		free_change_end(ch, &sum);
		change_add_up(run, &sum);
	}
}
