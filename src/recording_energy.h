/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The energy of runs for commands: powers from --power or from break-even, with the assumed ratio and
 * with others beside it. Units as in replay/energy.h; only shares of two runs mean anything.
 */
#ifndef REIDLE_SRC_RECORDING_ENERGY_H
#define REIDLE_SRC_RECORDING_ENERGY_H

#include "replay/energy.h"

/* with the ratio assumed, and with a lower and a higher one to show what it does */
enum { ENERGY_ASSUMED, ENERGY_LOWER, ENERGY_HIGHER, ENERGIES };

/** energy_read_powers() - the file of --power; the caller frees; NULL with err */
char *energy_read_powers(const char *path, struct error *err);

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
