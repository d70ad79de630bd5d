// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/selection.h"

#define WINDOW_NS (100 * NSEC_PER_MSEC)
#define AGREE 0.08
#define WINDOWS_MIN 3

static bool is_wakeup(const struct period *p)
{
	return p->wake != WAKE_TICK && p->wake != WAKE_LIMIT && !(p->flags & PERIOD_CUT_END);
}

static int busiest_cpu(const struct run *r, const bool *cpus)
{
	size_t most = 0;
	int cpu = 0;

	for (int i = 0; i < r->ncpus; i++) {
		if ((cpus && !cpus[i]) || r->cpu[i].nperiods <= most)
			continue;
		most = r->cpu[i].nperiods;
		cpu = i;
	}
	return cpu;
}

/* wake-ups of one CPU per window of the recording */
static uint32_t *count_windows(const struct run *r, int cpu, size_t *n)
{
	const struct trace *t = r->trace;
	uint32_t *count;

	*n = (size_t)((t->end_ns - t->origin_ns) / WINDOW_NS);
	count = xcalloc(*n + 1, sizeof(*count));
	for (size_t k = 0; k < r->cpu[cpu].nperiods; k++) {
		const struct period *p = &r->cpu[cpu].period[k];
		size_t w = (size_t)((p->exit_ns - t->origin_ns) / WINDOW_NS);

		if (w < *n)
			count[w] += is_wakeup(p);
	}
	return count;
}

static void add_phase(struct phases *out, const struct trace *t, size_t from, size_t to, uint64_t wakes)
{
	struct phase *p;

	GROW(out->phase, out->n, out->cap);
	p = &out->phase[out->n++];
	p->from_ns = t->origin_ns + (int64_t)from * WINDOW_NS;
	p->to_ns = t->origin_ns + (int64_t)to * WINDOW_NS;
	p->period_ns = (p->to_ns - p->from_ns) / (int64_t)wakes;
	snprintf(p->name, sizeof(p->name), "%.0f", (double)p->period_ns / 1e3);
}

void phases_find(struct phases *out, const struct run *r, const bool *cpus)
{
	uint32_t *count;
	uint64_t sum;
	size_t n, to;

	memset(out, 0, sizeof(*out));
	out->cpu = busiest_cpu(r, cpus);
	count = count_windows(r, out->cpu, &n);
	for (size_t from = 0; from < n; from = to) {
		sum = count[from];
		for (to = from + 1; to < n; to++) {
			double mean = (double)sum / (double)(to - from);

			if (!count[to] || fabs(count[to] - mean) > AGREE * mean)
				break;
			sum += count[to];
		}
		if (sum && to - from >= WINDOWS_MIN)
			add_phase(out, r->trace, from, to, sum);
	}
	free(count);
}

void phases_free(struct phases *p)
{
	free(p->phase);
	memset(p, 0, sizeof(*p));
}

static int one_phase(struct fact_group *out, const struct run *r, const struct phase *p, const bool *cpus,
	int64_t event_cost_ns, struct error *err)
{
	struct selection sel = {.from_ns = p->from_ns, .to_ns = p->to_ns, .any = true};
	struct grouping g;
	struct facts f;
	struct run part;
	int ret;

	run_select(&part, r, &sel, event_cost_ns);
	ret = grouping_make(&g, "all", &part.machine, part.ncpus, cpus, err);
	/* the last period of a window may reach beyond it */
	if (!ret)
		ret = facts_build(&f, &part, &g, p->to_ns - p->from_ns + WINDOW_NS, err);
	if (!ret) {
		*out = f.group[0];
		out->name = p->name;
		out->table = machine_table(&r->machine, 0);
		for (int s = 0; s <= STATES_MAX; s++) {
			struct fact *fact = s < STATES_MAX ? &out->state[s] : &out->total;

			fact->span_ns = (p->to_ns - p->from_ns) * out->ncpus;
		}
		facts_free(&f);
		grouping_free(&g);
	}
	run_free(&part);
	return ret;
}

int facts_by_phase(struct facts *out, const struct run *r, const struct phases *p, const bool *cpus,
	int64_t event_cost_ns, struct error *err)
{
	bool *one = xcalloc((size_t)r->ncpus, sizeof(*one));
	int ret = 0;

	one[p->cpu] = true;
	*out = (struct facts){.run = r, .label = r->label, .what = "period us", .ngroups = p->n};
	out->group = xcalloc((size_t)p->n, sizeof(*out->group));
	for (int i = 0; i < p->n && !ret; i++)
		ret = one_phase(&out->group[i], r, &p->phase[i], cpus ? cpus : one, event_cost_ns, err);
	free(one);
	if (ret)
		facts_free(out);
	return ret;
}
