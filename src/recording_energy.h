/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The powers that the user gives for the energy of runs, see replay/energy.h.
 */
#ifndef REIDLE_SRC_RECORDING_ENERGY_H
#define REIDLE_SRC_RECORDING_ENERGY_H

#include "replay/energy.h"

/** energy_read_powers() - the file of --power; the caller frees; NULL with err */
char *energy_read_powers(const char *path, struct error *err);

#endif
