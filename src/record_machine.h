/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording says of the machine it is made on, as "reidle1" lines for its trace markers.
 * The text is the caller's to free(). Latencies are us, as sysfs has them.
 */
#ifndef REIDLE_SRC_RECORD_MACHINE_H
#define REIDLE_SRC_RECORD_MACHINE_H

#include "src/util.h"

#define MACHINE_TABLES 16 /* different state tables in one machine */

/**
 * record_machine_text() - describe this machine
 * @root: put before every path, "" for this system (tests give a made-up tree)
 * @ncpus: CPUs to describe, from 0
 * @when: "before" (everything) or "after" (counters and disabled states only)
 */
char *record_machine_text(const char *root, int ncpus, const char *when);

#endif
