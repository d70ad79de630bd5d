/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Something to make tables of: a recording, or two dumps of which the second minus the first is a
 * recording without a timeline. The struct owns what it opened; release with subject_close().
 */
#ifndef REIDLE_SRC_RECORDING_SUBJECT_H
#define REIDLE_SRC_RECORDING_SUBJECT_H

#include "parsers/dump.h"
#include "replay/sojourn.h"
#include "src/facts.h"
#include "src/recording.h"
#include "src/style.h"

struct subject {
	char *name;	      /* file, or "BEFORE..AFTER" */
	bool is_dump;
	struct recording rec; /* unless is_dump */
	struct dump delta;    /* is_dump: after - before, or a single dump's counters since boot */
	bool since_boot;
	struct machine machine; /* is_dump */
	struct run own;	      /* a selection's, or a dump's sums without periods */
	struct run own_sample; /* a selection's of the recording's sample */
	const struct run *run; /* what tables are made of: own, or the whole recording's */
	int64_t span_ns;      /* window; 0 unknown (dumps) */
	struct sojourns sojourns; /* of subject_open_measured() where the tick rate is known */
	bool have_sojourns;
};

/** subject_open() - a recording with the selection of the command line; -1 with err */
int subject_open(struct subject *s, const char *path, const struct options *o,
	enum recording_need need, struct error *err);

/**
 * subject_open_measured() - with decisions, and the wake-up latency of every period that tells it
 * Of a huge recording these come from windows (rec.sample), unless the options want all.
 */
int subject_open_measured(struct subject *s, const char *path, const struct options *o,
	struct error *err);

/**
 * subject_open_dumps() - after minus before
 * @before: NULL: the counters of @after since boot
 */
int subject_open_dumps(struct subject *s, const char *before, const char *after, struct error *err);

/** subject_is_dump() - does the file hold a dump (by content), not a recording */
bool subject_is_dump(const char *path);

void subject_close(struct subject *s);

/** subject_groups() - the grouping of the command line: --cpus, and @by; -1 with err */
int subject_groups(struct grouping *g, const char *by, const struct run *r, const struct options *o,
	struct error *err);

/** subject_warn() - what was odd in the input, on stderr, unless quiet */
void subject_warn(const struct subject *s, const struct options *o);

/**
 * show_progress() - a progress callback for the terminal: "NAME 42 %" on stderr if that is a tty
 * @ctx: the name. NULL is a valid callback where words are not wanted: see progress_for()
 */
bool (*progress_for(const struct options *o))(void *, double);

/** close_progress() - wipe the progress line */
void close_progress(const struct options *o);

/**
 * check_fail_if() - evaluate --fail-if over a set and say on stderr what held
 * Return: EXIT_FINE, EXIT_HOLDS, or -1 with err
 */
int check_fail_if(const struct style_set *set, const struct options *o, struct error *err);

#endif
