// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/cpu_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WANTED 16     /* groups that are easily looked over */
#define GROUPS_MAX WANTED

static int neighbours(int ncpus)
{
	int size = 4;

	while (ncpus > size * WANTED)
		size *= 2;
	return size;
}

/* the group of a CPU at the level; those of which the topology says nothing come last, as one group */
static int group_of(const struct cpu_groups *g, int cpu)
{
	const struct topology_level *l;

	if (g->level == GROUPS_NEIGHBOURS)
		return cpu / neighbours(g->ncpus);
	l = &g->topology.level[g->level];
	return l->of[cpu] >= 0 ? l->of[cpu] : l->n;
}

void cpu_groups_level(struct cpu_groups *g, int level)
{
	int at = 0;

	g->level = level;
	g->n = 0;
	for (int i = 0; i < g->ncpus; i++) {
		g->of[i] = group_of(g, i);
		if (g->of[i] >= g->n)
			g->n = g->of[i] + 1;
	}
	g->start = xrealloc(g->start, (size_t)g->n + 1, sizeof(*g->start));
	for (int k = 0; k < g->n; k++) {
		g->start[k] = at;
		for (int i = 0; i < g->ncpus; i++)
			if (g->of[i] == k)
				g->cpu[at++] = i;
	}
	g->start[g->n] = at;
}

/* does a level part the CPUs, and put some of them together */
static bool useful(const struct cpu_groups *g, int level)
{
	int n = g->topology.level[level].n;

	return n > 1 && n < g->ncpus;
}

static int best_level(const struct cpu_groups *g)
{
	int best = GROUPS_NEIGHBOURS, n = 0;

	for (int i = 0; i < g->topology.nlevels; i++) {
		int groups = g->topology.level[i].n;

		if (!useful(g, i))
			continue;
		if (best == GROUPS_NEIGHBOURS || (groups <= GROUPS_MAX ? groups > n || n > GROUPS_MAX : groups < n)) {
			best = i;
			n = groups;
		}
	}
	return best;
}

void cpu_groups_init(struct cpu_groups *g, int ncpus, struct topology *t)
{
	cpu_groups_free(g);
	g->ncpus = ncpus;
	g->topology = *t;
	memset(t, 0, sizeof(*t));
	g->of = xcalloc((size_t)ncpus, sizeof(*g->of));
	g->cpu = xcalloc((size_t)ncpus, sizeof(*g->cpu));
	cpu_groups_level(g, best_level(g));
}

void cpu_groups_free(struct cpu_groups *g)
{
	topology_free(&g->topology);
	free(g->of);
	free(g->start);
	free(g->cpu);
	memset(g, 0, sizeof(*g));
}

void cpu_groups_next(struct cpu_groups *g)
{
	int level = g->level + 1;

	while (level < g->topology.nlevels && !useful(g, level))
		level++;
	cpu_groups_level(g, level < g->topology.nlevels ? level : GROUPS_NEIGHBOURS);
}

bool cpu_groups_find(const struct cpu_groups *g, const char *name, int *level)
{
	const struct topology_level *l = topology_find(&g->topology, name);

	*level = GROUPS_NEIGHBOURS;
	if (!strncmp("neighbours", name, strlen(name)))
		return true;
	for (int i = 0; !l && i < g->topology.nlevels; i++)
		if (!strncmp(g->topology.level[i].name, name, strlen(name)))
			l = &g->topology.level[i];
	if (!l || !l->n)
		return false;
	*level = (int)(l - g->topology.level);
	return true;
}

const char *cpu_groups_name(const struct cpu_groups *g)
{
	return g->level == GROUPS_NEIGHBOURS ? "neighbours" : g->topology.level[g->level].name;
}

const char *cpu_groups_label(const struct cpu_groups *g, int i, char *buf, size_t size)
{
	const char *name = cpu_groups_name(g);
	int first = g->start[i], last = g->start[i + 1] - 1;

	if (g->level == GROUPS_NEIGHBOURS)
		snprintf(buf, size, "%d-%d", g->cpu[first], g->cpu[last]);
	else if (i == g->topology.level[g->level].n)
		snprintf(buf, size, "others");
	else
		snprintf(buf, size, "%.*s %d", i > 99 ? 3 : 4, !strcmp(name, "package") ? "pkg" : name, i);
	return buf;
}

const char *cpu_groups_list(const struct cpu_groups *g, int i, char *buf, size_t size)
{
	size_t n = 0;

	*buf = '\0';
	for (int k = g->start[i], to; k < g->start[i + 1] && n + 1 < size; k = to + 1) {
		for (to = k; to + 1 < g->start[i + 1] && g->cpu[to + 1] == g->cpu[to] + 1; to++)
			;
		n += (size_t)snprintf(buf + n, size - n, to > k ? "%s%d-%d" : "%s%d", n ? "," : "", g->cpu[k],
			g->cpu[to]);
	}
	return buf;
}
