// SPDX-License-Identifier: GPL-2.0-or-later
/* From a file's name to a session: a look at its beginning, at its idle periods, then all of it. */
#include "src/app_parts.h"
#include "src/recording_groups.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PEEK_SIZE (4 << 20) /* bytes: what is smaller is read at once */

void app_load_work(struct job *j, bool (*progress)(void *, double))
{
	static const enum recording_need need[] = {[JOB_PEEK] = NEED_BEGINNING, [JOB_GLANCE] = NEED_PERIODS,
		[JOB_LOAD] = NEED_DECISIONS};
	struct error unknown;

	j->ret = recording_open(j->rec, j->path, j->o, need[j->kind], progress, j, &j->err);
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

static void read_part(struct app *a, enum job_kind kind)
{
	a->job.rec = kind == JOB_LOAD ? &a->rec : &a->part[kind - JOB_PEEK];
	app_start(a, kind);
}

/* a small recording is there at once, and stdin cannot be read twice */
static bool worth_a_peek(const struct app *a)
{
	struct stat st;

	return !a->o->headless && strcmp(a->path, "-") && !stat(a->path, &st) && st.st_size > PEEK_SIZE;
}

void app_load(struct app *a)
{
	a->job.o = a->o;
	a->job.path = a->path;
	a->job.sojourns = &a->sojourns;
	a->job.recorded = &a->recorded;
	read_part(a, worth_a_peek(a) ? JOB_PEEK : JOB_LOAD);
}

static void failed(struct app *a)
{
	if (a->shown) {
		a->s.loading = false;
		a->s.partial = true;
		session_say(&a->s, true, "only %s here: %s", a->shown->trace->cut_short ?
			"the beginning is" : "idle periods are", a->job.err.text);
		return;
	}
	a->failed = true;
	a->load_error = a->job.err;
	app_tell_failure(a);
}

/* the user has not moved away from the beginning of what there was to see: he is to see all there is now */
static bool sees_all(const struct app *a)
{
	const struct trace *t = a->s.trace;

	return t && app_view(a) == VIEW_TIMELINE && !a->s.cpu && a->s.at_ns == t->origin_ns &&
	       a->s.from_ns <= t->origin_ns && session_to(&a->s) >= t->end_ns;
}

/* views hold on to what they have counted; it is of the part shown, and goes */
static void forget_part(struct app *a)
{
	if (!a->shown)
		return;
	for (int v = 0; v < VIEW_COUNT; v++) {
		if (!view_list[v])
			continue;
		if (view_list[v]->close)
			view_list[v]->close(a->state[v]);
		memset(a->state[v], 0, view_list[v]->size);
		a->opened[v] = false;
	}
	session_unload(&a->s);
	recording_close(a->shown);
	a->shown = NULL;
}

/* once all idle periods are there; a place that the user chose meanwhile is kept */
static void begin(struct app *a, bool moved)
{
	int64_t at = a->s.at_ns, from = a->s.from_ns, step = a->s.step_ns;
	bool exact = a->s.exact;

	if (a->begun)
		return;
	a->begun = true;
	app_begin(a);
	if (!moved) {
		app_state_load(a);
		return;
	}
	a->s.at_ns = at;
	a->s.exact = exact;
	a->s.from_ns = from;
	a->s.step_ns = step;
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

static void show(struct app *a, struct recording *r)
{
	bool short_one = a->shown && a->shown->trace->cut_short, anew = !a->shown;
	bool moved = short_one && !sees_all(a) && a->s.trace->ncpus == r->trace->ncpus;

	forget_part(a);
	if (short_one && !moved) { /* as if for the first time */
		free(a->s.pinned);
		a->s.pinned = NULL;
		anew = true;
	}
	session_load(&a->s, r->trace, &r->machine, &r->replay_on, r->have_decisions ? &r->decisions : NULL,
		r->have_decisions ? &a->sojourns : NULL, &r->run0, &a->job.index);
	a->s.edited = r->machine_edited;
	a->s.powers = a->powers;
	a->s.recorded = r == &a->rec && a->job.recorded_known ? &a->recorded : NULL;
	if (anew) {
		know_topology(a, r);
		app_settings_loaded(a);
	}
	if (!r->trace->cut_short)
		begin(a, moved);
}

static void loaded(struct app *a)
{
	show(a, &a->rec);
	a->loaded = true;
	a->s.loading = false;
	app_begin_runs(a);
	app_show(a, app_view(a));
}

void app_load_done(struct app *a, enum job_kind kind)
{
	bool whole = kind != JOB_PEEK || (!a->job.ret && !a->part[0].trace->cut_short);

	if (a->job.ret && (kind == JOB_LOAD || atomic_load(&a->job.cancel))) {
		failed(a);
		return;
	}
	if (kind == JOB_LOAD) {
		loaded(a);
		return;
	}
	if (!a->job.ret) {
		show(a, a->job.rec);
		a->shown = a->job.rec;
		a->s.loading = true;
	}
	read_part(a, whole ? JOB_LOAD : JOB_GLANCE);
}
