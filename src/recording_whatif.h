/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording replayed through the governors of the command line: run 0 and the replays beside it.
 * Used by whatif, compare and summary. The struct owns all of it; release with whatif_close().
 */
#ifndef REIDLE_SRC_RECORDING_WHATIF_H
#define REIDLE_SRC_RECORDING_WHATIF_H

#include "replay/free.h"
#include "replay/sojourn.h"
#include "src/recording_edits.h"
#include "src/recording_energy.h"
#include "src/recording_groups.h"
#include "src/recording_header.h"
#include "src/recording_json.h"
#include "src/recording_subject.h"

#define GOVERNORS_MAX 32

enum state_measure { OF_USAGE, OF_TIME, OF_ABOVE, OF_BELOW, OF_COUNT };

/* a run again with all that may have been: does what is not known of I/O wait and utilization matter */
struct doubt {
	bool asked, utilization; /* the governor asks for one of them; for the latter */
	uint64_t doubtful, otherwise, decisions; /* where it is not known; where it alone turns the choice */
	double time, usage;	/* how far the sums move: of the span, of the periods */
};

struct whatif {
	struct subject s;
	struct sojourns sojourns;
	bool have_sojourns;
	double energy[1 + GOVERNORS_MAX][ENERGIES]; /* of run 0's; NAN unknown */
	char energy_why[160];
	struct topology topology; /* levels of groups; none when nothing is known or a part is selected */
	struct gov_spec spec[GOVERNORS_MAX]; /* of run i + 1 */
	struct run run[1 + GOVERNORS_MAX];   /* [0]: the recording; what is selected of each */
	enum replay_bound bound[GOVERNORS_MAX]; /* of run i + 1; BOUND_NONE but for little recordings */
	struct table_edit edit[GOVERNORS_MAX]; /* of governor edit_of[i] of the command line */
	int nedits, edit_of[GOVERNORS_MAX];
	size_t nruns;
	struct gov_spec recorded; /* the recorded governor's model */
	bool recorded_known;
	struct self_check check;
	struct verify_result taught;
	bool taught_known;
	struct doubt doubt[1 + GOVERNORS_MAX];
	bool plugin_failed; /* at least one run is missing because its plug-in went wrong */
	struct error failure;
};

/** whatif_open() - read, replay, check the engine against the recording; -1 with err */
int whatif_open(struct whatif *w, const char *path, const struct options *o, struct error *err);
void whatif_close(struct whatif *w);

/** whatif_facts() - the runs by groups; each is released with facts_free() */
int whatif_facts(const struct whatif *w, const struct grouping *g, struct facts *out,
	struct error *err);

/** whatif_longest() - longest idle period of any run: share of all CPUs' watched time, CPU, length */
double whatif_longest(const struct whatif *w, int *cpu, int64_t *length_ns);

/** whatif_head() - lines on what was held, the latency model, the self check */
void whatif_head(const struct header *h, const struct whatif *w, const struct options *o);

/**
 * whatif_interval() - what a governor's runs at the bounds say of one sum
 * @first: its first run; they follow each other. Return: how many they are (1: no bounds)
 */
size_t whatif_interval(const struct whatif *w, size_t first, int state, enum state_measure what,
	int64_t *lo, int64_t *hi);

/** json_intervals() - per governor and state [lo, hi] of each sum; null when nothing is bounded */
json_t *json_intervals(const struct whatif *w);

/** write_intervals() - the same as a table */
void write_intervals(const struct whatif *w, enum out_format format, FILE *out);

/** whatif_doubt() - fill w->doubt[i]; @opt: of run i. Return: 0, or -1 with err */
int whatif_doubt(struct whatif *w, size_t i, const struct replay_options *opt, struct error *err);
/** doubt_lines() - whether it matters, for the header */
void doubt_lines(const struct header *h, const struct whatif *w);
/** json_doubt() - the same of one run; null where its governor does not ask */
json_t *json_doubt(const struct doubt *d);

json_t *json_self_check(const struct whatif *w);

#endif
