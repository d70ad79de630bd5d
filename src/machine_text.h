/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine that a recording carries in itself: lines "reidle1 ..." among its trace markers
 * (doc/machine-text.md). The struct owns everything in it; times are ns, counts as sysfs has them.
 */
#ifndef REIDLE_SRC_MACHINE_TEXT_H
#define REIDLE_SRC_MACHINE_TEXT_H

#include "src/machine.h"

#define MACHINE_TEXT_TAG "reidle1 " /* what every line begins with: the version of the form */
#define MACHINE_TEXT_CPUS 8192	    /* most CPUs it can say anything of */

struct state_count {
	uint64_t usage, time_us, above, below, rejected;
};

struct cpu_place {
	int core, cluster, package, node; /* -1 unknown */
};

struct machine_text {
	struct machine machine; /* source MACHINE_RECORDED */
	char release[64], arch[24];
	char kernel[64]; /* "6.1.192": the stable release, also where the release's name hides it */
	bool emulated;
	struct cpu_place *place;    /* [ncpus] */
	struct state_count *before; /* [ncpus * STATES_MAX]; NULL: not in the recording */
	struct state_count *after;
};

/**
 * machine_text_read() - the machine out of the marker texts of a recording
 * @text: lines in any order; those without the tag, and words that are not known, are passed over
 * Return: 0, or -1 with err (EXIT_INPUT: nothing of use in it; the caller takes the next source)
 */
int machine_text_read(struct machine_text *out, const char *text, struct error *err);
void machine_text_free(struct machine_text *m);

#endif
