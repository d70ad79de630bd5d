// SPDX-License-Identifier: GPL-2.0-or-later
/* What ended an idle period, on hand-made event orders of x86 and POWER. */
#include "src/wakes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct fixture {
	struct trace *t;
	struct machine m;
};

static struct event *put(struct fixture *f, enum ev_kind kind, int cpu, int64_t at, const char *name)
{
	static struct event ev;

	ev = (struct event){.kind = (uint8_t)kind, .cpu = (uint16_t)cpu, .at_ns = at,
		.obj = (uint64_t)cpu, .name = trace_intern(f->t, name, strlen(name))};
	return &ev;
}

static void add(struct fixture *f, enum ev_kind kind, int cpu, int64_t at, int64_t a, const char *name)
{
	struct event *ev = put(f, kind, cpu, at, name);

	ev->a = a;
	trace_add(f->t, ev);
}

static void idle(struct fixture *f, int cpu, int64_t at, int state, uint8_t ctx)
{
	struct event *ev = put(f, EV_IDLE, cpu, at, "");

	ev->a = state;
	ev->ctx = ctx;
	trace_add(f->t, ev);
}

static void to_task(struct fixture *f, int cpu, int64_t at, int pid, const char *comm)
{
	struct event *ev = put(f, EV_SWITCH, cpu, at, comm);

	ev->b = pid;
	trace_add(f->t, ev);
}

static void waking(struct fixture *f, int cpu, int64_t at, int pid, int waker)
{
	struct event *ev = put(f, EV_WAKING, cpu, at, "");

	ev->a = pid;
	ev->pid = waker;
	trace_add(f->t, ev);
}

static int setup(void **state)
{
	static struct fixture f;
	struct state_table table = {.nstates = 2, .state = {{.name = "POLL", .polling = true},
		{.name = "C1", .exit_latency_ns = 2000, .target_residency_ns = 2000}}};

	f.t = trace_new("x", EV_WANT_ALL);
	trace_cpus(f.t, 2);
	machine_uniform(&f.m, &table, 2);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	trace_free(f->t);
	machine_free(&f->m);
	return 0;
}

static const struct period *attributed(struct fixture *f)
{
	trace_finish(f->t);
	wakes_attribute(f->t, &f->m);
	return f->t->cpu[0].period;
}

#define CHECK(p, kind, text)                                                                       \
	do {                                                                                       \
		assert_string_equal(wake_kind_name((p).wake), kind);                               \
		assert_string_equal(trace_name(f->t, (p).wake_name), text);                        \
	} while (0)

static void handlers_after_the_exit(void **state)
{
	struct fixture *f = *state;
	const struct period *p;

	idle(f, 0, 1000, 1, 0);
	idle(f, 0, 5000, -1, 0);
	add(f, EV_VECTOR_ENTRY, 0, 5100, VECTOR_LOCAL_TIMER, "");
	add(f, EV_HRTIMER_EXPIRE, 0, 5200, 0, "tick_nohz_handler/0x0");
	add(f, EV_SOFTIRQ_ENTRY, 0, 5300, 7, "");
	idle(f, 0, 9000, 1, 0);
	idle(f, 0, 12000, -1, 0);
	add(f, EV_HRTIMER_EXPIRE, 0, 12200, 0, "hrtimer_wakeup");
	idle(f, 0, 20000, 1, 0);
	idle(f, 0, 21000, -1, 0);
	add(f, EV_IRQ_ENTRY, 0, 21100, 31, "nvme0q1");
	idle(f, 0, 30000, 1, 0);
	idle(f, 0, 31000, -1, 0);
	/* too late to have ended it */
	add(f, EV_HRTIMER_EXPIRE, 0, 900000, 0, "hrtimer_wakeup");
	p = attributed(f);
	CHECK(p[0], "tick", "");
	CHECK(p[1], "timer", "hrtimer_wakeup");
	CHECK(p[2], "irq", "nvme0q1");
	CHECK(p[3], "unknown", "");
}

static void another_cpu(void **state)
{
	struct fixture *f = *state;
	const struct period *p;

	to_task(f, 1, 100, 42, "waker");
	idle(f, 0, 1000, 1, 0);
	waking(f, 1, 4000, 77, 42);
	idle(f, 0, 5000, -1, CTX_NEED_RESCHED);
	add(f, EV_VECTOR_ENTRY, 0, 5100, VECTOR_RESCHEDULE, "");
	to_task(f, 0, 6000, 77, "wakee");
	to_task(f, 0, 7000, 0, "swapper/0");
	idle(f, 0, 8000, 0, 0);
	waking(f, 1, 8500, 77, 0);
	idle(f, 0, 9000, -1, CTX_NEED_RESCHED);
	to_task(f, 0, 9500, 77, "wakee");
	p = attributed(f);
	CHECK(p[0], "ipi", "waker");
	CHECK(p[1], "poll", "swapper");
}

static void polling_ends_by_itself_or_by_need_resched(void **state)
{
	struct fixture *f = *state;
	const struct period *p;

	idle(f, 0, 1000, 0, 0);
	/* an interrupt that wakes nobody does not end a polling period */
	add(f, EV_IRQ_ENTRY, 0, 2000, 5, "disk");
	idle(f, 0, 21000, -1, 0);
	idle(f, 0, 30000, 0, 0);
	add(f, EV_HRTIMER_EXPIRE, 0, 31000, 0, "hrtimer_wakeup");
	waking(f, 0, 31100, 9, 0);
	idle(f, 0, 32000, -1, CTX_NEED_RESCHED);
	to_task(f, 0, 33000, 9, "sleeper");
	p = attributed(f);
	CHECK(p[0], "limit", "");
	CHECK(p[1], "timer", "hrtimer_wakeup");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(handlers_after_the_exit, setup, teardown),
		cmocka_unit_test_setup_teardown(another_cpu, setup, teardown),
		cmocka_unit_test_setup_teardown(polling_ends_by_itself_or_by_need_resched, setup, teardown)};

	return cmocka_run_group_tests_name("wakes", tests, NULL, NULL);
}
