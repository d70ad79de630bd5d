// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench_keys RECORDING [BAR]: every view's keys over a recording, without a terminal; for each the CPU time
 * of the thread that listens to keys, in ms: from the key to its frame, and the longest piece of work that
 * followed, during which another key would have waited. Jobs run in threads of their own, as always. The
 * slowest come first; ends with 1 when one took more than BAR ms (50).
 */
#include "src/app_parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEPS_MAX 200

struct step {
	char view[16];
	const char *what;
	double key_ms, after_ms;
};

struct bench {
	struct app *a;
	struct canvas c;
	struct step step[STEPS_MAX];
	int n;
};

static const char *const everywhere[] = {"j", "k", "G", "g", "^D", "n", "N", "Enter", "q", "e", "Esc", "u", NULL};

/* view by view: its own keys, then find, filter and export; what waits for a job comes first */
static const char *const script[] = {
	"1", "*", "l", "L", "+", "+", "+", "+", "-", "0", "]", "[", "n", "f", "a", "G", "b", "z", "0", "c", "c",
	"c", "c", "v", "p", "p", "E", "Esc", "find kworker", "n", "find cpu3", "filter miss == above", "n",
	"filter ", "export csv @/timeline.csv",
	"2", "*", "s", "s", "s", "s", "S", "S", "filter miss == above && cpu <= 3", "s", "S", "n", "filter ",
	"find state2", "n", "goto #4000", "export csv @/decisions.csv",
	"9", "*", "n", "n", "N", "goto cpu 3", "goto #90000", "n", "q",
	"4", "*", "t", "t", "t", "w", "d", "c", "filter state == \"state1\"", "filter ", "export csv @/hist.csv",
	"6", "*", "s", "S", "m", "o", "export csv @/wakes.csv",
	"7", "*", "add menu", "add teo", "q",
	"3", "*", "n", "n", "N", "s", "S", "o", "x", "+", "+", "0", "n", "filter miss == above", "n", "filter ",
	"find state1", "export csv @/whatif.csv",
	"4", "d", "d", "t", "2", "d", "d",
	"5", "*", "m", "s", "q",
	"8", "*", "9", "*", "?", "j", "q", "1", "screen @/screen.txt", NULL};

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts); /* neither jobs nor whatever else runs here */
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

/* as the terminal's loop, until nothing is to be done; returns its longest round */
static double settle(struct bench *b)
{
	double most = 0;
	bool more = true;

	while (more) {
		double start = now_ms();

		app_poll(b->a);
		more = app_slice(b->a);
		app_draw(b->a, &b->c);
		most = now_ms() - start > most ? now_ms() - start : most;
		if (!more && (app_busy(b->a) || b->a->s.feed.busy)) {
			more = true;
			nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
		}
	}
	return most;
}

static void one(struct bench *b, const char *what, const char *dir)
{
	struct step *s = &b->step[b->n];
	const char *at = strchr(what, '@');
	char *line = at ? xasprintf("%.*s%s%s", (int)(at - what), what, dir, at + 1) : xstrdup(what);
	int key = keys_parse(line);
	double start = now_ms();

	if (b->n == STEPS_MAX)
		return;
	b->n++;
	copy_text(s->view, sizeof(s->view), view_name(app_view(b->a)));
	s->what = what;
	if (key)
		app_key(b->a, key);
	else
		app_line(b->a, line);
	app_draw(b->a, &b->c);
	s->key_ms = now_ms() - start;
	s->after_ms = settle(b);
	free(line);
}

static int slower(const void *a, const void *b)
{
	const struct step *x = a, *y = b;
	double dx = x->key_ms > x->after_ms ? x->key_ms : x->after_ms;
	double dy = y->key_ms > y->after_ms ? y->key_ms : y->after_ms;

	return dx < dy ? 1 : dx > dy ? -1 : 0;
}

static int report(struct bench *b, double bar)
{
	int over = 0;

	qsort(b->step, (size_t)b->n, sizeof(*b->step), slower);
	printf("view        step                              key ms  after ms\n");
	for (int i = 0; i < b->n; i++) {
		const struct step *s = &b->step[i];

		over += s->key_ms > bar || s->after_ms > bar;
		if (i < 12 || s->key_ms > bar || s->after_ms > bar)
			printf("%-11s %-32s %8.2f %9.2f\n", s->view, s->what, s->key_ms, s->after_ms);
	}
	printf("%d of %d steps took more than %g ms: %s\n", over, b->n, bar, over ? "NOT MET" : "met");
	return over != 0;
}

int main(int argc, char **argv)
{
	const char *files[] = {argc > 1 ? argv[1] : ""};
	struct options o = {.files = {.s = files, .n = 1, .cap = 1}, .no_config = true, .headless = true, .jobs = 2, .states = "bdx"};
	static struct bench b;
	struct error err;
	char dir[] = "/tmp/bench-keys-XXXXXX", *clean;
	int ret;

	b.a = app_new(&o, &err);
	if (!b.a || app_settle(b.a, &err) || !mkdtemp(dir))
		return fprintf(stderr, "bench_keys: %s\n", err.text), 2;
	canvas_init(&b.c, 200, 60, GLYPHS_UTF8);
	app_draw(b.a, &b.c);
	for (int i = 0; script[i]; i++)
		for (int k = 0; !strcmp(script[i], "*") ? everywhere[k] != NULL : k < 1; k++)
			one(&b, !strcmp(script[i], "*") ? everywhere[k] : script[i], dir);
	ret = report(&b, argc > 2 ? strtod(argv[2], NULL) : 50);
	canvas_free(&b.c);
	app_free(b.a);
	clean = xasprintf("rm -r %s", dir);
	ret = system(clean) ? 2 : ret;
	free(clean);
	return ret;
}
