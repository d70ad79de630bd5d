// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/decision_list.h"
#include "views/beliefs.h"
#include "views/decision_sort.h"

#include <stdlib.h>

#define SLICE 40000 /* decisions looked at between two keys */

static void stop_sorting(struct decision_list *l)
{
	sorter_free(l->sorter);
	l->sorter = NULL;
	l->sorted = false;
}

void decision_list_start(struct decision_list *l, struct expr *filter)
{
	stop_sorting(l);
	expr_free(l->filter);
	l->filter = filter;
	l->n = 0;
	l->cpu = 0;
	l->i = 0;
	l->done = false;
}

void decision_list_free(struct decision_list *l)
{
	stop_sorting(l);
	expr_free(l->filter);
	free(l->item);
}

static size_t count_of(const struct session *s, int cpu)
{
	return s->decisions ? s->decisions->cpu[cpu].n : s->trace->cpu[cpu].nperiods;
}

size_t decision_list_total(const struct session *s)
{
	size_t n = 0;

	for (int cpu = 0; cpu < s->trace->ncpus; cpu++)
		n += count_of(s, cpu);
	return n;
}

void decision_list_get(const struct session *s, struct decision_item it, const struct decision **d,
	const struct period **p)
{
	const struct run *run = session_get(s, 0);
	uint32_t i = it.i;

	*d = NULL;
	if (s->decisions) {
		*d = &s->decisions->cpu[it.cpu].d[it.i];
		i = (*d)->period;
	}
	*p = i < run->cpu[it.cpu].nperiods ? &run->cpu[it.cpu].period[i] : NULL;
}

/* an aborted decision has no length, no verdict, no wake: no filter asks for it */
static bool passes(const struct decision_list *l, const struct session *s, struct decision_item it)
{
	const struct decision *d;
	const struct period *p;
	struct period_ref ref;

	if (!l->filter)
		return true;
	decision_list_get(s, it, &d, &p);
	if (!p)
		return false;
	ref = (struct period_ref){session_get(s, 0), it.cpu, p};
	return expr_holds(l->filter, period_read, &ref);
}

static int64_t predicted_error(const struct session *s, struct decision_item it, const struct period *p)
{
	int64_t error;

	/* the worst first, whichever way it is wrong */
	return s->decisions && beliefs_error(beliefs_get(s, it.cpu, it.i), p, &error) ? llabs(error) : -1;
}

static int64_t key_of(const struct decision_list *l, const struct session *s, struct decision_item it)
{
	const struct decision *d;
	const struct period *p;
	struct period_ref ref;

	decision_list_get(s, it, &d, &p);
	ref = (struct period_ref){session_get(s, 0), it.cpu, p};
	switch (l->sort) {
	case SORT_TIME:
		return p ? p->enter_ns : d->select_ns;
	case SORT_COST:
		return p ? period_cost_ns(&ref) : -1;
	case SORT_LENGTH:
		return p ? p->exit_ns - p->enter_ns : -1;
	case SORT_TIMER:
		return d ? d->sleep_ns : -1;
	case SORT_PREDICTED:
		return s->decisions ? beliefs_get(s, it.cpu, it.i) : GOV_NO_LENGTH;
	case SORT_ERROR:
		return predicted_error(s, it, p);
	default:
		return it.cpu;
	}
}

/* the items are in the order of CPUs and time, which is that of equal ones; true: there is more to do */
static bool sort_slice(struct decision_list *l, const struct session *s)
{
	size_t i;

	if (!l->n || l->n > SORT_MAX || (l->sort == SORT_CPU && l->up))
		return false;
	if (!l->sorter)
		l->sorter = sorter_new(l->n);
	i = sorter_added(l->sorter);
	if (i == l->n)
		return sorter_pass(l->sorter);
	for (size_t end = i + SLICE < l->n ? i + SLICE : l->n; i < end; i++)
		sorter_add(l->sorter, key_of(l, s, l->item[i]), l->item[i], l->up);
	return true;
}

static void sort(struct decision_list *l, const struct session *s)
{
	if (sort_slice(l, s))
		return;
	if (l->sorter)
		sorter_take(l->sorter, l->item);
	stop_sorting(l);
	l->sorted = true;
}

static void scan(struct decision_list *l, const struct session *s)
{
	for (int k = 0; k < SLICE && l->cpu < s->trace->ncpus; k++) {
		struct decision_item it = {(uint32_t)l->i, (uint16_t)l->cpu};

		if (l->i >= count_of(s, l->cpu)) {
			l->cpu++;
			l->i = 0;
			continue;
		}
		l->i++;
		if (passes(l, s, it)) {
			GROW(l->item, l->n, l->cap);
			l->item[l->n++] = it;
		}
	}
	l->done = l->cpu >= s->trace->ncpus;
}

bool decision_list_work(struct decision_list *l, const struct session *s)
{
	if (l->done && l->sorted)
		return false;
	if (l->done)
		sort(l, s);
	else
		scan(l, s);
	return true;
}

void decision_list_sort(struct decision_list *l, enum decision_sort how, bool up)
{
	stop_sorting(l);
	l->sort = how;
	l->up = up;
}

const char *decision_sort_name(enum decision_sort how)
{
	static const char *const names[] = {"cpu", "time", "cost", "length", "timer",
		"predicted", "error"};

	return names[how];
}
