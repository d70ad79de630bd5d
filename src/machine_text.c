// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading "reidle1" lines. Each stands alone: a word, then key=value pairs, of which "name=" is the last
 * because names may hold spaces. First pass: how many CPUs and tables; second: everything else.
 */
#include "src/machine_text.h"

#include <stdlib.h>
#include <string.h>

#define TABLES_MAX 255 /* struct machine counts them in a byte */

struct line {
	const char *word, *rest; /* into buf */
	char buf[512];
};

struct reading {
	struct machine_text *out;
	struct state_table *table; /* as described, [ntables] */
	int ntables;
	uint16_t *table_of; /* [ncpus] */
	uint32_t *off;	    /* [ncpus]: mask of disabled states */
	bool after;	    /* between "begin when=after" and its end */
};

/* the next tagged line of the text into l; false at the end */
static bool next_line(struct line *l, const char **text)
{
	size_t tag = strlen(MACHINE_TEXT_TAG);

	while (**text) {
		const char *s = *text, *end = strchr(s, '\n');
		size_t len = end ? (size_t)(end - s) : strlen(s);
		char *space;

		*text = s + len + (end != NULL);
		if (len <= tag || len - tag >= sizeof(l->buf) || memcmp(s, MACHINE_TEXT_TAG, tag))
			continue;
		memcpy(l->buf, s + tag, len - tag);
		l->buf[len - tag] = '\0';
		l->word = l->buf;
		space = strchr(l->buf, ' ');
		l->rest = space ? space + 1 : "";
		if (space)
			*space = '\0';
		return true;
	}
	return false;
}

/* the text of key in "a=1 b=2 name=x y"; "name" takes the rest of the line */
static bool get_text(const struct line *l, const char *key, char *out, size_t size)
{
	size_t len = strlen(key);

	for (const char *p = l->rest; *p; p += strcspn(p, " "), p += *p == ' ') {
		if (!strncmp(p, key, len) && p[len] == '=') {
			const char *value = p + len + 1;
			size_t n = strcmp(key, "name") ? strcspn(value, " ") : strlen(value);

			if (n >= size)
				n = size - 1;
			memcpy(out, value, n);
			out[n] = '\0';
			return true;
		}
		if (!strncmp(p, "name=", 5))
			return false;
	}
	return false;
}

static bool get_number(const struct line *l, const char *key, int64_t lo, int64_t hi, int64_t *out)
{
	char text[32], *end;
	long long v;

	if (!get_text(l, key, text, sizeof(text)))
		return false;
	v = strtoll(text, &end, 10);
	if (end == text || *end || v < lo || v > hi)
		return false;
	*out = v;
	return true;
}

static bool get_cpu(const struct line *l, const struct reading *r, int64_t *cpu)
{
	return get_number(l, "cpu", 0, r->out->machine.ncpus - 1, cpu);
}

/* "0-3,7": calls set() for each CPU or state number below limit */
static void each_number(const char *list, int limit, void (*set)(void *, int), void *ctx)
{
	while (*list) {
		char *end;
		long a = strtol(list, &end, 10), b = a;

		if (end == list)
			return;
		if (*end == '-')
			b = strtol(end + 1, &end, 10);
		for (long i = a < 0 ? 0 : a; i <= b && i < limit; i++)
			set(ctx, (int)i);
		if (*end != ',')
			return;
		list = end + 1;
	}
}

struct table_cpus {
	struct reading *r;
	int table;
};

static void set_table(void *ctx, int cpu)
{
	struct table_cpus *c = ctx;

	c->r->table_of[cpu] = (uint16_t)c->table;
}

static void read_table(struct reading *r, const struct line *l)
{
	struct table_cpus c = {.r = r};
	char cpus[400];
	int64_t id;

	if (!get_number(l, "id", 0, r->ntables - 1, &id) || !get_text(l, "cpus", cpus, sizeof(cpus)))
		return;
	c.table = (int)id;
	each_number(cpus, r->out->machine.ncpus, set_table, &c);
}

static void read_state(struct reading *r, const struct line *l)
{
	int64_t id, index, latency, residency;
	struct idle_state *s;

	if (!get_number(l, "table", 0, r->ntables - 1, &id) ||
		!get_number(l, "index", 0, STATES_MAX - 1, &index) ||
		!get_number(l, "latency_us", 0, INT32_MAX, &latency) ||
		!get_number(l, "residency_us", 0, INT32_MAX, &residency))
		return;
	s = &r->table[id].state[index];
	s->exit_latency_ns = latency * NSEC_PER_USEC;
	s->target_residency_ns = residency * NSEC_PER_USEC;
	if (!get_text(l, "name", s->name, sizeof(s->name)))
		snprintf(s->name, sizeof(s->name), "state%d", (int)index);
	if (r->table[id].nstates <= index)
		r->table[id].nstates = (int)index + 1;
}

static void set_off(void *ctx, int state)
{
	*(uint32_t *)ctx |= 1U << state;
}

static void read_off(struct reading *r, const struct line *l)
{
	char states[64];
	int64_t cpu;

	if (!r->after && get_cpu(l, r, &cpu) && get_text(l, "states", states, sizeof(states)))
		each_number(states, STATES_MAX, set_off, &r->off[cpu]);
}

static void read_system(struct reading *r, const struct line *l)
{
	struct machine_text *m = r->out;
	int64_t v;

	get_text(l, "release", m->release, sizeof(m->release));
	get_text(l, "machine", m->arch, sizeof(m->arch));
	if (get_number(l, "hz", 1, 100000, &v))
		m->machine.hz = (int)v;
	if (get_number(l, "emulated", 0, 1, &v))
		m->emulated = v;
}

/* Debian's "6.1.0-57-amd64" is 6.1.192 by its version text: "#1 SMP ... Debian 6.1.192-3 (...)" */
static void read_version(struct reading *r, const struct line *l)
{
	char text[200], *at;

	if (!get_text(l, "name", text, sizeof(text)))
		return;
	at = strstr(text, "Debian ");
	if (!at)
		return;
	at += strlen("Debian ");
	at[strspn(at, "0123456789.")] = '\0';
	if (strchr(at, '.'))
		copy_text(r->out->kernel, sizeof(r->out->kernel), at);
}

static void read_cpuidle(struct reading *r, const struct line *l)
{
	get_text(l, "driver", r->out->machine.driver, sizeof(r->out->machine.driver));
	get_text(l, "governor", r->out->machine.governor, sizeof(r->out->machine.governor));
}

static void read_limit(struct reading *r, const struct line *l)
{
	int64_t us, cpu, ns;

	if (r->after || !get_number(l, "us", 0, INT32_MAX, &us))
		return;
	ns = min64(us * NSEC_PER_USEC, LATENCY_ANY);
	if (get_cpu(l, r, &cpu))
		r->out->machine.cpu_limit_ns[cpu] = ns;
	else
		r->out->machine.limit_ns = ns;
}

static void read_topology(struct reading *r, const struct line *l)
{
	int64_t cpu, v;
	struct cpu_place *p;

	if (!get_cpu(l, r, &cpu))
		return;
	p = &r->out->place[cpu];
	if (get_number(l, "core", -1, INT32_MAX, &v))
		p->core = (int)v;
	if (get_number(l, "cluster", -1, INT32_MAX, &v))
		p->cluster = (int)v;
	if (get_number(l, "package", -1, INT32_MAX, &v))
		p->package = (int)v;
	if (get_number(l, "node", -1, INT32_MAX, &v))
		p->node = (int)v;
}

static void read_count(struct reading *r, const struct line *l)
{
	struct state_count **all = r->after ? &r->out->after : &r->out->before, *c;
	int64_t cpu, state, v;

	if (!get_cpu(l, r, &cpu) || !get_number(l, "state", 0, STATES_MAX - 1, &state))
		return;
	if (!*all)
		*all = xcalloc((size_t)r->out->machine.ncpus * STATES_MAX, sizeof(**all));
	c = &(*all)[cpu * STATES_MAX + state];
	c->usage = get_number(l, "usage", 0, INT64_MAX, &v) ? (uint64_t)v : 0;
	c->time_us = get_number(l, "time_us", 0, INT64_MAX, &v) ? (uint64_t)v : 0;
	c->above = get_number(l, "above", 0, INT64_MAX, &v) ? (uint64_t)v : 0;
	c->below = get_number(l, "below", 0, INT64_MAX, &v) ? (uint64_t)v : 0;
	c->rejected = get_number(l, "rejected", 0, INT64_MAX, &v) ? (uint64_t)v : 0;
}

static void read_begin(struct reading *r, const struct line *l)
{
	char when[16];

	r->after = get_text(l, "when", when, sizeof(when)) && !strcmp(when, "after");
}

static const struct {
	const char *word;
	void (*read)(struct reading *r, const struct line *l);
} words[] = {
	{"begin", read_begin}, {"system", read_system}, {"version", read_version},
	{"cpuidle", read_cpuidle}, {"limit", read_limit}, {"table", read_table}, {"state", read_state}, {"off", read_off},
	{"topology", read_topology}, {"count", read_count},
};

static void read_lines(struct reading *r, const char *text)
{
	struct line l;

	while (next_line(&l, &text))
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			if (!strcmp(l.word, words[i].word))
				words[i].read(r, &l);
}

static void count_lines(struct reading *r, const char *text)
{
	struct line l;
	int64_t v;

	while (next_line(&l, &text)) {
		if (!strcmp(l.word, "system") && get_number(&l, "cpus", 1, MACHINE_TEXT_CPUS, &v))
			r->out->machine.ncpus = (int)v;
		if (!strcmp(l.word, "table") && get_number(&l, "id", 0, TABLES_MAX - 1, &v) &&
			v >= r->ntables)
			r->ntables = (int)v + 1;
	}
}

/* the machine's table for a described table with some states off; made when it is new */
static uint8_t find_table(struct machine *m, const struct state_table *as, uint32_t off)
{
	struct state_table t = *as;
	int i;

	for (i = 0; i < t.nstates; i++)
		t.state[i].disabled = off >> i & 1;
	for (i = 0; i < m->ntables; i++)
		if (!memcmp(&m->tables[i], &t, sizeof(t)))
			return (uint8_t)i;
	if (m->ntables == TABLES_MAX)
		return 0;
	m->tables = xrealloc(m->tables, (size_t)m->ntables + 1, sizeof(*m->tables));
	m->tables[m->ntables] = t;
	return (uint8_t)m->ntables++;
}

static int build_machine(struct reading *r, struct error *err)
{
	struct machine *m = &r->out->machine;

	for (int i = 0; i < r->ntables; i++) {
		if (!r->table[i].nstates)
			return error_set(err, EXIT_INPUT,
				"machine description in the recording: table %d has no states", i);
		table_apply_driver(&r->table[i], m->driver);
	}
	m->table_of = xcalloc((size_t)m->ncpus, sizeof(*m->table_of));
	for (int i = 0; i < m->ncpus; i++)
		m->table_of[i] = find_table(m, &r->table[r->table_of[i]], r->off[i]);
	return 0;
}

static void start(struct reading *r)
{
	struct machine_text *m = r->out;
	size_t n = (size_t)m->machine.ncpus;

	r->table = xcalloc((size_t)r->ntables, sizeof(*r->table));
	r->table_of = xcalloc(n, sizeof(*r->table_of));
	r->off = xcalloc(n, sizeof(*r->off));
	m->machine.cpu_limit_ns = xcalloc(n, sizeof(*m->machine.cpu_limit_ns));
	m->place = xcalloc(n, sizeof(*m->place));
	m->machine.limit_ns = LATENCY_ANY;
	for (size_t i = 0; i < n; i++) {
		m->machine.cpu_limit_ns[i] = LATENCY_ANY;
		m->place[i] = (struct cpu_place){-1, -1, -1, -1};
	}
}

int machine_text_read(struct machine_text *out, const char *text, struct error *err)
{
	struct reading r = {.out = out};
	int ret;

	memset(out, 0, sizeof(*out));
	out->machine.source = MACHINE_RECORDED;
	copy_text(out->machine.from, sizeof(out->machine.from), "inside the recording");
	count_lines(&r, text);
	if (!out->machine.ncpus || !r.ntables)
		return error_set(err, EXIT_INPUT,
			"machine description in the recording is not whole: no %s line",
			r.ntables ? "system" : "table");
	start(&r);
	read_lines(&r, text);
	ret = build_machine(&r, err);
	free(r.table);
	free(r.table_of);
	free(r.off);
	if (ret)
		machine_text_free(out);
	return ret;
}

void machine_text_free(struct machine_text *m)
{
	machine_free(&m->machine);
	free(m->place);
	free(m->before);
	free(m->after);
	memset(m, 0, sizeof(*m));
}
