// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_free PERIODS [RUNS]: free replay over generated sojourns: decisions/s of the bare model and
 * of the replay, one and two threads, with and without periods kept; bytes per period and run.
 * Prints "name value" lines. The wakes are drawn from a fixed seed: timers, remote wakes, ticks.
 */
#include "replay/free_cpu.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define CPUS 8

static uint64_t seed = 0x9e3779b97f4a7c15ULL;

static uint64_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* on one thread the processor's own time counts, so that other work on the machine does not */
static double now(bool alone)
{
	struct timespec t;

	clock_gettime(alone ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int64_t resident(void)
{
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (!f || fscanf(f, "%*d %ld", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages * 4096L;
}

static const struct state_table table = {.id = "bench",
	.nstates = 5,
	.state = {{.name = "POLL",
			  .polling = true,
			  .timeout = TIMEOUT_POLL_IDLE,
			  .timeout_sets_poll_limit = true},
		{.name = "C1", .exit_latency_ns = 2000, .target_residency_ns = 2000},
		{.name = "C1E", .exit_latency_ns = 10000, .target_residency_ns = 20000},
		{.name = "C6", .exit_latency_ns = 85000, .target_residency_ns = 200000},
		{.name = "C8", .exit_latency_ns = 200000, .target_residency_ns = 800000}}};

/* idle lengths from 5 us to 3 ms, half of them ended by the timer that the governor knows */
static int64_t length(void)
{
	static const int64_t mean[] = {8000, 30000, 120000, 500000, 2000000};
	int64_t m = mean[draw() % ARRAY_SIZE(mean)];

	return m / 2 + (int64_t)(draw() % (uint64_t)m);
}

static void fill_cpu(struct sojourns *s, struct trace *t, int cpu, size_t n)
{
	struct sojourns_cpu *c = &s->cpu[cpu];
	struct cpu_trace *ct = &t->cpu[cpu];
	int64_t at = 1000000;

	c->sojourn = xcalloc(n, sizeof(*c->sojourn));
	c->arrival = xcalloc(n, sizeof(*c->arrival));
	ct->period = xcalloc(n, sizeof(*ct->period));
	c->n = c->narrivals = ct->nperiods = n;
	for (size_t i = 0; i < n; i++) {
		int64_t len = length(), wake = at + 3000 + len;
		bool timer = draw() & 1;
		int state;

		c->sojourn[i] = (struct sojourn){.start_ns = at,
			.end_ns = wake + 4000,
			.entry_ns = at + 3000,
			.tick_ns = sojourns_grid(s, at, s->tick_ns),
			.next_hr_ns = timer ? wake : wake + 50000000,
			.next_wheel_ns = NEVER_NS,
			.arrival = (uint32_t)i,
			.narrivals = 1,
			.period = (uint32_t)i,
			.nperiods = 1,
			.select_ns = UNKNOWN_NS};
		c->arrival[i] = (struct arrival){.at_ns = wake,
			.next_hr_ns = NEVER_NS,
			.next_wheel_ns = NEVER_NS,
			.kind = timer ? ARRIVAL_TIMER : ARRIVAL_REMOTE,
			.flags = ARRIVAL_RESCHED | ARRIVAL_ENDED,
			.then = {1000, UNKNOWN_NS, 500, UNKNOWN_NS, 300}};
		/* two thirds as an oracle would, the others by chance: a governor's recording */
		state = draw() % 3 ? machine_ideal(&table, len, LATENCY_ANY) : (int)(draw() % 5);
		ct->period[i] = (struct period){.enter_ns = at + 3000,
			.exit_ns = wake + 1000,
			.state = (int8_t)state,
			.entered = (int8_t)state};
		at = wake + 4000 + (int64_t)(draw() % 20000);
	}
	t->end_ns = max64(t->end_ns, at);
	t->emulated = false;
}

static void generate(struct sojourns *s, struct trace *t, size_t periods)
{
	*s = (struct sojourns){.trace = t,
		.ncpus = CPUS,
		.hz = 250,
		.tick_ns = tick_ns(250),
		.have_switches = true,
		.have_timers = true};
	s->costs = (struct sojourn_costs){.event_ns = 300,
		.first_ns = 3000,
		.select_ns = 400,
		.select_start_ns = 1500,
		.turn_ns = {8000, 8000, 3000},
		.tick_delay_ns = 1000,
		.limit_over_ns = 5000};
	s->cpu = xcalloc(CPUS, sizeof(*s->cpu));
	s->latency = xcalloc(1, sizeof(*s->latency));
	for (int i = 0; i < CPUS; i++)
		fill_cpu(s, t, i, periods / CPUS);
}

/* the model alone, in a loop of select and reflect over the same lengths */
static double bare(const struct gov_spec *spec, const struct sojourns *s)
{
	struct gov_machine gm = {.table = &table, .hz = 250, .tick_ns = s->tick_ns};
	void *cpu = xcalloc(1, spec->gov->cpu_size + 1);
	const struct sojourns_cpu *c = &s->cpu[0];
	size_t n = c->n < 4000000 ? c->n : 4000000, sum = 0;
	double start;

	spec->gov->init(cpu, &gm, spec);
	start = now(true);
	for (size_t i = 0; i < n; i++) {
		const struct sojourn *so = &c->sojourn[i];
		int64_t sleep = so->next_hr_ns - so->entry_ns;
		struct gov_input in = {.now_ns = so->start_ns,
			.limit_ns = LATENCY_ANY,
			.sleep_ns = sleep,
			.tick_delta_ns = min64(sleep, s->tick_ns)};
		struct gov_choice choice = spec->gov->select(cpu, &in, -1);
		struct gov_outcome out = {.entered = choice.state,
			.residency_ns = c->arrival[i].at_ns - so->entry_ns,
			.now_ns = so->end_ns};

		sum += (size_t)choice.state;
		spec->gov->reflect(cpu, &out);
	}
	start = now(true) - start;
	free(cpu);
	return sum == SIZE_MAX ? 0 : (double)n / start;
}

/* the walk alone: the idle loop with the model in it, without sums and comparison */
static double walk(const struct gov_spec *spec, const struct sojourns *s, const struct machine *m,
	uint64_t *decisions)
{
	struct free_table ft = {.table = &table};
	struct free_setup set = {.s = s,
		.trace = s->trace,
		.spec = spec,
		.machine = m,
		.recorded = m,
		.table = &ft,
		.tick_ns = s->tick_ns,
		.hz = s->hz,
		.limit_ns = -1};
	double start = now(true);

	*decisions = 0;
	for (int i = 0; i < table.nstates; i++)
		ft.timeout_ns[i] = machine_timeout(&table, i, s->hz);
	for (int i = 0; i < CPUS; i++) {
		struct run_cpu c = {0};
		struct free_result r = {.cpu = &c};

		free_cpu_run(&r, &set, i);
		*decisions += c.decisions;
		free(c.period);
		free(r.wake.ns);
	}
	return now(true) - start;
}

static double replays(const struct sojourns *s, const struct run *run0, const struct gov_spec *spec,
	int runs, int threads, bool summary, double *bytes_per_period, uint64_t *decisions)
{
	struct replay_options opt = {.limit_ns = -1, .threads = threads, .summary = summary};
	struct run *run = xcalloc((size_t)runs, sizeof(*run));
	struct error err;
	int64_t before = resident(), bytes;
	uint64_t periods = 0;
	double start = now(true);

	*decisions = 0;
	for (int i = 0; i < runs; i++) {
		if (replay_free(&run[i], s, run0, spec, &opt, &err))
			exit(1);
		for (int k = 0; k < CPUS; k++)
			*decisions += run[i].cpu[k].decisions;
	}
	start = now(true) - start;
	bytes = resident() - before;
	for (int i = 0; i < runs; i++) {
		for (int k = 0; k < STATES_MAX; k++)
			periods += run[i].total[k].usage;
		run_free(&run[i]);
	}
	*bytes_per_period = (double)bytes / (double)periods;
	free(run);
	return start;
}

/* by the clock on the wall: what threads are for */
static double replays_wall(const struct sojourns *s, const struct run *run0,
	const struct gov_spec *spec, int runs, int threads)
{
	double start = now(false), bytes;
	uint64_t decisions;

	replays(s, run0, spec, runs, threads, true, &bytes, &decisions);
	return now(false) - start;
}

int main(int argc, char **argv)
{
	size_t periods = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
	int runs = argc > 2 ? atoi(argv[2]) : 12;
	struct trace *t = trace_new("generated", 0);
	struct sojourns s;
	struct machine m;
	struct run run0;
	struct gov_spec spec;
	struct error err;
	uint64_t decisions;
	double one, two, rate, bytes;

	trace_cpus(t, CPUS);
	machine_uniform(&m, &table, CPUS);
	generate(&s, t, periods);
	run_of_recording(&run0, t, &m, 300);
	periods = s.cpu[0].n * CPUS;
	printf("periods %zu\nruns %d\n", periods, runs);
	for (int g = 0; g < 2; g++) {
		const char *name = g ? "teo" : "menu";

		if (governor_parse(&spec, g ? "teo@7.2" : "menu@6.12", "", &err))
			return 1;
		rate = bare(&spec, &s);
		printf("%s_bare_per_s %.0f\n", name, rate);
		one = walk(&spec, &s, &m, &decisions);
		printf("%s_replay_per_s %.0f\n%s_replay_to_bare %.3f\n", name,
			(double)decisions / one, name, (double)decisions / one / rate);
		one = replays(&s, &run0, &spec, 1, 1, true, &bytes, &decisions);
		printf("%s_with_sums_to_bare %.3f\n", name, (double)decisions / one / rate);
	}
	one = replays(&s, &run0, &spec, runs, 1, true, &bytes, &decisions);
	printf("ns_per_period_and_run %.1f\n", one * 1e9 / (double)periods / runs);
	printf("streamed_bytes_per_period_and_run %.2f\n", bytes);
	one = replays_wall(&s, &run0, &spec, runs, 1);
	two = replays_wall(&s, &run0, &spec, runs, 2);
	printf("two_threads_speedup %.2f\n", one / two);
	if (periods * (size_t)runs <= 120000000) {
		replays(&s, &run0, &spec, runs, 2, false, &bytes, &decisions);
		printf("kept_bytes_per_period_and_run %.1f\n", bytes);
	}
	run_free(&run0);
	sojourns_free(&s);
	machine_free(&m);
	trace_free(t);
	return 0;
}
