// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading and replaying in a thread of their own, one at a time, so that no key ever waits for them. */
#include "src/app_parts.h"
#include "src/recording_groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GLANCE_SIZE (4 << 20) /* bytes */

static bool progress(void *ctx, double fraction)
{
	struct job *j = ctx;

	atomic_store(&j->permille, (int)(fraction * 1000));
	return atomic_load(&j->cancel);
}

static void load(struct job *j, enum recording_need need)
{
	struct error unknown;

	j->ret = recording_open(j->rec, j->path, j->o, need, progress, j, &j->err);
	if (!j->ret && j->rec->have_decisions) {
		sojourns_of_decisions(j->sojourns, &j->rec->decisions, &j->rec->machine);
		free_describe_recording(&j->rec->run0, j->sojourns);
		free_period_delays(&j->rec->run0, j->sojourns);
	}
	j->recorded_known = !j->ret && (*j->rec->governor || j->o->governor_source) &&
			    !recording_governor(j->recorded, j->rec, j->o, &unknown);
	if (!j->ret)
		timeline_build(&j->index, &j->rec->run0,
			j->rec->have_decisions ? j->rec->decisions.event_cost_ns : 0);
}

static void *work(void *arg)
{
	struct job *j = arg;

	if (j->kind == JOB_GLANCE || j->kind == JOB_LOAD)
		load(j, j->kind == JOB_LOAD ? NEED_DECISIONS : NEED_PERIODS);
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

/* a small recording is there at once, and stdin cannot be read twice */
static bool worth_a_glance(const struct app *a)
{
	struct stat st;

	return !a->o->headless && strcmp(a->path, "-") && !stat(a->path, &st) && st.st_size > GLANCE_SIZE;
}

static void load_all(struct app *a)
{
	a->job.rec = &a->rec;
	start(a, JOB_LOAD);
}

static void load_first(struct app *a)
{
	a->job.o = a->o;
	a->job.path = a->path;
	a->job.sojourns = &a->sojourns;
	a->job.recorded = &a->recorded;
	if (!worth_a_glance(a)) {
		load_all(a);
		return;
	}
	a->job.rec = &a->glance;
	start(a, JOB_GLANCE);
}

static void load_failed(struct app *a)
{
	if (a->glanced) {
		a->s.loading = false;
		a->s.partial = true;
		session_say(&a->s, true, "only idle periods are here: %s", a->job.err.text);
		return;
	}
	a->failed = true;
	a->load_error = a->job.err;
	app_tell_failure(a);
}

/* groups of CPUs by what the command line or the recording says of the machine */
static void know_topology(struct app *a, const struct recording *rec)
{
	struct topology t = {0};
	struct error err;
	int level;

	if (recording_topology(&t, rec, a->o, &err) < 0)
		session_say(&a->s, true, "%s", err.text);
	cpu_groups_init(&a->s.groups, a->s.trace->ncpus, &t);
	if (a->o->by && cpu_groups_find(&a->s.groups, a->o->by, &level))
		cpu_groups_level(&a->s.groups, level);
}

static void glanced(struct app *a)
{
	if (!a->job.ret) {
		a->glanced = a->s.loading = true;
		session_load(&a->s, a->glance.trace, &a->glance.machine, &a->glance.replay_on, NULL, NULL,
			&a->glance.run0, &a->job.index);
		know_topology(a, &a->glance);
		app_begin(a);
		app_settings_loaded(a);
		app_state_load(a);
	} else if (atomic_load(&a->job.cancel)) {
		load_failed(a);
		return;
	}
	load_all(a);
}

/* views hold on to what they have counted; it is of the glance, and goes */
static void forget_glance(struct app *a)
{
	for (int v = 0; v < VIEW_COUNT; v++) {
		if (!view_list[v])
			continue;
		if (view_list[v]->close)
			view_list[v]->close(a->state[v]);
		memset(a->state[v], 0, view_list[v]->size);
		a->opened[v] = false;
	}
	session_unload(&a->s);
	recording_close(&a->glance);
}

static void loaded(struct app *a)
{
	bool first = !a->glanced;

	if (a->job.ret) {
		load_failed(a);
		return;
	}
	if (a->glanced)
		forget_glance(a);
	a->loaded = true;
	a->glanced = a->s.loading = false;
	session_load(&a->s, a->rec.trace, &a->rec.machine, &a->rec.replay_on,
		a->rec.have_decisions ? &a->rec.decisions : NULL,
		a->rec.have_decisions ? &a->sojourns : NULL, &a->rec.run0, &a->job.index);
	if (first)
		know_topology(a, &a->rec);
	a->s.edited = a->rec.machine_edited;
	a->s.powers = a->powers;
	a->s.recorded = a->job.recorded_known ? &a->recorded : NULL;
	if (first) {
		app_begin(a);
		app_settings_loaded(a);
	}
	app_begin_runs(a);
	app_show(a, app_view(a));
	if (first)
		app_state_load(a);
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
	start(a, JOB_CELL);
	return true;
}

/* what views asked for about the recording itself */
static bool next_extra(struct app *a)
{
	if (a->s.beliefs.status == RUN_QUEUED) {
		a->job.beliefs = &a->s.beliefs;
		a->s.beliefs.status = RUN_RUNNING;
		start(a, JOB_BELIEFS);
	} else if (a->s.check.status == RUN_QUEUED) {
		a->s.check.status = RUN_RUNNING;
		start(a, JOB_CHECK);
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
		load_first(a);
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
	start(a, JOB_REPLAY);
}

/* the one in front never waits for the others; of those, one at a time, and none while it is read */
static void next_of_all(struct deck *d)
{
	struct app *front = d->app[d->at];
	bool busy;

	next(front);
	busy = front->job.kind == JOB_GLANCE || front->job.kind == JOB_LOAD;
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
	if (kind == JOB_GLANCE)
		glanced(a);
	else if (kind == JOB_LOAD)
		loaded(a);
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

	return a->s.trace && v->work && v->work(a->state[v->id], &a->s);
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
