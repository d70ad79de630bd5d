/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorting in slices: numbers are put beside the items a few at a time, then sorted byte by byte, one pass
 * per slice, so that no key waits for it. Release with sorter_free().
 */
#ifndef REIDLE_VIEWS_DECISION_SORT_H
#define REIDLE_VIEWS_DECISION_SORT_H

#include "views/decision_list.h"

struct sorter;

/** sorter_new() - for @n items; equal ones stay in the order in which they are added */
struct sorter *sorter_new(size_t n);
/** sorter_added() - how many are in it */
size_t sorter_added(const struct sorter *s);
/** sorter_add() - @up: smallest keys first, else largest */
void sorter_add(struct sorter *s, int64_t key, struct decision_item item, bool up);
/** sorter_pass() - one pass over all; false when they are sorted */
bool sorter_pass(struct sorter *s);
void sorter_take(const struct sorter *s, struct decision_item *out);
void sorter_free(struct sorter *s);

#endif
