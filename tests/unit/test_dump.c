// SPDX-License-Identifier: GPL-2.0-or-later
/* Idle-state dumps in the shapes in which people have them. */
#include "parsers/dump.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void parse(struct dump *d, const char *text)
{
	struct error err = {0};

	if (dump_parse(d, "test", text, strlen(text), &err) < 0)
		fail_msg("%s", err.text);
}

static void one(const char *text, long cpu, long state, int64_t latency)
{
	struct dump d;

	parse(&d, text);
	if (cpu >= d.ncpus || !d.cpu[cpu] || !d.cpu[cpu]->state[state].present)
		fail_msg("no cpu%ld state%ld in '%s'", cpu, state, text);
	if (d.cpu[cpu]->state[state].latency_us != latency)
		fail_msg("%lld in '%s'", (long long)d.cpu[cpu]->state[state].latency_us, text);
	dump_free(&d);
}

static void paths_of_all_kinds(void **unused)
{
	(void)unused;
	one("/sys/devices/system/cpu/cpu3/cpuidle/state2/latency:10\n", 3, 2, 10);
	one("./5.9.0-rc8/iter-0/sys/devices/system/cpu/cpu12/cpuidle/state4/latency:133", 12, 4, 133);
	one("> cpu1/cpuidle/state0/latency: 7\r\n", 1, 0, 7);
	one("./state2/latency:800\n", 0, 2, 800);
	one("  state1/latency:9\n", 0, 1, 9);
	one("rw|/sys/devices/system/cpu/cpu5/cpuidle/state1/latency|44\n", 5, 1, 44);
	one("  17\t/sys/devices/system/cpu/cpu5/cpuidle/state1/latency:1:44\n", 5, 1, 44);
	one("/sys/devices/system/cpu/cpu0/cpuidle/state1/latency=5\n", 0, 1, 5);
	one("==> /sys/devices/system/cpu/cpu2/cpuidle/state1/latency <==\n44\n\n", 2, 1, 44);
	/* a number beyond any kernel's is no CPU, and no crash */
	one("cpu99999/cpuidle/state1/latency:1\ncpu0/cpuidle/state11/latency:2\n"
	    "cpu0/cpuidle/state1/latency:3\n", 0, 1, 3);
}

static void names_and_counters(void **unused)
{
	static const char text[] =
		"cpu0/cpuidle/state1/s2idle/usage:12\ncpu0/cpuidle/state1/s2idle/time::13\n"
		"cpu0/cpuidle/state1/name:Shared Cede\ncpu0/cpuidle/state1/desc:a b c\n"
		"cpu0/cpuidle/state1/usage:4\ncpu0/cpuidle/state1/rejected:2\n"
		"cpu0/cpuidle/state1/disable:1\ncpu0/cpuidle/state0/name:<null>\n"
		"cpu0/cpuidle/state1/default_status:enabled\n"
		"cpu0/cpuidle/driver/name:pseries_idle\n"
		"/sys/devices/system/cpu/cpuidle/current_governor_ro:menu\n"
		"/sys/devices/system/cpu/cpuidle/available_governors:ladder menu \n";
	const struct dump_state *s;
	struct dump d;

	(void)unused;
	parse(&d, text);
	s = &d.cpu[0]->state[1];
	assert_string_equal(s->name, "Shared Cede");
	assert_string_equal(s->desc, "a b c");
	assert_int_equal(s->s2idle_usage, 12);
	assert_int_equal(s->s2idle_time_us, 13);
	assert_int_equal(s->usage, 4);
	assert_int_equal(s->above, -1);
	assert_int_equal(s->rejected, 2);
	assert_int_equal(s->disable, 1);
	assert_int_equal(s->default_off, 0);
	assert_string_equal(d.cpu[0]->state[0].name, "");
	assert_string_equal(d.driver, "pseries_idle");
	assert_string_equal(d.governor, "menu");
	assert_string_equal(d.available, "ladder menu");
	dump_free(&d);
}

static void s2idle_is_no_governor_state(void **unused)
{
	static const char text[] =
		"cpu0/cpuidle/state0/name:WFI\ncpu0/cpuidle/state0/latency:1\n"
		"cpu0/cpuidle/state0/residency:1\n"
		"cpu0/cpuidle/state1/name:s2idle\ncpu0/cpuidle/state1/latency:20000\n"
		"cpu0/cpuidle/state1/residency:4294967295\n"
		"cpu0/cpuidle/state2/name:deep\ncpu0/cpuidle/state2/latency:5\n"
		"cpu0/cpuidle/state2/residency:50\n"
		"cpu1/cpuidle/state0/name:WFI\ncpu1/cpuidle/state0/latency:1\n"
		"cpu1/cpuidle/state0/residency:1\n"
		"cpu1/cpuidle/state1/name:s2idle\ncpu1/cpuidle/state1/latency:20000\n"
		"cpu1/cpuidle/state1/residency:4294967295\n";
	struct machine m;
	struct dump d;

	(void)unused;
	parse(&d, text);
	assert_int_equal(dump_machine(&m, &d, "x", NULL), 0);
	assert_int_equal(m.ntables, 2);
	assert_int_equal(machine_table(&m, 0)->nstates, 3);
	assert_true(machine_table(&m, 0)->state[1].disabled);
	assert_int_equal(machine_table(&m, 0)->state[2].target_residency_ns, 50000);
	assert_int_equal(machine_table(&m, 1)->nstates, 1);
	machine_free(&m);
	dump_free(&d);
}

static void cpupower_shapes(void **unused)
{
	static const char two[] =
		"> CPUidle driver: pseries_idle\n> CPUidle governor: menu\n> analyzing CPU 2:\n>\n"
		">   Number of idle states: 2\n>   Available idle states: snooze Shared Cede\n"
		"> snooze:\n> Flags/Description: snooze\n> Latency: 0\n> Usage: 9\n> Duration: 810\n"
		"> Shared Cede (DISABLED) :\n>   Latency: 10\n> Usage: 1\n> Duration: 2\n>\n"
		"> analyzing CPU 3:\n> Number of idle states: 1\n> Available idle states: snooze\n"
		"> snooze:\n> Latency: 0\n> Residency: 0\n";
	static const char old[] = "analyzing CPU 0:\nmax_cstate:              C2\n"
		"    C1:                  type[C1] promotion[--] demotion[--] latency[002] "
		"residency[00002] usage[00000123] duration[00000000000000045678]\n"
		"    C2:                  type[C2] promotion[--] demotion[--] latency[040] "
		"residency[00080] usage[00000007] duration[00000000000000000009]\n";
	static const char silent[] = "CPUidle driver: intel_idle\nCPUidle governor: menu\n"
		"analyzing CPU 0:\n\nNumber of idle states: 3\nAvailable idle states: POLL C1 C6\n";
	struct dump d;

	(void)unused;
	parse(&d, two);
	assert_int_equal(d.ncpus, 4);
	assert_null(d.cpu[0]);
	assert_string_equal(d.cpu[2]->state[1].name, "Shared Cede");
	assert_int_equal(d.cpu[2]->state[1].disable, 1);
	assert_int_equal(d.cpu[2]->state[1].latency_us, 10);
	assert_int_equal(d.cpu[2]->state[0].time_us, 810);
	assert_int_equal(d.cpu[3]->nstates, 1);
	dump_free(&d);
	parse(&d, old);
	assert_int_equal(d.cpu[0]->nstates, 3);
	assert_int_equal(d.cpu[0]->state[2].residency_us, 80);
	assert_int_equal(d.cpu[0]->state[1].usage, 123);
	assert_int_equal(d.cpu[0]->state[1].time_us, 45678);
	dump_free(&d);
	parse(&d, silent);
	assert_int_equal(d.cpu[0]->nstates, 3);
	assert_string_equal(d.cpu[0]->state[2].name, "C6");
	dump_free(&d);
}

static void polling_follows_the_driver(void **unused)
{
	static const char text[] =
		"cpu0/cpuidle/state0/name:snooze\ncpu0/cpuidle/state0/latency:0\n"
		"cpu0/cpuidle/state0/residency:0\n"
		"cpu0/cpuidle/state1/name:Shared Cede\ncpu0/cpuidle/state1/latency:10\n"
		"cpu0/cpuidle/state1/residency:100\n";
	struct machine m;
	struct dump d;

	(void)unused;
	parse(&d, text);
	assert_int_equal(dump_machine(&m, &d, "x", NULL), 0);
	assert_true(m.tables[0].state[0].polling);
	assert_int_equal(m.tables[0].state[0].timeout, TIMEOUT_NEXT_RESIDENCY);
	assert_true(m.tables[0].state[0].timeout_sets_poll_limit);
	assert_true(m.tables[0].rule_made);
	machine_free(&m);
	copy_text(d.driver, sizeof(d.driver), "powernv_idle");
	assert_int_equal(dump_machine(&m, &d, "x", NULL), 0);
	assert_int_equal(m.tables[0].state[0].timeout, TIMEOUT_NEXT_ENABLED);
	machine_free(&m);
	dump_free(&d);
}

static void missing_residencies(void **unused)
{
	static const char known[] = "analyzing CPU 0:\nPOLL:\nLatency: 0\nC1_ACPI:\nLatency: 1\n"
		"C2_ACPI:\nLatency: 253\nC3_ACPI:\nLatency: 1048\n";
	static const char rule[] = "CPUidle driver: acpi_idle\nanalyzing CPU 0:\nPOLL:\nLatency: 0\n"
		"C1:\nLatency: 3\nC2:\nLatency: 77\n";
	static const char neither[] = "CPUidle driver: x\nanalyzing CPU 0:\nA:\nLatency: 3\n";
	struct machine m;
	struct dump d;

	(void)unused;
	parse(&d, known);
	assert_int_equal(dump_machine(&m, &d, "x", NULL), 0);
	assert_int_equal(m.tables[0].state[2].target_residency_ns, 759000);
	assert_non_null(strstr(m.tables[0].note, "tgl-cst"));
	machine_free(&m);
	dump_free(&d);
	parse(&d, rule);
	assert_int_equal(dump_machine(&m, &d, "x", NULL), 0);
	assert_int_equal(m.tables[0].state[2].target_residency_ns, 154000);
	machine_free(&m);
	dump_free(&d);
	parse(&d, neither);
	assert_int_equal(dump_machine(&m, &d, "x", NULL), 0);
	assert_true(m.tables[0].state[0].target_residency_ns == TIME_UNKNOWN);
	machine_free(&m);
	dump_free(&d);
}

static void subtraction(void **unused)
{
	static const char before[] = "cpu0/cpuidle/state0/name:A\ncpu0/cpuidle/state0/usage:5\n"
		"cpu0/cpuidle/state0/time:50\ncpu1/cpuidle/state0/name:A\n";
	static const char after[] = "cpu0/cpuidle/state0/name:A\ncpu0/cpuidle/state0/usage:7\n"
		"cpu0/cpuidle/state0/time:90\ncpu0/cpuidle/state0/above:1\ncpu2/cpuidle/state0/name:A\n";
	struct error err = {0};
	struct dump a, b, d;

	(void)unused;
	parse(&b, before);
	parse(&a, after);
	assert_int_equal(dump_subtract(&d, &b, &a, &err), 0);
	assert_int_equal(d.cpu[0]->state[0].usage, 2);
	assert_int_equal(d.cpu[0]->state[0].time_us, 40);
	assert_int_equal(d.cpu[0]->state[0].above, -1);
	assert_null(d.cpu[1]);
	assert_null(d.cpu[2]);
	dump_free(&d);
	assert_int_equal(dump_subtract(&d, &a, &b, &err), -1);
	assert_int_equal(err.code, EXIT_INPUT);
	dump_free(&a);
	parse(&a, "cpu0/cpuidle/state0/usage:5\ncpu0/cpuidle/state0/usage:7\n");
	assert_int_equal(dump_subtract(&d, &b, &a, &err), -1);
	assert_non_null(strstr(err.text, "second dump"));
	dump_free(&a);
	dump_free(&b);
}

static void refusals(void **unused)
{
	static const char *const bad[] = {"", "hello\n", "state of the art\n"};
	static const char none[] = "CPUidle driver: none\nCPUidle governor: menu\nanalyzing CPU 11:\n\n"
		"CPU 11: No idle states\n";
	struct error err = {0};
	struct machine m;
	struct dump d;

	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(dump_parse(&d, "x", bad[i], strlen(bad[i]), &err), -1);
	parse(&d, none);
	assert_int_equal(dump_machine(&m, &d, "x", &err), -1);
	assert_non_null(strstr(err.text, "driver none"));
	dump_free(&d);
	assert_int_equal(dump_load(&d, "/nowhere/at/all", &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(paths_of_all_kinds),
		cmocka_unit_test(names_and_counters), cmocka_unit_test(s2idle_is_no_governor_state),
		cmocka_unit_test(cpupower_shapes), cmocka_unit_test(polling_follows_the_driver),
		cmocka_unit_test(missing_residencies), cmocka_unit_test(subtraction),
		cmocka_unit_test(refusals)};

	return cmocka_run_group_tests_name("dump", tests, NULL, NULL);
}
