/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relative energy of a run. Powers are relative to a running CPU; where the user gives none they
 * follow from the table: a target residency is where two neighbouring states cost the same. Nothing
 * is owned. Units: power 1 = a running CPU; energy = power x ns.
 */
#ifndef REIDLE_REPLAY_ENERGY_H
#define REIDLE_REPLAY_ENERGY_H

#include "src/run.h"

#define ENERGY_RATIO 0.5 /* a state draws so much of what the one before it draws, when not given */

struct energy_model {
	bool known;
	char why[160];	/* where the powers are from, or why there are none */
	double ratio;	/* assumed; 0 when the powers were given */
	double running; /* power of a running CPU */
	double power[STATES_MAX], transition[STATES_MAX]; /* per state; energy of one entry and exit */
};

/**
 * energy_from_table() - powers up to scale, from break-even
 * @ratio: power of each state to that of the one before it, 0 < ratio < 1
 * Not known where residencies are a rule's (2, 3 or 10 times the latency): they carry no energy.
 */
void energy_from_table(struct energy_model *out, const struct state_table *t, double ratio);

/**
 * energy_parse() - powers that the user gives, one per line: "NAME-or-INDEX POWER [TRANSITION]"
 * @text: "running" is the running CPU (1 when absent); powers in any one unit, transitions in that
 *	unit x us; "#" begins a comment. Every state of the table must be there.
 * Return: 0, or -1 with err (usage: which line and why)
 */
int energy_parse(struct energy_model *out, const char *text, const struct state_table *t,
	struct error *err);

/**
 * energy_of_run() - sum over all CPUs
 * @model: one per table of the run's machine
 * @span_ns: watched time per CPU; what is not idle is running
 * Return: energy, NAN when any CPU's model is not known
 */
double energy_of_run(const struct run *r, const struct energy_model *model, int64_t span_ns);

/* with the ratio assumed, and with a lower and a higher one to show what it does */
enum { ENERGY_ASSUMED, ENERGY_LOWER, ENERGY_HIGHER, ENERGIES };

/**
 * energies_of() - of one run
 * @out: [ENERGIES]; NAN where the table says nothing about energy
 * @powers: text of --power, NULL: from break-even
 * @why: filled with where the powers are from, or why there are none; may be NULL
 * Return: 0, or -1 with err (a line of powers that makes no sense)
 */
int energies_of(double *out, const struct run *r, int64_t span_ns, const char *powers, char *why,
	size_t why_size, struct error *err);

#endif
