/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many CPUs in groups: by a level of the machine's topology where that is known, else so many neighbours.
 * A struct cpu_groups owns its arrays and the topology; release with cpu_groups_free().
 */
#ifndef REIDLE_VIEWS_CPU_GROUPS_H
#define REIDLE_VIEWS_CPU_GROUPS_H

#include "src/topology.h"

#define GROUPS_NEIGHBOURS (-1)

struct cpu_groups {
	struct topology topology; /* nlevels 0: not known */
	int ncpus, level;	  /* of the topology, or GROUPS_NEIGHBOURS */
	int n;
	int *of;    /* [ncpus] */
	int *start; /* [n + 1]: where a group begins in cpu */
	int *cpu;   /* [ncpus]: by group, then by number */
};

/**
 * cpu_groups_init() - groups of a machine, at the level that gives some dozen of them
 * @t: taken over and emptied; without levels: not known
 */
void cpu_groups_init(struct cpu_groups *g, int ncpus, struct topology *t);
void cpu_groups_free(struct cpu_groups *g);
/** cpu_groups_level() - group by another level, or GROUPS_NEIGHBOURS */
void cpu_groups_level(struct cpu_groups *g, int level);
/** cpu_groups_next() - the next level that has groups; after the last the neighbours */
void cpu_groups_next(struct cpu_groups *g);
/** cpu_groups_find() - level by name or its beginning; false when there is none such */
bool cpu_groups_find(const struct cpu_groups *g, const char *name, int *level);
/** cpu_groups_name() - of the level: "package", "neighbours" */
const char *cpu_groups_name(const struct cpu_groups *g);
/** cpu_groups_label() - of a group, at most seven cells: "core 12", "0-15" */
const char *cpu_groups_label(const struct cpu_groups *g, int i, char *buf, size_t size);
/** cpu_groups_list() - its CPUs as "0-3,8-11", cut where the buffer ends */
const char *cpu_groups_list(const struct cpu_groups *g, int i, char *buf, size_t size);

#endif
