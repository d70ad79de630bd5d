/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cores, clusters, caches and packages of a recording: idle together how deep, and how many threads of
 * a core took a slot, for every run. The caller owns the topology and the JSON.
 */
#ifndef REIDLE_SRC_RECORDING_GROUPS_H
#define REIDLE_SRC_RECORDING_GROUPS_H

#include "src/json.h"
#include "src/recording.h"
#include "src/table.h"
#include "src/topology.h"

/**
 * recording_topology() - from --topology, else what the recording says of itself
 * Return: 1 known (release with topology_free()), 0 nothing known, -1 with err
 */
int recording_topology(struct topology *out, const struct recording *r, const struct options *o,
	struct error *err);

/** write_groups() - two tables over all runs: co-idle shares per level, SMT modes of cores */
void write_groups(const struct run *const *run, size_t nruns, const struct topology *t,
	enum out_format format, FILE *out);

/** json_topology_groups() - the same of one run, per level and group */
json_t *json_topology_groups(const struct run *r, const struct topology *t);

/**
 * topology_from_option() - what --topology says: a spec, or a file
 * Return: 0, or -1 with err
 */
int topology_from_option(struct topology *out, const char *option, int ncpus, struct error *err);

#endif
