/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of `reidle decisions`: which decisions, in which order, and each cell as text.
 * Rows refer to the recording and must not outlive it; rows_free() releases them. Times are ns.
 */
#ifndef REIDLE_SRC_CMD_DECISION_ROWS_H
#define REIDLE_SRC_CMD_DECISION_ROWS_H

#include "src/recording.h"

struct decision_row {
	uint32_t cpu, index; /* into rec->decisions.cpu[cpu].d */
	int64_t cost_ns;
};

struct decision_rows {
	const struct recording *rec;
	struct decision_row *row;
	size_t n, cap;
	bool replayed; /* the columns of -g are there */
	struct gov_spec spec;
	struct taught_choice **choice; /* [ncpus][decisions] */
	char ***believed;	       /* [ncpus][decisions], NULL where nothing was said */
};

/* names of cells; the order is that of the table */
enum decision_cell { CELL_CPU, CELL_TIME, CELL_STATE, CELL_LENGTH, CELL_SLEEP, CELL_KNOWN, CELL_LIMIT,
	CELL_TICK, CELL_GOT_TICK, CELL_WAKE, CELL_SOURCE, CELL_VERDICT, CELL_IDEAL, CELL_COST,
	CELL_REPLAYED, CELL_STOP, CELL_BELIEVED, CELL_COUNT };

struct decision_column {
	const char *head, *unit, *key; /* key is the CSV name, with the unit of raw cells */
	int width;
	bool left, replay; /* replay: only with -g */
};

extern const struct decision_column decision_columns[CELL_COUNT];

/**
 * rows_gather() - the decisions that a selection holds; aborted ones only without a filter
 * @sort: "time" (default), "cpu", "length", "cost", "state"
 * Return: 0, or -1 with err (usage: no such column)
 */
int rows_gather(struct decision_rows *out, const struct recording *rec, const struct selection *sel,
	const char *sort, struct error *err);

/** rows_replay() - add the columns of a governor taught by the recording */
int rows_replay(struct decision_rows *rows, const struct gov_spec *spec,
	const struct replay_options *opt, struct error *err);
void rows_free(struct decision_rows *rows);

/**
 * rows_cell() - one cell as text
 * @raw: whole ns and numbers as in CSV; else us, seconds and words for people
 * Return: buf; "-" (raw: "") where there is nothing to say
 */
const char *rows_cell(const struct decision_rows *rows, size_t row, enum decision_cell cell, bool raw,
	char *buf, size_t size);

#endif
