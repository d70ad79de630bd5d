// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/groups.h"

#include <stdlib.h>
#include <string.h>

/* one CPU of a group on its way through its periods */
struct member {
	const struct period *p, *end;
	const struct state_table *table;
	int64_t at_ns; /* its next change */
	bool idle;
};

struct walk {
	struct group_sum *out;
	struct member *m; /* heap: the earliest change on top */
	int n;
	int running, polling, in_state[STATES_MAX];
	int64_t now_ns, to_ns;
	bool all_idle;
};

static void settle(struct member *m, int64_t to_ns)
{
	if (m->p == m->end || (!m->idle && (m->p->flags & PERIOD_CUT_END)))
		m->at_ns = INT64_MAX;
	else
		m->at_ns = m->idle ? m->p->exit_ns : m->p->enter_ns;
	if (m->at_ns > to_ns)
		m->at_ns = INT64_MAX;
}

static void sift_down(struct walk *w, int i)
{
	int child;

	while ((child = 2 * i + 1) < w->n) {
		struct member x;

		if (child + 1 < w->n && w->m[child + 1].at_ns < w->m[child].at_ns)
			child++;
		if (w->m[child].at_ns >= w->m[i].at_ns)
			break;
		x = w->m[i];
		w->m[i] = w->m[child];
		w->m[child] = x;
		i = child;
	}
}

static int smt_mode(int threads)
{
	return threads == 0 ? 0 : threads == 1 ? 1 : threads == 2 ? 2 : threads <= 4 ? 3 : 4;
}

static void account(struct walk *w, int64_t at_ns)
{
	int64_t passed = at_ns - w->now_ns;
	int state = 0;

	if (passed <= 0)
		return;
	w->out->smt_ns[smt_mode(w->running + w->polling)] += passed;
	w->now_ns = at_ns;
	if (w->running) {
		w->out->busy_ns += passed;
		w->all_idle = false;
		return;
	}
	while (state < STATES_MAX - 1 && !w->in_state[state])
		state++;
	w->out->co_idle_ns[state] += passed;
	w->out->idles += !w->all_idle;
	w->all_idle = true;
}

static void change(struct walk *w, struct member *m)
{
	int state = m->p->state, step = m->idle ? -1 : 1;

	w->in_state[state] += step;
	w->running -= step;
	if (m->table->state[state].timeout != TIMEOUT_NONE)
		w->polling += step;
	if (m->idle)
		m->p++;
	m->idle = !m->idle;
	settle(m, w->to_ns);
}

static void walk_group(struct group_sum *out, const struct run *r, const int *cpu, int n,
	int64_t from_ns, int64_t to_ns)
{
	struct walk w = {.out = out,
		.n = n,
		.running = n,
		.now_ns = from_ns,
		.to_ns = to_ns,
		.m = xcalloc((size_t)n, sizeof(*w.m))};

	*out = (struct group_sum){.ncpus = n, .span_ns = to_ns - from_ns};
	for (int i = 0; i < n; i++) {
		const struct run_cpu *c = &r->cpu[cpu[i]];

		w.m[i] = (struct member){.p = c->period,
			.end = c->period + c->nperiods,
			.table = machine_table(&r->machine, cpu[i])};
		settle(&w.m[i], to_ns);
	}
	for (int i = n / 2 - 1; i >= 0; i--)
		sift_down(&w, i);
	while (w.m[0].at_ns != INT64_MAX) {
		account(&w, w.m[0].at_ns);
		change(&w, &w.m[0]);
		sift_down(&w, 0);
	}
	account(&w, to_ns);
	free(w.m);
}

void group_sums(struct group_sum *out, int ngroups, const struct run *r, const int *group_of,
	int64_t from_ns, int64_t to_ns)
{
	int *first = xcalloc((size_t)ngroups + 1, sizeof(*first));
	int *fill = xcalloc((size_t)ngroups + 1, sizeof(*fill));
	int *cpu = xcalloc((size_t)r->ncpus + 1, sizeof(*cpu));

	for (int i = 0; i < r->ncpus; i++)
		if (group_of[i] >= 0 && group_of[i] < ngroups)
			first[group_of[i] + 1]++;
	for (int g = 0; g < ngroups; g++)
		first[g + 1] += first[g];
	for (int i = 0; i < r->ncpus; i++)
		if (group_of[i] >= 0 && group_of[i] < ngroups)
			cpu[first[group_of[i]] + fill[group_of[i]]++] = i;
	for (int g = 0; g < ngroups; g++)
		if (fill[g])
			walk_group(&out[g], r, cpu + first[g], fill[g], from_ns, to_ns);
		else
			out[g] = (struct group_sum){.span_ns = to_ns - from_ns};
	free(first);
	free(fill);
	free(cpu);
}
