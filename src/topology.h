/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPUs share a core, a cluster, a cache, a package: named levels, each with the group of every
 * CPU. A struct topology owns its arrays; release with topology_free().
 */
#ifndef REIDLE_SRC_TOPOLOGY_H
#define REIDLE_SRC_TOPOLOGY_H

#include "src/error.h"
#include "src/util.h"

#define TOPOLOGY_LEVELS 12

struct topology_level {
	char name[24]; /* lower case: "core", "package", "l3" */
	int *of;       /* [ncpus]: group, 0 for the first that occurs; -1 not said */
	int n;	       /* groups */
};

struct topology {
	int ncpus, nlevels;
	struct topology_level level[TOPOLOGY_LEVELS];
};

/**
 * topology_parse() - from what --topology names, or holds
 * @text: "core=8,package=32" (so many neighbouring CPUs each), the output of `lscpu -p[=...]`, or
 *	lines "/sys/devices/system/cpu/cpuN/topology/core_id:V" of a sysfs snapshot
 * @ncpus: CPUs of the recording
 * Return: 0, or -1 with err (usage: what is wrong, what is taken)
 */
int topology_parse(struct topology *out, const char *text, int ncpus, struct error *err);

/** topology_add() - a level from one key per CPU; equal keys are one group, negative ones none */
void topology_add(struct topology *t, const char *name, const int64_t *key);
void topology_free(struct topology *t);

/** topology_find() - a level by name ("socket" and "package" are the same); NULL when there is none */
const struct topology_level *topology_find(const struct topology *t, const char *name);

#endif
