// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scripts of the screen: keys and command lines, each on a small recording that is read anew, drawn at a
 * size that the bytes choose. Steps that write files or leave the program are passed over.
 */
#include "src/app.h"
#include "src/command.h"
#include "tests/fuzz/feed.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 40

static bool harmless(const char *step)
{
	const char *name = step + strspn(step, ": \t");
	const struct command *c = command_find(name, strcspn(name, " \t"));

	switch (c ? c->id : CMD_NONE) {
	case CMD_EXPORT:
	case CMD_COPY:
	case CMD_SCREEN:
	case CMD_ROLES:
	case CMD_SUSPEND:
		return false;
	default:
		return strcmp(name, "e") && strcmp(name, "y") && strcmp(name, "^Z");
	}
}

static bool run(struct app *a, char *text, struct canvas *c)
{
	struct error err;
	char *step;
	int done = 0;

	for (int n = 0; n < STEPS_MAX && !app_quits(a) && (step = strsep(&text, "\n")); n++) {
		if (!*step || !harmless(step))
			continue;
		done += !app_step(a, step, &err);
		app_settle(a, &err);
		app_draw(a, c);
	}
	return done > 0;
}

static bool take_steps(const uint8_t *data, size_t size)
{
	const char *files[] = {getenv("FEED_RECORDING")};
	struct options o = {.files = {.s = files, .n = 1, .cap = 1}, .no_config = true, .headless = true,
		.table = "skl"};
	char *text = feed_string(data, size);
	struct canvas c;
	struct error err;
	struct app *a = files[0] ? app_new(&o, &err) : NULL;
	bool taken = false;

	if (!a || app_settle(a, &err)) {
		fprintf(stderr, "steps: FEED_RECORDING names a small recording\n");
		exit(2);
	}
	canvas_init(&c, 20 + (int)(size % 7) * 30, 5 + (int)(size % 5) * 10, app_glyphs(a));
	taken = run(a, text, &c);
	canvas_free(&c);
	app_free(a);
	free(text);
	return taken;
}

static const char *const step_words[] = {"\n", ":", "j", "k", "Enter", "Esc", "Tab", "PgDn", "^D", "1", "2", "3",
	"4", "5", "6", "7", "8", "9", "?", "+", "-", "f", "z", ":goto ", ":zoom ", ":filter ", ":sort ", ":add ",
	":set ", ":table ", ":limit ", ":sweep ", ":run-all", ":lanes ", ":pin ", ":what-if ", "menu@6.12", "teo",
	"0-3", "cpu 1", "#7", "1ms", "99999999999s", "@0", "C1.latency=3", "length < 100us", "/", "&", "Backspace",
	":disable ", ":rename ", ":other ", ":base ", "99999999999", "-1", "\xc3\xa4", NULL};

const struct feed feed_steps = {"steps", take_steps, step_words, 0};
