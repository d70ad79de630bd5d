/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPUs, which window, which periods: --cpus, --from, --to and --filter, as one question.
 * A selection belongs to one trace and is released with selection_free(). Times are absolute ns.
 */
#ifndef REIDLE_SRC_SELECTION_H
#define REIDLE_SRC_SELECTION_H

#include "src/expr.h"
#include "src/run.h"

/* fields of an idle period that an expression may name; shared by --filter and the screen */
enum period_field { FIELD_CPU, FIELD_TIME, FIELD_STATE, FIELD_INDEX, FIELD_LENGTH, FIELD_MISS,
	FIELD_VERDICT, FIELD_IDEAL, FIELD_COST, FIELD_WAKE, FIELD_WAKER, FIELD_FORCED, FIELD_COUNT };

extern const struct expr_field period_fields[FIELD_COUNT];

/* one period as an expression sees it */
struct period_ref {
	const struct run *run;
	int cpu;
	const struct period *p;
};

/** period_read() - an expr_read; @ctx is a struct period_ref */
struct expr_value period_read(void *ctx, int field);

/**
 * period_cost_ns() - what the choice cost: time short of the target residency where above, length
 * beyond the ideal state's residency where below, else 0 (replay.md 5); 0 when the table is guessed
 */
int64_t period_cost_ns(const struct period_ref *ref);

struct selection {
	bool *cpu; /* NULL: all */
	int ncpus;
	int64_t from_ns, to_ns; /* a period counts when it begins in [from, to) */
	struct expr *filter;	/* NULL: none */
	bool any;		/* does it leave anything out at all */
};

/**
 * selection_make() - from the texts of the command line, each of which may be NULL
 * @cpus: "0-3,7"; @from, @to: times as options_time() takes them, already in ns
 * @filter: expression over period_fields
 * Return: 0, or -1 with err (usage)
 */
int selection_make(struct selection *s, bool *cpus, int ncpus, int64_t from_ns, int64_t to_ns,
	const char *filter, struct error *err);
void selection_free(struct selection *s);

static inline bool selection_has_cpu(const struct selection *s, int cpu)
{
	return !s->cpu || (cpu < s->ncpus && s->cpu[cpu]);
}

/** selection_has() - is this period of the run chosen */
bool selection_has(const struct selection *s, const struct run *r, int cpu, const struct period *p);

/**
 * run_select() - a run that holds only the chosen periods, with its sums made anew
 * @out: owns its arrays; release with run_free(). Sums that are not made of periods (ticks, changes,
 * latencies) are copied as they are: they speak of the whole run.
 */
void run_select(struct run *out, const struct run *r, const struct selection *s, int64_t event_cost_ns);

#endif
