// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dump_events FILE: some kinds of events, one a line in order of time per CPU, in a form that tests compare
 * with the output of trace-cmd report: time_ns cpu event values...
 */
#include "parsers/parser.h"

#include <inttypes.h>

static void print_event(const struct trace *t, const struct event *ev)
{
	const char *name = trace_name(t, ev->name);

	printf("%" PRId64 " %d ", ev->at_ns, ev->cpu);
	switch (ev->kind) {
	case EV_IDLE:
		printf("cpu_idle state=%" PRId64 " cpu_id=%" PRIu64 "\n", ev->a, ev->obj);
		break;
	case EV_MISS:
		printf("cpu_idle_miss cpu_id=%" PRIu64 " state=%" PRId64 " below=%" PRId64 "\n", ev->obj, ev->a,
			ev->b);
		break;
	case EV_SWITCH:
		printf("sched_switch prev_pid=%" PRId64 " next_comm=%s next_pid=%" PRId64 "\n", ev->a, name,
			ev->b);
		break;
	case EV_WAKING:
		printf("sched_waking comm=%s pid=%" PRId64 " target_cpu=%" PRId64 "\n", name, ev->a, ev->b);
		break;
	case EV_HRTIMER_START:
		printf("hrtimer_start hrtimer=0x%" PRIx64 " expires=%" PRId64 " softexpires=%" PRId64 "\n",
			ev->obj, ev->a, ev->b);
		break;
	case EV_HRTIMER_EXPIRE:
		printf("hrtimer_expire_entry hrtimer=0x%" PRIx64 " now=%" PRId64 "\n", ev->obj, ev->a);
		break;
	case EV_TIMER_START:
		printf("timer_start timer=0x%" PRIx64 " expires=%" PRId64 "\n", ev->obj, ev->a);
		break;
	case EV_IRQ_ENTRY:
		printf("irq_handler_entry irq=%" PRId64 " name=%s\n", ev->a, name);
		break;
	case EV_PROBE_REFLECT:
		printf("cpuidle_reflect index=%" PRId64 " flags=%u\n", ev->a, ev->aux);
		break;
	default:
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	struct parse_options opt = {.threads = 1, .want = EV_WANT_IDLE | EV_BIT(EV_SWITCH) |
		EV_BIT(EV_WAKING) | EV_BIT(EV_HRTIMER_START) | EV_BIT(EV_HRTIMER_EXPIRE) |
		EV_BIT(EV_TIMER_START) | EV_BIT(EV_IRQ_ENTRY) | EV_BIT(EV_PROBE_REFLECT)};
	struct error err = {0};
	struct trace *t = argc == 2 ? parse_file(argv[1], &opt, &err) : NULL;

	if (!t) {
		fprintf(stderr, "%s\n", err.text);
		return EXIT_INPUT;
	}
	for (int i = 0; i < t->ncpus; i++)
		for (size_t k = 0; k < t->cpu[i].nevs; k++)
			print_event(t, &t->cpu[i].ev[k]);
	trace_free(t);
	return EXIT_FINE;
}
