// SPDX-License-Identifier: GPL-2.0-or-later
/* Decisions from events in any order and with any values: nothing crashes, and what is promised holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "replay/replay.h"

#define CPUS 3
#define TRACES 60
#define EVENTS 3000

/* mostly sane numbers, now and then none at all */
static int64_t number(void)
{
	switch (rand() % 12) {
	case 0:
		return INT64_MAX - rand() % 3;
	case 1:
		return INT64_MIN + rand() % 3;
	case 2:
		return -(rand() % 5);
	case 3:
		return (int64_t)rand() * rand();
	default:
		return rand() % 10;
	}
}

static uint8_t kind(void)
{
	/* idle entries, exits and probes in more than their share: without them little is reached */
	static const uint8_t often[] = {EV_IDLE, EV_IDLE, EV_SWITCH, EV_PROBE_SELECT, EV_PROBE_REFLECT,
		EV_PROBE_LIMIT, EV_PROBE_SLEEP, EV_PROBE_TICK, EV_HRTIMER_START, EV_TICK_STOP};

	return rand() % 2 ? often[(size_t)rand() % ARRAY_SIZE(often)] : (uint8_t)(rand() % EV_KINDS);
}

static struct trace *random_trace(void)
{
	struct trace *t = trace_new("random", EV_WANT_ALL);
	int64_t now = rand() % 2 ? 0 : 1000000000;
	uint32_t names[3];

	trace_cpus(t, CPUS);
	names[0] = 0;
	names[1] = trace_intern(t, "tick_nohz_handler", 17);
	names[2] = trace_intern(t, "cyclictest", 10);
	copy_text(t->kernel, sizeof(t->kernel), rand() % 2 ? "6.12.117" : "6.1.176");
	for (int i = 0; i < EVENTS; i++) {
		struct event e = {.at_ns = now, .cpu = (uint16_t)(rand() % CPUS), .kind = kind(),
			.obj = (uint64_t)(rand() % 6), .a = number(), .b = number(), .c = number(),
			.aux = (uint32_t)rand(), .name = names[rand() % 3], .pid = rand() % 3,
			.ctx = (uint8_t)rand()};

		if (e.kind == EV_IDLE)
			e.a = rand() % 2 ? -1 : rand() % 4;
		now += rand() % 20000;
		if (rand() % 300 == 0)
			trace_hole(t, rand() % CPUS, now, now + 1000, -1);
		trace_add(t, &e);
	}
	trace_finish(t);
	return t;
}

static void check(const struct decisions *d, const struct trace *t)
{
	for (int cpu = 0; cpu < d->ncpus; cpu++) {
		uint32_t next = 0;

		for (size_t i = 0; i < d->cpu[cpu].n; i++) {
			const struct decision *x = &d->cpu[cpu].d[i];
			bool aborted = x->flags & DEC_ABORTED;

			assert_true(x->chosen >= -1 && x->chosen < STATES_MAX);
			assert_true(x->enter_ns <= x->exit_ns);
			assert_int_equal(aborted, x->period == UINT32_MAX);
			assert_true(!(x->flags & DEC_INFERRED) || (aborted && x->chosen == -1));
			if (aborted) {
				assert_int_equal(x->residency_ns, 0);
				continue;
			}
			/* every idle period has one decision, in order */
			assert_int_equal(x->period, next);
			assert_int_equal(x->enter_ns, t->cpu[cpu].period[next].enter_ns);
			next++;
		}
		assert_int_equal(next, t->cpu[cpu].nperiods);
	}
}

static void replay(const struct decisions *d, const struct machine *m, const char *name)
{
	struct replay_options opt = {.limit_ns = -1, .warmup = 5, .threads = 2};
	struct error err = {0};
	struct verify_result v;
	struct gov_spec spec;
	uint64_t causes = 0;

	assert_int_equal(governor_parse(&spec, name, "", &err), 0);
	assert_int_equal(replay_taught(&v, d, m, &spec, &opt, NULL, &err), 0);
	for (int i = 0; verify_cause_name(i); i++)
		causes += v.cause[i];
	assert_int_equal(v.decisions, v.warmup + v.undetermined + v.compared);
	assert_int_equal(causes, v.compared - v.agree);
}

static void any_events(void **state)
{
	struct state_table table = {.nstates = 4};
	size_t decisions = 0;
	struct machine m;

	(void)state;
	table.state[0].polling = true;
	table.state[0].timeout = TIMEOUT_POLL_IDLE;
	table.state[0].timeout_sets_poll_limit = true;
	for (int i = 1; i < 4; i++) {
		table.state[i].exit_latency_ns = 2000 << (3 * i);
		table.state[i].target_residency_ns = 5000 << (3 * i);
	}
	machine_uniform(&m, &table, CPUS);
	for (unsigned seed = 0; seed < TRACES; seed++) {
		struct decision_options opt = {.ignore_probes = seed % 2};
		struct error err = {0};
		struct decisions d;
		struct trace *t;

		srand(seed);
		t = random_trace();
		if (decisions_build(&d, t, &m, &opt, &err))
			fail_msg("seed %u: %s", seed, err.text);
		check(&d, t);
		for (int i = 0; i < d.ncpus; i++)
			decisions += d.cpu[i].n;
		replay(&d, &m, seed % 3 ? "menu@6.1" : "teo@6.12");
		decisions_free(&d);
		trace_free(t);
	}
	machine_free(&m);
	print_message("# %zu decisions from %d random traces\n", decisions, TRACES);
	assert_true(decisions > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(any_events)};

	return cmocka_run_group_tests_name("random events", tests, NULL, NULL);
}
