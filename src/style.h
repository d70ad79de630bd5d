/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shapes in which people post idle tables (exports.md): a style is a layout and a list of measures.
 * style_write() takes one or more runs as facts with the same groups; runs[0] is the baseline.
 */
#ifndef REIDLE_SRC_STYLE_H
#define REIDLE_SRC_STYLE_H

#include "src/facts.h"
#include "src/table.h"

struct style_set {
	const struct facts *run; /* [nruns], same number of groups */
	size_t nruns;
	const int *set_of;	 /* [nruns]: runs of one set are iterations of one thing; NULL: each alone */
	enum out_format format;
	size_t base;		 /* run that changes are against: "--style NAME:N"; 0 the first */
	const char *measures;	 /* NULL: the style's own list */
	const char *caption;	 /* "" none */
	const char *sort;	 /* head or CSV name of the column to sort by; NULL as built */
	const char *name;	 /* of the recording, for rows and mmtests rows */
	bool quiet;		 /* no legends */
	struct error *bad_sort;	 /* filled when a table has no column @sort; NULL: rows stay as they are */
};

struct style;
typedef void (*style_layout)(const struct style_set *set, const struct style *style, FILE *out);

struct style {
	const char *name;
	const char *what; /* one line */
	style_layout layout;
	const char *measures; /* names of measure_list, separated by spaces */
	enum table_rules rules;
};

extern const struct style style_list[]; /* ends with name NULL */

/** style_find() - by name or NAME:N, NULL name: "default"; NULL with err that lists the names */
const struct style *style_find(const char *name, struct error *err);

/** style_base() - N of NAME:N as an index of the set's runs; 0 when there is none or it is too high */
size_t style_base(const char *name, size_t nruns);

/** style_write() - print the set in the style */
void style_write(const struct style_set *set, const struct style *style, FILE *out);

/* --- for layouts --- */

/** style_measures() - the measures of a list that are known in at least one run; returns their number */
size_t style_measures(const struct style_set *set, const struct style *style,
	const struct measure **out, size_t max);

/** style_column(), style_cell() - a column of a measure, and its cell with weak marks */
void style_column(struct table *t, const struct measure *m);
void style_cell(struct table *t, const struct measure *m, const struct fact *f);

/** style_change() - (run - base) / base in percent; NAN where it cannot be told */
double style_change(const struct measure *m, const struct fact *base, const struct fact *run);

/** style_has_state() - does any run use, or any table know, the state in the group */
bool style_has_state(const struct style_set *set, int group, int state);
const char *style_state_name(const struct style_set *set, int group, int state);
void style_finish(const struct style_set *set, struct table *t, FILE *out);

/* the layouts, style_rows.c and style_columns.c */
void layout_states(const struct style_set *set, const struct style *style, FILE *out);
void layout_misses(const struct style_set *set, const struct style *style, FILE *out);
void layout_rows(const struct style_set *set, const struct style *style, FILE *out);
void layout_cluster(const struct style_set *set, const struct style *style, FILE *out);
void layout_metric(const struct style_set *set, const struct style *style, FILE *out);
void layout_columns(const struct style_set *set, const struct style *style, FILE *out);
void layout_sweep(const struct style_set *set, const struct style *style, FILE *out);
void layout_reference(const struct style_set *set, const struct style *style, FILE *out);
void layout_mmtests(const struct style_set *set, const struct style *style, FILE *out);

#endif
