// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/worst.h"

#include <stdlib.h>
#include <string.h>

#include "src/selection.h"
#include "src/wakes.h"

static bool dearer(const struct worst_row *a, const struct worst_row *b)
{
	if (a->cost_ns != b->cost_ns)
		return a->cost_ns > b->cost_ns;
	return a->p->enter_ns < b->p->enter_ns;
}

/* the list stays sorted; it is short */
static void offer(struct worst *w, const struct worst_row *row)
{
	size_t i = w->n;

	if (w->n == w->max && !dearer(row, &w->row[w->n - 1]))
		return;
	if (w->n < w->max)
		w->n++;
	else
		i--;
	while (i > 0 && dearer(row, &w->row[i - 1])) {
		w->row[i] = w->row[i - 1];
		i--;
	}
	w->row[i] = *row;
}

void worst_find(struct worst *w, const struct run *r, size_t max)
{
	memset(w, 0, sizeof(*w));
	w->max = max;
	w->row = xcalloc(max + 1, sizeof(*w->row));
	for (int i = 0; i < r->ncpus; i++) {
		for (size_t k = 0; k < r->cpu[i].nperiods; k++) {
			struct period_ref ref = {.run = r, .cpu = i, .p = &r->cpu[i].period[k]};
			struct worst_row row = {.cpu = i, .p = ref.p};

			if (ref.p->flags & (PERIOD_CUT_END | PERIOD_FORCED))
				continue;
			row.cost_ns = period_cost_ns(&ref);
			if (row.cost_ns > 0)
				offer(w, &row);
		}
	}
}

void worst_free(struct worst *w)
{
	free(w->row);
	memset(w, 0, sizeof(*w));
}

static void write_row(struct table *t, const struct run *r, const struct worst_row *row)
{
	const struct state_table *table = machine_table(&r->machine, row->cpu);
	int64_t length = row->p->exit_ns - row->p->enter_ns;
	int ideal = machine_ideal(table, max64(length - r->event_cost_ns, 0), LATENCY_ANY);
	const char *name = trace_name(r->trace, row->p->wake_name);

	table_int(t, row->cpu);
	table_int(t, row->p->enter_ns - r->trace->origin_ns);
	table_text(t, "%s", table->state[(int)row->p->state].name);
	table_int(t, length);
	table_text(t, "%s", table->state[ideal].name);
	table_int(t, row->cost_ns);
	table_text(t, "%s%s%s", wake_kind_name((enum wake_kind)row->p->wake), *name ? " " : "", name);
}

void worst_write(const struct worst *w, const struct run *r, enum out_format format, FILE *out)
{
	struct table t;

	table_init(&t, "The %zu most expensive", w->n);
	table_column(&t, "cpu", "", "cpu", 1, 0, 0);
	table_column(&t, "at", "s", "time_ns", 1e9, 6, 0);
	table_column(&t, "state", "", "state", 1, 0, COL_LEFT);
	table_column(&t, "length", "us", "length_ns", 1e3, -1, 0);
	table_column(&t, "ideal", "", "ideal", 1, 0, COL_LEFT);
	table_column(&t, "cost", "us", "cost_ns", 1e3, -1, 0);
	table_column(&t, "ended by", "", "wake", 1, 0, COL_LEFT);
	for (size_t i = 0; i < w->n; i++)
		write_row(&t, r, &w->row[i]);
	table_note(&t, "cost: residency not reached where too deep, time beyond the ideal state's residency "
		"where too shallow");
	table_write(&t, format, out);
	fputc('\n', out);
	table_free(&t);
}
