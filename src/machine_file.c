// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * State tables as data files. A file holds tables one after the other; fields are separated by tabs:
 *	table	ID	TITLE
 *	cpus	LIST		the machine's CPUs that have this table, where clusters differ: 0-3,7
 *	source	TEXT
 *	note	TEXT
 *	rule	TEXT		residencies follow from latencies by this rule: no energy information
 *	state	INDEX	NAME	LATENCY_US	RESIDENCY_US	POLLING	TIMEOUT	TELLS	DISABLED
 *	omit	ID	TITLE	WHY
 * POLLING, TELLS (does a time-out set the governor's poll limit) and DISABLED are yes or no; TIMEOUT is
 * a word of table_timeout_text() or a number of us. Lines that begin with # are comments.
 */
#include "src/machine.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	struct table_set *set;
	const char *path;
	int line;
	struct state_table *open; /* the table that following lines belong to */
};

#define FIELDS_MAX 10

static int bad(const struct reader *r, struct error *err, const char *what)
{
	return error_set(err, EXIT_INPUT, "%s:%d: %s", r->path, r->line, what);
}

static int split_fields(char *line, char **field)
{
	int n = 0;

	while (n < FIELDS_MAX && line)
		field[n++] = strsep(&line, "\t");
	return n;
}

static bool yes_no(bool *out, const char *text)
{
	*out = !strcmp(text, "yes");
	return *out || !strcmp(text, "no");
}

static bool read_timeout(struct idle_state *s, const char *text)
{
	struct idle_state probe = {0};
	char word[32];

	for (int i = TIMEOUT_NONE; i < TIMEOUT_FIXED; i++) {
		probe.timeout = (enum state_timeout)i;
		table_timeout_text(&probe, word, sizeof(word));
		s->timeout = probe.timeout;
		if (!strcmp(word, text))
			return true;
	}
	s->timeout = TIMEOUT_FIXED;
	return machine_parse_us(&s->timeout_ns, text);
}

static int read_table(struct reader *r, char **f, int n, struct error *err)
{
	struct table_set *set = r->set;

	if (n < 3 || !*f[1])
		return bad(r, err, "a table line is: table, id, title");
	r->open = NULL;
	for (size_t i = 0; i < set->n; i++)
		if (!strcmp(set->table[i].id, f[1]))
			r->open = &set->table[i];
	if (!r->open) {
		GROW(set->table, set->n, set->cap);
		r->open = &set->table[set->n++];
	}
	memset(r->open, 0, sizeof(*r->open));
	if (!copy_text(r->open->id, sizeof(r->open->id), f[1]))
		return bad(r, err, "table id longer than 31 characters");
	copy_text(r->open->title, sizeof(r->open->title), f[2]);
	return 0;
}

static int read_state(struct reader *r, char **f, int n, struct error *err)
{
	struct state_table *t = r->open;
	struct idle_state s = {0};
	char index[12];

	if (n != 9)
		return bad(r, err, "a state line has 9 fields: state, index, name, latency us, "
				   "residency us, polling, timeout, tells, disabled");
	snprintf(index, sizeof(index), "%d", t->nstates);
	if (t->nstates == STATES_MAX || strcmp(index, f[1]))
		return bad(r, err, "states are numbered 0, 1, 2... and at most 10");
	if (!copy_text(s.name, sizeof(s.name), f[2]) || !*f[2])
		return bad(r, err, "a state name has 1 to 31 characters");
	if (!machine_parse_us(&s.exit_latency_ns, f[3]) ||
		!machine_parse_us(&s.target_residency_ns, f[4]))
		return bad(r, err, "latency and residency are numbers of us");
	if (!yes_no(&s.polling, f[5]) || !yes_no(&s.timeout_sets_poll_limit, f[7]) ||
		!yes_no(&s.disabled, f[8]))
		return bad(r, err, "polling, tells and disabled are yes or no");
	if (!read_timeout(&s, f[6]))
		return bad(r, err, "timeout is none, poll_idle, next_residency, next_enabled, tick or us");
	t->state[t->nstates++] = s;
	return 0;
}

static int read_omit(struct reader *r, char **f, int n, struct error *err)
{
	struct table_set *set = r->set;
	struct table_omit *o;

	if (n != 4)
		return bad(r, err, "an omit line is: omit, id, title, why");
	GROW(set->omit, set->nomits, set->omit_cap);
	o = &set->omit[set->nomits++];
	copy_text(o->id, sizeof(o->id), f[1]);
	copy_text(o->title, sizeof(o->title), f[2]);
	copy_text(o->why, sizeof(o->why), f[3]);
	return 0;
}

/* the rule becomes part of the note: residencies made from latencies say nothing about energy */
static void read_rule(struct state_table *t, const char *rule)
{
	size_t n = strlen(t->note);

	t->rule_made = true;
	snprintf(t->note + n, sizeof(t->note) - n, "%sresidencies are rule-made (%s)",
		n ? "; " : "", rule);
}

static int read_line(struct reader *r, char *line, struct error *err)
{
	char *f[FIELDS_MAX];
	int n;

	line[strcspn(line, "\r\n")] = '\0';
	if (!*line || *line == '#')
		return 0;
	n = split_fields(line, f);
	if (!strcmp(f[0], "table"))
		return read_table(r, f, n, err);
	if (!strcmp(f[0], "omit"))
		return read_omit(r, f, n, err);
	if (!r->open || n < 2)
		return bad(r, err, "no table; this is no file of idle-state tables");
	if (!strcmp(f[0], "state"))
		return read_state(r, f, n, err);
	if (!strcmp(f[0], "cpus"))
		copy_text(r->open->cpus, sizeof(r->open->cpus), f[1]);
	else if (!strcmp(f[0], "source"))
		copy_text(r->open->source, sizeof(r->open->source), f[1]);
	else if (!strcmp(f[0], "note"))
		copy_text(r->open->note, sizeof(r->open->note), f[1]);
	else if (!strcmp(f[0], "rule"))
		read_rule(r->open, f[1]);
	else
		return bad(r, err, "unknown word; known: table, cpus, source, note, rule, state, omit");
	return 0;
}

/* a table without states cannot be replayed on */
static int check_tables(const struct table_set *set, size_t from, const char *path,
	struct error *err)
{
	for (size_t i = from; i < set->n; i++)
		if (!set->table[i].nstates)
			return error_set(err, EXIT_INPUT, "%s: table %s has no states", path,
				set->table[i].id);
	return 0;
}

int tables_read_file(struct table_set *set, const char *path, struct error *err)
{
	struct reader r = {.set = set, .path = path};
	FILE *f = fopen(path, "re");
	size_t cap = 0, before = set->n;
	char *line = NULL;
	ssize_t len;
	int ret = 0;

	if (!f)
		return error_set(err, EXIT_INPUT, "%s: cannot be opened: %m", path);
	while (!ret && (len = getline(&line, &cap, f)) >= 0) {
		r.line++;
		if (memchr(line, '\0', (size_t)len))
			ret = bad(&r, err, "binary data; this is no file of idle-state tables");
		else
			ret = read_line(&r, line, err);
	}
	free(line);
	fclose(f);
	return ret ? ret : check_tables(set, before, path, err);
}

void tables_free(struct table_set *set)
{
	free(set->table);
	free(set->omit);
	memset(set, 0, sizeof(*set));
}
