// SPDX-License-Identifier: GPL-2.0-or-later
/* A cause is named only where the decision with that input replaced gives the recorded choice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "replay/replay.h"

/* a governor with a rule for everything that can be blamed */
struct toy {
	bool aborted;
};

static void toy_init(void *cpu, const struct gov_machine *m, const struct gov_spec *spec)
{
	(void)cpu;
	(void)m;
	(void)spec;
}

static struct gov_choice toy_select(void *cpu, const struct gov_input *in, int64_t true_length_ns)
{
	struct toy *t = cpu;
	struct gov_choice c = {.read = GOV_READ_SLEEP | GOV_READ_LIMIT};

	(void)true_length_ns;
	if (in->limit_ns > 0)
		c.state = t->aborted ? 2 : in->sleep_ns >= 1000 ? 1 : 0;
	t->aborted = false;
	return c;
}

static bool toy_reflect(void *cpu, const struct gov_outcome *out)
{
	((struct toy *)cpu)->aborted = out->entered < 0;
	return false;
}

static const struct governor toy = {.name = "toy", .summary = "for tests", .cpu_size = sizeof(struct toy),
	.init = toy_init, .select = toy_select, .reflect = toy_reflect};

static uint16_t exact(enum decision_input i, uint16_t prov)
{
	return (uint16_t)(prov & ~(3u << (2 * i)));
}

#define ALL_GUESSED 0xaaaa

/* what the toy and the recording say of one decision; returns the cause that was counted */
static const char *cause_of(struct decision *d, bool from_probes)
{
	struct decision two[2] = {*d, *d};
	struct decisions_cpu cpu = {.d = two, .n = 2};
	struct decisions ds = {.ncpus = 1, .cpu = &cpu, .hz = 250, .from_probes = from_probes};
	struct replay_options opt = {.limit_ns = -1, .warmup = 1, .threads = 1};
	struct gov_spec spec = {.gov = &toy};
	struct state_table t = {.nstates = 3};
	struct verify_result v;
	struct error err = {0};
	struct machine m;

	machine_uniform(&m, &t, 1);
	assert_int_equal(replay_taught(&v, &ds, &m, &spec, &opt, NULL, &err), 0);
	machine_free(&m);
	assert_int_equal(v.warmup, 1);
	if (v.undetermined)
		return "undetermined";
	assert_int_equal(v.compared, 1);
	if (v.agree)
		return "agrees";
	for (int i = 0; verify_cause_name(i); i++)
		if (v.cause[i])
			return verify_cause_name(i);
	return "none";
}

static struct decision plain(void)
{
	return (struct decision){.sleep_ns = 5000, .sleep_alt_ns = 5000, .tick_delta_ns = 500,
		.limit_ns = LATENCY_ANY, .residency_ns = 3000, .exit_ns = 3000, .entered = 1,
		.chosen = 1, .prov = exact(IN_TICK_DELTA, exact(IN_RESIDENCY, ALL_GUESSED))};
}

static void the_rebuilt_length_is_blamed(void **state)
{
	struct decision d = plain();

	(void)state;
	assert_string_equal(cause_of(&d, false), "agrees");
	/* with the tick held, the length would have been the tick part, and the choice 0 */
	d.chosen = d.entered = 0;
	assert_string_equal(cause_of(&d, false), "input_guessed");
	d.prov = exact(IN_SLEEP, exact(IN_LIMIT, d.prov));
	assert_string_equal(cause_of(&d, true), "unexplained");
}

static void two_readings_leave_it_undetermined(void **state)
{
	struct decision d = plain();

	(void)state;
	d.sleep_alt_ns = 500;
	assert_string_equal(cause_of(&d, false), "undetermined");
	d.chosen = 0;
	assert_string_equal(cause_of(&d, false), "undetermined");
}

static void an_abort_is_blamed_only_without_probes(void **state)
{
	struct decision d = plain();

	(void)state;
	d.chosen = d.entered = 2;
	assert_string_equal(cause_of(&d, false), "aborted_entry");
	assert_string_equal(cause_of(&d, true), "unexplained");
}

static void a_limit_is_blamed(void **state)
{
	struct decision d = plain();

	(void)state;
	d.chosen = d.entered = 0;
	d.tick_delta_ns = 5000;
	assert_string_equal(cause_of(&d, false), "input_guessed");
	d.prov = exact(IN_LIMIT, d.prov);
	assert_string_equal(cause_of(&d, false), "unexplained");
}

static void a_driver_that_entered_the_answer_is_a_fallback(void **state)
{
	struct decision d = plain();

	(void)state;
	d.chosen = 0; /* asked for, by the event */
	d.entered = 1;
	d.prov = 0;
	assert_string_equal(cause_of(&d, false), "broadcast_fallback");
	d.flags = DEC_HAVE_CHOICE;
	assert_string_equal(cause_of(&d, false), "unexplained");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rebuilt_length_is_blamed),
		cmocka_unit_test(two_readings_leave_it_undetermined),
		cmocka_unit_test(an_abort_is_blamed_only_without_probes),
		cmocka_unit_test(a_limit_is_blamed),
		cmocka_unit_test(a_driver_that_entered_the_answer_is_a_fallback),
	};

	return cmocka_run_group_tests_name("causes", tests, NULL, NULL);
}
