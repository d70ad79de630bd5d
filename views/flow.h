/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text in pieces that go on in the next line where the width ends: words for wide and narrow screens
 * alike. A struct flow is plain data on the caller's stack.
 */
#ifndef REIDLE_VIEWS_FLOW_H
#define REIDLE_VIEWS_FLOW_H

#include "views/view.h"

struct flow {
	struct canvas *c;
	struct area a;
	int x, y; /* where the next piece goes */
};

void flow_init(struct flow *f, struct canvas *c, struct area a);
/** flow_piece() - a piece that is not broken, with two cells before it unless it begins a line */
void flow_piece(struct flow *f, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/** flow_join() - the same directly behind the last piece; breaks only if it must */
void flow_join(struct flow *f, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/** flow_pair() - a dim label and its value, not parted by a line's end */
void flow_pair(struct flow *f, const char *label, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void flow_line(struct flow *f);

#endif
