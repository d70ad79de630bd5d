// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/compare.h"
#include "src/fail_if.h"
#include "src/phases.h"
#include "src/style.h"

#define CPUS 4

static struct state_table table_of(const char *deep)
{
	struct state_table t = {.nstates = 2};

	copy_text(t.state[0].name, sizeof(t.state[0].name), "C1");
	copy_text(t.state[1].name, sizeof(t.state[1].name), deep);
	t.state[1].target_residency_ns = 100000;
	t.state[1].exit_latency_ns = 10000;
	return t;
}

/* CPUs 0 and 1 have C6, CPUs 2 and 3 C10; the recording is woken every 50 us, then every 200 us */
static void make_run(struct run *r, struct trace **trace)
{
	struct trace *t = trace_new("made", EV_WANT_IDLE);
	struct state_table one = table_of("C6"), two = table_of("C10");
	struct machine m = {.source = MACHINE_FILE, .ntables = 2, .ncpus = CPUS};

	trace_cpus(t, CPUS);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		int64_t at = 1000;

		for (int i = 0; i < 20000; i++) {
			int64_t step = i < 10000 ? 50000 : 200000;
			struct event ev = {.at_ns = at, .obj = (uint64_t)cpu, .a = i < 10000 ? cpu & 1 : 1,
				.kind = EV_IDLE, .cpu = (uint16_t)cpu};

			trace_add(t, &ev);
			ev.at_ns = at + step / 2;
			ev.a = -1;
			trace_add(t, &ev);
			at += step;
		}
	}
	trace_finish(t);
	m.tables = xcalloc(2, sizeof(*m.tables));
	m.tables[0] = one;
	m.tables[1] = two;
	m.table_of = xcalloc(CPUS, 1);
	m.table_of[2] = m.table_of[3] = 1;
	run_of_recording(r, t, &m, 0);
	machine_free(&m);
	*trace = t;
}

static void close_to(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
		fail_msg("got %.12g, want %.12g", got, want);
}

static double value(const char *measure, const struct fact *f)
{
	return measure_value(measure_find(measure, strlen(measure)), f);
}

static int64_t span_of(const struct trace *t)
{
	return t->end_ns - t->origin_ns;
}

static void groups_add_up(void **state)
{
	static const char *const by[] = {"cpu", "cluster"};
	struct grouping all, g;
	struct facts whole, parts;
	struct fact sum;
	struct trace *t;
	struct run r;

	(void)state;
	make_run(&r, &t);
	assert_int_equal(grouping_make(&all, "all", &r.machine, CPUS, NULL, NULL), 0);
	assert_int_equal(facts_build(&whole, &r, &all, span_of(t), NULL), 0);
	for (size_t k = 0; k < ARRAY_SIZE(by); k++) {
		assert_int_equal(grouping_make(&g, by[k], &r.machine, CPUS, NULL, NULL), 0);
		assert_int_equal(g.n, k ? 2 : 4);
		assert_int_equal(facts_build(&parts, &r, &g, span_of(t), NULL), 0);
		memset(&sum, 0, sizeof(sum));
		for (int i = 0; i < g.n; i++)
			fact_add(&sum, &parts.group[i].total);
		assert_true(sum.sum.usage == whole.group[0].total.sum.usage && sum.sum.usage == 80000);
		assert_true(sum.sum.time_ns == whole.group[0].total.sum.time_ns);
		assert_true(sum.sum.above == whole.group[0].total.sum.above && sum.sum.above > 0);
		close_to(value("time%", &sum), value("time%", &whole.group[0].total));
		facts_free(&parts);
		grouping_free(&g);
	}
	facts_free(&whole);
	grouping_free(&all);
	run_free(&r);
	trace_free(t);
}

static void measures_by_hand(void **state)
{
	bool cpus[CPUS] = {false, true, false, false};
	struct grouping g;
	struct facts f;
	struct trace *t;
	struct run r;

	(void)state;
	make_run(&r, &t);
	assert_int_equal(grouping_make(&g, "all", &r.machine, CPUS, cpus, NULL), 0);
	assert_int_equal(facts_build(&f, &r, &g, span_of(t), NULL), 0);
	/* CPU 1: state 1 for 10000 periods of 25 us, too short, and 10000 of 100 us, long enough */
	close_to(value("usage", &f.group[0].state[1]), 20000);
	close_to(value("above", &f.group[0].state[1]), 10000);
	close_to(value("above%", &f.group[0].state[1]), 0.5);
	close_to(value("avg", &f.group[0].state[1]), 62500);
	close_to(value("p50", &f.group[0].state[1]), 25000);
	close_to(value("p99", &f.group[0].state[1]), 100000);
	close_to(value("time%", &f.group[0].total), 1.25e9 / (double)span_of(t));
	close_to(value("idle%", &f.group[0].state[1]), 1);
	assert_true(isnan(value("above%", &f.group[0].state[0])));
	facts_free(&f);
	grouping_free(&g);
	run_free(&r);
	trace_free(t);
}

static void violations_are_internal_errors(void **state)
{
	struct error err = {.code = EXIT_FINE};
	struct grouping g;
	struct facts f;
	struct trace *t;
	struct run r;

	(void)state;
	make_run(&r, &t);
	assert_int_equal(grouping_make(&g, "all", &r.machine, CPUS, NULL, NULL), 0);
	/* idle for longer than it was watched */
	assert_int_equal(facts_build(&f, &r, &g, span_of(t) / 3, &err), -1);
	assert_int_equal(err.code, EXIT_INTERNAL);
	err.code = EXIT_FINE;
	r.cpu[1].state[1].above = r.cpu[1].state[1].usage;
	r.cpu[1].state[1].below = 10 * r.cpu[1].state[1].usage;
	assert_int_equal(facts_build(&f, &r, &g, span_of(t), &err), -1);
	assert_int_equal(err.code, EXIT_INTERNAL);
	grouping_free(&g);
	run_free(&r);
	trace_free(t);
}

static void paces_are_found(void **state)
{
	struct phases p;
	struct facts f;
	struct trace *t;
	struct run r;

	(void)state;
	make_run(&r, &t);
	phases_find(&p, &r, NULL);
	assert_int_equal(p.n, 2);
	assert_string_equal(p.phase[0].name, "50");
	assert_string_equal(p.phase[1].name, "200");
	assert_int_equal(facts_by_phase(&f, &r, &p, NULL, 0, NULL), 0);
	close_to(value("avg", &f.group[0].total), 25000);
	close_to(value("avg", &f.group[1].total), 100000);
	facts_free(&f);
	phases_free(&p);
	run_free(&r);
	trace_free(t);
}

/* swapping the sides negates every difference; what only one side has is set apart */
static void comparing(void **state)
{
	struct compare_input in[2];
	struct compare ab, ba;
	struct grouping g;
	struct facts f[2];
	struct trace *t;
	struct run r;

	(void)state;
	make_run(&r, &t);
	for (int i = 0; i < 2; i++) {
		bool cpus[CPUS] = {i == 0, i == 0, i == 1, i == 1};

		assert_int_equal(grouping_make(&g, "all", &r.machine, CPUS, cpus, NULL), 0);
		assert_int_equal(facts_build(&f[i], &r, &g, span_of(t), NULL), 0);
		f[i].group[0].name = "all";
		grouping_free(&g);
		in[i] = (struct compare_input){.label = i ? "b" : "a", .facts = &f[i], .set = i};
	}
	f[1].group[0].state[0].sum.usage /= 2;
	compare_build(&ab, in, 2, 2, true, "usage avg");
	in[0].set = 1;
	in[1].set = 0;
	compare_build(&ba, in, 2, 2, true, "usage avg");
	assert_int_equal(ab.nrows, 4); /* C1 and total, twice */
	assert_int_equal(ab.nrest, 2);
	assert_string_equal(ab.rest[0].state, "C6");
	assert_string_equal(ab.rest[1].state, "C10");
	for (size_t i = 0; i < ab.nrows; i++) {
		close_to(ab.row[i].test.diff, -ba.row[i].test.diff);
		assert_false(ab.row[i].test.significant);
	}
	close_to(ab.row[0].test.diff, -5000);
	compare_free(&ab);
	compare_free(&ba);
	facts_free(&f[0]);
	facts_free(&f[1]);
	run_free(&r);
	trace_free(t);
}

static void failing(void **state)
{
	static const struct {
		const char *text;
		int want;
	} cases[] = {{"state == total && usage == 80000", 1}, {"state == C1 && above > 0", 0},
		{"run == 0 && above% > 12%", 1}, {"avg > 1ms", 0}, {"above_change > 0", 0}, {"frob", -1},
		{"avg > 5", -1}};
	struct style_set set = {.nruns = 1, .caption = ""};
	struct error err;
	struct grouping g;
	struct facts f;
	struct trace *t;
	struct run r;
	char where[200];

	(void)state;
	make_run(&r, &t);
	assert_int_equal(grouping_make(&g, "all", &r.machine, CPUS, NULL, NULL), 0);
	assert_int_equal(facts_build(&f, &r, &g, span_of(t), NULL), 0);
	set.run = &f;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (fail_if_holds(&set, cases[i].text, where, sizeof(where), &err) != cases[i].want)
			fail_msg("%s", cases[i].text);
	facts_free(&f);
	grouping_free(&g);
	run_free(&r);
	trace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_add_up),
		cmocka_unit_test(measures_by_hand),
		cmocka_unit_test(violations_are_internal_errors),
		cmocka_unit_test(paces_are_found),
		cmocka_unit_test(comparing),
		cmocka_unit_test(failing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
