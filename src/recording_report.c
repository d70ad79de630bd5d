// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/recording_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/stats.h"
#include "src/wakes.h"

struct wake_sum {
	uint64_t n, missed;
	int64_t time_ns;
	uint64_t in[WINDOWS_MAX]; /* of a sample: by window */
};

struct wake_sums {
	struct wake_sum kind[WAKE_KINDS], all;
	int windows; /* of a sample; 0: there is no other */
};

static void count_wake(struct wake_sum *s, const struct period *p, int window)
{
	s->n++;
	s->time_ns += p->exit_ns - p->enter_ns;
	s->missed += (p->flags & (PERIOD_MISS_ABOVE | PERIOD_MISS_BELOW)) != 0;
	s->in[window]++;
}

static void sum_wakes(const struct run *r, struct wake_sums *sums)
{
	const struct trace *t;

	r = r->sample ? r->sample : r;
	t = r->trace;
	memset(sums, 0, sizeof(*sums));
	sums->windows = t->nwindows > 1 ? t->nwindows : 0;
	for (int i = 0; i < r->ncpus; i++) {
		int w = 0;

		for (size_t k = 0; k < r->cpu[i].nperiods; k++) {
			const struct period *p = &r->cpu[i].period[k];

			if (p->flags & PERIOD_CUT_END)
				continue;
			while (w + 1 < t->nwindows && t->window[w + 1].from_ns < p->exit_ns)
				w++;
			count_wake(&sums->kind[p->wake < WAKE_KINDS ? p->wake : WAKE_UNKNOWN], p, w);
			count_wake(&sums->all, p, w);
		}
	}
}

/*
 * Half of the 95 % confidence interval of a kind's share. Neighbouring wakes are alike, so it is the
 * windows that count as independent: the variance of a ratio over them (Cochran, Sampling Techniques, 6.3).
 */
static double share_error(const struct wake_sums *s, int kind)
{
	double all = (double)s->all.n, share = (double)s->kind[kind].n / all, sum = 0;
	int n = s->windows;

	for (int w = 0; w < n; w++) {
		double off = (double)s->kind[kind].in[w] - share * (double)s->all.in[w];

		sum += off * off;
	}
	return stats_t_quantile(0.05, n - 1) * sqrt(sum * n / (n - 1)) / all;
}

static void wake_row(struct table *t, const struct wake_sums *sums, int kind, bool misses)
{
	const struct wake_sum *s = &sums->kind[kind];

	table_text(t, "%s", wake_kind_name((enum wake_kind)kind));
	table_int(t, (int64_t)s->n);
	table_real(t, (double)s->n / (double)sums->all.n);
	if (sums->windows)
		table_real(t, share_error(sums, kind));
	table_int(t, s->time_ns);
	table_int(t, s->time_ns / (int64_t)s->n);
	if (misses)
		table_int(t, (int64_t)s->missed);
	else
		table_none(t);
}

void report_wakes(const struct run *r, const char *extent, enum out_format format, FILE *out)
{
	struct wake_sums sums;
	struct table t;

	sum_wakes(r, &sums);
	if (!sums.all.n)
		return;
	table_init(&t, "What ended the idle periods%s", extent);
	table_column(&t, "wake", "", "wake", 1, 0, COL_LEFT | COL_KEY);
	table_column(&t, "n", "", "n", 1, 0, 0);
	table_column(&t, "n%", "", "share", 0.01, 2, 0);
	if (sums.windows)
		table_column(&t, "+-", "", "share_ci95", 0.01, 2, 0);
	table_column(&t, "idle before", "ms", "time_ns", 1e6, -1, 0);
	table_column(&t, "avg", "us", "mean_ns", 1e3, -1, 0);
	table_column(&t, "misses", "recorded", "misses_recorded", 1, 0, 0);
	for (int k = 0; k < WAKE_KINDS; k++)
		if (sums.kind[k].n)
			wake_row(&t, &sums, k, r->trace->seen & EV_BIT(EV_MISS));
	table_note(&t, "unknown: no recorded event explains the end");
	if (sums.windows)
		table_note(&t, "+-: 95 %% confidence of n%%, from how much the windows differ");
	table_write(&t, format, out);
	fputc('\n', out);
	table_free(&t);
}

json_t *report_wakes_json(const struct run *r)
{
	json_t *wakes = json_array(), *one;
	struct wake_sums sums;

	sum_wakes(r, &sums);
	for (int k = 0; k < WAKE_KINDS; k++) {
		one = json_pack("{s:s, s:I, s:I}", "wake", wake_kind_name((enum wake_kind)k), "n",
			(json_int_t)sums.kind[k].n, "time_ns", (json_int_t)sums.kind[k].time_ns);
		if (sums.windows)
			json_object_set_new(one, "share_ci95", json_ratio(share_error(&sums, k)));
		json_array_append_new(wakes, one);
	}
	return wakes;
}

static bool has_losses(const struct cpu_trace *c)
{
	return c->orphan_exits || c->reenters || c->nholes || c->bad_states ||
		(c->nperiods && c->period[c->nperiods - 1].flags & PERIOD_CUT_END);
}

static void loss_row(struct table *t, const struct cpu_trace *c, int cpu)
{
	const struct period *last = c->nperiods ? &c->period[c->nperiods - 1] : NULL;
	int64_t lost = 0, blind_ns = 0;

	for (size_t k = 0; k < c->nholes; k++) {
		lost += max64(c->hole[k].lost, 0);
		blind_ns += c->hole[k].to_ns - c->hole[k].from_ns;
	}
	table_int(t, cpu);
	table_int(t, (int64_t)c->nholes);
	table_int(t, lost);
	table_int(t, blind_ns);
	table_int(t, (int64_t)c->orphan_exits);
	table_int(t, (int64_t)c->reenters);
	if (last && last->flags & PERIOD_CUT_END) {
		table_int(t, last->state);
		table_int(t, last->exit_ns - last->enter_ns);
	} else {
		table_none(t);
		table_none(t);
	}
}

void report_losses(const struct trace *trace, enum out_format format, FILE *out)
{
	struct table t;

	table_init(&t, "Lost and cut");
	table_column(&t, "cpu", "", "cpu", 1, 0, COL_KEY);
	table_column(&t, "holes", "", "holes", 1, 0, 0);
	table_column(&t, "lost", "events", "lost_events", 1, 0, 0);
	table_column(&t, "blind", "ms", "blind_ns", 1e6, -1, 0);
	table_column(&t, "exits", "no entry", "orphan_exits", 1, 0, 0);
	table_column(&t, "entries", "no exit", "reenters", 1, 0, 0);
	table_column(&t, "open", "state", "open_state", 1, 0, 0);
	table_column(&t, "at end", "ms", "open_tail_ns", 1e6, -1, 0);
	for (int i = 0; i < trace->ncpus; i++)
		if (has_losses(&trace->cpu[i]))
			loss_row(&t, &trace->cpu[i], i);
	table_note(&t, "none of these counts as an idle period above");
	if (t.ncells) {
		table_write(&t, format, out);
		fputc('\n', out);
	}
	table_free(&t);
}

static void html_inputs(const struct recording *r, FILE *out)
{
	fputs("<p>How each governor input is known</p>\n<ul>\n", out);
	for (int i = 0; i < IN_COUNT; i++) {
		if (!*r->decisions.known[i])
			continue;
		fputs("<li>", out);
		html_text(out, r->decisions.known[i]);
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}

void report_inputs(const struct recording *r, enum out_format format, FILE *out)
{
	static const char *const starts[] = {[FORMAT_TEXT] = "  ", [FORMAT_MD] = "- ",
		[FORMAT_CSV] = "# ", [FORMAT_JSON] = ""};

	if (!r->have_decisions)
		return;
	if (format == FORMAT_HTML) {
		html_inputs(r, out);
		return;
	}
	fprintf(out, "%sHow each governor input is known%s\n", format == FORMAT_CSV ? "# " : "",
		format == FORMAT_MD ? "\n" : "");
	for (int i = 0; i < IN_COUNT; i++)
		if (*r->decisions.known[i])
			table_wrap(out, starts[format], format == FORMAT_CSV ? "# " : "    ",
				r->decisions.known[i]);
	fputc('\n', out);
}

static void counter_cell(struct table *t, int64_t v)
{
	if (v < 0)
		table_none(t);
	else
		table_int(t, v);
}

void report_dump_rows(const struct dump *d, enum out_format format, FILE *out)
{
	static const char *const heads[] = {"cpu", "state", "name", "residency_us", "latency_us",
		"usage", "time_us", "above", "below", "rejected"};
	struct table t;

	table_init(&t, "%s", "");
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		table_column(&t, heads[i], "", heads[i], 1, 0, i == 2 ? COL_LEFT : 0);
	for (int i = 0; i < d->ncpus; i++) {
		for (int s = 0; d->cpu[i] && s < d->cpu[i]->nstates; s++) {
			const struct dump_state *c = &d->cpu[i]->state[s];

			if (!c->present)
				continue;
			table_int(&t, i);
			table_int(&t, s);
			table_text(&t, "%s", c->name);
			counter_cell(&t, c->residency_us);
			counter_cell(&t, c->latency_us);
			counter_cell(&t, c->usage);
			counter_cell(&t, c->time_us);
			counter_cell(&t, c->above);
			counter_cell(&t, c->below);
			counter_cell(&t, c->rejected);
		}
	}
	table_write(&t, format, out);
	table_free(&t);
}

static json_t *counter_json(int64_t v)
{
	return json_known(v >= 0, v);
}

json_t *report_dump_json(const struct dump *d)
{
	json_t *rows = json_array();

	for (int i = 0; i < d->ncpus; i++) {
		for (int s = 0; d->cpu[i] && s < d->cpu[i]->nstates; s++) {
			const struct dump_state *c = &d->cpu[i]->state[s];

			if (c->present)
				json_array_append_new(rows,
					json_pack("{s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "cpu", i,
						"index", s, "name", json_text(c->name), "usage",
						counter_json(c->usage), "time_us",
						counter_json(c->time_us), "above",
						counter_json(c->above), "below",
						counter_json(c->below), "rejected",
						counter_json(c->rejected)));
		}
	}
	return rows;
}
