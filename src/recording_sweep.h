/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A grid of replays over recordings, governors and parameters, for `reidle sweep`.
 * The struct owns the recordings and the cells; release with grid_close().
 */
#ifndef REIDLE_SRC_RECORDING_SWEEP_H
#define REIDLE_SRC_RECORDING_SWEEP_H

#include "replay/free.h"
#include "replay/sweep.h"
#include "src/recording_energy.h"
#include "src/recording_subject.h"

struct grid_recording {
	struct subject s;
	struct sojourns sojourns;
	struct run run0; /* with ticks, latencies and regret */
	int64_t span_ns;
	double energy[ENERGIES]; /* of run 0; NAN unknown */
	size_t first, ncells; /* its cells: one after the other */
	char energy_why[160];
};

struct grid_cell {
	size_t recording, combination;
	struct gov_spec spec;
	struct machine machine;
	bool machine_edited;
	struct replay_options opt;
	struct run run; /* sums only */
	bool done;
	double misses, depth; /* shares */
	double energy[ENERGIES]; /* relative to run 0's at each assumed ratio; NAN unknown */
	bool best;		      /* no other cell of its recording beats it */
};

struct grid {
	const struct options *o;
	struct sweep_axes axes;
	struct gov_spec governor[32];
	size_t ngovernors;
	char (*text)[160]; /* governors as typed */
	struct grid_recording *rec;
	size_t nrecs;
	struct grid_cell *cell;
	size_t ncells, ndone;
	char *power; /* text of --power, NULL none */
	bool cancelled;
};

/** grid_open() - read the recordings, make the cells; -1 with err */
int grid_open(struct grid *g, const struct options *o, struct error *err);

/** grid_energy_effect() - by how much the energies would differ with other ratios; 0 none known */
double grid_energy_effect(const struct grid *g);

/** grid_run() - replay all cells, -j at a time; SIGINT keeps what is done */
int grid_run(struct grid *g, struct error *err);
void grid_close(struct grid *g);

/**
 * grid_write_style() - the cells in the shape of --style: a run per cell, or, in the style "sweep", a
 *	row per value and a run per governor
 */
int grid_write_style(const struct grid *g, FILE *out, struct error *err);

/** grid_fail_if() - --fail-if over all cells; EXIT_FINE, EXIT_HOLDS, or -1 with err */
int grid_fail_if(const struct grid *g, struct error *err);

#endif
