// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/governor.h"
#include "src/util.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void explain_line(struct explain *x, const char *label, const char *fmt, ...)
{
	struct explain_item *it;
	va_list ap;

	GROW(x->item, x->nitems, x->cap);
	it = &x->item[x->nitems++];
	copy_text(it->label, sizeof(it->label), label);
	va_start(ap, fmt);
	vsnprintf(it->text, sizeof(it->text), fmt, ap);
	va_end(ap);
}

void explain_free(struct explain *x)
{
	free(x->item);
	*x = (struct explain){0};
}
