// SPDX-License-Identifier: GPL-2.0-or-later
/* From a key, a prompt line or a script step to a named command, and from there to the app or the view. */
#include "src/app_parts.h"
#include "src/selection.h"

#include <stdlib.h>
#include <string.h>

void app_show(struct app *a, enum view_id view)
{
	int at = 0;

	if (!view_list[view]) {
		session_say(&a->s, true, "there is no view %s", view_name(view));
		return;
	}
	if (view == VIEW_HELP && app_view(a) != VIEW_HELP)
		a->s.topic = app_view(a);
	while (at <= a->depth && a->stack[at] != view)
		at++;
	if (at > a->depth) { /* not among those that q leads back to */
		if (a->depth == STACK_MAX - 1)
			memmove(a->stack, a->stack + 1, sizeof(a->stack[0]) * (size_t)a->depth--);
		a->stack[++a->depth] = view;
	} else {
		a->depth = at;
	}
	if (a->s.trace && !a->opened[view] && view_list[view]->open)
		view_list[view]->open(a->state[view], &a->s);
	a->opened[view] = a->s.trace != NULL;
}

static void back(struct app *a)
{
	if (a->depth > 0)
		a->depth--;
	else
		a->quit = true;
}

static void cycle(struct app *a, int dir)
{
	int v = app_view(a);

	do
		v = (v + dir + VIEW_HELP) % VIEW_HELP;
	while (!view_list[v]);
	app_show(a, (enum view_id)v);
}

static void remember_place(struct app *a)
{
	struct before_prompt *b = &a->before;

	*b = (struct before_prompt){.cpu = a->s.cpu, .at_ns = a->s.at_ns, .from_ns = a->s.from_ns,
		.exact = a->s.exact};
	copy_text(b->find, sizeof(b->find), a->s.find);
	copy_text(b->filter, sizeof(b->filter), a->s.filter);
}

static void back_to_place(struct app *a)
{
	a->s.seek.dir = 0;
	a->s.cpu = a->before.cpu;
	a->s.at_ns = a->before.at_ns;
	a->s.from_ns = a->before.from_ns;
	a->s.exact = a->before.exact;
}

/* a name to write to, so that Enter is enough */
static void suggest_export(const struct app *a, char *text, size_t size)
{
	const char *dot = strrchr(a->s.file, '.');

	snprintf(text, size, "export text %.*s-%s.txt", dot ? (int)(dot - a->s.file) : 40, a->s.file,
		view_name(app_view(a)));
}

static bool open_prompt(struct app *a, enum command_id id)
{
	char text[160] = "";
	char lead = ':';

	remember_place(a);
	if (id == CMD_FIND || id == CMD_FILTER)
		lead = id == CMD_FIND ? '/' : '&';
	else if (id == CMD_EXPORT)
		suggest_export(a, text, sizeof(text));
	else if (id != CMD_COMMAND)
		snprintf(text, sizeof(text), "%s ", command_get(id)->name);
	prompt_open(&a->prompt, lead, id == CMD_FILTER ? a->s.filter : text);
	return true;
}

static bool view_command(struct app *a, enum command_id id, const char *arg)
{
	enum view_id v = app_view(a);

	if (!a->s.trace)
		return false;
	if (view_list[v]->command(a->state[v], &a->s, id, arg))
		return true;
	if (id == CMD_NEXT_IDLE || id == CMD_PREV_IDLE)
		return view_list[VIEW_TIMELINE]->command(a->state[VIEW_TIMELINE], &a->s, id, arg);
	if (*a->s.message && a->s.alert)
		return false; /* it was the view's, and failed */
	if (command_get(id)->views == V_ALL)
		session_say(&a->s, false, "%s does nothing here", command_get(id)->name);
	else
		session_say(&a->s, false, "%s means nothing in the %s view", command_get(id)->name,
			view_name(v));
	return false;
}

static bool stop(struct app *a)
{
	if (a->s.feed.busy && app_view(a) == VIEW_EVENTS) {
		a->s.feed.stop = true;
		return true;
	}
	if (!app_cancel(a)) {
		back(a);
		return true;
	}
	session_say(&a->s, false, "stopping");
	return true;
}

static bool add_run(struct app *a, const char *arg)
{
	struct error err;
	int i = session_add(&a->s, arg, &err);

	if (i < 0) {
		session_say(&a->s, true, "%s", err.text);
		return false;
	}
	a->s.right = i;
	return true;
}

static bool show_command(struct app *a, enum command_id id, const char *arg)
{
	const struct view_ops *from = view_list[app_view(a)];

	if ((id == CMD_EXPLAIN || id == CMD_EVENTS) && a->s.trace && from->place)
		from->place(a->state[from->id], &a->s);
	if (arg && *arg && id == CMD_WHATIF && !add_run(a, arg))
		return false;
	app_show(a, (enum view_id)(VIEW_TIMELINE + (id - CMD_TIMELINE)));
	return !(arg && *arg && id == CMD_SWEEP) || view_command(a, id, arg);
}

static void next_units(struct session *s)
{
	static const char *const names[] = {"automatic", "us", "ns"};

	s->units = (enum units)((s->units + 1) % UNITS_COUNT);
	session_say(s, false, "units: %s", names[s->units]);
}

/* what the app does itself; 1 done, 0 failed, -1 not its own */
static int own_command(struct app *a, enum command_id id, const char *arg)
{
	switch (id) {
	case CMD_NEXT_VIEW:
	case CMD_PREV_VIEW:
		return cycle(a, id == CMD_NEXT_VIEW ? 1 : -1), 1;
	case CMD_BACK:
		return back(a), 1;
	case CMD_QUIT:
		return a->quit = true, 1;
	case CMD_HELP:
		return app_show(a, VIEW_HELP), 1;
	case CMD_UNITS:
		return next_units(&a->s), 1;
	case CMD_MOUSE:
		return a->toggle_mouse = true, 1;
	case CMD_REDRAW:
		return a->redraw = true, 1;
	case CMD_SUSPEND:
		return a->suspend = true, 1;
	case CMD_STOP:
		return stop(a);
	case CMD_COPY:
		return app_copy(a);
	case CMD_SCREEN:
	case CMD_ROLES:
		return app_screen(a, arg, id == CMD_ROLES);
	case CMD_RECORDING:
	case CMD_NEXT_RECORDING:
	case CMD_PREV_RECORDING:
		return app_recording(a, id, arg);
	default:
		return -1;
	}
}

static int with_argument(struct app *a, enum command_id id, const char *arg)
{
	switch (id) {
	case CMD_EXPORT:
		return app_export(a, arg);
	case CMD_GOTO:
		return app_goto(a, arg);
	case CMD_ADD:
		return add_run(a, arg);
	case CMD_ZOOM:
		return app_zoom(a, arg);
	case CMD_LIMIT:
		return app_limit(a, arg);
	case CMD_TABLE:
		return app_table(a, arg);
	case CMD_SET:
		return view_list[VIEW_STATES]->command(a->state[VIEW_STATES], &a->s, id, arg);
	default:
		return -1;
	}
}

static bool wants_argument(enum command_id id)
{
	return id == CMD_COMMAND || id == CMD_FIND || id == CMD_FILTER || id == CMD_EXPORT ||
	       id == CMD_GOTO || id == CMD_ADD;
}

/* where a view wants to go: to another view, perhaps of another recording */
static void follow_wishes(struct app *a)
{
	int recording = a->s.go_recording, view = a->s.go;

	a->s.go = a->s.go_recording = -1;
	if (recording >= 0)
		app_switch(a, recording, view >= 0 ? (enum view_id)view : app_view(a));
	else if (view >= 0)
		app_show(a, (enum view_id)view);
}

/* whatever comes ends a find that is still looking; true: that was all to be done */
static bool end_seek(struct app *a, enum command_id id)
{
	bool sought = a->s.seek.dir;

	a->s.seek.dir = 0;
	if (sought && id == CMD_STOP)
		session_say(&a->s, false, "stopped");
	return sought && id == CMD_STOP;
}

bool app_execute(struct app *a, enum command_id id, const char *arg)
{
	int ret;

	if (end_seek(a, id))
		return true;
	if (!arg && wants_argument(id))
		return open_prompt(a, id);
	if (id >= CMD_TIMELINE && id <= CMD_EVENTS)
		return show_command(a, id, arg);
	ret = own_command(a, id, arg);
	if (ret < 0 && arg && a->s.trace)
		ret = with_argument(a, id, arg);
	if (ret < 0 && (id == CMD_OTHER || id == CMD_BASE) && a->s.trace)
		ret = app_choose(a, id, arg);
	if (ret < 0)
		ret = view_command(a, id, arg);
	follow_wishes(a);
	if (*a->s.ask) {
		prompt_open(&a->prompt, ':', a->s.ask);
		*a->s.ask = '\0';
	}
	return ret;
}

bool app_line(struct app *a, const char *line)
{
	size_t len = strcspn(line, " ");
	const struct command *c = command_find(line, len);
	const char *arg = line + len + strspn(line + len, " ");

	if (!len)
		return true;
	if (!c) {
		session_say(&a->s, true, "no command '%.*s' (? lists them)", (int)len, line);
		return false;
	}
	return app_execute(a, c->id, *arg || wants_argument(c->id) ? arg : NULL);
}

static bool prompt_done(struct app *a)
{
	char text[PROMPT_TEXT];

	copy_text(text, sizeof(text), a->prompt.text);
	if (a->prompt.lead == '/')
		back_to_place(a);
	if (a->prompt.lead == ':')
		return app_line(a, text);
	return app_execute(a, a->prompt.lead == '/' ? CMD_FIND : CMD_FILTER, text);
}

/* what was typed so far is undone; the place and the words are those of before */
static void prompt_cancelled(struct app *a)
{
	if (a->prompt.lead == ':')
		return;
	back_to_place(a);
	copy_text(a->s.find, sizeof(a->s.find), a->before.find);
	if (a->prompt.lead == '&')
		app_execute(a, CMD_FILTER, a->before.filter);
	*a->s.message = '\0';
}

static bool prompt_step(struct app *a, int key)
{
	enum prompt_result r = prompt_key(&a->prompt, key, app_complete, a);

	/* find and filter follow while one types; an empty or broken line keeps the old result */
	if (r == PROMPT_EDITED && a->prompt.lead != ':' && *a->prompt.text) {
		if (a->prompt.lead == '/')
			back_to_place(a);
		app_execute(a, a->prompt.lead == '/' ? CMD_FIND : CMD_FILTER, a->prompt.text);
	} else if (r == PROMPT_DONE) {
		return prompt_done(a);
	} else if (r == PROMPT_CANCELLED) {
		prompt_cancelled(a);
	}
	return true;
}

bool app_key(struct app *a, int key)
{
	enum command_id id;
	bool small = a->last_w && (a->last_w < MIN_W || a->last_h < MIN_H);

	*a->s.message = '\0';
	if (a->prompt.open)
		return prompt_step(a, key);
	id = keymap_find(&a->keys, key);
	if (small && id != CMD_QUIT && id != CMD_SUSPEND && id != CMD_REDRAW && id != CMD_BACK)
		return true;
	if (small && id == CMD_BACK)
		a->quit = true;
	else if (id != CMD_NONE)
		return app_execute(a, id, NULL);
	else
		session_say(&a->s, false, "no such key here; ? helps");
	return true;
}
