// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/beliefs.h"
#include "views/changes.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_COLUMNS 80

void session_init(struct session *s)
{
	memset(s, 0, sizeof(*s));
	s->go = s->go_recording = s->overlay = -1;
	s->limit_ns = -1;
	s->ncols = DEFAULT_COLUMNS;
	s->step_ns = NSEC_PER_MSEC;
}

static void free_run(struct session_run *r)
{
	timeline_free(&r->tl);
	changes_free(&r->changes);
	if (!r->borrowed && r->status == RUN_READY)
		run_free(&r->run);
	machine_free(&r->machine);
	free(r);
}

void session_unload(struct session *s)
{
	for (int i = 0; i < s->nruns; i++)
		free_run(s->run[i]);
	for (int i = 0; i < s->ncells; i++)
		free(s->cell[i]);
	if (s->trace)
		machine_free(&s->table);
	beliefs_free(s);
	s->check = (struct session_check){0};
	s->nruns = s->ncells = s->left = s->right = 0;
	s->trace = NULL;
	s->generation++;
}

void session_free(struct session *s)
{
	session_unload(s);
	event_chunk_free(&s->feed.chunk);
	cpu_groups_free(&s->groups);
	free(s->cell);
	free(s->run);
	free(s->pinned);
}

const struct run *session_get(const struct session *s, int i)
{
	return s->run[i]->borrowed ? s->run[i]->borrowed : &s->run[i]->run;
}

static struct session_run *new_run(struct session *s, const struct machine *m)
{
	struct session_run *r = xcalloc(1, sizeof(*r));

	machine_copy(&r->machine, m);
	r->limit_ns = s->limit_ns;
	r->edited = s->edited;
	r->status = RUN_QUEUED;
	GROW(s->run, s->nruns, s->run_cap);
	s->run[s->nruns++] = r;
	return r;
}

static void default_density(struct session *s)
{
	s->density = s->trace->ncpus <= 8 ? LANES_ALL : s->trace->ncpus <= 24 ? LANES_ONE : LANES_GROUPS;
}

void session_load(struct session *s, const struct trace *t, const struct machine *m,
	const struct machine *table, const struct decisions *d, const struct sojourns *sojourns,
	const struct run *run0, struct timeline *index)
{
	struct topology none = {0};
	struct session_run *r;

	s->trace = t;
	s->machine = m;
	s->decisions = d;
	s->sojourns = sojourns;
	copy_text(s->kernel, sizeof(s->kernel), *t->uname ? t->uname : t->kernel);
	machine_copy(&s->table, table);
	r = new_run(s, m);
	r->borrowed = run0;
	r->status = RUN_READY;
	for (int i = 0; i < ENERGIES; i++)
		r->energy[i] = 1;
	copy_text(r->name, sizeof(r->name), *run0->governor ? run0->governor : "recorded");
	r->tl = *index;
	memset(index, 0, sizeof(*index));
	if (s->pinned) /* the same recording, read more fully: the user stays where he is */
		return;
	s->pinned = xcalloc((size_t)t->ncpus, sizeof(*s->pinned));
	cpu_groups_init(&s->groups, t->ncpus, &none);
	default_density(s);
	s->at_ns = t->origin_ns;
	session_window(s, t->origin_ns, t->end_ns);
}

/* for a lane's label: "teo", and "2:teo" when there is another of that name */
static void short_name(const struct session *s, struct session_run *r)
{
	const char *base = strrchr(r->spec, '/') ? strrchr(r->spec, '/') + 1 : r->spec;
	char text[sizeof(r->name)];
	bool taken = false;

	copy_text(text, sizeof(text), base);
	text[strcspn(text, ":")] = '\0';
	for (int i = 0; i < s->nruns; i++)
		taken = taken || (s->run[i] != r && !strncmp(s->run[i]->name, text, strcspn(text, "@")));
	if (taken)
		snprintf(r->name, sizeof(r->name), "%d:%.16s", (s->nruns - 1) % 1000, text);
	else
		copy_text(r->name, sizeof(r->name), text);
}

int session_add(struct session *s, const char *spec, struct error *err)
{
	struct gov_spec check;
	struct session_run *r;

	if (!s->trace)
		return error_set(err, EXIT_USAGE, "still loading");
	if (s->loading)
		return error_set(err, EXIT_USAGE, "still loading what replays need");
	if (s->partial)
		return error_set(err, EXIT_USAGE, "loading was stopped: only idle periods are here");
	if (!s->decisions || !s->sojourns)
		return error_set(err, EXIT_USAGE, "nothing to replay: the recording has no decisions");
	if (s->machine->source == MACHINE_GUESSED && !s->edited)
		return error_set(err, EXIT_USAGE,
			"the idle states are not known: :table NAME, -t TABLE or --states FILE first");
	if (governor_parse(&check, spec, s->kernel, err))
		return -1;
	r = new_run(s, &s->table);
	copy_text(r->spec, sizeof(r->spec), spec);
	short_name(s, r);
	return s->nruns - 1;
}

int session_queued(const struct session *s)
{
	for (int i = 0; i < s->nruns; i++)
		if (s->run[i]->status == RUN_QUEUED)
			return i;
	return -1;
}

/* nothing is said about energy where the table, or the powers given, say nothing */
static void find_energy(const struct session *s, struct session_run *r)
{
	int64_t span_ns = s->trace->end_ns - s->trace->origin_ns;
	double before[ENERGIES];
	struct error err;
	bool known = !energies_of(before, session_get(s, 0), span_ns, s->powers, NULL, 0, &err) &&
		     !energies_of(r->energy, &r->run, span_ns, s->powers, NULL, 0, &err);

	for (int i = 0; i < ENERGIES; i++)
		r->energy[i] = known ? r->energy[i] / before[i] : NAN;
	copy_text(r->error, sizeof(r->error), known ? "" : err.text);
}

/* governors have learnt different things at the other ends of what was not recorded */
static int replay_bounds(const struct session *s, struct session_run *r, const struct gov_spec *spec,
	struct replay_options opt, struct error *err)
{
	struct run other;

	for (int i = 0; i < STATES_MAX; i++)
		run_span_widen(&r->span[i], &r->run.span[i], true);
	opt.summary = true;
	for (opt.bound = BOUND_NO_TIMERS; opt.bound < BOUND_COUNT; opt.bound++) {
		if (replay_free(&other, s->sojourns, session_get(s, 0), spec, &opt, err))
			return -1;
		for (int i = 0; i < STATES_MAX; i++)
			run_span_widen(&r->span[i], &other.span[i], false);
		run_free(&other);
	}
	r->bounded = true;
	return 0;
}

void session_work(const struct session *s, struct session_run *r, bool (*progress)(void *, double),
	void *ctx)
{
	struct replay_options opt = {.machine = r->edited ? &r->machine : NULL,
		.limit_ns = r->limit_ns, .warmup = 40, .threads = s->threads, .progress = progress,
		.bound = s->sojourns->alone ? BOUND_TIMERS : BOUND_NONE, .ctx = ctx};
	struct gov_spec spec;
	struct error err;

	if (governor_parse(&spec, r->spec, s->kernel, &err) ||
		replay_free(&r->run, s->sojourns, session_get(s, 0), &spec, &opt, &err)) {
		copy_text(r->error, sizeof(r->error), err.text);
		r->status = RUN_FAILED;
		return;
	}
	if (opt.bound && replay_bounds(s, r, &spec, opt, &err)) {
		copy_text(r->error, sizeof(r->error), err.text);
		run_free(&r->run);
		r->status = RUN_FAILED;
		return;
	}
	timeline_build(&r->tl, &r->run, s->decisions->event_cost_ns);
	changes_build(&r->changes, &s->run[0]->tl, &r->tl);
	changes_sort(&r->changes);
	find_energy(s, r);
	r->status = RUN_READY;
}

void session_remove(struct session *s, int i)
{
	if (i <= 0 || i >= s->nruns || s->run[i]->status == RUN_RUNNING)
		return;
	free_run(s->run[i]);
	memmove(&s->run[i], &s->run[i + 1], (size_t)(s->nruns - i - 1) * sizeof(*s->run));
	s->nruns--;
	s->generation++;
	s->left = s->left == i ? 0 : s->left - (s->left > i);
	s->right = s->right == i ? s->nruns - 1 : s->right - (s->right > i);
}

void session_edited(struct session *s)
{
	s->generation++;
	for (int i = 1; i < s->nruns; i++) {
		struct session_run *r = s->run[i];

		if (r->status == RUN_RUNNING)
			continue;
		timeline_free(&r->tl);
		changes_free(&r->changes);
		r->bounded = false;
		if (r->status == RUN_READY)
			run_free(&r->run);
		machine_free(&r->machine);
		machine_copy(&r->machine, &s->table);
		memset(&r->run, 0, sizeof(r->run));
		r->limit_ns = s->limit_ns;
		r->edited = s->edited;
		r->status = RUN_QUEUED;
	}
}

void session_say(struct session *s, bool alert, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->message, sizeof(s->message), fmt, ap);
	va_end(ap);
	s->alert = alert;
}

bool session_ready(const struct session *s, int i)
{
	return i >= 0 && i < s->nruns && s->run[i]->status == RUN_READY;
}

const struct decision *session_decision(const struct session *s, int cpu, size_t period)
{
	const struct decisions_cpu *c;
	size_t lo = 0, hi;

	if (!s->decisions || cpu >= s->decisions->ncpus)
		return NULL;
	c = &s->decisions->cpu[cpu];
	hi = c->n;
	while (lo < hi) { /* aborted ones have no period, but lie in order of time */
		size_t mid = lo + (hi - lo) / 2, k = mid;

		while (k < hi && c->d[k].period == UINT32_MAX)
			k++;
		if (k == hi)
			hi = mid;
		else if (c->d[k].period < period)
			lo = k + 1;
		else if (c->d[k].period > period)
			hi = mid;
		else
			return &c->d[k];
	}
	return NULL;
}
