// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/cmd_decision_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "replay/inputs.h"
#include "src/wakes.h"

const struct decision_column decision_columns[CELL_COUNT] = {
	[CELL_CPU] = {"cpu", "", "cpu", 4, false, false},
	[CELL_TIME] = {"time", "s", "time_ns", 12, false, false},
	[CELL_STATE] = {"state", "", "state", 6, true, false},
	[CELL_LENGTH] = {"length", "us", "length_ns", 11, false, false},
	[CELL_SLEEP] = {"timer", "us", "sleep_ns", 11, false, false},
	[CELL_KNOWN] = {"known", "", "sleep_known", 7, true, false},
	[CELL_LIMIT] = {"limit", "us", "limit_ns", 6, false, false},
	[CELL_TICK] = {"tick", "", "tick_stopped", 5, true, false},
	[CELL_GOT_TICK] = {"got", "", "got_tick", 4, true, false},
	[CELL_WAKE] = {"wake", "", "wake", 7, true, false},
	[CELL_SOURCE] = {"source", "", "source", 16, true, false},
	[CELL_VERDICT] = {"verdict", "", "verdict", 7, true, false},
	[CELL_IDEAL] = {"ideal", "", "ideal", 6, true, false},
	[CELL_COST] = {"cost", "us", "cost_ns", 9, false, false},
	[CELL_REPLAYED] = {"replayed", "", "replayed", 9, true, true},
	[CELL_STOP] = {"tick", "", "replayed_stop_tick", 5, true, true},
	[CELL_BELIEVED] = {"believed", "", "believed", 9, true, true},
};

static const struct decision *decision_of(const struct decision_rows *rows, const struct decision_row *r)
{
	return &rows->rec->decisions.cpu[r->cpu].d[r->index];
}

static const struct period *period_of(const struct decision_rows *rows, const struct decision_row *r)
{
	const struct decision *d = decision_of(rows, r);

	return d->period == UINT32_MAX ? NULL : &rows->rec->trace->cpu[r->cpu].period[d->period];
}

static bool chosen(const struct recording *rec, const struct selection *sel, int cpu,
	const struct decision *d)
{
	if (d->period != UINT32_MAX)
		return selection_has(sel, &rec->run0, cpu, &rec->trace->cpu[cpu].period[d->period]);
	return selection_has_cpu(sel, cpu) && !sel->filter && d->select_ns >= sel->from_ns &&
	       d->select_ns < sel->to_ns;
}

static void gather_cpu(struct decision_rows *out, const struct selection *sel, int cpu)
{
	const struct recording *rec = out->rec;

	for (size_t i = 0; i < rec->decisions.cpu[cpu].n; i++) {
		const struct decision *d = &rec->decisions.cpu[cpu].d[i];
		struct decision_row *row;

		if (!chosen(rec, sel, cpu, d))
			continue;
		GROW(out->row, out->n, out->cap);
		row = &out->row[out->n++];
		*row = (struct decision_row){.cpu = (uint32_t)cpu, .index = (uint32_t)i};
		if (d->period != UINT32_MAX) {
			struct period_ref ref = {&rec->run0, cpu, period_of(out, row)};

			row->cost_ns = period_cost_ns(&ref);
		}
	}
}

/* qsort_r has no way to say which rows are compared but this */
struct order {
	const struct decision_rows *rows;
	char by;
};

static int64_t sort_key(const struct order *o, const struct decision_row *r)
{
	const struct decision *d = decision_of(o->rows, r);

	switch (o->by) {
	case 'l':
		return -(d->exit_ns - d->enter_ns);
	case 'c':
		return -r->cost_ns;
	case 's':
		return d->flags & DEC_ABORTED ? -1 : d->entered;
	case 'p':
		return r->cpu;
	default:
		return d->select_ns;
	}
}

static int by_order(const void *a, const void *b, void *ctx)
{
	const struct decision_row *x = a, *y = b;
	int64_t kx = sort_key(ctx, x), ky = sort_key(ctx, y);

	if (kx != ky)
		return kx < ky ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

static const struct {
	const char *name;
	char by;
} orders[] = {{"time", 't'}, {"cpu", 'p'}, {"length", 'l'}, {"cost", 'c'}, {"state", 's'}};

int rows_gather(struct decision_rows *out, const struct recording *rec, const struct selection *sel,
	const char *sort, struct error *err)
{
	struct order order = {.rows = out};

	*out = (struct decision_rows){.rec = rec};
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++)
		if (!strcmp(orders[i].name, sort ? sort : "time"))
			order.by = orders[i].by;
	if (!order.by)
		return error_set(err, EXIT_USAGE,
			"--sort %s: decisions are sorted by time, cpu, length, cost or state", sort);
	for (int cpu = 0; cpu < rec->decisions.ncpus; cpu++)
		gather_cpu(out, sel, cpu);
	if (out->n)
		qsort_r(out->row, out->n, sizeof(*out->row), by_order, &order);
	return 0;
}

/* --- what a governor taught by the recording says --- */

struct believer {
	struct decision_rows *rows;
	int cpu;
	const bool *wanted;
};

/* menu predicts a length; teo weighs early wake-ups against the timer */
static const char *belief_of(const struct explain *x)
{
	static const char *const labels[] = {"predicted length", "early wake-ups"};

	for (size_t k = 0; k < ARRAY_SIZE(labels); k++)
		for (int i = 0; i < x->nitems; i++)
			if (!strcmp(x->item[i].label, labels[k]))
				return x->item[i].text;
	return NULL;
}

static bool note_belief(void *ctx, const struct watched *w)
{
	struct believer *b = ctx;
	struct explain x = {0};
	const char *text;

	if (!b->wanted[w->index])
		return true;
	b->rows->spec.gov->explain(w->memory, &w->in, &w->choice, &x);
	text = belief_of(&x);
	if (text)
		b->rows->believed[b->cpu][w->index] = xstrdup(text);
	explain_free(&x);
	return true;
}

static void collect_beliefs(struct decision_rows *rows, const struct replay_options *opt)
{
	const struct decisions *d = &rows->rec->decisions;

	rows->believed = xcalloc((size_t)d->ncpus + 1, sizeof(*rows->believed));
	for (int cpu = 0; cpu < d->ncpus; cpu++) {
		bool *wanted = xcalloc(d->cpu[cpu].n + 1, sizeof(*wanted));
		struct believer b = {.rows = rows, .cpu = cpu, .wanted = wanted};

		for (size_t i = 0; i < rows->n; i++)
			if (rows->row[i].cpu == (uint32_t)cpu)
				wanted[rows->row[i].index] = true;
		rows->believed[cpu] = xcalloc(d->cpu[cpu].n + 1, sizeof(**rows->believed));
		replay_watch(d, &rows->rec->machine, &rows->spec, opt, cpu, note_belief, &b);
		free(wanted);
	}
}

int rows_replay(struct decision_rows *rows, const struct gov_spec *spec,
	const struct replay_options *opt, struct error *err)
{
	const struct decisions *d = &rows->rec->decisions;
	struct verify_result sum;

	rows->replayed = true;
	rows->spec = *spec;
	rows->choice = xcalloc((size_t)d->ncpus + 1, sizeof(*rows->choice));
	for (int cpu = 0; cpu < d->ncpus; cpu++)
		rows->choice[cpu] = xcalloc(d->cpu[cpu].n + 1, sizeof(**rows->choice));
	if (replay_taught(&sum, d, &rows->rec->machine, spec, opt, rows->choice, err) ||
		governor_failure(spec, err))
		return -1;
	if (spec->gov->explain)
		collect_beliefs(rows, opt);
	return 0;
}

void rows_free(struct decision_rows *rows)
{
	int ncpus = rows->rec ? rows->rec->decisions.ncpus : 0;

	for (int cpu = 0; cpu < ncpus; cpu++) {
		for (size_t i = 0; rows->believed && i < rows->rec->decisions.cpu[cpu].n; i++)
			free(rows->believed[cpu][i]);
		if (rows->believed)
			free(rows->believed[cpu]);
		if (rows->choice)
			free(rows->choice[cpu]);
	}
	free(rows->believed);
	free(rows->choice);
	free(rows->row);
	*rows = (struct decision_rows){0};
}

/* --- cells --- */

struct cell_at {
	const struct decision_rows *rows;
	const struct decision_row *row;
	const struct decision *d;
	const struct period *p; /* NULL: aborted */
	const struct state_table *table;
	bool raw;
	char *buf;
	size_t size;
};

static const char *nothing(const struct cell_at *c)
{
	return c->raw ? "" : "-";
}

static const char *text(const struct cell_at *c, const char *s)
{
	copy_text(c->buf, c->size, *s ? s : nothing(c));
	return c->buf;
}

static const char *number(const struct cell_at *c, int64_t ns, double unit, int decimals)
{
	if (c->raw)
		snprintf(c->buf, c->size, "%" PRId64, ns);
	else
		snprintf(c->buf, c->size, "%.*f", decimals, (double)ns / unit);
	return c->buf;
}

static const char *state_name(const struct cell_at *c, int state)
{
	return text(c, state >= 0 && state < c->table->nstates ? c->table->state[state].name : "");
}

static const char *from_period(const struct cell_at *c, enum decision_cell cell)
{
	struct period_ref ref = {&c->rows->rec->run0, (int)c->row->cpu, c->p};

	/* of a period that the recording cuts off only the state is known */
	if (!c->p || (c->p->flags & PERIOD_CUT_END && cell != CELL_STATE && cell != CELL_VERDICT))
		return text(c, "");
	switch (cell) {
	case CELL_STATE:
		return state_name(c, c->p->state);
	case CELL_LENGTH:
		return number(c, c->p->exit_ns - c->p->enter_ns, 1e3, 3);
	case CELL_WAKE:
		return text(c, wake_kind_name((enum wake_kind)c->p->wake));
	case CELL_SOURCE:
		return text(c, trace_name(c->rows->rec->trace, c->p->wake_name));
	case CELL_VERDICT:
		return text(c, period_read(&ref, FIELD_VERDICT).text);
	case CELL_IDEAL:
		return text(c, period_read(&ref, FIELD_IDEAL).text);
	default:
		return number(c, c->row->cost_ns, 1e3, 3);
	}
}

static const char *from_inputs(const struct cell_at *c, enum decision_cell cell)
{
	static const char *const known[] = {"exact", "bounded", "guessed"};
	bool unknown = c->d->bound == BOUND_NOTHING &&
		       decision_prov(c->d, IN_SLEEP) != PROV_EXACT;

	switch (cell) {
	case CELL_SLEEP:
		/* no timer at all: the kernel's own number is as long as its clock can count */
		if (unknown || c->d->sleep_ns > INT64_MAX / 4)
			return text(c, unknown ? "" : "none");
		return number(c, c->d->sleep_ns, 1e3, 3);
	case CELL_KNOWN:
		return text(c, known[decision_prov(c->d, IN_SLEEP)]);
	case CELL_LIMIT:
		return c->d->limit_ns >= LATENCY_ANY ? text(c, "") :
						       number(c, c->d->limit_ns, 1e3, 0);
	case CELL_TICK:
		if (c->raw)
			return text(c, c->d->flags & DEC_TICK_STOPPED ? "1" : "0");
		return text(c, c->d->flags & DEC_TICK_STOPPED ? "off" : "on");
	default:
		if (c->raw)
			return text(c, c->d->flags & DEC_GOT_TICK ? "1" : "0");
		return text(c, c->d->flags & DEC_GOT_TICK ? "tick" : "");
	}
}

static const char *from_replay(const struct cell_at *c, enum decision_cell cell)
{
	const struct taught_choice *t = &c->rows->choice[c->row->cpu][c->row->index];
	const char *belief;

	if (c->d->flags & DEC_FORCED)
		return text(c, "");
	switch (cell) {
	case CELL_REPLAYED:
		state_name(c, t->state);
		/* a choice that the inputs do not settle is marked */
		if (t->undetermined && !c->raw && strlen(c->buf) + 1 < c->size)
			strcat(c->buf, "?");
		return c->buf;
	case CELL_STOP:
		if (c->raw)
			return text(c, t->stop_tick ? "1" : "0");
		return text(c, t->stop_tick ? "stop" : "keep");
	default:
		belief = c->rows->believed ? c->rows->believed[c->row->cpu][c->row->index] : NULL;
		return text(c, belief ? belief : "");
	}
}

const char *rows_cell(const struct decision_rows *rows, size_t row, enum decision_cell cell, bool raw,
	char *buf, size_t size)
{
	const struct decision_row *r = &rows->row[row];
	struct cell_at c = {.rows = rows, .row = r, .d = decision_of(rows, r),
		.p = period_of(rows, r), .table = machine_table(&rows->rec->machine, (int)r->cpu),
		.raw = raw, .buf = buf, .size = size};

	if (cell == CELL_CPU)
		snprintf(buf, size, "%u", r->cpu);
	else if (cell == CELL_TIME)
		number(&c, (c.p ? c.p->enter_ns : c.d->select_ns) - rows->rec->trace->origin_ns, 1e9,
			6);
	else if (decision_columns[cell].replay)
		from_replay(&c, cell);
	else if (cell >= CELL_SLEEP && cell <= CELL_GOT_TICK)
		from_inputs(&c, cell);
	else
		from_period(&c, cell);
	return buf;
}
