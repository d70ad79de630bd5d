// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/command.h"
#include "src/util.h"

#include <string.h>

static const struct command table[] = {
	{CMD_NONE, "", "", 0, "", ""},
#define COMMAND_ROW(id, name, keys, views, arg, help) {CMD_##id, name, keys, views, arg, help},
	COMMANDS(COMMAND_ROW)
#undef COMMAND_ROW
};

const struct command *command_get(enum command_id id)
{
	return &table[id];
}

const struct command *command_find(const char *name, size_t len)
{
	const struct command *found = NULL;

	if (!len)
		return NULL;
	for (int i = 1; i < CMD_COUNT; i++) {
		if (strncmp(table[i].name, name, len))
			continue;
		if (!table[i].name[len])
			return &table[i];
		if (found)
			found = &table[0];
		else
			found = &table[i];
	}
	return found && found->id ? found : NULL;
}

const char *command_complete(const char *prefix, int n)
{
	for (int i = 1; i < CMD_COUNT; i++)
		if (!strncmp(table[i].name, prefix, strlen(prefix)) && n-- == 0)
			return table[i].name;
	return NULL;
}

const char *view_name(enum view_id view)
{
	static const char *const names[] = {
#define VIEW_NAME(id, name, brief) name,
		VIEWS(VIEW_NAME)
#undef VIEW_NAME
	};

	return names[view];
}

const char *view_brief(enum view_id view)
{
	static const char *const names[] = {
#define VIEW_BRIEF(id, name, brief) brief,
		VIEWS(VIEW_BRIEF)
#undef VIEW_BRIEF
	};

	return names[view];
}

static void unbind(struct keymap *m, int key, enum command_id command)
{
	int n = 0;

	for (int i = 0; i < m->n; i++)
		if (m->bind[i].key != key && m->bind[i].command != command)
			m->bind[n++] = m->bind[i];
	m->n = n;
}

static bool bind_keys(struct keymap *m, enum command_id id, const char *keys)
{
	char copy[120], *save = NULL;

	copy_text(copy, sizeof(copy), keys);
	for (char *k = strtok_r(copy, " ", &save); k; k = strtok_r(NULL, " ", &save)) {
		int key = keys_parse(k);

		if (!key || m->n == KEYMAP_MAX)
			return false;
		unbind(m, key, CMD_NONE);
		m->bind[m->n].key = key;
		m->bind[m->n++].command = id;
	}
	return true;
}

void keymap_init(struct keymap *m)
{
	m->n = 0;
	for (int i = 1; i < CMD_COUNT; i++)
		bind_keys(m, table[i].id, table[i].keys);
}

bool keymap_bind(struct keymap *m, const char *command, const char *keys)
{
	const struct command *c = command_find(command, strlen(command));

	if (!c || strcmp(c->name, command))
		return false;
	unbind(m, KEYS_NONE, c->id);
	return bind_keys(m, c->id, keys);
}

enum command_id keymap_find(const struct keymap *m, int key)
{
	for (int i = 0; i < m->n; i++)
		if (m->bind[i].key == key)
			return m->bind[i].command;
	return CMD_NONE;
}

const char *keymap_keys(const struct keymap *m, enum command_id id, char *buf, size_t size)
{
	size_t n = 0;

	*buf = '\0';
	for (int i = 0; i < m->n; i++) {
		char name[16];
		int k;

		if (m->bind[i].command != id)
			continue;
		k = snprintf(buf + n, size - n, "%s%s", n ? " " : "",
			keys_name(m->bind[i].key, name, sizeof(name)));
		if (k < 0 || (size_t)k >= size - n)
			break;
		n += (size_t)k;
	}
	return buf;
}

const char *keymap_first(const struct keymap *m, enum command_id id, char *buf, size_t size)
{
	for (int i = 0; i < m->n; i++)
		if (m->bind[i].command == id)
			return keys_name(m->bind[i].key, buf, size);
	*buf = '\0';
	return buf;
}

/* keys like [ and . are punctuation to mdoc unless something zero-wide stands before them */
static void manual_keys(FILE *f, const char *keys)
{
	fputs("\\&", f);
	for (; *keys; keys++) {
		fputc(*keys, f);
		if (*keys == ' ')
			fputs("\\&", f);
	}
}

void command_manual(FILE *f)
{
	fputs(".Bl -tag -width \"PgDn Space\"\n", f);
	for (int i = 1; i < CMD_COUNT; i++) {
		const struct command *c = &table[i];

		fputs(".It Ic ", f);
		manual_keys(f, *c->keys ? c->keys : ":");
		fprintf(f, "%s\n", *c->keys ? "" : c->name);
		fprintf(f, "%s%s%s: %s.\n", c->name, *c->arg ? " " : "", c->arg, c->help);
	}
	fputs(".El\n", f);
}
