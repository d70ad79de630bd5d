// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/wake_list.h"

#include <stdlib.h>
#include <string.h>

#define SLICE 60000

void wake_list_start(struct wake_list *l, const struct session *s, int only_cpu, struct expr *filter)
{
	enum wake_sort sort = l->sort;

	wake_list_free(l);
	*l = (struct wake_list){.only_cpu = only_cpu, .cpu = only_cpu < 0 ? 0 : only_cpu, .filter = filter,
		.sort = sort};
	l->slot = xcalloc((size_t)WAKE_KINDS * (s->trace->nnames + 1), sizeof(*l->slot));
}

void wake_list_free(struct wake_list *l)
{
	free(l->row);
	free(l->slot);
	expr_free(l->filter);
}

static struct wake_row *row_of(struct wake_list *l, const struct session *s, const struct period *p)
{
	uint8_t kind = p->wake < WAKE_KINDS ? p->wake : WAKE_UNKNOWN;
	uint32_t name = p->wake_name < s->trace->nnames ? p->wake_name : 0;
	int *slot = &l->slot[(size_t)kind * s->trace->nnames + name];

	if (!*slot) {
		GROW(l->row, l->n, l->cap);
		l->row[l->n] = (struct wake_row){.kind = kind, .name = name};
		*slot = (int)++l->n;
	}
	return &l->row[*slot - 1];
}

static void add(struct wake_list *l, const struct session *s, size_t i, const struct period *p)
{
	enum verdict v = timeline_verdict(&s->run[0]->tl, l->cpu, i);
	struct wake_row *r = row_of(l, s, p);

	r->n++;
	r->above += v == VERDICT_ABOVE;
	r->below += v == VERDICT_BELOW;
	r->by_state[p->state]++;
	r->time_ns += p->exit_ns - p->enter_ns;
	l->total++;
	l->time_ns += p->exit_ns - p->enter_ns;
}

bool wake_list_work(struct wake_list *l, const struct session *s)
{
	const struct run *run = session_get(s, 0);
	int last = l->only_cpu < 0 ? s->trace->ncpus - 1 : l->only_cpu;

	if (l->done || !l->slot)
		return false;
	for (int k = 0; k < SLICE && l->cpu <= last; k++) {
		const struct period *p = &run->cpu[l->cpu].period[l->i];
		struct period_ref ref = {run, l->cpu, p};

		if (l->i >= run->cpu[l->cpu].nperiods) {
			l->cpu++;
			l->i = 0;
			continue;
		}
		if (!(p->flags & PERIOD_CUT_END) &&
			(!l->filter || expr_holds(l->filter, period_read, &ref)))
			add(l, s, l->i, p);
		l->i++;
	}
	l->done = l->cpu > last;
	if (l->done)
		wake_list_sort(l, l->sort);
	return true;
}

static int by_count(const void *a, const void *b)
{
	const struct wake_row *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return x->kind != y->kind ? (int)x->kind - (int)y->kind : x->name < y->name ? -1 : 1;
}

static int by_misses(const void *a, const void *b)
{
	const struct wake_row *x = a, *y = b;
	uint64_t mx = x->above + x->below, my = y->above + y->below;

	return mx != my ? (mx > my ? -1 : 1) : by_count(a, b);
}

static int by_time(const void *a, const void *b)
{
	const struct wake_row *x = a, *y = b;

	return x->time_ns != y->time_ns ? (x->time_ns > y->time_ns ? -1 : 1) : by_count(a, b);
}

void wake_list_sort(struct wake_list *l, enum wake_sort sort)
{
	static int (*const compare[])(const void *, const void *) = {by_count, by_misses, by_time};

	l->sort = sort;
	if (l->n && l->done) {
		qsort(l->row, l->n, sizeof(*l->row), compare[sort]);
		free(l->slot); /* rows have moved */
		l->slot = NULL;
	}
}
