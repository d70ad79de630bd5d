// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's arithmetic on state tables, the shipped tables, and edits. */
#include "src/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define US NSEC_PER_USEC

static void load(struct machine *m, const char *id)
{
	struct error err = {0};

	if (machine_load_table(m, id, 4, &err) < 0)
		fail_msg("%s: %s", id, err.text);
}

static void verdicts(void **unused)
{
	struct machine m;
	struct state_table *t;

	(void)unused;
	load(&m, "pseries-p9");
	t = &m.tables[0];
	/* CEDE 10/100: shorter than 100 us is above; exactly 100 is not */
	assert_int_equal(machine_verdict(t, 1, 100 * US - 1), VERDICT_ABOVE);
	assert_int_equal(machine_verdict(t, 1, 100 * US), VERDICT_OK);
	assert_int_equal(machine_verdict(t, 0, 100 * US - 1), VERDICT_OK);
	assert_int_equal(machine_verdict(t, 0, 100 * US), VERDICT_BELOW);
	assert_int_equal(machine_verdict(t, 0, 0), VERDICT_OK);
	assert_int_equal(machine_verdict(t, 2, 5), VERDICT_NONE);
	assert_int_equal(machine_verdict(t, -1, 5), VERDICT_NONE);
	/* nothing shallower is enabled: no shallower state could have been better */
	t->state[0].disabled = true;
	assert_int_equal(machine_verdict(t, 1, 5), VERDICT_OK);
	machine_free(&m);

	load(&m, "skl");
	t = &m.tables[0];
	/* the state's own latency comes off before the deeper one's residency is compared */
	assert_int_equal(machine_verdict(t, 3, (70 + 200) * US - 1), VERDICT_OK);
	assert_int_equal(machine_verdict(t, 3, (70 + 200) * US), VERDICT_BELOW);
	/* only the first deeper state that is enabled counts */
	t->state[4].disabled = true;
	assert_int_equal(machine_verdict(t, 3, (70 + 200) * US), VERDICT_OK);
	assert_int_equal(machine_verdict(t, 3, (70 + 800) * US), VERDICT_BELOW);
	assert_int_equal(machine_verdict(t, 8, 999999 * US), VERDICT_OK);
	machine_free(&m);
}

static void guessed_tables_have_no_verdict(void **unused)
{
	struct machine m;

	(void)unused;
	machine_guess(&m, 3, 2);
	assert_int_equal(m.source, MACHINE_GUESSED);
	assert_string_equal(m.tables[0].state[3].name, "state3");
	assert_int_equal(machine_verdict(&m.tables[0], 1, 5000), VERDICT_NONE);
	machine_free(&m);
}

static void timeouts(void **unused)
{
	struct machine m;
	struct state_table *t;

	(void)unused;
	load(&m, "pseries-p9");
	t = &m.tables[0];
	assert_int_equal(machine_timeout(t, 0, 250), 100 * US);
	t->state[1].disabled = true; /* pseries does not look */
	assert_int_equal(machine_timeout(t, 0, 250), 100 * US);
	assert_true(machine_timeout(t, 1, 250) == INT64_MAX);
	machine_free(&m);

	load(&m, "powernv-p9");
	t = &m.tables[0];
	assert_int_equal(machine_timeout(t, 0, 250), 10 * US);
	t->state[1].disabled = true;
	assert_int_equal(machine_timeout(t, 0, 250), 20 * US);
	for (int i = 1; i < t->nstates; i++)
		t->state[i].disabled = true;
	assert_int_equal(machine_timeout(t, 0, 100), 10000 * US);
	machine_free(&m);

	/* poll_idle: first enabled residency of 10 us or more, at most tick/16 */
	load(&m, "skl");
	t = &m.tables[0];
	assert_int_equal(machine_timeout(t, 0, 250), 20 * US);
	t->state[2].disabled = true;
	assert_int_equal(machine_timeout(t, 0, 250), 100 * US);
	assert_int_equal(machine_timeout(t, 0, 1000), 62500);
	machine_free(&m);
	load(&m, "arm-virt");
	assert_true(machine_timeout(&m.tables[0], 0, 250) == INT64_MAX);
	machine_free(&m);
}

static void ideal_and_names(void **unused)
{
	struct machine m;
	struct state_table *t;

	(void)unused;
	load(&m, "skl");
	t = &m.tables[0];
	assert_int_equal(machine_ideal(t, 0, LATENCY_ANY), 0);
	assert_int_equal(machine_ideal(t, 250 * US, LATENCY_ANY), 4);
	assert_int_equal(machine_ideal(t, 250 * US, 50 * US), 2);
	t->state[0].disabled = true;
	assert_int_equal(machine_ideal(t, 0, LATENCY_ANY), 1);
	assert_int_equal(machine_find_state(t, "C1E"), 2);
	assert_int_equal(machine_find_state(t, "8"), 8);
	assert_int_equal(machine_find_state(t, "9"), -1);
	assert_int_equal(machine_find_state(t, "c1e"), -1);
	machine_free(&m);
}

static void edits(void **unused)
{
	struct machine m, copy;
	struct error err = {0};

	(void)unused;
	load(&m, "pseries-p9");
	machine_copy(&copy, &m);
	assert_int_equal(machine_set(&m, "CEDE.latency=12", &err), 0);
	assert_int_equal(machine_set(&m, "1.residency=120.5us", &err), 0);
	assert_int_equal(machine_set(&m, "snooze.polling=off", &err), 0);
	assert_int_equal(m.tables[0].state[1].exit_latency_ns, 12000);
	assert_int_equal(m.tables[0].state[1].target_residency_ns, 120500);
	assert_false(m.tables[0].state[0].polling);
	/* the time-out does not depend on the flag */
	assert_int_equal(machine_timeout(&m.tables[0], 0, 250), 120500);
	assert_int_equal(copy.tables[0].state[1].exit_latency_ns, 10000);
	assert_int_equal(machine_set_disabled(&m, "CEDE,0", true, &err), 0);
	assert_true(m.tables[0].state[0].disabled && m.tables[0].state[1].disabled);
	assert_int_equal(machine_set_disabled(&m, "CEDE", false, &err), 0);
	assert_false(m.tables[0].state[1].disabled);
	machine_free(&copy);

	assert_int_equal(machine_set(&m, "C6.latency=1", &err), -1);
	assert_int_equal(err.code, EXIT_USAGE);
	assert_non_null(strstr(err.text, "snooze, CEDE"));
	assert_int_equal(machine_set(&m, "CEDE.latency=-1", &err), -1);
	assert_int_equal(machine_set(&m, "CEDE.polling=maybe", &err), -1);
	assert_int_equal(machine_set(&m, "CEDE=1", &err), -1);
	assert_int_equal(machine_set_disabled(&m, "C6", true, &err), -1);
	assert_non_null(strstr(err.text, "--disable-state"));
	machine_free(&m);
}

static void check_state(const struct state_table *t, int i)
{
	const struct idle_state *s = &t->state[i];

	if (!s->name[0] || s->exit_latency_ns < 0 || s->target_residency_ns < 0)
		fail_msg("%s state %d", t->id, i);
	/* a state that gives up by itself is one that polls, and is the first */
	if (s->timeout != TIMEOUT_NONE && i)
		fail_msg("%s: time-out in state %d", t->id, i);
	if (s->polling != (s->timeout != TIMEOUT_NONE))
		fail_msg("%s: %s polls without a time-out", t->id, s->name);
}

static void every_shipped_table(void **unused)
{
	static const char *const needed[] = {"skl", "pseries-p9", "pseries-p9-firmware", "pseries-p10",
		"pseries-shared", "arm-virt", "hsx", "hsx-cst", "spr", "juno", "rome", "haltpoll"};
	struct table_set set = {0};
	struct error err = {0};

	(void)unused;
	if (tables_read_all(&set, &err) < 0)
		fail_msg("%s", err.text);
	assert_true(set.n > 150);
	assert_true(set.nomits > 10);
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		assert_non_null(tables_find(&set, needed[i]));
	for (size_t i = 0; i < set.n; i++) {
		assert_true(set.table[i].title[0] && set.table[i].source[0]);
		for (int s = 0; s < set.table[i].nstates; s++)
			check_state(&set.table[i], s);
		assert_true(!i || strcmp(set.table[i - 1].id, set.table[i].id) < 0);
	}
	tables_free(&set);
}

static void clusters_and_unknown_names(void **unused)
{
	struct machine m;
	struct error err = {0};

	(void)unused;
	load(&m, "hi3660-little=0-1,hi3660-big=2+3");
	assert_int_equal(m.ntables, 2);
	assert_string_equal(machine_table(&m, 1)->id, "hi3660-little");
	assert_string_equal(machine_table(&m, 3)->id, "hi3660-big");
	machine_free(&m);
	load(&m, "src/machines/arm.tsv:hi3660-big=0,hi3660-little=1-3");
	assert_string_equal(machine_table(&m, 0)->id, "hi3660-big");
	assert_string_equal(machine_table(&m, 3)->id, "hi3660-little");
	assert_int_equal(m.source, MACHINE_FILE);
	machine_free(&m);
	/* which of them? */
	assert_int_equal(machine_load_table(&m, "src/machines/arm.tsv", 4, &err), -1);
	assert_non_null(strstr(err.text, "name one as src/machines/arm.tsv:"));
	assert_int_equal(machine_load_table(&m, "pserie", 1, &err), -1);
	assert_int_equal(err.code, EXIT_USAGE);
	assert_non_null(strstr(err.text, "pseries-p9"));
	assert_int_equal(machine_load_table(&m, "skl=x", 1, &err), -1);
	assert_int_equal(machine_load_table(&m, "/nowhere/x.tsv", 1, &err), -1);
	assert_int_equal(err.code, EXIT_INPUT);
}

static int read_text(const char *text, struct error *err)
{
	char path[] = "/tmp/reidle-test-XXXXXX";
	struct table_set set = {0};
	int fd = mkstemp(path), ret;
	FILE *f = fdopen(fd, "w");

	fputs(text, f);
	fclose(f);
	ret = tables_read_file(&set, path, err);
	remove(path);
	tables_free(&set);
	return ret;
}

static void bad_table_files(void **unused)
{
	static const char *const bad[] = {
		"state\t0\tA\t0\t0\tno\tnone\tno\tno\n",
		"table\tx\tX\nstate\t1\tA\t0\t0\tno\tnone\tno\tno\n",
		"table\tx\tX\nstate\t0\tA\t-5\t0\tno\tnone\tno\tno\n",
		"table\tx\tX\nstate\t0\tA\t1\t1\tperhaps\tnone\tno\tno\n",
		"table\tx\tX\nstate\t0\tA\t1\t1\tno\tsoon\tno\tno\n",
		"table\tx\tX\nstate\t0\tA\t1\t1\tno\tnone\tno\n",
		"table\tx\tX\nnonsense\ty\n",
		"table\tx\tX\n",
		"table\tx\n",
	};
	struct error err = {0};

	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		err.text[0] = '\0';
		assert_int_equal(read_text(bad[i], &err), -1);
		assert_int_equal(err.code, EXIT_INPUT);
		assert_true(err.text[0]);
	}
	assert_int_equal(read_text("# c\r\ntable\tx\tX\r\nstate\t0\tA b\t0.5\t1\tno\t30\tno\tyes\r\n", &err),
		0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts),
		cmocka_unit_test(guessed_tables_have_no_verdict), cmocka_unit_test(timeouts),
		cmocka_unit_test(ideal_and_names), cmocka_unit_test(edits),
		cmocka_unit_test(every_shipped_table), cmocka_unit_test(clusters_and_unknown_names),
		cmocka_unit_test(bad_table_files)};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
