// SPDX-License-Identifier: GPL-2.0-or-later
/* What Tab offers at the prompt: commands, and for each what its argument may be. */
#include "src/app_parts.h"
#include "replay/preset.h"
#include "src/selection.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	enum command_id id;
	const char *words[9];
} fixed[] = {
	{CMD_LANES, {"all", "one", "groups", "pinned"}},
	{CMD_EXPORT, {"text", "md", "csv", "json"}},
	{CMD_QUANTITY, {"length", "predicted", "error", "latency", "timer", "early", "cost"}},
	{CMD_SORT, {"cpu", "time", "cost", "length", "timer", "predicted", "error"}},
	{CMD_LIMIT, {"none"}},
};

static bool begins(const char *name, const char *stem)
{
	return !strncmp(name, stem, strlen(stem));
}

static const char *nth(const char *name, const char *stem, int *n)
{
	return begins(name, stem) && (*n)-- == 0 ? name : NULL;
}

/* the part before @head stays as typed; returns the app's buffer */
static const char *joined(struct app *a, const char *stem, size_t head, const char *name, const char *end)
{
	snprintf(a->completion, sizeof(a->completion), "%.*s%s%s", (int)head, stem, name, end);
	return a->completion;
}

/* "teo:de" - the parameters of the governor, "teo:form=" - the words of one */
static const char *complete_parameter(struct app *a, const char *stem, int n)
{
	size_t head = (size_t)(strrchr(stem, ':') - stem) + 1;
	const char *value = strchr(stem + head, '=');
	char name[80];
	const struct governor *g;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(stem, "@:"), stem);
	g = governor_find(name);
	for (int i = 0; g && i < g->nparams; i++) {
		const struct gov_param *p = &g->params[i];

		if (!value && nth(p->name, stem + head, &n))
			return joined(a, stem, head, p->name, "=");
		if (!value || p->type != PARAM_ENUM || strlen(p->name) != (size_t)(value - stem) - head ||
			strncmp(p->name, stem + head, strlen(p->name)))
			continue;
		for (const char *const *w = p->words; *w; w++)
			if (nth(*w, value + 1, &n))
				return joined(a, stem, (size_t)(value - stem) + 1, *w, "");
	}
	return NULL;
}

/* "menu@6" - the versions in which the governor changed */
static const char *complete_version(struct app *a, const char *stem, int n)
{
	size_t head = (size_t)(strchr(stem, '@') - stem) + 1;
	const struct preset_family *f;
	char name[80];

	snprintf(name, sizeof(name), "%.*s", (int)head - 1, stem);
	f = governor_find(name) ? preset_family(governor_find(name)) : NULL;
	for (int i = 0; f && i < f->nrows; i++)
		if (nth(f->row[i].version, stem + head, &n))
			return joined(a, stem, head, f->row[i].version, "");
	return NULL;
}

static const char *complete_governor(struct app *a, const char *stem, int n)
{
	if (strchr(stem, ':'))
		return complete_parameter(a, stem, n);
	if (strchr(stem, '@'))
		return complete_version(a, stem, n);
	for (const struct governor *const *g = governor_list; *g; g++)
		if (nth((*g)->name, stem, &n))
			return (*g)->name;
	return NULL;
}

/* ":sweep teo de" - a parameter of the governor before it */
static const char *complete_axis(struct app *a, const char *line, size_t word, int n)
{
	const char *gov = line + strcspn(line, " ");
	char text[160];
	const char *whole;

	gov += strspn(gov, " ");
	if (gov == line + word)
		return complete_governor(a, gov, n);
	snprintf(text, sizeof(text), "%.*s:%s", (int)strcspn(gov, " "), gov, line + word);
	whole = complete_parameter(a, text, n);
	return whole ? strrchr(whole, ':') + 1 : NULL;
}

static const char *complete_state(const struct app *a, const char *stem, int n)
{
	const struct state_table *t = a->s.trace ? machine_table(&a->s.table, a->s.cpu) : NULL;

	for (int i = 0; t && i < t->nstates; i++)
		if (nth(t->state[i].name, stem, &n))
			return t->state[i].name;
	return NULL;
}

/* "C6.la" - what of a state can be set */
static const char *complete_set(struct app *a, const char *stem, int n)
{
	static const char *const fields[] = {"latency", "residency", "polling"};
	const char *dot = strrchr(stem, '.'), *state = dot ? NULL : complete_state(a, stem, n);

	if (!dot)
		return state ? joined(a, "", 0, state, ".") : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (nth(fields[i], dot + 1, &n))
			return joined(a, stem, (size_t)(dot - stem) + 1, fields[i], "=");
	return NULL;
}

static const char *complete_table(struct app *a, const char *stem, int n)
{
	struct table_set set = {0};
	const char *found = nth("recorded", stem, &n) ? "recorded" : NULL;

	if (found || tables_read_all(&set, NULL))
		return found;
	for (size_t i = 0; i < set.n && !found; i++)
		if (nth(set.table[i].id, stem, &n))
			found = joined(a, "", 0, set.table[i].id, "");
	tables_free(&set);
	return found;
}

static const char *complete_recording(const struct app *a, const char *stem, int n)
{
	for (int i = 0; i < a->deck->n; i++)
		if (nth(a->deck->app[i]->s.file, stem, &n))
			return a->deck->app[i]->s.file;
	return NULL;
}

static const char *complete_field(const char *stem, int n)
{
	for (int i = 0; i < FIELD_COUNT; i++)
		if (nth(period_fields[i].name, stem, &n))
			return period_fields[i].name;
	return NULL;
}

static const char *complete_word(enum command_id id, const char *stem, int n)
{
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		for (int k = 0; fixed[i].id == id && fixed[i].words[k]; k++)
			if (nth(fixed[i].words[k], stem, &n))
				return fixed[i].words[k];
	return NULL;
}

const char *app_complete(void *ctx, const char *line, size_t word, int n)
{
	struct app *a = ctx;
	const char *stem = line + word;
	const struct command *c = command_find(line, strcspn(line, " "));

	if (a->prompt.lead != ':')
		return a->prompt.lead == '&' ? complete_field(stem, n) : NULL;
	if (!word)
		return command_complete(stem, n);
	switch (c ? c->id : CMD_NONE) {
	case CMD_ADD:
	case CMD_WHATIF:
		return complete_governor(a, stem, n);
	case CMD_SWEEP:
		return complete_axis(a, line, word, n);
	case CMD_SET:
		return complete_set(a, stem, n);
	case CMD_DISABLE:
		return complete_state(a, stem, n);
	case CMD_TABLE:
		return complete_table(a, stem, n);
	case CMD_RECORDING:
		return complete_recording(a, stem, n);
	case CMD_FILTER:
		return complete_field(stem, n);
	default:
		return complete_word(c ? c->id : CMD_NONE, stem, n);
	}
}
