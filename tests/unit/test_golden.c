// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Golden screens: every view of a recording, drawn in process at three sizes, in UTF-8 and in ASCII, and
 * the roles of its cells. tests/golden holds what they should be; `make golden` writes it anew, and the
 * difference is what to review.
 */
#include "src/app.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct golden_case {
	const char *name;
	const char *recording[2];
	const char *steps[12];
};

#define SKL {"samples/skl-612-pp.dat"}
#define P9 {"samples/p9-61-w100.dat"}
#define BOTH {"samples/skl-612-pp.dat", "samples/p9-61-w100.dat"}

static const struct golden_case cases[] = {
	{"timeline", SKL, {"n", "n"}},
	{"timeline-close", SKL, {"goto cpu 0 0.0502", "n", "f", "f"}},
	{"timeline-marks", SKL, {"goto cpu 1 1.0", "a", "goto 1.5", "b", "z"}},
	{"timeline-p9", P9, {"n", "f"}},
	{"groups", SKL, {"lanes groups"}},
	{"decisions", SKL, {"2"}},
	{"filter", SKL, {"2", "filter cpu <= 1 && miss == below", "sort length"}},
	{"what-if", SKL, {"what-if teo", "n"}},
	{"changes", SKL, {"what-if teo", "s"}},
	{"what-if-p9", P9, {"what-if menu:poll_override=off", "n"}},
	{"histogram", SKL, {"what-if teo", "4", "d"}},
	{"errors", SKL, {"4", "quantity error"}},
	{"overlay", BOTH, {"4", "other p9"}},
	{"sweep", P9, {"5", "R"}},
	{"sweep-two", BOTH, {"sweep teo decay_shift=2..4", "G"}},
	{"wakes", SKL, {"6"}},
	{"runs", SKL, {"add teo", "add oracle", "7"}},
	{"runs-two", BOTH, {"add teo", "7"}},
	{"states", SKL, {"8", "set C6.residency=300"}},
	{"explain", SKL, {"goto cpu 0 0.0502", "n", "9"}},
	{"events", SKL, {"goto cpu 0 0.0502", "n", "E", "find sched_waking", "a"}},
	{"help", SKL, {"?"}},
};

static const int sizes[][2] = {{80, 24}, {100, 30}, {200, 60}};

static struct app *open_app(const struct golden_case *g, struct options *o, const char **files, bool ascii)
{
	struct error err = {0};
	struct app *a;

	memset(o, 0, sizeof(*o));
	memcpy(files, g->recording, sizeof(g->recording));
	o->files = (struct text_list){.s = files, .n = files[1] ? 2 : 1, .cap = 2};
	o->no_config = true;
	o->headless = true;
	o->ascii = ascii;
	a = app_new(o, &err);
	if (!a || app_settle(a, &err))
		fail_msg("%s", err.text);
	return a;
}

static void take_steps(struct app *a, const struct golden_case *g, struct canvas *c)
{
	struct error err = {0};

	app_draw(a, c);
	for (int i = 0; g->steps[i]; i++) {
		if (app_step(a, g->steps[i], &err) || app_settle(a, &err))
			fail_msg("%s: %s: %s", g->name, g->steps[i], err.text);
		app_draw(a, c);
	}
}

static char *draw_case(const struct golden_case *g, bool ascii, bool roles)
{
	char *all = xstrdup("");

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct options o;
		const char *files[2];
		struct app *a;
		struct canvas c;
		char *text, *more;

		if (roles && sizes[i][0] != 100)
			continue;
		a = open_app(g, &o, files, ascii);
		canvas_init(&c, sizes[i][0], sizes[i][1], app_glyphs(a));
		take_steps(a, g, &c);
		text = canvas_dump(&c, roles);
		more = xasprintf("%s== %dx%d ==\n%s", all, sizes[i][0], sizes[i][1], text);
		free(all);
		free(text);
		all = more;
		canvas_free(&c);
		app_free(a);
	}
	return all;
}

static char *read_all(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t cap = 0;
	ssize_t n;

	if (!f)
		return NULL;
	n = getdelim(&text, &cap, '\0', f);
	fclose(f);
	return n < 0 ? xstrdup("") : text;
}

static void rewrite(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	fputs(text, f);
	fclose(f);
}

/* the first line that differs says more than two whole screens */
static void compare(const char *path, const char *want, const char *got)
{
	int line = 1;

	while (*want && *want == *got) {
		line += *want == '\n';
		want++;
		got++;
	}
	if (*want != *got)
		fail_msg("%s differs from line %d on (make golden writes it anew): want \"%.60s\", got \"%.60s\"",
			path, line, want, got);
}

static void check(const struct golden_case *g, bool ascii, bool roles)
{
	char *path = xasprintf("tests/golden/%s%s.txt", g->name, roles ? ".roles" : ascii ? ".ascii" : "");
	char *got = draw_case(g, ascii, roles), *want;

	if (getenv("REIDLE_GOLDEN")) {
		rewrite(path, got);
	} else {
		want = read_all(path);
		if (!want)
			fail_msg("%s is missing (make golden writes it)", path);
		compare(path, want, got);
		free(want);
	}
	free(got);
	free(path);
}

static void screens(void **state)
{
	const struct golden_case *g = *state;

	check(g, false, false);
	check(g, true, false);
	check(g, false, true);
}

static void ascii_is_ascii(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *text = draw_case(&cases[i], true, false);

		for (const char *p = text; *p; p++)
			if ((unsigned char)*p > '~' || ((unsigned char)*p < ' ' && *p != '\n'))
				fail_msg("%s: not ASCII at \"%.40s\"", cases[i].name, p);
		free(text);
	}
}

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(cases) + 1];

	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("TERM", "xterm-256color", 1);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		tests[i] = (struct CMUnitTest){cases[i].name, screens, NULL, NULL,
			(void *)(uintptr_t)&cases[i]};
	tests[ARRAY_SIZE(cases)] = (struct CMUnitTest)cmocka_unit_test(ascii_is_ascii);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
