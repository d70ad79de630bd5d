// SPDX-License-Identifier: GPL-2.0-or-later
/* Cutting hand-made recordings into sojourns and wakes, and walking governors over them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "replay/armed.h"
#include "replay/free.h"

#define MS 1000000LL
#define US 1000LL
#define TASK 100
#define TIMER 0xf00ULL
#define TICKER 0x71cULL

static const struct state_table table = {.id = "test", .nstates = 3, .state = {
	{.name = "POLL", .polling = true, .timeout = TIMEOUT_POLL_IDLE, .timeout_sets_poll_limit = true},
	{.name = "C1", .exit_latency_ns = 2 * US, .target_residency_ns = 10 * US},
	{.name = "C6", .exit_latency_ns = 100 * US, .target_residency_ns = 300 * US}}};

struct made {
	struct trace *t;
	struct machine m;
	struct sojourns s;
	struct run run0;
	uint32_t tick_name, timer_name;
};

static void begin(struct made *d)
{
	d->t = trace_new("made", ~0ULL);
	trace_cpus(d->t, 2);
	d->t->emulated = true;
	d->tick_name = trace_intern(d->t, "tick_nohz_handler", 17);
	d->timer_name = trace_intern(d->t, "hrtimer_wakeup", 14);
	machine_uniform(&d->m, &table, 2);
}

static void add(struct made *d, int cpu, enum ev_kind kind, int64_t at, struct event ev)
{
	ev.kind = (uint8_t)kind;
	ev.at_ns = at;
	ev.cpu = (uint16_t)cpu;
	if (kind == EV_IDLE)
		ev.obj = (uint64_t)cpu;
	trace_add(d->t, &ev);
}

static void to_idle(struct made *d, int64_t at)
{
	add(d, 0, EV_SWITCH, at, (struct event){.a = TASK, .b = 0});
}

static void from_idle(struct made *d, int64_t at)
{
	add(d, 0, EV_SWITCH, at, (struct event){.a = 0, .b = TASK});
}

static void period(struct made *d, int state, int64_t from, int64_t to)
{
	add(d, 0, EV_IDLE, from, (struct event){.a = state});
	add(d, 0, EV_IDLE, to, (struct event){.a = -1});
}

static void tick_start(struct made *d, int64_t at, int64_t expires)
{
	add(d, 0, EV_HRTIMER_START, at, (struct event){.obj = TICKER, .a = expires, .name = d->tick_name});
}

static void tick(struct made *d, int64_t at)
{
	add(d, 0, EV_HRTIMER_EXPIRE, at, (struct event){.obj = TICKER, .a = at, .name = d->tick_name});
	tick_start(d, at + US, (at / (4 * MS) + 1) * 4 * MS);
}

static void finish(struct made *d)
{
	trace_finish(d->t);
	sojourns_build(&d->s, d->t, &d->m, 250, 0, false);
	run_of_recording(&d->run0, d->t, &d->m, 0);
}

static void release(struct made *d)
{
	run_free(&d->run0);
	sojourns_free(&d->s);
	machine_free(&d->m);
	trace_free(d->t);
}

static void replay(struct made *d, const char *governor, struct run *out)
{
	struct replay_options opt = {.limit_ns = -1};
	struct gov_spec spec;
	struct error err = {0};

	assert_int_equal(governor_parse(&spec, governor, "", &err), 0);
	assert_int_equal(replay_free(out, &d->s, &d->run0, &spec, &opt, &err), 0);
}

/* a task on CPU 1 wakes the next task of CPU 0; the interrupt that says so is the same wake */
static void remote_wake_on(bool global)
{
	const struct arrival *a;
	struct made d;

	begin(&d);
	d.t->clock_global = global;
	tick_start(&d, MS, 4 * MS);
	to_idle(&d, 4 * MS + 100 * US);
	period(&d, 2, 4 * MS + 105 * US, 4 * MS + 612 * US);
	add(&d, 1, EV_IPI_SEND, 4 * MS + 602 * US, (struct event){.a = 0});
	add(&d, 1, EV_WAKING, 4 * MS + 600 * US, (struct event){.a = TASK});
	add(&d, 0, EV_VECTOR_ENTRY, 4 * MS + 613 * US, (struct event){.a = VECTOR_RESCHEDULE});
	from_idle(&d, 4 * MS + 620 * US);
	finish(&d);
	assert_int_equal(d.s.cpu[0].n, 1);
	assert_int_equal(d.s.cpu[0].narrivals, 1);
	a = &d.s.cpu[0].arrival[0];
	assert_int_equal(a->kind, ARRIVAL_REMOTE);
	assert_int_equal(a->at_ns, 4 * MS + 600 * US);
	assert_int_equal(a->flags, ARRIVAL_RESCHED | ARRIVAL_ENDED);
	assert_int_equal(a->then.delay_ns, global ? 12 * US : UNKNOWN_NS);
	assert_int_equal(a->then.turn_ns, UNKNOWN_NS);
	release(&d);
}

static void remote_wake(void **state)
{
	(void)state;
	remote_wake_on(true);
}

/* clocks of the two CPUs that may differ: how long the wake took is not known */
static void remote_wake_on_a_local_clock(void **state)
{
	(void)state;
	remote_wake_on(false);
}

/* a timer's arrival is its expiry, not when its handler ran; what it arms next bounds the next sleep */
static void timer_wake(void **state)
{
	const struct sojourn *so;
	struct made d;

	(void)state;
	begin(&d);
	tick_start(&d, MS, 4 * MS);
	add(&d, 0, EV_HRTIMER_START, 2 * MS, (struct event){.obj = TIMER, .a = 5 * MS, .name = d.timer_name});
	to_idle(&d, 4 * MS + 100 * US);
	period(&d, 2, 4 * MS + 105 * US, 5 * MS + 3 * US);
	add(&d, 0, EV_HRTIMER_EXPIRE, 5 * MS + 5 * US,
		(struct event){.obj = TIMER, .a = 5 * MS + 4 * US, .name = d.timer_name});
	add(&d, 0, EV_WAKING, 5 * MS + 6 * US, (struct event){.a = TASK});
	from_idle(&d, 5 * MS + 12 * US);
	finish(&d);
	so = &d.s.cpu[0].sojourn[0];
	assert_int_equal(so->next_hr_ns, 5 * MS);
	assert_int_equal(d.s.cpu[0].arrival[0].kind, ARRIVAL_TIMER);
	assert_int_equal(d.s.cpu[0].arrival[0].at_ns, 5 * MS);
	assert_int_equal(d.s.cpu[0].arrival[0].then.delay_ns, 3 * US);
	assert_int_equal(d.s.cpu[0].arrival[0].next_hr_ns, NEVER_NS);
	release(&d);
}

/* one idle stretch of 18 ms that two ticks interrupted */
static void ticking(struct made *d)
{
	begin(d);
	tick_start(d, MS, 4 * MS);
	to_idle(d, 2 * MS);
	period(d, 1, 2 * MS + 5 * US, 4 * MS + 2 * US);
	tick(d, 4 * MS + 3 * US);
	period(d, 1, 4 * MS + 20 * US, 8 * MS + 2 * US);
	tick(d, 8 * MS + 3 * US);
	add(d, 0, EV_TICK_STOP, 8 * MS + 10 * US, (struct event){.a = 1});
	tick_start(d, 8 * MS + 11 * US, 900 * MS);
	period(d, 2, 8 * MS + 20 * US, 20 * MS + 10 * US);
	add(d, 1, EV_WAKING, 20 * MS, (struct event){.a = TASK});
	from_idle(d, 20 * MS + 20 * US);
	finish(d);
}

/* ticks are the recorded governor's doing: out they go; the wake stays where it was */
static void recorded_ticks_are_removed(void **state)
{
	struct run run;
	struct made d;

	(void)state;
	ticking(&d);
	assert_int_equal(d.s.cpu[0].n, 1);
	assert_int_equal(d.s.cpu[0].narrivals, 1);
	assert_int_equal(d.s.cpu[0].ticks, 2);
	assert_int_equal(d.s.cpu[0].stops, 1);
	replay(&d, "deepest", &run);
	assert_int_equal(run.cpu[0].nperiods, 1);
	assert_int_equal(run.cpu[0].ticks, 0);
	assert_int_equal(run.cpu[0].tick_stops, 1);
	assert_int_equal(run.cpu[0].period[0].exit_ns, 20 * MS + 10 * US);
	assert_int_equal(run.cpu[0].period[0].state, 2);
	run_free(&run);
	release(&d);
}

/* one that keeps the tick gets ticks of its own on the recorded grid, 4 8 12 16 ms; the fifth is late */
static void ticks_are_made(void **state)
{
	struct run run;
	struct made d;

	(void)state;
	ticking(&d);
	replay(&d, "shallowest", &run);
	/* polling with a time-out: many periods, and each tick inside one of them */
	assert_true(run.cpu[0].nperiods > 20);
	assert_int_equal(run.cpu[0].ticks, 4);
	assert_int_equal(run.cpu[0].tick_stops, 0);
	for (size_t i = 0; i < run.cpu[0].nperiods; i++)
		assert_int_equal(run.cpu[0].period[i].state, 0);
	run_free(&run);
	release(&d);
}

/* a select that a probe saw and no idle period after it: the entry was aborted, in the replay too */
static void aborted_entry(void **state)
{
	struct run run;
	struct made d;

	(void)state;
	begin(&d);
	tick_start(&d, MS, 4 * MS);
	to_idle(&d, 2 * MS);
	add(&d, 1, EV_WAKING, 2 * MS + 2 * US, (struct event){.a = TASK});
	add(&d, 0, EV_PROBE_SELECT, 2 * MS + 4 * US, (struct event){.a = 1});
	from_idle(&d, 2 * MS + 9 * US);
	to_idle(&d, 3 * MS);
	add(&d, 1, EV_WAKING, 3 * MS + 2 * US, (struct event){.a = TASK});
	from_idle(&d, 3 * MS + 9 * US);
	finish(&d);
	assert_int_equal(d.s.cpu[0].n, 2);
	assert_true(d.s.cpu[0].sojourn[0].flags & SOJOURN_SELECTED);
	assert_false(d.s.cpu[0].sojourn[1].flags & SOJOURN_SELECTED);
	replay(&d, "menu@6.12", &run);
	assert_int_equal(run.cpu[0].nperiods, 0);
	assert_int_equal(run.cpu[0].decisions, 1);
	assert_int_equal(run.cpu[0].aborted, 1);
	run_free(&run);
	release(&d);
}

/* an interrupt that falls due with interrupts off is pending: the CPU enters and leaves at once */
static void pending_interrupt(void **state)
{
	struct run run;
	struct made d;

	(void)state;
	begin(&d);
	tick_start(&d, MS, 4 * MS);
	add(&d, 0, EV_HRTIMER_START, 2 * MS,
		(struct event){.obj = TIMER, .a = 5 * MS + 3 * US, .name = d.timer_name});
	to_idle(&d, 5 * MS);
	period(&d, 1, 5 * MS + 6 * US, 5 * MS + 7 * US);
	add(&d, 0, EV_HRTIMER_EXPIRE, 5 * MS + 8 * US,
		(struct event){.obj = TIMER, .a = 5 * MS + 7 * US, .name = d.timer_name});
	add(&d, 0, EV_WAKING, 5 * MS + 9 * US, (struct event){.a = TASK});
	from_idle(&d, 5 * MS + 15 * US);
	finish(&d);
	replay(&d, "deepest", &run);
	assert_int_equal(run.cpu[0].nperiods, 1);
	assert_int_equal(run.cpu[0].aborted, 0);
	assert_int_equal(run.cpu[0].period[0].enter_ns, 5 * MS + 6 * US);
	assert_int_equal(run.cpu[0].period[0].exit_ns, 5 * MS + 7 * US);
	run_free(&run);
	release(&d);
}

/* a state that takes longer to leave than the task began to run is clipped; what is beyond was paid */
static void late_exit_is_clipped(void **state)
{
	struct replay_options opt = {.limit_ns = -1, .latency_model = LATENCY_TABLE};
	struct gov_spec spec;
	struct error err;
	struct run run;
	struct made d;

	(void)state;
	ticking(&d);
	assert_int_equal(governor_parse(&spec, "deepest", "", &err), 0);
	assert_int_equal(replay_free(&run, &d.s, &d.run0, &spec, &opt, &err), 0);
	assert_int_equal(run.cpu[0].period[0].exit_ns, 20 * MS + 20 * US);
	assert_int_equal(run.wake_latency.max_ns, 110 * US);
	assert_int_equal(run.latency_paid_ns, 110 * US);
	run_free(&run);
	release(&d);
}

/* what lies inside lost events is kept as it was recorded */
static void holes_are_kept(void **state)
{
	struct run run;
	struct made d;

	(void)state;
	begin(&d);
	tick_start(&d, MS, 4 * MS);
	to_idle(&d, 2 * MS);
	period(&d, 1, 2 * MS + 5 * US, 3 * MS);
	add(&d, 1, EV_WAKING, 3 * MS - 5 * US, (struct event){.a = TASK});
	from_idle(&d, 3 * MS + 5 * US);
	trace_hole(d.t, 0, 2 * MS + 500 * US, 2 * MS + 600 * US, 7);
	finish(&d);
	assert_true(d.s.cpu[0].sojourn[0].flags & SOJOURN_SKIP);
	replay(&d, "deepest", &run);
	assert_int_equal(run.cpu[0].nperiods, 1);
	assert_int_equal(run.cpu[0].period[0].state, 1);
	assert_int_equal(run.cpu[0].decisions, 0);
	run_free(&run);
	release(&d);
}

/* a sleep that a timer ends, in a state that takes so long to leave */
static void timed_sleep(struct made *d, int64_t at, int state, int64_t delay)
{
	int64_t due = at + 1 * MS;

	add(d, 0, EV_HRTIMER_START, at - 50 * US, (struct event){.obj = TIMER, .a = due, .name = d->timer_name});
	to_idle(d, at);
	period(d, state, at + 5 * US, due + delay);
	add(d, 0, EV_HRTIMER_EXPIRE, due + delay + 2 * US,
		(struct event){.obj = TIMER, .a = due + delay + US, .name = d->timer_name});
	add(d, 0, EV_WAKING, due + delay + 3 * US, (struct event){.a = TASK});
	from_idle(d, due + delay + 8 * US);
}

/* C6 takes 100 us longer than C1, whose 2 us the table says: 102 us; POLL was never measured */
static void measured_latency(void **state)
{
	const struct state_latency *l;
	struct made d;

	(void)state;
	begin(&d);
	d.t->emulated = false;
	tick_start(&d, MS, 4 * MS);
	for (int i = 0; i < 80; i++)
		timed_sleep(&d, (10 + 10 * i) * MS, 1 + i % 2, i % 2 ? 103 * US : 3 * US);
	finish(&d);
	l = d.s.latency[0];
	assert_int_equal(l[1].timer.n, 40);
	assert_int_equal(l[1].timer.p50_ns, 3 * US);
	assert_true(l[1].measured && l[2].measured && !l[0].measured);
	assert_int_equal(l[1].exit_ns, 2 * US);
	assert_int_equal(l[2].exit_ns, 102 * US);
	assert_false(latency_finding(&l[2], &table.state[2]));
	assert_true(latency_finding(&l[2], &table.state[1]));
	release(&d);
}

/* replayed in another state, a wake takes that state's latency instead of its own */
static void latency_moves_with_the_state(void **state)
{
	struct run run;
	struct made d;

	(void)state;
	begin(&d);
	d.t->emulated = false;
	tick_start(&d, MS, 4 * MS);
	for (int i = 0; i < 80; i++)
		timed_sleep(&d, (10 + 10 * i) * MS, 1 + i % 2, i % 2 ? 103 * US : 3 * US);
	finish(&d);
	replay(&d, "fixed:state=2", &run);
	assert_int_equal(run.wake_latency.n, 80);
	assert_int_equal(run.wake_latency.p50_ns, 103 * US);
	run_free(&run);
	replay(&d, "fixed:state=1", &run);
	assert_int_equal(run.wake_latency.max_ns, 3 * US);
	run_free(&run);
	release(&d);
}

static void armed_timers(void **state)
{
	struct armed a = {0};

	(void)state;
	armed_add(&a, 10, 50, 40);
	armed_add(&a, 20, 30, 25);
	armed_add(&a, 5, INT64_MAX, 1000);
	armed_add(&a, 7, 7, 8);
	armed_sort(&a);
	assert_int_equal(armed_next(&a, 4), INT64_MAX);
	assert_int_equal(armed_next(&a, 6), 1000);
	assert_int_equal(armed_next(&a, 10), 40);
	assert_int_equal(armed_next(&a, 20), 25);
	assert_int_equal(armed_next(&a, 30), 40);
	/* the kernel slept past it: it bounds nothing */
	armed_disprove(&a, 35, 500);
	assert_int_equal(armed_next(&a, 36), 1000);
	armed_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(remote_wake), cmocka_unit_test(remote_wake_on_a_local_clock),
		cmocka_unit_test(timer_wake),
		cmocka_unit_test(recorded_ticks_are_removed),
		cmocka_unit_test(ticks_are_made),
		cmocka_unit_test(aborted_entry),
		cmocka_unit_test(pending_interrupt),
		cmocka_unit_test(late_exit_is_clipped),
		cmocka_unit_test(holes_are_kept),
		cmocka_unit_test(measured_latency),
		cmocka_unit_test(latency_moves_with_the_state),
		cmocka_unit_test(armed_timers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
