// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line: order does not matter, errors say what is taken. */
#include "src/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static int parse(struct options *o, struct error *err, const char *line)
{
	static char copy[400];
	char *argv[32] = {"reidle"};
	int argc = 1;

	snprintf(copy, sizeof(copy), "%s", line);
	for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
		argv[argc++] = w;
	return options_parse(o, argc, argv, err);
}

static void any_order(void **unused)
{
	struct options o;
	struct error err;

	(void)unused;
	assert_int_equal(parse(&o, &err, "--format=json whatif -g menu,teo a.dat -j2 -g oracle --hz 250"), 0);
	assert_int_equal(o.files.n, 2);
	assert_string_equal(o.files.s[1], "a.dat");
	assert_int_equal(o.governors.n, 2);
	assert_string_equal(o.governors.s[1], "oracle");
	assert_int_equal(o.format, FORMAT_JSON);
	assert_int_equal(o.hz, 250);
	assert_int_equal(o.jobs, 2);
	assert_int_equal(o.warmup, 40);
	options_free(&o);
}

static void two_sets(void **unused)
{
	struct options o;
	struct error err;

	(void)unused;
	assert_int_equal(parse(&o, &err, "compare a b --vs c d --quiet"), 0);
	assert_int_equal(o.files.n, 3);
	assert_int_equal(o.versus.n, 2);
	options_free(&o);
	assert_int_equal(parse(&o, &err, "record -- sleep --hz"), 0);
	assert_int_equal(o.command.n, 2);
	assert_string_equal(o.command.s[1], "--hz");
	options_free(&o);
}

static void wrong(void **unused)
{
	static const char *const lines[] = {"--nope", "--hz", "--hz x", "--hz 2.5", "--hz -3",
		"--format pdf", "--quiet=yes", "-Z", "--color blue", "--latency-model x"};
	struct options o;
	struct error err;

	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(parse(&o, &err, lines[i]), -1);
		assert_int_equal(err.code, EXIT_USAGE);
		assert_true(strlen(err.text) > 10);
		options_free(&o);
	}
}

static void times(void **unused)
{
	static const struct {
		const char *text;
		int64_t ns;
	} good[] = {{"4.1472s", 1004147200000LL}, {"350us", 1000000350000LL}, {"2", 1002000000000LL},
		{"@8.247607329", 8247607329LL}, {"@8.247607329s", 8247607329LL}, {"12ms", 1000012000000LL}};
	static const char *const bad[] = {"", "s", "4.1m", "x", "1e400", "@"};
	struct error err;
	int64_t ns;

	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		assert_int_equal(options_time(&ns, good[i].text, 1000 * NSEC_PER_SEC, &err), 0);
		assert_int_equal(ns, good[i].ns);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(options_time(&ns, bad[i], 0, &err), -1);
}

static void cpus(void **unused)
{
	static const char *const bad[] = {"8", "3-1", "a", "1,,2", "-1", "1-"};
	struct error err;
	bool *map = options_cpus("0-2,7", 8, &err);

	(void)unused;
	assert_non_null(map);
	assert_true(map[0] && map[1] && map[2] && !map[3] && map[7]);
	free(map);
	map = options_cpus(NULL, 2, &err);
	assert_true(map[0] && map[1]);
	free(map);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_null(options_cpus(bad[i], 8, &err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(any_order), cmocka_unit_test(two_sets),
		cmocka_unit_test(wrong), cmocka_unit_test(times), cmocka_unit_test(cpus)};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
