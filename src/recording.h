/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording as the commands and the screen use it: trace, recorded machine, run 0, decisions.
 * Composition of parsers/ and replay/ for src/cmd_*.c and src/app.c; recording_close() frees all.
 */
#ifndef REIDLE_SRC_RECORDING_H
#define REIDLE_SRC_RECORDING_H

#include "replay/replay.h"
#include "src/machine_text.h"
#include "src/options.h"
#include "src/run.h"
#include "src/selection.h"

struct recording {
	struct trace *trace;
	struct machine machine;	 /* recorded machine: inside the recording, --states, side file, or guessed */
	struct machine_text inside; /* what the recording says of its machine itself */
	bool have_inside;
	struct machine replay_on; /* machine after -t, --set, --disable-state, --enable-state */
	bool machine_edited;	  /* replay_on differs from machine */
	struct decisions decisions;
	bool have_decisions;
	struct sample *sample; /* NULL: wakes and decisions are those of the whole recording */
	struct run run0;
	char kernel[200]; /* the longest kernel string known: for the governor's model */
	char note[200];		/* first line of NAME.note beside the recording, "" none */
	char governor[32];	  /* recorded governor's name: machine, else "" */
};

/**
 * what a command needs to have in memory; each includes the one before.
 * NEED_BEGINNING: some of the periods. NEED_FIGURES: as NEED_DECISIONS,
 * but of a huge recording figures from windows will do in the place of wakes and decisions (sample)
 */
enum recording_need { NEED_BEGINNING, NEED_PERIODS, NEED_WAKES, NEED_DECISIONS, NEED_FIGURES };

/**
 * recording_open() - read a file and everything beside it
 * @progress: as in struct parse_options, may be NULL
 * Return: 0, or -1 with err
 */
int recording_open(struct recording *r, const char *path, const struct options *o,
	enum recording_need need, bool (*progress)(void *, double), void *ctx, struct error *err);
void recording_close(struct recording *r);

/**
 * recording_governor() - the model of what the recording's kernel ran
 * By --governor-source if given, else by the recorded governor's name and the kernel string.
 * Return: 0, or -1 with err
 */
int recording_governor(struct gov_spec *out, const struct recording *r, const struct options *o,
	struct error *err);

/**
 * recording_count() - decisions and aborted ones of run 0, as `reidle decisions` lists them
 * @run0: the recording's run; free_describe_recording() knows only what probes say of aborted ones
 */
void recording_count(struct run *run0, const struct recording *r);

/** governor_fits() - has the machine the state that `fixed` names; -1 with err (usage) where not */
int governor_fits(const struct gov_spec *s, const struct machine *m, struct error *err);

/** governor_source() - the preset of a governor's source file (governor_fingerprint()) */
int governor_source(struct gov_spec *out, const char *path, struct error *err);

/**
 * recording_select() - --cpus, --from, --to and --filter of the command line as a selection
 * Return: 0 (release with selection_free()), or -1 with err (usage)
 */
int recording_select(struct selection *s, const struct recording *r, const struct options *o,
	struct error *err);

#endif
