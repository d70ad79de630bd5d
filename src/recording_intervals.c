// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings that hold little: what the runs at the bounds of the unknown say together. */
#include "src/recording_whatif.h"

static int64_t measure_of(const struct state_span *s, enum state_measure what, int end)
{
	switch (what) {
	case OF_USAGE:
		return (int64_t)s->usage[end];
	case OF_TIME:
		return s->time_ns[end];
	case OF_ABOVE:
		return (int64_t)s->above[end];
	default:
		return (int64_t)s->below[end];
	}
}

size_t whatif_interval(const struct whatif *w, size_t first, int state, enum state_measure what,
	int64_t *lo, int64_t *hi)
{
	size_t i = first;

	*lo = INT64_MAX;
	*hi = INT64_MIN;
	/* over the runs, whose governors have learnt different things */
	do {
		const struct state_span *s = &w->run[i].span[state];

		*lo = min64(*lo, measure_of(s, what, 0));
		*hi = max64(*hi, measure_of(s, what, 1));
		i++;
	} while (i < w->nruns && w->bound[i - 1] > BOUND_TIMERS);
	return i - first;
}

static json_t *pair(const struct whatif *w, size_t first, int state, enum state_measure what)
{
	int64_t lo, hi;

	whatif_interval(w, first, state, what, &lo, &hi);
	return json_pack("[I, I]", (json_int_t)lo, (json_int_t)hi);
}

static json_t *json_governor(const struct whatif *w, size_t first)
{
	const struct state_table *t = &w->run[first].machine.tables[0];
	json_t *states = json_array();

	for (int s = 0; s < t->nstates; s++)
		json_array_append_new(states, json_pack("{s:i, s:s, s:o, s:o, s:o, s:o}", "index", s,
			"name", t->state[s].name, "usage", pair(w, first, s, OF_USAGE), "time_ns",
			pair(w, first, s, OF_TIME), "above", pair(w, first, s, OF_ABOVE), "below",
			pair(w, first, s, OF_BELOW)));
	return json_pack("{s:s, s:o}", "governor", w->run[first].governor, "states", states);
}

json_t *json_intervals(const struct whatif *w)
{
	json_t *all;
	int64_t lo, hi;

	if (w->nruns < 2 || !w->run[1].spans)
		return json_null();
	all = json_array();
	for (size_t i = 1; i < w->nruns; i += whatif_interval(w, i, 0, OF_USAGE, &lo, &hi))
		json_array_append_new(all, json_governor(w, i));
	return all;
}

/* @runs: how many a governor has, to be named by them; 0: by the governor */
static void row(struct table *t, const struct whatif *w, size_t first, int state, size_t runs)
{
	const struct run *r = &w->run[first];
	bool table = run_judged(r);
	int64_t lo, hi;

	if (runs)
		table_text(t, "%zu-%zu", first, first + runs - 1);
	else
		table_text(t, "%s", r->governor);
	table_text(t, "%s", r->machine.tables[0].state[state].name);
	for (int what = 0; what < OF_COUNT; what++) {
		whatif_interval(w, first, state, (enum state_measure)what, &lo, &hi);
		if (what >= OF_ABOVE && !table) {
			table_none(t);
			table_none(t);
			continue;
		}
		table_int(t, lo);
		table_int(t, hi);
	}
}

void write_intervals(const struct whatif *w, enum out_format format, FILE *out)
{
	static const char *const name[OF_COUNT] = {"usage", "time", "above", "below"};
	static const char *const key[OF_COUNT][2] = {{"usage_lo", "usage_hi"},
		{"time_lo_ns", "time_hi_ns"}, {"above_lo", "above_hi"}, {"below_lo", "below_hi"}};
	struct table t;
	int64_t lo, hi;

	if (w->nruns < 2 || !w->run[1].spans)
		return;
	table_init(&t, "Intervals");
	/* by the numbers of its runs a governor takes less room than by its name */
	table_column(&t, format == FORMAT_TEXT ? "runs" : "governor", "", "governor", 1, 0,
		COL_KEY | COL_LEFT | COL_GROUP);
	table_column(&t, "state", "", "state", 1, 0, COL_KEY | COL_LEFT);
	for (int what = 0; what < OF_COUNT; what++)
		for (int k = 0; k < 2; k++)
			table_column(&t, k ? "" : name[what], what == OF_TIME ? "ms" : "", key[what][k],
				what == OF_TIME ? 1e6 : 1, what == OF_TIME ? -1 : 0, 0);
	for (size_t i = 1; i < w->nruns; i += whatif_interval(w, i, 0, OF_USAGE, &lo, &hi))
		for (int s = 0; s < w->run[i].machine.tables[0].nstates; s++)
			row(&t, w, i, s, format == FORMAT_TEXT ? BOUND_COUNT - BOUND_TIMERS : 0);
	table_note(&t, "least: what no reading of the inputs changes; most: what some reading gives, each "
		"decision for itself");
	table_note(&t, "read as unknown: next timer, tick (stopped, near, far), tasks in I/O wait, "
		"utilization, event cost, a latency limit as low as the recorded state");
	table_note(&t, "not spanned: periods that a tick ended, which a governor that stops it would have "
		"joined");
	table_write(&t, format, out);
	fputc('\n', out);
	table_free(&t);
}
