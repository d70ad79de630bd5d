// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/recording_latency.h"

#include <stdlib.h>

static void figures(struct table *t, const struct latency_figures *f)
{
	table_int(t, (int64_t)f->n);
	if (!f->n) {
		for (int i = 0; i < 4; i++)
			table_none(t);
		return;
	}
	table_int(t, f->min_ns);
	table_int(t, f->p50_ns);
	if (f->n < LATENCY_MIN_N)
		table_mark(t, MARK_WEAK);
	table_int(t, f->p90_ns);
	table_int(t, f->p99_ns);
}

static void row(struct table *t, const struct machine *m, int table, int state,
	const struct state_latency *l, bool emulated)
{
	const struct idle_state *st = &m->tables[table].state[state];

	if (m->ntables > 1) {
		char *cpus = json_table_cpus(m, table);

		table_text(t, "%s", cpus);
		free(cpus);
	}
	table_text(t, "%d %s", state, st->name);
	if (st->exit_latency_ns < 0)
		table_none(t);
	else
		table_int(t, st->exit_latency_ns);
	figures(t, &l->timer);
	figures(t, &l->remote);
	if (emulated || !l->measured)
		table_none(t);
	else
		table_int(t, l->exit_ns);
	table_text(t, !emulated && latency_finding(l, st) ? "*" : "");
}

static void columns(struct table *t, const struct machine *m)
{
	static const char *const key[2][5] = {
		{"timer_n", "timer_min_ns", "timer_p50_ns", "timer_p90_ns", "timer_p99_ns"},
		{"remote_n", "remote_min_ns", "remote_p50_ns", "remote_p90_ns", "remote_p99_ns"}};
	static const char *const head[5] = {"n", "min", "p50", "p90", "p99"};

	if (m->ntables > 1)
		table_column(t, "CPUs", "", "cpus", 1, 0, COL_KEY | COL_LEFT | COL_GROUP);
	table_column(t, "state", "", "state", 1, 0, COL_KEY | COL_LEFT);
	table_column(t, "table", "us", "table_ns", 1e3, -1, COL_KEY);
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < 5; i++)
			table_column(t, head[i],
				i   ? "us"
				: k ? "remote"
				    : "timer",
				key[k][i], i ? 1e3 : 1, i ? -1 : 0, i ? 0 : COL_BREAK);
	table_column(t, "exit", "us", "exit_ns", 1e3, -1, 0);
	table_column(t, "far", "", "far", 1, 0, COL_LEFT);
}

void report_latencies(const struct sojourns *s, const struct machine *m, const char *extent,
	enum out_format format, FILE *out)
{
	bool emulated = s->trace->emulated;
	struct table t;

	if (s->alone || m->source == MACHINE_GUESSED)
		return;
	table_init(&t, "Wake-up delays%s", extent);
	columns(&t, m);
	for (int i = 0; i < m->ntables; i++)
		for (int k = 0; k < m->tables[i].nstates; k++)
			if (s->latency[i][k].timer.n || s->latency[i][k].remote.n)
				row(&t, m, i, k, &s->latency[i][k], emulated);
	table_note(&t, "timer: expiry of the timer that alone ended the sleep .. exit; remote: "
		       "sched_waking on another CPU .. exit");
	if (emulated)
		table_note(&t,
			"emulated machine: no state takes longer to leave than another; no exit "
			"latency can be told from these");
	else
		table_note(&t,
			"exit: median less that of the shallowest state, plus its table latency; "
			"far *: more than twice or less than half of the table's");
	table_write(&t, format, out);
	fputc('\n', out);
	table_free(&t);
}

static json_t *json_figures(const struct latency_figures *f)
{
	bool known = f->n > 0;

	return json_pack("{s:I, s:o, s:o, s:o, s:o}", "n", (json_int_t)f->n, "min_ns",
		json_known(known, f->min_ns), "p50_ns", json_known(known, f->p50_ns), "p90_ns",
		json_known(known, f->p90_ns), "p99_ns", json_known(known, f->p99_ns));
}

json_t *report_latencies_json(const struct sojourns *s, const struct machine *m)
{
	bool emulated = s->trace->emulated;
	json_t *all;

	if (s->alone || m->source == MACHINE_GUESSED)
		return json_null();
	all = json_array();
	for (int i = 0; i < m->ntables; i++)
		for (int k = 0; k < m->tables[i].nstates; k++) {
			const struct state_latency *l = &s->latency[i][k];
			const struct idle_state *st = &m->tables[i].state[k];
			bool measured = l->measured && !emulated;

			json_array_append_new(all,
				json_pack("{s:i, s:i, s:s, s:o, s:o, s:o, s:o, s:b}", "table", i,
					"index", k, "name", st->name, "table_ns",
					json_known(st->exit_latency_ns >= 0, st->exit_latency_ns),
					"timer", json_figures(&l->timer), "remote",
					json_figures(&l->remote), "measured_exit_ns",
					json_known(measured, l->exit_ns), "finding",
					measured && latency_finding(l, st)));
		}
	return all;
}
