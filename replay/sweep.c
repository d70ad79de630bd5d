// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int bad_axis(struct error *err, const char *text)
{
	return error_set(
		err, EXIT_USAGE, "-p %s: expected PARAM=LO..HI[:STEP] or PARAM=a,b,c", text);
}

static void add_value(struct sweep_axis *a, size_t *cap, const char *text, size_t len)
{
	GROW(a->value, a->n, *cap);
	snprintf(a->value[a->n++], sizeof(a->value[0]), "%.*s", (int)len, text);
}

static int add_list(struct sweep_axis *a, const char *list, const char *whole, struct error *err)
{
	size_t cap = 0;

	for (const char *p = list;; p++) {
		size_t len = strcspn(p, ",");

		if (!len || len >= sizeof(a->value[0]))
			return bad_axis(err, whole);
		add_value(a, &cap, p, len);
		p += len;
		if (!*p)
			return 0;
	}
}

/* "10..120": strtod() would take the first dot for its own */
static bool two_numbers(const char *range, double *lo, double *hi, char **end)
{
	const char *dots = strstr(range, "..");
	char first[32];

	snprintf(first, sizeof(first), "%.*s", (int)min64(dots - range, 31), range);
	*lo = strtod(first, end);
	if (*end == first || **end)
		return false;
	*hi = strtod(dots + 2, end);
	return *end != dots + 2;
}

static int add_range(struct sweep_axis *a, const char *range, const char *whole, struct error *err)
{
	double lo, hi, step;
	char *end, text[32];
	size_t cap = 0, count;

	if (!two_numbers(range, &lo, &hi, &end) || (*end && *end != ':'))
		return bad_axis(err, whole);
	step = hi - lo <= 10 ? 1 : (hi - lo) / 10;
	if (*end == ':') {
		range = end + 1;
		step = strtod(range, &end);
		if (end == range)
			return bad_axis(err, whole);
	}
	if (*end || !(hi >= lo) || !(step > 0) || (hi - lo) / step > SWEEP_CELLS_MAX)
		return bad_axis(err, whole);
	/* counted, not added up: the last value does not depend on rounding */
	count = (size_t)floor((hi - lo) / step + 1e-9) + 1;
	for (size_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%.10g", lo + (double)i * step);
		add_value(a, &cap, text, strlen(text));
	}
	return 0;
}

int sweep_axis_add(struct sweep_axes *axes, const char *text, struct error *err)
{
	struct sweep_axis *a = &axes->axis[axes->n];
	const char *eq = strchr(text, '=');

	if (axes->n == SWEEP_AXES_MAX)
		return error_set(err, EXIT_USAGE, "-p: at most %d parameters", SWEEP_AXES_MAX);
	if (!eq || eq == text || (size_t)(eq - text) >= sizeof(a->name))
		return bad_axis(err, text);
	*a = (struct sweep_axis){0};
	snprintf(a->name, sizeof(a->name), "%.*s", (int)(eq - text), text);
	axes->n++;
	return strstr(eq, "..") ? add_range(a, eq + 1, text, err) : add_list(a, eq + 1, text, err);
}

void sweep_axes_free(struct sweep_axes *axes)
{
	for (size_t i = 0; i < axes->n; i++)
		free(axes->axis[i].value);
	memset(axes, 0, sizeof(*axes));
}

size_t sweep_cells(const struct sweep_axes *axes)
{
	size_t n = 1;

	for (size_t i = 0; i < axes->n; i++) {
		n *= axes->axis[i].n;
		if (n > SWEEP_CELLS_MAX)
			return SIZE_MAX;
	}
	return n;
}

const char *sweep_value(const struct sweep_axes *axes, size_t cell, size_t axis)
{
	for (size_t i = axes->n - 1; i > axis; i--)
		cell /= axes->axis[i].n;
	return axes->axis[axis].value[cell % axes->axis[axis].n];
}

/* --- the trade-off --- */

static int by_x_then_y(const void *a, const void *b)
{
	const struct sweep_point *p = *(struct sweep_point *const *)a;
	const struct sweep_point *q = *(struct sweep_point *const *)b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return (p->y > q->y) - (p->y < q->y);
}

void sweep_pareto(struct sweep_point *p, size_t n)
{
	struct sweep_point **sorted = xcalloc(n + 1, sizeof(*sorted));
	double least = INFINITY, at = NAN;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		p[i].best = false;
		if (!isnan(p[i].x) && !isnan(p[i].y))
			sorted[m++] = &p[i];
	}
	qsort(sorted, m, sizeof(*sorted), by_x_then_y);
	for (size_t i = 0; i < m; i++) {
		/* of equal points all are best */
		sorted[i]->best =
			sorted[i]->y < least || (sorted[i]->y == least && sorted[i]->x == at);
		if (sorted[i]->y < least) {
			least = sorted[i]->y;
			at = sorted[i]->x;
		}
	}
	free(sorted);
}
