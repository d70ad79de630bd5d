// SPDX-License-Identifier: GPL-2.0-or-later
/* Edits of the table to replay on: --set, --disable-state, --enable-state. */
#include "src/machine.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum field { FIELD_LATENCY, FIELD_RESIDENCY, FIELD_POLLING };

bool machine_parse_us(int64_t *out_ns, const char *text)
{
	char *end;
	double us;

	if (!isdigit((unsigned char)*text))
		return false;
	us = strtod(text, &end);
	if (*end && strcmp(end, "us"))
		return false;
	if (!(us >= 0 && us <= 4294967295.0))
		return false;
	*out_ns = (int64_t)(us * NSEC_PER_USEC + 0.5);
	return true;
}

/* the states of all tables, each name once, for messages */
static void known_states(const struct machine *m, char *out, size_t size)
{
	size_t n = 0;

	*out = '\0';
	for (int t = 0; t < m->ntables; t++) {
		for (int i = 0; i < m->tables[t].nstates; i++) {
			const char *name = m->tables[t].state[i].name;

			if (t > 0 && machine_find_state(&m->tables[0], name) >= 0)
				continue;
			if (n + strlen(name) + 3 >= size)
				return;
			n += (size_t)snprintf(out + n, size - n, "%s%s", n ? ", " : "", name);
		}
	}
}

static int unknown_state(const struct machine *m, const char *option, const char *name,
	struct error *err)
{
	char known[240];

	known_states(m, known, sizeof(known));
	return error_set(err, EXIT_USAGE, "%s: no state '%.40s' in the table; there are %s (or 0..%d)",
		option, name, known, m->tables[0].nstates - 1);
}

static int apply(struct idle_state *s, enum field field, const char *value, struct error *err)
{
	bool on = !strcmp(value, "on");
	int64_t ns;

	if (field == FIELD_POLLING) {
		if (!on && strcmp(value, "off"))
			return error_set(err, EXIT_USAGE,
				"--set: polling takes on or off, not '%.40s'", value);
		s->polling = on;
		return 0;
	}
	if (!machine_parse_us(&ns, value))
		return error_set(err, EXIT_USAGE, "--set: '%.40s' is no time in us", value);
	if (field == FIELD_LATENCY)
		s->exit_latency_ns = ns;
	else
		s->target_residency_ns = ns;
	return 0;
}

/* "STATE.field=value" into its parts; a state name may itself hold a dot */
static int split(const char *text, char *state, size_t size, enum field *field, const char **value,
	struct error *err)
{
	static const char *const word[] = {".latency=", ".residency=", ".polling="};

	for (size_t i = 0; i < ARRAY_SIZE(word); i++) {
		const char *at = strstr(text, word[i]);

		if (!at || at == text || (size_t)(at - text) >= size)
			continue;
		memcpy(state, text, (size_t)(at - text));
		state[at - text] = '\0';
		*field = (enum field)i;
		*value = at + strlen(word[i]);
		return 0;
	}
	return error_set(err, EXIT_USAGE,
		"--set takes STATE.latency=US, STATE.residency=US or STATE.polling=on|off, not '%.60s'",
		text);
}

int machine_set(struct machine *m, const char *text, struct error *err)
{
	const char *value = "";
	enum field field = FIELD_LATENCY;
	char state[40];
	int found = 0;

	if (split(text, state, sizeof(state), &field, &value, err) < 0)
		return -1;
	for (int t = 0; t < m->ntables; t++) {
		int i = machine_find_state(&m->tables[t], state);

		if (i < 0)
			continue;
		if (apply(&m->tables[t].state[i], field, value, err) < 0)
			return -1;
		found++;
	}
	return found ? 0 : unknown_state(m, "--set", state, err);
}

static int set_one_disabled(struct machine *m, const char *name, bool disabled, struct error *err)
{
	int found = 0;

	for (int t = 0; t < m->ntables; t++) {
		int i = machine_find_state(&m->tables[t], name);

		if (i < 0)
			continue;
		m->tables[t].state[i].disabled = disabled;
		found++;
	}
	if (found)
		return 0;
	return unknown_state(m, disabled ? "--disable-state" : "--enable-state", name, err);
}

int machine_set_disabled(struct machine *m, const char *states, bool disabled, struct error *err)
{
	char *copy = xstrdup(states), *save = NULL;
	int ret = 0;

	for (char *s = strtok_r(copy, ",", &save); s && !ret; s = strtok_r(NULL, ",", &save))
		ret = set_one_disabled(m, s, disabled, err);
	free(copy);
	return ret;
}
