// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/wakes.h"

#include <stdlib.h>
#include <string.h>

#define HASH_FUNCTION HASH_JEN
#include <uthash.h>

/* after this long a handler seen after the exit has nothing to do with it any more */
#define HANDLER_WINDOW_NS (200 * NSEC_PER_USEC)

/* one sched_waking, for the question "who woke this task last" */
struct waking {
	int32_t pid, waker;
	uint16_t cpu;
	int64_t at_ns;
};

struct comm_slot {
	int32_t pid;
	uint32_t name;
	UT_hash_handle hh;
};

struct wakers {
	struct waking *w;
	size_t n, cap;
	struct comm_slot *comm;
	uint32_t swapper, nobody;
};

uint64_t wakes_want(void)
{
	return EV_WANT_IDLE | EV_BIT(EV_SWITCH) | EV_BIT(EV_WAKING) | EV_BIT(EV_HRTIMER_EXPIRE) |
		EV_BIT(EV_TIMER_EXPIRE) | EV_BIT(EV_IRQ_ENTRY) | EV_BIT(EV_VECTOR_ENTRY) |
		EV_BIT(EV_IPI_ENTRY) | EV_BIT(EV_SOFTIRQ_ENTRY);
}

const char *wake_kind_name(enum wake_kind kind)
{
	static const char *const names[WAKE_KINDS] = {[WAKE_UNKNOWN] = "unknown",
		[WAKE_TICK] = "tick", [WAKE_TIMER] = "timer", [WAKE_IRQ] = "irq", [WAKE_IPI] = "ipi",
		[WAKE_SOFTIRQ] = "softirq", [WAKE_POLL] = "poll", [WAKE_LIMIT] = "limit"};

	return kind < WAKE_KINDS ? names[kind] : names[WAKE_UNKNOWN];
}

bool wakes_tick_function(const char *function)
{
	/* renamed in 6.9: kernel/time/tick-sched.c */
	return !strncmp(function, "tick_nohz_handler", 17) || !strncmp(function, "tick_sched_timer", 16);
}

static int by_pid_and_time(const void *a, const void *b)
{
	const struct waking *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->at_ns < y->at_ns ? -1 : x->at_ns > y->at_ns;
}

static void note_comm(struct wakers *k, int32_t pid, uint32_t name)
{
	struct comm_slot *slot;

	HASH_FIND_INT(k->comm, &pid, slot);
	if (!slot) {
		slot = xcalloc(1, sizeof(*slot));
		slot->pid = pid;
		HASH_ADD_INT(k->comm, pid, slot);
	}
	slot->name = name;
}

static void collect(struct wakers *k, struct trace *t)
{
	k->swapper = trace_intern(t, "swapper", 7);
	k->nobody = trace_intern(t, "(no waking)", 11);
	for (int i = 0; i < t->ncpus; i++) {
		const struct cpu_trace *c = &t->cpu[i];

		for (size_t e = 0; e < c->nevs; e++) {
			const struct event *ev = &c->ev[e];

			if (ev->kind == EV_SWITCH && ev->name && ev->b) {
				note_comm(k, (int32_t)ev->b, ev->name);
			} else if (ev->kind == EV_WAKING) {
				GROW(k->w, k->n, k->cap);
				k->w[k->n++] = (struct waking){.pid = (int32_t)ev->a,
					.waker = ev->pid, .cpu = ev->cpu, .at_ns = ev->at_ns};
			}
		}
	}
	if (k->n)
		qsort(k->w, k->n, sizeof(*k->w), by_pid_and_time);
}

static void wakers_free(struct wakers *k)
{
	struct comm_slot *slot, *next;

	HASH_ITER(hh, k->comm, slot, next)
	{
		HASH_DEL(k->comm, slot);
		free(slot);
	}
	free(k->w);
}

/* the last waking of pid at or before at_ns; NULL when none was recorded */
static const struct waking *last_waking(const struct wakers *k, int32_t pid, int64_t at_ns)
{
	size_t lo = 0, hi = k->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct waking *w = &k->w[mid];

		if (w->pid < pid || (w->pid == pid && w->at_ns <= at_ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && k->w[lo - 1].pid == pid ? &k->w[lo - 1] : NULL;
}

static uint32_t waker_name(const struct wakers *k, const struct waking *w)
{
	struct comm_slot *slot;

	if (!w->waker)
		return k->swapper;
	HASH_FIND_INT(k->comm, &w->waker, slot);
	return slot ? slot->name : 0;
}

static bool timer_irq(const char *name)
{
	return strstr(name, "timer") != NULL;
}

/* does this record, seen in or just after an idle period, say what interrupted it */
static enum wake_kind handler_kind(const struct trace *t, const struct event *ev)
{
	const char *name = trace_name(t, ev->name);

	switch (ev->kind) {
	case EV_HRTIMER_EXPIRE:
		return wakes_tick_function(name) ? WAKE_TICK : WAKE_TIMER;
	case EV_TIMER_EXPIRE:
		return WAKE_TIMER;
	case EV_IRQ_ENTRY:
		/* IPIs are interrupts with names of their own on POWER and arm64 */
		if (!strncmp(name, "IPI", 3))
			return WAKE_IPI;
		return timer_irq(name) ? WAKE_UNKNOWN : WAKE_IRQ;
	case EV_IPI_ENTRY:
		return WAKE_IPI;
	case EV_VECTOR_ENTRY:
		return ev->a == VECTOR_LOCAL_TIMER || ev->a == VECTOR_OTHER ? WAKE_UNKNOWN : WAKE_IPI;
	case EV_SOFTIRQ_ENTRY:
		return WAKE_SOFTIRQ;
	default:
		return WAKE_UNKNOWN;
	}
}

/* what is known of one period's end while its events are walked */
struct finding {
	enum wake_kind kind;
	uint32_t name;
	int32_t next_pid; /* task switched to after it; 0 none */
	bool local_waking;
};

static void look_at(struct finding *f, const struct trace *t, const struct event *ev,
	const struct period *p, bool polling)
{
	enum wake_kind kind;

	if (ev->kind == EV_SWITCH) {
		f->next_pid = (int32_t)ev->b;
		return;
	}
	if (ev->kind == EV_WAKING) {
		f->local_waking |= ev->at_ns <= p->exit_ns;
		return;
	}
	kind = handler_kind(t, ev);
	if (kind == WAKE_UNKNOWN || ev->at_ns > p->exit_ns + HANDLER_WINDOW_NS)
		return;
	/* while polling, interrupts that wake nobody do not end the period: the last one counts */
	if (f->kind != WAKE_UNKNOWN && !(polling && ev->at_ns <= p->exit_ns))
		return;
	/* the tick often comes with the softirq or wheel timer that did the work: name that timer */
	f->kind = kind;
	f->name = kind == WAKE_TICK ? 0 : ev->name;
}

static void decide(struct period *p, struct finding *f, const struct wakers *k, bool polling, int cpu)
{
	const struct waking *w = f->next_pid ? last_waking(k, f->next_pid, p->exit_ns) : NULL;

	if (w && w->at_ns < p->enter_ns - HANDLER_WINDOW_NS)
		w = NULL;
	if (polling && !f->local_waking) {
		/* only need_resched or the state's own limit end a polling period */
		f->kind = (p->flags & PERIOD_RESCHED) || (w && w->cpu != cpu) ? WAKE_POLL : WAKE_LIMIT;
		f->name = 0;
	}
	/*
	 * need_resched at the exit of a state that does not poll, with no waking here: another CPU set
	 * it, by an interrupt or (MWAIT) by the write alone; what runs afterwards is not the cause
	 */
	if (!polling && (p->flags & PERIOD_RESCHED) && !f->local_waking) {
		f->kind = WAKE_IPI;
		f->name = k->nobody;
	}
	if ((f->kind == WAKE_IPI || f->kind == WAKE_POLL || f->kind == WAKE_UNKNOWN) && w &&
		w->cpu != cpu) {
		if (f->kind == WAKE_UNKNOWN)
			f->kind = WAKE_IPI;
		f->name = waker_name(k, w);
	}
	p->wake = (uint8_t)f->kind;
	p->wake_name = f->name;
}

static void attribute_cpu(struct trace *t, const struct machine *m, const struct wakers *k, int cpu)
{
	struct cpu_trace *c = &t->cpu[cpu];
	const struct state_table *table = machine_table(m, cpu);
	size_t e = 0;

	for (size_t i = 0; i < c->nperiods; i++) {
		struct period *p = &c->period[i];
		int64_t until = i + 1 < c->nperiods ? c->period[i + 1].enter_ns : INT64_MAX;
		bool polling = p->state < table->nstates && table->state[p->state].polling;
		struct finding f = {0};

		while (e < c->nevs && c->ev[e].at_ns < p->enter_ns)
			e++;
		for (; e < c->nevs && c->ev[e].at_ns < until && !f.next_pid; e++)
			look_at(&f, t, &c->ev[e], p, polling);
		if (!(p->flags & PERIOD_CUT_END))
			decide(p, &f, k, polling, cpu);
	}
}

void wakes_attribute(struct trace *t, const struct machine *m)
{
	struct wakers k = {0};

	collect(&k, t);
	for (int i = 0; i < t->ncpus; i++)
		attribute_cpu(t, m, &k, i);
	wakers_free(&k);
}
