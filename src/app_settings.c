// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the user has set, and where he was: settings come from the config file, which is only read; the
 * place in each recording is kept under $XDG_STATE_HOME when a terminal session ends.
 */
#include "src/app_parts.h"
#include "src/output.h"

#include <errno.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_on(const char *text)
{
	return !strcmp(text, "on") || !strcmp(text, "yes") || !strcmp(text, "true") || !strcmp(text, "1");
}

static int word(const char *text, const char *const *words, int n, int otherwise)
{
	for (int i = 0; text && i < n; i++)
		if (!strcmp(text, words[i]))
			return i;
	return otherwise;
}

void app_settings(struct app *a)
{
	static const char *const units[] = {"auto", "us", "ns"};
	const char *v;

	if (!a->o->no_config)
		config_read(&a->config);
	config_keys(&a->config, &a->keys);
	a->s.units = (enum units)word(config_get(&a->config, "units"), units, UNITS_COUNT, UNITS_AUTO);
	v = config_get(&a->config, "mouse");
	a->mouse = !a->o->no_mouse && (!v || is_on(v));
	v = config_get(&a->config, "ascii");
	a->ascii = a->o->ascii || (v && is_on(v));
}

/* settings that need the recording */
void app_settings_loaded(struct app *a)
{
	static const char *const lanes[] = {"all", "one", "groups", "pinned"};
	const char *v = config_get(&a->config, "height");

	a->s.density = (enum density)word(config_get(&a->config, "lanes"), lanes, LANES_COUNT,
		(int)a->s.density);
	if (v && *v >= '1' && *v <= '3' && !v[1])
		a->s.height = *v - '0';
	if (*a->config.problem)
		session_say(&a->s, true, "%s", a->config.problem);
}

void app_theme(struct app *a, struct theme *t, int terminal_colors, int nstates)
{
	const char *name = config_get(&a->config, "theme"), *color = a->o->color;
	bool light = name ? !strcmp(name, "light") : theme_light(getenv("COLORFGBG"));

	if (!color)
		color = name && !strcmp(name, "mono") ? "never" : config_get(&a->config, "color");
	theme_init(t, theme_colors(color, getenv("NO_COLOR"), terminal_colors), light, nstates);
	config_colors(&a->config, t);
}

static bool state_path(const struct app *a, char *path, size_t size, bool make)
{
	const char *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char dir[300];

	if (a->o->no_config || !a->terminal || !a->s.trace || !a->s.trace->sha256[0])
		return false;
	if (xdg && *xdg)
		snprintf(dir, sizeof(dir), "%.280s/reidle", xdg);
	else if (home && *home)
		snprintf(dir, sizeof(dir), "%.260s/.local/state/reidle", home);
	else
		return false;
	for (char *p = dir + 1; make && *p; p++)
		if (*p == '/') {
			*p = '\0';
			mkdir(dir, 0700);
			*p = '/';
		}
	if (make)
		mkdir(dir, 0700);
	snprintf(path, size, "%s/%.16s", dir, a->s.trace->sha256);
	return true;
}

/* failing to keep the place is no reason to bother anybody */
void app_state_save(const struct app *a)
{
	char path[400];
	struct output out;
	int64_t origin;

	if (!a->begun || !state_path(a, path, sizeof(path), true) || output_open(&out, path, NULL))
		return;
	origin = a->s.trace->origin_ns;
	fprintf(out.f, "view = %s\ncpu = %d\nat = %lld\nfrom = %lld\nto = %lld\n", view_name(app_view(a)),
		a->s.cpu, (long long)(a->s.at_ns - origin), (long long)(a->s.from_ns - origin),
		(long long)(session_to(&a->s) - origin));
	for (int i = 0; i < 2; i++)
		if (a->s.marked[i])
			fprintf(out.f, "mark_%c = %lld\n", "ab"[i], (long long)(a->s.mark_ns[i] - origin));
	output_close(&out, NULL);
}

struct place {
	int view, cpu;
	long long at, from, to, mark[2];
	bool marked[2];
};

static int on_state(void *user, const char *section, const char *name, const char *value)
{
	struct place *p = user;
	long long v = atoll(value);

	(void)section;
	if (!strcmp(name, "view"))
		for (int i = 0; i < VIEW_HELP; i++)
			p->view = !strcmp(value, view_name((enum view_id)i)) ? i : p->view;
	else if (!strcmp(name, "cpu"))
		p->cpu = (int)v;
	else if (!strcmp(name, "at"))
		p->at = v;
	else if (!strcmp(name, "from"))
		p->from = v;
	else if (!strcmp(name, "to"))
		p->to = v;
	else if (!strncmp(name, "mark_", 5) && (name[5] == 'a' || name[5] == 'b')) {
		p->mark[name[5] == 'b'] = v;
		p->marked[name[5] == 'b'] = true;
	}
	return 1;
}

void app_state_load(struct app *a)
{
	struct place p = {.cpu = -1};
	int64_t origin, span;
	char path[400];

	if (a->o->at || a->o->from || a->o->to || !state_path(a, path, sizeof(path), false) ||
		ini_parse(path, on_state, &p))
		return;
	origin = a->s.trace->origin_ns;
	span = a->s.trace->end_ns - origin;
	if (p.cpu < 0 || p.cpu >= a->s.trace->ncpus || p.from < 0 || p.to <= p.from || p.at < 0 || p.at >= span)
		return;
	a->s.cpu = p.cpu;
	session_window(&a->s, origin + p.from, origin + min64(p.to, span));
	a->s.at_ns = origin + p.at;
	a->s.exact = true;
	for (int i = 0; i < 2; i++) {
		a->s.marked[i] = p.marked[i];
		a->s.mark_ns[i] = origin + p.mark[i];
	}
	if (p.view)
		app_show(a, (enum view_id)p.view);
}
