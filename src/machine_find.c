// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the table files are, and a machine from a table's name. */
#include "src/machine.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int is_table_file(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return d->d_name[0] != '.' && n > 4 && !strcmp(d->d_name + n - 4, ".tsv");
}

/* 1: read, 0: no such folder, -1: error */
static int read_folder(struct table_set *set, const char *path, struct error *err)
{
	struct dirent **entry;
	int n = scandir(path, &entry, is_table_file, alphasort), ret = 1;

	if (n < 0)
		return 0;
	for (int i = 0; i < n; i++) {
		char *file = xasprintf("%s/%s", path, entry[i]->d_name);

		if (ret > 0 && tables_read_file(set, file, err) < 0)
			ret = -1;
		free(file);
		free(entry[i]);
	}
	free(entry);
	return ret;
}

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct state_table *)a)->id, ((const struct state_table *)b)->id);
}

int tables_read_all(struct table_set *set, struct error *err)
{
	const char *own = getenv("REIDLE_DATA");
	int found = read_folder(set, REIDLE_DATADIR "/machines", err);

	if (!found)
		found = read_folder(set, REIDLE_SRCDIR "/src/machines", err);
	if (found >= 0 && own) {
		char *inner = xasprintf("%s/machines", own);
		int n = read_folder(set, inner, err);

		if (!n)
			n = read_folder(set, own, err);
		free(inner);
		found = n < 0 ? n : found | n;
	}
	if (found < 0)
		return -1;
	if (!set->n)
		return error_set(err, EXIT_INPUT, "no idle-state tables in " REIDLE_DATADIR
			"/machines; reinstall, or set REIDLE_DATA to a folder of .tsv files");
	qsort(set->table, set->n, sizeof(*set->table), by_id);
	return 0;
}

const struct state_table *tables_find(const struct table_set *set, const char *id)
{
	for (size_t i = 0; i < set->n; i++)
		if (!strcmp(set->table[i].id, id))
			return &set->table[i];
	return NULL;
}

/* ids that hold what was typed, or begin as it does */
static int unknown_table(const struct table_set *set, const char *id, struct error *err)
{
	char near[160] = "";
	size_t n = 0;

	for (size_t i = 0; i < set->n && n + 40 < sizeof(near); i++)
		if (strcasestr(set->table[i].id, id) || !strncasecmp(set->table[i].id, id, 3))
			n += (size_t)snprintf(near + n, sizeof(near) - n, "%s%s", n ? ", " : "",
				set->table[i].id);
	return error_set(err, EXIT_USAGE, "no idle-state table '%.60s'%s%s; see `reidle states`", id,
		n ? "; near: " : "", near);
}

static void set_cpus(struct machine *m, int from, int to, int table)
{
	for (int cpu = from; cpu <= to && cpu < m->ncpus; cpu++)
		m->table_of[cpu] = (uint8_t)table;
}

/* "0-3+6" marks those CPUs; on the command line lists are joined by + because commas part the tables */
static int assign(struct machine *m, const char *cpus, int table, struct error *err)
{
	for (const char *p = cpus; *p;) {
		char *end;
		long from = strtol(p, &end, 10), to = from;

		if (end == p || from < 0)
			break;
		if (*end == '-')
			to = strtol(end + 1, &end, 10);
		if (to < from || to > 8191 || (*end && *end != '+' && *end != ','))
			break;
		set_cpus(m, (int)from, (int)to, table);
		if (!*end)
			return 0;
		p = end + 1;
	}
	return error_set(err, EXIT_USAGE, "table=CPUS takes CPUs as 0-3 or 0+2, not '%.40s'", cpus);
}

static void add_table(struct machine *m, const struct state_table *t)
{
	m->tables = xrealloc(m->tables, (size_t)m->ntables + 1, sizeof(*m->tables));
	m->tables[m->ntables++] = *t;
}

static int load_parts(struct machine *out, const struct table_set *set, char *list, int ncpus,
	struct error *err)
{
	char *save = NULL;

	for (char *part = strtok_r(list, ",", &save); part; part = strtok_r(NULL, ",", &save)) {
		char *cpus = strchr(part, '=');
		const struct state_table *t;

		if (cpus)
			*cpus++ = '\0';
		t = tables_find(set, part);
		if (!t)
			return unknown_table(set, part, err);
		if (!out->ntables)
			machine_uniform(out, t, ncpus);
		else if (out->ntables < UINT8_MAX)
			add_table(out, t);
		if (cpus && assign(out, cpus, out->ntables - 1, err) < 0)
			return -1;
	}
	return out->ntables ? 0 : error_set(err, EXIT_USAGE, "-t takes a table's name or a file");
}

/* one more than the highest number in a list of CPUs */
static int cpus_in(const char *list)
{
	long most = 0;

	for (const char *p = list + strcspn(list, "0123456789"); *p;) {
		char *end;
		long n = strtol(p, &end, 10);

		if (n >= most && n < 8192)
			most = n + 1;
		p = end + strcspn(end, "0123456789");
	}
	return (int)most;
}

/* a file of one machine's clusters: each table says its CPUs, as `states --import` writes them */
static int load_clusters(struct machine *out, const struct table_set *set, const char *path,
	int ncpus, struct error *err)
{
	bool all = true;

	for (size_t i = 0; i < set->n; i++)
		all &= set->n == 1 || set->table[i].cpus[0];
	if (!all || set->n > UINT8_MAX)
		return error_set(err, EXIT_USAGE, "%s: holds %zu tables; name one as %s:%s, or several "
			"with their CPUs as %s:%s=0-3,%s=4-7", path, set->n, path, set->table[0].id, path,
			set->table[0].id, set->table[1].id);
	for (size_t i = 0; set->n > 1 && i < set->n; i++)
		if (cpus_in(set->table[i].cpus) > ncpus)
			ncpus = cpus_in(set->table[i].cpus);
	machine_uniform(out, &set->table[0], ncpus);
	for (size_t i = 1; i < set->n; i++)
		add_table(out, &set->table[i]);
	for (size_t i = 0; i < set->n; i++)
		if (set->n > 1 && assign(out, set->table[i].cpus, (int)i, err) < 0)
			return -1;
	return 0;
}

/* @id: empty, or what follows the colon of FILE.tsv:ID[=CPUS][,ID=CPUS...] */
static int load_file(struct machine *out, const char *path, char *id, int ncpus, struct error *err)
{
	struct table_set set = {0};
	int ret = tables_read_file(&set, path, err);

	if (!ret && !set.n)
		ret = error_set(err, EXIT_INPUT, "%s: holds no idle-state table", path);
	if (!ret)
		ret = *id ? load_parts(out, &set, id, ncpus, err)
			  : load_clusters(out, &set, path, ncpus, err);
	if (!ret)
		out->source = MACHINE_FILE;
	tables_free(&set);
	return ret;
}

int machine_load_table(struct machine *out, const char *name_or_file, int ncpus,
	struct error *err)
{
	char *name = xstrdup(name_or_file), *tsv = strstr(name, ".tsv");
	struct table_set set = {0};
	int ret;

	memset(out, 0, sizeof(*out));
	if (tsv && (tsv[4] == '\0' || tsv[4] == ':')) {
		char *id = tsv[4] ? tsv + 5 : tsv + 4;

		tsv[4] = '\0';
		ret = load_file(out, name, id, ncpus, err);
	} else {
		ret = tables_read_all(&set, err);
		if (!ret)
			ret = load_parts(out, &set, name, ncpus, err);
	}
	if (ret)
		machine_free(out);
	else
		copy_text(out->from, sizeof(out->from), name_or_file);
	tables_free(&set);
	free(name);
	return ret;
}
