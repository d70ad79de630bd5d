// SPDX-License-Identifier: GPL-2.0-or-later
/* What leaves the screen: the table of a view in a file or on the clipboard, the screen as text. */
#include "src/app_parts.h"
#include "src/json.h"
#include "src/output.h"

#include <stdlib.h>
#include <string.h>

static json_t *json_cell(const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_INT:
		return json_integer(cell->i);
	case CELL_REAL:
		return json_real(cell->d);
	case CELL_TEXT:
		return json_text(cell->text);
	default:
		return json_null();
	}
}

static void write_json(const struct app *a, const struct table *t, FILE *f)
{
	json_t *doc = json_document(view_name(app_view(a))), *rows = json_array();

	json_object_set_new(doc, "recording", json_text(a->s.file));
	json_object_set_new(doc, "caption", json_text(t->caption));
	for (size_t r = 0; r < table_rows(t); r++) {
		json_t *row = json_object();

		for (size_t c = 0; c < t->ncols; c++)
			json_object_set_new(row, t->col[c].key, json_cell(&t->cell[r * t->ncols + c]));
		json_array_append_new(rows, row);
	}
	json_object_set_new(doc, "rows", rows);
	json_dumpf(doc, f, JSON_INDENT(1));
	fputc('\n', f);
	json_decref(doc);
}

static void write_table(const struct app *a, const struct table *t, enum out_format format, FILE *f)
{
	const struct view_ops *v = view_list[app_view(a)];

	if (format == FORMAT_JSON)
		write_json(a, t, f);
	else if (format == FORMAT_TEXT && v->lines)
		v->lines(a->state[v->id], &a->s, f);
	else
		table_write(t, format, f);
}

static bool view_table(struct app *a, struct table *out)
{
	const struct view_ops *v = view_list[app_view(a)];

	if (a->s.trace && v->table && v->table(a->state[v->id], &a->s, out))
		return true;
	session_say(&a->s, true, "the %s view has no table; :screen FILE writes it as text",
		view_name(v->id));
	return false;
}

/* "csv out.csv", or "out.csv": the ending tells, else text */
static enum out_format format_of(const char **arg)
{
	static const char *const names[] = {"text", "md", "csv", "json"};
	size_t len = strcspn(*arg, " ");
	const char *dot;

	for (int i = 0; i < 4; i++)
		if (strlen(names[i]) == len && !strncmp(*arg, names[i], len)) {
			*arg += len + strspn(*arg + len, " ");
			return (enum out_format)i;
		}
	dot = strrchr(*arg, '.');
	for (int i = 1; dot && i < 4; i++)
		if (!strcmp(dot + 1, names[i]))
			return (enum out_format)i;
	return FORMAT_TEXT;
}

bool app_export(struct app *a, const char *arg)
{
	enum out_format format = format_of(&arg);
	struct output out;
	struct table t;
	struct error err;
	size_t rows;

	if (!*arg) {
		session_say(&a->s, true, "export where? e.g. :export csv FILE");
		return false;
	}
	if (!view_table(a, &t))
		return false;
	rows = table_rows(&t);
	if (output_open(&out, arg, &err)) {
		session_say(&a->s, true, "%s", err.text);
		table_free(&t);
		return false;
	}
	write_table(a, &t, format, out.f);
	table_free(&t);
	if (output_close(&out, &err)) {
		session_say(&a->s, true, "%s", err.text);
		return false;
	}
	session_say(&a->s, false, "%zu rows written to %s", rows, arg);
	return true;
}

bool app_copy(struct app *a)
{
	struct table t;
	size_t size = 0;
	FILE *f;

	if (!view_table(a, &t))
		return false;
	free(a->clipboard);
	a->clipboard = NULL;
	f = open_memstream(&a->clipboard, &size);
	if (f) {
		write_table(a, &t, FORMAT_TEXT, f);
		fclose(f);
		session_say(&a->s, false, "%zu rows handed to the terminal's clipboard", table_rows(&t));
	}
	table_free(&t);
	return f != NULL;
}

bool app_screen(struct app *a, const char *path, bool roles)
{
	struct canvas c;
	struct output out;
	struct error err;
	char *text;
	bool ok;

	if (!path || !*path) {
		session_say(&a->s, true, "%s takes a file name", roles ? "roles" : "screen");
		return false;
	}
	canvas_init(&c, a->last_w ? a->last_w : 100, a->last_h ? a->last_h : 30, a->glyphs);
	app_draw(a, &c);
	text = canvas_dump(&c, roles);
	canvas_free(&c);
	ok = !output_open(&out, path, &err);
	if (ok) {
		fputs(text, out.f);
		ok = !output_close(&out, &err);
	}
	free(text);
	if (!ok)
		session_say(&a->s, true, "%s", err.text);
	else
		session_say(&a->s, false, "the screen is in %s", path);
	return ok;
}
