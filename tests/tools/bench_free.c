// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_free RUNS PERIODS...: free replay over generated sojourns, of each size: decisions/s of the bare
 * model, of the idle loop around it and of a whole replay; time per period; two threads against one;
 * bytes per period and run. Prints "PERIODS name value" lines. What is compared is measured in turns,
 * CPU by CPU, so that a machine whose speed comes and goes does it no harm; medians of the ratios.
 * The wakes are drawn from a fixed seed: timers, remote wakes, ticks.
 */
#include "replay/free_cpu.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CPUS 8
#define SIZES_MAX 8
#define PAIRS 5 /* of one thread against two */

static uint64_t seed = 0x9e3779b97f4a7c15ULL;

static uint64_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* on one thread the processor's own time counts, so that other work on the machine does not */
static double cpu_time(void)
{
	return now(CLOCK_PROCESS_CPUTIME_ID);
}

/* by the clock on the wall: what threads are for */
static double wall_time(void)
{
	return now(CLOCK_MONOTONIC);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* what was released before does not count */
static int64_t resident(void)
{
	long pages = 0;
	FILE *f;

	malloc_trim(0);
	f = fopen("/proc/self/statm", "r");

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

/* --- one size, and each of its CPUs as a recording of its own --- */

struct size {
	size_t periods;
	struct trace *trace, part_trace[CPUS];
	struct sojourns s, part_s[CPUS];
	struct run run0, part_run0[CPUS];
};

static void size_make(struct size *z, const struct machine *m, size_t periods)
{
	z->trace = trace_new("generated", 0);
	trace_cpus(z->trace, CPUS);
	generate(&z->s, z->trace, periods);
	run_of_recording(&z->run0, z->trace, m, 300);
	z->periods = z->s.cpu[0].n * CPUS;
	for (int i = 0; i < CPUS; i++) {
		z->part_trace[i] = *z->trace;
		z->part_trace[i].cpu = &z->trace->cpu[i];
		z->part_trace[i].ncpus = 1;
		z->part_s[i] = z->s;
		z->part_s[i].trace = &z->part_trace[i];
		z->part_s[i].cpu = &z->s.cpu[i];
		z->part_s[i].ncpus = 1;
		z->part_run0[i] = z->run0;
		z->part_run0[i].trace = &z->part_trace[i];
		z->part_run0[i].cpu = &z->run0.cpu[i];
		z->part_run0[i].ncpus = 1;
	}
}

static void size_free(struct size *z)
{
	run_free(&z->run0);
	sojourns_free(&z->s);
	trace_free(z->trace);
}

/* --- what is measured: seconds per decision, or seconds --- */

/* the model alone, in a loop of select and reflect over the same lengths */
static double bare(const struct gov_spec *spec, const struct sojourns *s)
{
	struct gov_machine gm = {.table = &table, .hz = 250, .tick_ns = s->tick_ns};
	void *cpu = xcalloc(1, spec->gov->cpu_size + 1);
	const struct sojourns_cpu *c = &s->cpu[0];
	size_t sum = 0;
	double start;

	spec->gov->init(cpu, &gm, spec);
	start = cpu_time();
	for (size_t i = 0; i < c->n; i++) {
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
	start = cpu_time() - start;
	free(cpu);
	return sum == SIZE_MAX ? 0 : start / (double)c->n;
}

/* the walk alone: the idle loop with the model in it, without sums and comparison */
static double walk(const struct gov_spec *spec, const struct sojourns *s, const struct machine *m)
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
	struct run_cpu c = {0};
	struct free_result r = {.cpu = &c};
	double start = cpu_time();

	for (int i = 0; i < table.nstates; i++) {
		ft.timeout_ns[i] = machine_timeout(&table, i, s->hz);
		ft.span[i] = machine_verdict_span(&table, i);
	}
	free_cpu_run(&r, &set, 0);
	start = cpu_time() - start;
	free(c.period);
	free(r.wake.ns);
	return start / (double)c.decisions;
}

/* a replay with all that is made of it; @kept: its periods stay, and their bytes are measured */
static double replay(const struct gov_spec *spec, const struct sojourns *s, const struct run *run0,
	int threads, double (*clock)(void), double *decisions, double *kept_bytes)
{
	struct replay_options opt = {.limit_ns = -1, .threads = threads, .summary = !kept_bytes};
	int64_t before = resident();
	double start = clock(), took;
	uint64_t periods = 0, n = 0;
	struct run run;
	struct error err;

	if (replay_free(&run, s, run0, spec, &opt, &err))
		exit(1);
	took = clock() - start;
	for (int i = 0; i < run.ncpus; i++)
		n += run.cpu[i].decisions;
	for (int k = 0; k < STATES_MAX; k++)
		periods += run.total[k].usage;
	*decisions = (double)n;
	if (kept_bytes)
		*kept_bytes = (double)(resident() - before) / (double)periods;
	run_free(&run);
	return took;
}

/* --- the figures --- */

static void against_bare(struct size *z, const struct gov_spec *spec, const char *name,
	const struct machine *m)
{
	double loop[CPUS], whole[CPUS], model[CPUS], decisions;

	for (int i = 0; i < CPUS; i++) {
		double before = bare(spec, &z->part_s[i]), after;

		loop[i] = walk(spec, &z->part_s[i], m);
		whole[i] = replay(spec, &z->part_s[i], &z->part_run0[i], 1, cpu_time, &decisions, NULL) /
			decisions;
		after = bare(spec, &z->part_s[i]);
		model[i] = (before + after) / 2;
		loop[i] = model[i] / loop[i];
		whole[i] = model[i] / whole[i];
	}
	printf("%zu %s_bare_per_s %.0f\n", z->periods, name, 1 / median(model, CPUS));
	printf("%zu %s_loop_to_bare %.3f\n", z->periods, name, median(loop, CPUS));
	printf("%zu %s_replay_to_bare %.3f\n", z->periods, name, median(whole, CPUS));
}

/* RUNS runs of every size, in turns; each figure is the median over runs and CPUs */
static void over_sizes(struct size *z, int nsizes, const struct gov_spec *spec, int runs)
{
	size_t n = (size_t)runs * CPUS;
	double *ns = xcalloc(n * (size_t)nsizes, sizeof(*ns)), *ratio = xcalloc(n, sizeof(*ratio)), d;

	for (size_t r = 0; r < n; r++)
		for (int k = 0; k < nsizes; k++) {
			const struct sojourns *s = &z[k].part_s[r % CPUS];

			ns[(size_t)k * n + r] = 1e9 / (double)s->cpu[0].n *
				replay(spec, s, &z[k].part_run0[r % CPUS], 1, cpu_time, &d, NULL);
		}
	for (int k = 0; k < nsizes; k++) {
		for (size_t r = 0; r < n; r++)
			ratio[r] = ns[(size_t)k * n + r] / ns[r];
		printf("%zu time_per_period_to_smallest %.3f\n", z[k].periods, median(ratio, n));
	}
	for (int k = 0; k < nsizes; k++)
		printf("%zu ns_per_period_and_run %.1f\n", z[k].periods, median(ns + (size_t)k * n, n));
	free(ns);
	free(ratio);
}

static void *spin(void *sum)
{
	uint64_t x = 88172645463325252ULL;

	for (int i = 0; i < 200000000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	*(uint64_t *)sum = x;
	return NULL;
}

/* wall time of the same work once, and twice at a time on two threads */
static double spins(int threads)
{
	double start = wall_time();
	uint64_t sum[2];
	pthread_t t;

	if (threads == 2 && pthread_create(&t, NULL, spin, &sum[1]))
		exit(1);
	spin(&sum[0]);
	if (threads == 2)
		pthread_join(t, NULL);
	return wall_time() - start;
}

/* the best of each: what else runs on the machine only ever adds */
static void two_threads(struct size *z, const struct gov_spec *spec)
{
	double best[2] = {1e9, 1e9}, work[2] = {1e9, 1e9}, cpu[2] = {1e9, 1e9}, d;

	for (int i = 0; i < 2 * PAIRS; i++) {
		double from = cpu_time();
		double took = replay(spec, &z->s, &z->run0, 1 + i % 2, wall_time, &d, NULL);
		double used = cpu_time() - from, spun = spins(1 + i % 2);

		cpu[i % 2] = used < cpu[i % 2] ? used : cpu[i % 2];

		best[i % 2] = took < best[i % 2] ? took : best[i % 2];
		work[i % 2] = spun < work[i % 2] ? spun : work[i % 2];
	}
	printf("%zu two_threads_speedup %.2f\n", z->periods, best[0] / best[1]);
	printf("%zu two_threads_cpu_to_one %.3f\n", z->periods, cpu[1] / cpu[0]);
	printf("%zu two_threads_of_machine %.2f\n", z->periods, 2 * work[0] / work[1]);
}

static void bytes(struct size *z, const struct gov_spec *spec)
{
	double kept, d;

	replay(spec, &z->s, &z->run0, 2, wall_time, &d, &kept);
	printf("%zu kept_bytes_per_period_and_run %.1f\n", z->periods, kept);
}

int main(int argc, char **argv)
{
	int runs = argc > 1 ? atoi(argv[1]) : 0, nsizes = argc - 2;
	struct size size[SIZES_MAX];
	struct gov_spec spec;
	struct machine m;
	struct error err;

	if (runs < 1 || nsizes < 1 || nsizes > SIZES_MAX) {
		fprintf(stderr, "usage: bench_free RUNS PERIODS...\n");
		return 2;
	}
	machine_uniform(&m, &table, CPUS);
	for (int i = 0; i < nsizes; i++)
		size_make(&size[i], &m, strtoull(argv[i + 2], NULL, 10));
	for (int g = 0; g < 2; g++) {
		if (governor_parse(&spec, g ? "teo@7.2" : "menu@6.12", "", &err))
			return 1;
		for (int i = 0; i < nsizes; i++)
			against_bare(&size[i], &spec, g ? "teo" : "menu", &m);
	}
	over_sizes(size, nsizes, &spec, runs);
	two_threads(&size[nsizes - 1], &spec);
	for (int i = 0; i < nsizes; i++)
		bytes(&size[i], &spec);
	for (int i = 0; i < nsizes; i++)
		size_free(&size[i]);
	machine_free(&m);
	return 0;
}
