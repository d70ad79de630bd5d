// SPDX-License-Identifier: GPL-2.0-or-later
/* The beginning of a big recording, as a first look reads it, against the whole of it. */
#include "parsers/parser.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define HEAD (1U << 20)

static struct trace *read_of(const char *path, uint64_t head)
{
	struct parse_options opt = {.want = EV_WANT_IDLE | EV_BIT(EV_SWITCH), .threads = 2, .head = head};
	struct error err;
	struct trace *t = parse_file(path, &opt, &err);

	if (!t)
		fail_msg("%s", err.text);
	return t;
}

static bool same(const struct period *a, const struct period *b)
{
	return a->enter_ns == b->enter_ns && a->exit_ns == b->exit_ns && a->state == b->state;
}

/* every CPU's periods are the first ones of the whole, and none is missing before its end or its hole */
static void check_cpu(const struct trace *part, const struct trace *whole, int cpu)
{
	const struct cpu_trace *p = &part->cpu[cpu], *w = &whole->cpu[cpu];
	int64_t until = p->nholes ? p->hole[p->nholes - 1].from_ns : part->end_ns;
	size_t n = p->nperiods;

	if (n && (p->period[n - 1].flags & PERIOD_CUT_END)) {
		n--;
		assert_int_equal(p->period[n].exit_ns, part->end_ns);
		assert_int_equal(p->period[n].enter_ns, w->period[n].enter_ns);
	}
	assert_true(n <= w->nperiods);
	for (size_t i = 0; i < n; i++)
		assert_true(same(&p->period[i], &w->period[i]));
	assert_true(n == w->nperiods || w->period[n].exit_ns >= until);
	for (size_t i = 0; i < p->nevs; i++)
		assert_true(p->ev[i].at_ns <= part->end_ns);
	assert_true(!p->nholes || p->hole[p->nholes - 1].to_ns == part->end_ns);
}

static void check(const char *path)
{
	struct trace *whole = read_of(path, 0), *part = read_of(path, HEAD);
	size_t n = 0, all = 0;

	assert_false(whole->cut_short);
	assert_true(part->cut_short);
	assert_int_equal(part->ncpus, whole->ncpus);
	assert_int_equal(part->origin_ns, whole->origin_ns);
	assert_true(part->end_ns < whole->end_ns);
	for (int cpu = 0; cpu < whole->ncpus; cpu++) {
		check_cpu(part, whole, cpu);
		n += part->cpu[cpu].nperiods;
		all += whole->cpu[cpu].nperiods;
	}
	assert_true(n > all / 100 && n < all / 2);
	trace_free(part);
	trace_free(whole);
}

static void check_made(const char *settings)
{
	const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
	char *path = xasprintf("%s/head.dat", build);
	char *command = xasprintf("%s/tools/gen_dat %s %s >/dev/null 2>&1", build, path, settings);

	if (system(command))
		fail_msg("%s failed", command);
	check(path);
	remove(path);
	free(command);
	free(path);
}

static void plain(void **state)
{
	(void)state;
	check_made("300000 4 seed=3");
	check_made("300000 4 seed=4 version=7");
}

static void packed(void **state)
{
	(void)state;
	check_made("600000 4 seed=5 version=7 codec=zstd");
}

/* what is little is read whole */
static void small(void **state)
{
	struct trace *part = read_of("samples/skl-612-pp.dat", 64 << 20);
	struct trace *whole = read_of("samples/skl-612-pp.dat", 0);

	(void)state;
	assert_false(part->cut_short);
	assert_int_equal(part->end_ns, whole->end_ns);
	assert_int_equal(part->cpu[0].nperiods, whole->cpu[0].nperiods);
	trace_free(part);
	trace_free(whole);
}

#define LINES 120000

/* some megabytes of text; of it the first four are read */
static void text(void **state)
{
	const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
	char *path = xasprintf("%s/head.txt", build);
	FILE *f = fopen(path, "w");
	struct trace *part, *whole;

	(void)state;
	assert_non_null(f);
	fprintf(f, "cpus=2\n");
	for (int i = 0; i < LINES; i++)
		fprintf(f, "          <idle>-0     [%03d] %6d.%06d: cpu_idle:             state=%u cpu_id=%d\n",
			i / 2 % 2, 1000 + i / 10000, i % 10000 * 100, i % 2 ? 4294967295U : 1U, i / 2 % 2);
	fclose(f);
	whole = read_of(path, 0);
	part = read_of(path, HEAD);
	assert_true(part->cut_short);
	assert_int_equal(part->origin_ns, whole->origin_ns);
	assert_true(part->cpu[0].nperiods > 1000 && part->cpu[0].nperiods < whole->cpu[0].nperiods);
	for (int cpu = 0; cpu < 2; cpu++)
		check_cpu(part, whole, cpu);
	trace_free(part);
	trace_free(whole);
	remove(path);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain),
		cmocka_unit_test(packed),
		cmocka_unit_test(small),
		cmocka_unit_test(text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
