// SPDX-License-Identifier: GPL-2.0-or-later
/* Taught and simple replay on the sample that holds the kernel's own inputs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "src/recording.h"

#define SAMPLE "samples/p9-61-truth.dat"

static struct recording rec;
static struct gov_spec spec;
static const struct replay_options plain = {.limit_ns = -1, .warmup = 40, .threads = 2};

static int open_sample(void **state)
{
	char *argv[] = {(char *)"reidle", (char *)"verify", (char *)SAMPLE};
	struct error err = {0};
	struct options o;

	(void)state;
	if (options_parse(&o, 3, argv, &err) ||
		recording_open(&rec, SAMPLE, &o, NEED_DECISIONS, NULL, NULL, &err) ||
		governor_parse(&spec, "menu@6.1", "", &err)) {
		print_error("%s\n", err.text);
		return -1;
	}
	options_free(&o);
	return 0;
}

static int close_sample(void **state)
{
	(void)state;
	recording_close(&rec);
	return 0;
}

static struct taught_choice **new_choices(void)
{
	struct taught_choice **c = calloc((size_t)rec.decisions.ncpus, sizeof(*c));

	for (int i = 0; i < rec.decisions.ncpus; i++)
		c[i] = calloc(rec.decisions.cpu[i].n + 1, sizeof(**c));
	return c;
}

static void free_choices(struct taught_choice **c)
{
	for (int i = 0; i < rec.decisions.ncpus; i++)
		free(c[i]);
	free(c);
}

static void taught(struct verify_result *v, struct taught_choice **choices)
{
	struct error err = {0};

	if (replay_taught(v, &rec.decisions, &rec.machine, &spec, &plain, choices, &err))
		fail_msg("%s", err.text);
}

static struct decision *nth(size_t i)
{
	int cpu = 0;

	while (i >= rec.decisions.cpu[cpu].n)
		i -= rec.decisions.cpu[cpu++].n;
	return &rec.decisions.cpu[cpu].d[i];
}

/* the recorded choices of all CPUs, dealt out anew */
static void permute(void)
{
	size_t n = 0;

	for (int i = 0; i < rec.decisions.ncpus; i++)
		n += rec.decisions.cpu[i].n;
	for (size_t i = n; i > 1; i--) {
		struct decision *a = nth(i - 1), *b = nth((size_t)rand() % i);
		int8_t t = a->chosen;

		a->chosen = b->chosen;
		b->chosen = t;
	}
}

/* the agreement of choices that have nothing to do with each other, from how often each is made */
static double by_chance(const struct verify_result *v)
{
	double sum = 0;

	for (int i = 0; i < STATES_MAX; i++) {
		double row = 0, column = 0;

		for (int k = 0; k < STATES_MAX; k++) {
			row += (double)v->matrix[i][k];
			column += (double)v->matrix[k][i];
		}
		sum += row * column;
	}
	return sum / (double)v->compared / (double)v->compared;
}

static void permuted_choices_change_only_the_agreement(void **state)
{
	struct taught_choice **before = new_choices(), **after = new_choices();
	struct verify_result honest, shuffled;

	(void)state;
	srand(11);
	taught(&honest, before);
	permute();
	taught(&shuffled, after);
	assert_true(honest.agreement > 0.999);
	print_message("# agreement %.4f, permuted %.4f, by chance %.4f\n", honest.agreement,
		shuffled.agreement, by_chance(&shuffled));
	assert_true(shuffled.agreement < honest.agreement - 0.3);
	assert_true(shuffled.agreement < by_chance(&shuffled) + 0.01);
	for (int i = 0; i < rec.decisions.ncpus; i++)
		assert_memory_equal(before[i], after[i], rec.decisions.cpu[i].n * sizeof(**before));
	assert_int_equal(honest.undetermined, shuffled.undetermined);
	free_choices(before);
	free_choices(after);
}

static void simple_holds_every_period(void **state)
{
	struct error err = {0};
	struct run run;

	(void)state;
	assert_int_equal(replay_simple(&run, &rec.run0, &rec.decisions, &spec, &plain, &err), 0);
	assert_false(run.ticks_known);
	for (int i = 0; i < run.ncpus; i++) {
		const struct run_cpu *a = &run.cpu[i], *b = &rec.run0.cpu[i];

		assert_int_equal(a->nperiods, b->nperiods);
		for (size_t k = 0; k < a->nperiods; k++) {
			assert_int_equal(a->period[k].enter_ns, b->period[k].enter_ns);
			assert_int_equal(a->period[k].exit_ns, b->period[k].exit_ns);
			assert_int_equal(a->period[k].wake, b->period[k].wake);
		}
	}
	/* the recorded governor on its own inputs differs in few periods */
	assert_true(run.change.same > 50 * run.change.changed);
	run_free(&run);
}

static void the_oracle_is_never_too_deep(void **state)
{
	struct gov_spec oracle;
	struct error err = {0};
	struct run run;

	(void)state;
	assert_int_equal(governor_parse(&oracle, "oracle", "", &err), 0);
	assert_int_equal(replay_simple(&run, &rec.run0, &rec.decisions, &oracle, &plain, &err), 0);
	for (int s = 0; s < STATES_MAX; s++)
		assert_int_equal(run.total[s].above, 0);
	assert_int_equal(run.change.worse, 0);
	assert_int_equal(run.regret_ns, 0);
	run_free(&run);
}

static void shallowest_stays_in_the_first_state(void **state)
{
	struct gov_spec shallowest;
	struct error err = {0};
	struct run run;

	(void)state;
	assert_int_equal(governor_parse(&shallowest, "shallowest", "", &err), 0);
	assert_int_equal(
		replay_simple(&run, &rec.run0, &rec.decisions, &shallowest, &plain, &err), 0);
	assert_int_equal(run.total[1].usage, 0);
	assert_int_equal(run.total[0].usage, rec.run0.total[0].usage + rec.run0.total[1].usage);
	assert_int_equal(run.total[0].time_ns, rec.run0.total[0].time_ns + rec.run0.total[1].time_ns);
	run_free(&run);
}

static bool cancel_at_once(void *ctx, double fraction)
{
	(void)ctx;
	(void)fraction;
	return true;
}

static void a_cancelled_replay_says_so(void **state)
{
	struct replay_options opt = plain;
	struct error err = {0};
	struct run run;

	(void)state;
	opt.progress = cancel_at_once;
	opt.threads = 1;
	assert_int_equal(replay_simple(&run, &rec.run0, &rec.decisions, &spec, &opt, &err), -1);
	assert_string_equal(err.text, "cancelled");
}

int main(void)
{
	/* the permutation spoils the decisions: it comes last */
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(simple_holds_every_period),
		cmocka_unit_test(the_oracle_is_never_too_deep),
		cmocka_unit_test(shallowest_stays_in_the_first_state),
		cmocka_unit_test(a_cancelled_replay_says_so),
		cmocka_unit_test(permuted_choices_change_only_the_agreement),
	};

	return cmocka_run_group_tests_name("taught and simple replay", tests, open_sample, close_sample);
}
