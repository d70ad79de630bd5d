// SPDX-License-Identifier: GPL-2.0-or-later
/* The cells of a sweep as runs of the styles. */
#include "src/recording_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "src/recording_header.h"

/* the facts of a recording and its cells, with the labels that they point to */
struct cells {
	const struct grid *g;
	const struct grid_recording *rec;
	struct grouping all;
	struct facts *facts; /* [0] recorded, then the cells that are done */
	char (*label)[160];
	size_t n;
};

static void swept_text(char *text, size_t size, const struct grid *g, const struct grid_cell *c, bool names)
{
	size_t n = 0;

	*text = '\0';
	for (size_t a = 0; a < g->axes.n && n < size; a++)
		n += (size_t)snprintf(text + n, size - n, "%s%s%s%s", a ? (names ? " " : ",") : "",
			names ? g->axes.axis[a].name : "", names ? "=" : "",
			sweep_value(&g->axes, c->combination, a));
}

static int add_run(struct cells *c, const struct run *r, struct error *err)
{
	if (facts_build(&c->facts[c->n], r, &c->all, c->rec->span_ns, err))
		return -1;
	c->facts[c->n].label = c->label[c->n];
	c->n++;
	return 0;
}

static void cells_free(struct cells *c)
{
	for (size_t i = 0; i < c->n; i++)
		facts_free(&c->facts[i]);
	grouping_free(&c->all);
	free(c->facts);
	free(c->label);
}

static int cells_build(struct cells *c, const struct grid *g, size_t recording, struct error *err)
{
	const struct grid_recording *rec = &g->rec[recording];
	const struct run *r0 = &rec->run0;
	char swept[120];
	int ret;

	*c = (struct cells){.g = g, .rec = rec};
	if (grouping_make(&c->all, "all", &r0->machine, r0->ncpus, NULL, err))
		return -1;
	c->facts = xcalloc(rec->ncells + 1, sizeof(*c->facts));
	c->label = xcalloc(rec->ncells + 1, sizeof(*c->label));
	copy_text(c->label[0], sizeof(c->label[0]), "recorded");
	ret = add_run(c, r0, err);
	for (size_t i = 0; i < rec->ncells && !ret; i++) {
		const struct grid_cell *cell = &g->cell[rec->first + i];

		if (!cell->done)
			continue;
		swept_text(swept, sizeof(swept), g, cell, true);
		snprintf(c->label[c->n], sizeof(c->label[0]), "%s@%s %s", cell->spec.gov->name,
			cell->spec.version, swept);
		ret = add_run(c, &cell->run, err);
	}
	if (ret)
		cells_free(c);
	return ret;
}

static struct style_set set_of(const struct cells *c)
{
	return (struct style_set){.run = c->facts, .nruns = c->n, .format = c->g->o->format, .caption = "",
		.name = base_name(c->rec->s.name), .base = style_base(c->g->o->style, c->n)};
}

/* one run per governor whose groups are its cells; the recording stands beside each value */
static void write_by_value(const struct cells *c, const struct style *style, FILE *out)
{
	const struct grid *g = c->g;
	size_t values = c->rec->ncells / g->ngovernors, nruns = g->ngovernors + 1;
	struct facts *by_value = xcalloc(nruns, sizeof(*by_value));
	char (*name)[40] = xcalloc(values, sizeof(*name));
	struct style_set set = set_of(c);

	for (size_t r = 0; r < nruns; r++) {
		by_value[r] = (struct facts){.run = c->facts[0].run, .ngroups = (int)values,
			.label = r ? g->cell[c->rec->first + (r - 1) * values].spec.label : "recorded",
			.what = g->axes.n == 1 ? g->axes.axis[0].name : "values"};
		by_value[r].group = xcalloc(values, sizeof(*by_value[r].group));
		for (size_t v = 0; v < values; v++) {
			swept_text(name[v], sizeof(*name), g, &g->cell[c->rec->first + v], false);
			by_value[r].group[v] = c->facts[r ? 1 + (r - 1) * values + v : 0].group[0];
			by_value[r].group[v].name = name[v];
		}
	}
	set.run = by_value;
	set.nruns = nruns;
	set.base = style_base(g->o->style, nruns);
	style_write(&set, style, out);
	for (size_t r = 0; r < nruns; r++)
		free(by_value[r].group);
	free(by_value);
	free(name);
}

int grid_write_style(const struct grid *g, FILE *out, struct error *err)
{
	const struct style *style = style_find(g->o->style, err);
	struct style_set set;
	struct cells c;

	for (size_t r = 0; r < g->nrecs; r++) {
		if (!style || cells_build(&c, g, r, err))
			return -1;
		set = set_of(&c);
		/* a cancelled sweep has holes, which the table of values cannot show */
		if (!strcmp(style->name, "sweep") && c.n == g->rec[r].ncells + 1)
			write_by_value(&c, style, out);
		else
			style_write(&set, style, out);
		cells_free(&c);
	}
	return 0;
}

int grid_fail_if(const struct grid *g, struct error *err)
{
	int verdict = EXIT_FINE, now;
	struct style_set set;
	struct cells c;

	for (size_t r = 0; r < g->nrecs && g->o->fail_if; r++) {
		if (cells_build(&c, g, r, err))
			return -1;
		set = set_of(&c);
		now = check_fail_if(&set, g->o, err);
		cells_free(&c);
		if (now < 0)
			return -1;
		if (now == EXIT_HOLDS)
			verdict = EXIT_HOLDS;
	}
	return verdict;
}
