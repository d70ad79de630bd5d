// SPDX-License-Identifier: GPL-2.0-or-later
/* Plug-ins: the example, a kernel-style file built on the fly, and every way of going wrong. */
#include "replay/governor.h"
#include "src/govbuild.h"
#include "src/util.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/reidle-plugin.XXXXXX";

static const struct state_table three = {
	.nstates = 3,
	.state =
		{
			{.name = "POLL", .polling = true},
			{.name = "C1", .exit_latency_ns = 2000, .target_residency_ns = 2000},
			{.name = "C6", .exit_latency_ns = 85000, .target_residency_ns = 200000},
		},
};

struct drive {
	struct gov_spec spec;
	struct gov_machine m;
	void *cpu;
};

static void shell(const char *command)
{
	if (system(command))
		fail_msg("%s failed", command);
}

static char *build(const char *source, const char *name, const char *define)
{
	char *so = xasprintf("%s/%s.so", folder, name);
	char *cmd = xasprintf("cc -O1 -fPIC -shared -Ireplay %s -o %s %s", define, so, source);

	shell(cmd);
	free(cmd);
	return so;
}

static void start(struct drive *d, const char *text)
{
	struct error err;

	if (governor_parse(&d->spec, text, "", &err))
		fail_msg("%s", err.text);
	d->m = (struct gov_machine){&three, 250, tick_ns(250), 2};
	d->cpu = xcalloc(1, d->spec.gov->cpu_size);
	d->spec.gov->init(d->cpu, &d->m, &d->spec);
}

static struct gov_choice step(struct drive *d, int64_t sleep_ns, int64_t residency_ns)
{
	struct gov_input in = {
		.limit_ns = LATENCY_ANY, .sleep_ns = sleep_ns, .tick_delta_ns = sleep_ns};
	struct gov_choice c = d->spec.gov->select(d->cpu, &in, -1);
	struct gov_outcome out = {
		.entered = c.state, .residency_ns = residency_ns, .got_tick = true};

	d->spec.gov->reflect(d->cpu, &out);
	return c;
}

static void expect_failure(const char *how, const char *says)
{
	char *define = xasprintf("-DHOW=%s", how), *so = build("tests/plugins/bad.c", how, define);
	struct drive d;
	struct error err = {0};

	start(&d, so);
	for (int i = 0; i < 20; i++) {
		struct gov_choice c = step(&d, 1000000, 1000);

		assert_in_range(c.state, 0, 2);
	}
	if (!governor_failure(&d.spec, &err))
		fail_msg("%s was not noticed", how);
	if (!strstr(err.text, says) || !strstr(err.text, "CPU 2") || !strstr(err.text, so) ||
		!strstr(err.text, strcmp(how, "REFUSE") ? "decision 10" : "decision 0"))
		fail_msg("[%s] does not say [%s], plug-in, CPU 2 and decision", err.text, says);
	free(d.cpu);
	free(so);
	free(define);
}

static void test_contained(void **state)
{
	(void)state;
	expect_failure("CRASH", "segmentation fault");
	expect_failure("DIVIDE", "division by zero");
	expect_failure("LOOP", "endless loop");
	expect_failure("RECURSE", "crashed");
	expect_failure("ABORT", "aborted");
	expect_failure("NONSENSE", "chose state 17 of 3");
	expect_failure("NEGATIVE", "chose state -1 of 3");
	expect_failure("OVERRUN", "wrote past its memory");
	expect_failure("REFLECT", "in reflect()");
	expect_failure("REFUSE", "refused this machine");
}

/* one that failed does not touch another one */
static void test_others_live(void **state)
{
	char *bad = build("tests/plugins/bad.c", "CRASH", "-DHOW=CRASH");
	char *good = build("doc/governor-example.c", "average", "");
	struct drive a, b;

	(void)state;
	start(&a, bad);
	start(&b, good);
	for (int i = 0; i < 100; i++) {
		step(&a, 1000000, 300000);
		step(&b, 1000000, 300000);
	}
	assert_int_equal(governor_failure(&a.spec, NULL), -1);
	assert_int_equal(governor_failure(&b.spec, NULL), 0);
	assert_int_equal(step(&b, 1000000, 300000).state, 2);
	free(a.cpu);
	free(b.cpu);
	free(bad);
	free(good);
}

static void test_example(void **state)
{
	char *so = build("doc/governor-example.c", "average2", "");
	char *half = xasprintf("%s:percent=50", so);
	struct drive d;

	(void)state;
	start(&d, half);
	assert_string_equal(d.spec.gov->name, "average");
	assert_non_null(strstr(d.spec.label, "percent=50"));
	for (int i = 0; i < 200; i++)
		step(&d, 1000000, 300000);
	/* half of 300 us is below the 200 us of C6 */
	assert_int_equal(step(&d, 1000000, 300000).state, 1);
	free(d.cpu);
	free(so);
	free(half);
}

static void expect_error(const char *text, const char *part)
{
	struct gov_spec s;
	struct error err = {0};

	assert_int_equal(governor_parse(&s, text, "", &err), -1);
	if (!strstr(err.text, part))
		fail_msg("[%s] does not say [%s]", err.text, part);
}

static void test_refused(void **state)
{
	char *old = build("tests/plugins/bad.c", "old", "-DHOW=OLD_ABI");
	char *text = xasprintf("%s:speed=1", old);

	(void)state;
	expect_error(old, "made for interface 0");
	expect_error("./no-such.so", "./no-such.so: cannot be loaded");
	expect_error("./no-such.c", "No such file");
	free(old);
	old = build("doc/governor-example.c", "average3", "");
	free(text);
	text = xasprintf("%s:speed=1", old);
	expect_error(text, "has no parameter speed: percent");
	free(old);
	free(text);
}

/* a kernel-style file: built, cached by content, rebuilt when it changes */
static void test_kernel_file(void **state)
{
	char *copy = xasprintf("%s/toy.c", folder), *cmd;
	struct drive d;

	(void)state;
	cmd = xasprintf("cp tests/plugins/toy.c %s", copy);
	shell(cmd);
	free(cmd);
	start(&d, copy);
	assert_string_equal(d.spec.gov->name, "toy");
	assert_int_equal(step(&d, 1000000, 1).state, 2);
	assert_int_equal(step(&d, 10000, 1).state, 1);
	assert_true(step(&d, 10000, 1).read & GOV_READ_SLEEP);
	assert_true(step(&d, 5000000, 1).stop_tick);
	free(d.cpu);
	/* one line patched */
	cmd = xasprintf("sed -i 's/int best = 0;/return 0; int best = 0;/' %s", copy);
	shell(cmd);
	free(cmd);
	start(&d, copy);
	assert_int_equal(step(&d, 1000000, 1).state, 0);
	free(d.cpu);
	cmd = xasprintf("test $(ls %s/reidle/governors/*.so | wc -l) = 2", folder);
	shell(cmd);
	free(cmd);
	free(copy);
}

static void test_missing_names(void **state)
{
	const char *include[] = {"/dev/null"};
	struct govbuild b = {.source = "tests/plugins/toy.c", .include = include, .nincludes = 1};
	char *out = xasprintf("%s/missing.so", folder), *h = xasprintf("%s/missing.h", folder),
	     *cmd;
	struct error err = {0};

	(void)state;
	cmd = xasprintf("echo '#define TOY_MISSING 1' > %s", h);
	shell(cmd);
	free(cmd);
	include[0] = h;
	assert_int_equal(govbuild(&b, out, &err), -1);
	assert_non_null(strstr(err.text, "kernel_function_that_is_not_there"));
	assert_non_null(strstr(err.text, "--include FILE"));
	assert_int_not_equal(access(out, F_OK), 0);
	/* the remedy that it names works */
	cmd = xasprintf("echo '#define kernel_function_that_is_not_there(x) (x)' >> %s", h);
	shell(cmd);
	free(cmd);
	assert_int_equal(govbuild(&b, out, &err), 0);
	assert_int_equal(access(out, R_OK), 0);
	free(out);
	free(h);
}

static int set_up(void **state)
{
	(void)state;
	return !mkdtemp(folder) || setenv("XDG_CACHE_HOME", folder, 1);
}

static int tear_down(void **state)
{
	char *cmd = xasprintf("rm -r %s", folder);

	(void)state;
	shell(cmd);
	free(cmd);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contained),
		cmocka_unit_test(test_others_live),
		cmocka_unit_test(test_example),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_kernel_file),
		cmocka_unit_test(test_missing_names),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
