// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/changes.h"

#include <stdlib.h>

/*
 * Where latencies differ, so do the edges of periods: an overlap that is a sliver of both is the edge
 * of another comparison, not a change of its own.
 */
static bool sliver(int64_t overlap, const struct period *l, const struct period *r)
{
	int64_t shorter = min64(l->exit_ns - l->enter_ns, r->exit_ns - r->enter_ns);

	return overlap <= 0 || overlap < shorter / 4;
}

static void compare_pair(struct changes *out, const struct timeline *left, const struct timeline *right,
	int cpu, size_t i, size_t j)
{
	const struct period *l = &left->cpu[cpu].period[i], *r = &right->cpu[cpu].period[j];
	int64_t from = max64(l->enter_ns, r->enter_ns), to = min64(l->exit_ns, r->exit_ns);

	if (l->state == r->state || sliver(to - from, l, r))
		return;
	GROW(out->c, out->n, out->cap);
	out->c[out->n++] = (struct change){
		.at_ns = from,
		.length_ns = to - from,
		/* a period that overlaps several is counted where it ends, and so only once */
		.cost_left_ns = l->exit_ns <= r->exit_ns ? timeline_cost(left, cpu, i) : 0,
		.cost_right_ns = r->exit_ns <= l->exit_ns ? timeline_cost(right, cpu, j) : 0,
		.left = (uint32_t)i,
		.right = (uint32_t)j,
		.cpu = (uint16_t)cpu,
	};
}

static void compare_cpu(struct changes *out, const struct timeline *left, const struct timeline *right,
	int cpu)
{
	const struct timeline_cpu *l = &left->cpu[cpu], *r = &right->cpu[cpu];
	size_t i = 0, j = 0;

	while (i < l->n && j < r->n) {
		compare_pair(out, left, right, cpu, i, j);
		if (l->period[i].exit_ns == r->period[j].exit_ns) {
			i++;
			j++;
		} else if (l->period[i].exit_ns < r->period[j].exit_ns) {
			i++;
		} else {
			j++;
		}
	}
}

void changes_build(struct changes *out, const struct timeline *left, const struct timeline *right)
{
	int ncpus = left->ncpus < right->ncpus ? left->ncpus : right->ncpus;

	*out = (struct changes){0};
	for (int cpu = 0; cpu < ncpus; cpu++)
		compare_cpu(out, left, right, cpu);
}

static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return (int)x->cpu - (int)y->cpu;
}

static int64_t gap(const struct change *c)
{
	return c->cost_left_ns > c->cost_right_ns ? c->cost_left_ns - c->cost_right_ns
						  : c->cost_right_ns - c->cost_left_ns;
}

static int by_gap(const void *a, const void *b, void *list)
{
	const struct change *c = list;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	int64_t x = gap(&c[i]), y = gap(&c[j]);

	return x != y ? (x > y ? -1 : 1) : by_time(&c[i], &c[j]);
}

void changes_sort(struct changes *list)
{
	if (!list->n)
		return;
	qsort(list->c, list->n, sizeof(*list->c), by_time);
	list->by_cost = xcalloc(list->n, sizeof(*list->by_cost));
	for (size_t i = 0; i < list->n; i++)
		list->by_cost[i] = (uint32_t)i;
	qsort_r(list->by_cost, list->n, sizeof(*list->by_cost), by_gap, list->c);
}

void changes_free(struct changes *list)
{
	free(list->c);
	free(list->by_cost);
	*list = (struct changes){0};
}
