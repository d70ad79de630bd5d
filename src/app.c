// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/app.h"
#include "src/app_parts.h"
#include "src/recording_energy.h"
#include "src/term.h"

#include <errno.h>
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

/* a file that is not there is told at once, and as a mistyped command where it looks like one */
static bool file_is_there(const char *path, bool alone, struct error *err)
{
	struct stat st;

	if (!strcmp(path, "-") || !stat(path, &st))
		return true;
	if (!alone)
		error_set(err, EXIT_INPUT, "%s: %s", path, strerror(errno));
	else
		error_set(err, strchr(path, '/') || strchr(path, '.') ? EXIT_INPUT : EXIT_USAGE,
			"there is no recording and no command '%s' (reidle --help lists commands)", path);
	return false;
}

struct app *app_one(const struct options *o, const char *path, struct deck *deck)
{
	struct app *a = xcalloc(1, sizeof(*a));

	a->o = o;
	a->path = path;
	a->deck = deck;
	session_init(&a->s);
	copy_text(a->s.file, sizeof(a->s.file), base_name(path));
	keymap_init(&a->keys);
	a->s.keys = &a->keys;
	a->s.threads = o->jobs > 0 ? o->jobs : 1;
	setlocale(LC_CTYPE, "");
	app_settings(a);
	a->glyphs = term_glyphs(a->ascii);
	for (int v = 0; v < VIEW_COUNT; v++)
		if (view_list[v])
			a->state[v] = xcalloc(1, view_list[v]->size);
	if (o->power)
		a->powers = energy_read_powers(o->power, &a->load_error);
	a->waits = (!o->power || a->powers) && file_is_there(path, deck->n == 1, &a->load_error);
	a->failed = !a->waits;
	return a;
}

void app_one_free(struct app *a)
{
	app_events_free(a);
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
	if (a->shown)
		recording_close(a->shown);
	config_free(&a->config);
	free(a->clipboard);
	free(a->powers);
	free(a);
}

enum glyph_set app_glyphs(const struct app *a)
{
	return a->glyphs;
}

bool app_quits(const struct app *a)
{
	return app_front(a)->quit;
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
	const struct app *shown = NULL;
	struct term_event ev;
	struct canvas c;
	struct theme theme;
	int w, h;

	term_size(&w, &h);
	canvas_init(&c, w, h, a->glyphs);
	while (!a->quit && !a->failed) {
		bool changed = app_poll(a);

		a = app_front(a); /* one that failed has made room */
		if (changed || a != shown)
			set_theme(a, &theme);
		shown = a;
		term_size(&w, &h);
		if (w != c.w || h != c.h)
			canvas_resize(&c, w, h);
		a->stray = term_stray_lines();
		app_draw(a, &c);
		term_draw(&c, &theme);
		term_wait(&ev, app_slice(a) ? 0 : app_busy(a) || a->s.feed.busy ? TICK_MS : -1);
		event(a, &ev);
		requests(a);
		a = app_front(a);
	}
	canvas_free(&c);
}

static int on_terminal(struct app *a, struct error *err)
{
	const char *why = term_open(a->mouse);

	if (why)
		return error_set(err, EXIT_USAGE, "%s", why);
	oom_hook(term_close);
	for (int i = 0; i < a->deck->n; i++)
		a->deck->app[i]->terminal = true;
	loop(app_front(a));
	for (int i = 0; i < a->deck->n; i++)
		app_state_save(a->deck->app[i]);
	term_close();
	oom_hook(NULL);
	if (!app_front(a)->failed)
		return EXIT_FINE;
	*err = app_front(a)->load_error;
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
