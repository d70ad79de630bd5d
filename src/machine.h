/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine of a recording or of a what-if: its idle-state tables and which CPU has which.
 * A struct machine owns its tables; copies are deep (machine_copy). Times are ns.
 * The analysing host is never asked about anything.
 */
#ifndef REIDLE_SRC_MACHINE_H
#define REIDLE_SRC_MACHINE_H

#include "src/error.h"
#include "src/util.h"

#define STATES_MAX 10		    /* CPUIDLE_STATE_MAX of the kernel */
#define LATENCY_ANY 2000000000000LL /* the kernel's limit without any request, ns (governors.md 5.7) */
#define TIME_UNKNOWN (-1LL)	    /* a latency or residency that no source gave */

/* when a polling-like state gives up by itself; a property of the machine, whatever the flag says */
enum state_timeout {
	TIMEOUT_NONE,
	TIMEOUT_POLL_IDLE,	/* generic poll_idle(): governors.md 5.6 */
	TIMEOUT_NEXT_RESIDENCY, /* pseries snooze: the residency of state 1 */
	TIMEOUT_NEXT_ENABLED,	/* powernv snooze: residency of the next enabled state, else a tick */
	TIMEOUT_TICK,
	TIMEOUT_FIXED, /* timeout_ns */
};

struct idle_state {
	char name[32]; /* as sysfs has it; may hold spaces */
	int64_t exit_latency_ns, target_residency_ns; /* or TIME_UNKNOWN */
	bool polling;  /* CPUIDLE_FLAG_POLLING as the governor sees it */
	bool disabled; /* at the time of the recording, or by default */
	enum state_timeout timeout;
	int64_t timeout_ns;	      /* TIMEOUT_FIXED only */
	bool timeout_sets_poll_limit; /* is the governor told that the polling limit was hit */
};

struct state_table {
	char id[32];	 /* "skl", "pseries-p9", or "" when from a dump */
	char title[120]; /* which machines, kernels */
	char source[160];
	char cpus[80];	 /* "0-3,7" where a table file says it; "" any */
	char note[160]; /* e.g. "residencies are rule-made (10 x latency): no energy information" */
	int nstates;	/* 1..STATES_MAX */
	struct idle_state state[STATES_MAX];
	bool rule_made; /* residencies follow from latencies by rule: no energy from break-even */
};

enum machine_source { MACHINE_RECORDED, MACHINE_FILE, MACHINE_TABLE, MACHINE_GUESSED };

struct machine {
	enum machine_source source;
	char from[200]; /* file or table id, or why guessed: for headers */
	struct state_table *tables;
	int ntables;
	int ncpus;
	uint8_t *table_of; /* [ncpus]: index into tables */
	char driver[32], governor[32]; /* "" unknown */
	int hz;			       /* 0 unknown */
	/* latency limits when the recording began, LATENCY_ANY without one; cpu_limit_ns NULL: unknown */
	int64_t limit_ns;      /* of all CPUs */
	int64_t *cpu_limit_ns; /* [ncpus] */
};

/** machine_table() - the table of one CPU; CPUs beyond the known ones have that of CPU 0 */
static inline const struct state_table *machine_table(const struct machine *m, int cpu)
{
	return &m->tables[cpu < m->ncpus ? m->table_of[cpu] : 0];
}

/** machine_source_name() - "recorded", "file", "table", "guessed" */
const char *machine_source_name(enum machine_source source);

/**
 * machine_uniform() - a machine whose CPUs all have one table
 * @out: filled; release with machine_free()
 * @table: copied
 * @ncpus: number of CPUs, >= 1
 */
void machine_uniform(struct machine *out, const struct state_table *table, int ncpus);
void machine_copy(struct machine *out, const struct machine *m);
void machine_free(struct machine *m);

/**
 * machine_guess() - for a recording without any table: states by number, no latencies known
 * @deepest: highest state number seen, 0..STATES_MAX-1. Names are "state0"...; source is GUESSED.
 */
void machine_guess(struct machine *out, int deepest, int ncpus);

/**
 * machine_timeout() - how long the state lasts before it gives up by itself
 * @t: the table, @state: 0..nstates-1, @hz: tick rate; 0 (unknown) is taken as 250
 * Return: ns, or INT64_MAX when it does not
 * Source: drivers/cpuidle/cpuidle.c cpuidle_poll_time() 6.1..7.3, cpuidle-pseries.c, cpuidle-powernv.c
 */
int64_t machine_timeout(const struct state_table *t, int state, int hz);

/** machine_judges() - are all latencies and residencies known, so that above and below can be told */
bool machine_judges(const struct machine *m);

enum verdict { VERDICT_NONE, VERDICT_OK, VERDICT_ABOVE, VERDICT_BELOW };

/**
 * machine_verdict() - was the state too deep or too shallow, by the kernel's own arithmetic
 * @t: table (target residency, exit latency, disabled are used)
 * @state: state entered
 * @residency_ns: the kernel's last_residency_ns
 * Return: VERDICT_NONE when the table does not know the state or the numbers that decide
 * Source: drivers/cpuidle/cpuidle.c cpuidle_enter_state(), governors.md 5.4
 */
enum verdict machine_verdict(const struct state_table *t, int state, int64_t residency_ns);

/* the same worked out once for a state: too deep below one length, too shallow from another on */
struct verdict_span {
	int64_t above_ns, beyond_ns;
	enum verdict beyond; /* VERDICT_BELOW, or VERDICT_NONE where the deeper state is not known */
};

/** machine_verdict_span() - of any state; one that the table does not know gives VERDICT_NONE */
struct verdict_span machine_verdict_span(const struct state_table *t, int state);

static inline enum verdict verdict_in(const struct verdict_span *s, int64_t residency_ns)
{
	if (residency_ns >= s->beyond_ns)
		return s->beyond;
	return residency_ns < s->above_ns ? VERDICT_ABOVE : VERDICT_OK;
}

/**
 * machine_ideal() - deepest enabled state whose residency fits and whose latency is inside the limit
 * @length_ns: the true idle length, @limit_ns: latency limit
 * Return: index; the shallowest enabled state when none fits
 */
int machine_ideal(const struct state_table *t, int64_t length_ns, int64_t limit_ns);

/* what the ideal state alone would not tell about a verdict */
enum verdict_reason {
	REASON_PLAIN,	    /* nothing: verdict and ideal state say the same */
	REASON_DEEPEST,	    /* right: there is none deeper */
	REASON_SHALLOWEST,  /* right, its target not reached: there is none shallower */
	REASON_EXIT_TIME,   /* right: a deeper target fits the length, but not without this state's exit latency */
	REASON_OWN_EXIT,    /* right: not longer than its own exit latency */
	REASON_NEXT_DEEPER, /* right: the next deeper does not fit; those behind it are not looked at */
	REASON_DISABLED,    /* its own state is disabled in the table */
	REASON_LIMIT,	    /* below: the latency limit ruled the ideal state out */
	REASON_EDGE,	    /* another length decided than the one given: by less than the two differ */
};

/**
 * machine_reason() - why a verdict is what it is where the ideal state alone suggests another
 * @entered: state, @v: its verdict, @length_ns: what it was judged on, @limit_ns: latency limit or LATENCY_ANY
 * @ideal: set to machine_ideal() of the length, or with REASON_EDGE to the state that the verdict means
 * Source: as machine_verdict()
 */
enum verdict_reason machine_reason(const struct state_table *t, int entered, enum verdict v,
	int64_t length_ns, int64_t limit_ns, int *ideal);

/**
 * machine_find_state() - by name (case matters), or by index written in digits; -1 when absent
 */
int machine_find_state(const struct state_table *t, const char *name);

/**
 * table_apply_driver() - set what sysfs does not show: polling, time-outs, rule-made residencies
 * @t: names, latencies and residencies are filled
 * @driver: cpuidle driver ("intel_idle", "pseries_idle"...), "" unknown: told from the state names
 * Source: drivers/cpuidle/poll_state.c, cpuidle-pseries.c, cpuidle-powernv.c of 6.1 and 6.12
 */
void table_apply_driver(struct state_table *t, const char *driver);

/** table_timeout_text() - "none", "poll_idle", "next_residency", "next_enabled", "tick" or "30us" */
void table_timeout_text(const struct idle_state *s, char *out, size_t size);

/** table_write_tsv() - the table as lines of a table file; all times must be known */
void table_write_tsv(const struct state_table *t, FILE *f);

/** a table file, read: the tables and the rows that were left out with the reason */
struct table_omit {
	char id[32], title[120], why[160];
};

struct table_set {
	struct state_table *table;
	size_t n, cap;
	struct table_omit *omit;
	size_t nomits, omit_cap;
};

/** tables_read_file() - add the tables of one .tsv file; -1 with err naming file and line */
int tables_read_file(struct table_set *set, const char *path, struct error *err);

/**
 * tables_read_all() - every table of $REIDLE_DATA, the installed and the source machines/ folder
 * The first folder that exists counts; a table of $REIDLE_DATA replaces one of the same id.
 */
int tables_read_all(struct table_set *set, struct error *err);
const struct state_table *tables_find(const struct table_set *set, const char *id);
void tables_free(struct table_set *set);

/**
 * machine_load_table() - a machine from a table
 * @name_or_file: an id ("skl"), several with their CPUs ("gs101-ananke=0-3,gs101-hera=4-7"), or
 *	a .tsv file: FILE of one table or of clusters that say their CPUs, or FILE:ID[=CPUS]... Dumps: dump_load_table() of parsers/dump.h
 * @ncpus: >= 1; clusters that say their CPUs may make it more
 * Return: 0, or -1 with err naming ids that come close
 */
int machine_load_table(struct machine *out, const char *name_or_file, int ncpus,
	struct error *err);

/**
 * machine_set() - edit every table that has the state: STATE.latency=US, STATE.residency=US,
 *	STATE.polling=on|off; STATE is a name or an index
 * Return: 0, or -1 with err (usage: names the known states and fields)
 */
int machine_set(struct machine *m, const char *text, struct error *err);

/** machine_set_disabled() - --disable-state, --enable-state: comma-separated names or indices */
int machine_set_disabled(struct machine *m, const char *states, bool disabled, struct error *err);

/** machine_parse_us() - "12", "0.5" us to ns; false when it is no time within 0..4294967295 us */
bool machine_parse_us(int64_t *out_ns, const char *text);

#endif
