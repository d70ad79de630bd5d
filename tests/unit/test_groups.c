// SPDX-License-Identifier: GPL-2.0-or-later
/* Topologies from their texts; groups idle together, and the SMT modes of cores. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "replay/groups.h"
#include "src/topology.h"

static void from_spec(void **state)
{
	struct error err;
	struct topology t;

	(void)state;
	assert_int_equal(topology_parse(&t, "core=2,socket=4", 6, &err), 0);
	assert_int_equal(t.nlevels, 2);
	assert_int_equal(topology_find(&t, "core")->n, 3);
	assert_int_equal(topology_find(&t, "core")->of[5], 2);
	assert_int_equal(topology_find(&t, "package")->n, 2);
	assert_ptr_equal(topology_find(&t, "socket"), topology_find(&t, "package"));
	assert_null(topology_find(&t, "l3"));
	topology_free(&t);
	assert_int_equal(topology_parse(&t, "core=0", 6, &err), -1);
	assert_int_equal(topology_parse(&t, "core=2,x", 6, &err), -1);
	assert_int_equal(topology_parse(&t, "=2", 6, &err), -1);
}

/* four CPUs, siblings 0 and 2, 1 and 3; two of them not listed */
static void from_lscpu(void **state)
{
	struct error err;
	struct topology t;

	(void)state;
	assert_int_equal(topology_parse(&t,
		"# The following is the parsable format\n# CPU,Core,Socket,Node,,L1d,L3\n"
		"0,0,0,0,,0,0\n1,1,0,0,,1,0\n2,0,0,0,,0,0\n3,1,0,0,,1,0\n9,9,9,9,,9,9\n", 6, &err), 0);
	assert_int_equal(topology_find(&t, "core")->n, 2);
	assert_int_equal(topology_find(&t, "core")->of[2], 0);
	assert_int_equal(topology_find(&t, "core")->of[3], 1);
	assert_int_equal(topology_find(&t, "core")->of[4], -1);
	assert_int_equal(topology_find(&t, "l3")->n, 1);
	topology_free(&t);
	assert_int_equal(topology_parse(&t, "nothing of use\n", 4, &err), -1);
}

/* core ids begin anew in each package */
static void from_sysfs(void **state)
{
	struct error err;
	struct topology t;

	(void)state;
	assert_int_equal(topology_parse(&t,
		"/sys/devices/system/cpu/cpu0/topology/core_id:0\n"
		"/sys/devices/system/cpu/cpu0/topology/physical_package_id:0\n"
		"/sys/devices/system/cpu/cpu1/topology/core_id:0\n"
		"/sys/devices/system/cpu/cpu1/topology/physical_package_id:1\n"
		"/sys/devices/system/cpu/cpu2/topology/core_id:0\n"
		"/sys/devices/system/cpu/cpu2/topology/physical_package_id:0\n", 3, &err), 0);
	assert_int_equal(topology_find(&t, "core")->n, 2);
	assert_int_equal(topology_find(&t, "core")->of[2], 0);
	assert_int_equal(topology_find(&t, "core")->of[1], 1);
	topology_free(&t);
}

static struct period periods[2][3] = {
	/* CPU 0: running 0..10, snooze 10..40, CEDE 40..90 */
	{{.enter_ns = 10, .exit_ns = 40, .state = 0}, {.enter_ns = 40, .exit_ns = 90, .state = 1}},
	/* CPU 1: CEDE 0..20, running 20..30, CEDE 30..70, snooze 70..100 */
	{{.enter_ns = 0, .exit_ns = 20, .state = 1}, {.enter_ns = 30, .exit_ns = 70, .state = 1},
		{.enter_ns = 70, .exit_ns = 100, .state = 0}},
};

static void two_threads_of_a_core(void **state)
{
	struct state_table t = {.nstates = 2, .state = {
		{.name = "snooze", .polling = true, .timeout = TIMEOUT_NEXT_RESIDENCY}, {.name = "CEDE"}}};
	struct run_cpu cpu[2] = {
		{.period = periods[0], .nperiods = 2}, {.period = periods[1], .nperiods = 3}};
	struct run r = {.ncpus = 2, .cpu = cpu};
	const int together[2] = {0, 0}, apart[2] = {0, 1};
	struct group_sum g[2];

	(void)state;
	machine_uniform(&r.machine, &t, 2);
	group_sums(g, 1, &r, together, 0, 100);
	/* 0 running: 0..10, 90..100; 1 running: 20..30 */
	assert_int_equal(g[0].busy_ns, 30);
	/* snooze/CEDE 10..20, 30..40, CEDE/snooze 70..90; both in CEDE 40..70 */
	assert_int_equal(g[0].co_idle_ns[0], 40);
	assert_int_equal(g[0].co_idle_ns[1], 30);
	assert_int_equal(g[0].idles, 2);
	/* none: both CEDE; two: 20..30 running and snooze, 90..100 running and snooze */
	assert_int_equal(g[0].smt_ns[0], 30);
	assert_int_equal(g[0].smt_ns[1], 50);
	assert_int_equal(g[0].smt_ns[2], 20);
	assert_int_equal(g[0].smt_ns[3] + g[0].smt_ns[4], 0);
	group_sums(g, 2, &r, apart, 0, 100);
	assert_int_equal(g[0].busy_ns, 20);
	assert_int_equal(g[0].co_idle_ns[1], 50);
	assert_int_equal(g[1].busy_ns, 10);
	assert_int_equal(g[1].co_idle_ns[0], 30);
	machine_free(&r.machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(from_spec),
		cmocka_unit_test(from_lscpu),
		cmocka_unit_test(from_sysfs),
		cmocka_unit_test(two_threads_of_a_core),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
