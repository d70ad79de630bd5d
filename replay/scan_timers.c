// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/scan.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* flags of a wheel timer (include/linux/timer.h, 4.8..7.2) */
#define WHEEL_CPU_MASK 0x0003ffffu
#define WHEEL_DEFERRABLE 0x00080000u
#define WHEEL_PINNED 0x00100000u

/* expiries beyond this are on the realtime clock: not converted */
#define REALTIME_NS 100000000000000000LL

struct timer {
	uint64_t obj;
	int64_t from_ns, expires_ns;
	int32_t cpu;
	bool armed, tick, counts, expiring;
	UT_hash_handle hh;
};

struct timer_map {
	struct timer *hr, *wheel;
};

struct timer_map *timer_map_new(void)
{
	return xcalloc(1, sizeof(struct timer_map));
}

static struct timer *find(struct timer **map, uint64_t obj)
{
	struct timer *t;

	HASH_FIND(hh, *map, &obj, sizeof(obj), t);
	if (t)
		return t;
	t = xcalloc(1, sizeof(*t));
	t->obj = obj;
	HASH_ADD(hh, *map, obj, sizeof(t->obj), t);
	return t;
}

static void disarm(struct timer *t, struct armed *set, int64_t at_ns)
{
	if (t->armed && t->counts)
		armed_add(set, t->from_ns, at_ns, t->expires_ns);
	t->armed = false;
}

static void arm(struct timer *t, int cpu, int64_t at_ns, int64_t expires_ns, bool counts)
{
	t->armed = true;
	t->cpu = cpu;
	t->from_ns = at_ns;
	t->expires_ns = expires_ns;
	t->counts = counts;
}

static void tick_started(struct scan_cpu *c, int64_t at_ns, int64_t expires_ns)
{
	GROW(c->tick, c->nticks, c->tick_cap);
	c->tick[c->nticks++] = (struct tick_start){at_ns, expires_ns};
}

static void hr_start(struct timer *t, struct scan *s, int cpu, const struct event *ev)
{
	int64_t expires_ns = ev->a + s->clock_shift_ns;

	if (scan_is_tick(s, ev->name)) {
		t->tick = true;
		t->cpu = cpu;
		tick_started(&s->cpu[cpu], ev->at_ns, expires_ns);
		return;
	}
	disarm(t, &s->cpu[t->cpu].hr, ev->at_ns);
	if (ev->a < REALTIME_NS)
		arm(t, cpu, ev->at_ns, expires_ns, true);
}

static int64_t hr_expire(struct timer *t, struct scan *s, int cpu, const struct event *ev)
{
	int64_t now_ns = ev->a + s->clock_shift_ns;

	if (scan_is_tick(s, ev->name))
		return ANNOTATION_NONE;
	/* never seen to start: it was armed before the recording began */
	if (!t->armed)
		arm(t, cpu, s->trace->origin_ns - 1, now_ns, true);
	s->early += t->expires_ns > now_ns;
	disarm(t, &s->cpu[t->cpu].hr, ev->at_ns);
	return min64(t->expires_ns, now_ns);
}

static int64_t hr_event(struct timer_map *m, struct scan *s, int cpu, const struct event *ev)
{
	struct timer *t = find(&m->hr, ev->obj);

	switch (ev->kind) {
	case EV_HRTIMER_START:
		hr_start(t, s, cpu, ev);
		break;
	case EV_HRTIMER_CANCEL:
	case EV_HRTIMER_START_EXPIRED:
		if (t->tick)
			tick_started(&s->cpu[t->cpu], ev->at_ns, NEVER_NS);
		else
			disarm(t, &s->cpu[t->cpu].hr, ev->at_ns);
		break;
	case EV_HRTIMER_EXPIRE:
		return hr_expire(t, s, cpu, ev);
	default:
		break;
	}
	return ANNOTATION_NONE;
}

/* the jiffy in which the wheel will run a timer: governors.md 5.10; kernel/time/timer.c, 4.8 on */
static int64_t wheel_bucket(const struct event *ev)
{
	int64_t delta = ev->a - ev->c;
	int level = 0;

	if (ev->b >= 0)
		return ev->b;
	while (level < 8 && delta >= 63LL << (3 * level))
		level++;
	return ((ev->a >> (3 * level)) + 1) << (3 * level);
}

static void wheel_start(struct timer *t, struct scan *s, const struct event *ev)
{
	int cpu = (int)(ev->aux & WHEEL_CPU_MASK);
	bool counts = !(ev->aux & WHEEL_DEFERRABLE);

	disarm(t, &s->cpu[t->cpu].wheel, ev->at_ns);
	t->expiring = false;
	if (!s->have_jiffies || cpu >= s->trace->ncpus)
		return;
	if (s->global_wheel && !(ev->aux & WHEEL_PINNED))
		counts = false;
	arm(t, cpu, ev->at_ns, wheel_bucket(ev) * s->tick_ns + s->jiffies_ns, counts);
}

static int64_t wheel_expire(struct timer *t, struct scan *s, int cpu, const struct event *ev)
{
	/* the cancel event is emitted just before the expiry, when the timer leaves the wheel */
	if (!t->armed && !t->expiring) {
		if (!s->have_jiffies)
			return ANNOTATION_NONE;
		arm(t, cpu, s->trace->origin_ns - 1, ev->a * s->tick_ns + s->jiffies_ns, true);
	}
	disarm(t, &s->cpu[t->cpu].wheel, ev->at_ns);
	t->expiring = false;
	return t->expires_ns;
}

static int64_t wheel_event(struct timer_map *m, struct scan *s, int cpu, const struct event *ev)
{
	struct timer *t = find(&m->wheel, ev->obj);

	switch (ev->kind) {
	case EV_TIMER_START:
		wheel_start(t, s, ev);
		break;
	case EV_TIMER_CANCEL:
		t->expiring = t->armed;
		disarm(t, &s->cpu[t->cpu].wheel, ev->at_ns);
		break;
	case EV_TIMER_EXPIRE:
		return wheel_expire(t, s, cpu, ev);
	default:
		break;
	}
	return ANNOTATION_NONE;
}

int64_t timer_map_event(struct timer_map *m, struct scan *s, int cpu, const struct event *ev)
{
	switch (ev->kind) {
	case EV_HRTIMER_START:
	case EV_HRTIMER_CANCEL:
	case EV_HRTIMER_START_EXPIRED:
	case EV_HRTIMER_EXPIRE:
		return hr_event(m, s, cpu, ev);
	case EV_TIMER_START:
	case EV_TIMER_CANCEL:
	case EV_TIMER_EXPIRE:
		return wheel_event(m, s, cpu, ev);
	default:
		return ANNOTATION_NONE;
	}
}

static void free_map(struct timer *map, struct scan *s, bool wheel)
{
	struct timer *t, *next;

	HASH_ITER(hh, map, t, next)
	{
		struct scan_cpu *c = &s->cpu[t->cpu];

		disarm(t, wheel ? &c->wheel : &c->hr, NEVER_NS);
		HASH_DEL(map, t);
		free(t);
	}
}

void timer_map_finish(struct timer_map *m, struct scan *s)
{
	free_map(m->hr, s, false);
	free_map(m->wheel, s, true);
	free(m);
	for (int i = 0; i < s->trace->ncpus; i++) {
		armed_sort(&s->cpu[i].hr);
		armed_sort(&s->cpu[i].wheel);
	}
}
