// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace_diff A B [TOLERANCE_NS [INSTANCE]]: do two recordings hold the same events on every CPU? Times may
 * differ by the tolerance; columns that B's form cannot carry are passed over (0, or said to be unknown).
 * Prints one line of counts and the first differences; exit 1 when there are any.
 */
#include "parsers/parser.h"

#include <stdlib.h>
#include <string.h>

static unsigned long compared, differ;

static struct trace *read_one(const char *path, const char *instance)
{
	struct parse_options opt = {.want = EV_WANT_ALL, .threads = 1, .instance = instance};
	struct error err;
	struct trace *t = parse_file(path, &opt, &err);

	if (!t) {
		fprintf(stderr, "%s\n", err.text);
		exit(3);
	}
	return t;
}

static void show(const char *what, const struct trace *t, const struct event *e)
{
	printf("  %s cpu %d kind %d at %lld obj %llx a %lld b %lld c %lld aux %x pid %d '%s'\n", what,
		e->cpu, e->kind, (long long)e->at_ns, (unsigned long long)e->obj, (long long)e->a,
		(long long)e->b, (long long)e->c, e->aux, e->pid, trace_name(t, e->name));
}

/* what every text form carries of this kind */
static bool same(const struct trace *ta, const struct event *a, const struct trace *tb,
	const struct event *b, int64_t tolerance)
{
	const char *x = trace_name(ta, a->name), *y = trace_name(tb, b->name);

	if (a->kind != b->kind || llabs(a->at_ns - b->at_ns) > tolerance || a->cpu != b->cpu)
		return false;
	if (a->kind == EV_SOFTIRQ_ENTRY || a->kind == EV_TICK_STOP || a->kind == EV_SWITCH)
		return a->a == b->a && a->b == b->b;
	/* trace-cmd report -R prints where the mask is, not the mask */
	if (a->kind == EV_IPI_RAISE && !b->a)
		return true;
	if (a->obj != b->obj || a->a != b->a || (a->b != b->b && a->kind != EV_IPI_RAISE))
		return false;
	/* an address where kallsyms has no name; a name where it has */
	return !*x || !*y || *x == '0' || *y == '0' || !strcmp(x, y);
}

static bool elsewhere(const struct trace *ta, const struct event *a, const struct trace *tb,
	const struct cpu_trace *cb, size_t i, int64_t tolerance)
{
	/* equal times, rounded, may come in another order */
	for (size_t k = i > 8 ? i - 8 : 0; k < i + 9 && k < cb->nevs; k++)
		if (same(ta, a, tb, &cb->ev[k], tolerance))
			return true;
	return false;
}

static void compare_cpu(const struct trace *ta, const struct trace *tb, int cpu, int64_t tolerance)
{
	const struct cpu_trace *a = &ta->cpu[cpu], *b = &tb->cpu[cpu];

	if (a->nevs != b->nevs || a->nperiods != b->nperiods || a->orphan_exits != b->orphan_exits) {
		printf("  cpu %d: %zu and %zu events, %zu and %zu periods\n", cpu, a->nevs, b->nevs,
			a->nperiods, b->nperiods);
		differ++;
	}
	for (size_t i = 0; i < a->nevs && i < b->nevs; i++) {
		compared++;
		if (same(ta, &a->ev[i], tb, &b->ev[i], tolerance) ||
			elsewhere(ta, &a->ev[i], tb, b, i, tolerance))
			continue;
		if (differ++ < 5) {
			show("A", ta, &a->ev[i]);
			show("B", tb, &b->ev[i]);
		}
	}
}

int main(int argc, char **argv)
{
	struct trace *a, *b;
	int64_t tolerance = argc > 3 ? atoll(argv[3]) : 0;

	if (argc < 3) {
		fputs("usage: trace_diff A B [TOLERANCE_NS [INSTANCE]]\n", stderr);
		return 2;
	}
	a = read_one(argv[1], argc > 4 ? argv[4] : NULL);
	b = read_one(argv[2], argc > 4 ? argv[4] : NULL);
	for (int i = 0; i < a->ncpus && i < b->ncpus; i++)
		compare_cpu(a, b, i, tolerance);
	differ += a->ncpus != b->ncpus || !compared || a->lost_events != b->lost_events;
	printf("%lu events compared, %lu differ\n", compared, differ);
	trace_free(a);
	trace_free(b);
	return differ != 0;
}
