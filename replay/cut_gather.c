// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/cut.h"

#include <string.h>

/* a handler is entered about this long after the interrupt was sent, when the sending was not seen
 */
#define IPI_LATENCY_NS 3000
/* a sending older than this belongs to another interrupt */
#define IPI_STALE_NS 400000
/* a wheel timer run this soon after the tick's handler began was run by that tick */
#define TICK_RUNS_NS 300000

/* the handler that ran last: wakings belong to it */
struct handler {
	int draft, tick;
};

struct gather {
	struct cutter *c;
	struct handler last;
	struct seen pending; /* probes before the entry that they belong to */
	size_t opened;	     /* periods of the stretch whose entry has passed */
};

static void add_draft(struct gather *g, enum arrival_kind kind, int64_t at_ns, int64_t handler_ns)
{
	struct cutter *c = g->c;

	GROW(c->draft, c->ndrafts, c->draft_cap);
	c->draft[c->ndrafts] = (struct draft){.handler_ns = handler_ns,
		.a = {.at_ns = at_ns, .kind = (uint8_t)kind, .then = FOLLOW_UNKNOWN}};
	g->last = (struct handler){(int)c->ndrafts++, -1};
}

/* the tick that was due when its handler ran */
static int64_t tick_due(struct cutter *c, const struct event *ev)
{
	const struct scan_cpu *s = c->scan;
	int64_t due_ns = NEVER_NS;

	while (c->next_tick < s->nticks && s->tick[c->next_tick].at_ns <= ev->at_ns)
		c->next_tick++;
	if (c->next_tick)
		due_ns = s->tick[c->next_tick - 1].expires_ns;
	if (due_ns > ev->at_ns)
		due_ns = sojourns_grid(c->all, ev->at_ns, c->all->tick_ns) - c->all->tick_ns;
	return due_ns;
}

static void add_tick(struct gather *g, const struct event *ev)
{
	struct cutter *c = g->c;

	GROW(c->tick, c->nticks, c->tick_cap);
	c->tick[c->nticks] = (struct tick_seen){ev->at_ns, tick_due(c, ev)};
	g->last = (struct handler){-1, (int)c->nticks++};
}

static void add_wheel(struct gather *g, const struct event *ev, int64_t expires_ns)
{
	const struct cutter *c = g->c;
	const struct tick_seen *tick = c->nticks ? &c->tick[c->nticks - 1] : NULL;
	int64_t at_ns;

	if (tick && ev->at_ns - tick->handler_ns < TICK_RUNS_NS)
		at_ns = tick->due_ns;
	else
		at_ns = max64(
			expires_ns == ANNOTATION_NONE ? ev->at_ns : min64(expires_ns, ev->at_ns),
			c->st->start_ns);
	add_draft(g, ARRIVAL_WHEEL, at_ns, ev->at_ns);
}

static void add_interrupt(struct gather *g, const struct event *ev, int64_t sent_ns)
{
	const char *name = trace_name(g->c->t, ev->name);

	if (scan_is_ipi(g->c->t, ev)) {
		if (sent_ns == ANNOTATION_NONE || sent_ns <= ev->at_ns - IPI_STALE_NS)
			sent_ns = ev->at_ns - IPI_LATENCY_NS;
		add_draft(g, ARRIVAL_IPI, sent_ns, ev->at_ns);
	} else if (ev->kind == EV_IRQ_ENTRY && !strstr(name, "timer")) {
		/* when the device raised it is not known */
		add_draft(g, ARRIVAL_IRQ, ev->at_ns, ev->at_ns);
	}
}

static void note_local_waking(struct gather *g, const struct event *ev)
{
	if (ev->a != g->c->st->next_pid || (g->last.draft < 0 && g->last.tick < 0))
		return;
	g->c->woke_draft = g->last.draft;
	g->c->woke_tick = g->last.tick;
}

static void probe_reflect(struct gather *g, const struct event *ev)
{
	struct cutter *c = g->c;
	struct seen *p;

	g->pending.sleep_ns = g->pending.delta_ns = INT64_MIN;
	if (ev->a < 0) {
		c->out->aborted++;
		return;
	}
	if (!g->opened)
		return;
	p = &c->seen[g->opened - 1];
	p->reflect_ns = ev->at_ns;
	p->residency_ns = ev->b;
	if (ev->b > 0)
		samples_add(&c->samples->event, p->exit_ns - p->enter_ns - ev->b);
}

static void probe_select(struct gather *g, const struct event *ev)
{
	g->pending.select_ns = ev->at_ns;
	if (g->opened)
		return;
	g->c->selected = true;
	g->c->answered_ns = ev->at_ns;
}

static void probe(struct gather *g, const struct event *ev)
{
	switch (ev->kind) {
	case EV_PROBE_SLEEP:
		g->pending.sleep_ns = ev->a;
		g->pending.delta_ns = ev->b;
		break;
	case EV_PROBE_LIMIT:
		g->pending.begun_ns = ev->at_ns;
		break;
	case EV_PROBE_SELECT:
		probe_select(g, ev);
		break;
	case EV_PROBE_REFLECT:
		probe_reflect(g, ev);
		break;
	default:
		break;
	}
}

/* the probes between two entries belong to the later one */
static void open_periods(struct gather *g, int64_t until_ns)
{
	struct cutter *c = g->c;

	for (; g->opened < c->nseen && c->seen[g->opened].enter_ns <= until_ns; g->opened++) {
		struct seen *p = &c->seen[g->opened];

		/* the CPU went to sleep again: what was handled before wakes nobody any more */
		if (g->opened)
			g->last = (struct handler){-1, -1};
		if (c->rebuilt)
			continue;
		p->select_ns = g->pending.select_ns;
		p->begun_ns = g->pending.begun_ns;
		p->sleep_ns = g->pending.sleep_ns;
		p->delta_ns = g->pending.delta_ns;
		if (p->select_ns != INT64_MIN) {
			samples_add(&c->samples->select, p->enter_ns - p->select_ns);
			if (g->pending.begun_ns != INT64_MIN)
				samples_add(&c->samples->select_start,
					p->enter_ns - g->pending.begun_ns);
		}
		g->pending.select_ns = g->pending.begun_ns = INT64_MIN;
	}
}

static void gather_event(struct gather *g, const struct event *ev, int64_t annotation)
{
	switch (ev->kind) {
	case EV_HRTIMER_EXPIRE:
		if (scan_is_tick(g->c->pass, ev->name))
			add_tick(g, ev);
		else
			add_draft(g, ARRIVAL_TIMER, annotation, ev->at_ns);
		break;
	case EV_TIMER_EXPIRE:
		add_wheel(g, ev, annotation);
		break;
	case EV_IRQ_ENTRY:
	case EV_VECTOR_ENTRY:
		add_interrupt(g, ev, annotation);
		break;
	case EV_WAKING:
		note_local_waking(g, ev);
		break;
	case EV_TICK_STOP:
		g->c->out->stops += ev->a != 0;
		/* with the tick stopped in a sojourn without periods, a governor must have been
		 * asked */
		g->c->selected |= ev->a != 0;
		if (ev->a)
			g->c->stopped_ns = ev->at_ns;
		if (ev->a && g->c->answered_ns == INT64_MIN)
			g->c->answered_ns = ev->at_ns;
		break;
	default:
		if (!g->c->ignore_probes)
			probe(g, ev);
		break;
	}
}

/* where there are no probes the rebuilt inputs of the period's decision stand in for them */
static void take_rebuilt(struct cutter *c, struct seen *p)
{
	const struct decisions_cpu *d = c->rebuilt;

	while (c->next_decision < d->n && (d->d[c->next_decision].period == UINT32_MAX ||
						  d->d[c->next_decision].period < c->next_period))
		c->next_decision++;
	if (c->next_decision == d->n || d->d[c->next_decision].period != c->next_period)
		return;
	p->select_ns = d->d[c->next_decision].select_ns;
	p->sleep_ns = d->d[c->next_decision].sleep_ns;
	p->delta_ns = d->d[c->next_decision].tick_delta_ns;
}

static void take_periods(struct cutter *c)
{
	const struct cpu_trace *t = &c->t->cpu[c->cpu];

	c->nseen = 0;
	while (c->next_period < t->nperiods && t->period[c->next_period].enter_ns < c->st->start_ns)
		c->next_period++;
	c->so.period = (uint32_t)c->next_period;
	for (; c->next_period < t->nperiods; c->next_period++) {
		const struct period *p = &t->period[c->next_period];

		if (p->enter_ns >= c->st->end_ns || (p->flags & PERIOD_CUT_END))
			break;
		if (p->flags & PERIOD_FORCED)
			c->so.flags |= SOJOURN_SKIP;
		GROW(c->seen, c->nseen, c->seen_cap);
		c->seen[c->nseen++] = (struct seen){.enter_ns = p->enter_ns,
			.exit_ns = p->exit_ns,
			.reflect_ns = INT64_MIN,
			.residency_ns = INT64_MIN,
			.select_ns = INT64_MIN,
			.begun_ns = INT64_MIN,
			.sleep_ns = INT64_MIN,
			.delta_ns = INT64_MIN,
			.resched = p->flags & PERIOD_RESCHED};
		if (c->rebuilt)
			take_rebuilt(c, &c->seen[c->nseen - 1]);
	}
	c->so.nperiods = (uint32_t)c->nseen;
}

void cut_gather(struct cutter *c)
{
	const struct event *ev = c->t->cpu[c->cpu].ev;
	struct gather g = {.c = c, .last = {-1, -1}};

	g.pending.select_ns = g.pending.sleep_ns = g.pending.delta_ns = g.pending.begun_ns =
		INT64_MIN;
	c->ndrafts = c->nticks = 0;
	c->woke_draft = c->woke_tick = -1;
	c->selected = false;
	c->answered_ns = c->stopped_ns = INT64_MIN;
	take_periods(c);
	for (size_t i = c->st->from; i < c->st->to; i++) {
		if (ev[i].at_ns < c->st->start_ns)
			continue;
		open_periods(&g, ev[i].at_ns);
		gather_event(&g, &ev[i], c->scan->annotation[i]);
	}
	open_periods(&g, c->st->end_ns);
}
