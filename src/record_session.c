// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Setting a recording up and taking it down. The instance is made first and removed last, so that
 * whatever a killed recorder leaves can be recognized by an instance named after a dead process.
 */
#include "src/record_session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/utsname.h>
#include <unistd.h>

void record_say(const struct record_session *s, const char *fmt, ...)
{
	va_list ap;

	if (!s->words)
		return;
	fputs("reidle: ", s->words);
	va_start(ap, fmt);
	vfprintf(s->words, fmt, ap);
	va_end(ap);
	fputc('\n', s->words);
}

/* is this process a recorder that still runs */
static bool is_alive(const struct record_session *s, int pid)
{
	char path[300], comm[32] = "";
	FILE *f;

	if (pid <= 0 || (kill(pid, 0) && errno == ESRCH))
		return false;
	snprintf(path, sizeof(path), "%s/proc/%d/comm", s->root, pid);
	f = fopen(path, "re");
	if (!f)
		return true;
	if (!fgets(comm, sizeof(comm), f))
		comm[0] = '\0';
	fclose(f);
	/* the pid may have been given to another program since */
	return !strncmp(comm, "reidle", 6) || pid == getpid();
}

/* the pid in the name of an instance that a recorder made; -1 for those of others */
static int recorder_of(const char *instance)
{
	size_t len = strlen(RECORD_INSTANCE);
	const char *pid = instance + len;

	if (strncmp(instance, RECORD_INSTANCE, len) || !*pid || pid[strspn(pid, "0123456789")])
		return -1;
	return atoi(pid);
}

static void remove_instance(struct tracefs_instance *i)
{
	tracefs_trace_off(i);
	tracefs_event_disable(i, NULL, NULL);
	tracefs_instance_destroy(i);
}

int record_clean_up(struct record_session *s)
{
	char **names = tracefs_instances(NULL);
	int removed = 0;

	for (int k = 0; names && names[k]; k++) {
		int pid = recorder_of(names[k]);
		struct tracefs_instance *i;

		if (pid < 0 || pid == getpid())
			continue;
		if (is_alive(s, pid)) {
			s->shared = true;
			continue;
		}
		i = tracefs_instance_create(names[k]);
		if (!i)
			continue;
		remove_instance(i);
		tracefs_instance_free(i);
		record_say(s, "took down what a killed recorder (pid %d) had left", pid);
		removed++;
	}
	tracefs_list_free(names);
	if (removed && !s->shared) {
		s->probes_made = ~0U;
		record_probes_remove(s);
	}
	return removed;
}

/* why nothing can be recorded, in the words of what to do about it */
static int no_tracefs(const struct record_session *s, struct error *err)
{
	char path[300], mode[100] = "";
	FILE *f;

	snprintf(path, sizeof(path), "%s/sys/kernel/security/lockdown", s->root);
	f = fopen(path, "re");
	if (f) {
		if (!fgets(mode, sizeof(mode), f))
			mode[0] = '\0';
		fclose(f);
	}
	if (geteuid())
		return error_set(err, EXIT_INPUT,
			"record: the kernel's trace files need root: run it as root, or with sudo");
	if (strstr(mode, "[confidentiality]"))
		return error_set(err, EXIT_INPUT,
			"record: the kernel is locked down (confidentiality), which forbids tracing: "
			"boot without lockdown=confidentiality");
	return error_set(err, EXIT_INPUT,
		"record: no tracefs: mount -t tracefs none /sys/kernel/tracing (the kernel needs "
		"CONFIG_FTRACE and CONFIG_EVENT_TRACING)");
}

static bool tracefs_is_mounted(void)
{
	char line[512];
	bool found = false;
	FILE *f = fopen("/proc/mounts", "re");

	while (f && !found && fgets(line, sizeof(line), f))
		found = strstr(line, " tracefs ") || strstr(line, " debugfs ");
	if (f)
		fclose(f);
	return found;
}

static int make_instance(struct record_session *s, struct error *err)
{
	bool before = tracefs_is_mounted();
	const char *dir = tracefs_tracing_dir();
	char name[40];

	/* libtracefs mounts it where nobody has; it is not left behind */
	if (!before && tracefs_is_mounted())
		s->mounted = dir;
	if (!dir || access(dir, R_OK | W_OK))
		return no_tracefs(s, err);
	record_clean_up(s);
	snprintf(name, sizeof(name), RECORD_INSTANCE "%d", (int)getpid());
	s->instance = tracefs_instance_create(name);
	if (!s->instance)
		return error_set(err, EXIT_INPUT, "record: cannot make a trace instance in %s: %s", dir,
			strerror(errno));
	tracefs_trace_off(s->instance);
	return 0;
}

/* hrtimer events carry CLOCK_MONOTONIC: in that clock they need no alignment */
static int set_clock(struct record_session *s, struct error *err)
{
	static const char *const clock[] = {"mono", "global", "local"};

	for (size_t i = 0; i < ARRAY_SIZE(clock); i++) {
		if (tracefs_instance_file_write(s->instance, "trace_clock", clock[i]) < 0)
			continue;
		s->clock = clock[i];
		if (i)
			record_say(s, "no trace clock mono here: timers are aligned by their expiries");
		return 0;
	}
	return error_set(err, EXIT_INPUT, "record: cannot set the trace clock: %s", strerror(errno));
}

static int set_buffer(struct record_session *s, struct error *err)
{
	int kb = s->plan->buffer_kb;

	/* a small machine may not have that much in one piece */
	for (; kb >= 256; kb /= 2)
		if (tracefs_instance_set_buffer_size(s->instance, (size_t)kb, -1) >= 0)
			break;
	if (kb < 256)
		return error_set(err, EXIT_INPUT, "record: no memory for trace buffers of 256 KiB per CPU");
	if (kb != s->plan->buffer_kb)
		record_say(s, "buffers of %d KiB per CPU only: there was no memory for %d", kb,
			s->plan->buffer_kb);
	return 0;
}

static void say_missing(const struct record_session *s, const struct record_event *e)
{
	const char *why = e->since && !s->kernel ? "not on this kernel" : "missing on this kernel";

	if (e->loss)
		record_say(s, "%s:%s is %s: %s", e->system, e->name, why, e->loss);
}

static int set_events(struct record_session *s, struct error *err)
{
	for (int i = 0; record_events[i].system; i++) {
		const struct record_event *e = &record_events[i];

		if (e->level > s->plan->level)
			continue;
		s->event_on[i] = !tracefs_event_enable(s->instance, e->system, e->name);
		if (!s->event_on[i] && record_event_expected(e, s->arch, s->kernel))
			say_missing(s, e);
	}
	if (!s->event_on[0])
		return error_set(err, EXIT_INPUT,
			"record: this kernel has no power:cpu_idle event: it needs CONFIG_CPU_IDLE and "
			"CONFIG_EVENT_TRACING");
	return 0;
}

static int count_cpus(const struct record_session *s)
{
	long conf = sysconf(_SC_NPROCESSORS_CONF);
	char name[40];
	int n = 0;

	for (int i = 0; i < (conf > 0 ? conf : 1) || i < 8192; i++) {
		snprintf(name, sizeof(name), "per_cpu/cpu%d", i);
		if (tracefs_dir_exists(s->instance, name))
			n = i + 1;
		else if (i >= conf)
			break;
	}
	return n;
}

static int open_cpus(struct record_session *s, struct error *err)
{
	s->ncpus = count_cpus(s);
	if (!s->ncpus)
		return error_set(err, EXIT_INPUT, "record: the trace instance has no buffer of any CPU");
	s->cpu = xcalloc((size_t)s->ncpus, sizeof(*s->cpu));
	s->piece = xcalloc((size_t)s->ncpus, sizeof(*s->piece));
	s->piece_path = xcalloc((size_t)s->ncpus, sizeof(*s->piece_path));
	for (int i = 0; i < s->ncpus; i++)
		s->piece[i] = -1;
	for (int i = 0; i < s->ncpus; i++) {
		s->piece_path[i] = xasprintf("%s.partial-cpu%d", s->plan->output, i);
		s->piece[i] = open(s->piece_path[i], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
		if (s->piece[i] < 0)
			return error_set(err, EXIT_INPUT, "record: %s: %s: give another -o FILE",
				s->piece_path[i], strerror(errno));
		s->cpu[i] = tracefs_cpu_open(s->instance, i, true);
	}
	return 0;
}

/* without a driver the idle loop asks no governor, and mostly there are no cpu_idle events */
static void say_no_driver(const struct record_session *s)
{
	char path[300], driver[64] = "none";
	FILE *f;

	snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/cpuidle/current_driver", s->root);
	f = fopen(path, "re");
	if (f && !fgets(driver, sizeof(driver), f))
		driver[0] = '\0';
	if (f)
		fclose(f);
	if (!strncmp(driver, "none", 4))
		record_say(s, "this machine has no cpuidle driver (virtual machines often have none): "
			"there may be no idle states to record");
}

int record_session_open(struct record_session *s, struct error *err)
{
	struct utsname u;

	uname(&u);
	if (!s->arch)
		s->arch = record_arch_of(u.machine);
	if (!s->kernel)
		s->kernel = record_kernel_of(u.release);
	if (make_instance(s, err) || set_clock(s, err) || set_buffer(s, err) || open_cpus(s, err))
		return -1;
	if (set_events(s, err))
		return -1;
	if (s->plan->probes)
		record_probes_set(s);
	say_no_driver(s);
	return 0;
}

int record_session_trace(struct record_session *s, bool on, struct error *err)
{
	if (on ? tracefs_trace_on(s->instance) : tracefs_trace_off(s->instance))
		return error_set(err, EXIT_INPUT, "record: cannot switch tracing %s: %s", on ? "on" : "off",
			strerror(errno));
	return 0;
}

int record_session_mark(struct record_session *s, const char *lines, struct error *err)
{
	int fd = tracefs_instance_file_open(s->instance, "trace_marker", O_WRONLY), ret = 0;

	for (const char *p = lines; fd >= 0 && *p && !ret;) {
		size_t len = strcspn(p, "\n");

		ret = write(fd, p, len) < 0;
		p += len + (p[len] == '\n');
	}
	if (fd < 0 || ret)
		ret = error_set(err, EXIT_INPUT, "record: trace_marker: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return ret;
}

static void close_pieces(struct record_session *s)
{
	for (int i = 0; i < s->ncpus; i++) {
		if (s->cpu[i])
			tracefs_cpu_close(s->cpu[i]);
		if (s->piece[i] >= 0) {
			close(s->piece[i]);
			unlink(s->piece_path[i]);
		}
		free(s->piece_path[i]);
	}
	free(s->cpu);
	free(s->piece);
	free(s->piece_path);
}

void record_session_close(struct record_session *s)
{
	close_pieces(s);
	if (s->instance) {
		tracefs_trace_off(s->instance);
		tracefs_event_disable(s->instance, NULL, NULL);
		record_probes_remove(s);
		if (tracefs_instance_destroy(s->instance))
			record_say(s, "could not remove the trace instance %s: rmdir %s",
				tracefs_instance_get_name(s->instance),
				tracefs_instance_get_trace_dir(s->instance));
		tracefs_instance_free(s->instance);
	}
	if (s->mounted && umount(s->mounted))
		record_say(s, "could not unmount %s: %s", s->mounted, strerror(errno));
	s->mounted = NULL;
	s->instance = NULL;
	s->ncpus = 0;
}
