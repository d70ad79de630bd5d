// SPDX-License-Identifier: GPL-2.0-or-later
/* reidle events: the events of a recording as text, all of them, in order of time. */
#include "parsers/dat_raw.h"
#include "src/output.h"
#include "src/rawevents.h"
#include "src/subcommand.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool put_line(void *to, const struct raw_line *l)
{
	return fprintf(to, "%s\n", l->text) < 0;
}

static int window_of(struct raw_window *w, const struct options *o, int64_t origin_ns, struct error *err)
{
	w->from_ns = INT64_MIN;
	w->to_ns = INT64_MAX;
	if (o->from && options_time(&w->from_ns, o->from, origin_ns, err))
		return -1;
	if (o->to && options_time(&w->to_ns, o->to, origin_ns, err))
		return -1;
	return 0;
}

/* a trace.dat: every event, rendered by the formats in the file */
static int dat_events(const struct opened *in, const struct options *o, FILE *out, struct error *err)
{
	struct parse_options opt = {.instance = o->instance, .partial = o->partial, .threads = 1};
	struct dat_raw *raw = dat_raw_open(in, &opt, NULL, 0, err);
	struct raw_window window;
	struct raw_world world;
	struct raw_sink sink = {.line = put_line, .to = out};
	bool *cpu = NULL;
	int ret = -1;

	/* once for the number of CPUs and the origin of times, once for the CPUs that are asked for */
	if (!raw || window_of(&window, o, dat_raw_origin(raw), err))
		goto out;
	if (o->cpus) {
		int ncpus = dat_raw_cpus(raw);

		cpu = options_cpus(o->cpus, ncpus, err);
		if (!cpu)
			goto out;
		dat_raw_close(raw);
		raw = dat_raw_open(in, &opt, cpu, ncpus, err);
		if (!raw)
			goto out;
	}
	dat_raw_world(raw, &world);
	dat_raw_seek(raw, window.from_ns);
	ret = rawevents_print(&world, &window, dat_raw_next, raw, &sink, err);
out:
	free(cpu);
	if (raw)
		dat_raw_close(raw);
	return ret;
}

static const char *kind_name(enum ev_kind kind)
{
	static const char *const names[EV_KINDS] = {
		[EV_IDLE] = "cpu_idle", [EV_MISS] = "cpu_idle_miss", [EV_SWITCH] = "sched_switch",
		[EV_WAKING] = "sched_waking", [EV_WAKEUP] = "sched_wakeup",
		[EV_HRTIMER_INIT] = "hrtimer_init", [EV_HRTIMER_START] = "hrtimer_start",
		[EV_HRTIMER_CANCEL] = "hrtimer_cancel", [EV_HRTIMER_EXPIRE] = "hrtimer_expire_entry",
		[EV_HRTIMER_EXPIRE_EXIT] = "hrtimer_expire_exit", [EV_TIMER_START] = "timer_start",
		[EV_TIMER_CANCEL] = "timer_cancel", [EV_TIMER_EXPIRE] = "timer_expire_entry",
		[EV_TIMER_EXPIRE_EXIT] = "timer_expire_exit", [EV_TICK_STOP] = "tick_stop",
		[EV_IRQ_ENTRY] = "irq_handler_entry", [EV_IRQ_EXIT] = "irq_handler_exit",
		[EV_SOFTIRQ_ENTRY] = "softirq_entry", [EV_SOFTIRQ_EXIT] = "softirq_exit",
		[EV_SOFTIRQ_RAISE] = "softirq_raise", [EV_IPI_RAISE] = "ipi_raise",
		[EV_IPI_ENTRY] = "ipi_entry", [EV_IPI_EXIT] = "ipi_exit", [EV_FREQUENCY] = "cpu_frequency",
		[EV_MARKER] = "print",
	};

	return names[kind] ? names[kind] : "other";
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = *(const struct event *const *)a, *y = *(const struct event *const *)b;

	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void print_event(FILE *out, const struct trace *t, const struct event *ev)
{
	const char *name = trace_name(t, ev->name);

	fprintf(out, "[%03d] %6lld.%09lld: %-20s ", ev->cpu, ev->at_ns / NSEC_PER_SEC,
		ev->at_ns % NSEC_PER_SEC, kind_name((enum ev_kind)ev->kind));
	if (ev->kind == EV_IDLE || ev->kind == EV_FREQUENCY)
		fprintf(out, "state=%" PRId64 " cpu_id=%" PRIu64 "\n", ev->a, ev->obj);
	else if (ev->kind == EV_SWITCH)
		fprintf(out, "prev_pid=%" PRId64 " next_pid=%" PRId64 " next_comm=%s\n", ev->a, ev->b, name);
	else
		fprintf(out, "obj=0x%" PRIx64 " a=%" PRId64 " b=%" PRId64 " %s\n", ev->obj, ev->a, ev->b, name);
}

static void print_window(FILE *out, const struct trace *t, const bool *cpu, const struct raw_window *w)
{
	const struct event **all = NULL;
	size_t n = 0, cap = 0;

	for (int i = 0; i < t->ncpus; i++)
		for (size_t k = 0; cpu[i] && k < t->cpu[i].nevs; k++) {
			const struct event *ev = &t->cpu[i].ev[k];

			if (ev->at_ns < w->from_ns || ev->at_ns >= w->to_ns)
				continue;
			GROW(all, n, cap);
			all[n++] = ev;
		}
	if (n)
		qsort(all, n, sizeof(*all), by_time);
	for (size_t i = 0; i < n; i++)
		print_event(out, t, all[i]);
	free(all);
}

/* text recordings: the events that were understood, by their columns; the lines are in the file itself */
static int text_events(const struct opened *in, const struct options *o, FILE *out, struct error *err)
{
	struct parse_options opt = {.want = EV_WANT_ALL, .partial = o->partial, .threads = 1};
	struct trace *t = trace_new(in->in.name, opt.want);
	struct raw_window window;
	bool *cpu = NULL;
	int ret = in->parser->parse(&in->in, &opt, t, err);

	if (!ret) {
		trace_finish(t);
		cpu = options_cpus(o->cpus, t->ncpus, err);
		ret = !cpu || window_of(&window, o, t->origin_ns, err) ? -1 : 0;
	}
	if (!ret)
		print_window(out, t, cpu, &window);
	free(cpu);
	trace_free(t);
	return ret;
}

static int print_events(const struct opened *in, const struct options *o, struct error *err)
{
	struct output out;
	int ret;

	if (output_open(&out, o->output, err))
		return -1;
	if (in->parser == &parser_dat)
		ret = dat_events(in, o, out.f, err);
	else
		ret = text_events(in, o, out.f, err);
	if (!ret)
		return output_close(&out, err);
	output_abort(&out);
	return -1;
}

static int events_main(const struct options *o, struct error *err)
{
	struct opened in;
	int ret = -1;

	if (o->files.n != 1)
		return error_set(err, EXIT_USAGE, "events takes one recording");
	if (!input_open(&in, o->files.s[0], err))
		ret = print_events(&in, o, err);
	input_close(&in);
	return ret;
}

const struct subcommand cmd_events = {
	.name = "events",
	.usage = "FILE [--from T] [--to T] [--cpus LIST]",
	.summary = "raw events as text",
	.run = events_main,
};
