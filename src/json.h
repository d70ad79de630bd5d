/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JSON documents of cli.md, by jansson: machines, runs, sums. Times are integers in ns, ratios
 * doubles, what is unknown null. Each function returns a new reference, which the caller owns.
 */
#ifndef REIDLE_SRC_JSON_H
#define REIDLE_SRC_JSON_H

#include <jansson.h>

#include "src/facts.h"
#include "src/run.h"

/** json_document() - {"schema": "reidle.COMMAND/1", "reidle": version} */
json_t *json_document(const char *command);

/** json_ratio() - a double, or null for NAN and infinities */
json_t *json_ratio(double v);

/** json_known() - an integer, or null when not known */
json_t *json_known(bool known, int64_t v);

/** json_text() - a string, null when empty; bytes that are no UTF-8 become '?' */
json_t *json_text(const char *s);

json_t *json_machine(const struct machine *m);

/**
 * json_sums() - the array "states" of one table
 * @r: run the sums belong to, @t: their table, @sum: STATES_MAX entries
 */
json_t *json_sums(const struct run *r, const struct state_table *t, const struct state_sum *sum);

/**
 * json_run() - label, governor, params, table, latency_model, cpus[], total
 * @params: stolen; NULL for none
 */
json_t *json_run(const struct run *r, json_t *params);

/**
 * json_run_whatif() - add to an object of json_run() what a what-if knows of the run
 * @recorded: run 0, for the totals that come as {"rec", "run"}
 */
void json_run_whatif(json_t *obj, const struct run *r, const struct run *recorded);

/** json_groups() - array of {name, cpus, span_ns, states[], total}, for --by */
json_t *json_groups(const struct facts *f);

json_t *json_latency(const struct latency_sum *l);

/** json_print() - print indented, with a newline, and release; order of keys as they were set */
void json_print(json_t *doc, FILE *out);

/** json_cpu_list() - the CPUs with a flag set as "0-3,7"; the caller frees the text */
char *json_cpu_list(const bool *set, int n);

/** json_table_cpus() - the CPUs that have one table of a machine, as json_cpu_list() */
char *json_table_cpus(const struct machine *m, int table);

#endif
