// SPDX-License-Identifier: GPL-2.0-or-later
/* Trace text in every layout, with task names and markers that look like something else. */
#include "parsers/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define EXIT_STATE "state=4294967295"

static struct text_span span(const char *s)
{
	return (struct text_span){s, s + strlen(s)};
}

static struct trace *parse_as(const char *text, const char *instance, uint64_t want)
{
	struct parse_options opt = {.want = want, .threads = 1, .instance = instance};
	struct trace *t = trace_new("test", want);
	struct error err = {0};

	if (text_parse_bytes("test", span(text), NULL, &opt, t, &err) < 0)
		fail_msg("%s in: %s", err.text, text);
	trace_finish(t);
	return t;
}

static struct trace *parse(const char *text)
{
	return parse_as(text, NULL, EV_WANT_ALL);
}

/* one line that must be a cpu_idle entry of state 2 on CPU 3 at 12.5 s */
static void idle_line(const char *line, int32_t pid, int ctx)
{
	struct trace *t = parse(line);

	if (t->ncpus != 4 || t->cpu[3].nevs != 1)
		fail_msg("not read: %s", line);
	assert_int_equal(t->cpu[3].ev[0].kind, EV_IDLE);
	assert_int_equal(t->cpu[3].ev[0].a, 2);
	assert_true(t->cpu[3].ev[0].at_ns == 12500000000);
	assert_int_equal(t->cpu[3].ev[0].pid, pid);
	assert_int_equal(t->cpu[3].ev[0].ctx, ctx);
	trace_free(t);
}

static void layouts(void **unused)
{
	(void)unused;
	idle_line("          <idle>-0     [003]    12.500000: cpu_idle:             state=2 cpu_id=3\n", 0, 0);
	idle_line("          <idle>-0     [003]    12.500000000: cpu_idle: state=2 cpu_id=3", 0, 0);
	idle_line("          <idle>-0       [003] d..1.    12.5: cpu_idle: state=2 cpu_id=3\r\n", 0, CTX_IRQS_OFF);
	idle_line("          <idle>-0     [003] dNh1  12.500000: cpu_idle: state=2 cpu_id=3\n", 0,
		CTX_IRQS_OFF | CTX_NEED_RESCHED | CTX_HARDIRQ);
	idle_line("          <idle>-0     (-----) [003] .ns2 12.500000: cpu_idle: state=2 cpu_id=3\n", 0,
		CTX_NEED_RESCHED | CTX_SOFTIRQ);
	idle_line("  RenderThread-9134    ( 9112) [003] .... 12.500000: cpu_idle: state=2 cpu_id=3\n", 9134, 0);
	idle_line("[003] d..2  12.500000: cpu_idle: state=2 cpu_id=3\n", 0, CTX_IRQS_OFF);
	idle_line("  <idle>-0       3d..1.     12.500000: cpu_idle:             state=2 cpu_id=3\n", 0,
		CTX_IRQS_OFF);
	idle_line("          <idle>-0     [003]    12.500000: (+12) cpu_idle:   state=2 cpu_id=3\n", 0, 0);
	idle_line(" sched:           <idle>-0     [003]    12.500000: cpu_idle: state=2 cpu_id=3\n", 0, 0);
	idle_line("> >           <idle>-0     [003]    12.500000: cpu_idle: state=2 cpu_id=3\n", 0, 0);
	idle_line("         swapper     0 [003] 12.500000000:     power:cpu_idle: state=2 cpu_id=3\n", 0, 0);
	idle_line("swapper     0/0     [003] 12.500000:          1 power:cpu_idle: state=2 cpu_id=3\n", 0, 0);
	idle_line("          <idle>-0     [003]12500000000: cpu_idle: state=2 cpu_id=3\n", 0, 0);
	/* the CPU is the one that the event names */
	idle_line("          <idle>-0     [001]    12.500000: cpu_idle: state=2 cpu_id=3\n", 0, 0);
}

static void odd_task_names(void **unused)
{
	static const char *const names[] = {"a b c", "x-1", "[003]", "a [001] b", "1 [2] 3.5:",
		"a: b", "kworker/u8:1-ev", "[1] 1.5: e: f", "-", "12.5: cpu_idle:"};
	char line[200];

	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(line, sizeof(line), "%16s-77      [003] d..1 12.500000: cpu_idle: state=2 cpu_id=3\n",
			names[i]);
		idle_line(line, 77, CTX_IRQS_OFF);
	}
}

static void decoys(void **unused)
{
	static const char *const none[] = {
		"  RenderThread-9134    ( 9112) [002] .... 1.5: tracing_mark_write: B|9112|cpu_idle: state=1 cpu_id=2\n",
		"  x-9 [002] .... 1.5: print: tracing_mark_write: x-9 [002] .... 1.5: cpu_idle: state=1 cpu_id=2\n",
		"  x-9 [002] .... 1.5: cpu_frequency: state=1200000 cpu_id=2\n",
		"  x-9 [002] .... 1.5: cpu_idle_devlib: state=1 cpu_id=2\n",
		"cpu_idle: state=1 cpu_id=2\n  x-9 [002] .... 1.5: foo: bar\n",
		"console.log('[002] 1.5 cpu_idle: state=1 cpu_id=2');\n  x-9 [002] .... 1.5: foo: bar\n",
	};

	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		struct trace *t = parse(none[i]);

		if (t->present & EV_BIT(EV_IDLE))
			fail_msg("taken for an event: %s", none[i]);
		trace_free(t);
	}
}

static const struct event *only(struct trace *t, int cpu)
{
	if (cpu >= t->ncpus || t->cpu[cpu].nevs != 1)
		fail_msg("not one event on CPU %d", cpu);
	return &t->cpu[cpu].ev[0];
}

static void sched_wordings(void **unused)
{
	static const char *const lines[] = {
		"x-9 [002] d..2 1.5: sched_switch: prev_comm=a next_pid=3 prev_pid=12 prev_prio=120 prev_state=R+ ==> "
		"next_comm=rs:main Q:Reg next_pid=1769 next_prio=120\n",
		"x-9 [002] 1.5: sched_switch: prev_comm=a prev_pid=12 prev_prio=120 prev_state=256 "
		"next_comm=rs:main Q:Reg next_pid=1769 next_prio=120\n",
		"x-9 [002] 1.5: sched_switch: a:12 [120] R+ ==> rs:main Q:Reg:1769 [120] Latency: 7.8 usecs\n",
	};
	static const char *const wakes[] = {
		"x-9 [002] 1.5: sched_wakeup: comm=a pid=1 b pid=17 prio=120 success=1 target_cpu=007\n",
		"x-9 [002] 1.5: sched_wakeup: a pid=1 b:17 [120] CPU:007\n",
		"x-9 [002] 1.5: sched_wakeup: a pid=1 b:17 [120]<CPU:007>\n",
	};

	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct trace *t = parse(lines[i]);
		const struct event *e = only(t, 2);

		assert_int_equal(e->kind, EV_SWITCH);
		assert_int_equal(e->a, 12);
		assert_int_equal(e->b, 1769);
		assert_int_equal(e->aux, 0x100);
		assert_string_equal(trace_name(t, e->name), "rs:main Q:Reg");
		trace_free(t);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wakes); i++) {
		struct trace *t = parse(wakes[i]);
		const struct event *e = only(t, 2);

		assert_int_equal(e->a, 17);
		assert_int_equal(e->b, 7);
		assert_string_equal(trace_name(t, e->name), "a pid=1 b");
		trace_free(t);
	}
}

static void timer_fields(void **unused)
{
	struct trace *t = parse(
		"x-9 [000] 1.5: hrtimer_start: hrtimer=0xffff88805bc26418 function=tick_nohz_handler/0x0 "
		"expires=5344000000 softexpires=5343000000 mode=ABS|PINNED|HARD was_armed=1\n"
		"x-9 [001] 1.5: timer_start: timer=ffffff80 function=delayed_work_timer_fn "
		"expires=4294905814 [timeout=494] bucket_expiry=4294905815 cpu=7 idx=123 flags=D|I\n"
		"x-9 [002] 1.5: tick_stop: success=0 dependency=SCHED\n"
		"x-9 [003] 1.5: ipi_raise: target_mask=00000001,00000006 (Rescheduling interrupts)\n"
		"x-9 [004] 1.5: dev_pm_qos_update_request: device=cpu3 type=DEV_PM_QOS_RESUME_LATENCY new_value=20\n"
		"x-9 [005] 1.5: sleep_length: (ffff81 <- ffff82) ret=-5 delta=7\n"
		"x-9 [006] 1.5: dev_pm_qos_update_request: device=0000:00 type=0x1 new_value=20\n");
	const struct event *e = only(t, 0);

	(void)unused;
	assert_true(e->obj == 0xffff88805bc26418);
	assert_true(e->a == 5344000000 && e->b == 5343000000);
	assert_int_equal(e->aux, 0x10a);
	assert_string_equal(trace_name(t, e->name), "tick_nohz_handler");
	e = only(t, 1);
	assert_true(e->obj == 0xffffff80 && e->a == 4294905814 && e->b == 4294905815);
	assert_int_equal(e->c, 4294905320);
	assert_int_equal(e->aux, 123U << 22 | 0x280000 | 7);
	e = only(t, 2);
	assert_int_equal(e->a, 0);
	assert_int_equal(e->b, 4);
	e = only(t, 3);
	assert_true((uint64_t)e->a == 0x100000006);
	assert_string_equal(trace_name(t, e->name), "Rescheduling interrupts");
	e = only(t, 4);
	assert_int_equal(e->a, 20);
	assert_int_equal(e->b, 3);
	e = only(t, 5);
	assert_int_equal(e->a, -5);
	assert_int_equal(e->b, 7);
	assert_int_equal(t->cpu[6].nevs, 0);
	trace_free(t);
}

static void wrapped_lines(void **unused)
{
	struct trace *t = parse(
		"> <idle>-0     [000] d..1 18197.824101: cpu_idle: state=3\n"
		"> cpu_id=1\n"
		"> <idle>-0     [000] d..1 18197.824901:\n"
		"> cpu_idle: " EXIT_STATE " cpu_id=1\n"
		"> <idle>-0     [001] d..1\n"
		"> 18197.825000: cpu_idle: state=1 cpu_id=1\n"
		"> x-9  [000] d..2  18197.825100: sched_switch: prev_comm=a prev_pid=12\n"
		"> prev_prio=120 prev_state=S ==> next_comm=b\n"
		"> next_pid=13 next_prio=120\n"
		"\n"
		"> <idle>-0     [001] d..1 18197.826000: cpu_idle: " EXIT_STATE "\n"
		"-- \nsigned\n");

	(void)unused;
	assert_int_equal(t->cpu[1].nperiods, 2);
	assert_int_equal(t->cpu[1].period[0].exit_ns - t->cpu[1].period[0].enter_ns, 800000);
	/* the last exit lacks its cpu_id: the line's CPU stands in */
	assert_int_equal(t->cpu[1].period[1].exit_ns - t->cpu[1].period[1].enter_ns, 1000000);
	assert_int_equal(only(t, 0)->b, 13);
	assert_int_equal(t->bad_records, 0);
	trace_free(t);
}

static void backward_times_are_sorted(void **unused)
{
	static const char text[] =
		"a-1 [000] 5.000000: cpu_idle: " EXIT_STATE " cpu_id=0\n"
		"a-1 [000] 1.000000: cpu_idle: state=1 cpu_id=0\n"
		"a-1 [000] 7.000000: cpu_idle: " EXIT_STATE " cpu_id=0\n"
		"a-1 [001] 0.500000: cpu_idle: state=1 cpu_id=1\n"
		"a-1 [000] 6.000000: cpu_idle: state=2 cpu_id=0\n";
	struct trace *t = parse(text);

	(void)unused;
	assert_int_equal(t->cpu[0].nperiods, 2);
	assert_true(t->cpu[0].period[0].exit_ns - t->cpu[0].period[0].enter_ns == 4000000000);
	assert_int_equal(t->cpu[0].period[1].state, 2);
	assert_int_equal(t->cpu[0].back_steps, 2);
	assert_int_equal(t->cpu[1].back_steps, 0);
	assert_int_equal(t->events, 5);
	trace_free(t);
}

static void lost_events_are_holes(void **unused)
{
	static const char *const lost[] = {"CPU:0 [17 EVENTS DROPPED]\n", "CPU:0 [LOST 17 EVENTS]\n"};
	char text[400];

	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(lost); i++) {
		struct trace *t;

		snprintf(text, sizeof(text), "a-0 [000] 1.000000: cpu_idle: state=1 cpu_id=0\n%s"
			"a-0 [000] 2.000000: cpu_idle: " EXIT_STATE " cpu_id=0\n", lost[i]);
		t = parse(text);
		assert_int_equal(t->cpu[0].nperiods, 0);
		assert_int_equal(t->cpu[0].orphan_exits, 1);
		assert_int_equal(t->cpu[0].nholes, 1);
		assert_int_equal(t->cpu[0].hole[0].lost, 17);
		assert_true(t->cpu[0].hole[0].from_ns == 1000000000);
		assert_int_equal(t->lost_events, 17);
		trace_free(t);
	}
}

/* CPU 1 goes offline in idle and returns five seconds later: the time away is no idle period */
static void cpu_that_comes_back(void **unused)
{
	struct trace *t = parse(
		"a-0 [001] 1.000000: cpu_idle: state=1 cpu_id=1\n"
		"a-0 [001] 1.001000: cpu_idle: " EXIT_STATE " cpu_id=1\n"
		"a-0 [001] 1.002000: cpu_idle: state=2 cpu_id=1\n"
		"c-9 [000] 1.003000: cpuhp_enter: cpu: 0001 target:   0 step: 232 (takedown)\n"
		"c-9 [000] 6.000000: cpuhp_enter: cpu: 0001 target: 235 step:   1 (up)\n"
		"a-0 [001] 6.002000: cpu_idle: state=2 cpu_id=1\n"
		"a-0 [001] 6.002500: cpu_idle: " EXIT_STATE " cpu_id=1\n");

	(void)unused;
	assert_int_equal(t->cpu[1].nperiods, 2);
	assert_int_equal(t->cpu[1].reenters, 1);
	assert_int_equal(t->cpu[1].period[1].state, 2);
	assert_int_equal(t->cpu[1].period[1].exit_ns - t->cpu[1].period[1].enter_ns, 500000);
	assert_int_equal(t->cpu[0].nevs, 2);
	assert_int_equal(t->cpu[0].ev[0].kind, EV_HOTPLUG);
	assert_int_equal(t->cpu[0].ev[0].b, 1);
	trace_free(t);
}

static void instances(void **unused)
{
	static const char text[] = "cpus=2\n"
		" sched:           a-1     [000]     1.000000: cpu_idle: state=1 cpu_id=0\n"
		"                  b-1     [001]     1.000000: cpu_idle: state=1 cpu_id=1\n";
	struct trace *t = parse(text);

	(void)unused;
	assert_int_equal(t->cpu[0].nevs + t->cpu[1].nevs, 2);
	assert_string_equal(t->format, "trace-cmd report");
	trace_free(t);
	t = parse_as(text, "sched", EV_WANT_ALL);
	assert_int_equal(t->cpu[0].nevs, 1);
	assert_int_equal(t->cpu[1].nevs, 0);
	trace_free(t);
	t = parse_as(text, "", EV_WANT_ALL);
	assert_int_equal(t->cpu[0].nevs, 0);
	assert_int_equal(t->cpu[1].nevs, 1);
	trace_free(t);
}

static void what_comments_say(void **unused)
{
	struct trace *t = parse("# ========\n# os release : 6.1.0-23-amd64\n# arch : x86_64\n# nrcpus avail : 8\n#\n"
		"swapper     0 [003] 12.500000:          1 power:cpu_idle: state=2 cpu_id=3\n");

	(void)unused;
	assert_string_equal(t->kernel, "6.1.0-23-amd64");
	assert_string_equal(t->arch, "x86_64");
	assert_string_equal(t->format, "perf script");
	assert_int_equal(t->ncpus, 8);
	trace_free(t);
	t = parse("# entries-in-buffer/entries-written: 22/40   #P:64\n"
		"          <idle>-0       [003] d..1.    12.5: cpu_idle: state=2 cpu_id=3\n");
	assert_int_equal(t->ncpus, 64);
	assert_int_equal(t->nwarnings, 2);
	assert_non_null(strstr(t->warning[1], "18 of 40 events were overwritten"));
	trace_free(t);
}

/* a raw mail: read as it stands, state 1 would be state 3 */
static void quoted_printable(void **unused)
{
	static const char mail[] = "Content-Transfer-Encoding: quoted-printable\n\n"
		"          <idle>-0     [003] d..1 18197.824101: cpu_idle: state=3D1 cpu_id=3D=\n3\n"
		"          <idle>-0     [003] d..1 18197.824901: cpu_idle: state=3D429=\r\n4967295 cpu_id=3D3\n";
	struct parse_options opt = {.want = EV_WANT_ALL, .threads = 1};
	struct input in = {"x", (const uint8_t *)mail, strlen(mail), -1, 0};
	struct trace *t = trace_new("x", opt.want);
	struct error err = {0};

	(void)unused;
	assert_true(parser_text.probe(&in) > 0);
	assert_int_equal(parser_text.parse(&in, &opt, t, &err), 0);
	trace_finish(t);
	assert_int_equal(t->cpu[3].nperiods, 1);
	assert_int_equal(t->cpu[3].period[0].state, 1);
	assert_int_equal(t->cpu[3].period[0].exit_ns - t->cpu[3].period[0].enter_ns, 800000);
	trace_free(t);
	/* and where it was not told to be encoded, half a number is none */
	t = parse("<idle>-0 [003] d..1 1.5: cpu_idle: state=2x cpu_id=3\n");
	assert_int_equal(t->cpu[3].nevs, 0);
	assert_int_equal(t->bad_records, 1);
	trace_free(t);
}

static void html(void **unused)
{
	static const char page[] = "<!DOCTYPE html>\n<html><script>\n"
		"var s = '<idle>-0 [000] d..1 1.000000: cpu_idle: state=1 cpu_id=0';\n</script>\n"
		"<script class=\"trace-data\" type=\"application/text\">\n"
		"          <idle>-0     (-----) [001] d..2   538.064674: cpu_idle: state=2 cpu_id=1\n"
		"          <idle>-0     (-----) [001] .n.2   538.064937: cpu_idle: " EXIT_STATE " cpu_id=1\n"
		"</script>\n<idle>-0 [000] d..1 1.000000: cpu_idle: state=1 cpu_id=0\n</html>\n";
	static const char old[] = "<html><script>\n  var linuxPerfData = \"\\\n"
		"          &lt;idle&gt;-0     [001] d..2   538.064674: cpu_idle: state=2 cpu_id=1\\n\\\n"
		"          &lt;idle&gt;-0     [001] .n.2   538.064937: cpu_idle: " EXIT_STATE " cpu_id=1\\n\\\n"
		"\\n\";\n</script></html>\n";
	static const char none[] = "<html><body>hello</body></html>\n";
	static const char *const good[] = {page, old};
	struct parse_options opt = {.want = EV_WANT_ALL, .threads = 1};
	struct error err = {0};

	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct input in = {"x", (const uint8_t *)good[i], strlen(good[i]), -1, 0};
		struct trace *t = trace_new("x", opt.want);

		assert_true(parser_html.probe(&in) > parser_text.probe(&in));
		assert_int_equal(parser_html.parse(&in, &opt, t, &err), 0);
		trace_finish(t);
		assert_int_equal(t->cpu[0].nevs, 0);
		assert_int_equal(t->cpu[1].nperiods, 1);
		assert_int_equal(t->cpu[1].period[0].exit_ns - t->cpu[1].period[0].enter_ns, 263000);
		trace_free(t);
	}
	{
		struct input in = {"x", (const uint8_t *)none, strlen(none), -1, 0};
		struct trace *t = trace_new("x", opt.want);

		assert_int_equal(parser_html.parse(&in, &opt, t, &err), -1);
		assert_int_equal(err.code, EXIT_INPUT);
		trace_free(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(layouts), cmocka_unit_test(odd_task_names),
		cmocka_unit_test(decoys), cmocka_unit_test(sched_wordings), cmocka_unit_test(timer_fields),
		cmocka_unit_test(wrapped_lines), cmocka_unit_test(backward_times_are_sorted),
		cmocka_unit_test(lost_events_are_holes), cmocka_unit_test(instances), cmocka_unit_test(cpu_that_comes_back),
		cmocka_unit_test(what_comments_say), cmocka_unit_test(quoted_printable), cmocka_unit_test(html)};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
