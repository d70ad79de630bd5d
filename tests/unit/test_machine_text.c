// SPDX-License-Identifier: GPL-2.0-or-later
/* The machine in "reidle1" lines: written from a made-up sysfs, read back; damaged and foreign lines. */
#include "src/machine_text.h"
#include "src/record_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define CPU "/sys/devices/system/cpu"

static char root[64];

/* a file of the made-up tree, with its folders */
static void put(const char *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put(const char *text, const char *fmt, ...)
{
	char path[400];
	int n = snprintf(path, sizeof(path), "%s", root);
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	vsnprintf(path + n, sizeof(path) - (size_t)n, fmt, ap);
	va_end(ap);
	for (char *p = path + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", text);
	fclose(f);
}

static void put_state(int cpu, int state, const char *name, const char *latency, const char *residency)
{
	put(name, CPU "/cpu%d/cpuidle/state%d/name", cpu, state);
	put(latency, CPU "/cpu%d/cpuidle/state%d/latency", cpu, state);
	put(residency, CPU "/cpu%d/cpuidle/state%d/residency", cpu, state);
	put("0", CPU "/cpu%d/cpuidle/state%d/disable", cpu, state);
	put("17", CPU "/cpu%d/cpuidle/state%d/usage", cpu, state);
	put("123456", CPU "/cpu%d/cpuidle/state%d/time", cpu, state);
	put("5", CPU "/cpu%d/cpuidle/state%d/above", cpu, state);
	put("3", CPU "/cpu%d/cpuidle/state%d/below", cpu, state);
}

/* two clusters, as on big.LITTLE: CPUs 0,1 and CPU 2; CPU 1 has its deepest state off */
static int make_tree(void **state)
{
	(void)state;
	strcpy(root, "/tmp/reidle-machine-XXXXXX");
	assert_non_null(mkdtemp(root));
	put("psci_idle", CPU "/cpuidle/current_driver");
	put("menu", CPU "/cpuidle/current_governor");
	for (int i = 0; i < 3; i++) {
		put_state(i, 0, "WFI", "1", "1");
		put_state(i, 1, i < 2 ? "cpu sleep 0" : "cluster-sleep", i < 2 ? "110" : "700",
			i < 2 ? "300" : "2000");
		put(i == 2 ? "1" : "0", CPU "/cpu%d/topology/physical_package_id", i);
		put(i == 1 ? "1" : "0", CPU "/cpu%d/topology/core_id", i);
	}
	put("1", CPU "/cpu1/cpuidle/state1/disable");
	put("0", CPU "/cpu0/power/pm_qos_resume_latency_us");
	put("n/a", CPU "/cpu1/power/pm_qos_resume_latency_us");
	put("20", CPU "/cpu2/power/pm_qos_resume_latency_us");
	return 0;
}

static int drop_tree(void **state)
{
	char command[100];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static void round_trip(void **state)
{
	char *text = record_machine_text(root, 3, "before");
	char *after = record_machine_text(root, 3, "after");
	char *both = xasprintf("%s%s", text, after);
	const struct state_table *t;
	struct machine_text m;
	struct error err;

	(void)state;
	assert_int_equal(machine_text_read(&m, both, &err), 0);
	assert_int_equal(m.machine.source, MACHINE_RECORDED);
	assert_int_equal(m.machine.ncpus, 3);
	assert_string_equal(m.machine.driver, "psci_idle");
	assert_string_equal(m.machine.governor, "menu");
	assert_true(m.machine.hz >= 100 && m.machine.hz <= 1000);
	assert_true(*m.release && *m.arch);

	t = machine_table(&m.machine, 0);
	assert_int_equal(t->nstates, 2);
	assert_string_equal(t->state[1].name, "cpu sleep 0");
	assert_int_equal(t->state[1].exit_latency_ns, 110000);
	assert_int_equal(t->state[1].target_residency_ns, 300000);
	assert_false(t->state[1].disabled);
	assert_true(machine_table(&m.machine, 1)->state[1].disabled);
	assert_string_equal(machine_table(&m.machine, 2)->state[1].name, "cluster-sleep");
	assert_int_equal(m.machine.ntables, 3);

	assert_int_equal(m.machine.cpu_limit_ns[0], LATENCY_ANY);
	assert_int_equal(m.machine.cpu_limit_ns[1], 0);
	assert_int_equal(m.machine.cpu_limit_ns[2], 20000);
	assert_int_equal(m.place[1].core, 1);
	assert_int_equal(m.place[2].package, 1);
	assert_int_equal(m.place[2].cluster, -1);
	assert_non_null(m.before);
	assert_non_null(m.after);
	assert_int_equal(m.before[1 * STATES_MAX + 1].usage, 17);
	assert_int_equal(m.after[2 * STATES_MAX + 0].time_us, 123456);
	machine_text_free(&m);
	free(both);
	free(after);
	free(text);
}

static void lines_stay_short(void **state)
{
	char *text = record_machine_text(root, 3, "before");

	(void)state;
	/* old kernels cut a marker at 1 KiB */
	for (const char *s = text; *s; s += strcspn(s, "\n") + 1)
		assert_true(strcspn(s, "\n") < 512);
	free(text);
}

/* what later versions add, what other tools write, and lines cut anywhere must do no harm */
static void foreign_lines(void **state)
{
	static const char text[] =
		"hackbench starts\n"
		"reidle1 system cpus=2 release=6.12.117 machine=x86_64 hz=1000 colour=blue\n"
		"reidle1 weather rain=1\nreidle1 version name=#1 SMP Debian 6.12.117-1 (2026-07-02)\n"
		"reidle1 state table=0 index=0 latency_us=0 residency_us=0 name=POLL\n"
		"reidle1 state table=0 index=77 latency_us=0 residency_us=0 name=no\n"
		"reidle1 state table=9 index=1 latency_us=0 residency_us=0 name=no\n"
		"reidle1 off cpu=5 states=0\nreidle1 off cpu=1 states=0-99999999\n"
		"reidle1 count cpu=0 state=0 usage=-4\nreidle1 limit cpu=1 us=abc\n"
		"reidle1 table id=0 cpus=0-1,5000000000\nreidle1 \nreidle1\nreidle2 table id=4 cpus=0\n"
		"reidle1 topology cpu=1 core=";
	struct machine_text m;
	struct error err;

	(void)state;
	assert_int_equal(machine_text_read(&m, text, &err), 0);
	assert_int_equal(m.machine.ncpus, 2);
	assert_int_equal(m.machine.hz, 1000);
	assert_string_equal(m.kernel, "6.12.117");
	assert_int_equal(machine_table(&m.machine, 0)->nstates, 1);
	assert_true(machine_table(&m.machine, 0)->state[0].polling);
	assert_false(machine_table(&m.machine, 0)->state[0].disabled);
	assert_true(machine_table(&m.machine, 1)->state[0].disabled);
	machine_text_free(&m);
}

static void nothing_of_use(void **state)
{
	static const char *const text[] = {"", "reidle1 ", "reidle1 system cpus=4\n",
		"reidle1 table id=0 cpus=0\n", "reidle1 system cpus=99999999\nreidle1 table id=0 cpus=0\n",
		"reidle1 system cpus=1\nreidle1 table id=1 cpus=0\n"
		"reidle1 state table=1 index=0 latency_us=0 residency_us=0 name=POLL\n"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(text); i++) {
		struct machine_text m;
		struct error err = {.code = EXIT_FINE};

		assert_int_equal(machine_text_read(&m, text[i], &err), -1);
		assert_int_equal(err.code, EXIT_INPUT);
		assert_non_null(strstr(err.text, "in the recording"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(round_trip, make_tree, drop_tree),
		cmocka_unit_test_setup_teardown(lines_stay_short, make_tree, drop_tree),
		cmocka_unit_test(foreign_lines),
		cmocka_unit_test(nothing_of_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
