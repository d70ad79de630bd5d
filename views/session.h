/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every view shares: the recording, the runs, where the user is and what he asked the app to do.
 * The session owns its runs; trace, machine, decisions and run 0 belong to the app and are read only.
 * Times are ns on the recording's clock; what is shown counts from its origin.
 */
#ifndef REIDLE_VIEWS_SESSION_H
#define REIDLE_VIEWS_SESSION_H

#include "replay/energy.h"
#include "replay/free.h"
#include "replay/replay.h"
#include "src/command.h"
#include "src/timeline.h"
#include "views/cpu_groups.h"
#include "views/events.h"

enum run_status { RUN_IDLE, RUN_QUEUED, RUN_RUNNING, RUN_READY, RUN_FAILED };
enum units { UNITS_AUTO, UNITS_US, UNITS_NS, UNITS_COUNT };
enum density { LANES_ALL, LANES_ONE, LANES_GROUPS, LANES_PINNED, LANES_COUNT };

/* a stretch in which two runs are in different states */
struct change {
	int64_t at_ns;	    /* where it begins */
	int64_t length_ns;
	int64_t cost_left_ns, cost_right_ns; /* of the periods it lies in */
	uint32_t left, right; /* indices of those periods; UINT32_MAX: that run is not idle */
	uint16_t cpu;
};

struct changes {
	struct change *c; /* by time */
	size_t n, cap;
	uint32_t *by_cost; /* the costliest first; NULL: not known */
};

struct session_run {
	struct run run; /* filled when READY */
	struct timeline tl;
	enum run_status status;
	char spec[160]; /* as asked for: "teo@7.2:param=value"; "" for the recording */
	char name[24];	/* short, for lanes */
	char error[240];
	bool named;	/* by the user */
	struct machine machine; /* the table it is replayed on; own copy */
	bool edited;		/* it is not the recorded one */
	int64_t limit_ns;	/* < 0: as recorded */
	struct changes changes; /* against the recording, by time; own */
	const struct run *borrowed; /* run 0: the app's */
	double energy[ENERGIES];    /* of the recording's; NAN not known */
	/* a recording that holds little: least and most of all readings; run and tl are the first one's */
	bool bounded;
	struct state_span span[STATES_MAX];
};

/* how well a replay gives the recording back, see views/selfcheck.h */
struct session_check {
	enum run_status status;
	struct self_check result;
	char why[160]; /* status FAILED */
};

enum sweep_metric { SWEEP_MISSES, SWEEP_ABOVE, SWEEP_BELOW, SWEEP_LATENCY, SWEEP_P99, SWEEP_COST,
	SWEEP_METRICS };

/* one replay of a sweep: figures only, see views/sweep_cells.h */
struct sweep_cell {
	char spec[160], label[140], error[200];
	uint32_t hash; /* of the spec: rows of several recordings are matched by it */
	enum run_status status;
	double metric[SWEEP_METRICS]; /* percent, ms, us; NAN unknown */
	double axis;		      /* the swept value; NAN when it is no sweep over one parameter */
	char axis_name[40];
};

/* the lengths that the recorded governor predicted, see views/beliefs.h */
struct session_beliefs {
	enum run_status status;
	int64_t **ns; /* [ncpus][decisions]; own */
	char why[160]; /* status FAILED: why there are none */
};

struct session {
	const struct trace *trace; /* NULL while loading */
	const struct machine *machine;
	const struct decisions *decisions; /* NULL: not known */
	const struct sojourns *sojourns;   /* NULL with decisions; what replays run over */
	const struct gov_spec *recorded;   /* model of the governor that was recorded; NULL not known */
	struct session_beliefs beliefs;
	struct session_check check;
	const char *powers; /* of states, as the user gives them; NULL: from break-even */
	int threads;
	char file[80];
	bool loading; /* only the idle periods are there yet */
	bool partial; /* reading the rest was stopped */
	char kernel[200]; /* the whole kernel string where it is known */

	struct session_run **run; /* [0] is the recording */
	int nruns, run_cap;
	struct sweep_cell **cell;
	int ncells, cell_cap;
	int left, right; /* the two that are compared */
	int overlay;	 /* peer whose recording lies over the histogram; -1: the right run does */
	unsigned generation; /* counts whatever makes or changes a run */
	struct machine table; /* what new runs are replayed on; own copy, edited in the states view */
	bool edited;	      /* it is not the recorded one */
	int64_t limit_ns;

	/* the place: cursor, window, markers */
	int cpu;
	int64_t at_ns;
	bool exact; /* at_ns names a period, not a column */
	int64_t from_ns, step_ns; /* window: first column and width of one */
	int ncols;		  /* as last drawn */
	int64_t mark_ns[2];
	bool marked[2];

	enum units units;
	enum density density;
	int height;	 /* rows per lane, 1..3; 0: as many as there is room for */
	bool *pinned;	 /* [ncpus] */
	int top;	 /* first lane shown */
	struct cpu_groups groups; /* own */
	char find[120], filter[240];
	struct seek { /* a find that goes on between keys: lanes_seek() */
		int dir; /* 1, -1; 0: none */
		int run, cpu;
		size_t i, looked;
	} seek;

	struct event_feed feed; /* raw events, read by the app */

	const struct keymap *keys; /* for help and hints */
	enum view_id topic;	   /* the view that help is about */

	/* all recordings of the command line, this one too; the array is the app's */
	struct session **peer;
	int npeers, self;
	int percent;	   /* of the job that runs for it; -1 none */
	char trouble[200]; /* why it could not be read; "" it was */

	/* asked of the app; it clears them */
	int go;		  /* enum view_id, -1 nothing */
	int go_recording; /* index of a peer, -1 nothing */
	char ask[240];	  /* open the prompt with this text */
	char message[240];
	bool alert;
};

void session_init(struct session *s);
void session_free(struct session *s);

/**
 * session_load() - the recording has been read
 * @table: what replays run on; copied
 * @d, @sojourns: may be NULL; @run0: the recording's run, @index: over it, taken over by the session
 * All but the index and the table must outlive the session.
 */
void session_load(struct session *s, const struct trace *t, const struct machine *m,
	const struct machine *table, const struct decisions *d, const struct sojourns *sojourns,
	const struct run *run0, struct timeline *index);

/** session_unload() - before another session_load(): forget recording and runs, keep the place */
void session_unload(struct session *s);

/** session_add() - queue a replay; it is made later by session_work(). Returns its index, -1 with err */
int session_add(struct session *s, const char *spec, struct error *err);
/** session_queued() - first run that waits to be made, -1 none */
int session_queued(const struct session *s);
/**
 * session_work() - make a queued run; may run in another thread while the session is looked at
 * @progress, @ctx: as in struct replay_options
 */
void session_work(const struct session *s, struct session_run *r, bool (*progress)(void *, double),
	void *ctx);
void session_remove(struct session *s, int i);
/** session_edited() - the table or the limit changed: replays follow it */
void session_edited(struct session *s);

/** session_say() - a line for the user, until the next key */
void session_say(struct session *s, bool alert, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* --- place --- */
static inline int64_t session_to(const struct session *s)
{
	return s->from_ns + s->step_ns * s->ncols;
}
/** session_column() - column of a time, may lie outside of 0..ncols-1 */
int session_column(const struct session *s, int64_t at_ns);
/** session_window() - show [from, to): a round step, start on a multiple of it */
void session_window(struct session *s, int64_t from_ns, int64_t to_ns);
/** session_zoom() - one step in (dir > 0) or out at the cursor */
void session_zoom(struct session *s, int dir);
void session_pan(struct session *s, int columns);
/** session_see() - move the window so that the cursor is inside */
void session_see(struct session *s);
/** session_period() - index in run @r of the period that the cursor means; TIMELINE_NONE */
size_t session_period(const struct session *s, int r);
/** session_select() - put the cursor on a period of a run */
void session_select(struct session *s, int r, int cpu, size_t i);
/** session_decision() - the decision that led to a period of the recording; NULL not known */
const struct decision *session_decision(const struct session *s, int cpu, size_t period);
/** session_ready() - run @i exists and is made */
bool session_ready(const struct session *s, int i);
const struct run *session_get(const struct session *s, int i);

#endif
