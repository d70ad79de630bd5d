// SPDX-License-Identifier: GPL-2.0-or-later
/* The timeline index against brute force over random runs and windows. */
#include "src/timeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t seed = 0x9e3779b97f4a7c15ULL;

static uint64_t rnd(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static void make_table(struct state_table *t)
{
	static const int64_t residency[] = {0, 2000, 20000, 600000};

	memset(t, 0, sizeof(*t));
	t->nstates = 4;
	for (int i = 0; i < 4; i++) {
		t->state[i].target_residency_ns = residency[i];
		t->state[i].exit_latency_ns = residency[i] / 4;
	}
}

#define MANY 40 /* CPUs; enough for the grid of depths */

struct fixture {
	struct trace trace;
	struct run run;
	struct run_cpu cpu[MANY]; /* all but the first are empty */
	struct state_table table;
	struct timeline tl;
	uint8_t table_of[MANY];
};

static void make_for(struct fixture *f, size_t n, int ncpus)
{
	int64_t at = 1000;

	memset(f, 0, sizeof(*f));
	make_table(&f->table);
	f->run.machine = (struct machine){.tables = &f->table, .ntables = 1, .ncpus = ncpus,
		.table_of = f->table_of};
	f->run.trace = &f->trace;
	f->run.ncpus = ncpus;
	f->run.cpu = f->cpu;
	f->cpu[0].period = xcalloc(n, sizeof(struct period));
	f->cpu[0].nperiods = n;
	for (size_t i = 0; i < n; i++) {
		struct period *p = &f->cpu[0].period[i];

		at += (int64_t)rnd(3) * (int64_t)rnd(50000);
		p->enter_ns = at;
		at += (int64_t)rnd(rnd(2) ? 30000 : 2000000);
		p->exit_ns = at;
		p->state = p->entered = (int8_t)rnd(4);
		p->flags = rnd(50) ? 0 : PERIOD_FORCED;
	}
	if (n)
		f->cpu[0].period[n - 1].flags |= PERIOD_CUT_END;
	f->trace.end_ns = at + 1000;
	timeline_build(&f->tl, &f->run, 500);
}

static void make(struct fixture *f, size_t n)
{
	make_for(f, n, 1);
}

static void drop(struct fixture *f)
{
	timeline_free(&f->tl);
	free(f->cpu[0].period);
}

static void brute(const struct fixture *f, int64_t from, int64_t to, struct timeline_sum *out,
	size_t *worst)
{
	int64_t worst_cost = -1;

	memset(out, 0, sizeof(*out));
	*worst = TIMELINE_NONE;
	for (size_t i = 0; i < f->cpu[0].nperiods; i++) {
		const struct period *p = &f->cpu[0].period[i];
		enum verdict v = timeline_verdict(&f->tl, 0, i);
		int64_t lo = max64(p->enter_ns, from), hi = min64(p->exit_ns, to);

		if (hi > lo)
			out->time_ns[p->state] += hi - lo;
		if (p->exit_ns < from || p->exit_ns >= to)
			continue;
		out->wakes += !(p->flags & PERIOD_CUT_END);
		out->above += v == VERDICT_ABOVE;
		out->below += v == VERDICT_BELOW;
		if ((v == VERDICT_ABOVE || v == VERDICT_BELOW) &&
			timeline_cost(&f->tl, 0, i) > worst_cost) {
			worst_cost = timeline_cost(&f->tl, 0, i);
			*worst = i;
		}
	}
}

static void windows_match(void **state)
{
	static const size_t sizes[] = {0, 1, 63, 64, 65, 500, 4096, 9000};

	(void)state;
	for (size_t s = 0; s < ARRAY_SIZE(sizes); s++) {
		struct fixture f;

		make(&f, sizes[s]);
		for (int k = 0; k < 300; k++) {
			int64_t from = (int64_t)rnd((uint64_t)f.trace.end_ns);
			int64_t width = (int64_t)rnd(k % 4 ? (uint64_t)f.trace.end_ns : 100000), to;
			struct timeline_sum got, want;
			size_t worst;

			if (k % 3 == 0 && sizes[s]) /* edges on edges */
				from = f.cpu[0].period[rnd(sizes[s])].exit_ns;
			to = from + width;
			brute(&f, from, to, &want, &worst);
			timeline_window(&f.tl, 0, from, to, &got);
			assert_memory_equal(&got, &want, sizeof(got));
			got.above = timeline_worst(&f.tl, 0, from, to);
			if (worst == TIMELINE_NONE || got.above == TIMELINE_NONE)
				assert_int_equal(got.above, worst);
			else
				assert_int_equal(timeline_cost(&f.tl, 0, got.above),
					timeline_cost(&f.tl, 0, worst));
		}
		drop(&f);
	}
}

static void columns_add_up(void **state)
{
	struct fixture f;
	struct timeline_sum col[200], all, sum = {0};
	int64_t step;

	(void)state;
	make(&f, 5000);
	step = f.trace.end_ns / 200 + 1;
	timeline_columns(&f.tl, 0, 0, step, 200, col);
	for (int i = 0; i < 200; i++) {
		assert_true(timeline_idle_ns(&col[i]) <= step);
		sum.above += col[i].above;
		sum.below += col[i].below;
		sum.wakes += col[i].wakes;
		for (int k = 0; k < STATES_MAX; k++)
			sum.time_ns[k] += col[i].time_ns[k];
	}
	timeline_window(&f.tl, 0, 0, step * 200, &all);
	assert_memory_equal(&sum, &all, sizeof(all));
	drop(&f);
}

static void check_depth(const struct fixture *f, int64_t from, int64_t step)
{
	struct timeline_sum col[150];
	double depth[150] = {0};

	timeline_columns(&f->tl, 0, from, step, 150, col);
	timeline_depth(&f->tl, 0, from, step, 150, depth);
	for (int i = 0; i < 150; i++) {
		double want = 0;

		for (int st = 0; st < 4; st++)
			want += (double)col[i].time_ns[st] * timeline_weight(&f->table, st);
		assert_true(depth[i] - want < 1 && want - depth[i] < 1);
	}
}

/* at any zoom, on the grid and off it, and past both ends */
static void depth_is_the_sum_of_columns(void **state)
{
	static const size_t sizes[] = {0, 1, 15, 16, 17, 64, 5000, 40000};

	(void)state;
	for (size_t k = 0; k < 2 * ARRAY_SIZE(sizes); k++) {
		struct fixture f;

		make_for(&f, sizes[k / 2], k % 2 ? MANY : 1);
		assert_int_equal(f.tl.cpu[0].grid != NULL, k % 2);
		for (int zoom = 1; zoom < 20000; zoom *= 7) {
			int64_t step = f.trace.end_ns / 150 / zoom + 1, round = 1;

			check_depth(&f, (int64_t)rnd((uint64_t)f.trace.end_ns), step);
			while (round < step)
				round *= 10;
			check_depth(&f, round * (int64_t)rnd((uint64_t)(f.trace.end_ns / round + 2)), round * 3);
			check_depth(&f, -4 * round, round);
		}
		drop(&f);
	}
}

static void misses_are_walked(void **state)
{
	struct fixture f;
	struct timeline_sum all;
	size_t forward = 0, back = 0;

	(void)state;
	make(&f, 3000);
	timeline_window(&f.tl, 0, 0, f.trace.end_ns, &all);
	for (size_t i = timeline_miss(&f.tl, 0, TIMELINE_NONE, 1); i != TIMELINE_NONE;
		i = timeline_miss(&f.tl, 0, i, 1))
		forward++;
	for (size_t i = timeline_miss(&f.tl, 0, f.cpu[0].nperiods, -1); i != TIMELINE_NONE;
		i = timeline_miss(&f.tl, 0, i, -1))
		back++;
	assert_int_equal(forward, all.above + all.below);
	assert_int_equal(back, forward);
	drop(&f);
}

static void what_is_there(void **state)
{
	struct fixture f;

	(void)state;
	make(&f, 1000);
	for (size_t i = 0; i < 1000; i++) {
		const struct period *p = &f.cpu[0].period[i];

		if (p->exit_ns == p->enter_ns)
			continue;
		assert_int_equal(timeline_at(&f.tl.cpu[0], p->enter_ns), i);
		assert_int_equal(timeline_at(&f.tl.cpu[0], p->exit_ns - 1), i);
	}
	assert_int_equal(timeline_at(&f.tl.cpu[0], INT64_MAX), 1000);
	drop(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_match),
		cmocka_unit_test(columns_add_up),
		cmocka_unit_test(depth_is_the_sum_of_columns),
		cmocka_unit_test(misses_are_walked),
		cmocka_unit_test(what_is_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
