// SPDX-License-Identifier: GPL-2.0-or-later
/* Names, versions, presets and parameters of governors; the references; order of the models' bits.
 */
#include "replay/governor.h"
#include "replay/preset.h"
#include "src/util.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct gov_spec parsed(const char *text, const char *kernel)
{
	struct gov_spec s;
	struct error err = {0};

	if (governor_parse(&s, text, kernel, &err))
		fail_msg("%s: %s", text, err.text);
	return s;
}

static void expect_label(const char *text, const char *label)
{
	assert_string_equal(parsed(text, "").label, label);
}

static void test_labels(void **state)
{
	(void)state;
	expect_label("menu@6.12", "menu@6.12.117 (M5+)");
	expect_label("menu@6.12.0", "menu@6.12.0 (M5)");
	expect_label("menu@6.12.117", "menu@6.12.117 (M5+)");
	expect_label("menu@6.1", "menu@6.1.176 (M4+)");
	expect_label("menu@7.2", "menu@7.2.13 (M12)");
	expect_label("menu@6.6", "menu@6.6.0 (M5)");
	expect_label("teo@6.12", "teo@6.12.117 (T5+)");
	expect_label("teo@6.4", "teo@6.4.0 (T3u)");
	expect_label("teo@7.2", "teo@7.2.13 (T9)");
	expect_label("oracle", "oracle");
	expect_label("fixed:state=1", "fixed state=1");
	expect_label("menu@6.12:poll_override=off:stopped_fix=safe_timer",
		"menu@6.12.117 (M5+) poll_override=off stopped_fix=safe_timer");
	/* the preset's own value is no change */
	expect_label("menu@6.12:detector=old", "menu@6.12.117 (M5+)");
}

static void expect_param(const char *text, const char *name, const char *value)
{
	struct gov_spec s = parsed(text, "");
	char buf[64];

	assert_string_equal(
		governor_value_text(&s, governor_param(s.gov, name), buf, sizeof(buf)), value);
}

/* what stable releases took over, and when */
static void test_stable_series(void **state)
{
	(void)state;
	expect_param("menu@6.12.30", "detector", "old");
	expect_param("menu@6.12.31", "detector", "old_max");
	expect_param("menu@6.12.56", "detector", "old");
	expect_param("menu@6.12.42", "reject_sample", "off");
	expect_param("menu@6.12.43", "reject_sample", "on");
	expect_param("menu@6.12.43", "iowait", "on");
	expect_param("menu@6.12.44", "iowait", "off");
	expect_param("menu@6.12.74", "sleep_length", "threshold");
	expect_param("menu@6.12.117", "sleep_length", "threshold_or_stopped");
	expect_param("menu@6.12.117", "stopped_fix", "next_timer");
	expect_param("menu@7.2.13", "stopped_fix", "safe_timer");
	expect_param("menu@6.1.140", "detector", "old");
	expect_param("menu@6.1.141", "detector", "old_max");
	expect_param("menu@6.1.157", "reject_sample", "on");
	expect_param("menu@6.1.158", "detector", "old");
	expect_param("menu@5.10.240", "reject_sample", "off");
	expect_param("menu@5.10.262", "reject_sample", "on");
	expect_param("menu@6.12.75", "sleep_length", "threshold_or_stopped");
	expect_param("teo@6.12.63", "sleep_guard", "on");
	expect_param("teo@6.12.64", "sleep_guard", "off");
	expect_param("teo@6.14", "tick_metric", "tick_intercepts_inverted");
}

static void expect_error(const char *text, const char *part)
{
	struct gov_spec s;
	struct error err = {0};

	assert_int_equal(governor_parse(&s, text, "", &err), -1);
	assert_int_equal(err.code, EXIT_USAGE);
	if (!strstr(err.text, part))
		fail_msg("%s: [%s] does not say \"%s\"", text, err.text, part);
}

static void test_errors_name_what_is_known(void **state)
{
	(void)state;
	expect_error("mneu", "menu, teo, ladder");
	expect_error("menu@9.9", "-g ./menu.c");
	expect_error("menu@3.0", "older than");
	expect_error("menu@six", "a version is");
	expect_error("menu@6.12:poll=off", "poll_override");
	expect_error("menu@6.12:poll_override=maybe", "off, qos, predicted, threshold");
	expect_error("menu@6.12:decay=1", "2..64");
	expect_error("menu@6.12:decay=2.5", "whole");
	expect_error("menu@6.12:decay", "PARAM=VALUE");
	expect_error("oracle@6.12", "no kernel has it");
	expect_error("fixed", "fixed:state=1");
}

static void test_kernel_strings(void **state)
{
	struct gov_spec s;

	(void)state;
	s = parsed("menu", "6.12.117");
	assert_string_equal(s.label, "menu@6.12.117 (M5+)");
	assert_non_null(strstr(s.confidence, "high"));
	s = parsed("menu", "Linux a 6.1.0-28-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1 "
			   "(2024-11-22) x86_64");
	assert_string_equal(s.version, "6.1.119");
	s = parsed("menu", "6.1.0-28-amd64");
	assert_string_equal(s.version, "6.1.176");
	assert_non_null(strstr(s.confidence, "fair"));
	s = parsed("teo", "5.14.0-427.el9.x86_64");
	assert_non_null(strstr(s.confidence, "RHEL"));
	s = parsed("teo", "6.6.30-android15-8");
	assert_non_null(strstr(s.confidence, "Android"));
	s = parsed("menu", "6.8.0-45-generic");
	assert_string_equal(s.version, "6.8.0");
	s = parsed("menu", "");
	assert_non_null(strstr(s.confidence, "does not say"));
	s = parsed("menu", "8.1.0");
	assert_non_null(strstr(s.confidence, "outside"));
}

static void test_list(void **state)
{
	struct gov_spec s[4];
	struct error err = {0};
	bool recorded = false;

	(void)state;
	assert_int_equal(
		governor_parse_list(s, 4, "recorded,menu@6.1,oracle", "", &recorded, &err), 2);
	assert_true(recorded);
	assert_string_equal(s[1].label, "oracle");
	assert_int_equal(governor_parse_list(s, 1, "menu,teo", "", &recorded, &err), -1);
	assert_int_equal(governor_parse_list(s, 4, "menu,nix", "", &recorded, &err), -1);
}

/* every row parses, and every release that was read says so */
static void test_all_presets(void **state)
{
	(void)state;
	for (int g = 0; governor_list[g]; g++) {
		const struct preset_family *f = preset_family(governor_list[g]);

		for (int i = 0; f && i < f->nrows; i++) {
			char text[64];

			snprintf(text, sizeof(text), "%s@%s%s", governor_list[g]->name,
				f->row[i].version, f->row[i].model ? ".0" : "");
			assert_true(parsed(text, "").checked[0] != '\0');
		}
	}
	assert_non_null(strstr(parsed("teo@6.12", "").checked, "check-kernel"));
	assert_null(strstr(parsed("teo@6.12.1", "").checked, "check-kernel"));
}

static const struct state_table three = {
	.nstates = 3,
	.state =
		{
			{.name = "POLL", .polling = true},
			{.name = "C1", .exit_latency_ns = 2000, .target_residency_ns = 2000},
			{.name = "C6", .exit_latency_ns = 85000, .target_residency_ns = 200000},
		},
};

static struct gov_choice ask(
	const char *text, int64_t sleep, int64_t limit, uint32_t off, int64_t truth)
{
	struct gov_spec s = parsed(text, "");
	struct gov_machine m = {&three, 250, tick_ns(250), 0};
	void *cpu = xcalloc(1, s.gov->cpu_size);
	struct gov_input in = {
		.limit_ns = limit, .sleep_ns = sleep, .tick_delta_ns = 1000000, .disabled = off};
	struct gov_choice c;

	s.gov->init(cpu, &m, &s);
	c = s.gov->select(cpu, &in, truth);
	free(cpu);
	return c;
}

static void test_references(void **state)
{
	(void)state;
	assert_int_equal(ask("oracle", 0, LATENCY_ANY, 0, 199999).state, 1);
	assert_int_equal(ask("oracle", 0, LATENCY_ANY, 0, 200000).state, 2);
	assert_int_equal(ask("oracle", 0, 50000, 0, 200000).state, 1);
	assert_int_equal(ask("oracle", 0, LATENCY_ANY, 4, 200000).state, 1);
	assert_int_equal(ask("oracle", 0, LATENCY_ANY, 7, 200000).state, 0);
	assert_false(ask("oracle", 0, LATENCY_ANY, 0, 300000).stop_tick);
	assert_true(ask("oracle", 0, LATENCY_ANY, 0, 5000000).stop_tick);
	assert_int_equal(ask("shallowest", 0, LATENCY_ANY, 1, -1).state, 1);
	assert_false(ask("shallowest", 1000000000, LATENCY_ANY, 1, -1).stop_tick);
	assert_int_equal(ask("deepest", 0, LATENCY_ANY, 0, -1).state, 2);
	assert_int_equal(ask("deepest", 0, 3000, 0, -1).state, 1);
	assert_int_equal(ask("fixed:state=1", 0, LATENCY_ANY, 0, -1).state, 1);
	assert_int_equal(ask("fixed:state=9", 0, LATENCY_ANY, 0, -1).state, 2);
	assert_int_equal(ask("fixed:state=1", 0, LATENCY_ANY, 2, -1).state, 0);
}

/* which generation asks for the sleep length at a first idle entry with a far timer */
static void test_reads(void **state)
{
	(void)state;
	assert_true(ask("menu@6.1", 5000000, LATENCY_ANY, 0, -1).read & GOV_READ_SLEEP);
	assert_true(ask("menu@6.12", 5000000, LATENCY_ANY, 0, -1).read & GOV_READ_SLEEP);
	assert_true(ask("teo@6.12", 5000000, LATENCY_ANY, 0, -1).read & GOV_READ_CLOCK);
	assert_false(ask("teo@7.2", 5000000, LATENCY_ANY, 0, -1).read & GOV_READ_CLOCK);
	assert_true(ask("menu@6.1", 5000000, LATENCY_ANY, 0, -1).read & GOV_READ_IOWAIT);
	assert_false(ask("menu@6.12", 5000000, LATENCY_ANY, 0, -1).read & GOV_READ_IOWAIT);
	assert_false(ask("ladder", 5000000, LATENCY_ANY, 0, -1).read & GOV_READ_SLEEP);
}

static uint64_t rng = 1;

static int64_t random_between(int64_t lo, int64_t hi)
{
	rng = rng * 6364136223846793005ULL + 1442695040888963407ULL;
	return lo + (int64_t)((rng >> 24) % (uint64_t)(hi - lo + 1));
}

/* the last line names the choice, whatever the state of the memory; nothing is changed by
 * explaining */
static void explain_walk(const char *text)
{
	struct gov_spec s = parsed(text, "");
	struct gov_machine m = {&three, 250, tick_ns(250), 0};
	void *cpu = xcalloc(1, s.gov->cpu_size), *copy = xcalloc(1, s.gov->cpu_size);

	s.gov->init(cpu, &m, &s);
	for (int i = 0; i < 3000; i++) {
		struct gov_input in = {.now_ns = i * 1000000,
			.limit_ns = random_between(0, 9) ? LATENCY_ANY : random_between(0, 100000),
			.sleep_ns = random_between(-1000, 9000000),
			.tick_delta_ns = random_between(-500, 4000000),
			.iowait = random_between(0, 1),
			.tick_stopped = random_between(0, 3) == 0,
			.disabled = random_between(0, 19) ? 0 : (uint32_t)random_between(0, 7)};
		struct gov_choice c = s.gov->select(cpu, &in, random_between(0, 1000000));
		struct gov_outcome out = {.entered = random_between(0, 9) ? c.state : -1,
			.residency_ns = random_between(0, 500000),
			.got_tick = random_between(0, 2) == 0,
			.poll_limit = random_between(0, 4) == 0,
			.now_ns = i * 1000000 + 500000};
		struct explain x = {0};
		const char *name = three.state[c.state].name;

		memcpy(copy, cpu, s.gov->cpu_size);
		s.gov->explain(cpu, &in, &c, &x);
		assert_memory_equal(copy, cpu, s.gov->cpu_size);
		assert_true(x.nitems > 0);
		assert_string_equal(x.item[x.nitems - 1].label, "chosen");
		assert_int_equal(strncmp(x.item[x.nitems - 1].text, name, strlen(name)), 0);
		explain_free(&x);
		s.gov->reflect(cpu, &out);
	}
	free(cpu);
	free(copy);
}

static void test_explain(void **state)
{
	(void)state;
	for (int g = 0; governor_list[g]; g++) {
		const struct preset_family *f = preset_family(governor_list[g]);

		for (int i = 0; f && i < f->nrows; i++) {
			char text[64];

			snprintf(text, sizeof(text), "%s@%s%s", governor_list[g]->name,
				f->row[i].version, f->row[i].model ? ".0" : "");
			explain_walk(text);
		}
	}
	explain_walk("oracle");
	explain_walk("deepest");
	explain_walk("shallowest");
	explain_walk("fixed:state=1");
}

/* one decision by hand: eight intervals of 100 us, one of them 2 ms, and a far timer */
static void test_explain_words(void **state)
{
	struct gov_spec s = parsed("menu@7.2", "");
	struct gov_machine m = {&three, 250, tick_ns(250), 0};
	void *cpu = xcalloc(1, s.gov->cpu_size);
	struct gov_input in = {
		.limit_ns = LATENCY_ANY, .sleep_ns = 50000000, .tick_delta_ns = 2000000};
	struct explain x = {0};
	struct gov_choice c = {0};
	char all[4000] = "";

	(void)state;
	s.gov->init(cpu, &m, &s);
	for (int i = 0; i < 9; i++) {
		struct gov_outcome out = {.entered = 1, .residency_ns = i == 4 ? 2002000 : 102000};

		c = s.gov->select(cpu, &in, -1);
		if (i < 8)
			s.gov->reflect(cpu, &out);
	}
	s.gov->explain(cpu, &in, &c, &x);
	for (int i = 0; i < x.nitems; i++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s: %s\n", x.item[i].label,
			x.item[i].text);
	explain_free(&x);
	free(cpu);
	if (!strstr(all, "recent intervals: 100 100 100 100 2000 100 100 100 us") ||
		!strstr(all, "8 intervals of 100..2000 us: average 337 us") ||
		!strstr(all, "the longest is left out") ||
		!strstr(all, "typical interval: 100 us") ||
		!strstr(all, "C6: residency 200.0 us, exit latency 85.0 us: residency longer than "
			     "predicted") ||
		!strstr(all, "chosen: C1"))
		fail_msg("%s", all);
}

/* whole table, even us, so that counting in us loses nothing */
static const struct state_table even = {
	.nstates = 5,
	.state =
		{
			{.name = "POLL", .polling = true},
			{.name = "C1", .exit_latency_ns = 2000, .target_residency_ns = 2000},
			{.name = "C1E", .exit_latency_ns = 10000, .target_residency_ns = 20000},
			{.name = "C6", .exit_latency_ns = 84000, .target_residency_ns = 200000},
			{.name = "C10", .exit_latency_ns = 890000, .target_residency_ns = 5000000},
		},
};

static int64_t even_us(int64_t most_us)
{
	int64_t span = 10;

	while (span < most_us && random_between(0, 3))
		span *= 4;
	return random_between(0, (span < most_us ? span : most_us) / 2) * 2000;
}

/* the us-counting form of a kernel up to 5.4 against the ns-counting one after it, which is checked
 */
static void same_in_us(const char *us, const char *ns)
{
	struct gov_spec s[2] = {parsed(us, ""), parsed(ns, "")};
	struct gov_machine m = {&even, 250, tick_ns(250), 0};
	void *cpu[2];
	bool tick = false;
	int64_t now = 0;

	for (int k = 0; k < 2; k++) {
		cpu[k] = xcalloc(1, s[k].gov->cpu_size);
		s[k].gov->init(cpu[k], &m, &s[k]);
	}
	for (int i = 0; i < 50000; i++) {
		struct gov_input in = {.now_ns = now,
			.limit_ns = random_between(0, 9) ? LATENCY_ANY : even_us(1000),
			.sleep_ns = even_us(4000000),
			.iowait = random_between(0, 3) == 0,
			.tick_stopped = random_between(0, 3) == 0};
		struct gov_outcome out = {.residency_ns = even_us(1000000),
			.got_tick = tick,
			.poll_limit = random_between(0, 4) == 0};
		struct gov_choice c[2];
		bool left[2];

		in.tick_delta_ns = in.sleep_ns < 4000000 ? in.sleep_ns : even_us(4000);
		for (int k = 0; k < 2; k++)
			c[k] = s[k].gov->select(cpu[k], &in, -1);
		if (c[0].state != c[1].state || c[0].stop_tick != c[1].stop_tick)
			fail_msg("step %d: %s chose %d, %s chose %d", i, s[0].label, c[0].state,
				s[1].label, c[1].state);
		now += out.residency_ns;
		out.entered = random_between(0, 19) ? c[0].state : -1;
		out.now_ns = now;
		for (int k = 0; k < 2; k++)
			left[k] = s[k].gov->reflect(cpu[k], &out);
		assert_int_equal(left[0], left[1]);
		tick = left[0] || random_between(0, 2) == 0;
	}
	free(cpu[0]);
	free(cpu[1]);
}

static void test_microseconds(void **state)
{
	(void)state;
	same_in_us("menu@5.4", "menu@5.10");
	same_in_us("teo@5.4", "teo@5.10");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_stable_series),
		cmocka_unit_test(test_errors_name_what_is_known),
		cmocka_unit_test(test_kernel_strings),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_all_presets),
		cmocka_unit_test(test_references),
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_microseconds),
		cmocka_unit_test(test_explain),
		cmocka_unit_test(test_explain_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
