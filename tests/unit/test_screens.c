// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every view at every size: seeded sizes and keys over real recordings, and all edges of 1..220 x 1..70.
 * REIDLE_FULL_GRID=1 draws the whole grid. The sanitizer build runs it too.
 */
#include "src/app.h"
#include "src/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MAX_W 220
#define MAX_H 70
#define SEEDED 2000

static uint64_t seed = 0x1234567887654321ULL;

static uint64_t rnd(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

struct session_under_test {
	struct options o;
	const char *files[3];
	struct app *a;
	struct canvas c;
};

static void begin_two(struct session_under_test *t, const char *recording, const char *other)
{
	struct error err = {0};

	memset(t, 0, sizeof(*t));
	t->files[0] = recording;
	t->files[1] = other ? "README.md" : NULL; /* one that cannot be read is part of it */
	t->files[2] = other;
	t->o.files = (struct text_list){.s = t->files, .n = other ? 3 : 1, .cap = 3};
	t->o.no_config = t->o.headless = true;
	t->a = app_new(&t->o, &err);
	if (!t->a || app_settle(t->a, &err))
		fail_msg("%s", err.text);
	canvas_init(&t->c, 100, 30, GLYPHS_UTF8);
	app_draw(t->a, &t->c);
}

static void begin(struct session_under_test *t, const char *recording)
{
	begin_two(t, recording, NULL);
}

static void end(struct session_under_test *t)
{
	canvas_free(&t->c);
	app_free(t->a);
}

static void step(struct session_under_test *t, const char *what)
{
	struct error err = {0};

	/* a step may be refused with a message, but never with a crash */
	app_step(t->a, what, &err);
	app_settle(t->a, &err);
}

static void draw_at(struct session_under_test *t, int w, int h)
{
	canvas_resize(&t->c, w, h);
	app_draw(t->a, &t->c);
	for (int i = 0; i < w * h; i++) {
		assert_true(t->c.cell[i].role < ROLE_COUNT);
		assert_true(t->c.cell[i].ch == 0 || t->c.cell[i].ch >= ' ');
	}
}

static const char *const views[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "E", "?"};

/* keys that change what is drawn; none that opens a prompt, quits or suspends */
static const char *const keys[] = {"j", "k", "h", "l", "H", "L", "g", "G", "^D", "^U", "n", "N", "+", "+", "-",
	"0", "f", "a", "b", "z", "[", "]", "c", "v", "p", "s", "S", "o", "O", "x", "t", "w", "d", "u", "m",
	"Enter", "}", "{", "quantity error", "sort error", "sweep teo decay_shift=2..3", "lanes groups", "lanes all", "filter miss == above", "filter ", "find kworker", "units"};

static void seeded_sizes(const char *recording, const char *other, int n)
{
	struct session_under_test t;

	begin_two(&t, recording, other);
	for (int i = 0; i < n; i++) {
		if (rnd(8) == 0)
			step(&t, views[rnd(ARRAY_SIZE(views))]);
		step(&t, keys[rnd(ARRAY_SIZE(keys))]);
		draw_at(&t, 1 + (int)rnd(MAX_W), 1 + (int)rnd(MAX_H));
	}
	end(&t);
}

static void edges(const char *recording, int step_w, int step_h)
{
	struct session_under_test t;

	begin(&t, recording);
	for (size_t v = 0; v < ARRAY_SIZE(views); v++) {
		step(&t, views[v]);
		for (int w = 1; w <= MAX_W; w += step_w) {
			draw_at(&t, w, 1);
			draw_at(&t, w, 8);
			draw_at(&t, w, MAX_H);
		}
		for (int h = 1; h <= MAX_H; h += step_h) {
			draw_at(&t, 1, h);
			draw_at(&t, 40, h);
			draw_at(&t, MAX_W, h);
		}
	}
	end(&t);
}

static void seeded(void **state)
{
	(void)state;
	seeded_sizes("samples/skl-612-pp.dat", NULL, SEEDED / 2);
	seeded_sizes("samples/p9-61-w100.dat", NULL, SEEDED / 2);
	seeded_sizes("samples/skl-612-pp.dat", "samples/p9-61-w100.dat", SEEDED / 2);
}

static void all_edges(void **state)
{
	(void)state;
	edges("samples/skl-612-pp.dat", 1, 1);
}

/* a made-up recording of 256 CPUs; the caller frees the path */
static char *make_many(void)
{
	const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
	char *command = xasprintf("%s/tools/gen_dat %s/many.dat 60000 256 seed=7 >/dev/null 2>&1", build, build);

	if (system(command))
		fail_msg("%s failed", command);
	free(command);
	return xasprintf("%s/many.dat", build);
}

static void many_cpus(void **state)
{
	char *path = make_many();

	(void)state;
	seeded_sizes(path, NULL, 200);
	edges(path, 13, 7);
	free(path);
}

/* @first: a step before all, NULL none */
static void every_size(const char *recording, const char *first)
{
	struct session_under_test t;

	begin(&t, recording);
	if (first)
		step(&t, first);
	for (size_t v = 0; v < ARRAY_SIZE(views); v++) {
		step(&t, views[v]);
		for (int w = 1; w <= MAX_W; w++)
			for (int h = 1; h <= MAX_H; h++)
				draw_at(&t, w, h);
	}
	end(&t);
}

static void full_grid(void **state)
{
	char *many;

	(void)state;
	if (!getenv("REIDLE_FULL_GRID"))
		skip();
	every_size("samples/skl-612-pp.dat", NULL);
	every_size("samples/p9-61-w100.dat", "add teo");
	many = make_many();
	edges(many, 1, 1);
	free(many);
}

/* the time and the cpu under the cursor survive any resize */
static void cursor_keeps_its_place(void **state)
{
	struct session_under_test t;
	char *before, *after, *line;

	(void)state;
	begin(&t, "samples/skl-612-pp.dat");
	step(&t, "goto cpu 2 1.25");
	draw_at(&t, 100, 30);
	before = canvas_dump(&t.c, false);
	draw_at(&t, 41, 9);
	draw_at(&t, 7, 3);
	draw_at(&t, 200, 60);
	draw_at(&t, 100, 30);
	after = canvas_dump(&t.c, false);
	line = strstr(before, ">cpu2");
	assert_non_null(line);
	assert_non_null(strstr(after, ">cpu2"));
	line = strstr(before, "1.25"); /* goto takes the idle period just after */
	assert_non_null(line);
	line[11] = '\0'; /* with all its digits */
	assert_non_null(strstr(after, line));
	free(before);
	free(after);
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cursor_keeps_its_place),
		cmocka_unit_test(seeded),
		cmocka_unit_test(all_edges),
		cmocka_unit_test(many_cpus),
		cmocka_unit_test(full_grid),
	};

	setenv("LC_ALL", "C.UTF-8", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
