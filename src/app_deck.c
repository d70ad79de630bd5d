// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Several recordings on one screen: each has an app of its own with its session, its views' states and
 * its jobs; the deck says which one is in front. One that cannot be read does not take the others away.
 */
#include "src/app_parts.h"

#include <stdlib.h>
#include <string.h>

struct app *app_front(const struct app *a)
{
	return a->deck->app[a->deck->at];
}

int app_find(const struct app *a, const char *text)
{
	const struct deck *d = a->deck;
	char *end;
	long n = strtol(text, &end, 10);
	int found = -1;

	if (end != text && !*end)
		return n >= 1 && n <= d->n ? (int)n - 1 : -1;
	for (int i = 0; i < d->n; i++)
		if (strstr(d->app[i]->s.file, text)) {
			if (found >= 0 && strcmp(d->app[i]->s.file, text))
				continue;
			found = i;
		}
	return found;
}

/* what belongs to the user rather than to the recording goes with him */
static void take_along(struct app *to, const struct app *from)
{
	to->prompt = from->prompt;
	to->mouse = from->mouse;
	to->s.units = from->s.units;
	copy_text(to->s.find, sizeof(to->s.find), from->s.find);
}

void app_switch(struct app *a, int i, enum view_id view)
{
	struct app *to = a->deck->app[i];

	if (to != a)
		take_along(to, a);
	a->deck->at = i;
	if (to->failed) { /* asked for again: it may be there by now */
		to->failed = false;
		to->waits = true;
	}
	app_show(to, view);
}

bool app_recording(struct app *a, enum command_id id, const char *arg)
{
	const struct deck *d = a->deck;
	int i = d->at;

	if (id == CMD_RECORDING && (!arg || !*arg)) {
		app_show(a, VIEW_RUNS);
		return true;
	}
	if (d->n == 1) {
		session_say(&a->s, false, "there is only this recording; reidle FILE FILE... opens several");
		return true;
	}
	if (id == CMD_RECORDING && (i = app_find(a, arg)) < 0) {
		session_say(&a->s, true, "no recording '%s': there are 1-%d", arg, d->n);
		return false;
	}
	if (id == CMD_RECORDING) {
		app_switch(a, i, app_view(a));
		return true;
	}
	do
		i = (i + (id == CMD_NEXT_RECORDING ? 1 : d->n - 1)) % d->n;
	while (d->app[i]->failed && i != d->at);
	app_switch(a, i, app_view(a));
	return true;
}

void app_tell_failure(struct app *a)
{
	struct deck *d = a->deck;

	if (app_front(a) == a)
		for (int i = 1; i < d->n && app_front(a)->failed; i++) {
			int k = (d->at + i) % d->n;

			if (!d->app[k]->failed)
				app_switch(a, k, app_view(a));
		}
	if (app_front(a) != a)
		session_say(&app_front(a)->s, true, "%s", a->load_error.text);
}

/* the sessions know each other: lists, overlays and sweeps go over all of them */
static void introduce(struct deck *d)
{
	d->session = xcalloc((size_t)d->n, sizeof(struct session *));
	for (int i = 0; i < d->n; i++) {
		d->session[i] = &d->app[i]->s;
		d->app[i]->s.peer = d->session;
		d->app[i]->s.npeers = d->n;
		d->app[i]->s.self = i;
	}
}

struct app *app_new(const struct options *o, struct error *err)
{
	struct deck *d;
	struct app *first;

	if (!o->files.n) {
		error_set(err, EXIT_USAGE, "no recording given (reidle --help says more)");
		return NULL;
	}
	d = xcalloc(1, sizeof(*d));
	d->n = (int)o->files.n;
	d->app = xcalloc(o->files.n, sizeof(struct app *));
	for (int i = 0; i < d->n; i++)
		d->app[i] = app_one(o, o->files.s[i], d);
	introduce(d);
	first = d->app[0];
	for (int i = 0; i < d->n; i++)
		if (d->app[i]->failed)
			app_tell_failure(d->app[i]);
	if (app_front(first)->failed) {
		*err = first->load_error;
		app_free(first);
		return NULL;
	}
	app_poll(first);
	return first;
}

void app_free(struct app *a)
{
	struct deck *d = a ? a->deck : NULL;

	if (!d)
		return;
	for (int i = 0; i < d->n; i++)
		app_stop(d->app[i]);
	for (int i = 0; i < d->n; i++)
		app_one_free(d->app[i]);
	free(d->session);
	free(d->app);
	free(d);
}
