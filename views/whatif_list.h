/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The changes between two runs as a list, by time or by cost. Those against the
 * recording are the run's, made with it; those of another pair are its own: whatif_list_free().
 */
#ifndef REIDLE_VIEWS_WHATIF_LIST_H
#define REIDLE_VIEWS_WHATIF_LIST_H

#include "views/rows.h"

struct whatif_list {
	const struct changes *changes; /* NULL: none */
	struct changes own;
	const struct session_run *left, *right; /* of which pair it was made */
	unsigned generation;
	bool by_cost;
	struct rows rows;
};

/** whatif_list_update() - make it anew when the pair or its order is another */
void whatif_list_update(struct whatif_list *l, const struct session *s, bool by_cost);
/** whatif_list_count() - changes in it */
size_t whatif_list_count(const struct whatif_list *l);
void whatif_list_free(struct whatif_list *l);
void whatif_list_draw(struct whatif_list *l, const struct session *s, struct canvas *c, struct area a);
void whatif_list_table(const struct whatif_list *l, const struct session *s, struct table *out);
/** whatif_list_step() - next (1) or previous change in the order of the list; false at the end */
bool whatif_list_step(struct whatif_list *l, struct session *s, int dir);
/** whatif_list_goto() - cursor of the session to the change at the list's cursor */
void whatif_list_goto(const struct whatif_list *l, struct session *s);

#endif
