// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_screen PERIODS CPUS: a made-up recording in memory; prints how long its index takes, a frame of
 * the timeline at ten zoom levels and 200x60, and the slowest of the keys a user holds down. The times
 * are medians of 15 places in the recording, in ms of CPU time; they are what a terminal adds its own
 * share to. Ends with 1 when a bar is missed:
 *  - no frame at any zoom takes more than 5 ms;
 *  - zooms are equal: the slowest takes at most twice the fastest, where what is faster than 1 ms, a fifth
 *    of the first bar, counts as 1 ms. A window of a few periods is nearly nothing to draw, and making
 *    it slower would serve nobody.
 */
#include "views/view.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define W 200
#define H 57
#define REPEAT 15
#define FRAME_BAR_MS 5.0
#define RATIO_BAR 2.0
#define FLOOR_MS 1.0

static uint64_t seed = 88172645463325252ULL;

static uint64_t rnd(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts); /* whatever else runs on this machine */
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static struct trace *make_trace(size_t periods, int ncpus)
{
	struct trace *t = trace_new("made up", EV_WANT_IDLE);

	trace_cpus(t, ncpus);
	for (int cpu = 0; cpu < ncpus; cpu++) {
		struct event ev = {.at_ns = (int64_t)rnd(1000), .obj = (uint64_t)cpu, .kind = EV_IDLE,
			.cpu = (uint16_t)cpu};

		for (size_t i = 0; i < periods / (size_t)ncpus; i++) {
			ev.at_ns += 1000 + (int64_t)rnd(100000);
			ev.a = (int64_t)rnd(4);
			trace_add(t, &ev);
			ev.at_ns += 500 + (int64_t)rnd(rnd(2) ? 20000 : 2000000);
			ev.a = -1;
			trace_add(t, &ev);
		}
	}
	trace_finish(t);
	return t;
}

static void make_machine(struct machine *m, int ncpus)
{
	static const int64_t residency[] = {0, 2000, 20000, 600000};
	struct state_table table = {.nstates = 4, .id = "bench"};

	for (int i = 0; i < 4; i++) {
		snprintf(table.state[i].name, sizeof(table.state[i].name), "C%d", i);
		table.state[i].target_residency_ns = residency[i];
		table.state[i].exit_latency_ns = residency[i] / 4;
	}
	machine_uniform(m, &table, ncpus);
	m->source = MACHINE_TABLE;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), by_value);
	return v[n / 2];
}

struct bench {
	struct session s;
	struct canvas c;
	void *state;
};

static void draw(struct bench *b)
{
	canvas_clear(&b->c);
	timeline_view.draw(b->state, &b->s, &b->c, (struct area){0, 0, W, H});
}

/* a window of a part of the recording, each time at another place: what was just drawn is in no cache */
static double frame_ms(struct bench *b, int64_t part)
{
	int64_t from = b->s.trace->origin_ns, span = b->s.trace->end_ns - from;
	int64_t width = max64(span / part, W);
	double v[REPEAT];

	for (int i = 0; i < REPEAT; i++) {
		int64_t at = from + (span - width) / REPEAT * i;
		double t;

		session_window(&b->s, at, at + width);
		b->s.at_ns = b->s.from_ns + b->s.step_ns * 20;
		t = now_ms();
		draw(b);
		v[i] = now_ms() - t;
	}
	return median(v, REPEAT);
}

static bool bar(size_t periods, int ncpus, const char *what, double have, double most)
{
	printf("%zu\t%d\t%s\t%.3f\t<= %g: %s\n", periods, ncpus, what, have, most,
		have <= most ? "met" : "NOT MET");
	return have <= most;
}

static bool zooms(struct bench *b, size_t periods, int ncpus)
{
	static const int64_t parts[] = {1, 2, 5, 10, 20, 50, 100, 1000, 10000, 1000000};
	double lo = 1e9, hi = 0;
	bool ok;

	for (size_t z = 0; z < ARRAY_SIZE(parts); z++) {
		double ms = frame_ms(b, parts[z]);

		lo = ms < lo ? ms : lo;
		hi = ms > hi ? ms : hi;
		printf("%zu\t%d\tframe 1/%lld\t%.3f\n", periods, ncpus, (long long)parts[z], ms);
	}
	printf("%zu\t%d\tslowest / fastest zoom\t%.2f\n", periods, ncpus, hi / lo);
	ok = bar(periods, ncpus, "slowest frame", hi, FRAME_BAR_MS);
	return bar(periods, ncpus, "slowest / fastest, or 1 ms", hi / (lo > FLOOR_MS ? lo : FLOOR_MS),
		       RATIO_BAR) && ok;
}

static void keys(struct bench *b, size_t periods, int ncpus)
{
	static const enum command_id ids[] = {CMD_NEXT, CMD_NEXT_IDLE, CMD_ZOOM_IN, CMD_ZOOM_OUT, CMD_PAN_RIGHT,
		CMD_DOWN, CMD_FIT, CMD_WHOLE, CMD_PREVIOUS};
	double worst = 0;
	enum command_id which = CMD_NONE;

	for (int i = 0; i < 200; i++) {
		enum command_id id = ids[rnd(sizeof(ids) / sizeof(ids[0]))];
		double t = now_ms();

		timeline_view.command(b->state, &b->s, id, NULL);
		draw(b);
		t = now_ms() - t;
		if (t > worst) {
			worst = t;
			which = id;
		}
	}
	printf("%zu\t%d\tslowest of 200 keys (%s)\t%.3f\n", periods, ncpus, command_get(which)->name, worst);
}

int main(int argc, char **argv)
{
	size_t periods = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
	int ncpus = argc > 2 ? atoi(argv[2]) : 8;
	struct bench b = {0};
	struct timeline index;
	struct machine m;
	struct run run0;
	struct trace *t = make_trace(periods, ncpus);
	double start;
	bool ok;

	make_machine(&m, ncpus);
	run_of_recording(&run0, t, &m, 0);
	start = now_ms();
	timeline_build(&index, &run0, 0);
	printf("%zu\t%d\tindex\t%.1f\n", periods, ncpus, now_ms() - start);
	session_init(&b.s);
	session_load(&b.s, t, &m, &m, NULL, NULL, &run0, &index);
	canvas_init(&b.c, W, H, GLYPHS_UTF8);
	b.state = xcalloc(1, timeline_view.size);
	draw(&b);
	ok = zooms(&b, periods, ncpus);
	keys(&b, periods, ncpus);
	timeline_view.close(b.state);
	free(b.state);
	canvas_free(&b.c);
	session_free(&b.s);
	run_free(&run0);
	machine_free(&m);
	trace_free(t);
	return !ok;
}
