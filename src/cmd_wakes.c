// SPDX-License-Identifier: GPL-2.0-or-later
/* `reidle wakes`: what ended idle periods, crossed with state and miss. */
#include <stdlib.h>
#include <string.h>

#include "src/output.h"
#include "src/recording_header.h"
#include "src/recording_json.h"
#include "src/recording_subject.h"
#include "src/subcommand.h"
#include "src/wakes.h"

/* one cause: a kind and the name that goes with it */
struct source {
	uint8_t kind;
	uint32_t name;
	uint64_t n, above, below, state[STATES_MAX];
	int64_t time_ns;
};

struct sources {
	struct source *s;
	size_t n, cap;
	uint64_t periods;
	uint32_t *number; /* [WAKE_KINDS * names]: place in s[] plus 1 */
	size_t names;
};

static int by_kind_and_name(const void *a, const void *b)
{
	const struct source *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static int by_count(const void *a, const void *b)
{
	const struct source *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return by_kind_and_name(a, b);
}

static struct source *source_of(struct sources *all, const struct period *p)
{
	uint32_t *number = &all->number[p->wake * all->names + p->wake_name];

	if (!*number) {
		GROW(all->s, all->n, all->cap);
		all->s[all->n++] = (struct source){.kind = p->wake, .name = p->wake_name};
		*number = (uint32_t)all->n;
	}
	return &all->s[*number - 1];
}

static void count(struct sources *all, const struct recording *r, const struct selection *sel)
{
	all->names = r->trace->nnames;
	all->number = xcalloc(WAKE_KINDS * all->names, sizeof(*all->number));
	for (int i = 0; i < r->run0.ncpus; i++) {
		const struct run_cpu *c = &r->run0.cpu[i];
		const struct state_table *t = machine_table(&r->machine, i);

		for (size_t k = 0; k < c->nperiods; k++) {
			const struct period *p = &c->period[k];
			struct source *s;
			enum verdict v;

			if (p->flags & PERIOD_CUT_END || !selection_has(sel, &r->run0, i, p))
				continue;
			v = machine_verdict(t, p->entered, period_kernel_ns(p, r->run0.event_cost_ns));
			s = source_of(all, p);
			s->n++;
			s->state[p->state]++;
			s->time_ns += p->exit_ns - p->enter_ns;
			s->above += v == VERDICT_ABOVE && !(p->flags & PERIOD_FORCED);
			s->below += v == VERDICT_BELOW && !(p->flags & PERIOD_FORCED);
			all->periods++;
		}
	}
	if (all->n)
		qsort(all->s, all->n, sizeof(*all->s), by_count);
}

static void fill(struct table *out, const struct sources *all, const struct recording *r)
{
	const struct state_table *t = machine_table(&r->machine, 0);
	bool known = r->machine.source != MACHINE_GUESSED;

	table_column(out, "ended by", "", "kind", 1, 0, COL_LEFT | COL_KEY);
	table_column(out, "name", "", "name", 1, 0, COL_LEFT | COL_KEY);
	table_column(out, "periods", "", "periods", 1, 0, 0);
	table_column(out, "share", "%", "share", 0.01, 1, 0);
	table_column(out, "idle", "ms", "time_ns", 1e6, 1, 0);
	table_column(out, "above", "", "above", 1, 0, 0);
	table_column(out, "below", "", "below", 1, 0, 0);
	for (int s = 0; s < t->nstates; s++)
		table_column(out, t->state[s].name, "", t->state[s].name, 1, 0, 0);
	for (size_t i = 0; i < all->n; i++) {
		const struct source *s = &all->s[i];

		table_text(out, "%s", wake_kind_name((enum wake_kind)s->kind));
		table_text(out, "%s", trace_name(r->trace, s->name));
		table_int(out, (int64_t)s->n);
		table_real(out, (double)s->n / (double)all->periods);
		table_int(out, s->time_ns);
		for (int k = 0; k < 2; k++) {
			if (known)
				table_int(out, (int64_t)(k ? s->below : s->above));
			else
				table_none(out);
		}
		for (int k = 0; k < t->nstates; k++)
			table_int(out, (int64_t)s->state[k]);
	}
	table_note(out, "name: timer function, interrupt, or the task that sent the wake-up; state columns count periods");
	table_note(out, "limit: the state gave up by itself; unknown: no recorded event explains the end");
}

static void print_json(FILE *f, const struct sources *all, const struct recording *r)
{
	const struct state_table *t = machine_table(&r->machine, 0);
	json_t *doc = json_recording_document("wakes", r), *list = json_array();
	bool known = r->machine.source != MACHINE_GUESSED;

	for (size_t i = 0; i < all->n; i++) {
		const struct source *s = &all->s[i];
		json_t *o = json_object(), *states = json_array();

		json_object_set_new(o, "kind", json_text(wake_kind_name((enum wake_kind)s->kind)));
		json_object_set_new(o, "name", json_text(trace_name(r->trace, s->name)));
		json_object_set_new(o, "periods", json_integer((json_int_t)s->n));
		json_object_set_new(o, "time_ns", json_integer(s->time_ns));
		json_object_set_new(o, "above", json_known(known, (int64_t)s->above));
		json_object_set_new(o, "below", json_known(known, (int64_t)s->below));
		for (int k = 0; k < t->nstates; k++)
			json_array_append_new(states, json_integer((json_int_t)s->state[k]));
		json_object_set_new(o, "states", states);
		json_array_append_new(list, o);
	}
	json_object_set_new(doc, "wakes", list);
	json_print(doc, f);
}

static void print(FILE *f, const struct sources *all, const struct recording *r,
	const struct options *o)
{
	struct header h;
	struct table t;

	if (o->format == FORMAT_JSON) {
		print_json(f, all, r);
		return;
	}
	table_init(&t, "%s", "");
	fill(&t, all, r);
	if (o->format != FORMAT_CSV) {
		header_begin(&h, f, o->format, "wakes");
		header_recording(&h, r);
		header_warnings(&h, r);
		header_command(&h, o);
		header_end(&h);
	}
	table_write(&t, o->format, f);
	table_free(&t);
}

static int wakes_main(const struct options *o, struct error *err)
{
	struct recording r;
	struct selection sel;
	struct sources all = {0};
	struct output out;
	int ret = -1;

	if (o->files.n != 1)
		return error_set(err, EXIT_USAGE, "wakes takes one recording");
	/* the event cost, for verdicts as report has them, comes with the decisions */
	if (recording_open(&r, o->files.s[0], o, NEED_DECISIONS, progress_for(o), (void *)o->files.s[0], err))
		return -1;
	close_progress(o);
	if (!recording_select(&sel, &r, o, err)) {
		if (!output_open(&out, o->output, err)) {
			count(&all, &r, &sel);
			print(out.f, &all, &r, o);
			ret = output_close(&out, err);
		}
		selection_free(&sel);
	}
	free(all.number);
	free(all.s);
	recording_close(&r);
	return ret;
}

const struct subcommand cmd_wakes = {
	.name = "wakes",
	.usage = "FILE",
	.summary = "what ended idle periods: timer, interrupt, another CPU's task; by state and miss",
	.run = wakes_main,
};
