// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/topology.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define FORMS "core=8,package=32, lscpu -p text, or a sysfs snapshot with cpuN/topology files"

static const char *plain_name(const char *name)
{
	return strcmp(name, "socket") ? name : "package";
}

const struct topology_level *topology_find(const struct topology *t, const char *name)
{
	for (int i = 0; i < t->nlevels; i++)
		if (!strcmp(t->level[i].name, plain_name(name)))
			return &t->level[i];
	return NULL;
}

void topology_free(struct topology *t)
{
	for (int i = 0; i < t->nlevels; i++)
		free(t->level[i].of);
	memset(t, 0, sizeof(*t));
}

struct keyed {
	int64_t key;
	int cpu;
};

static int by_key(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->cpu - y->cpu;
}

/* groups are numbered in the order of their first CPU */
void topology_add(struct topology *t, const char *name, const int64_t *key)
{
	struct topology_level *l = &t->level[t->nlevels];
	struct keyed *k = xcalloc((size_t)t->ncpus, sizeof(*k));
	int *number = xcalloc((size_t)t->ncpus, sizeof(*number));

	if (t->nlevels < TOPOLOGY_LEVELS && !topology_find(t, name)) {
		copy_text(l->name, sizeof(l->name), plain_name(name));
		l->of = xcalloc((size_t)t->ncpus, sizeof(*l->of));
		for (int i = 0; i < t->ncpus; i++)
			k[i] = (struct keyed){key[i], i};
		qsort(k, (size_t)t->ncpus, sizeof(*k), by_key);
		/* the first CPU of each key stands for the group */
		for (int i = 0; i < t->ncpus; i++) {
			bool same = i && k[i].key == k[i - 1].key;

			l->of[k[i].cpu] = k[i].key < 0 ? -1 : same ? l->of[k[i - 1].cpu] : k[i].cpu;
		}
		for (int i = 0; i < t->ncpus; i++) {
			if (l->of[i] == i)
				number[i] = l->n++;
			if (l->of[i] >= 0)
				l->of[i] = number[l->of[i]];
		}
		t->nlevels++;
	}
	free(number);
	free(k);
}

/* --- "core=8,package=32" --- */

static int parse_spec(struct topology *t, const char *text, struct error *err)
{
	int64_t *key = xcalloc((size_t)t->ncpus, sizeof(*key));
	int ret = 0;

	for (const char *p = text; *p && !ret;) {
		char name[24], *end;
		size_t len = strcspn(p, "=,");
		long size = p[len] == '=' ? strtol(p + len + 1, &end, 10) : 0;

		if (size < 1 || len == 0 || len >= sizeof(name) || (*end && *end != ',')) {
			ret = error_set(err, EXIT_USAGE, "--topology %s: expected " FORMS, text);
			break;
		}
		snprintf(name, sizeof(name), "%.*s", (int)len, p);
		for (int i = 0; i < t->ncpus; i++)
			key[i] = i / size;
		topology_add(t, name, key);
		p = *end ? end + 1 : end;
	}
	free(key);
	return ret;
}

/* --- lscpu -p --- */

static void lower(char *s)
{
	for (; *s; s++)
		*s = (char)tolower((unsigned char)*s);
}

/* the head's names, CPU being the first; empty fields are separators */
static int head_fields(const char *head, char (*name)[24], int max)
{
	int n = 0;

	head += strspn(head, "# ");
	while (n < max) {
		size_t len = strcspn(head, ",\r\n");

		snprintf(name[n], sizeof(name[n]), "%.*s", (int)len, head);
		lower(name[n++]);
		if (head[len] != ',')
			break;
		head += len + 1;
	}
	return n;
}

static void take_row(const char *row, int64_t *key, int nfields, int ncpus)
{
	char *end;
	long cpu = strtol(row, &end, 10);

	if (end == row || cpu < 0 || cpu >= ncpus)
		return;
	for (int f = 1; f < nfields && *end == ','; f++) {
		const char *at = end + 1;
		long v = strtol(at, &end, 10);

		key[(int64_t)f * ncpus + cpu] = end == at ? -1 : v;
	}
}

static const char *next_line(const char *p)
{
	p += strcspn(p, "\n");
	return *p ? p + 1 : p;
}

static void parse_lscpu(struct topology *t, const char *text, const char *head)
{
	char name[TOPOLOGY_LEVELS][24] = {"cpu", "core", "package", "node"};
	int n = head ? head_fields(head, name, TOPOLOGY_LEVELS) : 4;
	int64_t *key = xcalloc((size_t)n * (size_t)t->ncpus, sizeof(*key));

	for (int64_t i = 0; i < (int64_t)n * t->ncpus; i++)
		key[i] = -1;
	for (const char *p = text; *p; p = next_line(p))
		if (isdigit((unsigned char)*p))
			take_row(p, key, n, t->ncpus);
	for (int f = 1; f < n; f++)
		if (*name[f])
			topology_add(t, name[f], key + (int64_t)f * t->ncpus);
	free(key);
}

/* --- sysfs --- */

enum { PACKAGE, CLUSTER, CORE, SYSFS_LEVELS };

static const struct {
	const char *file, *name;
} sysfs_level[SYSFS_LEVELS] = {
	{"physical_package_id", "package"}, {"cluster_id", "cluster"}, {"core_id", "core"}};

static void sysfs_line(struct topology *t, const char *line, int64_t *key)
{
	const char *at = strstr(line, "/topology/"), *cpu;
	size_t len = strcspn(line, "\n");
	char *end;
	long n;

	if (!at || (size_t)(at - line) >= len)
		return;
	for (cpu = at; cpu > line && cpu[-1] != '/';)
		cpu--;
	n = strncmp(cpu, "cpu", 3) ? -1 : strtol(cpu + 3, &end, 10);
	if (n < 0 || n >= t->ncpus)
		return;
	at += strlen("/topology/");
	for (int i = 0; i < SYSFS_LEVELS; i++) {
		size_t l = strlen(sysfs_level[i].file);

		if (!strncmp(at, sysfs_level[i].file, l) && at[l] == ':')
			key[(int64_t)i * t->ncpus + n] = strtol(at + l + 1, NULL, 10);
	}
}

/* ids of cores and clusters are unique within their package only */
static void parse_sysfs(struct topology *t, const char *text)
{
	int64_t *key = xcalloc((size_t)t->ncpus * SYSFS_LEVELS, sizeof(*key));

	for (int64_t i = 0; i < (int64_t)t->ncpus * SYSFS_LEVELS; i++)
		key[i] = -1;
	for (const char *p = text; *p; p = next_line(p))
		sysfs_line(t, p, key);
	for (int f = CLUSTER; f <= CORE; f++)
		for (int i = 0; i < t->ncpus; i++) {
			int64_t *k = &key[(int64_t)f * t->ncpus + i];

			if (*k >= 0)
				*k += max64(key[i], 0) << 32;
		}
	for (int f = SYSFS_LEVELS - 1; f >= 0; f--)
		topology_add(t, sysfs_level[f].name, key + (int64_t)f * t->ncpus);
	free(key);
}

static bool says_anything(const struct topology *t)
{
	for (int i = 0; i < t->nlevels; i++)
		if (t->level[i].n)
			return true;
	return false;
}

int topology_parse(struct topology *out, const char *text, int ncpus, struct error *err)
{
	const char *head = strstr(text, "# CPU,");

	*out = (struct topology){.ncpus = ncpus};
	if (strchr(text, '=') && !strchr(text, '\n') && !head) {
		if (!parse_spec(out, text, err))
			return 0;
		topology_free(out);
		return -1;
	}
	if (strstr(text, "/topology/"))
		parse_sysfs(out, text);
	else
		parse_lscpu(out, text, head);
	if (says_anything(out))
		return 0;
	topology_free(out);
	return error_set(err, EXIT_USAGE, "--topology: expected " FORMS);
}
