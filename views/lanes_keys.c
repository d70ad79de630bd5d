// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/lanes_keys.h"
#include "views/cpulist.h"
#include "views/words.h"

#include <stdlib.h>
#include <string.h>

int lanes_room(struct session *s, struct timeline_sum **col, int *cap, int width)
{
	int n = width < 1 ? 1 : width;
	int64_t from = s->from_ns, to = session_to(s);
	bool whole = s->trace && from <= s->trace->origin_ns && to >= s->trace->end_ns;

	if (n > *cap) {
		*cap = n;
		*col = xrealloc(*col, (size_t)n, sizeof(**col));
	}
	if (n != s->ncols) {
		s->ncols = n;
		if (whole)
			session_window(s, s->trace->origin_ns, s->trace->end_ns);
		session_see(s);
	}
	return n;
}

static void move_cursor(struct session *s, int columns)
{
	int64_t at = s->at_ns - (s->at_ns - s->from_ns) % s->step_ns + columns * s->step_ns;

	s->at_ns = max64(min64(at, s->trace->end_ns - 1), s->trace->origin_ns);
	s->exact = false;
	session_see(s);
}

static void pan(struct session *s, int columns)
{
	int col = session_column(s, s->at_ns);

	session_pan(s, columns);
	s->at_ns = max64(min64(s->from_ns + col * s->step_ns, s->trace->end_ns - 1), s->trace->origin_ns);
	s->exact = false;
	session_see(s);
}

static void step_idle(struct session *s, int run, int dir)
{
	const struct timeline_cpu *c = &s->run[run]->tl.cpu[s->cpu];
	size_t i = session_period(s, run);

	if (i == TIMELINE_NONE)
		i = timeline_at(c, s->at_ns) - (dir > 0);
	i += (size_t)dir;
	if (i < c->n)
		session_select(s, run, s->cpu, i);
	else
		session_say(s, false, "no %s idle period on cpu%d", dir > 0 ? "later" : "earlier", s->cpu);
}

static void mark_here(struct session *s, int which)
{
	s->marked[which] = !(s->marked[which] && s->mark_ns[which] == s->at_ns);
	s->mark_ns[which] = s->at_ns;
}

static void zoom_marks(struct session *s)
{
	if (s->marked[0] && s->marked[1] && s->mark_ns[0] != s->mark_ns[1])
		session_window(s, min64(s->mark_ns[0], s->mark_ns[1]),
			max64(s->mark_ns[0], s->mark_ns[1]));
	else
		session_say(s, true, "set markers a and b first (keys a, b), then z");
}

/* first centre, then fit: pressing it twice never throws away the surroundings at once */
static void fit(struct session *s, int run)
{
	size_t i = session_period(s, run);
	const struct period *p;
	int64_t width = s->step_ns * s->ncols, length, centre, before = s->from_ns;

	if (i == TIMELINE_NONE)
		return;
	p = &s->run[run]->tl.cpu[s->cpu].period[i];
	length = max64(p->exit_ns - p->enter_ns, 1);
	centre = p->enter_ns + length / 2 - width / 2;
	if (s->from_ns - centre > width / 8 || centre - s->from_ns > width / 8) {
		session_pan(s, (int)((centre - s->from_ns) / s->step_ns));
		if (s->from_ns != before)
			return;
	}
	session_window(s, p->enter_ns - length, p->exit_ns + length);
	s->at_ns = p->enter_ns;
	s->exact = true;
}

static void next_density(struct session *s, const char *arg)
{
	static const char *const names[] = {"all", "one", "groups", "pinned"};
	int d = (int)s->density + 1;

	for (int i = 0; arg && i < LANES_COUNT; i++)
		if (!strcmp(arg, names[i]))
			d = i;
	s->density = (enum density)(d % LANES_COUNT);
	if (s->density == LANES_PINNED && cpulist_count(s) == s->trace->ncpus)
		session_say(s, false, "lanes: pinned - none is, so all (p pins the cpu of the cursor)");
	else
		session_say(s, false, "lanes: %s", names[s->density]);
}

static bool vertical(struct session *s, enum command_id id)
{
	int page = 8;

	switch (id) {
	case CMD_DOWN:
		return cpulist_move(s, 1), true;
	case CMD_UP:
		return cpulist_move(s, -1), true;
	case CMD_FIRST:
		return cpulist_move(s, -s->trace->ncpus), true;
	case CMD_LAST:
		return cpulist_move(s, s->trace->ncpus), true;
	case CMD_HALF_DOWN:
	case CMD_PAGE_DOWN:
		return cpulist_move(s, id == CMD_PAGE_DOWN ? page : page / 2), true;
	case CMD_HALF_UP:
	case CMD_PAGE_UP:
		return cpulist_move(s, id == CMD_PAGE_UP ? -page : -page / 2), true;
	default:
		return false;
	}
}

static bool horizontal(struct session *s, enum command_id id)
{
	switch (id) {
	case CMD_LEFT:
		return move_cursor(s, -1), true;
	case CMD_RIGHT:
		return move_cursor(s, 1), true;
	case CMD_PAN_LEFT:
		return pan(s, -s->ncols / 2), true;
	case CMD_PAN_RIGHT:
		return pan(s, s->ncols / 2), true;
	case CMD_ZOOM_IN:
		return session_zoom(s, 1), true;
	case CMD_ZOOM_OUT:
		return session_zoom(s, -1), true;
	case CMD_WHOLE:
		return session_window(s, s->trace->origin_ns, s->trace->end_ns), true;
	default:
		return false;
	}
}

bool lanes_command(struct session *s, int run, enum command_id id, const char *arg)
{
	if (vertical(s, id) || horizontal(s, id))
		return true;
	switch (id) {
	case CMD_ZOOM:
		return zoom_marks(s), true;
	case CMD_FIT:
		return fit(s, run), true;
	case CMD_MARK_A:
	case CMD_MARK_B:
		return mark_here(s, id == CMD_MARK_B), true;
	case CMD_PREV_IDLE:
	case CMD_NEXT_IDLE:
		return step_idle(s, run, id == CMD_NEXT_IDLE ? 1 : -1), true;
	case CMD_NEXT:
	case CMD_PREVIOUS:
		return lanes_next(s, run, id == CMD_NEXT ? 1 : -1), true;
	case CMD_FIND:
		return lanes_search(s, run, arg);
	case CMD_FILTER:
		return lanes_filter(s, arg);
	case CMD_LANES:
		return next_density(s, arg), true;
	case CMD_PIN:
		s->pinned[s->cpu] = !s->pinned[s->cpu];
		return true;
	case CMD_HEIGHT:
		s->height = s->height % 3 + 1;
		s->density = s->density == LANES_ONE ? LANES_ALL : s->density;
		return true;
	default:
		return false;
	}
}

static void table_row(const struct session *s, int run, int cpu, int state, int64_t from, int64_t to,
	struct table *out)
{
	const struct timeline_cpu *c = &s->run[run]->tl.cpu[cpu];
	struct timeline_sum sum = {0};
	uint64_t usage = 0, above = 0, below = 0;

	for (size_t i = timeline_at(c, from - 1); i < c->n && c->period[i].exit_ns < to; i++) {
		enum verdict v = timeline_verdict(&s->run[run]->tl, cpu, i);

		if (c->period[i].state != state || (c->period[i].flags & PERIOD_CUT_END))
			continue;
		usage++;
		above += v == VERDICT_ABOVE;
		below += v == VERDICT_BELOW;
	}
	timeline_window(&s->run[run]->tl, cpu, from, to, &sum);
	table_int(out, cpu);
	table_int(out, state);
	table_text(out, "%s", c->table->state[state].name);
	table_int(out, (int64_t)usage);
	table_int(out, sum.time_ns[state]);
	table_real(out, to > from ? (double)sum.time_ns[state] / (double)(to - from) : 0);
	table_int(out, (int64_t)above);
	table_int(out, (int64_t)below);
}

void lanes_table(const struct session *s, int run, struct table *out)
{
	bool marks = s->marked[0] && s->marked[1];
	int64_t origin = s->trace->origin_ns;
	int64_t from = marks ? min64(s->mark_ns[0], s->mark_ns[1]) : max64(s->from_ns, origin);
	int64_t to = marks ? max64(s->mark_ns[0], s->mark_ns[1]) : min64(session_to(s), s->trace->end_ns);
	char a[40], b[40];

	table_init(out, "%s  %s  idle states %s to %s s", s->file, s->run[run]->name,
		words_time(a, sizeof(a), from - origin, 9), words_time(b, sizeof(b), to - origin, 9));
	table_column(out, "cpu", "", "cpu", 1, 0, COL_KEY);
	table_column(out, "state", "", "state", 1, 0, COL_KEY);
	table_column(out, "name", "", "name", 1, 0, COL_LEFT | COL_KEY);
	table_column(out, "usage", "", "usage", 1, 0, 0);
	table_column(out, "time", "ms", "time_ns", 1e6, 3, 0);
	table_column(out, "time", "%", "time_share", 0.01, 2, 0);
	table_column(out, "above", "", "above", 1, 0, 0);
	table_column(out, "below", "", "below", 1, 0, 0);
	for (int cpu = 0; cpu < s->trace->ncpus; cpu++)
		for (int st = 0; st < s->run[run]->tl.cpu[cpu].table->nstates; st++)
			table_row(s, run, cpu, st, from, to, out);
	table_note(out, "requested state, not hardware residency; periods that end in the window, "
			"time inside the window");
}
