/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two runs state by state: usage, time, misses, with least and most where a recording holds little.
 * What is drawn is the table that is exported.
 */
#ifndef REIDLE_VIEWS_WHATIF_STATES_H
#define REIDLE_VIEWS_WHATIF_STATES_H

#include "views/rows.h"

void whatif_states_table(const struct session *s, struct table *out);
/** whatif_states_draw() - its lines, from the one that @rows has on top */
void whatif_states_draw(const struct session *s, struct rows *rows, struct canvas *c, struct area a);

#endif
