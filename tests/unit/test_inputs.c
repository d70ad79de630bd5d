// SPDX-License-Identifier: GPL-2.0-or-later
/* Rebuilt inputs on a real recording, and what must not change them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "replay/score.h"
#include "src/recording.h"

#define SAMPLE "samples/p9-61-truth.dat"
#define SHIFT 987654321LL

static struct recording rec;

static int open_sample(void **state)
{
	char *argv[] = {(char *)"reidle", (char *)"verify", (char *)SAMPLE};
	struct error err = {0};
	struct options o;

	(void)state;
	if (options_parse(&o, 3, argv, &err) ||
		recording_open(&rec, SAMPLE, &o, NEED_DECISIONS, NULL, NULL, &err)) {
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

static void rebuild(struct decisions *d)
{
	struct decision_options opt = {.ignore_probes = true};
	struct error err = {0};

	if (decisions_build(d, rec.trace, &rec.machine, &opt, &err))
		fail_msg("%s", err.text);
}

static void shift_cpu(struct cpu_trace *c)
{
	for (size_t i = 0; i < c->nevs; i++)
		c->ev[i].at_ns += SHIFT;
	for (size_t i = 0; i < c->nperiods; i++) {
		c->period[i].enter_ns += SHIFT;
		c->period[i].exit_ns += SHIFT;
	}
	for (size_t i = 0; i < c->nholes; i++) {
		c->hole[i].from_ns += SHIFT;
		c->hole[i].to_ns += SHIFT;
	}
}

/* a recording on another clock than the timers': the two are brought together */
static void another_trace_clock(void **state)
{
	struct decisions before, after;
	size_t n = 0, far = 0, flags = 0;

	(void)state;
	rebuild(&before);
	for (int i = 0; i < rec.trace->ncpus; i++)
		shift_cpu(&rec.trace->cpu[i]);
	rec.trace->origin_ns += SHIFT;
	rec.trace->end_ns += SHIFT;
	rebuild(&after);
	for (int i = 0; i < before.ncpus; i++) {
		assert_int_equal(before.cpu[i].n, after.cpu[i].n);
		for (size_t k = 0; k < before.cpu[i].n; k++) {
			const struct decision *a = &before.cpu[i].d[k], *b = &after.cpu[i].d[k];

			n++;
			far += llabs(a->sleep_ns - b->sleep_ns) > 2000 ||
			       llabs(a->tick_delta_ns - b->tick_delta_ns) > 2000;
			flags += a->flags != b->flags;
		}
	}
	print_message("# %zu decisions, %zu lengths and %zu flags differ\n", n, far, flags);
	assert_true(far * 1000 < n);
	assert_true(flags * 1000 < n);
	decisions_free(&before);
	decisions_free(&after);
}

static void taking_all_inputs_gives_the_probes_back(void **state)
{
	struct decisions rebuilt, mixed;
	struct input_score s;

	(void)state;
	rebuild(&rebuilt);
	score_mix(&mixed, &rec.decisions, &rebuilt, TAKE_ALL);
	score_inputs(&s, &rec.decisions, &mixed);
	assert_true(s.periods > 70000);
	assert_int_equal(s.sleep.p99_ns, 0);
	assert_int_equal(s.residency.p99_ns, 0);
	assert_int_equal(s.got_tick.right, s.got_tick.n);
	assert_int_equal(s.limit.right, s.limit.n);
	assert_int_equal(s.far, 0);
	score_inputs(&s, &rec.decisions, &rebuilt);
	assert_true(s.sleep.p99_ns > 0);
	decisions_free(&mixed);
	decisions_free(&rebuilt);
}

/* what the kernel answered, as the probes have it, must not leak into what is rebuilt */
static void recorded_answers_do_not_matter(void **state)
{
	struct decisions before, after;

	(void)state;
	rebuild(&before);
	for (int i = 0; i < rec.trace->ncpus; i++)
		for (size_t k = 0; k < rec.trace->cpu[i].nevs; k++)
			if (rec.trace->cpu[i].ev[k].kind == EV_PROBE_SELECT)
				rec.trace->cpu[i].ev[k].a ^= 1;
	rebuild(&after);
	for (int i = 0; i < before.ncpus; i++) {
		assert_int_equal(before.cpu[i].n, after.cpu[i].n);
		assert_memory_equal(before.cpu[i].d, after.cpu[i].d,
			before.cpu[i].n * sizeof(*before.cpu[i].d));
	}
	decisions_free(&before);
	decisions_free(&after);
}

int main(void)
{
	/* the clock test leaves the trace on another clock: it comes last */
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(taking_all_inputs_gives_the_probes_back),
		cmocka_unit_test(recorded_answers_do_not_matter),
		cmocka_unit_test(another_trace_clock),
	};

	return cmocka_run_group_tests_name("rebuilt inputs", tests, open_sample, close_sample);
}
