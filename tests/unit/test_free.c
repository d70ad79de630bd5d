// SPDX-License-Identifier: GPL-2.0-or-later
/* Properties that every free replay has, whatever the governor: on the samples, real recordings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "replay/free.h"
#include "src/recording.h"

static const char *const samples[] = {"samples/p9-61-truth.dat", "samples/skl-612-pp.dat"};
static const char *const governors[] = {"menu@6.1", "menu@7.2", "teo@6.12", "teo@7.2", "ladder@6.12",
	"haltpoll@6.12", "oracle", "shallowest", "deepest", "fixed:state=1"};

static struct recording rec;
static struct sojourns sojourns;

static void open_sample(const char *path)
{
	struct options o = {.warmup = 40, .jobs = 2};
	struct error err = {0};

	if (recording_open(&rec, path, &o, NEED_DECISIONS, NULL, NULL, &err))
		fail_msg("%s", err.text);
	sojourns_of_decisions(&sojourns, &rec.decisions, &rec.machine);
}

static void close_sample(void)
{
	sojourns_free(&sojourns);
	recording_close(&rec);
}

static void replay(struct run *out, const char *governor, const struct replay_options *opt)
{
	struct gov_spec spec;
	struct error err = {0};

	if (governor_parse(&spec, governor, rec.kernel, &err) ||
		replay_free(out, &sojourns, &rec.run0, &spec, opt, &err))
		fail_msg("%s", err.text);
}

/* the sojourn that a time lies in, searched on from *next */
static const struct sojourn *sojourn_at(int cpu, size_t *next, int64_t at_ns)
{
	const struct sojourns_cpu *c = &sojourns.cpu[cpu];

	while (*next < c->n && c->sojourn[*next].end_ns <= at_ns)
		++*next;
	return *next < c->n && c->sojourn[*next].start_ns <= at_ns ? &c->sojourn[*next] : NULL;
}

/* periods follow each other, lie inside sojourns, and fill no more than these */
static void check_times(const struct run *r)
{
	for (int i = 0; i < r->ncpus; i++) {
		const struct run_cpu *c = &r->cpu[i];
		int64_t last = INT64_MIN, sum = 0, by_state = 0, room = 0;
		size_t next = 0;

		for (size_t k = 0; k < c->nperiods; k++) {
			const struct period *p = &c->period[k];
			const struct sojourn *so = sojourn_at(i, &next, p->enter_ns);

			assert_true(p->enter_ns >= last);
			assert_true(p->exit_ns >= p->enter_ns);
			assert_non_null(so);
			assert_true(p->exit_ns <= so->end_ns);
			last = p->exit_ns;
			sum += p->exit_ns - p->enter_ns;
		}
		for (size_t k = 0; k < sojourns.cpu[i].n; k++)
			room += sojourns.cpu[i].sojourn[k].end_ns - sojourns.cpu[i].sojourn[k].start_ns;
		for (int s = 0; s < STATES_MAX; s++)
			by_state += c->state[s].time_ns;
		assert_true(by_state == sum);
		assert_true(sum <= room);
	}
}

static void check_sums(const struct run *r)
{
	for (int s = 0; s < STATES_MAX; s++) {
		uint64_t usage = 0, above = 0;
		int64_t time = 0;

		for (int i = 0; i < r->ncpus; i++) {
			usage += r->cpu[i].state[s].usage;
			above += r->cpu[i].state[s].above;
			time += r->cpu[i].state[s].time_ns;
		}
		assert_int_equal(r->total[s].usage, usage);
		assert_int_equal(r->total[s].above, above);
		assert_true(r->total[s].time_ns == time);
		assert_true(r->total[s].above + r->total[s].below <= r->total[s].usage);
	}
	assert_true(r->change.better + r->change.worse <= r->change.changed);
}

static void times_are_conserved(void **state)
{
	struct replay_options opt = {.limit_ns = -1, .threads = 2};
	struct run run;

	(void)state;
	for (size_t s = 0; s < ARRAY_SIZE(samples); s++) {
		open_sample(samples[s]);
		for (size_t g = 0; g < ARRAY_SIZE(governors); g++) {
			replay(&run, governors[g], &opt);
			check_times(&run);
			check_sums(&run);
			run_free(&run);
		}
		close_sample();
	}
}

/* the decisions, less those whose entry was aborted, are the periods */
static void every_decision_has_its_outcome(void **state)
{
	struct replay_options opt = {.limit_ns = -1};
	struct run run;

	(void)state;
	open_sample(samples[0]);
	for (size_t g = 0; g < ARRAY_SIZE(governors); g++) {
		replay(&run, governors[g], &opt);
		for (int i = 0; i < run.ncpus; i++)
			assert_int_equal(run.cpu[i].decisions,
				run.cpu[i].nperiods + run.cpu[i].aborted);
		run_free(&run);
	}
	close_sample();
}

/* did an interrupt that woke nobody, or a tick, come inside a period or just before it */
static bool interrupted(int cpu, size_t *next, const struct period *p)
{
	const struct sojourn *so = sojourn_at(cpu, next, p->enter_ns);
	const struct arrival *a = sojourns.cpu[cpu].arrival + so->arrival;

	for (uint32_t i = 0; i < so->narrivals; i++)
		if (!(a[i].flags & ARRIVAL_RESCHED) && a[i].at_ns < p->exit_ns)
			return true;
	/* a tick that falls due on the way in is pending */
	return sojourns_grid(&sojourns, so->start_ns, sojourns.tick_ns) < p->exit_ns;
}

/* polling goes on past interrupts that wake nobody: then any other state would have been too deep */
static void check_polling(const struct run *r)
{
	for (int i = 0; i < r->ncpus; i++) {
		size_t next = 0;

		for (size_t k = 0; k < r->cpu[i].nperiods; k++)
			if (r->cpu[i].period[k].flags & PERIOD_MISS_BELOW)
				assert_true(interrupted(i, &next, &r->cpu[i].period[k]));
	}
}

/* no above; below only where the limit forbids more, or interrupts went by inside polling */
static void oracle_misses_nothing(void **state)
{
	struct replay_options opt = {.limit_ns = -1};
	struct run run;

	(void)state;
	for (size_t s = 0; s < ARRAY_SIZE(samples); s++) {
		open_sample(samples[s]);
		for (opt.limit_ns = -1; opt.limit_ns < 200000; opt.limit_ns += 100001) {
			uint64_t below = 0;

			replay(&run, "oracle", &opt);
			for (int k = 0; k < rec.machine.tables[0].nstates; k++) {
				assert_int_equal(run.total[k].above, 0);
				if (rec.machine.tables[0].state[k].timeout == TIMEOUT_NONE)
					below += run.total[k].below;
			}
			assert_true(below <= run.limited);
			if (opt.limit_ns < 0) {
				assert_int_equal(below, 0);
				check_polling(&run);
			}
			run_free(&run);
		}
		close_sample();
	}
}

static void swapped_runs_negate_the_difference(void **state)
{
	struct replay_options opt = {.limit_ns = -1};
	struct run a, b;

	(void)state;
	open_sample(samples[1]);
	replay(&a, "menu@6.12", &opt);
	replay(&b, "teo@7.2", &opt);
	memset(&a.change, 0, sizeof(a.change));
	memset(&b.change, 0, sizeof(b.change));
	free_changes(&a, &sojourns, &b, -1);
	free_changes(&b, &sojourns, &a, -1);
	assert_true(a.change.better + a.change.worse > 1000);
	assert_int_equal(a.change.better, b.change.worse);
	assert_int_equal(a.change.worse, b.change.better);
	assert_int_equal(a.change.same, b.change.same);
	run_free(&a);
	run_free(&b);
	close_sample();
}

static void threads_change_nothing(void **state)
{
	struct replay_options one = {.limit_ns = -1, .threads = 1}, three = {.limit_ns = -1, .threads = 3};
	struct run a, b;

	(void)state;
	open_sample(samples[0]);
	for (size_t g = 0; g < ARRAY_SIZE(governors); g++) {
		replay(&a, governors[g], &one);
		replay(&b, governors[g], &three);
		for (int i = 0; i < a.ncpus; i++) {
			assert_int_equal(a.cpu[i].nperiods, b.cpu[i].nperiods);
			assert_memory_equal(a.cpu[i].period, b.cpu[i].period,
				a.cpu[i].nperiods * sizeof(struct period));
		}
		assert_memory_equal(&a.wake_latency, &b.wake_latency, sizeof(a.wake_latency));
		run_free(&a);
		run_free(&b);
	}
	close_sample();
}

/* with no task that may wait for I/O both readings are one; with some the choices of menu change */
static void tasks_in_io_wait_are_tried_both_ways(void **state)
{
	struct replay_options none = {.limit_ns = -1}, all = {.limit_ns = -1, .busiest = true};
	struct run a, b;

	(void)state;
	open_sample(samples[1]);
	for (int may = 0; may < 2; may++) {
		uint64_t doubtful = 0, otherwise = 0, moved = 0;

		for (int i = 0; i < sojourns.ncpus && may; i++)
			for (size_t k = 0; k < sojourns.cpu[i].n; k++)
				sojourns.cpu[i].sojourn[k].iowait_max = 2;
		replay(&a, "menu@6.1", &none);
		replay(&b, "menu@6.1", &all);
		for (int i = 0; i < a.ncpus; i++) {
			doubtful += a.cpu[i].doubtful;
			otherwise += a.cpu[i].undetermined;
		}
		for (int s = 0; s < STATES_MAX; s++)
			moved += a.total[s].usage != b.total[s].usage;
		assert_int_equal(doubtful > 10000, may);
		assert_int_equal(otherwise > 100, may);
		assert_int_equal(moved > 0, may);
		run_free(&a);
		run_free(&b);
	}
	close_sample();
}

/* a CPU that was off line: with pseries_idle its governor begins anew, with intel_idle it does not */
static void hotplug_makes_the_governor_forget(void **state)
{
	struct decision_options d = {.hz = 250, .threads = 1};
	struct error err = {0};

	(void)state;
	for (size_t s = 0; s < ARRAY_SIZE(samples); s++) {
		size_t resets = 0, sojourns_reset = 0;
		struct cpu_trace *c;

		open_sample(samples[s]);
		c = &rec.trace->cpu[1];
		for (size_t i = c->nevs / 2; i < c->nevs; i++)
			if (c->ev[i].kind == EV_SWITCH && c->ev[i].a == 0) {
				c->ev[i].name = trace_intern(rec.trace, "cpuhp/1", 7);
				break;
			}
		decisions_free(&rec.decisions);
		assert_int_equal(decisions_build(&rec.decisions, rec.trace, &rec.machine, &d, &err), 0);
		for (size_t i = 0; i < rec.decisions.cpu[1].n; i++)
			resets += !!(rec.decisions.cpu[1].d[i].flags & DEC_RESET);
		assert_int_equal(resets, s == 0);
		sojourns_free(&sojourns);
		sojourns_of_decisions(&sojourns, &rec.decisions, &rec.machine);
		for (size_t i = 0; i < sojourns.cpu[1].n; i++)
			sojourns_reset += !!(sojourns.cpu[1].sojourn[i].flags & SOJOURN_RESET);
		assert_int_equal(sojourns_reset, s == 0);
		close_sample();
	}
}

/* the same sums whether the periods are kept or not */
static void streamed_sums_are_the_same(void **state)
{
	struct replay_options kept = {.limit_ns = -1}, streamed = {.limit_ns = -1, .summary = true};
	struct run a, b;

	(void)state;
	open_sample(samples[1]);
	replay(&a, "teo@7.2", &kept);
	replay(&b, "teo@7.2", &streamed);
	for (int i = 0; i < a.ncpus; i++) {
		assert_memory_equal(a.cpu[i].state, b.cpu[i].state, sizeof(a.cpu[i].state));
		assert_null(b.cpu[i].period);
	}
	for (int s = 0; s < STATES_MAX; s++) {
		assert_int_equal(a.total[s].usage, b.total[s].usage);
		assert_true(a.total[s].time_ns == b.total[s].time_ns);
	}
	assert_int_equal(a.change.better, b.change.better);
	assert_true(a.regret_ns == b.regret_ns);
	run_free(&a);
	run_free(&b);
	close_sample();
}

/* the recording against itself: all the same, no error */
static void the_recording_is_itself(void **state)
{
	struct self_check c;
	struct run copy;

	(void)state;
	open_sample(samples[0]);
	run_of_recording(&copy, rec.trace, &rec.machine, rec.decisions.event_cost_ns);
	free_self_check(&c, &sojourns, &rec.run0, &copy);
	assert_true(c.sojourns > 70000);
	assert_int_equal(c.same, c.sojourns);
	assert_true(c.time_error == 0 && c.usage_error == 0 && c.worst_cpu_time_error == 0);
	free_changes(&copy, &sojourns, &rec.run0, -1);
	assert_int_equal(copy.change.changed, 0);
	assert_true(copy.change.same > 70000);
	run_free(&copy);
	close_sample();
}

/* twice the tick rate: a governor that keeps the tick meets about twice the ticks */
static void tick_rate_is_a_knob(void **state)
{
	struct replay_options opt = {.limit_ns = -1};
	uint64_t ticks[2] = {0};
	struct run run;

	(void)state;
	open_sample(samples[1]);
	for (int k = 0; k < 2; k++) {
		opt.hz = k ? 1000 : 500;
		replay(&run, "shallowest", &opt);
		for (int i = 0; i < run.ncpus; i++)
			ticks[k] += run.cpu[i].ticks;
		run_free(&run);
	}
	assert_true(ticks[0] > 1000);
	assert_true(ticks[1] > 1.9 * (double)ticks[0] && ticks[1] < 2.1 * (double)ticks[0]);
	close_sample();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_conserved),
		cmocka_unit_test(every_decision_has_its_outcome),
		cmocka_unit_test(oracle_misses_nothing),
		cmocka_unit_test(swapped_runs_negate_the_difference),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(tasks_in_io_wait_are_tried_both_ways),
		cmocka_unit_test(hotplug_makes_the_governor_forget),
		cmocka_unit_test(streamed_sums_are_the_same),
		cmocka_unit_test(the_recording_is_itself),
		cmocka_unit_test(tick_rate_is_a_knob),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
