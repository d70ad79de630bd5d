// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/recording_groups.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/groups.h"

/* --- where the topology comes from --- */

int topology_from_option(struct topology *out, const char *option, int ncpus, struct error *err)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f;
	int ret;

	if (access(option, F_OK))
		return topology_parse(out, option, ncpus, err);
	f = fopen(option, "r");
	if (!f || getdelim(&text, &size, '\0', f) < 0)
		ret = error_set(err, EXIT_USAGE, "--topology %s: cannot be read", option);
	else
		ret = topology_parse(out, text, ncpus, err);
	if (f)
		fclose(f);
	free(text);
	return ret;
}

static void add_places(struct topology *t, const struct cpu_place *place, int ncpus)
{
	int64_t *key = xcalloc((size_t)ncpus, sizeof(*key));

	for (int i = 0; i < ncpus; i++)
		key[i] = place[i].core < 0
				 ? -1
				 : ((int64_t)max64(place[i].package, 0) << 32) + place[i].core;
	topology_add(t, "core", key);
	for (int i = 0; i < ncpus; i++)
		key[i] = place[i].cluster < 0
				 ? -1
				 : ((int64_t)max64(place[i].package, 0) << 32) + place[i].cluster;
	topology_add(t, "cluster", key);
	for (int i = 0; i < ncpus; i++)
		key[i] = place[i].package;
	topology_add(t, "package", key);
	free(key);
}

int recording_topology(
	struct topology *out, const struct recording *r, const struct options *o, struct error *err)
{
	int ncpus = r->trace->ncpus;

	if (o->topology)
		return topology_from_option(out, o->topology, ncpus, err) ? -1 : 1;
	*out = (struct topology){.ncpus = ncpus};
	if (!r->have_inside || !r->inside.place || r->inside.machine.ncpus < ncpus)
		return 0;
	add_places(out, r->inside.place, ncpus);
	for (int i = 0; i < out->nlevels; i++)
		if (out->level[i].n)
			return 1;
	topology_free(out);
	return 0;
}

/* --- sums --- */

static struct group_sum *sums_of(const struct run *r, const struct topology_level *l)
{
	struct group_sum *g = xcalloc((size_t)l->n, sizeof(*g));

	group_sums(g, l->n, r, l->of, r->trace->origin_ns, r->trace->end_ns);
	return g;
}

static struct group_sum all_of(const struct group_sum *g, int n)
{
	struct group_sum all = {0};

	for (int i = 0; i < n; i++) {
		all.ncpus = g[i].ncpus > all.ncpus ? g[i].ncpus : all.ncpus;
		all.span_ns += g[i].span_ns;
		all.busy_ns += g[i].busy_ns;
		all.idles += g[i].idles;
		for (int s = 0; s < STATES_MAX; s++)
			all.co_idle_ns[s] += g[i].co_idle_ns[s];
		for (int m = 0; m < SMT_MODES; m++)
			all.smt_ns[m] += g[i].smt_ns[m];
	}
	return all;
}

static double share(int64_t part, int64_t whole)
{
	return whole > 0 ? (double)part / (double)whole : 0;
}

/* --- tables --- */

static void write_co_idle(const struct run *const *run, size_t nruns, const struct topology *t,
	enum out_format format, FILE *out)
{
	const struct state_table *states = &run[0]->machine.tables[0];
	char key[48];
	struct table tab;

	table_init(&tab, "Idle together");
	table_column(&tab, "level", "", "level", 1, 0, COL_KEY | COL_LEFT | COL_GROUP);
	table_column(&tab, "groups", "", "groups", 1, 0, COL_KEY | COL_GROUP);
	table_column(&tab, "run", "", "run", 1, 0, COL_KEY);
	table_column(&tab, "busy", "%", "busy_share", 0.01, 2, 0);
	for (int s = 0; s < states->nstates; s++) {
		snprintf(key, sizeof(key), "state%d_share", s);
		table_column(&tab, states->state[s].name, "%", key, 0.01, 2, 0);
	}
	table_column(&tab, "times", "", "idles", 1, 0, 0);
	for (int i = 0; i < t->nlevels; i++) {
		for (size_t k = 0; k < nruns && t->level[i].n; k++) {
			struct group_sum *g = sums_of(run[k], &t->level[i]);
			struct group_sum all = all_of(g, t->level[i].n);

			table_text(&tab, "%s", t->level[i].name);
			table_int(&tab, t->level[i].n);
			table_int(&tab, (int64_t)k);
			table_real(&tab, share(all.busy_ns, all.span_ns));
			for (int s = 0; s < states->nstates; s++)
				table_real(&tab, share(all.co_idle_ns[s], all.span_ns));
			table_int(&tab, (int64_t)all.idles);
			free(g);
		}
		table_rule(&tab);
	}
	table_note(&tab,
		"a group is idle in a state while all its CPUs are in it or deeper; mean over "
		"the groups; times: how often a whole group became idle");
	table_write(&tab, format, out);
	fputc('\n', out);
	table_free(&tab);
}

static void write_smt(const struct run *const *run, size_t nruns, const struct topology_level *core,
	enum out_format format, FILE *out)
{
	static const char *const mode[SMT_MODES] = {"none", "SMT1", "SMT2", "SMT4", "SMT8"};
	static const char *const key[SMT_MODES] = {
		"smt0_share", "smt1_share", "smt2_share", "smt4_share", "smt8_share"};
	struct table tab;

	table_init(&tab, "SMT modes of the cores");
	table_column(&tab, "run", "", "run", 1, 0, COL_KEY);
	for (int m = 0; m < SMT_MODES; m++)
		table_column(&tab, mode[m], "%", key[m], 0.01, 2, 0);
	for (size_t k = 0; k < nruns; k++) {
		struct group_sum *g = sums_of(run[k], core);
		struct group_sum all = all_of(g, core->n);

		table_int(&tab, (int64_t)k);
		for (int m = 0; m < SMT_MODES; m++)
			table_real(&tab, share(all.smt_ns[m], all.span_ns));
		free(g);
	}
	table_note(&tab,
		"share of time by the threads of a core that take a slot: running or polling "
		"(snooze); in any other state a thread gives its slot up");
	table_write(&tab, format, out);
	fputc('\n', out);
	table_free(&tab);
}

void write_groups(const struct run *const *run, size_t nruns, const struct topology *t,
	enum out_format format, FILE *out)
{
	const struct topology_level *core = topology_find(t, "core");

	write_co_idle(run, nruns, t, format, out);
	if (core && core->n && core->n < t->ncpus)
		write_smt(run, nruns, core, format, out);
}

/* --- JSON --- */

static json_t *json_group(const struct group_sum *g, int index, int nstates)
{
	json_t *idle = json_array(), *smt = json_array();

	for (int s = 0; s < nstates; s++)
		json_array_append_new(idle, json_integer((json_int_t)g->co_idle_ns[s]));
	for (int m = 0; m < SMT_MODES; m++)
		json_array_append_new(smt, json_integer((json_int_t)g->smt_ns[m]));
	return json_pack("{s:i, s:i, s:I, s:I, s:I, s:o, s:o}", "group", index, "cpus", g->ncpus,
		"span_ns", (json_int_t)g->span_ns, "busy_ns", (json_int_t)g->busy_ns, "idles",
		(json_int_t)g->idles, "co_idle_ns", idle, "smt_ns", smt);
}

json_t *json_topology_groups(const struct run *r, const struct topology *t)
{
	json_t *all = json_object();

	for (int i = 0; i < t->nlevels; i++) {
		const struct topology_level *l = &t->level[i];
		struct group_sum *g = l->n ? sums_of(r, l) : NULL;
		json_t *groups = json_array();

		for (int k = 0; k < l->n; k++)
			json_array_append_new(
				groups, json_group(&g[k], k, r->machine.tables[0].nstates));
		json_object_set_new(all, l->name, groups);
		free(g);
	}
	return all;
}
