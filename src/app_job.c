// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading and replaying in a thread of their own, one at a time, so that no key ever waits for them. */
#include "src/app_parts.h"
#include "views/lanes_keys.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool progress(void *ctx, double fraction)
{
	struct job *j = ctx;

	atomic_store(&j->permille, (int)(fraction * 1000));
	return atomic_load(&j->cancel);
}

static void *work(void *arg)
{
	struct job *j = arg;

	if (j->kind <= JOB_LOAD)
		app_load_work(j, progress);
	else if (j->kind == JOB_REPLAY)
		session_work(j->session, j->run, progress, j);
	else if (j->kind == JOB_BELIEFS)
		j->ret = !beliefs_work(j->session, j->beliefs, progress, j);
	else if (j->kind == JOB_CHECK)
		j->ret = selfcheck_work(j->session, &j->check, progress, j, &j->err);
	else
		sweep_cells_work(j->session, j->cell, progress, j);
	atomic_store(&j->done, true);
	return NULL;
}

void app_start(struct app *a, enum job_kind kind)
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

static void replayed(struct app *a)
{
	struct session_run *r = a->job.run;

	a->s.generation++;
	if (r->status == RUN_FAILED || *r->error)
		session_say(&a->s, true, "%s: %s", r->spec, r->error);
}

static bool next_cell(struct app *a)
{
	int i = sweep_cells_queued(&a->s);

	if (i < 0)
		return false;
	a->job.cell = a->s.cell[i];
	a->job.cell->status = RUN_RUNNING;
	app_start(a, JOB_CELL);
	return true;
}

/* what views asked for about the recording itself */
static bool next_extra(struct app *a)
{
	if (a->s.beliefs.status == RUN_QUEUED) {
		a->job.beliefs = &a->s.beliefs;
		a->s.beliefs.status = RUN_RUNNING;
		app_start(a, JOB_BELIEFS);
	} else if (a->s.check.status == RUN_QUEUED) {
		a->s.check.status = RUN_RUNNING;
		app_start(a, JOB_CHECK);
	} else {
		return false;
	}
	return true;
}

static void next(struct app *a)
{
	int i = session_queued(&a->s);

	if (a->job.kind != JOB_NONE)
		return;
	if (a->waits) {
		a->waits = false;
		app_load(a);
		return;
	}
	a->job.session = &a->s;
	if (i < 0) {
		if (!next_extra(a))
			next_cell(a);
		return;
	}
	a->job.run = a->s.run[i];
	a->job.run->status = RUN_RUNNING;
	app_start(a, JOB_REPLAY);
}

/* the one in front never waits for the others; of those, one at a time, and none while it is read */
static void next_of_all(struct deck *d)
{
	struct app *front = d->app[d->at];
	bool busy;

	next(front);
	busy = app_loads(front);
	for (int i = 0; i < d->n; i++)
		busy = busy || (i != d->at && d->app[i]->job.kind != JOB_NONE);
	for (int i = 0; i < d->n && !busy; i++) {
		next(d->app[i]);
		busy = i != d->at && d->app[i]->job.kind != JOB_NONE;
	}
}

static void finish(struct app *a)
{
	enum job_kind kind = a->job.kind;

	if (!pthread_equal(a->job.thread, pthread_self()))
		pthread_join(a->job.thread, NULL);
	a->job.kind = JOB_NONE;
	if (kind <= JOB_LOAD)
		app_load_done(a, kind);
	else if (kind == JOB_REPLAY)
		replayed(a);
	else if (kind == JOB_BELIEFS)
		beliefs_made(&a->s, !a->job.ret);
	else if (kind == JOB_CHECK)
		selfcheck_made(&a->s, &a->job.check, a->job.ret ? &a->job.err : NULL);
}

bool app_poll(struct app *a)
{
	struct deck *d = a->deck;
	bool changed = false;

	for (int i = 0; i < d->n; i++) {
		if (d->app[i]->job.kind != JOB_NONE && atomic_load(&d->app[i]->job.done)) {
			finish(d->app[i]);
			changed = true;
		}
		changed |= app_events_poll(d->app[i]);
	}
	next_of_all(d);
	return changed;
}

struct app *app_worker(const struct app *a)
{
	const struct deck *d = a->deck;

	for (int i = 0; i < d->n; i++) {
		struct app *o = d->app[(d->at + i) % d->n];

		if (o->job.kind != JOB_NONE)
			return o;
	}
	return NULL;
}

static bool waits(const struct session *s)
{
	return session_queued(s) >= 0 || sweep_cells_queued(s) >= 0 || s->beliefs.status == RUN_QUEUED ||
	       s->check.status == RUN_QUEUED;
}

bool app_busy(const struct app *a)
{
	const struct deck *d = a->deck;

	for (int i = 0; i < d->n; i++)
		if (d->app[i]->job.kind != JOB_NONE || d->app[i]->waits || waits(&d->app[i]->s))
			return true;
	return false;
}

/* a view may find more to do for a job only once it has counted */
void app_wait(struct app *a)
{
	while (app_busy(a) || app_events_wait(app_front(a)) || app_slice(app_front(a)) ||
		app_front(a)->s.feed.asked) {
		struct app *o;

		app_poll(a);
		o = app_worker(a);
		if (o)
			finish(o);
	}
}

bool app_slice(struct app *a)
{
	const struct view_ops *v = view_list[app_view(a)];

	return a->s.trace && (lanes_seek(&a->s) || (v->work && v->work(a->state[v->id], &a->s)));
}

/* whatever waits is given up too; what is there stays */
bool app_cancel(struct app *a)
{
	struct app *o = app_worker(a);

	for (int i = 0; o && i < o->s.ncells; i++)
		if (o->s.cell[i]->status == RUN_QUEUED)
			o->s.cell[i]->status = RUN_IDLE;
	if (o)
		atomic_store(&o->job.cancel, true);
	return o != NULL;
}

void app_stop(struct app *a)
{
	while (a->job.kind != JOB_NONE) {
		atomic_store(&a->job.cancel, true);
		finish(a);
	}
}
