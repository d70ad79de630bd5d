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

char *explain_time(char *buf, size_t size, int64_t ns)
{
	double v = (double)ns;

	if (ns > INT64_MAX / 2)
		snprintf(buf, size, "no end");
	else if (ns > -1000 && ns < 1000)
		snprintf(buf, size, "%.0f ns", v);
	else if (ns > -1000000 && ns < 1000000)
		snprintf(buf, size, "%.*f us", ns < 10000 && ns > -10000 ? 2 : 1, v / 1e3);
	else if (ns < 1000000000)
		snprintf(buf, size, "%.*f ms", ns < 10000000 ? 3 : 2, v / 1e6);
	else
		snprintf(buf, size, "%.3f s", v / 1e9);
	return buf;
}

void explain_free(struct explain *x)
{
	free(x->item);
	*x = (struct explain){0};
}
