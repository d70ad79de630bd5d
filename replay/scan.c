// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/scan.h"

#include <stdlib.h>
#include <string.h>

#define PID_MAX 4194304 /* PID_MAX_LIMIT of the kernel */
#define SENDS_KEPT 8
#define STALE_NS 100000 /* a waking older than the task's last run says nothing */

struct task {
	int64_t waking_ns, left_ns;
	int32_t waking_cpu;
	bool woken;
};

struct sends {
	int64_t at_ns[SENDS_KEPT];
	unsigned first, n;
};

struct pass {
	struct scan *s;
	const struct trace *t;
	struct task *task;
	size_t ntasks;
	struct sends *sends; /* per target CPU */
	struct timer_map *timers;
	bool *idle, *switched;
	/* heap of CPUs, that with the earliest next event on top */
	int *heap;
	int nheap;
	size_t *next;
};

bool scan_is_tick(const struct scan *s, uint32_t name)
{
	for (int i = 0; i < s->ntick_names; i++)
		if (s->tick_name[i] == name)
			return true;
	return false;
}

bool scan_is_ipi(const struct trace *t, const struct event *ev)
{
	if (ev->kind == EV_IRQ_ENTRY)
		return strncmp(trace_name(t, ev->name), "IPI", 3) == 0;
	return ev->kind == EV_VECTOR_ENTRY &&
	       (ev->a == VECTOR_RESCHEDULE || ev->a == VECTOR_CALL_FUNCTION ||
		       ev->a == VECTOR_CALL_FUNCTION_SINGLE);
}

static void find_tick_names(struct scan *s, const struct trace *t)
{
	for (uint32_t i = 1; i < t->nnames && s->ntick_names < 4; i++)
		if (strcmp(t->name[i], "tick_nohz_handler") == 0 ||
			strcmp(t->name[i], "tick_sched_timer") == 0)
			s->tick_name[s->ntick_names++] = i;
}

/* the clock of the records against that of the hrtimers: a record follows the reading closely */
static void find_lateness(const struct event *ev, int64_t *least)
{
	if (ev->kind == EV_HRTIMER_EXPIRE)
		*least = min64(*least, ev->at_ns - ev->a);
}

static void find_phase(struct scan *s, const struct event *ev)
{
	int64_t due_ns = ev->a + s->clock_shift_ns;

	if (ev->kind != EV_HRTIMER_START || !scan_is_tick(s, ev->name) || s->tick_phase_ns >= 0)
		return;
	/* a running tick: its next expiry is at most one tick away */
	if (due_ns > ev->at_ns && due_ns <= ev->at_ns + s->tick_ns)
		s->tick_phase_ns = due_ns % s->tick_ns;
}

static void find_jiffies(struct scan *s, const struct event *ev)
{
	int64_t ticks, base;

	if (ev->kind != EV_TIMER_EXPIRE)
		return;
	ticks = (ev->at_ns - s->tick_phase_ns) / s->tick_ns;
	base = (ticks - ev->a) * s->tick_ns + s->tick_phase_ns;
	/* a late jiffy makes it too large: the least is right */
	if (!s->have_jiffies || base < s->jiffies_ns)
		s->jiffies_ns = base;
	s->have_jiffies = true;
}

static void find_clocks(struct scan *s, const struct trace *t)
{
	bool expiries = t->present & EV_BIT(EV_HRTIMER_EXPIRE), wheel = t->present & EV_BIT(EV_TIMER_EXPIRE);
	int64_t least = INT64_MAX;

	s->tick_phase_ns = -1;
	for (int i = 0; i < t->ncpus && expiries; i++)
		for (size_t k = 0; k < t->cpu[i].nevs; k++)
			find_lateness(&t->cpu[i].ev[k], &least);
	if (least < INT64_MAX && (least > NSEC_PER_MSEC || least < -NSEC_PER_MSEC))
		s->clock_shift_ns = least;
	for (int i = 0; i < t->ncpus; i++)
		for (size_t k = 0; k < t->cpu[i].nevs && s->tick_phase_ns < 0; k++)
			find_phase(s, &t->cpu[i].ev[k]);
	s->tick_phase_ns = max64(s->tick_phase_ns, 0);
	for (int i = 0; i < t->ncpus && wheel; i++)
		for (size_t k = 0; k < t->cpu[i].nevs; k++)
			find_jiffies(s, &t->cpu[i].ev[k]);
}

/* --- all CPUs in time order --- */

static bool sooner(const struct pass *p, int a, int b)
{
	int64_t x = p->t->cpu[a].ev[p->next[a]].at_ns, y = p->t->cpu[b].ev[p->next[b]].at_ns;

	return x != y ? x < y : a < b;
}

static void sift_down(struct pass *p, int i)
{
	int child, cpu;

	while ((child = 2 * i + 1) < p->nheap) {
		if (child + 1 < p->nheap && sooner(p, p->heap[child + 1], p->heap[child]))
			child++;
		if (!sooner(p, p->heap[child], p->heap[i]))
			break;
		cpu = p->heap[i];
		p->heap[i] = p->heap[child];
		p->heap[child] = cpu;
		i = child;
	}
}

static void heap_begin(struct pass *p)
{
	for (int i = 0; i < p->t->ncpus; i++)
		if (p->t->cpu[i].nevs)
			p->heap[p->nheap++] = i;
	for (int i = p->nheap / 2 - 1; i >= 0; i--)
		sift_down(p, i);
}

static void heap_advance(struct pass *p)
{
	int cpu = p->heap[0];

	if (++p->next[cpu] == p->t->cpu[cpu].nevs)
		p->heap[0] = p->heap[--p->nheap];
	sift_down(p, 0);
}

/* --- what the events say --- */

static struct task *task_of(struct pass *p, int64_t pid)
{
	if (pid <= 0 || pid >= PID_MAX)
		return NULL;
	if ((size_t)pid >= p->ntasks) {
		size_t n = (size_t)pid * 2 + 64;

		p->task = xrealloc(p->task, n, sizeof(*p->task));
		memset(p->task + p->ntasks, 0, (n - p->ntasks) * sizeof(*p->task));
		p->ntasks = n;
	}
	return &p->task[pid];
}

static void note_waking(struct pass *p, int cpu, const struct event *ev)
{
	struct task *task = task_of(p, ev->a);

	if (!task)
		return;
	task->waking_ns = ev->at_ns;
	task->waking_cpu = cpu;
	task->woken = true;
}

static void sent_to(struct pass *p, int64_t target, int64_t at_ns)
{
	struct sends *q;

	if (target < 0 || target >= p->t->ncpus)
		return;
	q = &p->sends[target];
	if (q->n == SENDS_KEPT) {
		q->first++;
		q->n--;
	}
	q->at_ns[(q->first + q->n++) % SENDS_KEPT] = at_ns;
}

static int64_t take_send(struct sends *q)
{
	if (!q->n)
		return ANNOTATION_NONE;
	q->n--;
	return q->at_ns[q->first++ % SENDS_KEPT];
}

static void note_send(struct pass *p, const struct event *ev)
{
	if (ev->kind == EV_IPI_SEND) {
		sent_to(p, ev->a, ev->at_ns);
		return;
	}
	for (int i = 0; i < 64 && i < p->t->ncpus; i++)
		if ((uint64_t)ev->a >> i & 1)
			sent_to(p, i, ev->at_ns);
}

static void idle_begins(struct pass *p, int cpu, const struct event *ev, size_t index)
{
	struct scan_cpu *c = &p->s->cpu[cpu];

	GROW(c->stretch, c->n, c->cap);
	c->stretch[c->n++] = (struct stretch){.start_ns = ev->at_ns,
		.end_ns = NEVER_NS,
		.from = index + 1,
		.to = index + 1,
		.waking_cpu = -1};
	p->idle[cpu] = true;
}

static void idle_ends(struct pass *p, int cpu, const struct event *ev, size_t index)
{
	struct stretch *st = &p->s->cpu[cpu].stretch[p->s->cpu[cpu].n - 1];
	const struct task *task = task_of(p, ev->b);

	p->idle[cpu] = false;
	st->end_ns = ev->at_ns;
	st->to = index;
	st->next_pid = (int32_t)ev->b;
	if (!task || !task->woken || task->waking_ns < task->left_ns - STALE_NS)
		return;
	st->waking_cpu = task->waking_cpu;
	st->waking_ns = task->waking_ns;
}

/* the recording begins in the middle of an idle stretch: what came before its first entry is
 * unknown */
static void idle_from_start(struct pass *p, int cpu)
{
	const struct cpu_trace *t = &p->t->cpu[cpu];
	struct scan_cpu *c = &p->s->cpu[cpu];

	if (!t->nperiods)
		return;
	GROW(c->stretch, c->n, c->cap);
	c->stretch[c->n++] = (struct stretch){.start_ns = t->period[0].enter_ns - 1,
		.end_ns = NEVER_NS,
		.waking_cpu = -1,
		.headless = true};
	p->idle[cpu] = true;
}

static void note_switch(struct pass *p, int cpu, const struct event *ev, size_t index)
{
	struct task *prev = task_of(p, ev->a);

	if (!p->switched[cpu] && ev->a == 0)
		idle_from_start(p, cpu);
	p->switched[cpu] = true;
	if (prev)
		prev->left_ns = ev->at_ns;
	if (ev->b == 0 && !p->idle[cpu])
		idle_begins(p, cpu, ev, index);
	else if (ev->a == 0 && ev->b != 0 && p->idle[cpu])
		idle_ends(p, cpu, ev, index);
}

static int64_t follow(struct pass *p, int cpu, const struct event *ev, size_t index)
{
	switch (ev->kind) {
	case EV_WAKING:
		note_waking(p, cpu, ev);
		return ANNOTATION_NONE;
	case EV_IPI_SEND:
	case EV_IPI_RAISE:
		note_send(p, ev);
		return ANNOTATION_NONE;
	case EV_SWITCH:
		note_switch(p, cpu, ev, index);
		return ANNOTATION_NONE;
	case EV_IRQ_ENTRY:
	case EV_VECTOR_ENTRY:
		return scan_is_ipi(p->t, ev) ? take_send(&p->sends[cpu]) : ANNOTATION_NONE;
	default:
		return timer_map_event(p->timers, p->s, cpu, ev);
	}
}

/* the last closed period of an unfinished stretch is the last thing that is known of it */
static void close_open_end(struct pass *p, int cpu)
{
	const struct cpu_trace *t = &p->t->cpu[cpu];
	struct scan_cpu *c = &p->s->cpu[cpu];
	struct stretch *st;
	size_t n = t->nperiods;

	if (!p->switched[cpu])
		idle_from_start(p, cpu);
	if (!p->idle[cpu])
		return;
	st = &c->stretch[c->n - 1];
	if (n && (t->period[n - 1].flags & PERIOD_CUT_END))
		n--;
	if (!n || t->period[n - 1].enter_ns < st->start_ns) {
		c->n--;
		return;
	}
	st->end_ns = t->period[n - 1].exit_ns + 1;
	st->open = true;
	for (st->to = st->from; st->to < t->nevs && t->ev[st->to].at_ns < st->end_ns;)
		st->to++;
}

void scan_run(struct scan *s, const struct trace *t, int64_t tick_ns, bool global_wheel)
{
	size_t n = (size_t)t->ncpus;
	struct pass p = {.s = s,
		.t = t,
		.sends = xcalloc(n, sizeof(*p.sends)),
		.idle = xcalloc(n, sizeof(*p.idle)),
		.switched = xcalloc(n, sizeof(*p.switched)),
		.heap = xcalloc(n, sizeof(*p.heap)),
		.next = xcalloc(n, sizeof(*p.next)),
		.timers = timer_map_new()};

	*s = (struct scan){.trace = t, .tick_ns = tick_ns, .global_wheel = global_wheel};
	s->cpu = xcalloc(n, sizeof(*s->cpu));
	for (size_t i = 0; i < n; i++)
		s->cpu[i].annotation = xcalloc(t->cpu[i].nevs + 1, sizeof(int64_t));
	find_tick_names(s, t);
	find_clocks(s, t);
	for (heap_begin(&p); p.nheap; heap_advance(&p)) {
		int cpu = p.heap[0];
		size_t i = p.next[cpu];

		s->cpu[cpu].annotation[i] = follow(&p, cpu, &t->cpu[cpu].ev[i], i);
	}
	for (int i = 0; i < t->ncpus; i++)
		close_open_end(&p, i);
	timer_map_finish(p.timers, s);
	free(p.task);
	free(p.sends);
	free(p.idle);
	free(p.switched);
	free(p.heap);
	free(p.next);
}

void scan_free(struct scan *s)
{
	for (int i = 0; i < s->trace->ncpus; i++) {
		free(s->cpu[i].stretch);
		free(s->cpu[i].tick);
		free(s->cpu[i].annotation);
		armed_free(&s->cpu[i].hr);
		armed_free(&s->cpu[i].wheel);
	}
	free(s->cpu);
}
