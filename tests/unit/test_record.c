// SPDX-License-Identifier: GPL-2.0-or-later
/* The recorder against the made-up tracefs of made_kernel.h. */
#include "parsers/parser.h"
#include "tests/unit/made_kernel.h"

static void events_by_age_and_architecture(void **state)
{
	static const struct {
		enum record_arch arch;
		int version;
		enum record_level level;
		const char *on, *off;
	} t[] = {
		{ARCH_X86, 510, RECORD_DEFAULT, "timer/hrtimer_init", "power/cpu_idle_miss"},
		{ARCH_X86, 510, RECORD_DEFAULT, "irq_vectors/local_timer_entry", "timer/timer_base_idle"},
		{ARCH_X86, 612, RECORD_DEFAULT, "timer/timer_base_idle", "ipi/ipi_entry"},
		{ARCH_X86, 702, RECORD_DEFAULT, "timer/hrtimer_rearm", "timer/hrtimer_init"},
		{ARCH_ARM64, 612, RECORD_DEFAULT, "ipi/ipi_entry", "irq_vectors/local_timer_entry"},
		{ARCH_PPC, 601, RECORD_DEFAULT, "powerpc/timer_interrupt_entry", "ipi/ipi_send_cpu"},
		{ARCH_PPC, 601, RECORD_FULL, "rcu/rcu_batch_start", "irq_vectors/irq_work_entry"},
		{ARCH_X86, 612, RECORD_LIGHT, "power/cpu_idle_miss", "timer/hrtimer_start"},
		{ARCH_X86, 612, RECORD_DEFAULT, "sched/sched_switch", "rcu/rcu_batch_start"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct record_plan plan;
		struct record_session s;
		struct error err;

		boot(t[i].arch, t[i].version);
		plan = plan_of(t[i].level, false);
		s = session_of(&plan);
		assert_int_equal(record_session_open(&s, &err), 0);
		assert_true(is_on("power/cpu_idle"));
		assert_true(is_on(t[i].on));
		assert_false(is_on(t[i].off));
		assert_false(is_on(PROBE_GROUP "/got_tick"));
		assert_string_equal(words, "");
		record_session_close(&s);
		halt();
	}
}

static void missing_event_is_said(void **state)
{
	struct record_plan plan;
	struct record_session s;
	struct error err;

	(void)state;
	boot(ARCH_X86, 612);
	kernel.without = "tick_stop";
	plan = plan_of(RECORD_DEFAULT, false);
	s = session_of(&plan);
	/* the top folder was made before it went away; the instance is what counts */
	assert_int_equal(record_session_open(&s, &err), 0);
	assert_non_null(strstr(words, "timer:tick_stop is missing on this kernel: whether the tick"));
	assert_null(strstr(words, "cpuidle driver"));
	record_session_close(&s);
	halt();
}

static void probes_take_the_form_that_works(void **state)
{
	struct record_plan plan;
	struct record_session s;
	struct error err;

	(void)state;
	boot(ARCH_PPC, 601);
	plan = plan_of(RECORD_DEFAULT, true);
	s = session_of(&plan);
	kernel.refuse_path = "kprobe_events";
	kernel.refuse_text = "delta=";
	kernel.refuse_errno = EINVAL;
	kernel.no_probes = true;
	assert_int_equal(record_session_open(&s, &err), 0);
	assert_true(in_kprobes("r:kprobes/sleep_length tick_nohz_get_sleep_length ret=$retval:s64"));
	assert_false(in_kprobes("delta="));
	assert_true(in_kprobes("p:kprobes/cpuidle_reflect cpuidle_reflect index=%gpr4:s32 res=+24(%gpr3)"));
	assert_false(in_kprobes("-:kprobes/sleep_length"));
	assert_int_equal(s.probes_made, 0x1f);
	record_session_close(&s);
	for (int i = 0; record_probes[i].name; i++) {
		char line[80];

		snprintf(line, sizeof(line), "-:kprobes/%s", record_probes[i].name);
		assert_true(in_kprobes(line));
	}
	halt();
}

/* every step that can fail: the reason is named, and nothing is left */
static void failure_of_each_step(void **state)
{
	static const struct {
		const char *path, *text, *without, *says;
		int error;
	} t[] = {
		{"trace_clock", "", NULL, "trace clock", EINVAL},
		{"buffer_size_kb", "", NULL, "no memory", ENOMEM},
		{"cpu_idle/enable", "", NULL, "no power:cpu_idle event", EINVAL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct record_plan plan;
		struct record_session s;
		struct error err = {.text = ""};

		boot(ARCH_X86, 612);
		kernel.refuse_path = t[i].path;
		kernel.refuse_text = t[i].text;
		kernel.refuse_errno = t[i].error;
		plan = plan_of(RECORD_DEFAULT, false);
		s = session_of(&plan);
		assert_int_equal(record_session_open(&s, &err), -1);
		assert_int_equal(err.code, EXIT_INPUT);
		assert_non_null(strstr(err.text, t[i].says));
		record_session_close(&s);
		assert_int_equal(access(instance(), F_OK), -1);
		halt();
	}
}

static void output_that_cannot_be_written(void **state)
{
	struct record_plan plan;
	struct record_session s;
	struct error err = {.text = ""};

	(void)state;
	boot(ARCH_X86, 612);
	plan = plan_of(RECORD_LIGHT, false);
	plan.output = "/nonexistent/out.dat";
	s = session_of(&plan);
	assert_int_equal(record_session_open(&s, &err), -1);
	assert_non_null(strstr(err.text, "/nonexistent/out.dat"));
	record_session_close(&s);
	assert_int_equal(access(instance(), F_OK), -1);

	/* the folder goes away while it records */
	plan = plan_of(RECORD_LIGHT, false);
	s = session_of(&plan);
	assert_int_equal(record_session_open(&s, &err), 0);
	assert_int_equal(record_session_drain(&s, true, &err), 0);
	plan.output = "/nonexistent/out.dat";
	assert_int_equal(record_session_write(&s, &err), -1);
	assert_non_null(strstr(err.text, "/nonexistent/out.dat.partial"));
	record_session_close(&s);
	assert_int_equal(access(instance(), F_OK), -1);
	halt();
}

static void markers_may_be_refused(void **state)
{
	struct record_plan plan;
	struct record_session s;
	struct error err = {.text = ""};

	(void)state;
	boot(ARCH_X86, 612);
	plan = plan_of(RECORD_LIGHT, false);
	s = session_of(&plan);
	assert_int_equal(record_session_open(&s, &err), 0);
	kernel.refuse_path = "trace_marker";
	kernel.refuse_text = "reidle1";
	kernel.refuse_errno = EBADF;
	assert_int_equal(record_session_mark(&s, "reidle1 system cpus=2\n", &err), -1);
	assert_non_null(strstr(err.text, "trace_marker"));
	record_session_close(&s);
	halt();
}

static void less_memory_and_no_mono_clock(void **state)
{
	struct record_plan plan;
	struct record_session s;
	struct error err;
	char text[100];

	(void)state;
	boot(ARCH_X86, 612);
	kernel.refuse_path = "buffer_size_kb";
	kernel.refuse_text = "8192";
	kernel.refuse_errno = ENOMEM;
	snprintf(text, sizeof(text), "%s/sys/devices/system/cpu/cpuidle", root);
	put(text, "current_driver", "none\n");
	plan = plan_of(RECORD_LIGHT, false);
	s = session_of(&plan);
	assert_int_equal(record_session_open(&s, &err), 0);
	assert_non_null(strstr(words, "4096 KiB per CPU only"));
	assert_non_null(strstr(words, "no cpuidle driver"));
	assert_true(get(text, sizeof(text), instance(), "buffer_size_kb"));
	assert_int_equal(atoi(text), 4096);
	record_session_close(&s);
	kernel.refuse_path = "trace_clock";
	kernel.refuse_text = "mono";
	s = session_of(&plan);
	assert_int_equal(record_session_open(&s, &err), 0);
	assert_string_equal(s.clock, "global");
	record_session_close(&s);
	halt();
}

static void no_tracefs_says_what_to_do(void **state)
{
	struct record_plan plan;
	struct record_session s;
	struct error err;
	char path[200];

	(void)state;
	boot(ARCH_X86, 612);
	plan = plan_of(RECORD_LIGHT, false);
	s = session_of(&plan);
	tracefs_set_tracing_dir((char *)"/nonexistent");
	assert_int_equal(record_session_open(&s, &err), -1);
	assert_non_null(strstr(err.text, geteuid() ? "root" : "mount -t tracefs"));
	record_session_close(&s);
	snprintf(path, sizeof(path), "%s/sys/kernel/security", root);
	put(path, "lockdown", "none integrity [confidentiality]\n");
	s = session_of(&plan);
	assert_int_equal(record_session_open(&s, &err), -1);
	assert_non_null(strstr(err.text, geteuid() ? "root" : "locked down"));
	record_session_close(&s);
	halt();
}

/* a whole recording: markers, both CPUs' pages, and a file that our reader understands */
static void recording_reads_back(void **state)
{
	struct parse_options po = {.want = EV_WANT_ALL, .threads = 1};
	struct record_plan plan;
	struct record_session s;
	struct error err = {.text = ""};
	struct trace *t;
	char text[200];

	(void)state;
	boot(ARCH_X86, 612);
	plan = plan_of(RECORD_DEFAULT, true);
	s = session_of(&plan);
	assert_int_equal(record_session_open(&s, &err), 0);
	assert_true(get(text, sizeof(text), instance(), "tracing_on") && text[0] == '0');
	assert_true(get(text, sizeof(text), instance(), "trace_clock") && !strncmp(text, "mono", 4));
	assert_int_equal(record_session_trace(&s, true, &err), 0);
	assert_true(get(text, sizeof(text), instance(), "tracing_on") && text[0] == '1');
	assert_int_equal(record_session_mark(&s, "reidle1 a\nreidle1 b\n", &err), 0);
	assert_true(get(text, sizeof(text), instance(), "trace_marker"));
	assert_string_equal(text, "reidle1 areidle1 b");
	assert_int_equal(record_session_trace(&s, false, &err), 0);
	assert_int_equal(record_session_drain(&s, false, &err), 0);
	assert_int_equal(record_session_drain(&s, true, &err), 0);
	assert_int_equal(s.bytes, CPUS * 4096);
	assert_int_equal(record_session_lost(&s), 7);
	assert_int_equal(record_session_write(&s, &err), 0);
	record_session_close(&s);
	assert_int_equal(access(instance(), F_OK), -1);

	t = parse_file(plan.output, &po, &err);
	assert_string_equal(err.text, "");
	assert_non_null(t);
	assert_int_equal(t->ncpus, CPUS);
	assert_string_equal(t->clock, "mono");
	for (int i = 0; i < CPUS; i++) {
		assert_int_equal(t->cpu[i].nperiods, 1);
		assert_int_equal(t->cpu[i].period[0].state, 1);
		assert_int_equal(t->cpu[i].period[0].enter_ns, NSEC_PER_SEC);
		assert_int_equal(t->cpu[i].period[0].exit_ns, NSEC_PER_SEC + NSEC_PER_MSEC);
	}
	trace_free(t);
	snprintf(text, sizeof(text), "ls %s/*partial* 2>/dev/null | wc -l | grep -qx 0", root);
	assert_int_equal(system(text), 0);
	halt();
}

/* one instance of a dead process and one of a live recorder */
static void killed_recorders_are_taken_down(void **state)
{
	struct record_plan plan;
	struct record_session s;
	struct error err;
	char dead[200], live[200], other[200], proc[200];

	(void)state;
	boot(ARCH_X86, 612);
	snprintf(dead, sizeof(dead), "%s/instances/reidle-4194305", tracing());
	snprintf(live, sizeof(live), "%s/instances/reidle-1", tracing());
	snprintf(proc, sizeof(proc), "%s/proc/1", root);
	assert_int_equal(mkdir(dead, 0700), 0);
	snprintf(other, sizeof(other), "%s/instances/reidle-12x", tracing());
	assert_int_equal(mkdir(other, 0700), 0);
	plan = plan_of(RECORD_LIGHT, false);
	s = session_of(&plan);
	assert_int_equal(record_session_open(&s, &err), 0);
	assert_int_equal(access(dead, F_OK), -1);
	assert_int_equal(access(other, F_OK), 0);
	assert_non_null(strstr(words, "killed recorder (pid 4194305)"));
	assert_true(in_kprobes("-:kprobes/cpuidle_reflect"));
	record_session_close(&s);

	put(proc, "comm", "reidle\n");
	assert_int_equal(mkdir(live, 0700), 0);
	s = session_of(&plan);
	assert_int_equal(record_session_open(&s, &err), 0);
	assert_int_equal(access(live, F_OK), 0);
	assert_true(s.shared);
	record_session_close(&s);

	/* pid 1 is alive, but it is no recorder */
	put(proc, "comm", "init\n");
	s = session_of(&plan);
	assert_int_equal(record_session_open(&s, &err), 0);
	assert_int_equal(access(live, F_OK), -1);
	record_session_close(&s);
	halt();
}

static void forms_of_probes(void **state)
{
	static const struct record_probe *reflect = &record_probes[4];
	char form[200], tiny[12];

	(void)state;
	assert_true(record_probe_form(form, sizeof(form), reflect, 0, ARCH_X86));
	assert_string_equal(form, "index=%si:s32 res=+24(%di):u64 flags=+0(%di):u32");
	assert_true(record_probe_form(form, sizeof(form), reflect, 1, ARCH_PPC));
	assert_string_equal(form, "index=%gpr4:s32");
	assert_true(record_probe_form(form, sizeof(form), reflect, 1, ARCH_OTHER));
	assert_string_equal(form, "index=$arg2:s32");
	assert_false(record_probe_form(form, sizeof(form), reflect, 2, ARCH_X86));
	assert_false(record_probe_form(form, sizeof(form), reflect, PROBE_FORMS, ARCH_X86));
	assert_true(record_probe_form(tiny, sizeof(tiny), reflect, 0, ARCH_X86));
	assert_true(strlen(tiny) < sizeof(tiny));
}

static void names_of_machines_and_kernels(void **state)
{
	(void)state;
	assert_int_equal(record_arch_of("x86_64"), ARCH_X86);
	assert_int_equal(record_arch_of("aarch64"), ARCH_ARM64);
	assert_int_equal(record_arch_of("ppc64le"), ARCH_PPC);
	assert_int_equal(record_arch_of("sparc64"), ARCH_OTHER);
	assert_int_equal(record_kernel_of("6.12.117-amd64"), 612);
	assert_int_equal(record_kernel_of("5.4"), 504);
	assert_int_equal(record_kernel_of("next-2026"), 0);
	assert_int_equal(record_kernel_of(""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_by_age_and_architecture),
		cmocka_unit_test(missing_event_is_said),
		cmocka_unit_test(probes_take_the_form_that_works),
		cmocka_unit_test(failure_of_each_step),
		cmocka_unit_test(output_that_cannot_be_written),
		cmocka_unit_test(markers_may_be_refused),
		cmocka_unit_test(less_memory_and_no_mono_clock),
		cmocka_unit_test(no_tracefs_says_what_to_do),
		cmocka_unit_test(recording_reads_back),
		cmocka_unit_test(killed_recorders_are_taken_down),
		cmocka_unit_test(forms_of_probes),
		cmocka_unit_test(names_of_machines_and_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
