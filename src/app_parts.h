/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the app, shared by its files only: loop, commands, frame, job, script, export.
 * The job's thread touches nothing of the app but the job itself until it is joined.
 */
#ifndef REIDLE_SRC_APP_PARTS_H
#define REIDLE_SRC_APP_PARTS_H

#include "parsers/parser.h"
#include "src/app.h"
#include "src/command_prompt.h"
#include "src/config.h"
#include "src/recording.h"
#include "views/beliefs.h"
#include "views/selfcheck.h"
#include "views/sweep_cells.h"
#include "views/view.h"

#include <pthread.h>
#include <stdatomic.h>

#define STACK_MAX 16
#define MIN_W 40
#define MIN_H 8

/*
 * So that there is something to see while LOAD reads everything, PEEK reads the idle periods of the
 * beginning of the recording, GLANCE those of all of it.
 */
enum job_kind { JOB_NONE, JOB_PEEK, JOB_GLANCE, JOB_LOAD, JOB_REPLAY, JOB_CELL, JOB_BELIEFS, JOB_CHECK };
#define PARTS 2 /* PEEK and GLANCE */

struct job {
	enum job_kind kind;
	pthread_t thread;
	_Atomic int permille;
	_Atomic bool cancel, done;
	/* up to JOB_LOAD */
	const struct options *o;
	const char *path;
	struct recording *rec; /* the app's, not touched by it until the job is done */
	struct timeline index;
	struct sojourns *sojourns;
	struct gov_spec *recorded;
	bool recorded_known;
	int ret;
	struct error err;
	/* the others */
	const struct session *session;
	struct session_run *run;
	struct sweep_cell *cell; /* JOB_CELL */
	struct session_beliefs *beliefs;
	struct self_check check;
};

/* reading raw events; what it shares with the loop is atomic, the rest is its own until it is joined */
struct events_job {
	pthread_t thread;
	_Atomic bool cancel, done;
	_Atomic uint64_t seen;
	const struct options *o;
	const char *path;
	int64_t origin_ns;
	struct event_request want;
	struct event_chunk chunk;
	struct opened in; /* kept for the next request */
	bool opened;
};

/* what find and filter go back to while one types, and when one gives up */
struct before_prompt {
	int cpu;
	int64_t at_ns, from_ns;
	bool exact;
	char find[120], filter[240];
};

struct deck {
	struct app **app; /* one per file of the command line */
	struct session **session; /* theirs, in the same order */
	int n, at; /* at: the one in front */
};

struct app {
	const struct options *o;
	const char *path;
	struct deck *deck; /* shared */
	bool waits; /* to be read */
	struct session s;
	struct recording rec, part[PARTS];
	struct recording *shown; /* of part; NULL: rec, or nothing yet */
	bool begun; /* what the command line asks for was done */
	struct sojourns sojourns;
	struct gov_spec recorded;
	bool loaded, failed;
	struct error load_error;
	char *powers; /* text of --power */
	struct keymap keys;
	enum glyph_set glyphs;
	bool mouse, terminal, ascii;
	struct config config;
	enum view_id stack[STACK_MAX];
	int depth; /* stack[depth] is shown */
	void *state[VIEW_COUNT];
	bool opened[VIEW_COUNT];
	struct area body;
	struct prompt prompt;
	struct before_prompt before;
	char completion[200]; /* the last one that Tab offered, where it is put together */
	int stray; /* lines that something wrote to stderr */
	struct job job;
	struct events_job events;
	int last_w, last_h;
	bool quit;
	bool redraw, suspend, toggle_mouse; /* for the terminal loop */
	char *clipboard;		    /* text to hand to the terminal */
};

static inline enum view_id app_view(const struct app *a)
{
	return a->stack[a->depth];
}

/* app.c */
/** app_one() - the app of one file; it waits to be read, or has failed already */
struct app *app_one(const struct options *o, const char *path, struct deck *deck);
void app_one_free(struct app *a);

/* app_deck.c */
struct app *app_front(const struct app *a);
/** app_find() - a recording by number (from 1) or by a part of its name that only one has; -1 none */
int app_find(const struct app *a, const char *text);
/** app_switch() - another recording to the front, in that view */
void app_switch(struct app *a, int i, enum view_id view);
bool app_recording(struct app *a, enum command_id id, const char *arg);
/** app_tell_failure() - it could not be read: say so in front, or bring another one there */
void app_tell_failure(struct app *a);

/* app_job.c */
/** app_poll() - take over what jobs have finished, start the next; true when something changed */
bool app_poll(struct app *a);
/** app_wait() - until there is no job in any recording */
void app_wait(struct app *a);
/** app_cancel() - the job in front, else another's; false when there is none */
bool app_cancel(struct app *a);
/** app_stop() - end the app's own job for good */
void app_stop(struct app *a);
/** app_slice() - work of the view that is shown; true when it did something: draw, and come again */
bool app_slice(struct app *a);
/** app_busy() - is there, or waits, a job in any recording */
bool app_busy(const struct app *a);
/** app_worker() - the app whose job is told: the one in front if it has one; NULL none */
struct app *app_worker(const struct app *a);

/* app_events.c */
/** app_events_poll() - take over lines that came, begin what was asked for; true when something changed */
bool app_events_poll(struct app *a);
/** app_events_wait() - the same, but wait; true when there was something to wait for */
bool app_events_wait(struct app *a);
void app_events_free(struct app *a);

/** app_start() - a job of its kind in a thread; the rest of struct job is set */
void app_start(struct app *a, enum job_kind kind);
static inline bool app_loads(const struct app *a)
{
	return a->job.kind >= JOB_PEEK && a->job.kind <= JOB_LOAD;
}

/* app_load.c */
/** app_load() - begin to read the recording */
void app_load(struct app *a);
/** app_load_work() - what a job up to JOB_LOAD does in its thread */
void app_load_work(struct job *j, bool (*progress)(void *, double));
/** app_load_done() - take over what it has read, and go on */
void app_load_done(struct app *a, enum job_kind kind);

/* app_commands.c */
bool app_execute(struct app *a, enum command_id id, const char *arg);
/** app_line() - a command line: name and argument; false: not known, or failed (message says so) */
bool app_line(struct app *a, const char *line);
/** app_key() - false when what it asked for failed */
bool app_key(struct app *a, int key);
void app_show(struct app *a, enum view_id view);

/* app_complete.c */
/** app_complete() - a prompt_complete; @ctx is the app */
const char *app_complete(void *ctx, const char *line, size_t word, int n);

/* app_goto.c */
bool app_goto(struct app *a, const char *arg);
bool app_zoom(struct app *a, const char *arg);
bool app_limit(struct app *a, const char *arg);
bool app_table(struct app *a, const char *arg);
bool app_choose(struct app *a, enum command_id id, const char *arg);
/** app_begin() - what the command line asks for once the recording is there */
void app_begin(struct app *a);
/** app_begin_runs() - the replays it asks for, once what they need is there */
void app_begin_runs(struct app *a);

/* app_export.c */
bool app_export(struct app *a, const char *arg);
bool app_copy(struct app *a);
bool app_screen(struct app *a, const char *path, bool roles);

/* app_settings.c */
/** app_settings() - read the config file; what needs no recording */
void app_settings(struct app *a);
void app_settings_loaded(struct app *a);
void app_theme(struct app *a, struct theme *t, int terminal_colors, int nstates);
/** app_state_save(), app_state_load() - the place in this recording, of the last terminal session */
void app_state_save(const struct app *a);
void app_state_load(struct app *a);

/* app_script.c */
int app_headless(struct app *a, struct error *err);

#endif
