/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle-state dumps: what sysfs or cpupower showed of a machine at one moment, names and numbers of
 * each state and its counters, per CPU. A struct dump owns its CPUs; release with dump_free().
 * Latencies, residencies and times are us as printed, -1 where the dump does not say.
 */
#ifndef REIDLE_PARSERS_DUMP_H
#define REIDLE_PARSERS_DUMP_H

#include "src/error.h"
#include "src/machine.h"

#define DUMP_CPUS_MAX 8192
#define DUMP_NEVER_US 4294967295LL /* residency of s2idle: no governor ever chooses it */

struct dump_state {
	bool present;
	char name[32], desc[64];
	int64_t latency_us, residency_us;
	int64_t usage, time_us, above, below, rejected;
	int64_t s2idle_usage, s2idle_time_us;
	int64_t disable;	/* the file's number; 0 enabled */
	int64_t default_off;	/* 1: default_status is disabled */
};

struct dump_cpu {
	int nstates; /* highest state number seen + 1; may have gaps (present false) */
	struct dump_state state[STATES_MAX];
};

struct dump {
	char format[24]; /* "sysfs", "cpupower" */
	char driver[32], governor[32];
	char available[80]; /* available_governors */
	int ncpus;	    /* highest CPU number seen + 1 */
	int cap;
	struct dump_cpu **cpu; /* [ncpus]; NULL: not in the dump (offline, or not asked for) */
	int repeats;	       /* counters that came twice with other numbers: two dumps in one file */
	int dropped;	       /* lines with a CPU or state number out of range */
};

/**
 * dump_load() - read a dump
 * @path: `grep -r .` text, cpupower idle-info output, a sysfs folder, a tar of one; also packed
 * Return: 0, or -1 with err
 */
int dump_load(struct dump *out, const char *path, struct error *err);

/**
 * dump_parse() - the same from bytes in memory (text only)
 * @name: for messages
 */
int dump_parse(struct dump *out, const char *name, const char *text, size_t size,
	struct error *err);

/** dump_is() - do the bytes look like a dump; 0 no, 1..100 how sure */
int dump_is(const char *text, size_t size);

void dump_free(struct dump *d);

/**
 * dump_machine() - the machine of a dump; source is MACHINE_FILE, from is @from
 * States with s2idle's residency are no governor states and left out; the numbers of others stay.
 * Residencies that the dump lacks come from a table with the same names and latencies, or from the
 * driver's rule; else they are TIME_UNKNOWN, and the table's note says which.
 * Return: 0, or -1 with err (no idle states in the dump)
 */
int dump_machine(struct machine *out, const struct dump *d, const char *from, struct error *err);

/**
 * dump_load_table() - what -t and --states take: a table's id, a .tsv file or a dump; "-" reads a dump
 * @ncpus: for tables; dumps bring their own number
 */
int dump_load_table(struct machine *out, const char *name_or_file, int ncpus, struct error *err);

/**
 * dump_subtract() - counters of @after minus @before
 * @out: names and numbers of @after, counters of the time between; -1 where one of the two lacks it
 * Return: 0, or -1 with err when the two are not of one machine or a counter went back
 */
int dump_subtract(struct dump *out, const struct dump *before, const struct dump *after,
	struct error *err);

/* for the readers of parsers/dump_*.c */

/** dump_state_at() - the state's slot, made when new; NULL (and counted) when out of range */
struct dump_state *dump_state_at(struct dump *d, long cpu, long state);

/** dump_sysfs_path() - one file of a tree; path and value without newline */
void dump_sysfs_value(struct dump *d, const char *path, size_t path_len, const char *value,
	size_t len);
void dump_sysfs_text(struct dump *d, const char *text, size_t size);
void dump_cpupower_text(struct dump *d, const char *text, size_t size);

/** dump_fill_residencies() - see dump_machine(); only states whose residency is unknown change */
void dump_fill_residencies(struct state_table *t, const char *driver);

#endif
