// SPDX-License-Identifier: GPL-2.0-or-later
/* reidle sweep: a grid of replays over governors, parameters, tables and recordings. */
#include "src/output.h"
#include "src/recording_header.h"
#include "src/recording_json.h"
#include "src/recording_sweep.h"
#include "src/subcommand.h"

#include <math.h>
#include <string.h>

static uint64_t sum_of(const struct run *r, bool above, bool below)
{
	uint64_t n = 0;

	for (int s = 0; s < STATES_MAX; s++)
		n += (above ? r->total[s].above : 0) + (below ? r->total[s].below : 0);
	return n;
}

static uint64_t periods_of(const struct run *r)
{
	uint64_t n = 0;

	for (int s = 0; s < STATES_MAX; s++)
		n += r->total[s].usage;
	return n;
}

/* --- the table --- */

static void columns(struct table *t, const struct grid *g)
{
	table_init(t, "Grid");
	if (g->nrecs > 1)
		table_column(t, "recording", "", "recording", 1, 0, COL_KEY | COL_LEFT | COL_GROUP);
	table_column(t, "governor", "", "governor", 1, 0, COL_KEY | COL_LEFT | COL_GROUP);
	for (size_t a = 0; a < g->axes.n; a++)
		table_column(t, g->axes.axis[a].name, "", g->axes.axis[a].name, 1, 0,
			COL_KEY | COL_LEFT);
	table_column(t, "best", "", "best", 1, 0, COL_KEY | COL_LEFT);
	table_column(t, "periods", "", "periods", 1, 0, 0);
	table_column(t, "abv%", "", "above_share", 0.01, 2, 0);
	table_column(t, "blw%", "", "below_share", 0.01, 2, 0);
	table_column(t, "depth", "%", "depth", 0.01, 2, 0);
	table_column(t, "energy", "%", "energy", 0.01, 2, 0);
	table_column(t, "regret", "ms", "regret_ns", 1e6, -1, 0);
	table_column(t, "ticks", "", "ticks", 1, 0, 0);
	table_column(t, "wake", "avg us", "wake_mean_ns", 1e3, -1, 0);
	table_column(t, "wake", "p99 us", "wake_p99_ns", 1e3, -1, 0);
}

static void figures(struct table *t, const struct run *r, double depth, double energy)
{
	double n = (double)periods_of(r);
	uint64_t ticks = 0;

	for (int i = 0; i < r->ncpus; i++)
		ticks += r->cpu[i].ticks;
	table_int(t, (int64_t)n);
	table_real(t, n > 0 ? (double)sum_of(r, true, false) / n : NAN);
	table_real(t, n > 0 ? (double)sum_of(r, false, true) / n : NAN);
	table_real(t, depth);
	table_real(t, energy);
	table_int(t, r->regret_ns);
	table_int(t, (int64_t)ticks);
	table_int(t, r->wake_latency.mean_ns);
	table_int(t, r->wake_latency.p99_ns);
}

static double depth_of(const struct run *r)
{
	int deepest = r->machine.tables[0].nstates - 1;
	double time = 0, depth = 0;

	for (int s = 0; s < STATES_MAX; s++) {
		time += (double)r->total[s].time_ns;
		depth += (double)r->total[s].time_ns * s;
	}
	return time > 0 && deepest > 0 ? depth / time / deepest : NAN;
}

static void recorded_row(struct table *t, const struct grid *g, const struct grid_recording *r)
{
	if (g->nrecs > 1)
		table_text(t, "%s", base_name(r->s.name));
	table_text(t, "recorded");
	for (size_t a = 0; a < g->axes.n; a++)
		table_none(t);
	table_none(t);
	figures(t, &r->run0, depth_of(&r->run0), isnan(r->energy[0]) ? NAN : 1);
}

static void cell_row(struct table *t, const struct grid *g, const struct grid_cell *c)
{
	if (g->nrecs > 1)
		table_text(t, "%s", base_name(g->rec[c->recording].s.name));
	table_text(t, "%s@%s", c->spec.gov->name, c->spec.version);
	for (size_t a = 0; a < g->axes.n; a++)
		table_text(t, "%s", sweep_value(&g->axes, c->combination, a));
	table_text(t, c->best ? "*" : "");
	figures(t, &c->run, c->depth, c->energy[0]);
}

static void write_grid(const struct grid *g, enum out_format format, FILE *out)
{
	bool energy = false;
	struct table t;

	columns(&t, g);
	for (size_t r = 0; r < g->nrecs; r++) {
		recorded_row(&t, g, &g->rec[r]);
		energy |= !isnan(g->rec[r].energy[0]);
		for (size_t i = 0; i < g->rec[r].ncells; i++)
			if (g->cell[g->rec[r].first + i].done)
				cell_row(&t, g, &g->cell[g->rec[r].first + i]);
		table_rule(&t);
	}
	table_note(&t, "best *: no other cell has fewer misses and %s",
		energy ? "less energy" : "a deeper sleep");
	table_note(&t, "depth: mean state by idle time, 0 %% the first, 100 %% the deepest");
	for (size_t r = 0; r < g->nrecs; r++)
		table_note(&t, "energy%s%s: of the recording's; %s", g->nrecs > 1 ? " of " : "",
			g->nrecs > 1 ? base_name(g->rec[r].s.name) : "", g->rec[r].energy_why);
	if (energy && !g->power)
		table_note(&t,
			"with %.1g or %.1g in its place the energies move by up to %.2f %% of the "
			"recording's",
			0.6 * ENERGY_RATIO, 1.4 * ENERGY_RATIO, 100 * grid_energy_effect(g));
	table_write(&t, format, out);
	fputc('\n', out);
	table_free(&t);
}

static void write_head(const struct grid *g, FILE *out)
{
	struct header h;

	header_begin(&h, out, g->o->format, "sweep");
	for (size_t r = 0; r < g->nrecs; r++) {
		header_recording(&h, &g->rec[r].s.rec);
		header_fidelity(&h, &g->rec[r].s.rec);
		if (g->rec[r].s.rec.machine_edited)
			header_table(&h, "replayed on", &g->rec[r].s.rec.replay_on);
	}
	header_line(&h, "held",
		"wake times as recorded; ticks, aborted entries and time-outs are each "
		"cell's own");
	header_line(&h, "latencies", "%s", g->cell[0].run.latency_model);
	for (size_t i = 0; i < g->ngovernors; i++)
		header_line(&h, "governor", "%s",
			g->cell[i * (g->rec[0].ncells / g->ngovernors)].spec.label);
	if (g->cancelled)
		header_line(&h, "CANCELLED", "%zu of %zu cells were done", g->ndone, g->ncells);
	header_command(&h, g->o);
	header_end(&h);
}

/* --- JSON --- */

static json_t *swept(const struct grid *g, const struct grid_cell *c)
{
	json_t *obj = json_object();

	for (size_t a = 0; a < g->axes.n; a++)
		json_object_set_new(obj, g->axes.axis[a].name,
			json_string(sweep_value(&g->axes, c->combination, a)));
	return obj;
}

static json_t *json_cell(const struct grid *g, const struct grid_cell *c)
{
	const struct grid_recording *r = &g->rec[c->recording];
	json_t *one = json_run(&c->run, json_params(&c->spec));

	json_run_whatif(one, &c->run, &r->run0);
	json_object_set_new(one, "recording", json_text(base_name(r->s.name)));
	json_object_set_new(one, "swept", swept(g, c));
	json_object_set_new(one, "misses", json_ratio(c->misses));
	json_object_set_new(one, "depth", json_ratio(c->depth));
	json_object_set_new(one, "energy", json_ratio(c->energy[0]));
	json_object_set_new(one, "energy_range",
		json_pack("[o, o]",
			json_ratio(fmin(c->energy[ENERGY_LOWER], c->energy[ENERGY_HIGHER])),
			json_ratio(fmax(c->energy[ENERGY_LOWER], c->energy[ENERGY_HIGHER]))));
	json_object_set_new(one, "pareto", json_boolean(c->best));
	return one;
}

static json_t *json_recorded(const struct grid_recording *r)
{
	json_t *one = json_run(&r->run0, NULL);

	json_run_whatif(one, &r->run0, &r->run0);
	json_object_set_new(one, "recording", json_text(base_name(r->s.name)));
	json_object_set_new(one, "depth", json_ratio(depth_of(&r->run0)));
	json_object_set_new(one, "energy", json_ratio(isnan(r->energy[0]) ? NAN : 1));
	return one;
}

static void write_json(const struct grid *g, FILE *out)
{
	json_t *doc = json_recording_document("sweep", &g->rec[0].s.rec);
	json_t *runs = json_array(), *recordings = json_array();

	for (size_t r = 0; r < g->nrecs; r++) {
		json_array_append_new(recordings, json_recording(&g->rec[r].s.rec));
		json_array_append_new(runs, json_recorded(&g->rec[r]));
		for (size_t i = 0; i < g->rec[r].ncells; i++)
			if (g->cell[g->rec[r].first + i].done)
				json_array_append_new(
					runs, json_cell(g, &g->cell[g->rec[r].first + i]));
	}
	json_object_set_new(doc, "recordings", recordings);
	json_object_set_new(doc, "energy_from", json_text(g->rec[0].energy_why));
	json_object_set_new(doc, "cells", json_integer((json_int_t)g->ncells));
	json_object_set_new(doc, "cancelled", json_boolean(g->cancelled));
	json_object_set_new(doc, "runs", runs);
	json_print(doc, out);
}

/* --- the command --- */

static int sweep_to(struct grid *g, FILE *out, struct error *err)
{
	if (grid_run(g, err))
		return -1;
	if (g->cancelled)
		fprintf(stderr, "reidle: cancelled: %zu of %zu cells were done and are printed\n",
			g->ndone, g->ncells);
	if (g->o->format == FORMAT_JSON) {
		write_json(g, out);
	} else {
		write_head(g, out);
		if (g->o->style && grid_write_style(g, out, err))
			return -1;
		if (!g->o->style)
			write_grid(g, g->o->format, out);
	}
	return grid_fail_if(g, err);
}

static int sweep(const struct options *o, struct error *err)
{
	struct output out;
	struct grid g;
	int ret;

	if (!style_find(o->style, err) || output_open(&out, o->output, err))
		return -1;
	output_hold(&out);
	ret = grid_open(&g, o, err);
	if (!ret) {
		for (size_t i = 0; i < g.nrecs; i++)
			subject_warn(&g.rec[i].s, o);
		ret = sweep_to(&g, out.f, err);
		grid_close(&g);
	}
	if (ret < 0) {
		output_abort(&out);
		return -1;
	}
	return output_close(&out, err) ? -1 : ret;
}

const struct subcommand cmd_sweep = {
	"sweep",
	"FILE... -g GOV -p PARAM=LO..HI[:STEP]",
	"a grid of replays",
	sweep, true,
};
