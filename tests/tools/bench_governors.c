// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_governors MODEL FILE.c|OBJECT.so...: decisions per second of a model, of the kernel's own
 * object called bare, and of the same object as a contained plug-in, in turn on the same inputs.
 * Best of several rounds.
 */
#include "replay/governor.h"
#include "replay/reidle-governor.h"
#include "src/govbuild.h"
#include "src/util.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INPUTS 65536
#define ROUNDS 41
#define PASSES 2

struct bench {
	struct gov_input in[INPUTS];
	struct reidle_input bare_in[INPUTS];
	struct gov_outcome out[INPUTS];
	struct reidle_outcome bare_out[INPUTS];
};

/* the Skylake client of the recordings */
static const struct state_table table = {
	.nstates = 9,
	.state =
		{
			{.name = "POLL", .polling = true},
			{.name = "C1", .exit_latency_ns = 2000, .target_residency_ns = 2000},
			{.name = "C1E", .exit_latency_ns = 10000, .target_residency_ns = 20000},
			{.name = "C3", .exit_latency_ns = 70000, .target_residency_ns = 100000},
			{.name = "C6", .exit_latency_ns = 85000, .target_residency_ns = 200000},
			{.name = "C7s", .exit_latency_ns = 124000, .target_residency_ns = 800000},
			{.name = "C8", .exit_latency_ns = 200000, .target_residency_ns = 800000},
			{.name = "C9", .exit_latency_ns = 480000, .target_residency_ns = 5000000},
			{.name = "C10", .exit_latency_ns = 890000, .target_residency_ns = 5000000},
		},
};

static const struct gov_machine machine = {&table, 250, 4000000, 0};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* wake-ups of mixed lengths under timers of mixed distances, one tick in eight, one stopped in
 * eight */
static void make_inputs(struct bench *b)
{
	uint64_t r = 1;

	for (int i = 0; i < INPUTS; i++) {
		struct gov_input *in = &b->in[i];
		struct gov_outcome *out = &b->out[i];

		r = r * 6364136223846793005ULL + 1442695040888963407ULL;
		in->now_ns = i * 10000000LL;
		in->limit_ns = LATENCY_ANY;
		in->sleep_ns = 1000LL << (r >> 60);
		in->tick_delta_ns = min64(in->sleep_ns, (int64_t)(r >> 33) % 4000000);
		in->tick_stopped = !((r >> 20) & 7);
		out->residency_ns = (1000LL << ((r >> 50) % 14)) + (int64_t)((r >> 30) & 1023);
		out->got_tick = !((r >> 24) & 7);
		out->now_ns = in->now_ns + out->residency_ns;
		b->bare_in[i] = (struct reidle_input){.now_ns = in->now_ns,
			.limit_ns = in->limit_ns,
			.sleep_ns = in->sleep_ns,
			.tick_delta_ns = in->tick_delta_ns,
			.tick_stopped = in->tick_stopped};
		b->bare_out[i] = (struct reidle_outcome){.residency_ns = out->residency_ns,
			.got_tick = out->got_tick,
			.now_ns = out->now_ns};
	}
}

static double run_model(struct bench *b, const struct gov_spec *s, uint64_t *sum)
{
	void *cpu = xcalloc(1, s->gov->cpu_size);
	double t;

	s->gov->init(cpu, &machine, s);
	t = now();
	for (int pass = 0; pass < PASSES; pass++) {
		for (int i = 0; i < INPUTS; i++) {
			struct gov_choice c = s->gov->select(cpu, &b->in[i], -1);

			b->out[i].entered = c.state;
			*sum += (uint64_t)c.state * 2 + c.stop_tick;
			s->gov->reflect(cpu, &b->out[i]);
		}
	}
	t = now() - t;
	free(cpu);
	return t;
}

static double run_bare(struct bench *b, const struct reidle_governor *g, uint64_t *sum)
{
	void *cpu = xcalloc(1, g->cpu_size);
	struct reidle_machine m = {
		.hz = machine.hz, .tick_ns = machine.tick_ns, .nstates = (uint32_t)table.nstates};
	double t;

	for (int i = 0; i < table.nstates; i++) {
		m.state[i].exit_latency_ns = table.state[i].exit_latency_ns;
		m.state[i].target_residency_ns = table.state[i].target_residency_ns;
		m.state[i].flags = table.state[i].polling;
	}
	if (g->init(cpu, &m))
		abort();
	t = now();
	for (int pass = 0; pass < PASSES; pass++) {
		for (int i = 0; i < INPUTS; i++) {
			struct reidle_choice c = {.stop_tick = 1};

			g->select(cpu, &b->bare_in[i], &c);
			b->bare_out[i].entered = c.state;
			*sum += (uint64_t)c.state * 2 + (c.stop_tick != 0);
			g->reflect(cpu, &b->bare_out[i]);
		}
	}
	t = now() - t;
	free(cpu);
	return t;
}

static const struct reidle_governor *bare(const char *source, struct error *err)
{
	struct govbuild g = {.source = source};
	char *path = govbuild_cached(&g, err);
	void *dl = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	const struct reidle_governor *(*entry)(void);

	free(path);
	if (!dl)
		return NULL;
	*(void **)&entry = dlsym(dl, "reidle_governor");
	return entry ? entry() : NULL;
}

static int compare(struct bench *b, const char *model, const char *source)
{
	const double n = (double)INPUTS * PASSES / 1e6;
	double best[3] = {1e9, 1e9, 1e9};
	uint64_t sum[3] = {0};
	struct gov_spec m, p;
	struct error err = {.text = "cannot be loaded"};
	const struct reidle_governor *g = bare(source, &err);

	if (!g || governor_parse(&m, model, "", &err) || governor_parse(&p, source, "", &err)) {
		fprintf(stderr, "%s: %s\n", source, err.text);
		return 2;
	}
	for (int i = 0; i < ROUNDS; i++) {
		double t[3] = {run_model(b, &m, &sum[0]), run_bare(b, g, &sum[1]),
			run_model(b, &p, &sum[2])};

		for (int k = 0; k < 3; k++)
			best[k] = t[k] < best[k] ? t[k] : best[k];
	}
	printf("%-24s %6.1f %6.1f %6.1f   %5.2f %5.2f%s\n", m.label, n / best[0], n / best[1],
		n / best[2], best[1] / best[0], best[2] / best[1],
		sum[0] != sum[1] || sum[1] != sum[2] ? "  CHOICES DIFFER" : "");
	return sum[0] != sum[1] || sum[1] != sum[2];
}

int main(int argc, char **argv)
{
	struct bench *b = xcalloc(1, sizeof(*b));
	int bad = 0;

	if (argc < 3 || argc % 2 == 0) {
		fprintf(stderr, "bench_governors MODEL FILE.c [MODEL FILE.c]...\n");
		return 2;
	}
	make_inputs(b);
	printf("million decisions/s       model object plugin   model/object  plugin time/object "
	       "time\n");
	for (int i = 1; i + 1 < argc; i += 2)
		bad |= compare(b, argv[i], argv[i + 1]);
	free(b);
	return bad;
}
