// SPDX-License-Identifier: GPL-2.0-or-later
/* Axes and cells of a sweep, the trade-off mark, energy from break-even. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "replay/energy.h"
#include "replay/sweep.h"
#include "src/stats.h"

static void ranges(void **state)
{
	struct sweep_axes a = {0};
	struct error err;

	(void)state;
	assert_int_equal(sweep_axis_add(&a, "1.residency=10..120:55", &err), 0);
	assert_int_equal(sweep_axis_add(&a, "limit=0..3", &err), 0);
	assert_int_equal(sweep_axis_add(&a, "detector=old,new", &err), 0);
	assert_int_equal(a.axis[0].n, 3);
	assert_string_equal(a.axis[0].name, "1.residency");
	assert_string_equal(a.axis[0].value[2], "120");
	assert_int_equal(a.axis[1].n, 4);
	assert_int_equal(sweep_cells(&a), 24);
	/* the last axis turns fastest */
	assert_string_equal(sweep_value(&a, 1, 2), "new");
	assert_string_equal(sweep_value(&a, 1, 1), "0");
	assert_string_equal(sweep_value(&a, 2, 1), "1");
	assert_string_equal(sweep_value(&a, 23, 0), "120");
	sweep_axes_free(&a);
	/* not one too few for 0.1 not being a number of bits */
	assert_int_equal(sweep_axis_add(&a, "x=0..1:0.1", &err), 0);
	assert_int_equal(a.axis[0].n, 11);
	assert_string_equal(a.axis[0].value[3], "0.3");
	sweep_axes_free(&a);
}

static void wrong_axes(void **state)
{
	static const char *const text[] = {"", "x", "x=", "=1..2", "x=1..", "x=..2", "x=3..1", "x=1..2:0",
		"x=1..2:-1", "x=1..2:", "x=a..b", "x=1,,2", "x=1..9e9:1"};
	struct error err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(text); i++) {
		struct sweep_axes a = {0};

		assert_int_equal(sweep_axis_add(&a, text[i], &err), -1);
		assert_int_equal(err.code, EXIT_USAGE);
		sweep_axes_free(&a);
	}
}

/* against the definition, over all pairs */
static void pareto_by_definition(void **state)
{
	struct sweep_point p[200];
	uint64_t x = 7;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(p); i++) {
		x = x * 6364136223846793005ULL + 1442695040888963407ULL;
		p[i] = (struct sweep_point){.x = (double)(x >> 60), .y = (double)(x >> 52 & 31)};
		if (i % 17 == 0)
			p[i].x = NAN;
	}
	sweep_pareto(p, ARRAY_SIZE(p));
	for (size_t i = 0; i < ARRAY_SIZE(p); i++) {
		bool beaten = isnan(p[i].x);

		for (size_t k = 0; k < ARRAY_SIZE(p); k++)
			beaten |= p[k].x <= p[i].x && p[k].y <= p[i].y &&
				(p[k].x < p[i].x || p[k].y < p[i].y);
		assert_int_equal(p[i].best, !beaten);
	}
}

static const struct state_table table = {.nstates = 4, .state = {
	{.name = "POLL", .polling = true, .timeout = TIMEOUT_POLL_IDLE},
	{.name = "C1", .exit_latency_ns = 2000, .target_residency_ns = 2000},
	{.name = "C6", .exit_latency_ns = 85000, .target_residency_ns = 200000},
	{.name = "C10", .exit_latency_ns = 890000, .target_residency_ns = 5000000}}};

/* at a target residency two neighbours cost the same; below it the shallower, above it the deeper */
static void residencies_break_even(void **state)
{
	struct energy_model m;

	(void)state;
	energy_from_table(&m, &table, 0.4);
	assert_true(m.known);
	assert_true(m.power[0] == 1 && m.power[1] == 0.4);
	for (int i = 1; i < table.nstates; i++) {
		double r = (double)table.state[i].target_residency_ns;

		for (int k = -1; k <= 1; k++) {
			double t = r * (1 + 0.1 * k);
			double shallow = m.power[i - 1] * t + m.transition[i - 1];
			double deep = m.power[i] * t + m.transition[i];

			if (k == 0)
				assert_true(fabs(shallow - deep) < 1e-6 * deep);
			else
				assert_true(k < 0 ? shallow < deep : deep < shallow);
		}
	}
}

static void rules_carry_no_energy(void **state)
{
	struct state_table cede = {.nstates = 2, .state = {{.name = "snooze", .polling = true},
		{.name = "CEDE", .exit_latency_ns = 12000, .target_residency_ns = 120000}}};
	struct energy_model m;

	(void)state;
	energy_from_table(&m, &cede, 0.5);
	assert_false(m.known);
	assert_non_null(strstr(m.why, "rule"));
	cede.state[1].target_residency_ns = 95000;
	energy_from_table(&m, &cede, 0.5);
	assert_true(m.known);
	cede.rule_made = true;
	energy_from_table(&m, &cede, 0.5);
	assert_false(m.known);
}

static void given_powers(void **state)
{
	struct energy_model m;
	struct error err;

	(void)state;
	assert_int_equal(energy_parse(&m, "# W\nrunning 10\nPOLL 9\nC1 3 1.5\n2 1\nC10 0.5 40\n", &table, &err),
		0);
	assert_true(m.running == 10 && m.power[1] == 3 && m.transition[1] == 1500 && m.power[3] == 0.5);
	assert_int_equal(energy_parse(&m, "POLL 9\nC1 3\n2 1\n", &table, &err), -1);
	assert_non_null(strstr(err.text, "C10"));
	assert_int_equal(energy_parse(&m, "POLL 9\nC2 3\n", &table, &err), -1);
	assert_non_null(strstr(err.text, "line 2"));
	assert_int_equal(energy_parse(&m, "POLL x\n", &table, &err), -1);
}

/* one CPU of 100 ms: 60 ms in C1 (30 times), 20 ms in C6 (twice), 20 ms running */
static void energy_adds_up(void **state)
{
	struct energy_model m = {.known = true, .running = 10, .power = {9, 3, 1, 0.5},
		.transition = {0, 1000, 50000, 0}};
	struct run_cpu cpu = {0};
	struct run r = {.ncpus = 1, .cpu = &cpu};

	(void)state;
	machine_uniform(&r.machine, &table, 1);
	cpu.state[1] = (struct state_sum){.usage = 30, .time_ns = 60000000};
	cpu.state[2] = (struct state_sum){.usage = 2, .time_ns = 20000000};
	assert_true(energy_of_run(&r, &m, 100000000) ==
		3 * 60e6 + 30 * 1000 + 1 * 20e6 + 2 * 50000 + 10 * 20e6);
	m.known = false;
	assert_true(isnan(energy_of_run(&r, &m, 100000000)));
	machine_free(&r.machine);
}

/* selection against sorting */
static void selected_percentiles(void **state)
{
	static const double share[] = {0, 0.1, 0.5, 0.9, 0.99, 1};
	int64_t v[501], sorted[501], got[ARRAY_SIZE(share)];
	uint64_t x = 3;

	(void)state;
	for (size_t n = 1; n <= ARRAY_SIZE(v); n += 50) {
		for (size_t i = 0; i < n; i++) {
			x = x * 6364136223846793005ULL + 1;
			v[i] = sorted[i] = (int64_t)(x >> 57) - 60;
		}
		stats_sort(sorted, n);
		stats_select_all(v, n, share, got, ARRAY_SIZE(share));
		for (size_t k = 0; k < ARRAY_SIZE(share); k++)
			assert_true(got[k] == stats_percentile(sorted, n, share[k]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges),
		cmocka_unit_test(wrong_axes),
		cmocka_unit_test(pareto_by_definition),
		cmocka_unit_test(residencies_break_even),
		cmocka_unit_test(rules_carry_no_energy),
		cmocka_unit_test(given_powers),
		cmocka_unit_test(energy_adds_up),
		cmocka_unit_test(selected_percentiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
