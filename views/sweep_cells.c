// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/sweep_cells.h"
#include "replay/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a */
static uint32_t hash_of(const char *text)
{
	uint32_t h = 2166136261u;

	for (; *text; text++)
		h = (h ^ (uint8_t)*text) * 16777619u;
	return h;
}

static struct sweep_cell *add(struct session *s, const char *spec, enum run_status status)
{
	struct sweep_cell *c = xcalloc(1, sizeof(*c));

	copy_text(c->spec, sizeof(c->spec), spec);
	copy_text(c->label, sizeof(c->label), spec);
	c->hash = hash_of(c->spec);
	c->status = status;
	c->axis = NAN;
	GROW(s->cell, s->ncells, s->cell_cap);
	s->cell[s->ncells++] = c;
	return c;
}

void sweep_cells_governors(struct session *s)
{
	static const char *const names[] = {"menu", "teo", "ladder", "shallowest", "deepest", "oracle"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (governor_find(names[i]))
			add(s, names[i], RUN_IDLE);
}

static int read_axes(struct sweep_axes *axes, char *text, struct error *err)
{
	char *save = NULL;

	for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save))
		if (sweep_axis_add(axes, w, err))
			return -1;
	return 0;
}

static int add_cells(struct session *s, const char *gov, const struct sweep_axes *axes, struct error *err)
{
	size_t n = sweep_cells(axes);

	if (n > 1000)
		return error_set(err, EXIT_USAGE, "that would be %zu replays: reidle sweep does so many", n);
	for (size_t i = 0; i < n; i++) {
		struct gov_spec spec;
		struct sweep_cell *c;
		char text[160];
		size_t len = (size_t)snprintf(text, sizeof(text), "%s", gov);

		for (size_t k = 0; k < axes->n && len < sizeof(text); k++)
			len += (size_t)snprintf(text + len, sizeof(text) - len, ":%s=%s",
				axes->axis[k].name, sweep_value(axes, i, k));
		if (governor_parse(&spec, text, s->kernel, err))
			return -1;
		if (sweep_cells_find(s, text))
			continue; /* swept already */
		c = add(s, text, RUN_IDLE);
		if (axes->n == 1)
			c->axis = atof(sweep_value(axes, i, 0));
		if (axes->n == 1)
			copy_text(c->axis_name, sizeof(c->axis_name), axes->axis[0].name);
		sweep_cells_everywhere(s, s->ncells - 1);
	}
	return (int)n;
}

const char *sweep_cells_refused(const struct session *s)
{
	if (s->loading || s->partial)
		return "what replays need is not read";
	if (!s->sojourns)
		return "nothing to replay from";
	if (s->sojourns->alone)
		return "idle events alone: the what-if gives intervals, a sweep numbers that mean nothing";
	if (s->machine->source == MACHINE_GUESSED && !s->edited)
		return "the idle states are not known: :table NAME, -t TABLE or --states FILE first";
	return NULL;
}

int sweep_cells_grid(struct session *s, const char *text, struct error *err)
{
	struct sweep_axes axes = {0};
	char copy[240], gov[100];
	size_t len;
	int ret;

	if (sweep_cells_refused(s))
		return error_set(err, EXIT_USAGE, "%s", sweep_cells_refused(s));
	copy_text(copy, sizeof(copy), text);
	len = strcspn(copy, " ");
	snprintf(gov, sizeof(gov), "%.*s", (int)len, copy);
	ret = read_axes(&axes, copy + len, err);
	if (!ret)
		ret = add_cells(s, gov, &axes, err);
	sweep_axes_free(&axes);
	return ret;
}

struct sweep_cell *sweep_cells_find(const struct session *s, const char *spec)
{
	uint32_t hash = hash_of(spec);

	for (int i = 0; i < s->ncells; i++)
		if (s->cell[i]->hash == hash && !strcmp(s->cell[i]->spec, spec))
			return s->cell[i];
	return NULL;
}

static void queue(struct session *s, const struct sweep_cell *like)
{
	struct sweep_cell *c;

	if (!s->trace || sweep_cells_refused(s))
		return;
	if (!s->ncells)
		sweep_cells_governors(s);
	c = sweep_cells_find(s, like->spec);
	if (!c) {
		c = add(s, like->spec, RUN_IDLE);
		c->axis = like->axis;
		copy_text(c->axis_name, sizeof(c->axis_name), like->axis_name);
	}
	if (c->status == RUN_IDLE || c->status == RUN_FAILED)
		c->status = RUN_QUEUED;
}

void sweep_cells_everywhere(struct session *s, int i)
{
	for (int k = 0; k < s->npeers; k++)
		queue(s->peer[k], s->cell[i]);
}

static void remove_cell(struct session *s, const char *spec)
{
	for (int i = 0; i < s->ncells; i++) {
		if (strcmp(s->cell[i]->spec, spec) || s->cell[i]->status == RUN_RUNNING)
			continue;
		free(s->cell[i]);
		memmove(&s->cell[i], &s->cell[i + 1], (size_t)(s->ncells - i - 1) * sizeof(*s->cell));
		s->ncells--;
		return;
	}
}

void sweep_cells_remove(struct session *s, int i)
{
	char spec[sizeof(s->cell[i]->spec)];

	copy_text(spec, sizeof(spec), s->cell[i]->spec);
	for (int k = 0; k < s->npeers; k++)
		remove_cell(s->peer[k], spec);
}

double sweep_cells_value(const struct session *s, const struct sweep_cell *cell, enum sweep_metric m)
{
	double figure[SWEEP_METRICS];
	const struct sweep_cell *mine;

	if (!session_ready(s, 0))
		return NAN;
	if (!cell) {
		sweep_figures(session_get(s, 0), figure);
		return figure[m];
	}
	mine = sweep_cells_find(s, cell->spec);
	return mine && mine->status == RUN_READY ? mine->metric[m] : NAN;
}

/* the oracle beats all by knowing the future: it is no trade to choose from */
bool *sweep_cells_best(const struct session *s)
{
	size_t n = (size_t)s->ncells + 1;
	struct sweep_point *p = xcalloc(n, sizeof(*p));
	bool *best = xcalloc(n, sizeof(*best));

	for (size_t i = 0; i < n; i++) {
		const struct sweep_cell *c = i ? s->cell[i - 1] : NULL;
		bool counts = !c || (c->status == RUN_READY && strcmp(c->spec, "oracle"));

		p[i].x = counts ? sweep_cells_value(s, c, SWEEP_MISSES) : NAN;
		p[i].y = counts ? sweep_cells_value(s, c, SWEEP_LATENCY) : NAN;
	}
	sweep_pareto(p, n);
	for (size_t i = 0; i < n; i++)
		best[i] = p[i].best;
	free(p);
	return best;
}

int sweep_cells_queued(const struct session *s)
{
	for (int i = 0; i < s->ncells; i++)
		if (s->cell[i]->status == RUN_QUEUED)
			return i;
	return -1;
}

void sweep_figures(const struct run *r, double out[SWEEP_METRICS])
{
	double usage = 0, above = 0, below = 0;

	for (int i = 0; i < STATES_MAX; i++) {
		usage += (double)r->total[i].usage;
		above += (double)r->total[i].above;
		below += (double)r->total[i].below;
	}
	out[SWEEP_MISSES] = usage > 0 ? 100 * (above + below) / usage : NAN;
	out[SWEEP_ABOVE] = usage > 0 ? 100 * above / usage : NAN;
	out[SWEEP_BELOW] = usage > 0 ? 100 * below / usage : NAN;
	out[SWEEP_LATENCY] = r->wake_latency.known ? (double)r->latency_paid_ns / 1e6 : NAN;
	out[SWEEP_P99] = r->wake_latency.known ? (double)r->wake_latency.p99_ns / 1e3 : NAN;
	out[SWEEP_COST] = (double)r->regret_ns / 1e6;
}

void sweep_cells_work(const struct session *s, struct sweep_cell *c, bool (*progress)(void *, double),
	void *ctx)
{
	struct replay_options opt = {.machine = s->edited ? &s->table : NULL, .limit_ns = s->limit_ns,
		.warmup = 40, .threads = s->threads, .progress = progress, .ctx = ctx};
	struct gov_spec spec;
	struct error err;
	struct run r;

	if (governor_parse(&spec, c->spec, s->kernel, &err) ||
		replay_free(&r, s->sojourns, session_get(s, 0), &spec, &opt, &err)) {
		copy_text(c->error, sizeof(c->error), err.text);
		c->status = RUN_FAILED;
		return;
	}
	copy_text(c->label, sizeof(c->label), spec.label);
	sweep_figures(&r, c->metric);
	run_free(&r);
	c->status = RUN_READY;
}

const char *sweep_metric_name(enum sweep_metric m)
{
	static const char *const names[] = {"above + below, % of periods", "above, % of periods",
		"below, % of periods", "exit latency paid, ms", "wake latency p99, us", "cost of misses, ms"};

	return names[m];
}
