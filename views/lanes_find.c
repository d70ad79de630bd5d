// SPDX-License-Identifier: GPL-2.0-or-later
/* Find and filter in time: n goes to the next period of the cpu that fits; with neither, to the next miss. */
#include "src/selection.h"
#include "views/finder.h"
#include "views/lanes_keys.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* so many periods are looked at per key; what is further away needs another */
#define LOOK_AT 200000

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

void lanes_next(struct session *s, int run, int dir)
{
	const struct timeline_cpu *c = &s->run[run]->tl.cpu[s->cpu];
	size_t i = start_of(s, run, dir);
	struct finder f;
	struct expr *e;
	int looked = 0;

	if (!*s->find && !*s->filter) {
		to_miss(s, run, dir);
		return;
	}
	finder_init(&f, s->find);
	e = *s->filter ? expr_compile(s->filter, period_fields, FIELD_COUNT, NULL, NULL) : NULL;
	for (i += (size_t)dir; i < c->n && looked < LOOK_AT; i += (size_t)dir, looked++)
		if (fits(s, run, &f, e, i))
			break;
	expr_free(e);
	if (i < c->n)
		session_select(s, run, s->cpu, i);
	if (i >= c->n)
		session_say(s, false, "no %s one on cpu%d: %s%s", dir > 0 ? "later" : "earlier", s->cpu, s->find,
			*s->find ? "" : s->filter);
	else if (looked == LOOK_AT)
		session_say(s, false, "nothing within %d periods; n looks on", LOOK_AT);
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
