/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the CPUs did in the window that is shown, as a small table: fills the room that few lanes leave on
 * a tall screen. Nothing is owned.
 */
#ifndef REIDLE_VIEWS_WINDOW_SUMS_H
#define REIDLE_VIEWS_WINDOW_SUMS_H

#include "views/view.h"

/** window_sums_draw() - a row per lane and one for all; nothing where that does not fit */
void window_sums_draw(const struct session *s, struct canvas *c, struct area a);

#endif
