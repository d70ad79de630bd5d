// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/trace.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define HASH_FUNCTION HASH_JEN
#include <uthash.h>

#define CPUS_MAX 8192

struct name_slot {
	uint32_t number;
	char *text;
	UT_hash_handle hh;
};

struct trace *trace_new(const char *path, uint64_t want)
{
	struct trace *t = xcalloc(1, sizeof(*t));

	t->path = xstrdup(path);
	t->want = want;
	t->clock_is_ns = t->clock_global = true;
	t->origin_ns = INT64_MAX; /* until trace_finish(); parsers that see other records may widen them */
	t->end_ns = INT64_MIN;
	trace_intern(t, "", 0);
	return t;
}

static void free_names(struct trace *t)
{
	struct name_slot *slot, *next, *all = t->name_map;

	HASH_ITER(hh, all, slot, next)
	{
		HASH_DEL(all, slot);
		free(slot->text);
		free(slot);
	}
	free(t->name);
}

void trace_free(struct trace *t)
{
	int i;

	if (!t)
		return;
	for (i = 0; i < t->ncpus; i++) {
		free(t->cpu[i].period);
		free(t->cpu[i].ev);
		free(t->cpu[i].hole);
	}
	for (i = 0; i < t->nwarnings; i++)
		free(t->warning[i]);
	free_names(t);
	free(t->warning);
	free(t->cpu);
	free(t->machine_text);
	free(t->cmdlines);
	free(t->path);
	free(t);
}

void trace_cpus(struct trace *t, int ncpus)
{
	if (ncpus > CPUS_MAX)
		ncpus = CPUS_MAX;
	if (ncpus <= t->ncpus)
		return;
	t->cpu = xrealloc(t->cpu, (size_t)ncpus, sizeof(*t->cpu));
	memset(t->cpu + t->ncpus, 0, (size_t)(ncpus - t->ncpus) * sizeof(*t->cpu));
	for (int i = t->ncpus; i < ncpus; i++) {
		t->cpu[i].first_ns = INT64_MAX;
		t->cpu[i].last_ns = INT64_MIN;
	}
	t->ncpus = ncpus;
}

static void idle_enter(struct cpu_trace *c, int64_t at_ns, int64_t state, int32_t pid)
{
	if (state >= STATES_MAX) {
		c->bad_states++;
		return;
	}
	/* the earlier entry never got an exit: nothing is known of how it ended */
	if (c->open)
		c->reenters++;
	c->open = true;
	c->open_enter_ns = at_ns;
	c->open_state = (int8_t)state;
	if (c->open_state > c->deepest)
		c->deepest = c->open_state;
	/* an entry by a task other than the idle task is idle injection: no governor was asked */
	c->open_flags = pid > 0 ? PERIOD_FORCED : 0;
}

static void idle_exit(struct cpu_trace *c, int64_t at_ns, uint8_t ctx)
{
	struct period *p;

	if (!c->open) {
		c->orphan_exits++;
		return;
	}
	GROW(c->period, c->nperiods, c->period_cap);
	p = &c->period[c->nperiods++];
	*p = (struct period){.enter_ns = c->open_enter_ns, .exit_ns = at_ns,
		.state = c->open_state, .entered = c->open_state, .flags = c->open_flags};
	if (ctx & CTX_NEED_RESCHED)
		p->flags |= PERIOD_RESCHED;
	c->open = false;
}

/* the miss event follows the exit of the period that it judges */
static void idle_miss(struct cpu_trace *c, const struct event *ev)
{
	struct period *p = c->nperiods ? &c->period[c->nperiods - 1] : NULL;
	size_t state = (size_t)ev->a;

	if (ev->a < 0 || state >= ARRAY_SIZE(c->missed_above))
		return;
	if (ev->b)
		c->missed_below[state]++;
	else
		c->missed_above[state]++;
	if (!p || c->open || ev->at_ns < p->exit_ns || state >= STATES_MAX)
		return;
	if (p->flags & (PERIOD_MISS_ABOVE | PERIOD_MISS_BELOW))
		return;
	p->flags |= ev->b ? PERIOD_MISS_BELOW : PERIOD_MISS_ABOVE;
	p->entered = (int8_t)state;
}

static void note_time(struct cpu_trace *c, int64_t at_ns)
{
	if (at_ns < c->first_ns)
		c->first_ns = at_ns;
	if (at_ns > c->last_ns)
		c->last_ns = at_ns;
	else if (at_ns < c->last_ns)
		c->back_steps++;
}

static inline void add_idle(struct cpu_trace *c, int64_t at_ns, int64_t state, int32_t pid, uint8_t ctx)
{
	c->idle_events++;
	if (state < 0)
		idle_exit(c, at_ns, ctx);
	else
		idle_enter(c, at_ns, state, pid);
}

void trace_idle(struct cpu_trace *c, int64_t at_ns, int32_t state, int32_t pid, uint8_t ctx)
{
	note_time(c, at_ns);
	add_idle(c, at_ns, state, pid, ctx);
}

bool trace_in_window(const struct trace *t, struct cpu_trace *c, int64_t at_ns)
{
	if (!t->nwindows)
		return true;
	while (c->window < t->nwindows && t->window[c->window].to_ns <= at_ns)
		c->window++;
	return c->window < t->nwindows && t->window[c->window].from_ns <= at_ns;
}

void trace_add(struct trace *t, const struct event *ev)
{
	bool idle = ev->kind == EV_IDLE || ev->kind == EV_MISS;
	uint64_t cpu = idle ? ev->obj : ev->cpu;
	struct cpu_trace *c;

	if (cpu >= (uint64_t)t->ncpus)
		return;
	c = &t->cpu[cpu];
	note_time(c, ev->at_ns);
	if (ev->kind == EV_IDLE)
		add_idle(c, ev->at_ns, ev->a, ev->pid, ev->ctx);
	else if (ev->kind == EV_MISS)
		idle_miss(c, ev);
	/* idle events become periods: they are kept only to be ordered among others */
	if (!(t->want & EV_BIT(ev->kind)) || (idle && !trace_keeps_idle(t)))
		return;
	if (ev->kind != EV_MARKER && !trace_in_window(t, c, ev->at_ns))
		return;
	GROW(c->ev, c->nevs, c->ev_cap);
	c->ev[c->nevs++] = *ev;
}

void trace_hole(struct trace *t, int cpu, int64_t from_ns, int64_t to_ns, int64_t lost)
{
	struct cpu_trace *c;

	if (cpu < 0 || cpu >= t->ncpus)
		return;
	c = &t->cpu[cpu];
	c->open = false;
	GROW(c->hole, c->nholes, c->hole_cap);
	c->hole[c->nholes++] = (struct hole){.from_ns = from_ns, .to_ns = to_ns, .lost = lost};
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return 0;
}

static void finish_cpu(struct trace *t, struct cpu_trace *c)
{
	bool sorted = true;

	for (size_t i = 1; i < c->nevs && sorted; i++)
		sorted = c->ev[i - 1].at_ns <= c->ev[i].at_ns;
	if (!sorted)
		qsort(c->ev, c->nevs, sizeof(*c->ev), by_time);
	for (size_t i = 0; i < c->nevs; i++)
		t->present |= EV_BIT(c->ev[i].kind);
	for (size_t i = 0; i < ARRAY_SIZE(c->missed_above); i++)
		if (c->missed_above[i] || c->missed_below[i])
			t->present |= EV_BIT(EV_MISS);
	if (c->idle_events)
		t->present |= EV_BIT(EV_IDLE);
}

static void close_tail(struct trace *t, struct cpu_trace *c)
{
	if (!c->open)
		return;
	GROW(c->period, c->nperiods, c->period_cap);
	c->period[c->nperiods++] = (struct period){.enter_ns = c->open_enter_ns,
		.exit_ns = max64(t->end_ns, c->open_enter_ns), .state = c->open_state,
		.entered = c->open_state, .flags = c->open_flags | PERIOD_CUT_END};
	c->open = false;
}

void trace_finish(struct trace *t)
{
	int64_t first = t->origin_ns, last = t->end_ns;

	for (int i = 0; i < t->ncpus; i++) {
		finish_cpu(t, &t->cpu[i]);
		first = min64(first, t->cpu[i].first_ns);
		last = max64(last, t->cpu[i].last_ns);
	}
	t->origin_ns = first == INT64_MAX ? 0 : first;
	t->end_ns = last == INT64_MIN ? t->origin_ns : last;
	for (int i = 0; i < t->ncpus; i++)
		close_tail(t, &t->cpu[i]);
}

uint32_t trace_intern(struct trace *t, const char *text, size_t len)
{
	struct name_slot *slot, *all = t->name_map;

	HASH_FIND(hh, all, text, len, slot);
	if (slot)
		return slot->number;
	GROW(t->name, t->nnames, t->name_cap);
	slot = xcalloc(1, sizeof(*slot));
	slot->text = xcalloc(len + 1, 1);
	memcpy(slot->text, text, len);
	slot->number = t->nnames;
	t->name[t->nnames++] = slot->text;
	HASH_ADD_KEYPTR(hh, all, slot->text, len, slot);
	t->name_map = all;
	return slot->number;
}

void trace_warn(struct trace *t, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	GROW(t->warning, t->nwarnings, t->warning_cap);
	t->warning[t->nwarnings++] = xstrdup(text);
}

static const char *comm_from_events(const struct trace *t, int pid)
{
	for (int i = 0; i < t->ncpus; i++) {
		const struct cpu_trace *c = &t->cpu[i];

		for (size_t k = 0; k < c->nevs; k++)
			if (c->ev[k].kind == EV_SWITCH && c->ev[k].b == pid && c->ev[k].name)
				return trace_name(t, c->ev[k].name);
	}
	return "";
}

/* what the recorder noted of tasks that ran at some time */
static const char *comm_from_cmdlines(const struct trace *t, int pid)
{
	for (const char *line = t->cmdlines; line && *line; line += strlen(line) + 1) {
		char *comm;

		if (strtol(line, &comm, 10) == pid && *comm == ' ')
			return comm + 1;
	}
	return "";
}

/*
 * The linear search is for a screen line or a message, not for loops over events:
 * whoever needs many names keeps the number that the event carries.
 */
const char *trace_comm(const struct trace *t, int pid)
{
	const char *comm = comm_from_events(t, pid);

	return *comm ? comm : comm_from_cmdlines(t, pid);
}

int64_t trace_kernel_version(const char *kernel)
{
	int major = 0, minor = 0, patch = 0;

	if (sscanf(kernel, "%d.%d.%d", &major, &minor, &patch) < 2)
		return 0;
	return major * 10000000LL + minor * 100000LL + patch;
}

size_t trace_event_at(const struct cpu_trace *c, int64_t at_ns)
{
	size_t lo = 0, hi = c->nevs;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->ev[mid].at_ns < at_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
