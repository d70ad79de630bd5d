// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading and replaying in a thread of their own, one at a time, so that no key ever waits for them. */
#include "src/app_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool progress(void *ctx, double fraction)
{
	struct job *j = ctx;

	atomic_store(&j->permille, (int)(fraction * 1000));
	return atomic_load(&j->cancel);
}

static void load(struct job *j)
{
	const char *path = j->o->files.s[0];

	j->ret = recording_open(j->rec, path, j->o, NEED_DECISIONS, progress, j, &j->err);
	if (!j->ret && j->rec->have_decisions) {
		sojourns_build(j->sojourns, j->rec->trace, &j->rec->machine, j->rec->decisions.hz,
			j->rec->decisions.event_cost_ns, j->o->ignore_probes);
		free_describe_recording(&j->rec->run0, j->sojourns);
		free_period_delays(&j->rec->run0, j->sojourns);
	}
	if (!j->ret)
		timeline_build(&j->index, &j->rec->run0,
			j->rec->have_decisions ? j->rec->decisions.event_cost_ns : 0);
}

static void *work(void *arg)
{
	struct job *j = arg;

	if (j->kind == JOB_LOAD)
		load(j);
	else if (j->kind == JOB_REPLAY)
		session_work(j->session, j->run, progress, j);
	else
		sweep_cells_work(j->session, j->cell, progress, j);
	atomic_store(&j->done, true);
	return NULL;
}

static void start(struct app *a, enum job_kind kind)
{
	struct job *j = &a->job;

	j->kind = kind;
	atomic_store(&j->permille, 0);
	atomic_store(&j->cancel, false);
	atomic_store(&j->done, false);
	if (pthread_create(&j->thread, NULL, work, j)) {
		j->thread = pthread_self();
		work(j);
	}
}

void app_load(struct app *a)
{
	a->job.o = a->o;
	a->job.rec = &a->rec;
	a->job.sojourns = &a->sojourns;
	start(a, JOB_LOAD);
}

static void loaded(struct app *a)
{
	struct job *j = &a->job;

	if (j->ret) {
		a->failed = true;
		a->load_error = j->err;
		session_say(&a->s, true, "%s", j->err.text);
		return;
	}
	a->loaded = true;
	session_load(&a->s, a->rec.trace, &a->rec.machine, &a->rec.replay_on,
		a->rec.have_decisions ? &a->rec.decisions : NULL,
		a->rec.have_decisions ? &a->sojourns : NULL, &a->rec.run0, &j->index);
	a->s.edited = a->rec.machine_edited;
	app_begin(a);
	app_settings_loaded(a);
	app_show(a, app_view(a));
	app_state_load(a);
}

static void replayed(struct app *a)
{
	struct session_run *r = a->job.run;

	a->s.generation++;
	if (r->status == RUN_FAILED)
		session_say(&a->s, true, "%s: %s", r->spec, r->error);
}

static bool next_cell(struct app *a)
{
	int i = sweep_cells_queued(&a->s);

	if (i < 0)
		return false;
	a->job.session = &a->s;
	a->job.cell = a->s.cell[i];
	a->job.cell->status = RUN_RUNNING;
	start(a, JOB_CELL);
	return true;
}

static void next(struct app *a)
{
	int i = session_queued(&a->s);

	if (a->job.kind != JOB_NONE || (i < 0 && next_cell(a)) || i < 0)
		return;
	a->job.session = &a->s;
	a->job.run = a->s.run[i];
	a->job.run->status = RUN_RUNNING;
	start(a, JOB_REPLAY);
}

static void finish(struct app *a)
{
	enum job_kind kind = a->job.kind;

	if (!pthread_equal(a->job.thread, pthread_self()))
		pthread_join(a->job.thread, NULL);
	a->job.kind = JOB_NONE;
	if (kind == JOB_LOAD)
		loaded(a);
	else if (kind == JOB_REPLAY)
		replayed(a);
}

bool app_poll(struct app *a)
{
	bool changed = a->job.kind != JOB_NONE && atomic_load(&a->job.done);

	if (changed)
		finish(a);
	next(a);
	return changed;
}

void app_wait(struct app *a)
{
	app_poll(a);
	while (a->job.kind != JOB_NONE) {
		finish(a);
		next(a);
	}
	while (app_slice(a))
		;
}

bool app_slice(struct app *a)
{
	const struct view_ops *v = view_list[app_view(a)];

	return a->s.trace && v->work && v->work(a->state[v->id], &a->s);
}

/* whatever waits is given up too; what is there stays */
void app_cancel(struct app *a)
{
	for (int i = 0; i < a->s.ncells; i++)
		if (a->s.cell[i]->status == RUN_QUEUED)
			a->s.cell[i]->status = RUN_IDLE;
	atomic_store(&a->job.cancel, true);
}
