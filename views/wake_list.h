/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ended the idle periods of the recording, counted per source in slices, crossed with states and
 * misses. The list owns its rows; wake_list_free() releases them.
 */
#ifndef REIDLE_VIEWS_WAKE_LIST_H
#define REIDLE_VIEWS_WAKE_LIST_H

#include "src/selection.h"
#include "views/session.h"

struct wake_row {
	uint8_t kind;
	uint32_t name;
	uint64_t n, above, below, by_state[STATES_MAX];
	int64_t time_ns;
};

enum wake_sort { WAKE_BY_COUNT, WAKE_BY_MISSES, WAKE_BY_TIME, WAKE_SORTS };

struct wake_list {
	struct wake_row *row;
	size_t n, cap;
	int *slot; /* [kinds * names]: row + 1 */
	uint64_t total;
	int64_t time_ns;
	int only_cpu, cpu; /* -1: all; where the slices are */
	size_t i;
	struct expr *filter;
	enum wake_sort sort;
	bool done;
};

/** wake_list_start() - begin anew; @filter is taken over */
void wake_list_start(struct wake_list *l, const struct session *s, int only_cpu, struct expr *filter);
/** wake_list_work() - a slice; false when there was nothing left to do */
bool wake_list_work(struct wake_list *l, const struct session *s);
void wake_list_sort(struct wake_list *l, enum wake_sort sort);
void wake_list_free(struct wake_list *l);

#endif
