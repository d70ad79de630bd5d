// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/backfill.h"

#include <stdlib.h>

#define HASH_FUNCTION HASH_JEN
#include <uthash.h>

#include "replay/hz.h"
#include "src/stats.h"

#define RCU_SOFTIRQ 9
#define JUST_NOW_NS 100000	  /* a restart by the callback, a cancel as part of expiring */
#define RESTART_PHASE_NS 1000000  /* such timers run on a period of whole milliseconds */
#define UNKNOWN_WAIT_NS 900000000 /* a timer that was cancelled: taken to have been far away */
#define SAMPLES_MAX 10000
#define NONE SIZE_MAX

/* the first thing that was seen of a timer decides whether it was armed before */
struct first_seen {
	uint64_t obj;
	bool tick, cancelled_first;
	size_t pre;	    /* index of its prearmed entry, NONE */
	int64_t due_ns;	    /* of the last start, INT64_MIN when not armed */
	int64_t restart_ns, restart_due_ns; /* first start after the first expiry */
	uint32_t flags;
	bool have_flags;
	UT_hash_handle hh;
};

struct scan {
	struct backfill *b;
	const struct trace *trace;
	struct first_seen *hrtimers, *wheels;
	struct time_list late;	 /* expiry seen minus expiry set */
	struct time_list bucket; /* jiffies of every wheel start */
	struct time_list enter;	 /* from the switch to the idle task to the entry */
	int64_t *stopping;	 /* [ncpus] a tick stop whose target is still to come, INT64_MIN */
	int64_t *switched;	 /* [ncpus] last switch to the idle task, INT64_MIN when entered since */
};

static void list_add(struct time_list *l, int64_t v)
{
	GROW(l->v, l->n, l->cap);
	l->v[l->n++] = v;
}

/* number of entries not later than at_ns */
static size_t count_upto(const struct time_list *l, int64_t at_ns)
{
	size_t lo = 0, hi = l->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (l->v[mid] <= at_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

int64_t time_after(const struct time_list *l, int64_t at_ns)
{
	size_t i = count_upto(l, at_ns);

	return i < l->n ? l->v[i] : INT64_MAX;
}

int64_t time_upto(const struct time_list *l, int64_t at_ns)
{
	size_t i = count_upto(l, at_ns);

	return i ? l->v[i - 1] : INT64_MIN;
}

int64_t wheel_bucket(int64_t expires, int64_t now)
{
	int64_t delta = expires - now;
	int shift = 0;

	if (delta < 0)
		return now;
	/* nine levels of 64 buckets, each eight times as coarse as the one before */
	while (shift < 24 && delta >= 63LL << shift)
		shift += 3;
	return ((expires >> shift) + 1) << shift;
}

static struct first_seen *look_up(struct first_seen **map, uint64_t obj, bool *fresh)
{
	struct first_seen *s;

	HASH_FIND(hh, *map, &obj, sizeof(obj), s);
	*fresh = !s;
	if (!s) {
		s = xcalloc(1, sizeof(*s));
		s->obj = obj;
		s->pre = NONE;
		s->due_ns = INT64_MIN;
		HASH_ADD(hh, *map, obj, sizeof(obj), s);
	}
	return s;
}

static size_t add_pre(struct prearmed **list, size_t *n, size_t *cap, const struct moment *m,
	int64_t expires, bool known)
{
	GROW(*list, *n, *cap);
	(*list)[*n] = (struct prearmed){.timer = {.obj = m->ev->obj, .expires_ns = expires},
		.cpu = m->cpu, .seen_ns = m->at_ns, .known = known};
	return (*n)++;
}

static size_t pre_hrtimer(struct scan *s, const struct moment *m, int64_t expires, bool known)
{
	return add_pre(&s->b->hrtimer, &s->b->nhrtimers, &s->b->hrtimer_cap, m, expires, known);
}

static void note_target(struct scan *s, int cpu, int64_t expires_ns)
{
	struct backfill_cpu *c = &s->b->cpu[cpu];

	if (s->stopping[cpu] == INT64_MIN)
		return;
	GROW(c->target, c->ntargets, c->target_cap);
	c->target[c->ntargets++] =
		(struct tick_target){.at_ns = s->stopping[cpu], .expires_ns = expires_ns};
	s->stopping[cpu] = INT64_MIN;
}

static void hrtimer_start(struct scan *s, const struct moment *m, struct first_seen *h, bool fresh)
{
	const struct event *e = m->ev;
	int64_t due = backfill_clock(s->b, e->a);

	if (hz_is_tick(trace_name(s->trace, e->name))) {
		h->tick = true;
		s->b->cpu[m->cpu].tick = e->obj;
		note_target(s, m->cpu, due);
	}
	if (fresh && (e->aux >> 8 & 3) == 1)
		h->pre = pre_hrtimer(s, m, 0, false);
	else if (h->pre != NONE && !h->restart_ns) {
		h->restart_ns = m->at_ns;
		h->restart_due_ns = due;
	}
	h->due_ns = due;
}

static void hrtimer_event(struct scan *s, const struct moment *m)
{
	const struct event *e = m->ev;
	bool fresh;
	struct first_seen *h = look_up(&s->hrtimers, e->obj, &fresh);

	if (e->kind == EV_HRTIMER_START) {
		hrtimer_start(s, m, h, fresh);
	} else if (e->kind == EV_HRTIMER_EXPIRE) {
		if (fresh)
			h->pre = pre_hrtimer(s, m, backfill_clock(s->b, e->a), true);
		else if (h->due_ns != INT64_MIN && s->late.n < SAMPLES_MAX)
			list_add(&s->late, backfill_clock(s->b, e->a) - h->due_ns);
		h->due_ns = INT64_MIN;
	} else if (e->kind != EV_HRTIMER_INIT) {
		if (fresh)
			h->pre = pre_hrtimer(s, m, 0, false);
		if (h->tick)
			note_target(s, m->cpu, INT64_MAX);
		h->due_ns = INT64_MIN;
	}
}

static void wheel_start(struct scan *s, const struct moment *m, struct first_seen *w)
{
	const struct event *e = m->ev;
	int64_t grid = backfill_grid(s->b, m->at_ns) - s->b->clock_offset_ns;
	int64_t origin = grid / s->b->tick_ns - e->c;

	if (!s->b->jiffies_known || origin < s->b->jiffies_origin)
		s->b->jiffies_origin = origin;
	s->b->jiffies_known = true;
	w->flags = e->aux;
	w->have_flags = true;
	list_add(&s->bucket, e->b >= 0 ? e->b : wheel_bucket(e->a, e->c));
}

static void wheel_event(struct scan *s, const struct moment *m)
{
	struct backfill *b = s->b;
	const struct event *e = m->ev;
	bool fresh, expired = e->kind == EV_TIMER_EXPIRE;
	struct first_seen *w = look_up(&s->wheels, e->obj, &fresh);

	if (e->kind == EV_TIMER_START) {
		wheel_start(s, m, w);
	} else if (fresh) {
		w->pre = add_pre(
			&b->wheel, &b->nwheels, &b->wheel_cap, m, expired ? e->b : 0, expired);
		w->cancelled_first = !expired;
	} else if (expired && w->cancelled_first) {
		/* expiring begins with a cancel event */
		if (m->at_ns - b->wheel[w->pre].seen_ns < JUST_NOW_NS) {
			b->wheel[w->pre].timer.expires_ns = e->b;
			b->wheel[w->pre].known = true;
		}
		w->cancelled_first = false;
	} else {
		w->cancelled_first = false;
	}
}

static void scan_event(struct scan *s, const struct moment *m)
{
	struct backfill_cpu *c = &s->b->cpu[m->cpu];

	switch (m->ev->kind) {
	case EV_HRTIMER_INIT:
	case EV_HRTIMER_START:
	case EV_HRTIMER_START_EXPIRED:
	case EV_HRTIMER_CANCEL:
	case EV_HRTIMER_EXPIRE:
		hrtimer_event(s, m);
		break;
	case EV_TIMER_START:
	case EV_TIMER_CANCEL:
	case EV_TIMER_EXPIRE:
		wheel_event(s, m);
		break;
	case EV_SWITCH:
		s->switched[m->cpu] = m->ev->b == 0 ? m->at_ns : INT64_MIN;
		break;
	case EV_SOFTIRQ_EXIT:
		if (m->ev->a == RCU_SOFTIRQ)
			list_add(&c->rcu, m->at_ns);
		break;
	case EV_TICK_STOP:
		if (m->ev->a == 1) {
			list_add(&c->stop, m->at_ns);
			s->stopping[m->cpu] = m->at_ns;
		}
		break;
	default:
		break;
	}
}

/* the expiry of a timer that was seen to expire, from the time at which it did */
static int64_t settled_expiry(const struct backfill *b, const struct prearmed *p,
	const struct first_seen *h, int64_t lateness)
{
	int64_t x = p->timer.expires_ns;

	if (h->tick)
		return backfill_grid(b, x);
	if (h->restart_ns && h->restart_ns - p->seen_ns < JUST_NOW_NS) {
		int64_t phase = (x - h->restart_due_ns) % RESTART_PHASE_NS;

		return x - (phase < 0 ? phase + RESTART_PHASE_NS : phase);
	}
	return x - lateness;
}

static void idle_moment(struct scan *s, const struct moment *m)
{
	s->stopping[m->cpu] = INT64_MIN;
	if (m->kind == MOMENT_ENTER && s->switched[m->cpu] != INT64_MIN && s->enter.n < SAMPLES_MAX)
		list_add(&s->enter, m->at_ns - s->switched[m->cpu]);
	s->switched[m->cpu] = INT64_MIN;
}

static void settle_enter(struct scan *s)
{
	if (!s->enter.n)
		return;
	stats_sort(s->enter.v, s->enter.n);
	s->b->enter_fast_ns = s->enter.v[s->enter.n / 20];
	s->b->enter_typical_ns = s->enter.v[s->enter.n / 2];
}

static void settle_hrtimers(struct scan *s)
{
	struct backfill *b = s->b;
	int64_t lateness = 0, start = s->trace->origin_ns;
	bool fresh;

	if (s->late.n) {
		stats_sort(s->late.v, s->late.n);
		lateness = s->late.v[s->late.n / 2];
	}
	for (size_t i = 0; i < b->nhrtimers; i++) {
		struct prearmed *p = &b->hrtimer[i];
		struct first_seen *h = look_up(&s->hrtimers, p->timer.obj, &fresh);

		if (p->known)
			p->timer.expires_ns = settled_expiry(b, p, h, lateness);
		else if (h->tick)
			p->timer.expires_ns = backfill_grid(b, start) + b->tick_ns;
		else
			p->timer.expires_ns = p->seen_ns + UNKNOWN_WAIT_NS;
		p->timer.at_least_ns = p->known || h->tick ? p->timer.expires_ns : p->seen_ns;
	}
}

/* a stop beyond a timer shows that the timer does not bind this CPU: some other one takes it */
static bool contradicted(const struct backfill *b, const struct prearmed *p)
{
	const struct backfill_cpu *c = &b->cpu[p->cpu];

	for (size_t i = 0; i < c->ntargets && c->target[i].at_ns < p->seen_ns; i++)
		if (c->target[i].at_ns < p->timer.expires_ns - b->tick_ns &&
			c->target[i].expires_ns > p->timer.expires_ns)
			return true;
	return false;
}

static void settle_wheels(struct scan *s, int64_t version)
{
	struct backfill *b = s->b;
	bool fresh;

	for (size_t i = 0; i < b->nwheels; i++) {
		struct prearmed *p = &b->wheel[i];
		struct first_seen *w = look_up(&s->wheels, p->timer.obj, &fresh);

		if (p->known)
			p->timer.expires_ns = backfill_jiffy(b, p->timer.expires_ns);
		else
			p->timer.expires_ns = backfill_grid(b, p->seen_ns) + 2 * b->tick_ns;
		p->timer.at_least_ns = p->known ? p->timer.expires_ns : p->seen_ns;
		p->skip = w->have_flags && (w->flags & TIMER_FLAG_DEFERRABLE);
		if (version < KERNEL_LOCAL_TIMERS)
			p->global = false;
		else if (w->have_flags)
			p->global = !(w->flags & TIMER_FLAG_PINNED);
		else
			p->global = p->known && contradicted(b, p);
	}
}

static void free_seen(struct first_seen **map)
{
	struct first_seen *s, *next;

	HASH_ITER(hh, *map, s, next)
	{
		HASH_DEL(*map, s);
		free(s);
	}
}

void backfill_build(struct backfill *b, const struct trace *t, int64_t tick_ns, int64_t version)
{
	struct scan s = {.b = b, .trace = t};
	struct walk w;
	struct moment m;

	*b = (struct backfill){
		.tick_ns = tick_ns, .ncpus = t->ncpus, .clock_offset_ns = clock_offset(t)};
	b->cpu = xcalloc((size_t)t->ncpus + 1, sizeof(*b->cpu));
	s.stopping = xcalloc((size_t)t->ncpus + 1, sizeof(*s.stopping));
	s.switched = xcalloc((size_t)t->ncpus + 1, sizeof(*s.switched));
	for (int i = 0; i < t->ncpus; i++)
		s.stopping[i] = s.switched[i] = INT64_MIN;
	walk_init(&w, t);
	while (walk_next(&w, &m)) {
		if (m.kind == MOMENT_EVENT)
			scan_event(&s, &m);
		else
			idle_moment(&s, &m);
	}
	walk_free(&w);
	settle_enter(&s);
	settle_hrtimers(&s);
	settle_wheels(&s, version);
	for (size_t i = 0; i < s.bucket.n; i++)
		s.bucket.v[i] = backfill_jiffy(b, s.bucket.v[i]);
	backfill_reveal(b, &s.bucket, t->origin_ns);
	free_seen(&s.hrtimers);
	free_seen(&s.wheels);
	free(s.late.v);
	free(s.bucket.v);
	free(s.enter.v);
	free(s.stopping);
	free(s.switched);
}

void backfill_free(struct backfill *b)
{
	for (int i = 0; i < b->ncpus; i++) {
		free(b->cpu[i].rcu.v);
		free(b->cpu[i].stop.v);
		free(b->cpu[i].target);
		free(b->cpu[i].revealed);
	}
	free(b->cpu);
	free(b->hrtimer);
	free(b->wheel);
	*b = (struct backfill){0};
}
