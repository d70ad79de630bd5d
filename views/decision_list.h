/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decisions that pass a filter, in an order. Made in slices, so that ten million of them stop no
 * key. The list owns its index and its compiled filter; decision_list_free() releases them.
 */
#ifndef REIDLE_VIEWS_DECISION_LIST_H
#define REIDLE_VIEWS_DECISION_LIST_H

#include "src/selection.h"
#include "views/session.h"

/* beyond so many, sorting would take longer than a key may wait */
#define SORT_MAX 500000

enum decision_sort { SORT_CPU, SORT_TIME, SORT_COST, SORT_LENGTH, SORT_TIMER, SORT_PREDICTED,
	SORT_ERROR, SORTS };

struct decision_item {
	uint32_t i;   /* of the CPU's decisions, or of its periods where there are no decisions */
	uint16_t cpu;
};

struct decision_list {
	struct decision_item *item;
	size_t n, cap;
	struct expr *filter; /* NULL: all */
	enum decision_sort sort;
	bool up;	/* smallest first */
	int cpu;	/* where the scan is */
	size_t i;
	bool done, sorted;
	struct sorter *sorter; /* while it is being sorted */
};

/** decision_list_start() - begin anew; @filter is taken over */
void decision_list_start(struct decision_list *l, struct expr *filter);
/** decision_list_work() - one slice; false when there was nothing left to do */
bool decision_list_work(struct decision_list *l, const struct session *s);
/** decision_list_sort() - in another order, once decision_list_start() has been called again */
void decision_list_sort(struct decision_list *l, enum decision_sort sort, bool up);
void decision_list_free(struct decision_list *l);

/** decision_list_total() - of the recording */
size_t decision_list_total(const struct session *s);
/** decision_list_get() - the decision (NULL where there are none) and its period (NULL when aborted) */
void decision_list_get(const struct session *s, struct decision_item it, const struct decision **d,
	const struct period **p);
const char *decision_sort_name(enum decision_sort sort);

#endif
