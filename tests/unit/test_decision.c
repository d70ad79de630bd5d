// SPDX-License-Identifier: GPL-2.0-or-later
/* Decisions and their inputs on hand-made recordings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "replay/decision.h"
#include "replay/hz.h"

#define TICK 4000000LL
#define TICK_OBJ 0x1000

static struct trace *new_trace(int ncpus)
{
	struct trace *t = trace_new("hand-made", EV_WANT_ALL);

	trace_cpus(t, ncpus);
	copy_text(t->kernel, sizeof(t->kernel), "6.12.117");
	return t;
}

static void add(struct trace *t, int cpu, int64_t at_us, enum ev_kind kind, uint64_t obj, int64_t a,
	int64_t b)
{
	struct event e = {.at_ns = at_us * 1000, .cpu = (uint16_t)cpu, .kind = (uint8_t)kind,
		.obj = kind == EV_IDLE ? (uint64_t)cpu : obj, .a = a, .b = b};

	trace_add(t, &e);
}

static void tick_start(struct trace *t, int cpu, int64_t at_us, int64_t expires)
{
	struct event e = {.at_ns = at_us * 1000, .cpu = (uint16_t)cpu, .kind = EV_HRTIMER_START,
		.obj = TICK_OBJ + (uint64_t)cpu, .a = expires, .b = expires,
		.name = trace_intern(t, "tick_nohz_handler", 17)};

	trace_add(t, &e);
}

static void four_states(struct machine *m, int ncpus)
{
	struct state_table t = {.nstates = 3};

	t.state[0] = (struct idle_state){.name = "POLL", .polling = true,
		.timeout = TIMEOUT_POLL_IDLE, .timeout_sets_poll_limit = true};
	t.state[1] = (struct idle_state){
		.name = "C1", .exit_latency_ns = 2000, .target_residency_ns = 2000};
	t.state[2] = (struct idle_state){
		.name = "C6", .exit_latency_ns = 85000, .target_residency_ns = 200000};
	machine_uniform(m, &t, ncpus);
}

static void build(struct decisions *d, struct trace *t, bool ignore_probes)
{
	struct decision_options opt = {.hz = 250, .ignore_probes = ignore_probes};
	struct error err = {0};
	struct machine m;

	trace_finish(t);
	four_states(&m, t->ncpus);
	if (decisions_build(d, t, &m, &opt, &err))
		fail_msg("%s", err.text);
	machine_free(&m);
}

/* one decision that is entered, one aborted, one that is cut by the end */
static struct trace *probed(void)
{
	struct trace *t = new_trace(1);

	add(t, 0, 90, EV_SWITCH, 0, 5, 0);
	add(t, 0, 100, EV_PROBE_LIMIT, 0, 70000, 0);
	add(t, 0, 101, EV_PROBE_SLEEP, 0, 900000, 500000);
	add(t, 0, 102, EV_PROBE_SELECT, 0, 2, 0);
	add(t, 0, 103, EV_IDLE, 0, 2, 0);
	add(t, 0, 400, EV_IDLE, 0, -1, 0);
	add(t, 0, 402, EV_PROBE_REFLECT, 0, 1, 295000);
	add(t, 0, 403, EV_PROBE_TICK, 0, 1, 0);
	add(t, 0, 404, EV_PROBE_TICK, 0, 0, 0);
	add(t, 0, 410, EV_PROBE_LIMIT, 0, LATENCY_ANY, 0);
	add(t, 0, 411, EV_PROBE_SELECT, 0, 1, 0);
	add(t, 0, 412, EV_PROBE_REFLECT, 0, -16, 0);
	add(t, 0, 413, EV_PROBE_TICK, 0, 0, 0);
	add(t, 0, 420, EV_SWITCH, 0, 0, 5);
	add(t, 0, 500, EV_SWITCH, 0, 5, 0);
	add(t, 0, 501, EV_PROBE_LIMIT, 0, LATENCY_ANY, 0);
	add(t, 0, 502, EV_PROBE_SELECT, 0, 0, 0);
	add(t, 0, 503, EV_IDLE, 0, 0, 0);
	return t;
}

static void probes_give_all(void **state)
{
	struct trace *t = probed();
	struct decisions d;
	const struct decision *one;

	(void)state;
	build(&d, t, false);
	assert_true(d.from_probes);
	assert_int_equal(d.cpu[0].n, 3);
	one = &d.cpu[0].d[0];
	assert_int_equal(one->select_ns, 100000);
	assert_int_equal(one->limit_ns, 70000);
	assert_int_equal(one->sleep_ns, 900000);
	assert_int_equal(one->tick_delta_ns, 500000);
	assert_int_equal(one->chosen, 2);
	assert_int_equal(one->entered, 1);
	assert_int_equal(one->residency_ns, 295000);
	/* teo reads the clock after the tick flag */
	assert_int_equal(one->reflect_ns, 403000);
	assert_int_equal(one->flags, DEC_GOT_TICK | DEC_SLEEP_READ | DEC_HAVE_CHOICE);
	assert_int_equal(decision_prov(one, IN_SLEEP), PROV_EXACT);
	assert_int_equal(decision_prov(one, IN_RESIDENCY), PROV_EXACT);
	decisions_free(&d);
	trace_free(t);
}

static void aborted_and_cut(void **state)
{
	struct trace *t = probed();
	struct decisions d;

	(void)state;
	build(&d, t, false);
	assert_int_equal(d.cpu[0].d[1].flags & DEC_ABORTED, DEC_ABORTED);
	assert_int_equal(d.cpu[0].d[1].chosen, 1);
	assert_int_equal(d.cpu[0].d[1].entered, -1);
	assert_int_equal(d.cpu[0].d[1].residency_ns, 0);
	assert_int_equal(d.cpu[0].d[2].flags & DEC_NO_OUTCOME, DEC_NO_OUTCOME);
	assert_int_equal(d.cpu[0].d[2].period, 1);
	decisions_free(&d);
	trace_free(t);
}

static void probes_can_be_ignored(void **state)
{
	struct trace *t = probed();
	struct decisions d;

	(void)state;
	build(&d, t, true);
	assert_false(d.from_probes);
	/* the aborted one leaves no trace then */
	assert_int_equal(d.cpu[0].n, 2);
	assert_int_equal(d.cpu[0].d[0].chosen, 2);
	assert_int_equal(d.cpu[0].d[0].entered, 2);
	assert_int_equal(d.cpu[0].d[0].flags & (DEC_SLEEP_READ | DEC_HAVE_CHOICE), 0);
	decisions_free(&d);
	trace_free(t);
}

static void sleep_length_from_timers(void **state)
{
	struct trace *t = new_trace(1);
	struct decisions d;
	const struct decision *one;

	(void)state;
	tick_start(t, 0, 4100, 2 * TICK);
	add(t, 0, 4200, EV_HRTIMER_START, 0x77, 9000000, 9000000);
	add(t, 0, 5000, EV_SWITCH, 0, 5, 0);
	add(t, 0, 5010, EV_IDLE, 0, 2, 0);
	add(t, 0, 6000, EV_IDLE, 0, -1, 0);
	add(t, 0, 6005, EV_SWITCH, 0, 0, 5);
	add(t, 0, 6100, EV_HRTIMER_CANCEL, 0x77, 0, 0);
	add(t, 0, 6200, EV_SWITCH, 0, 5, 0);
	add(t, 0, 6210, EV_IDLE, 0, 2, 0);
	add(t, 0, 6900, EV_IDLE, 0, -1, 0);
	build(&d, t, false);
	one = d.cpu[0].d;
	assert_int_equal(one[0].sleep_ns, 9000000 - 5000000);
	assert_int_equal(one[0].tick_delta_ns, 2 * TICK - 5000000);
	/* no timer is left but the tick, which does not count */
	assert_true(one[1].sleep_ns > 1000000000);
	assert_int_equal(one[1].tick_delta_ns, 2 * TICK - 6200000);
	decisions_free(&d);
	trace_free(t);
}

static void inputs_are_those_before_the_tick_stops(void **state)
{
	struct trace *t = new_trace(1);
	struct decisions d;

	(void)state;
	tick_start(t, 0, 4100, 2 * TICK);
	add(t, 0, 4200, EV_HRTIMER_START, 0x77, 90000000, 90000000);
	add(t, 0, 5000, EV_SWITCH, 0, 5, 0);
	add(t, 0, 5003, EV_TICK_STOP, 0, 1, 0);
	tick_start(t, 0, 5004, 90000000);
	add(t, 0, 5010, EV_IDLE, 0, 2, 0);
	add(t, 0, 6000, EV_IDLE, 0, -1, 0);
	/* an interrupt that wakes nobody: the loop goes round with the tick still stopped */
	add(t, 0, 6001, EV_VECTOR_ENTRY, 0, VECTOR_OTHER, 0);
	add(t, 0, 6002, EV_VECTOR_EXIT, 0, VECTOR_OTHER, 0);
	add(t, 0, 6010, EV_IDLE, 0, 2, 0);
	add(t, 0, 6500, EV_IDLE, 0, -1, 0);
	build(&d, t, false);
	assert_int_equal(d.cpu[0].d[0].flags & DEC_TICK_STOPPED, 0);
	assert_int_equal(d.cpu[0].d[0].tick_delta_ns, 2 * TICK - 5000000);
	assert_int_equal(d.cpu[0].d[1].flags & DEC_TICK_STOPPED, DEC_TICK_STOPPED);
	assert_int_equal(d.cpu[0].d[1].sleep_ns, 90000000 - 6002000);
	decisions_free(&d);
	trace_free(t);
}

static void a_hole_marks_the_next_decision(void **state)
{
	struct trace *t = new_trace(1);
	struct decisions d;

	(void)state;
	add(t, 0, 100, EV_IDLE, 0, 1, 0);
	add(t, 0, 200, EV_IDLE, 0, -1, 0);
	trace_hole(t, 0, 250000, 260000, 3);
	add(t, 0, 300, EV_IDLE, 0, 1, 0);
	add(t, 0, 400, EV_IDLE, 0, -1, 0);
	build(&d, t, false);
	assert_int_equal(d.cpu[0].n, 2);
	assert_int_equal(d.cpu[0].d[0].flags & DEC_AFTER_HOLE, 0);
	assert_int_equal(d.cpu[0].d[1].flags & DEC_AFTER_HOLE, DEC_AFTER_HOLE);
	decisions_free(&d);
	trace_free(t);
}

static void no_idle_event_is_an_error(void **state)
{
	struct trace *t = new_trace(1);
	struct decision_options opt = {0};
	struct machine m;
	struct decisions d;
	struct error err = {0};

	(void)state;
	add(t, 0, 100, EV_SWITCH, 0, 5, 0);
	trace_finish(t);
	four_states(&m, 1);
	assert_int_equal(decisions_build(&d, t, &m, &opt, &err), -1);
	assert_int_equal(err.code, EXIT_INPUT);
	assert_non_null(strstr(err.text, "power:cpu_idle"));
	machine_free(&m);
	trace_free(t);
}

static void rate_from_tick_spacing(void **state)
{
	char source[32];

	(void)state;
	for (int hz = 100; hz <= 1000; hz *= 10) {
		struct trace *t = new_trace(1);

		for (int i = 1; i < 9; i++)
			tick_start(t, 0, i * tick_ns(hz) / 1000, (i + 1) * tick_ns(hz));
		trace_finish(t);
		assert_int_equal(hz_find(t, source, sizeof(source)), hz);
		assert_string_equal(source, "tick spacing");
		trace_free(t);
	}
}

static void rate_is_said_to_be_a_guess(void **state)
{
	struct trace *t = new_trace(1);
	char source[32];

	(void)state;
	add(t, 0, 100, EV_IDLE, 0, 1, 0);
	trace_finish(t);
	assert_int_equal(hz_find(t, source, sizeof(source)), 250);
	assert_string_equal(source, "guessed");
	trace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(probes_give_all),
		cmocka_unit_test(aborted_and_cut),
		cmocka_unit_test(probes_can_be_ignored),
		cmocka_unit_test(sleep_length_from_timers),
		cmocka_unit_test(inputs_are_those_before_the_tick_stops),
		cmocka_unit_test(a_hole_marks_the_next_decision),
		cmocka_unit_test(no_idle_event_is_an_error),
		cmocka_unit_test(rate_from_tick_spacing),
		cmocka_unit_test(rate_is_said_to_be_a_guess),
	};

	return cmocka_run_group_tests_name("decisions", tests, NULL, NULL);
}
