// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/config.h"
#include "src/util.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct config *c;
	int line;
};

static void problem(struct config *c, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void problem(struct config *c, int line, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (*c->problem)
		return;
	n = snprintf(c->problem, sizeof(c->problem), "%.100s, line %d: ", c->path, line);
	va_start(ap, fmt);
	vsnprintf(c->problem + n, sizeof(c->problem) - (size_t)n, fmt, ap);
	va_end(ap);
}

/* counts lines for messages: the library tells a handler no line number */
static char *next_line(char *buf, int size, void *stream)
{
	struct reader *r = ((void **)stream)[0];

	r->line++;
	return fgets(buf, size, ((void **)stream)[1]);
}

static int on_item(void *user, const char *section, const char *name, const char *value)
{
	struct reader *r = user;
	struct config *c = r->c;
	struct config_item *it;

	GROW(c->item, c->n, c->cap);
	it = &c->item[c->n++];
	copy_text(it->section, sizeof(it->section), section);
	copy_text(it->name, sizeof(it->name), name);
	copy_text(it->value, sizeof(it->value), value ? value : "");
	it->line = r->line;
	return 1;
}

bool config_read_file(struct config *c, const char *path)
{
	FILE *f = fopen(path, "r");
	struct reader r = {c, 0};
	void *stream[2] = {&r, f};
	int bad;

	if (!f)
		return false;
	copy_text(c->path, sizeof(c->path), path);
	bad = ini_parse_stream(next_line, stream, on_item, &r);
	fclose(f);
	if (bad > 0)
		problem(c, bad, "neither [section] nor name = value");
	return true;
}

void config_read(struct config *c)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char path[400] = "";

	memset(c, 0, sizeof(*c));
	if (xdg && *xdg)
		snprintf(path, sizeof(path), "%s/reidle/config", xdg);
	else if (home && *home)
		snprintf(path, sizeof(path), "%s/.config/reidle/config", home);
	if (!*path || !config_read_file(c, path))
		config_read_file(c, "/etc/reidle/config");
	config_check(c);
}

void config_free(struct config *c)
{
	free(c->item);
	c->item = NULL;
	c->n = c->cap = 0;
}

void config_keys(struct config *c, struct keymap *keys)
{
	for (int i = 0; i < c->n; i++)
		if (!strcmp(c->item[i].section, "keys") &&
			!keymap_bind(keys, c->item[i].name, c->item[i].value))
			problem(c, c->item[i].line, "no command '%s', or no key '%s' (? lists both)",
				c->item[i].name, c->item[i].value);
}

void config_colors(struct config *c, struct theme *t)
{
	for (int i = 0; i < c->n; i++)
		if (!strcmp(c->item[i].section, "colors") && t->colors != COLORS_MONO &&
			!theme_set(t, c->item[i].name, c->item[i].value))
			problem(c, c->item[i].line, "no role '%s', or no colour '%s'", c->item[i].name,
				c->item[i].value);
}

const char *config_get(const struct config *c, const char *name)
{
	const char *value = NULL;

	for (int i = 0; i < c->n; i++)
		if (!strcmp(c->item[i].section, "screen") && !strcmp(c->item[i].name, name))
			value = c->item[i].value;
	return value;
}

static bool one_of(const char *text, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(text, *list))
			return true;
	return false;
}

void config_check(struct config *c)
{
	static const char *const sections[] = {"keys", "colors", "screen", NULL};
	static const char *const names[] = {"units", "mouse", "ascii", "theme", "lanes", "height", "color",
		NULL};

	for (int i = 0; i < c->n; i++) {
		const struct config_item *it = &c->item[i];

		if (!one_of(it->section, sections))
			problem(c, it->line, "no section [%s]: keys, colors, screen", it->section);
		else if (!strcmp(it->section, "screen") && !one_of(it->name, names))
			problem(c, it->line, "[screen] has no %s", it->name);
	}
}
