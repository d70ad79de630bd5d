// SPDX-License-Identifier: GPL-2.0-or-later
/* The idle loop: what the governor is asked and told. Source: governors.md 5.1; kernel/sched/idle.c
 */
#include "replay/free_walker.h"

#include <stdlib.h>
#include <string.h>

#define ABORTED (-16)		       /* -EBUSY */
#define MAX_DEFERMENT_NS 19110000000LL /* the longest sleep that the clock allows, about */

static int64_t limit_at(struct walker *w, int64_t at_ns)
{
	if (w->set->limit_ns >= 0)
		return w->set->limit_ns;
	while (w->next_limit < w->c->nlimits && w->c->limit[w->next_limit].from_ns <= at_ns)
		w->limit_ns = w->c->limit[w->next_limit++].limit_ns;
	return w->limit_ns;
}

static bool tick_is_held(struct walker *w)
{
	const struct note *n = w->c->note;
	int64_t until_ns = w->select_ns + w->cost->event_ns;

	for (; w->note_held < w->note_end && n[w->note_held].at_ns <= until_ns; w->note_held++)
		if (n[w->note_held].kind == NOTE_HELD || n[w->note_held].kind == NOTE_FREE)
			w->tick_held = n[w->note_held].kind == NOTE_HELD;
	return w->tick_held && !w->stopped;
}

/*
 * tick_nohz_get_sleep_length(): governors.md 5.10. With a task already woken, or the tick needed,
 * it gives the next event. Otherwise it looks past the tick, unless the wheel wants it within a
 * tick.
 */
static void find_sleep(struct walker *w, struct gov_input *in)
{
	const struct arrival *a = next_arrival(w);
	int64_t tick = w->set->tick_ns;
	int64_t next_ns = w->stopped ? w->wheel_ns : w->tick_due_ns;
	int64_t timer_ns = min64(w->hr_ns, w->wheel_ns), jiffy_ns = 0;
	bool woken = wakes_task(a) && a->kind == ARRIVAL_REMOTE && a->at_ns <= w->read_ns;

	next_ns = min64(next_ns, w->hr_ns);
	/* the division is dear, and needed for the wheel only */
	if (w->wheel_ns != NEVER_NS || timer_ns == NEVER_NS)
		jiffy_ns = sojourns_grid(w->set->s, w->base_ns, tick) - tick;
	if (timer_ns == NEVER_NS)
		timer_ns = jiffy_ns + MAX_DEFERMENT_NS;
	if (next_ns == NEVER_NS)
		next_ns = timer_ns;
	w->can_stop = !woken && !tick_is_held(w) && (w->stopped || w->wheel_ns - jiffy_ns > tick);
	in->tick_delta_ns = next_ns - w->base_ns;
	/* with no tick known, one is due within a tick as long as it runs */
	if (w->set->bound >= BOUND_NO_TIMERS && !w->stopped)
		in->tick_delta_ns = min64(in->tick_delta_ns, tick);
	in->sleep_ns = w->can_stop ? timer_ns - w->base_ns : in->tick_delta_ns;
}

static bool far_away(const struct walker *w)
{
	const struct arrival *a = next_arrival(w);

	return (a ? a->at_ns : w->so->end_ns) - w->base_ns > w->set->tick_ns;
}

/*
 * For the oracle: the kernel's residency of the sleep to come, but for the exit latency of the state.
 * @tick: the tick is kept, and may end it
 */
static int64_t true_length(struct walker *w, bool tick)
{
	const struct arrival *a = next_arrival(w);
	int64_t at_ns = a ? a->at_ns : w->so->end_ns, event_ns = w->cost->event_ns;
	int64_t delay_ns = 0, recorded_ns = 0;

	if (tick && !w->stopped && w->tick_due_ns < at_ns) {
		const struct note *n = walker_tick_note(w);

		at_ns = w->tick_due_ns;
		delay_ns = n && n->then.delay_ns >= 0 ? n->then.delay_ns : w->cost->tick_delay_ns;
		if (n)
			event_ns = known_or(n->then.event_ns, event_ns);
	} else if (a) {
		delay_ns = known_or(a->then.delay_ns, w->cost->delay_ns[a->kind]);
		event_ns = known_or(a->then.event_ns, event_ns);
		if (a->then.delay_ns != UNKNOWN_NS)
			recorded_ns = walker_recorded_latency(w, a->period);
	}
	return max64(at_ns, w->entry_ns) - w->entry_ns + max64(delay_ns - recorded_ns, 0) - event_ns;
}

/* would the decision be another if as many tasks waited for I/O, or the CPU was as busy, as may have been */
static void count_doubt(struct walker *w, const struct gov_input *in, const struct gov_choice *c)
{
	const struct governor *gov = w->set->spec->gov;
	struct gov_input other = *in;

	if (!((c->read & GOV_READ_IOWAIT) && w->so->iowait_max) && !(c->read & GOV_READ_UTIL))
		return;
	other.iowait = in->iowait ? 0 : w->so->iowait_max;
	other.utilized = !in->utilized;
	memcpy(w->scratch, w->held, gov->cpu_size);
	w->out->cpu->doubtful++;
	w->out->cpu->undetermined += gov->select(w->scratch, &other, -1).state != c->state;
}

static void select_state(struct walker *w)
{
	const struct governor *gov = w->set->spec->gov;
	struct gov_input in = {.now_ns = w->begin_ns,
		.limit_ns = limit_at(w, w->select_ns),
		.tick_stopped = w->stopped,
		.iowait = w->set->busiest ? w->so->iowait_max : 0,
		.utilized = w->set->busiest,
		.disabled = w->table->disabled};
	struct gov_choice choice;

	find_sleep(w, &in);
	w->doubted = w->so->iowait_max || (w->out->cpu->read & GOV_READ_UTIL);
	if (w->spans || w->doubted)
		memcpy(w->held, w->memory, gov->cpu_size);
	choice = gov->select(w->memory, &in, gov->sees_future ? true_length(w, !w->can_stop) : -1);
	w->state = choice.state;
	w->window_ns = choice.poll_limit_ns;
	w->out->cpu->decisions++;
	/* those that know no timers stop the tick for an arrival that is far away: replay.md 5 */
	if (gov->reference && !w->set->keeps_tick && w->table->timeout_ns[w->state] == INT64_MAX)
		choice.stop_tick |= far_away(w);
	/* a tick that is kept may cut the sleep short, which the oracle knows too */
	if (gov->sees_future && !choice.stop_tick)
		w->state = gov->select(w->memory, &in, true_length(w, true)).state;
	choice.state = w->state;
	w->out->cpu->read |= choice.read;
	if (w->spans)
		span_choices(w, &in, &choice);
	else if (w->doubted)
		count_doubt(w, &in, &choice);
	if (choice.stop_tick && w->can_stop && !w->stopped) {
		w->stopped = true;
		w->out->cpu->tick_stops++;
	}
}

/* --- after it --- */

static void record_period(struct walker *w, int64_t residency_ns)
{
	struct run_cpu *c = w->out->cpu;
	enum verdict v = verdict_in(&w->table->span[w->state], residency_ns);
	struct period *p;

	GROW(c->period, c->nperiods, c->cap);
	p = &c->period[c->nperiods++];
	*p = (struct period){.enter_ns = w->entry_ns,
		.exit_ns = w->exit_ns,
		.state = (int8_t)w->state,
		.entered = (int8_t)w->state,
		.wake = w->wake,
		.delay_ns = w->delay_ns,
		.flags = PERIOD_JUDGED};
	w->delay_ns = 0;
	if (v == VERDICT_ABOVE)
		p->flags |= PERIOD_MISS_ABOVE;
	if (v == VERDICT_BELOW)
		p->flags |= PERIOD_MISS_BELOW;
	if (w->final)
		p->flags |= PERIOD_RESCHED;
	/* the task ran from then on in the recording; what lies beyond is latency paid, not idle
	 * time */
	p->exit_ns = max64(min64(p->exit_ns, w->so->end_ns), p->enter_ns);
}

static void reflect(struct walker *w)
{
	int64_t residency_ns = max64(1, w->exit_ns - w->entry_ns - w->event_ns);
	struct gov_outcome out = {.entered = w->state,
		.residency_ns = residency_ns,
		.got_tick = w->got_tick,
		.now_ns = w->exit_ns + w->reflect_ns};

	out.poll_limit = w->limit_hit && w->table->table->state[w->state].timeout_sets_poll_limit;
	if (w->spans)
		span_count(w);
	record_period(w, residency_ns);
	w->set->spec->gov->reflect(w->memory, &out);
	/* whatever the governor left of it: the idle loop clears it after each iteration */
	w->got_tick = false;
}

static void abort_entry(struct walker *w)
{
	struct gov_outcome out = {.entered = ABORTED, .now_ns = w->entry_ns};

	w->set->spec->gov->reflect(w->memory, &out);
	w->out->cpu->aborted++;
}

/* --- the loop --- */

static void set_times(struct walker *w, int64_t entry_ns, int64_t base_ns, int32_t select_ns)
{
	const struct sojourn_costs *k = w->cost;

	w->entry_ns = entry_ns;
	w->base_ns = base_ns;
	w->select_ns = entry_ns - k->select_ns;
	w->begin_ns = entry_ns - known_or(select_ns, k->select_start_ns);
	w->read_ns = entry_ns - (k->select_ns + k->select_start_ns) / 2;
}

/* where the entry was aborted a wake may still have come after the select, and the tick been stopped */
static void set_first_times(struct walker *w, const struct sojourn *so)
{
	int64_t base_ns = so->start_ns + w->cost->event_ns, last_ns = so->end_ns - 1;

	if (so->entry_ns == NEVER_NS)
		set_times(w, min64(so->start_ns + so->select_ns + w->cost->select_ns, last_ns), base_ns,
			UNKNOWN_NS);
	else
		set_times(w, min64(so->entry_ns, last_ns), base_ns, so->select_ns);
}

static bool begin(struct walker *w, const struct sojourn *so)
{
	if (so->flags & SOJOURN_SKIP)
		return false;
	/* without periods and without a select nothing is known to have been asked */
	if (so->entry_ns == NEVER_NS && !(so->flags & SOJOURN_SELECTED))
		return false;
	if (so->flags & SOJOURN_RESET) {
		memset(w->memory, 0, w->set->spec->gov->cpu_size);
		w->set->spec->gov->init(w->memory, &w->machine, w->set->spec);
	}
	w->so = so;
	w->a = w->c->arrival + so->arrival;
	w->k = 0;
	w->n = so->narrivals;
	w->note_tick = w->note_held = w->note_limit = so->note;
	w->note_end = so->note + so->nnotes;
	w->tick_held = w->stopped = w->got_tick = false;
	w->earlier = 0;
	w->unsure = false;
	w->hr_ns = so->next_hr_ns;
	w->wheel_ns = so->next_wheel_ns;
	w->tick_due_ns = so->tick_ns;
	if (w->set->tick_ns != w->set->s->tick_ns && so->tick_ns != NEVER_NS)
		w->tick_due_ns = sojourns_grid(w->set->s, so->start_ns, w->set->tick_ns);
	if (w->set->bound == BOUND_TIMERS)
		w->hr_ns = w->a[0].at_ns;
	w->first = true;
	set_first_times(w, so);
	/* handled before the first entry, in the recording and now: the choice has no part in it */
	while (w->k < w->n && (w->a[w->k].flags & ARRIVAL_BEFORE) && w->a[w->k].period == 0)
		w->k++;
	return true;
}

/* what was handled before interrupts went off; true: a task was woken, the loop is left */
static bool before_head(struct walker *w)
{
	const struct arrival *a;

	for (a = next_arrival(w); !w->first && a && a->at_ns <= w->base_ns; a = next_arrival(w)) {
		if (wakes_task(a))
			return true;
		w->got_tick |= runs_in_tick(a);
		handle(w, a);
	}
	/* before the idle loop begins a tick is not one that came in idle */
	ticks_until(w, w->base_ns);
	if (w->first)
		w->got_tick = false;
	return false;
}

/* the recorded entry with this very wake under way shows that need_resched was not yet set then */
static int64_t shown_entry(const struct walker *w, const struct arrival *a)
{
	if (!(a->flags & ARRIVAL_ENDED) || a->period >= w->so->nperiods)
		return INT64_MIN;
	return w->trace->cpu[w->cpu].period[w->so->period + a->period].enter_ns;
}

/* is need_resched seen just before the entry; the first entry is as recorded */
static bool is_aborted(const struct walker *w, int64_t entry_ns)
{
	const struct arrival *a = next_arrival(w);

	if (w->first)
		return w->so->entry_ns == NEVER_NS;
	return wakes_task(a) && is_remote(a) && a->at_ns <= entry_ns - w->cost->event_ns &&
	       entry_ns > shown_entry(w, a);
}

/* on leaving the idle loop a stopped tick is started again, on its grid */
static void reenter(struct walker *w)
{
	if (w->stopped)
		w->tick_due_ns = sojourns_grid(w->set->s, w->exit_ns, w->set->tick_ns);
	w->stopped = w->tick_held = w->got_tick = false;
}

static bool next_iteration(struct walker *w)
{
	const struct arrival *a = next_arrival(w);
	int64_t entry_ns = w->exit_ns + w->turn_ns;

	w->first = false;
	if (w->reentered)
		reenter(w);
	/* had the CPU slept again before this wake, the recording would show it */
	if (w->last_entry && wakes_task(a) && is_remote(a))
		entry_ns = max64(entry_ns, a->at_ns + w->cost->event_ns);
	/* interrupts are handled late in the turn: about a first entry's cost is left after them */
	set_times(w, entry_ns, max64(w->exit_ns + w->cost->event_ns, entry_ns - w->cost->first_ns),
		w->next_select_ns);
	return entry_ns < w->so->end_ns || is_aborted(w, entry_ns);
}

static void keep_recorded(struct walker *w, const struct sojourn *so)
{
	const struct period *p = w->trace->cpu[w->cpu].period + so->period;
	struct run_cpu *c = w->out->cpu;

	for (uint32_t i = 0; i < so->nperiods; i++) {
		GROW(c->period, c->nperiods, c->cap);
		c->period[c->nperiods++] = p[i];
	}
}

static void walk_sojourn(struct walker *w, const struct sojourn *so)
{
	if (so->flags & SOJOURN_SKIP)
		keep_recorded(w, so);
	if (!begin(w, so))
		return;
	do {
		if (before_head(w))
			return;
		select_state(w);
		if (is_aborted(w, w->entry_ns)) {
			abort_entry(w);
			return;
		}
		walker_sleep(w);
		reflect(w);
	} while (!w->final && next_iteration(w));
}

struct walker *free_cpu_begin(struct free_result *out, const struct free_setup *setup, int cpu)
{
	const struct gov_spec *spec = setup->spec;
	const struct machine *m = setup->machine;
	struct walker *w = xcalloc(1, sizeof(*w));

	*w = (struct walker){.set = setup,
		.cost = &setup->s->costs,
		.c = &setup->s->cpu[cpu],
		.table = &setup->table[cpu < m->ncpus ? m->table_of[cpu] : 0],
		.trace = setup->trace,
		.cpu = cpu,
		.out = out,
		.limit_ns = LATENCY_ANY};
	w->machine = (struct gov_machine){.table = w->table->table, .hz = setup->hz,
		.tick_ns = setup->tick_ns, .cpu = cpu};
	w->memory = xcalloc(1, spec->gov->cpu_size ? spec->gov->cpu_size : 1);
	spec->gov->init(w->memory, &w->machine, spec);
	w->held = xcalloc(1, spec->gov->cpu_size + 1);
	w->scratch = xcalloc(1, spec->gov->cpu_size + 1);
	w->spans = setup->bound != BOUND_NONE;
	return w;
}

void free_cpu_walk(struct walker *w, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		walk_sojourn(w, &w->c->sojourn[i]);
}

void free_cpu_end(struct walker *w)
{
	free(w->memory);
	free(w->held);
	free(w->scratch);
	free(w);
}

void free_cpu_run(struct free_result *out, const struct free_setup *setup, int cpu)
{
	struct walker *w = free_cpu_begin(out, setup, cpu);

	free_cpu_walk(w, 0, w->c->n);
	free_cpu_end(w);
}
