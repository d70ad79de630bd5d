// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recordings that hold little: what a decision could have chosen had the unknown been otherwise. Each is
 * asked with every reading of its inputs; a sum is at least what no reading changes, at most what any gives.
 */
#include "replay/free_walker.h"

#include <string.h>

enum { LEAST, MOST };

#define SLOW_EVENT 4

/* how one reading would have answered; the memory stays as it is */
static void ask(struct walker *w, const struct gov_input *in)
{
	const struct gov_spec *spec = w->set->spec;
	struct gov_choice c;

	memcpy(w->scratch, w->held, spec->gov->cpu_size);
	c = spec->gov->select(w->scratch, in, -1);
	w->possible |= 1u << c.state;
	w->may_split |= !c.stop_tick && !in->tick_stopped;
}

/* the tick: far, about to come, or stopped */
static void ask_ticks(struct walker *w, struct gov_input in, int64_t sleep_ns, int64_t length_ns)
{
	int64_t tick_ns = w->set->tick_ns;

	in.sleep_ns = sleep_ns;
	in.tick_stopped = false;
	in.tick_delta_ns = min64(sleep_ns, tick_ns);
	ask(w, &in);
	in.tick_delta_ns = min64(sleep_ns, min64(length_ns, tick_ns));
	ask(w, &in);
	in.tick_stopped = true;
	in.tick_delta_ns = sleep_ns;
	ask(w, &in);
}

/* the next timer: the wake itself, or far away; what one between them gives lies between */
static void ask_timers(struct walker *w, const struct gov_input *in, int64_t length_ns)
{
	ask_ticks(w, *in, length_ns, length_ns);
	ask_ticks(w, *in, INT64_MAX / 2, length_ns);
}

/*
 * A latency limit may have been what kept the recorded state from being deeper; then it allowed no more
 * than that state's latency.
 */
static void limit_as_entered(struct walker *w)
{
	const struct state_table *from = machine_table(w->set->recorded, w->cpu);
	const struct state_table *t = w->table->table;
	const struct period *p = &w->trace->cpu[w->cpu].period[w->so->period];
	int64_t limit_ns = p->state < from->nstates ? from->state[p->state].exit_latency_ns : 0;
	int allowed = __builtin_ctz(w->possible);

	if (w->set->limit_ns >= 0)
		return;
	for (int i = 0; i < t->nstates; i++)
		if (!(w->table->disabled & 1u << i) && (!i || t->state[i].exit_latency_ns <= limit_ns))
			allowed = i;
	if (allowed < 31 - __builtin_clz(w->possible))
		w->possible |= 1u << allowed;
}

/* between two states that may have been chosen, any may */
static unsigned filled(const struct walker *w, unsigned mask)
{
	int lo = __builtin_ctz(mask), hi = 31 - __builtin_clz(mask);

	for (int i = lo + 1; i < hi; i++)
		if (!(w->table->disabled & 1u << i))
			mask |= 1u << i;
	return mask;
}

static void ask_readings(struct walker *w, struct gov_input in, unsigned read, int64_t length_ns)
{
	ask_timers(w, &in, length_ns);
	if (read & GOV_READ_IOWAIT) {
		in.iowait = 1;
		ask_timers(w, &in, length_ns);
		in.iowait = 0;
	}
	in.utilized = true;
	if (read & GOV_READ_UTIL)
		ask_timers(w, &in, length_ns);
	limit_as_entered(w);
	w->possible = filled(w, w->possible);
}

void span_choices(struct walker *w, const struct gov_input *in, const struct gov_choice *c)
{
	const struct arrival *a = next_arrival(w);
	int64_t length_ns = (a ? a->at_ns : w->so->end_ns) - w->base_ns;
	struct gov_input other = *in;

	w->possible = 1u << c->state;
	w->may_split = !c->stop_tick;
	if (!w->set->spec->gov->reference)
		ask_readings(w, other, c->read, length_ns);
	w->may_split &= length_ns > w->set->tick_ns;
	/* after each tick it is asked anew */
	if (w->may_split && !w->set->spec->gov->reference)
		w->possible = ~w->table->disabled & ((1u << w->table->table->nstates) - 1);
}
/* --- counting --- */

static void count_verdicts(struct walker *w, int state, int64_t length_ns, bool certain, uint64_t n)
{
	const struct verdict_span *v = &w->table->span[state];
	struct state_span *s = &w->out->cpu->span[state];
	const struct sojourn_costs *k = w->cost;
	enum verdict one = verdict_in(v, max64(length_ns - k->event_lo_ns, 1));
	/* interrupts and slow events go on top of the usual cost */
	enum verdict other = verdict_in(v, max64(length_ns - SLOW_EVENT * k->event_hi_ns, 1));

	if (one == VERDICT_ABOVE || other == VERDICT_ABOVE)
		s->above[MOST] += n;
	if (one == VERDICT_BELOW || other == VERDICT_BELOW)
		s->below[MOST] += n;
	if (certain && one == other) {
		s->above[LEAST] += one == VERDICT_ABOVE ? n : 0;
		s->below[LEAST] += one == VERDICT_BELOW ? n : 0;
	}
}

/* a state that was not chosen lasts until the wake, one that gives up by itself as often as it fits */
static void count_other(struct walker *w, int state)
{
	int64_t timeout_ns = w->table->timeout_ns[state];
	int64_t length_ns = max64(w->so->end_ns - 1 - w->entry_ns, 0);
	struct state_span *s = &w->out->cpu->span[state];
	uint64_t n = 1;

	if (timeout_ns == INT64_MAX && w->may_split)
		timeout_ns = w->set->tick_ns;
	if (timeout_ns != INT64_MAX && timeout_ns > 0)
		n += (uint64_t)(length_ns / timeout_ns);
	s->usage[MOST] += n;
	s->time_ns[MOST] += length_ns;
	count_verdicts(w, state, n > 1 ? min64(length_ns, timeout_ns) : length_ns, false, n);
}

void span_count(struct walker *w)
{
	struct state_span *s = &w->out->cpu->span[w->state];
	int64_t length_ns = min64(w->exit_ns, w->so->end_ns) - w->entry_ns;
	bool certain = !w->unsure && !w->may_split && w->possible == 1u << w->state;

	s->usage[MOST] += 1 + (w->may_split ? (uint64_t)(length_ns / w->set->tick_ns) : 0);
	s->time_ns[MOST] += length_ns;
	if (certain) {
		s->usage[LEAST]++;
		s->time_ns[LEAST] += length_ns;
	}
	count_verdicts(w, w->state, length_ns, certain, 1);
	for (int i = 0; i < w->table->table->nstates; i++)
		if ((w->possible & ~w->earlier) & 1u << i && i != w->state)
			count_other(w, i);
	w->earlier |= w->possible;
	w->unsure |= !certain;
}
