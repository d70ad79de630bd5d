// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings read against the figures of an independent script, and files that cannot be read. */
#include "parsers/parser.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <glob.h>

static struct trace *read_with(const char *path, uint64_t want, int threads, struct error *err)
{
	struct parse_options opt = {.want = want, .threads = threads};

	return parse_file(path, &opt, err);
}

static uint64_t state_count(const struct cpu_trace *c, int state, int64_t *time)
{
	uint64_t n = 0;

	*time = 0;
	for (size_t i = 0; i < c->nperiods; i++)
		if (c->period[i].state == state && !(c->period[i].flags & PERIOD_CUT_END)) {
			n++;
			*time += c->period[i].exit_ns - c->period[i].enter_ns;
		}
	return n;
}

/* one row of expected figures; returns the periods that it speaks of */
static uint64_t check_row(const struct trace *t, const char *file, const char *row)
{
	unsigned long long count;
	long long time = 0;
	char kind[32], state[8];
	const struct cpu_trace *c;
	int64_t got_time;
	uint64_t got;
	int cpu, n;

	if (*row == '#' || !strncmp(row, "cpu", 3))
		return 0;
	n = sscanf(row, "%d %31s %7s %llu %lld", &cpu, kind, state, &count, &time);
	if (n < 4 || cpu >= t->ncpus)
		fail_msg("%s: cannot check: %s", file, row);
	c = &t->cpu[cpu];
	if (!strcmp(kind, "state")) {
		got = state_count(c, atoi(state), &got_time);
		if (got != count || got_time != time)
			fail_msg("%s: CPU %d state %s: %llu, %lld ns read; expected %s", file, cpu, state,
				(unsigned long long)got, (long long)got_time, row);
		return count;
	}
	if (!strcmp(kind, "orphan_exit")) {
		assert_int_equal(c->orphan_exits, count);
	} else if (!strcmp(kind, "reenter")) {
		assert_int_equal(c->reenters, count);
	} else if (!strcmp(kind, "open_tail")) {
		const struct period *last = &c->period[c->nperiods - 1];

		assert_true(last->flags & PERIOD_CUT_END);
		assert_int_equal(last->state, atoi(state));
		assert_int_equal(last->exit_ns - last->enter_ns, time);
	} else {
		fail_msg("%s: row of an unknown kind: %s", file, row);
	}
	return 0;
}

/* everything of the file is in the table, and everything in the table in the file */
static void check_file(const char *path, const char *tsv, int threads)
{
	struct error err = {0};
	struct trace *t = read_with(path, EV_WANT_IDLE, threads, &err);
	uint64_t expected = 0, got = 0;
	char row[400];
	FILE *f = fopen(tsv, "r");

	assert_non_null(f);
	if (!t)
		fail_msg("%s", err.text);
	while (fgets(row, sizeof(row), f))
		expected += check_row(t, path, row);
	fclose(f);
	for (int i = 0; i < t->ncpus; i++) {
		assert_null(t->cpu[i].ev);
		for (size_t k = 0; k < t->cpu[i].nperiods; k++)
			got += !(t->cpu[i].period[k].flags & PERIOD_CUT_END);
	}
	assert_int_equal(got, expected);
	assert_true(expected > 0);
	assert_int_equal(strlen(t->sha256), 64);
	trace_free(t);
}

static int check_all(const char *pattern, const char *expected_dir, const char *ending)
{
	glob_t files;
	int n = 0;

	if (glob(pattern, 0, NULL, &files))
		return 0;
	for (size_t i = 0; i < files.gl_pathc; i++) {
		const char *base = strrchr(files.gl_pathv[i], '/') + 1;
		char *tsv = xasprintf("%s/%.*s%s", expected_dir, (int)strlen(base) - 4, base, ending);

		if (!access(tsv, R_OK)) {
			check_file(files.gl_pathv[i], tsv, 1 + n % 3);
			n++;
		}
		free(tsv);
	}
	globfree(&files);
	return n;
}

static void samples(void **unused)
{
	(void)unused;
	assert_int_equal(check_all("samples/*.dat", "samples", ".expected.tsv"), 3);
}

static void shared(void **unused)
{
	const char *root = getenv("REIDLE_SHARED");
	char *expected = xasprintf("%s/traces/expected", root ? root : "");
	char *guest = xasprintf("%s/traces/guest/*.dat", root ? root : "");
	char *public = xasprintf("%s/traces/public/*.dat", root ? root : "");

	(void)unused;
	if (!root || access(expected, R_OK)) {
		print_message("# SKIP the recordings of $REIDLE_SHARED are not here\n");
		free(expected);
		free(guest);
		free(public);
		return;
	}
	assert_int_equal(check_all(guest, expected, ".dat.tsv"), 20);
	assert_int_equal(check_all(public, expected, ".dat.tsv"), 1);
	assert_int_equal(check_all(public, expected, ".tsv"), 2);
	free(expected);
	free(guest);
	free(public);
}

static size_t count_kind(const struct trace *t, enum ev_kind kind, const char *name)
{
	size_t n = 0;

	for (int i = 0; i < t->ncpus; i++)
		for (size_t k = 0; k < t->cpu[i].nevs; k++)
			n += t->cpu[i].ev[k].kind == kind &&
			     (!name || !strcmp(trace_name(t, t->cpu[i].ev[k].name), name));
	return n;
}

/* counts by trace-cmd report */
static void all_kinds(void **unused)
{
	struct error err = {0};
	struct trace *t = read_with("samples/skl-612-pp.dat", EV_WANT_ALL, 2, &err);

	(void)unused;
	assert_non_null(t);
	assert_string_equal(t->kernel, "6.12.117");
	assert_string_equal(t->arch, "x86_64");
	assert_string_equal(t->clock, "mono");
	assert_true(t->clock_is_ns && t->clock_global);
	assert_int_equal(count_kind(t, EV_HRTIMER_START, NULL), 9016);
	assert_int_equal(count_kind(t, EV_SWITCH, NULL), 46854);
	assert_int_equal(count_kind(t, EV_TIMER_START, NULL), 89);
	assert_int_equal(count_kind(t, EV_HRTIMER_EXPIRE, NULL), 1977);
	assert_int_equal(count_kind(t, EV_IRQ_ENTRY, NULL), 20);
	assert_int_equal(count_kind(t, EV_HRTIMER_START, "tick_nohz_handler") +
			 count_kind(t, EV_HRTIMER_EXPIRE, "tick_nohz_handler"), 10759);
	assert_int_equal(count_kind(t, EV_HRTIMER_START, "pm_suspend_timer_fn") +
			 count_kind(t, EV_HRTIMER_EXPIRE, "pm_suspend_timer_fn"), 9);
	assert_non_null(t->cmdlines);
	trace_free(t);
}

/* the first probe events of the POWER recording, as trace-cmd report prints them */
static void probes(void **unused)
{
	struct error err = {0};
	uint64_t want = EV_BIT(EV_PROBE_REFLECT) | EV_BIT(EV_PROBE_SLEEP);
	struct trace *t = read_with("samples/p9-61-truth.dat", want, 1, &err);
	const struct event *ev;

	(void)unused;
	assert_non_null(t);
	/* Debian's 6.1.0-50 is an ABI number: the stable release is not told */
	assert_string_equal(t->kernel, "6.1");
	assert_string_equal(t->arch, "ppc64le");
	assert_int_equal(count_kind(t, EV_PROBE_REFLECT, NULL), 77531);
	assert_int_equal(count_kind(t, EV_PROBE_SLEEP, NULL), 77531);
	ev = &t->cpu[0].ev[0];
	assert_int_equal(ev->kind, EV_PROBE_REFLECT);
	assert_int_equal((ev->at_ns + 500) / 1000, 2751928);
	assert_int_equal(ev->a, 1);
	assert_int_equal(ev->b, 997168);
	assert_int_equal(ev->aux, 7);
	for (ev = t->cpu[1].ev; ev->kind != EV_PROBE_SLEEP;)
		ev++;
	assert_int_equal(ev->a, 3964643);
	assert_true(ev->b == INT64_MIN);
	trace_free(t);
}

static bool same_event(const struct trace *a, const struct event *x, const struct trace *b,
	const struct event *y)
{
	struct event ours = *x, theirs = *y;

	ours.name = theirs.name = 0;
	return !memcmp(&ours, &theirs, sizeof(ours)) && x->name == y->name &&
	       !strcmp(trace_name(a, x->name), trace_name(b, y->name));
}

/* whatever the number of threads: the same events in the same order, the same numbers for names */
static void threads_change_nothing(void **unused)
{
	struct error err = {0};
	struct trace *one = read_with("samples/skl-612-pp.dat", EV_WANT_ALL, 1, &err);

	(void)unused;
	assert_non_null(one);
	for (int threads = 2; threads < 8; threads += 2) {
		struct trace *many = read_with("samples/skl-612-pp.dat", EV_WANT_ALL, threads, &err);

		assert_non_null(many);
		assert_int_equal(many->nnames, one->nnames);
		for (int i = 0; i < one->ncpus; i++) {
			assert_int_equal(many->cpu[i].nevs, one->cpu[i].nevs);
			assert_int_equal(many->cpu[i].nperiods, one->cpu[i].nperiods);
			for (size_t k = 0; k < one->cpu[i].nevs; k++)
				if (!same_event(one, &one->cpu[i].ev[k], many, &many->cpu[i].ev[k]))
					fail_msg("%d threads: CPU %d, event %zu", threads, i, k);
		}
		trace_free(many);
	}
	trace_free(one);
}

struct asked {
	int times, stop_at;
	double last;
};

static bool ask(void *ctx, double fraction)
{
	struct asked *a = ctx;

	assert_true(fraction >= a->last && fraction <= 1);
	a->last = fraction;
	return ++a->times == a->stop_at;
}

static void progress_and_cancel(void **unused)
{
	struct asked asked = {.stop_at = -1};
	struct parse_options opt = {.want = EV_WANT_IDLE, .threads = 1, .progress = ask, .ctx = &asked};
	struct error err = {0};
	struct trace *t = parse_file("samples/skl-612-pp.dat", &opt, &err);

	(void)unused;
	assert_non_null(t);
	trace_free(t);
	assert_true(asked.times > 10);
	assert_true(asked.last > 0.95);
	asked = (struct asked){.stop_at = 5};
	assert_null(parse_file("samples/skl-612-pp.dat", &opt, &err));
	assert_int_equal(asked.times, 5);
	assert_non_null(strstr(err.text, "stopped"));
}

/* names of tasks come from sched_switch, and from the recorder's own list where that says nothing */
static void task_names(void **unused)
{
	struct error err = {0};
	struct trace *t = read_with("samples/skl-612-pp.dat", EV_WANT_IDLE | EV_BIT(EV_SWITCH), 1, &err);

	(void)unused;
	assert_non_null(t);
	assert_string_equal(trace_comm(t, 38), "migration/3");
	assert_string_equal(trace_comm(t, 123456), "");
	for (int i = 0; i < t->ncpus; i++)
		t->cpu[i].nevs = 0;
	assert_string_equal(trace_comm(t, 38), "migration/3");
	assert_string_equal(trace_comm(t, 3), "");
	trace_free(t);
}

/* a file of the first n bytes of the sample, with the byte at `at` (if any) changed to `byte` */
static char *mutilated(size_t n, size_t at, int byte)
{
	static const char sample[] = "samples/p9-61-w100.dat";
	char *path = xstrdup("/tmp/reidle-test-XXXXXX"), *bytes = xcalloc(n + 1, 1);
	FILE *in = fopen(sample, "r");
	int fd = mkstemp(path);

	assert_non_null(in);
	assert_true(fd >= 0);
	assert_int_equal(fread(bytes, 1, n, in), n);
	if (at < n)
		bytes[at] = (char)byte;
	assert_int_equal(write(fd, bytes, n), (ssize_t)n);
	close(fd);
	fclose(in);
	free(bytes);
	return path;
}

static void refused(size_t n, size_t at, int byte, const char *words)
{
	char *path = mutilated(n, at, byte);
	struct error err = {0};
	struct trace *t = read_with(path, EV_WANT_IDLE, 1, &err);

	assert_null(t);
	assert_int_equal(err.code, EXIT_INPUT);
	assert_null(strchr(err.text, '\n'));
	if (!strstr(err.text, path) || !strstr(err.text, words))
		fail_msg("\"%s\" should name the file and say \"%s\"", err.text, words);
	unlink(path);
	free(path);
}

static void damage(void **unused)
{
	(void)unused;
	refused(0, 1, 0, "is empty");
	refused(4, 9, 0, "of no format known");
	refused(11, 99, 0, "byte 10");
	refused(13, 99, 0, "cut");
	refused(500000, SIZE_MAX, 0, "past the end of the file");
	refused(984000, SIZE_MAX, 0, "past the end of the file");
	refused(984356, 0, 'x', "of no format known");
	refused(984356, 10, '8', "version \"8\"");
	refused(984356, 12, 2, "byte order 2");
	refused(984356, 18, 'q', "compressed with \"qstd\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples), cmocka_unit_test(shared), cmocka_unit_test(all_kinds),
		cmocka_unit_test(probes), cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(progress_and_cancel), cmocka_unit_test(task_names),
		cmocka_unit_test(damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
