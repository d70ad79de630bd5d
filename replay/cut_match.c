// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/cut.h"

#include <stdlib.h>
#include <string.h>

/* an interrupt sent this little before the remote waking was sent for it */
#define SAME_WAKE_NS 3000
/* handlers that ended no period: the loop goes on about this long after they began */
#define HANDLED_NS 20000
/* a cancel of the tick followed by a start this soon is a restart, not a stop */
#define RESTART_NS 30000
/* how far polling overshoots its limit: governors.md 5.6; much further when interrupts come in */
#define OVERSHOOT_NS 25000
#define OVERSHOOT_RARE_NS 500000

static int32_t clamp32(int64_t ns)
{
	return (int32_t)max64(min64(ns, INT32_MAX), -INT32_MAX);
}

/* --- what ended the stretch --- */

static struct draft *append(struct cutter *c, int64_t at_ns, enum arrival_kind kind, uint8_t flags)
{
	GROW(c->draft, c->ndrafts, c->draft_cap);
	c->draft[c->ndrafts] = (struct draft){.handler_ns = at_ns,
		.a = {.at_ns = at_ns,
			.kind = (uint8_t)kind,
			.flags = flags,
			.then = FOLLOW_UNKNOWN}};
	return &c->draft[c->ndrafts++];
}

static bool ended_here(struct cutter *c)
{
	const struct tick_seen *tick;

	if (c->st->waking_cpu != c->cpu || c->st->waking_ns < c->st->start_ns)
		return false;
	if (c->woke_draft >= 0) {
		c->draft[c->woke_draft].a.flags |= ARRIVAL_RESCHED;
		return true;
	}
	if (c->woke_tick < 0)
		return false;
	tick = &c->tick[c->woke_tick];
	append(c, tick->due_ns, ARRIVAL_TICK_WORK, ARRIVAL_RESCHED)->handler_ns = tick->handler_ns;
	return true;
}

/* the interrupt that carries a remote waking is that waking */
static bool ended_remotely(struct cutter *c)
{
	size_t kept = 0;

	if (c->st->waking_cpu < 0 || c->st->waking_cpu == c->cpu)
		return false;
	for (size_t i = 0; i < c->ndrafts; i++)
		if (c->draft[i].a.kind != ARRIVAL_IPI ||
			c->draft[i].a.at_ns < c->st->waking_ns - SAME_WAKE_NS)
			c->draft[kept++] = c->draft[i];
	c->ndrafts = kept;
	/* from waking to need_resched it takes some us: a tick stopped in between shows that it was not set */
	append(c, max64(c->st->waking_ns, min64(c->stopped_ns + 1, c->st->end_ns - 1)), ARRIVAL_REMOTE,
		ARRIVAL_RESCHED);
	return true;
}

static void ended_somehow(struct cutter *c)
{
	const struct seen *last = c->nseen ? &c->seen[c->nseen - 1] : NULL;
	struct draft *d = c->ndrafts ? &c->draft[c->ndrafts - 1] : NULL;

	if (d && d->handler_ns > (last ? last->enter_ns : c->st->start_ns))
		d->a.flags |= ARRIVAL_RESCHED;
	else
		append(c, last ? last->exit_ns : c->st->start_ns, ARRIVAL_UNKNOWN, ARRIVAL_RESCHED);
}

static bool sorts_after(const struct draft *x, const struct draft *y)
{
	if (x->a.at_ns != y->a.at_ns)
		return x->a.at_ns > y->a.at_ns;
	return (x->a.flags & ARRIVAL_RESCHED) > (y->a.flags & ARRIVAL_RESCHED);
}

/* by arrival; nothing after the wake that ends the stretch belongs to it */
static void sort_drafts(struct cutter *c)
{
	for (size_t i = 1; i < c->ndrafts; i++) {
		struct draft d = c->draft[i];
		size_t k = i;

		for (; k && sorts_after(&c->draft[k - 1], &d); k--)
			c->draft[k] = c->draft[k - 1];
		c->draft[k] = d;
	}
	for (size_t i = 0; i < c->ndrafts; i++)
		if (c->draft[i].a.flags & ARRIVAL_RESCHED)
			c->ndrafts = i + 1;
}

/* --- which wake ended which period --- */

struct match {
	struct cutter *c;
	size_t draft, tick; /* the next that is not used up */
	size_t period;
	const struct seen *p;
	int64_t next_ns;     /* next entry, or the end */
	bool handled_inside; /* a handler ran before the exit */
	struct follow_up
		then; /* what followed this period's exit; the delay is filled in per wake */
};

static bool belongs(const struct match *m, const struct draft *d)
{
	if (d->a.at_ns > m->p->exit_ns)
		return false;
	return d->handler_ns < m->next_ns || (d->a.flags & ARRIVAL_RESCHED);
}

static void mark_before(struct match *m)
{
	struct cutter *c = m->c;

	for (; m->draft < c->ndrafts; m->draft++) {
		struct draft *d = &c->draft[m->draft];

		if (d->a.at_ns >= m->p->enter_ns || d->handler_ns >= m->p->enter_ns ||
			(d->a.flags & ARRIVAL_RESCHED))
			return;
		d->a.flags |= ARRIVAL_BEFORE;
		d->a.period = (uint32_t)m->period;
	}
}

/* told by an event of another CPU, whose clock is not this one's */
static bool foreign_time(const struct match *m, const struct draft *d)
{
	return !m->c->t->clock_global && (d->a.kind == ARRIVAL_REMOTE || d->a.kind == ARRIVAL_IPI);
}

static void mark_ended(struct match *m, struct draft *d)
{
	int64_t delay_ns = max64(0, m->p->exit_ns - max64(d->a.at_ns, m->p->enter_ns));

	d->a.flags |= ARRIVAL_ENDED;
	d->a.period = (uint32_t)m->period;
	d->a.then = m->then;
	d->a.then.delay_ns = foreign_time(m, d) ? UNKNOWN_NS : clamp32(delay_ns);
	m->handled_inside |= d->handler_ns < m->p->exit_ns;
}

static void add_note(struct match *m, enum note_kind kind, int64_t at_ns, int64_t delay_ns)
{
	struct sojourns_cpu *o = m->c->out;
	struct note *n;

	GROW(o->note, o->nnotes, o->note_cap);
	n = &o->note[o->nnotes++];
	*n = (struct note){.at_ns = at_ns,
		.then = m->then,
		.period = (uint32_t)m->period,
		.kind = (uint8_t)kind};
	n->then.delay_ns = clamp32(delay_ns);
}

static void note_ticks(struct match *m)
{
	struct cutter *c = m->c;

	for (; m->tick < c->nticks && c->tick[m->tick].handler_ns < m->next_ns; m->tick++) {
		int64_t due_ns = c->tick[m->tick].due_ns;

		if (c->tick[m->tick].handler_ns < m->p->enter_ns)
			continue;
		m->handled_inside |= c->tick[m->tick].handler_ns < m->p->exit_ns;
		add_note(m, NOTE_TICK, due_ns, m->p->exit_ns - max64(due_ns, m->p->enter_ns));
	}
}

/*
 * The state entered is not looked at: free replay must not depend on what the recorded governor
 * chose. A polling time-out shows in its length when nothing else explains the exit. Handlers run
 * inside polling; out of other states they run after the exit, except on POWER.
 */
static bool timed_out(const struct match *m, bool explained)
{
	const struct cutter *c = m->c;
	int64_t length_ns = m->p->exit_ns - m->p->enter_ns, timeout_ns = c->timeout_ns;
	int64_t over_ns = c->all->have_interrupts ? OVERSHOOT_RARE_NS : OVERSHOOT_NS;

	if (m->period + 1 >= c->nseen || m->p->resched || timeout_ns == NEVER_NS)
		return false;
	if (explained && !c->handlers_follow)
		over_ns = min64(timeout_ns, OVERSHOOT_NS);
	else if (explained && !m->handled_inside)
		return false;
	return length_ns > timeout_ns && length_ns <= timeout_ns + over_ns;
}

/* an arrival stamped after the exit that it caused, or a wake of which nothing is known */
static void explain_exit(struct match *m)
{
	struct cutter *c = m->c;
	struct draft *d = &c->draft[m->draft];

	if (m->draft < c->ndrafts && d->handler_ns < m->next_ns) {
		d->a.at_ns = min64(d->a.at_ns, m->p->exit_ns);
	} else {
		append(c, m->p->exit_ns, ARRIVAL_UNKNOWN, 0);
		d = &c->draft[m->draft];
		memmove(d + 1, d, (c->ndrafts - 1 - m->draft) * sizeof(*d));
		*d = (struct draft){.handler_ns = m->p->exit_ns,
			.a = {.at_ns = m->p->exit_ns, .kind = ARRIVAL_UNKNOWN}};
	}
	mark_ended(m, d);
	m->draft++;
}

static void match_period(struct match *m)
{
	struct cutter *c = m->c;
	size_t first, ticks = c->out->nnotes;
	bool explained;

	m->handled_inside = false;
	mark_before(m);
	first = m->draft;
	for (; m->draft < c->ndrafts && belongs(m, &c->draft[m->draft]); m->draft++)
		mark_ended(m, &c->draft[m->draft]);
	note_ticks(m);
	explained = m->draft > first || c->out->nnotes > ticks;
	if (timed_out(m, explained))
		add_note(m, NOTE_LIMIT, m->p->enter_ns, m->p->exit_ns - m->p->enter_ns);
	else if (!explained)
		explain_exit(m);
}

static int32_t between(int64_t from_ns, int64_t to_ns)
{
	return from_ns == INT64_MIN || to_ns == INT64_MIN ? UNKNOWN_NS : clamp32(to_ns - from_ns);
}

static struct follow_up follow_up_of(const struct seen *p, const struct seen *next)
{
	struct follow_up f = FOLLOW_UNKNOWN;

	f.reflect_ns = between(p->exit_ns, p->reflect_ns);
	f.event_ns = between(p->residency_ns, p->exit_ns - p->enter_ns);
	if (!next)
		return f;
	f.turn_ns = between(p->exit_ns, next->enter_ns);
	f.reentered = p->resched;
	f.select_ns = between(next->begun_ns, next->enter_ns);
	return f;
}

void cut_match(struct cutter *c)
{
	struct match m = {.c = c};

	if (!c->st->open && !ended_here(c) && !ended_remotely(c))
		ended_somehow(c);
	sort_drafts(c);
	for (m.period = 0; m.period < c->nseen; m.period++) {
		bool last = m.period + 1 == c->nseen;

		m.p = &c->seen[m.period];
		m.next_ns = last ? c->st->end_ns : m.p[1].enter_ns;
		m.then = follow_up_of(m.p, last ? NULL : m.p + 1);
		match_period(&m);
	}
	c->so.select_ns = c->nseen ? between(c->seen[0].begun_ns, c->seen[0].enter_ns) : UNKNOWN_NS;
}

/* --- the sojourn --- */

/* the timer wheel's bound: what the tick was last set to when it was stopped, and younger timers */
static int64_t wheel_next(struct cutter *c, int64_t at_ns)
{
	struct scan_cpu *s = c->scan;

	for (; c->next_stop < s->nticks && s->tick[c->next_stop].at_ns <= at_ns; c->next_stop++) {
		const struct tick_start *t = &s->tick[c->next_stop];
		bool restart = t->expires_ns == NEVER_NS && c->next_stop + 1 < s->nticks &&
			       t[1].at_ns - t->at_ns < RESTART_NS;

		if (restart || (t->expires_ns != NEVER_NS &&
				       t->expires_ns <= t->at_ns + c->all->tick_ns + 1000))
			continue;
		c->stop_at_ns = t->at_ns;
		c->stop_bound_ns = t->expires_ns;
		armed_disprove(&s->wheel, t->at_ns, t->expires_ns);
	}
	return min64(c->stop_bound_ns > at_ns ? c->stop_bound_ns : NEVER_NS,
		armed_next(&s->wheel, at_ns));
}

/* when the idle loop next looks at the timers after this wake */
static int64_t looks_again(const struct cutter *c, const struct draft *d)
{
	if (!(d->a.flags & ARRIVAL_ENDED))
		return min64(d->handler_ns + HANDLED_NS, c->st->end_ns);
	return d->a.period + 1u < c->nseen ? c->seen[d->a.period + 1].enter_ns : c->st->end_ns;
}

static void emit_arrivals(struct cutter *c)
{
	struct sojourns_cpu *o = c->out;

	c->so.entry_ns = c->nseen ? c->seen[0].enter_ns : NEVER_NS;
	c->so.next_hr_ns = armed_next(&c->scan->hr, min64(c->so.entry_ns, c->st->end_ns));
	c->so.next_wheel_ns = wheel_next(c, min64(c->so.entry_ns, c->st->end_ns));
	c->so.arrival = (uint32_t)o->narrivals;
	for (size_t i = 0; i < c->ndrafts; i++) {
		struct draft *d = &c->draft[i];
		int64_t at_ns = looks_again(c, d);

		d->a.next_hr_ns = armed_next(&c->scan->hr, at_ns);
		d->a.next_wheel_ns = wheel_next(c, at_ns);
		GROW(o->arrival, o->narrivals, o->arrival_cap);
		o->arrival[o->narrivals++] = d->a;
	}
	c->so.narrivals = (uint32_t)(o->narrivals - c->so.arrival);
}

/* the tick that the recording was waiting for when the stretch began */
static void find_first_tick(struct cutter *c)
{
	const struct scan_cpu *s = c->scan;
	int64_t tick = c->all->tick_ns, start = c->st->start_ns, due = NEVER_NS;

	while (c->next_tick < s->nticks && s->tick[c->next_tick].at_ns <= start)
		c->next_tick++;
	if (c->next_tick)
		due = s->tick[c->next_tick - 1].expires_ns;
	if (due > start + 2 * tick || due < start - tick)
		due = sojourns_grid(c->all, start, tick);
	c->so.tick_ns = due;
}

/* due before the start and never handled inside: it was handled before */
static void check_first_tick(struct cutter *c)
{
	if (c->so.tick_ns > c->st->start_ns)
		return;
	for (size_t i = 0; i < c->nticks; i++)
		if (c->tick[i].due_ns == c->so.tick_ns)
			return;
	c->so.tick_ns = sojourns_grid(c->all, c->st->start_ns, c->all->tick_ns);
}

static void free_or_held(struct cutter *c)
{
	struct match m = {.c = c, .then = FOLLOW_UNKNOWN};
	bool held = false;

	for (; m.period < c->nseen; m.period++) {
		const struct seen *p = &c->seen[m.period];

		if (p->select_ns == INT64_MIN || p->held == held)
			continue;
		held = !held;
		add_note(&m, held ? NOTE_HELD : NOTE_FREE, p->select_ns, 0);
	}
}

/*
 * A tick that cannot be stopped (RCU callbacks, most likely) shows in the sleep length probe: it
 * says the tick is next although every timer is further away. It is not the governor's doing.
 */
static bool is_held(const struct cutter *c, size_t period, int64_t hr_ns, int64_t wheel_ns)
{
	const int64_t near_ns = 20000, far_ns = 40000;
	const struct seen *p = &c->seen[period];
	int64_t base_ns = (period ? p[-1].exit_ns : c->st->start_ns) + c->head_ns;
	bool tick_next;

	if (p->sleep_ns == INT64_MIN)
		return false;
	if (p->delta_ns != INT64_MIN)
		tick_next = p->sleep_ns == p->delta_ns && p->sleep_ns <= c->all->tick_ns;
	else
		tick_next = period == 0 &&
			    llabs(min64(c->so.tick_ns, hr_ns) - base_ns - p->sleep_ns) < near_ns;
	return tick_next && min64(hr_ns, wheel_ns) - base_ns > p->sleep_ns + far_ns;
}

/* the timers known at a period's select are those after the last wake handled before it */
static void find_held(struct cutter *c)
{
	const struct arrival *a = c->out->arrival + c->so.arrival;
	int64_t hr_ns = c->so.next_hr_ns, wheel_ns = c->so.next_wheel_ns;
	size_t k = 0;

	for (size_t i = 0; i < c->nseen; i++) {
		for (; k < c->so.narrivals; k++) {
			bool ended = a[k].flags & ARRIVAL_ENDED;

			if (!(a[k].flags & (ARRIVAL_ENDED | ARRIVAL_BEFORE)) ||
				a[k].period + (ended ? 1u : 0u) > i)
				break;
			hr_ns = a[k].next_hr_ns;
			wheel_ns = a[k].next_wheel_ns;
		}
		c->seen[i].held = is_held(c, i, hr_ns, wheel_ns);
	}
	free_or_held(c);
}

static int by_moment(const void *x, const void *y)
{
	const struct note *a = x, *b = y;

	return (a->at_ns > b->at_ns) - (a->at_ns < b->at_ns);
}

/* those that came while the CPU slept, as a replay counts them: one due later is handled on the way out */
static void count_ticks(struct cutter *c)
{
	int64_t last_ns = c->nseen ? c->seen[c->nseen - 1].exit_ns : c->st->start_ns;

	for (size_t i = 0; i < c->nticks; i++)
		c->out->ticks += c->tick[i].due_ns <= last_ns;
}

void cut_stretch(struct cutter *c, const struct stretch *st)
{
	struct sojourns_cpu *o = c->out;

	c->st = st;
	c->so = (struct sojourn){
		.start_ns = st->start_ns, .end_ns = st->end_ns, .note = (uint32_t)o->nnotes};
	find_first_tick(c);
	cut_gather(c);
	check_first_tick(c);
	cut_match(c);
	emit_arrivals(c);
	find_held(c);
	c->so.nnotes = (uint32_t)(o->nnotes - c->so.note);
	if (c->so.nnotes > 1)
		qsort(o->note + c->so.note, c->so.nnotes, sizeof(*o->note), by_moment);
	count_ticks(c);
	if (!c->nseen && c->selected) {
		c->so.flags |= SOJOURN_SELECTED;
		c->so.select_ns = clamp32(c->answered_ns - st->start_ns);
	}
	if (st->end_ns - st->start_ns > TOO_LONG_NS)
		c->so.flags |= SOJOURN_SKIP;
	if (st->open || st->headless)
		c->so.flags |= SOJOURN_PARTIAL;
	GROW(o->sojourn, o->n, o->cap);
	o->sojourn[o->n++] = c->so;
}

void cut_free(struct cutter *c)
{
	free(c->draft);
	free(c->tick);
	free(c->seen);
}
