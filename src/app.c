// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/app.h"
#include "src/app_parts.h"
#include "src/term.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TICK_MS 40 /* how often a running job is looked at */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int check_files(const struct options *o, struct error *err)
{
	struct stat st;
	const char *path;

	if (!o->files.n)
		return error_set(err, EXIT_USAGE, "no recording given (reidle --help says more)");
	path = o->files.s[0];
	if (!strcmp(path, "-") || !stat(path, &st))
		return 0;
	return error_set(err, strchr(path, '/') || strchr(path, '.') ? EXIT_INPUT : EXIT_USAGE,
		"there is no recording and no command '%s' (reidle --help lists commands)", path);
}

struct app *app_new(const struct options *o, struct error *err)
{
	struct app *a;

	if (check_files(o, err))
		return NULL;
	a = xcalloc(1, sizeof(*a));
	a->o = o;
	session_init(&a->s);
	copy_text(a->s.file, sizeof(a->s.file), base_name(o->files.s[0]));
	keymap_init(&a->keys);
	a->s.keys = &a->keys;
	a->s.threads = o->jobs > 0 ? o->jobs : 1;
	setlocale(LC_CTYPE, "");
	app_settings(a);
	a->glyphs = term_glyphs(a->ascii);
	for (int v = 0; v < VIEW_COUNT; v++)
		if (view_list[v])
			a->state[v] = xcalloc(1, view_list[v]->size);
	app_load(a);
	return a;
}

void app_free(struct app *a)
{
	if (!a)
		return;
	app_cancel(a);
	while (a->job.kind != JOB_NONE) {
		for (int i = 0; i < a->s.nruns; i++)
			if (a->s.run[i]->status == RUN_QUEUED)
				a->s.run[i]->status = RUN_FAILED;
		app_wait(a);
	}
	for (int v = 0; v < VIEW_COUNT; v++) {
		if (view_list[v] && view_list[v]->close)
			view_list[v]->close(a->state[v]);
		free(a->state[v]);
	}
	session_free(&a->s);
	if (a->loaded && a->rec.have_decisions)
		sojourns_free(&a->sojourns);
	if (a->loaded)
		recording_close(&a->rec);
	if (a->glanced)
		recording_close(&a->glance);
	config_free(&a->config);
	free(a->clipboard);
	free(a);
}

enum glyph_set app_glyphs(const struct app *a)
{
	return a->glyphs;
}

bool app_quits(const struct app *a)
{
	return a->quit;
}

/* the wheel zooms at the pointer; in tables it scrolls */
static void wheel(struct app *a, const struct term_event *ev)
{
	bool up = ev->kind == TERM_WHEEL_UP, lanes = V_LANES & (1u << app_view(a));
	const struct view_ops *v = view_list[app_view(a)];

	if (lanes && v->click)
		v->click(a->state[v->id], &a->s, ev->x - a->body.x, ev->y - a->body.y, false);
	app_execute(a, lanes ? (up ? CMD_ZOOM_IN : CMD_ZOOM_OUT) : (up ? CMD_UP : CMD_DOWN), NULL);
}

static void mouse(struct app *a, const struct term_event *ev)
{
	const struct view_ops *v = view_list[app_view(a)];

	if (!a->s.trace || a->prompt.open || a->last_w < MIN_W || a->last_h < MIN_H)
		return;
	if (ev->kind == TERM_WHEEL_UP || ev->kind == TERM_WHEEL_DOWN)
		wheel(a, ev);
	else if (v->click && ev->y > 0)
		v->click(a->state[v->id], &a->s, ev->x - a->body.x, ev->y - a->body.y,
			ev->kind == TERM_RELEASE);
}

static void event(struct app *a, const struct term_event *ev)
{
	switch (ev->kind) {
	case TERM_KEY:
		if (ev->key)
			app_key(a, ev->key);
		break;
	case TERM_GONE:
		a->quit = true;
		break;
	case TERM_CLICK:
	case TERM_RELEASE:
	case TERM_WHEEL_UP:
	case TERM_WHEEL_DOWN:
		mouse(a, ev);
		break;
	default:
		break;
	}
}

/* what a command left for the terminal to do */
static void requests(struct app *a)
{
	if (a->redraw)
		term_redraw();
	if (a->suspend)
		term_suspend();
	if (a->toggle_mouse) {
		a->mouse = !a->mouse;
		term_mouse(a->mouse);
		session_say(&a->s, false, "mouse %s", a->mouse ? "on" : "off: drag selects text");
	}
	a->redraw = a->suspend = a->toggle_mouse = false;
	if (a->clipboard && !term_clipboard(a->clipboard, strlen(a->clipboard)))
		session_say(&a->s, true, "too much for a clipboard: use e (export)");
	free(a->clipboard);
	a->clipboard = NULL;
}

static void set_theme(struct app *a, struct theme *t)
{
	int states = a->s.trace ? machine_table(a->s.machine, 0)->nstates : 4;

	app_theme(a, t, term_ncolors(), states);
	term_theme(t);
}

static void loop(struct app *a)
{
	struct term_event ev;
	struct canvas c;
	struct theme theme;
	int w, h;

	set_theme(a, &theme);
	term_size(&w, &h);
	canvas_init(&c, w, h, a->glyphs);
	while (!a->quit) {
		if (app_poll(a) && a->loaded)
			set_theme(a, &theme);
		term_size(&w, &h);
		if (w != c.w || h != c.h)
			canvas_resize(&c, w, h);
		a->stray = term_stray_lines();
		app_draw(a, &c);
		term_draw(&c, &theme);
		term_wait(&ev, app_slice(a) ? 0 : app_busy(a) ? TICK_MS : -1);
		event(a, &ev);
		requests(a);
		if (a->failed)
			a->quit = true;
	}
	canvas_free(&c);
}

static int on_terminal(struct app *a, struct error *err)
{
	const char *why = term_open(a->mouse);

	if (why)
		return error_set(err, EXIT_USAGE, "%s", why);
	oom_hook(term_close);
	a->terminal = true;
	loop(a);
	app_state_save(a);
	term_close();
	oom_hook(NULL);
	if (!a->failed)
		return EXIT_FINE;
	*err = a->load_error;
	return -1;
}

int app_run(const struct options *o, struct error *err)
{
	struct app *a = app_new(o, err);
	int ret;

	if (!a)
		return -1;
	ret = o->headless ? app_headless(a, err) : on_terminal(a, err);
	app_free(a);
	return ret;
}
