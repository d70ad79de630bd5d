// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/inputs.h"

#include <stdlib.h>

#include "replay/hz.h"

void inputs_init(struct inputs *in, const struct trace *t, int hz)
{
	*in = (struct inputs){.trace = t, .tick_ns = tick_ns(hz)};
	in->cpu = xcalloc((size_t)t->ncpus + 1, sizeof(*in->cpu));
}

void inputs_free(struct inputs *in)
{
	free(in->cpu);
}

static void feed_event(struct inputs *in, const struct moment *m)
{
	struct inputs_cpu *c = &in->cpu[m->cpu];
	const struct event *e = m->ev;

	switch (e->kind) {
	case EV_SWITCH:
		c->in_idle = e->b == 0;
		/* the tick is restarted on leaving the idle loop, not between its rounds */
		if (!c->in_idle)
			c->stopped = false;
		break;
	case EV_TICK_STOP:
		if (e->a == 1)
			c->stopped = true;
		break;
	case EV_TIMER_BASE_IDLE:
		if (!e->a && e->b >= 0 && e->b < in->trace->ncpus)
			in->cpu[e->b].stopped = false;
		break;
	case EV_HRTIMER_EXPIRE:
		if (c->in_idle && hz_is_tick(trace_name(in->trace, e->name)))
			c->got_tick = true;
		break;
	default:
		break;
	}
}

void inputs_feed(struct inputs *in, const struct moment *m)
{
	if (m->kind == MOMENT_EVENT)
		feed_event(in, m);
}

void inputs_take(struct inputs *in, int cpu, int64_t at_ns, struct input_snapshot *out)
{
	*out = (struct input_snapshot){.entry_ns = at_ns, .sleep_ns = in->tick_ns,
		.sleep_alt_ns = INT64_MAX / 2, .delta_ns = in->tick_ns / 2,
		.stopped = in->cpu[cpu].stopped};
}

bool inputs_got_tick(struct inputs *in, int cpu)
{
	bool got = in->cpu[cpu].got_tick;

	in->cpu[cpu].got_tick = false;
	return got;
}
