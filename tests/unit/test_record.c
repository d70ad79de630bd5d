// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The recorder against a made-up tracefs: mkdir() and rmdir() below stand in for the kernel, which fills
 * a new instance and empties one that goes, and write() for a kernel that refuses something.
 */
#include "parsers/parser.h"
#include "src/record_session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#define CPUS 2
#define IDLE_ID 300

static char root[64], words[4096];
static FILE *word_file;

/* the made-up kernel: what it has, and the one write that it refuses */
static struct {
	enum record_arch arch;
	int version;
	const char *without; /* an event that was configured away */
	const char *refuse_path, *refuse_text;
	int refuse_errno;
	bool no_probes; /* they do not exist before they are made */
} kernel;

static void put_bytes(const void *bytes, size_t n, const char *path)
{
	char *copy = xstrdup(path);
	int fd;

	for (char *p = copy + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		syscall(SYS_mkdir, copy, 0700);
		*p = '/';
	}
	fd = open(copy, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(syscall(SYS_write, fd, bytes, n), n);
	close(fd);
	free(copy);
}

static void put(const char *dir, const char *name, const char *text)
{
	char path[400];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	put_bytes(text, strlen(text), path);
}

static bool get(char *out, size_t size, const char *dir, const char *name)
{
	char path[400];
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	if (!f)
		return false;
	n = fread(out, 1, size - 1, f);
	out[n] = '\0';
	fclose(f);
	return true;
}

static const char common[] =
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

static void put_event(const char *events, const char *system, const char *name, int id)
{
	char dir[300], format[2048];

	snprintf(dir, sizeof(dir), "%s/%s", events, system);
	put(dir, "enable", "0");
	put(dir, "filter", "none");
	snprintf(dir, sizeof(dir), "%s/%s/%s", events, system, name);
	put(dir, "enable", "0");
	put(dir, "filter", "none");
	snprintf(format, sizeof(format),
		"name: %s\nID: %d\n%s"
		"\tfield:u32 state;\toffset:8;\tsize:4;\tsigned:0;\n"
		"\tfield:u32 cpu_id;\toffset:12;\tsize:4;\tsigned:0;\n\n"
		"print fmt: \"state=%%lu cpu_id=%%lu\", (unsigned long)REC->state, "
		"(unsigned long)REC->cpu_id\n",
		name, id, common);
	put(dir, "format", format);
}

static void put_events(const char *dir)
{
	char events[200];

	snprintf(events, sizeof(events), "%s/events", dir);
	put(events, "enable", "0");
	put(events, "header_page",
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n");
	put(events, "header_event",
		"# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
		"\tarray       :   32 bits\n\n\tpadding     : type == 29\n\ttime_extend : type == 30\n"
		"\ttime_stamp : type == 31\n\tdata max type_len  == 28\n");
	for (int i = 0; record_events[i].system; i++)
		if (record_event_expected(&record_events[i], kernel.arch, kernel.version) &&
			(!kernel.without || strcmp(record_events[i].name, kernel.without)))
			put_event(events, record_events[i].system, record_events[i].name, IDLE_ID + i);
	for (int i = 0; record_probes[i].name && !kernel.no_probes; i++)
		put_event(events, PROBE_GROUP, record_probes[i].name, 400 + i);
}

/* one page of one CPU: an idle period of 1 ms in state 1, from 1.0 s on */
static void put_page(const char *path, uint32_t cpu)
{
	unsigned char page[4096] = {0};
	uint64_t at = NSEC_PER_SEC, commit = 0;
	unsigned char *p = page + 16;
	static const uint32_t state[] = {1, UINT32_MAX};

	for (int i = 0; i < 2; i++) {
		/* four words of payload; the time since the record before in the upper 27 bits */
		uint32_t head = 4 | (i ? 1000000U << 5 : 0), id = IDLE_ID, pid = 0;

		memcpy(p, &head, 4);
		memcpy(p + 4, &id, 4);
		memcpy(p + 8, &pid, 4);
		memcpy(p + 12, &state[i], 4);
		memcpy(p + 16, &cpu, 4);
		p += 20;
		commit += 20;
	}
	memcpy(page, &at, 8);
	memcpy(page + 8, &commit, 8);
	put_bytes(page, sizeof(page), path);
}

static void put_instance(const char *dir)
{
	put_events(dir);
	put(dir, "trace_clock", "[local] global mono");
	put(dir, "tracing_on", "1");
	put(dir, "buffer_size_kb", "7");
	put(dir, "trace_marker", "");
	for (uint32_t i = 0; i < CPUS; i++) {
		char cpu[200], path[300];

		snprintf(cpu, sizeof(cpu), "%s/per_cpu/cpu%u", dir, i);
		put(cpu, "stats", i ? "entries: 0\noverrun: 3\ndropped events: 4\n" : "overrun: 0\n");
		put(cpu, "buffer_size_kb", "7");
		snprintf(path, sizeof(path), "%s/trace_pipe_raw", cpu);
		put_page(path, i);
	}
}

int mkdir(const char *path, mode_t mode)
{
	int ret = (int)syscall(SYS_mkdir, path, mode);

	if (!ret && strstr(path, "/instances/"))
		put_instance(path);
	return ret;
}

int rmdir(const char *path)
{
	char command[500];

	if (!strstr(path, "/instances/"))
		return (int)syscall(SYS_rmdir, path);
	snprintf(command, sizeof(command), "rm -r '%s'", path);
	return system(command) ? -1 : 0;
}

ssize_t write(int fd, const void *buf, size_t n)
{
	char link[40], path[400];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	path[len > 0 ? len : 0] = '\0';
	if (kernel.refuse_path && strstr(path, kernel.refuse_path) &&
		memmem(buf, n, kernel.refuse_text, strlen(kernel.refuse_text))) {
		errno = kernel.refuse_errno;
		return -1;
	}
	/* each write is one more command to the kernel */
	if (strstr(path, "kprobe_events"))
		lseek(fd, 0, SEEK_END);
	return syscall(SYS_write, fd, buf, n);
}

static char *tracing(void)
{
	static char dir[100];

	snprintf(dir, sizeof(dir), "%s/tracing", root);
	return dir;
}

static void boot(enum record_arch arch, int version)
{
	char path[200];

	memset(&kernel, 0, sizeof(kernel));
	kernel.arch = arch;
	kernel.version = version;
	strcpy(root, "/tmp/reidle-record-XXXXXX");
	assert_non_null(mkdtemp(root));
	put_events(tracing());
	put(tracing(), "kprobe_events", "");
	put(tracing(), "printk_formats", "");
	put(tracing(), "saved_cmdlines", "0 <idle>\n");
	snprintf(path, sizeof(path), "%s/proc", root);
	put(path, "kallsyms", "ffffffff81000000 T hrtimer_wakeup\nffffffff81000010 d data\n");
	snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/cpuidle", root);
	put(path, "current_driver", "intel_idle\n");
	snprintf(path, sizeof(path), "%s/instances", tracing());
	syscall(SYS_mkdir, path, 0700);
	tracefs_set_tracing_dir(tracing());
	word_file = fmemopen(words, sizeof(words), "w");
	setbuf(word_file, NULL);
	memset(words, 0, sizeof(words));
}

static void halt(void)
{
	char command[100];

	fclose(word_file);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	assert_int_equal(system(command), 0);
}

static struct record_plan plan_of(enum record_level level, bool probes)
{
	static char output[100];

	snprintf(output, sizeof(output), "%s/out.dat", root);
	return (struct record_plan){.level = level, .probes = probes, .output = output,
		.buffer_kb = 8192};
}

static struct record_session session_of(const struct record_plan *plan)
{
	return (struct record_session){.plan = plan, .root = root, .words = word_file,
		.arch = kernel.arch, .kernel = kernel.version};
}

/* the one instance of this process */
static const char *instance(void)
{
	static char dir[200];

	snprintf(dir, sizeof(dir), "%s/instances/reidle-%d", tracing(), (int)getpid());
	return dir;
}

static bool is_on(const char *event)
{
	char name[200], text[16];

	snprintf(name, sizeof(name), "events/%s/enable", event);
	return get(text, sizeof(text), instance(), name) && text[0] == '1';
}

static bool in_kprobes(const char *text)
{
	char all[4096];

	return get(all, sizeof(all), tracing(), "kprobe_events") && strstr(all, text);
}

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
