// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The recording machine in "reidle1" lines (doc/machine-text.md), from sysfs and /proc. Everything that
 * cannot be read is left out: a reader then falls back to what it would do without it.
 */
#include "src/record_machine.h"
#include "src/machine_text.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define SYS_CPU "/sys/devices/system/cpu"

struct writing {
	FILE *f;
	const char *root;
	int ncpus;
	char shape[MACHINE_TABLES][2048]; /* the state lines of each table, without its number */
	int ntables;
	int *table_of; /* [ncpus], -1 no cpuidle */
};

/* first line of a file under the root, without newline; false when it cannot be read */
static bool read_line(const struct writing *w, char *out, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static bool read_line(const struct writing *w, char *out, size_t size, const char *fmt, ...)
{
	char path[512];
	va_list ap;
	int n = snprintf(path, sizeof(path), "%s", w->root);
	FILE *f;
	bool ok;

	va_start(ap, fmt);
	vsnprintf(path + n, sizeof(path) - (size_t)n, fmt, ap);
	va_end(ap);
	f = fopen(path, "re");
	if (!f)
		return false;
	ok = fgets(out, (int)size, f) != NULL;
	fclose(f);
	if (ok)
		out[strcspn(out, "\n")] = '\0';
	return ok && *out;
}

/* a number of a state's file; -1 when there is none */
static long long state_number(const struct writing *w, int cpu, int state, const char *file)
{
	char text[64], *end;
	long long v;

	if (!read_line(w, text, sizeof(text), SYS_CPU "/cpu%d/cpuidle/state%d/%s", cpu, state, file))
		return -1;
	v = strtoll(text, &end, 10);
	return end == text ? -1 : v;
}

static bool is_emulated(const struct writing *w)
{
	char text[256];

	/* a pseries guest says so in cpuinfo; QEMU's generic x86 CPUs have its name in their model */
	if (read_line(w, text, sizeof(text), "/sys/class/dmi/id/sys_vendor") && !strcmp(text, "QEMU"))
		return true;
	if (read_line(w, text, sizeof(text), "/proc/device-tree/compatible") &&
		(strstr(text, "dummy-virt") || strstr(text, "qemu")))
		return true;
	return read_line(w, text, sizeof(text), "/proc/device-tree/model") && strstr(text, "qemu");
}

static void write_system(const struct writing *w)
{
	struct utsname u;
	struct timespec tick;
	long hz = 0;

	uname(&u);
	/* the coarse clocks advance once a tick and say so */
	if (!clock_getres(CLOCK_MONOTONIC_COARSE, &tick) && !tick.tv_sec && tick.tv_nsec > 0)
		hz = (NSEC_PER_SEC + tick.tv_nsec / 2) / tick.tv_nsec;
	fprintf(w->f, MACHINE_TEXT_TAG "system release=%s machine=%s cpus=%d", u.release, u.machine,
		w->ncpus);
	if (hz)
		fprintf(w->f, " hz=%ld", hz);
	fprintf(w->f, " emulated=%d\n", is_emulated(w));
	fprintf(w->f, MACHINE_TEXT_TAG "version name=%s\n", u.version);
}

static void write_cpuidle(const struct writing *w)
{
	char driver[64] = "", governor[64] = "";

	read_line(w, driver, sizeof(driver), SYS_CPU "/cpuidle/current_driver");
	if (!read_line(w, governor, sizeof(governor), SYS_CPU "/cpuidle/current_governor"))
		read_line(w, governor, sizeof(governor), SYS_CPU "/cpuidle/current_governor_ro");
	fprintf(w->f, MACHINE_TEXT_TAG "cpuidle driver=%s governor=%s\n", driver, governor);
}

static void write_limits(const struct writing *w)
{
	char path[300], text[32];
	int32_t us;
	int fd;

	snprintf(path, sizeof(path), "%s/dev/cpu_dma_latency", w->root);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && read(fd, &us, sizeof(us)) == sizeof(us) && us >= 0)
		fprintf(w->f, MACHINE_TEXT_TAG "limit us=%d\n", us);
	if (fd >= 0)
		close(fd);
	for (int i = 0; i < w->ncpus; i++) {
		if (!read_line(w, text, sizeof(text), SYS_CPU "/cpu%d/power/pm_qos_resume_latency_us", i))
			continue;
		/* sysfs: "0" is no limit, "n/a" is a limit of zero */
		if (!strcmp(text, "n/a"))
			fprintf(w->f, MACHINE_TEXT_TAG "limit cpu=%d us=0\n", i);
		else if (atoi(text) > 0)
			fprintf(w->f, MACHINE_TEXT_TAG "limit cpu=%d us=%d\n", i, atoi(text));
	}
}

/* the state lines of one CPU with '#' for the table's number; empty without cpuidle */
static void cpu_shape(const struct writing *w, int cpu, char *out, size_t size)
{
	char name[32];
	size_t n = 0;

	out[0] = '\0';
	for (int i = 0; i < STATES_MAX && n < size; i++) {
		if (!read_line(w, name, sizeof(name), SYS_CPU "/cpu%d/cpuidle/state%d/name", cpu, i))
			break;
		n += (size_t)snprintf(out + n, size - n,
			MACHINE_TEXT_TAG "state table=# index=%d latency_us=%lld residency_us=%lld name=%s\n",
			i, state_number(w, cpu, i, "latency"), state_number(w, cpu, i, "residency"), name);
	}
}

static void find_tables(struct writing *w)
{
	char shape[sizeof(w->shape[0])];
	int t;

	for (int i = 0; i < w->ncpus; i++) {
		w->table_of[i] = -1;
		cpu_shape(w, i, shape, sizeof(shape));
		if (!*shape)
			continue;
		for (t = 0; t < w->ntables && strcmp(w->shape[t], shape); t++)
			;
		if (t == MACHINE_TABLES)
			continue;
		if (t == w->ntables)
			copy_text(w->shape[w->ntables++], sizeof(shape), shape);
		w->table_of[i] = t;
	}
}

/* "0-3,8" in lines of at most some hundred bytes, since a marker is cut at 1 KiB by old kernels */
static void write_table_cpus(const struct writing *w, int t)
{
	char list[300];
	size_t n = 0;

	for (int i = 0; i < w->ncpus; i++) {
		int from = i;

		if (w->table_of[i] != t)
			continue;
		while (i + 1 < w->ncpus && w->table_of[i + 1] == t)
			i++;
		n += (size_t)snprintf(list + n, sizeof(list) - n, i > from ? "%s%d-%d" : "%s%d",
			n ? "," : "", from, i);
		if (n > sizeof(list) - 30) {
			fprintf(w->f, MACHINE_TEXT_TAG "table id=%d cpus=%s\n", t, list);
			n = 0;
		}
	}
	if (n)
		fprintf(w->f, MACHINE_TEXT_TAG "table id=%d cpus=%s\n", t, list);
}

static void write_tables(const struct writing *w)
{
	for (int t = 0; t < w->ntables; t++) {
		write_table_cpus(w, t);
		for (const char *s = w->shape[t]; *s; s++) {
			if (*s == '#' && s[-1] == '=')
				fprintf(w->f, "%d", t);
			else
				fputc(*s, w->f);
		}
	}
}

static void write_topology(const struct writing *w)
{
	static const struct {
		const char *key, *file;
	} level[] = {
		{"core", "core_id"}, {"cluster", "cluster_id"}, {"package", "physical_package_id"}};
	char text[32];

	for (int i = 0; i < w->ncpus; i++) {
		if (!read_line(w, text, sizeof(text), SYS_CPU "/cpu%d/topology/core_id", i))
			continue;
		fprintf(w->f, MACHINE_TEXT_TAG "topology cpu=%d", i);
		for (size_t k = 0; k < ARRAY_SIZE(level); k++)
			if (read_line(w, text, sizeof(text), SYS_CPU "/cpu%d/topology/%s", i, level[k].file))
				fprintf(w->f, " %s=%s", level[k].key, text);
		fputc('\n', w->f);
	}
}

static void write_counts(const struct writing *w, int cpu)
{
	static const char *const file[] = {"usage", "time", "above", "below", "rejected"};
	char off[64] = "";
	size_t n = 0;

	for (int i = 0; i < STATES_MAX && state_number(w, cpu, i, "usage") >= 0; i++) {
		fprintf(w->f, MACHINE_TEXT_TAG "count cpu=%d state=%d", cpu, i);
		for (size_t k = 0; k < ARRAY_SIZE(file); k++) {
			long long v = state_number(w, cpu, i, file[k]);

			if (v >= 0)
				fprintf(w->f, " %s=%lld", k == 1 ? "time_us" : file[k], v);
		}
		fputc('\n', w->f);
		if (state_number(w, cpu, i, "disable") > 0)
			n += (size_t)snprintf(off + n, sizeof(off) - n, "%s%d", n ? "," : "", i);
	}
	if (n)
		fprintf(w->f, MACHINE_TEXT_TAG "off cpu=%d states=%s\n", cpu, off);
}

char *record_machine_text(const char *root, int ncpus, const char *when)
{
	struct writing *w = xcalloc(1, sizeof(*w));
	char *text = NULL;
	size_t size;

	w->root = root;
	w->ncpus = ncpus;
	w->table_of = xcalloc((size_t)ncpus, sizeof(*w->table_of));
	w->f = open_memstream(&text, &size);
	fprintf(w->f, MACHINE_TEXT_TAG "begin when=%s\n", when);
	if (!strcmp(when, "before")) {
		write_system(w);
		write_cpuidle(w);
		write_limits(w);
		find_tables(w);
		write_tables(w);
		write_topology(w);
	}
	for (int i = 0; i < ncpus; i++)
		write_counts(w, i);
	fprintf(w->f, MACHINE_TEXT_TAG "end when=%s\n", when);
	fclose(w->f);
	free(w->table_of);
	free(w);
	return text;
}
