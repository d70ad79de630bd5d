// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/recording_sweep.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parsers/dump.h"
#include "replay/each_cpu.h"

/* --- what is swept --- */

/* -g texts, split at commas that begin a new governor: what follows "name:a=b" may hold none */
static int list_governors(struct grid *g, struct error *err)
{
	size_t cap = 0;

	for (size_t i = 0; i < g->o->governors.n; i++)
		for (const char *p = g->o->governors.s[i]; *p;) {
			size_t len = strcspn(p, ",");

			if (len >= sizeof(g->text[0]))
				return error_set(err, EXIT_USAGE, "-g: '%.40s...' is too long", p);
			GROW(g->text, g->ngovernors, cap);
			snprintf(g->text[g->ngovernors++], sizeof(g->text[0]), "%.*s", (int)len, p);
			p += len + (p[len] == ',');
		}
	if (!g->ngovernors)
		return error_set(err, EXIT_USAGE,
			"no governor given: -g menu,teo (reidle governors "
			"lists them)");
	return 0;
}

static int list_axes(struct grid *g, struct error *err)
{
	for (size_t i = 0; i < g->o->params.n; i++)
		if (sweep_axis_add(&g->axes, g->o->params.s[i], err))
			return -1;
	return 0;
}

/* a value of the machine or the kernel rather than of the governor: 1 taken, 0 not, -1 with err */
static int set_surrounding(struct grid_cell *c, const struct grid_recording *r, const char *name,
	const char *value, struct error *err)
{
	char text[128];

	if (!strcmp(name, "hz")) {
		c->opt.hz = atoi(value);
		return c->opt.hz >= 10 && c->opt.hz <= 10000
			       ? 1
			       : error_set(err, EXIT_USAGE, "-p hz: %s is not within 10..10000",
					 value);
	}
	if (!strcmp(name, "limit") || !strcmp(name, "latency-limit"))
		return machine_parse_us(&c->opt.limit_ns, value)
			       ? 1
			       : error_set(err, EXIT_USAGE, "-p %s: '%s' is no number of us", name,
					 value);
	if (!strcmp(name, "table")) {
		machine_free(&c->machine);
		c->machine_edited = true;
		return dump_load_table(&c->machine, value, r->s.rec.trace->ncpus, err) ? -1 : 1;
	}
	if (!strchr(name, '.'))
		return 0;
	snprintf(text, sizeof(text), "%s=%s", name, value);
	c->machine_edited = true;
	return machine_set(&c->machine, text, err) ? -1 : 1;
}

static int fill_cell(struct grid *g, struct grid_cell *c, size_t governor, struct error *err)
{
	const struct grid_recording *r = &g->rec[c->recording];
	char text[600];

	machine_copy(&c->machine, &r->s.rec.replay_on);
	c->machine_edited = r->s.rec.machine_edited;
	c->opt = (struct replay_options){
		.limit_ns = -1, .hz = g->o->hz, .threads = 1, .summary = true};
	if (g->o->latency_model)
		c->opt.latency_model =
			strcmp(g->o->latency_model, "table") ? LATENCY_MEASURED : LATENCY_TABLE;
	if (g->o->latency_limit && !machine_parse_us(&c->opt.limit_ns, g->o->latency_limit))
		return error_set(err, EXIT_USAGE, "--latency-limit takes a number of us, not '%s'",
			g->o->latency_limit);
	copy_text(text, sizeof(text), g->text[governor]);
	for (size_t a = 0; a < g->axes.n; a++) {
		const char *name = g->axes.axis[a].name;
		const char *value = sweep_value(&g->axes, c->combination, a);
		int taken = set_surrounding(c, r, name, value, err);

		if (taken < 0)
			return -1;
		if (!taken)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), ":%s=%s", name,
				value);
	}
	/* the address is taken last: cells do not move any more */
	if (c->machine_edited)
		c->opt.machine = &c->machine;
	return governor_parse(&c->spec, text, r->s.rec.kernel, err);
}

static int make_cells(struct grid *g, struct error *err)
{
	size_t combinations = sweep_cells(&g->axes), n, next = 0;

	if (combinations == SIZE_MAX || combinations > SWEEP_CELLS_MAX / (g->ngovernors * g->nrecs))
		return error_set(err, EXIT_USAGE, "more than %d cells: make the steps larger",
			SWEEP_CELLS_MAX);
	n = combinations * g->ngovernors;
	g->cell = xcalloc(n * g->nrecs + 1, sizeof(*g->cell));
	for (size_t r = 0; r < g->nrecs; r++) {
		g->rec[r].first = next;
		g->rec[r].ncells = n;
		for (size_t i = 0; i < n; i++, next++) {
			struct grid_cell *c = &g->cell[next];

			c->recording = r;
			c->combination = i % combinations;
			g->ncells = next + 1;
			if (fill_cell(g, c, i / combinations, err))
				return -1;
		}
	}
	return 0;
}

/* --- recordings --- */

double grid_energy_effect(const struct grid *g)
{
	double most = 0;

	for (size_t i = 0; i < g->ncells; i++)
		for (int k = ENERGY_LOWER; k < ENERGIES && g->cell[i].done; k++)
			most = fmax(most, fabs(g->cell[i].energy[k] - g->cell[i].energy[0]));
	return most;
}

static int open_recording(struct grid *g, const char *path, struct error *err)
{
	struct grid_recording *r = &g->rec[g->nrecs];
	struct options as_recorded = *g->o;
	struct recording *rec = &r->s.rec;

	/* --hz is the what-if's tick rate, not the recording's */
	as_recorded.hz = 0;
	if (subject_open(&r->s, path, &as_recorded, NEED_DECISIONS, err))
		return -1;
	g->nrecs++;
	if (rec->decisions.hz <= 0)
		return error_set(err, EXIT_INPUT, "%s: the tick rate is not known", path);
	sojourns_of_decisions(&r->sojourns, &rec->decisions, &rec->machine);
	if (r->sojourns.alone)
		return error_set(err, EXIT_INPUT,
			"%s: holds no timers and task switches: reidle whatif "
			"gives intervals, a sweep would give numbers that mean nothing (record "
			"with "
			"reidle record)",
			path);
	run_of_recording(&r->run0, rec->trace, &rec->machine, rec->decisions.event_cost_ns);
	copy_text(r->run0.governor, sizeof(r->run0.governor), rec->governor);
	free_describe_recording(&r->run0, &r->sojourns);
	recording_count(&r->run0, rec);
	r->span_ns = rec->trace->end_ns - rec->trace->origin_ns;
	return energies_of(r->energy, &r->run0, r->span_ns, g->power, r->energy_why,
		sizeof(r->energy_why), err);
}

static int open_parts(struct grid *g, struct error *err)
{
	if (!g->o->files.n)
		return error_set(err, EXIT_USAGE, "sweep: no recording given");
	if (list_governors(g, err) || list_axes(g, err))
		return -1;
	if (g->o->power && !(g->power = energy_read_powers(g->o->power, err)))
		return -1;
	g->rec = xcalloc(g->o->files.n, sizeof(*g->rec));
	for (size_t i = 0; i < g->o->files.n; i++)
		if (open_recording(g, g->o->files.s[i], err))
			return -1;
	return make_cells(g, err);
}

int grid_open(struct grid *g, const struct options *o, struct error *err)
{
	*g = (struct grid){.o = o};
	if (!open_parts(g, err))
		return 0;
	grid_close(g);
	return -1;
}

/* --- running --- */

struct grid_job {
	struct grid *g;
	struct error *err; /* [ncells] */
	bool (*show)(void *, double);
};

static void run_cell(void *ctx, int i)
{
	struct grid_job *job = ctx;
	struct grid_cell *c = &job->g->cell[i];
	const struct grid_recording *r = &job->g->rec[c->recording];

	c->done = !replay_free(&c->run, &r->sojourns, &r->run0, &c->spec, &c->opt, &job->err[i]);
}

/* SIGINT is held back and asked for here, in the one thread that reports */
static bool between_cells(void *ctx, double fraction)
{
	struct grid_job *job = ctx;
	struct timespec now = {0};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	if (job->show)
		job->show((void *)"sweep", fraction);
	return sigtimedwait(&set, NULL, &now) == SIGINT;
}

static int sum_up(struct grid *g, struct grid_cell *c, struct error *err)
{
	const struct grid_recording *r = &g->rec[c->recording];
	int deepest = c->run.machine.tables[0].nstates - 1;
	uint64_t usage = 0, missed = 0;
	double time = 0, depth = 0;

	for (int s = 0; s < STATES_MAX; s++) {
		usage += c->run.total[s].usage;
		missed += c->run.total[s].above + c->run.total[s].below;
		time += (double)c->run.total[s].time_ns;
		depth += (double)c->run.total[s].time_ns * s;
	}
	c->misses = usage ? (double)missed / (double)usage : NAN;
	c->depth = time > 0 && deepest > 0 ? depth / time / deepest : NAN;
	if (energies_of(c->energy, &c->run, r->span_ns, g->power, NULL, 0, err))
		return -1;
	for (int i = 0; i < ENERGIES; i++)
		c->energy[i] /= r->energy[i];
	return 0;
}

static void mark_best(struct grid *g, const struct grid_recording *r)
{
	struct sweep_point *p = xcalloc(r->ncells + 1, sizeof(*p));

	for (size_t i = 0; i < r->ncells; i++) {
		const struct grid_cell *c = &g->cell[r->first + i];

		p[i].x = c->done ? c->misses : NAN;
		/* without energy a deeper sleep has to stand for less of it */
		p[i].y = isnan(r->energy[0]) ? -c->depth : c->energy[0];
	}
	sweep_pareto(p, r->ncells);
	for (size_t i = 0; i < r->ncells; i++)
		g->cell[r->first + i].best = p[i].best;
	free(p);
}

static int finish(struct grid *g, const struct error *cell_err, struct error *err)
{
	for (size_t i = 0; i < g->ncells; i++) {
		if (!g->cell[i].done && *cell_err[i].text) {
			*err = cell_err[i];
			return -1;
		}
		if (g->cell[i].done && sum_up(g, &g->cell[i], err))
			return -1;
		g->ndone += g->cell[i].done;
	}
	for (size_t r = 0; r < g->nrecs; r++)
		mark_best(g, &g->rec[r]);
	return 0;
}

int grid_run(struct grid *g, struct error *err)
{
	struct grid_job job = {.g = g,
		.err = xcalloc(g->ncells + 1, sizeof(struct error)),
		.show = progress_for(g->o)};
	sigset_t set, before;
	int ret;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	g->cancelled = !each_cpu((int)g->ncells, g->o->jobs > 0 ? g->o->jobs : 1, run_cell, &job,
		between_cells, &job);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close_progress(g->o);
	ret = finish(g, job.err, err);
	free(job.err);
	return ret;
}

void grid_close(struct grid *g)
{
	for (size_t i = 0; i < g->ncells; i++) {
		if (g->cell[i].done)
			run_free(&g->cell[i].run);
		machine_free(&g->cell[i].machine);
	}
	for (size_t i = 0; i < g->nrecs; i++) {
		if (g->rec[i].run0.cpu)
			run_free(&g->rec[i].run0);
		if (g->rec[i].sojourns.cpu)
			sojourns_free(&g->rec[i].sojourns);
		subject_close(&g->rec[i].s);
	}
	sweep_axes_free(&g->axes);
	free(g->cell);
	free(g->rec);
	free(g->text);
	free(g->power);
	memset(g, 0, sizeof(*g));
}
