// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The loop without a terminal: a script's steps go where keys go, each when nothing is being read or
 * replayed. One step a line: ":" and a command line, a key by name, or a command; "#" begins a comment.
 */
#include "src/app_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int app_settle(struct app *a, struct error *err)
{
	app_wait(a);
	a = app_front(a);
	if (!a->failed)
		return 0;
	*err = a->load_error;
	return -1;
}

static int failed(struct app *a, bool ok, const char *step, struct error *err)
{
	if (ok || !a->s.alert || !*a->s.message)
		return 0;
	return error_set(err, EXIT_USAGE, "%s: %s", step, a->s.message);
}

int app_step(struct app *a, const char *step, struct error *err)
{
	int key = keys_parse(step);
	bool ok;

	if (app_settle(a, err))
		return -1;
	a = app_front(a);
	if (key && *step != '#') {
		ok = app_key(a, key);
		return failed(a, ok, step, err);
	}
	*a->s.message = '\0';
	ok = app_line(a, *step == ':' ? step + 1 : step);
	return failed(a, ok, step, err);
}

static int size_of(const char *text, int *w, int *h, struct error *err)
{
	char rest;

	if (sscanf(text, "%dx%d%c", w, h, &rest) == 2 && *w > 0 && *h > 0 && *w <= 2000 && *h <= 2000)
		return 0;
	return error_set(err, EXIT_USAGE, "--size takes columns x rows, like 100x30, not '%s'", text);
}

static char *next_step(FILE *f, char **line, size_t *cap, int *number)
{
	while (getline(line, cap, f) >= 0) {
		char *s = *line + strspn(*line, " \t");

		(*number)++;
		s[strcspn(s, "\r\n")] = '\0';
		if (*s && !(*s == '#' && (s[1] == ' ' || !s[1])))
			return s;
	}
	return NULL;
}

static int run_script(struct app *a, FILE *f, struct canvas *c, struct error *err)
{
	char *line = NULL, *step;
	size_t cap = 0;
	int number = 0, ret = app_settle(a, err);

	while (!ret && !app_quits(a) && (step = next_step(f, &line, &cap, &number))) {
		app_draw(a, c);
		ret = app_step(a, step, err);
		if (ret)
			error_prefix(err, "script line %d", number);
		else
			ret = app_settle(a, err);
	}
	free(line);
	return ret;
}

int app_headless(struct app *a, struct error *err)
{
	const char *path = a->o->script ? a->o->script : "-";
	struct canvas c;
	FILE *f = strcmp(path, "-") ? fopen(path, "r") : stdin;
	int w = 100, h = 30, ret;

	if (a->o->size && size_of(a->o->size, &w, &h, err))
		return -1;
	if (!f)
		return error_set(err, EXIT_USAGE, "cannot read the script %s: %s", path, strerror(errno));
	canvas_init(&c, w, h, a->glyphs);
	ret = run_script(a, f, &c, err);
	canvas_free(&c);
	if (f != stdin)
		fclose(f);
	return ret;
}
