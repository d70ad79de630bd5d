/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A made-up tracefs for the tests of the recorder: mkdir() and rmdir() stand in for the kernel, which
 * fills a new instance and empties one that goes, and write() for a kernel that refuses something. For
 * programs of one file.
 */
#ifndef REIDLE_TESTS_MADE_KERNEL_H
#define REIDLE_TESTS_MADE_KERNEL_H

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

#endif
