/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording replayed through the governors of the command line: run 0 and the replays beside it.
 * Used by whatif, compare and summary. The struct owns all of it; release with whatif_close().
 */
#ifndef REIDLE_SRC_RECORDING_WHATIF_H
#define REIDLE_SRC_RECORDING_WHATIF_H

#include "replay/free.h"
#include "replay/sojourn.h"
#include "src/recording_header.h"
#include "src/recording_json.h"
#include "src/recording_subject.h"

#define GOVERNORS_MAX 32

struct whatif {
	struct subject s;
	struct sojourns sojourns;
	bool have_sojourns;
	struct gov_spec spec[GOVERNORS_MAX]; /* of run i + 1 */
	struct run run[1 + GOVERNORS_MAX];   /* [0]: the recording; what is selected of each */
	size_t nruns;
	struct gov_spec recorded; /* the recorded governor's model */
	bool recorded_known;
	struct self_check check;
	struct verify_result taught;
	bool taught_known;
	bool plugin_failed; /* at least one run is missing because its plug-in went wrong */
	struct error failure;
};

/** whatif_open() - read, replay, check the engine against the recording; -1 with err */
int whatif_open(struct whatif *w, const char *path, const struct options *o, struct error *err);
void whatif_close(struct whatif *w);

/** whatif_facts() - the runs by groups; each is released with facts_free() */
int whatif_facts(const struct whatif *w, const struct grouping *g, struct facts *out,
	struct error *err);

/** whatif_head() - lines on what was held, the latency model, the self check */
void whatif_head(const struct header *h, const struct whatif *w, const struct options *o);

json_t *json_self_check(const struct whatif *w);

#endif
