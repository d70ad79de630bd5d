// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/recording_edits.h"

#include <stdlib.h>
#include <string.h>

/* STATE.field=value, disable=..., enable=...: no parameter of a governor has a dot in its name */
static bool is_edit(const char *part)
{
	const char *value = strchr(part, '='), *dot = value ? memchr(part, '.', (size_t)(value - part)) : NULL;

	return dot || !strncmp(part, "disable=", 8) || !strncmp(part, "enable=", 7);
}

static int apply(struct machine *m, const char *part, struct error *err)
{
	bool disable = !strncmp(part, "disable=", 8);
	char *states, *save = NULL;
	int ret = 0;

	if (!disable && strncmp(part, "enable=", 7))
		return machine_set(m, part, err);
	states = xstrdup(strchr(part, '=') + 1);
	for (char *s = strtok_r(states, "+", &save); s && !ret; s = strtok_r(NULL, "+", &save))
		ret = machine_set_disabled(m, s, disable, err);
	free(states);
	return ret;
}

static int take_one(struct table_edit *e, const char *part, const struct machine *base, struct error *err)
{
	size_t n = strlen(e->text);

	if (!e->machine) {
		e->machine = xcalloc(1, sizeof(*e->machine));
		machine_copy(e->machine, base);
	}
	snprintf(e->text + n, sizeof(e->text) - n, "%s%s", n ? " " : "", part);
	return apply(e->machine, part, err);
}

int edit_take(struct table_edit *e, char **governor, const char *text, const struct machine *base,
	struct error *err)
{
	char *parts = xstrdup(text), *save = NULL, *rest = NULL, *longer;
	int ret = 0;

	memset(e, 0, sizeof(*e));
	for (char *part = strtok_r(parts, ":", &save); part && !ret; part = strtok_r(NULL, ":", &save)) {
		if (rest && is_edit(part)) {
			ret = take_one(e, part, base, err);
			continue;
		}
		longer = rest ? xasprintf("%s:%s", rest, part) : xstrdup(part);
		free(rest);
		rest = longer;
	}
	free(parts);
	if (ret) {
		edit_free(e);
		free(rest);
		return -1;
	}
	*governor = rest ? rest : xstrdup("");
	return 0;
}

void edit_free(struct table_edit *e)
{
	if (e->machine)
		machine_free(e->machine);
	free(e->machine);
	memset(e, 0, sizeof(*e));
}
