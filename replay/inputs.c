// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/inputs.h"

#include <stdlib.h>

#include "replay/hz.h"

static bool is_tick(const struct inputs *in, int cpu, uint64_t obj)
{
	return in->fill.cpu[cpu].tick == obj;
}

static bool in_interrupt(const struct event *e)
{
	return e->ctx & (CTX_HARDIRQ | CTX_SOFTIRQ);
}

static int64_t on_grid(const struct inputs *in, int64_t at_ns)
{
	return backfill_grid(&in->fill, at_ns);
}

static void arm(struct timerset *s, int cpu, uint64_t obj, int64_t expires_ns)
{
	struct armed a = {.obj = obj, .expires_ns = expires_ns, .at_least_ns = expires_ns};

	timerset_arm(s, cpu, &a);
}

static void arm_wheel(struct inputs *in, int cpu, const struct armed *a, bool global)
{
	struct armed copy = *a;

	timerset_disarm(&in->local, a->obj);
	timerset_disarm(&in->global, a->obj);
	timerset_disarm(&in->anywhere, a->obj);
	timerset_arm(global ? &in->global : &in->local, cpu, &copy);
	if (global)
		timerset_arm(&in->anywhere, 0, &copy);
}

static void disarm_wheel(struct inputs *in, uint64_t obj)
{
	timerset_disarm(&in->local, obj);
	timerset_disarm(&in->global, obj);
	timerset_disarm(&in->anywhere, obj);
}

static void arm_earlier(struct inputs *in)
{
	for (size_t i = 0; i < in->fill.nhrtimers; i++) {
		const struct prearmed *p = &in->fill.hrtimer[i];

		if (is_tick(in, p->cpu, p->timer.obj))
			in->cpu[p->cpu].tick_due_ns = p->timer.expires_ns;
		else if (p->timer.expires_ns != INT64_MAX)
			timerset_arm(&in->hrtimers, p->cpu, &p->timer);
	}
	for (size_t i = 0; i < in->fill.nwheels; i++)
		if (!in->fill.wheel[i].skip)
			arm_wheel(in, in->fill.wheel[i].cpu, &in->fill.wheel[i].timer,
				in->fill.wheel[i].global);
}

/* the first change that is seen of a timer base tells what it was before */
static void find_first_base(struct inputs *in)
{
	for (int i = 0; i < in->trace->ncpus; i++) {
		const struct cpu_trace *c = &in->trace->cpu[i];

		in->cpu[i].base_known = true;
		for (size_t k = 0; k < c->nevs; k++)
			if (c->ev[k].kind == EV_TIMER_BASE_IDLE && c->ev[k].b == i) {
				in->cpu[i].base_idle = !c->ev[k].a;
				break;
			}
		in->base_busy += !in->cpu[i].base_idle;
	}
}

void inputs_init(struct inputs *in, const struct trace *t, const struct machine *m, int hz,
	int64_t event_cost_ns)
{
	int64_t version = trace_kernel_version(t->kernel);
	int n = t->ncpus > 0 ? t->ncpus : 1;

	*in = (struct inputs){.trace = t, .machine = m, .hz = hz, .tick_ns = tick_ns(hz)};
	in->split_wheel = version >= KERNEL_LOCAL_TIMERS;
	in->delay = (struct input_delays){.switched = event_cost_ns * 5 / 4,
		.interrupt = event_cost_ns * 2 / 3, .exited = event_cost_ns * 4 / 3,
		.pending = event_cost_ns * 4 / 3};
	/* the probes themselves lie between the exit and the place where the flag is read */
	if (t->present & EV_BIT(EV_PROBE_REFLECT))
		in->delay.pending += 12 * event_cost_ns;
	in->cpu = xcalloc((size_t)n, sizeof(*in->cpu));
	backfill_build(&in->fill, t, in->tick_ns, version);
	timerset_init(&in->hrtimers, n);
	timerset_init(&in->local, n);
	timerset_init(&in->global, n);
	timerset_init(&in->anywhere, 1);
	in->jiffies_ns = on_grid(in, t->origin_ns);
	for (int i = 0; i < t->ncpus; i++) {
		in->cpu[i].tick_due_ns = INT64_MAX;
		in->cpu[i].entry_ns = t->origin_ns;
		in->cpu[i].revealed = xcalloc(1, sizeof(*in->cpu[i].revealed));
		timerset_init(in->cpu[i].revealed, 1);
	}
	arm_earlier(in);
	if (in->split_wheel)
		find_first_base(in);
}

void inputs_free(struct inputs *in)
{
	for (int i = 0; i < in->trace->ncpus; i++) {
		timerset_free(in->cpu[i].revealed);
		free(in->cpu[i].revealed);
	}
	timerset_free(&in->hrtimers);
	timerset_free(&in->local);
	timerset_free(&in->global);
	timerset_free(&in->anywhere);
	backfill_free(&in->fill);
	free(in->cpu);
}

static void on_switch(struct inputs *in, struct inputs_cpu *c, const struct event *e)
{
	if (e->b == 0) {
		c->switched_ns = e->at_ns;
		c->entry_ns = e->at_ns + in->delay.switched;
		c->in_idle = true;
		c->left = c->interrupted = c->entered = c->stop_seen = false;
		c->first_irq_ns = INT64_MAX;
	} else if (e->a == 0) {
		c->in_idle = c->stopped = false;
	}
}

/* the tick's own timer tells whether the tick runs */
static void on_tick_start(struct inputs *in, struct inputs_cpu *c, const struct event *e)
{
	int64_t due = backfill_clock(&in->fill, e->a);

	c->tick_due_ns = due;
	if (!c->in_idle || e->pid != 0 || in_interrupt(e))
		return;
	if (c->stopping)
		c->stopping = false;
	else if (c->stopped && c->left && on_grid(in, due) == due &&
		 due - e->at_ns <= in->tick_ns + 1000)
		c->stopped = false;
}

static void on_hrtimer_start(struct inputs *in, int cpu, const struct event *e)
{
	if (is_tick(in, cpu, e->obj))
		on_tick_start(in, &in->cpu[cpu], e);
	else if (e->a < REALTIME_NS)
		arm(&in->hrtimers, cpu, e->obj, backfill_clock(&in->fill, e->a));
	else
		timerset_disarm(&in->hrtimers, e->obj);
}

static void on_tick_expired(struct inputs *in, struct inputs_cpu *c, const struct event *e)
{
	int64_t due = on_grid(in, backfill_clock(&in->fill, e->a));

	c->tick_due_ns = INT64_MAX;
	in->jiffies_ns = max64(in->jiffies_ns, due);
	if (!c->in_idle)
		return;
	/* one that was due before the idle loop began was served before it */
	if (!c->inside && !c->left && due < c->switched_ns + in->delay.switched)
		return;
	if (!c->inside && c->left && due > c->exit_ns + in->delay.pending)
		c->next_got_tick = true;
	else
		c->got_tick = true;
}

static void on_hrtimer_gone(struct inputs *in, int cpu, const struct event *e)
{
	if (!is_tick(in, cpu, e->obj))
		timerset_disarm(&in->hrtimers, e->obj);
	else if (e->kind == EV_HRTIMER_EXPIRE)
		on_tick_expired(in, &in->cpu[cpu], e);
	else
		in->cpu[cpu].tick_due_ns = INT64_MAX;
}

static void on_timer_start(struct inputs *in, const struct event *e)
{
	int64_t bucket = e->b >= 0 ? e->b : wheel_bucket(e->a, e->c);
	struct armed a = {.obj = e->obj, .expires_ns = backfill_jiffy(&in->fill, bucket)};

	a.at_least_ns = a.expires_ns;
	disarm_wheel(in, e->obj);
	if (!(e->aux & TIMER_FLAG_DEFERRABLE))
		arm_wheel(in, (int)(e->aux & TIMER_CPU_MASK), &a,
			in->split_wheel && !(e->aux & TIMER_FLAG_PINNED));
}

static void on_base_idle(struct inputs *in, const struct event *e)
{
	struct inputs_cpu *c;

	if (e->b < 0 || e->b >= in->trace->ncpus)
		return;
	c = &in->cpu[e->b];
	if (c->base_known)
		in->base_busy += (e->a == 0) - !c->base_idle;
	c->base_idle = e->a != 0;
	if (!e->a)
		c->stopped = false;
}

static bool of_interrupt(const struct event *e)
{
	switch (e->kind) {
	case EV_IRQ_ENTRY:
	case EV_IRQ_EXIT:
	case EV_VECTOR_ENTRY:
	case EV_VECTOR_EXIT:
	case EV_IPI_ENTRY:
	case EV_IPI_EXIT:
	case EV_SOFTIRQ_EXIT:
		return true;
	default:
		return in_interrupt(e);
	}
}

static void on_interrupt(struct inputs *in, struct inputs_cpu *c, const struct event *e)
{
	c->entry_ns = e->at_ns + in->delay.interrupt;
	c->interrupted = true;
	c->first_irq_ns = min64(c->first_irq_ns, e->at_ns);
	if (c->stopped)
		in->jiffies_ns = max64(in->jiffies_ns, on_grid(in, e->at_ns));
}

static void feed_event(struct inputs *in, const struct moment *m)
{
	struct inputs_cpu *c = &in->cpu[m->cpu];
	const struct event *e = m->ev;

	if (e->kind == EV_MISS || (e->kind >= EV_PROBE_SLEEP && e->kind <= EV_PROBE_REFLECT))
		return;
	if (e->pid == 0 && c->in_idle && of_interrupt(e))
		on_interrupt(in, c, e);
	switch (e->kind) {
	case EV_SWITCH:
		on_switch(in, c, e);
		break;
	case EV_HRTIMER_START:
		on_hrtimer_start(in, m->cpu, e);
		break;
	case EV_HRTIMER_CANCEL:
	case EV_HRTIMER_START_EXPIRED:
	case EV_HRTIMER_EXPIRE:
		on_hrtimer_gone(in, m->cpu, e);
		break;
	case EV_TIMER_START:
		on_timer_start(in, e);
		break;
	case EV_TIMER_CANCEL:
	case EV_TIMER_EXPIRE:
		disarm_wheel(in, e->obj);
		break;
	case EV_TICK_STOP:
		if (e->a == 1)
			c->stopped = c->stopping = c->stop_seen = true;
		break;
	case EV_TIMER_BASE_IDLE:
		on_base_idle(in, e);
		break;
	default:
		break;
	}
}

static bool polling(const struct inputs *in, int cpu, int state)
{
	const struct state_table *t = machine_table(in->machine, cpu);

	return state >= 0 && state < t->nstates && t->state[state].polling;
}

static void on_exit_idle(struct inputs *in, const struct moment *m)
{
	struct inputs_cpu *c = &in->cpu[m->cpu];
	bool early = c->interrupted && !polling(in, m->cpu, m->period->state);

	c->inside = false;
	c->left = true;
	c->exit_ns = m->at_ns;
	c->length_ns = m->at_ns - m->period->enter_ns;
	c->resched = m->period->flags & PERIOD_RESCHED;
	/*
	 * Interrupts are served after the exit event, except while polling. Where a machine serves them
	 * before (pseries CEDE), the kernel's entry time is that of leaving the state.
	 */
	if (early)
		c->entry_ns = m->at_ns - in->delay.interrupt;
	else if (!polling(in, m->cpu, m->period->state))
		c->interrupted = false;
}

void inputs_feed(struct inputs *in, const struct moment *m)
{
	struct inputs_cpu *c = &in->cpu[m->cpu];

	if (m->kind == MOMENT_EVENT) {
		feed_event(in, m);
	} else if (m->kind == MOMENT_ENTER) {
		c->in_idle = c->inside = c->entered = true;
		c->interrupted = c->left = false;
		c->last_state = m->period->state;
	} else if (m->kind == MOMENT_EXIT) {
		on_exit_idle(in, m);
	} else {
		c->stopped = c->got_tick = c->next_got_tick = false;
	}
}

bool inputs_will_change(const struct inputs *in, const struct moment *m)
{
	const struct inputs_cpu *c = &in->cpu[m->cpu];
	const struct event *e = m->ev;

	if (m->kind != MOMENT_EVENT || e->pid != 0 || !c->in_idle || c->inside || in_interrupt(e))
		return false;
	if (e->kind == EV_TICK_STOP)
		return true;
	if (e->kind == EV_TIMER_BASE_IDLE)
		return e->a != 0;
	return (e->kind == EV_HRTIMER_START || e->kind == EV_HRTIMER_CANCEL) && c->stopped &&
	       is_tick(in, m->cpu, e->obj);
}

/* a select between an exit and the present without any interrupt: when did the loop begin anew */
static void re_enter(struct inputs *in, int cpu, int64_t at_ns)
{
	struct inputs_cpu *c = &in->cpu[cpu];
	int64_t limit;

	if (!c->left || c->interrupted)
		return;
	limit = c->last_state < machine_table(in->machine, cpu)->nstates ?
			machine_timeout(machine_table(in->machine, cpu), c->last_state, in->hz) :
			INT64_MAX;
	if (c->length_ns > limit && !c->resched)
		return; /* polled until its limit: nothing read the clock */
	c->entry_ns = min64(c->exit_ns + in->delay.exited, at_ns);
	if (c->resched && !(c->base_known && c->base_idle))
		c->stopped = false;
}

void inputs_take(struct inputs *in, int cpu, int64_t at_ns, struct input_snapshot *out)
{
	struct inputs_cpu *c = &in->cpu[cpu];

	re_enter(in, cpu, at_ns);
	*out = (struct input_snapshot){.entry_ns = c->entry_ns, .stopped = c->stopped};
	bounds_take(in, cpu, at_ns, out);
}

bool inputs_got_tick(struct inputs *in, int cpu)
{
	struct inputs_cpu *c = &in->cpu[cpu];
	bool got = c->got_tick;

	c->got_tick = c->next_got_tick;
	c->next_got_tick = false;
	return got;
}

bool inputs_aborted(const struct inputs *in, int cpu, int64_t at_ns)
{
	const struct inputs_cpu *c = &in->cpu[cpu];

	if (!c->in_idle || c->entered || in->fill.enter_typical_ns == 0)
		return false;
	if (c->stop_seen)
		return true;
	return at_ns - c->switched_ns > in->fill.enter_typical_ns &&
	       c->first_irq_ns - c->switched_ns > in->fill.enter_fast_ns;
}

int64_t inputs_reflect_ns(const struct inputs *in, int cpu)
{
	const struct inputs_cpu *c = &in->cpu[cpu];

	return c->interrupted ? max64(c->exit_ns, c->entry_ns) : c->exit_ns;
}
