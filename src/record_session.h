/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One recording in progress: an instance of its own, its events and probes, the pages read so far.
 * What is set up is taken down by record_session_close(), in any state; a recorder that was killed is
 * taken down by the next one (record_clean_up()). Sizes are bytes.
 */
#ifndef REIDLE_SRC_RECORD_SESSION_H
#define REIDLE_SRC_RECORD_SESSION_H

#include "src/record.h"

#include <tracefs.h>

#define RECORD_EVENTS_MAX 64
#define RECORD_INSTANCE "reidle-" /* followed by the recorder's pid */

struct record_session {
	const struct record_plan *plan;
	const char *root; /* before paths outside tracefs; "" for this system */
	FILE *words;	  /* what is worth saying; NULL: nothing */
	struct tracefs_instance *instance;
	enum record_arch arch;
	int kernel; /* 100 * major + minor */
	int ncpus;
	struct tracefs_cpu **cpu; /* [ncpus]; NULL for a CPU without a buffer */
	int *piece;		  /* [ncpus]: file descriptors of the pages read so far */
	char **piece_path;
	bool event_on[RECORD_EVENTS_MAX];
	unsigned probes_made, probes_on; /* bit i: record_probes[i] */
	bool shared;			 /* another recorder uses the probes too */
	const char *clock;
	const char *mounted; /* where tracefs was mounted for this recording; NULL: it was there */
	int64_t bytes;
};

/** record_say() - a line of words; quiet sessions drop it */
void record_say(const struct record_session *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * record_clean_up() - take down what killed recorders left: instances, then their probes
 * Return: instances taken down
 */
int record_clean_up(struct record_session *s);

/**
 * record_session_open() - make the instance and set everything up, with tracing off
 * @s: plan, root and words are filled; the rest is zero
 * Return: 0, or -1 with err; record_session_close() in both cases
 */
int record_session_open(struct record_session *s, struct error *err);

/** record_session_mark() - write lines into the recording, one marker each */
int record_session_mark(struct record_session *s, const char *lines, struct error *err);

/** record_session_trace() - switch recording on or off */
int record_session_trace(struct record_session *s, bool on, struct error *err);

/**
 * record_session_drain() - move the full pages of every CPU to the pieces; adds to s->bytes
 * @last: also the page in progress; recording must be off
 */
int record_session_drain(struct record_session *s, bool last, struct error *err);

/** record_session_lost() - events that the kernel had to drop so far */
uint64_t record_session_lost(const struct record_session *s);

/** record_session_write() - put the pieces together as trace.dat version 6, whole or not at all */
int record_session_write(struct record_session *s, struct error *err);

/** record_session_close() - events off, probes removed, instance removed, pieces deleted */
void record_session_close(struct record_session *s);

/** record_probes_set() - create and enable the probes; what is refused is said */
void record_probes_set(struct record_session *s);
void record_probes_remove(struct record_session *s);

#endif
