// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/flow.h"

#include <stdarg.h>
#include <string.h>

#define INDENT 2

void flow_init(struct flow *f, struct canvas *c, struct area a)
{
	*f = (struct flow){c, a, a.x, a.y};
}

static void put(struct flow *f, enum role role, int gap, const char *fmt, va_list ap)
{
	char buf[300];
	int width;

	vsnprintf(buf, sizeof(buf), fmt, ap);
	width = canvas_width(buf);
	if (f->x > f->a.x && f->x + gap + width > f->a.x + f->a.w) {
		flow_line(f);
		f->x += INDENT;
		gap = 0;
	}
	if (f->y >= f->a.y + f->a.h)
		return;
	if (f->x <= f->a.x + INDENT)
		gap = 0;
	/* names of a recording may be among the words; a line does not begin with a blank */
	f->x = canvas_foreign(f->c, f->x + gap, f->y, role,
		buf + (f->x == f->a.x + INDENT ? strspn(buf, " ") : 0), f->a.w);
}

void flow_piece(struct flow *f, enum role role, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put(f, role, 2, fmt, ap);
	va_end(ap);
}

void flow_join(struct flow *f, enum role role, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put(f, role, 0, fmt, ap);
	va_end(ap);
}

void flow_pair(struct flow *f, const char *label, enum role role, const char *fmt, ...)
{
	char value[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(value, sizeof(value), fmt, ap);
	va_end(ap);
	if (f->x > f->a.x && f->x + 3 + canvas_width(label) + canvas_width(value) > f->a.x + f->a.w) {
		flow_line(f);
		f->x += INDENT;
	}
	flow_piece(f, ROLE_DIM, "%s", label);
	flow_join(f, role, " %s", value);
}

void flow_line(struct flow *f)
{
	f->x = f->a.x;
	f->y++;
}
