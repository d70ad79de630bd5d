// SPDX-License-Identifier: GPL-2.0-or-later
/* Find and filter in time: n goes to the next period of the cpu that fits; with neither, to the next miss. */
#include "src/selection.h"
#include "views/finder.h"
#include "views/lanes_keys.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_AT 2000 /* periods between two keys: what each ran before has to be looked up */

static bool fits(const struct session *s, int run, const struct finder *f, const struct expr *e, size_t i)
{
	const struct period *p = &s->run[run]->tl.cpu[s->cpu].period[i];
	struct period_ref ref = {session_get(s, run), s->cpu, p};

	if (e && !expr_holds(e, period_read, &ref))
		return false;
	return !*f->text || finder_period(f, s, s->cpu, p);
}

static size_t start_of(const struct session *s, int run, int dir)
{
	size_t i = session_period(s, run);

	if (i == TIMELINE_NONE)
		i = timeline_at(&s->run[run]->tl.cpu[s->cpu], s->at_ns) - (dir > 0);
	return i;
}

static void to_miss(struct session *s, int run, int dir)
{
	size_t i = timeline_miss(&s->run[run]->tl, s->cpu, start_of(s, run, dir), dir);

	if (i != TIMELINE_NONE)
		session_select(s, run, s->cpu, i);
	else
		session_say(s, false, "no %s miss on cpu%d", dir > 0 ? "later" : "earlier", s->cpu);
}

/* from seek.i on, not itself: where one fits, the end, or TIMELINE_NONE when there is more to look at */
static size_t look(const struct session *s, struct seek *k)
{
	size_t n = s->run[k->run]->tl.cpu[k->cpu].n;
	struct finder f;
	struct expr *e = *s->filter ? expr_compile(s->filter, period_fields, FIELD_COUNT, NULL, NULL) : NULL;
	bool found = false;

	finder_init(&f, s->find);
	for (int left = LOOK_AT; left && !found; left--) {
		k->i += (size_t)k->dir;
		if (k->i >= n)
			break;
		found = fits(s, k->run, &f, e, k->i);
		k->looked++;
	}
	expr_free(e);
	return found ? k->i : k->i >= n ? n : TIMELINE_NONE;
}

bool lanes_seek(struct session *s)
{
	struct seek *k = &s->seek;
	size_t i;

	if (!k->dir || !s->trace || k->cpu != s->cpu || !session_ready(s, k->run)) {
		k->dir = 0;
		return false;
	}
	i = look(s, k);
	if (i == TIMELINE_NONE) {
		session_say(s, false, "looking for %s%s: not in %zu periods  ^C stop", s->find,
			*s->find ? "" : s->filter, k->looked);
		return true;
	}
	*s->message = '\0';
	if (i < s->run[k->run]->tl.cpu[k->cpu].n)
		session_select(s, k->run, s->cpu, i);
	else
		session_say(s, false, "no %s one on cpu%d: %s%s", k->dir > 0 ? "later" : "earlier", s->cpu,
			s->find, *s->find ? "" : s->filter);
	k->dir = 0;
	return false;
}

void lanes_next(struct session *s, int run, int dir)
{
	if (!*s->find && !*s->filter) {
		to_miss(s, run, dir);
		return;
	}
	s->seek = (struct seek){.dir = dir, .run = run, .cpu = s->cpu, .i = start_of(s, run, dir)};
	lanes_seek(s);
}

bool lanes_search(struct session *s, int run, const char *text)
{
	char *end;
	long cpu;

	copy_text(s->find, sizeof(s->find), text);
	if (!strncmp(text, "cpu", 3) && isdigit((unsigned char)text[3])) {
		cpu = strtol(text + 3, &end, 10);
		*s->find = '\0';
		if (cpu < s->trace->ncpus)
			s->cpu = (int)cpu;
		return true;
	}
	if (*text)
		lanes_next(s, run, 1);
	return true;
}

bool lanes_filter(struct session *s, const char *text)
{
	struct error err;
	size_t column = 0;
	struct expr *e = *text ? expr_compile(text, period_fields, FIELD_COUNT, &column, &err) : NULL;

	if (*text && !e) {
		session_say(s, true, "%*s^ %s", (int)column > 0 ? (int)column - 1 : 0, "", err.text);
		return false;
	}
	expr_free(e);
	copy_text(s->filter, sizeof(s->filter), text);
	return true;
}
