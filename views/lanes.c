// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/lanes.h"
#include "src/wakes.h"
#include "views/words.h"

#include <string.h>

#define DEPTH_MAX 2000 /* columns */

static int64_t col_from(const struct lane *l, int col)
{
	return l->s->from_ns + col * l->s->step_ns;
}

/* @every_ns: from label to label; what tells them apart decides unit and decimals */
static void axis_label(char *buf, size_t size, int64_t rel_ns, int64_t every_ns)
{
	static const struct {
		int64_t ns;
		const char *name;
	} units[] = {{NSEC_PER_SEC, "s"}, {NSEC_PER_MSEC, "ms"}, {NSEC_PER_USEC, "us"}, {1, "ns"}};
	size_t i = 0;

	while (i < ARRAY_SIZE(units) - 1 && every_ns < units[i].ns)
		i++;
	if (every_ns % units[i].ns)
		snprintf(buf, size, "|%.1f %s", (double)rel_ns / (double)units[i].ns, units[i].name);
	else
		snprintf(buf, size, "|%lld %s", (long long)(rel_ns / units[i].ns), units[i].name);
}

void lanes_axis(const struct lane *l)
{
	int64_t origin = l->s->trace->origin_ns, unit, at;
	int every = 0;
	char buf[40];

	do {
		every += 10;
		unit = every * l->s->step_ns;
		axis_label(buf, sizeof(buf), col_from(l, l->ncols) - origin, unit);
	} while (every < (int)strlen(buf) + 1);
	at = (l->s->from_ns - origin + unit - 1) / unit * unit + origin;
	for (; at < col_from(l, l->ncols); at += unit) {
		int col = session_column(l->s, at);

		axis_label(buf, sizeof(buf), at - origin, unit);
		if (col + (int)strlen(buf) > l->ncols)
			buf[1] = '\0'; /* half a number would be read as a whole one */
		canvas_text(l->c, l->x + col, l->y, ROLE_RULE, buf);
	}
}

static void mark(const struct lane *l, int64_t at_ns, uint32_t cp, enum role role)
{
	int col = session_column(l->s, at_ns);

	if (col < 0)
		canvas_put(l->c, l->x - 1, l->y, '<', role);
	else if (col >= l->ncols)
		canvas_put(l->c, l->x + l->ncols - 1, l->y, '>', role);
	else
		canvas_put(l->c, l->x + col, l->y, cp, role);
}

void lanes_marks(const struct lane *l)
{
	for (int i = 0; i < 2; i++)
		if (l->s->marked[i])
			mark(l, l->s->mark_ns[i], i ? 'b' : 'a', ROLE_MARK);
	mark(l, l->s->at_ns, GLYPH_DOWN, ROLE_CURSOR);
}

void lanes_fill(const struct lane *l, int run, int cpu)
{
	timeline_columns(&l->s->run[run]->tl, cpu, l->s->from_ns, l->s->step_ns, l->ncols, l->col);
}

/* of a column that lies mostly in lost events nothing is said */
static bool lost(const struct cpu_trace *ct, size_t *hole, int64_t from, int64_t to)
{
	int64_t covered = 0;

	while (*hole < ct->nholes && ct->hole[*hole].to_ns <= from)
		(*hole)++;
	for (size_t k = *hole; k < ct->nholes && ct->hole[k].from_ns < to; k++)
		covered += min64(to, ct->hole[k].to_ns) - max64(from, ct->hole[k].from_ns);
	return covered * 2 > to - from;
}

/* a period that was still open when the recording ended has no replay: from there on nothing is known */
static int64_t known_until(const struct session *s, int run, int cpu)
{
	const struct timeline_cpu *c = &s->run[0]->tl.cpu[cpu];

	if (run && c->n && (c->period[c->n - 1].flags & PERIOD_CUT_END))
		return c->period[c->n - 1].enter_ns;
	return s->trace->end_ns;
}

void lanes_states(const struct lane *l, int run, int cpu)
{
	const struct trace *t = l->s->trace;
	int64_t until = known_until(l->s, run, cpu);
	size_t hole = 0;

	for (int i = 0; i < l->ncols; i++) {
		int64_t from = col_from(l, i), to = from + l->s->step_ns;
		int state = timeline_dominant(&l->col[i], l->s->step_ns);

		if (from >= until || to <= t->origin_ns)
			continue;
		if (lost(&t->cpu[cpu], &hole, from, to))
			canvas_put(l->c, l->x + i, l->y, '?', ROLE_HOLE);
		else if (state >= 0)
			canvas_put(l->c, l->x + i, l->y, (uint32_t)('0' + state), theme_state(state));
		else
			canvas_put(l->c, l->x + i, l->y, l->col[i].wakes ? ':' : '.', ROLE_RUNNING);
	}
}

/* once a period is several columns wide, show where its state would have paid off */
static void target_ticks(const struct lane *l, int run, int cpu)
{
	const struct timeline_cpu *tc = &l->s->run[run]->tl.cpu[cpu];
	int64_t end = col_from(l, l->ncols);

	for (size_t i = timeline_at(tc, l->s->from_ns); i < tc->n && tc->period[i].enter_ns < end; i++) {
		const struct period *p = &tc->period[i];
		int64_t target = p->enter_ns + tc->table->state[p->state].target_residency_ns;
		int col = session_column(l->s, target);

		if (p->exit_ns - p->enter_ns >= 3 * l->s->step_ns && target > p->enter_ns && col >= 0 &&
			col < l->ncols)
			canvas_put(l->c, l->x + col, l->y, GLYPH_TICK, ROLE_DIM);
	}
}

static uint64_t wakes_in(const struct lane *l)
{
	uint64_t n = 0;

	for (int i = 0; i < l->ncols; i++)
		n += l->col[i].wakes;
	return n;
}

void lanes_misses(const struct lane *l, int run, int cpu)
{
	uint64_t most = 1;

	if (wakes_in(l) < (uint64_t)l->ncols)
		target_ticks(l, run, cpu);
	for (int i = 0; i < l->ncols; i++)
		if (l->col[i].above + l->col[i].below > most)
			most = l->col[i].above + l->col[i].below;
	for (int i = 0; i < l->ncols; i++) {
		uint64_t n = l->col[i].above + l->col[i].below;
		int eighths = (int)(n * 8 / most);

		if (n)
			canvas_put(l->c, l->x + i, l->y, glyph_up(most < 3 ? (int)n * 4 : eighths ? eighths : 1),
				l->col[i].above >= l->col[i].below ? ROLE_ABOVE : ROLE_BELOW);
	}
}

static void due(const struct lane *l, int64_t at_ns, char letter)
{
	int col = session_column(l->s, at_ns);

	if (col >= 0 && col < l->ncols)
		canvas_put(l->c, l->x + col, l->y, (uint32_t)letter, ROLE_BAR);
}

void lanes_due(const struct lane *l, int cpu)
{
	const struct decisions_cpu *c = l->s->decisions ? &l->s->decisions->cpu[cpu] : NULL;
	size_t first;

	/* with fewer than some columns a tick, the marks would say nothing but that there are ticks */
	if (!c || wakes_in(l) >= (uint64_t)l->ncols || l->s->step_ns * 4 * l->s->decisions->hz > NSEC_PER_SEC)
		return;
	first = decision_at(c, l->s->from_ns);
	/* what was due in the window may have been so already when the last period before it began */
	for (size_t i = first ? first - 1 : 0; i < c->n && c->d[i].select_ns < col_from(l, l->ncols); i++) {
		const struct decision *d = &c->d[i];

		if (!(d->flags & DEC_TICK_STOPPED) && decision_prov(d, IN_TICK_DELTA) != PROV_GUESSED)
			due(l, d->select_ns + d->tick_delta_ns, 'K');
		if (d->sleep_ns < INT64_MAX / 4 && decision_prov(d, IN_SLEEP) != PROV_GUESSED)
			due(l, d->select_ns + d->sleep_ns, 'T');
	}
}

/* ipi and irq, timer and tick begin alike */
static uint32_t wake_letter(enum wake_kind kind)
{
	static const char letter[WAKE_KINDS] = {[WAKE_TICK] = 'k', [WAKE_TIMER] = 't', [WAKE_IRQ] = 'q',
		[WAKE_IPI] = 'i', [WAKE_SOFTIRQ] = 's', [WAKE_POLL] = 'p', [WAKE_LIMIT] = 'l'};

	return kind < WAKE_KINDS && letter[kind] ? (uint32_t)letter[kind] : GLYPH_DOT;
}

void lanes_wakes(const struct lane *l, int run, int cpu)
{
	const struct timeline_cpu *tc = &l->s->run[run]->tl.cpu[cpu];

	for (int i = 0; i < l->ncols; i++) {
		uint32_t glyph = '*';

		if (!l->col[i].wakes)
			continue;
		if (l->col[i].wakes == 1)
			glyph = wake_letter((enum wake_kind)tc->period[timeline_at(tc, col_from(l, i) - 1)].wake);
		canvas_put(l->c, l->x + i, l->y, glyph, ROLE_DIM);
	}
}

void lanes_depth(const struct lane *l, int run, const int *cpu, int ncpus)
{
	const struct timeline *tl = &l->s->run[run]->tl;
	double room = (double)l->s->step_ns * ncpus, depth[DEPTH_MAX] = {0};
	int n = l->ncols < DEPTH_MAX ? l->ncols : DEPTH_MAX;

	for (int i = 0; i < ncpus; i++)
		timeline_depth(tl, cpu ? cpu[i] : i, l->s->from_ns, l->s->step_ns, n, depth);
	for (int i = 0; i < n; i++) {
		double share = depth[i] / room;

		canvas_put(l->c, l->x + i, l->y, glyph_shade(share < 0.02 ? 0 : 1 + (int)(share * 3.99)),
			share > 0.75 ? ROLE_STATE3 : share > 0.4 ? ROLE_STATE2 : ROLE_STATE1);
	}
}

static double depth_of(const struct timeline_sum *s)
{
	double sum = 0;

	for (int i = 1; i < STATES_MAX; i++)
		sum += (double)s->time_ns[i] * i;
	return sum;
}

/*
 * Not the dominant states but the time spent in each is compared, so that a short change in a wide
 * column still shows; what is below a hundredth of the column is moved edges, not choices.
 */
void lanes_diff(const struct lane *l, int cpu, const struct timeline_sum *right)
{
	int64_t until = known_until(l->s, 1, cpu);

	for (int i = 0; i < l->ncols && col_from(l, i + 1) <= until; i++) {
		const struct timeline_sum *a = &l->col[i], *b = &right[i];
		int64_t moved = 0;

		for (int st = 0; st < STATES_MAX; st++)
			moved += a->time_ns[st] > b->time_ns[st] ? a->time_ns[st] - b->time_ns[st]
								 : b->time_ns[st] - a->time_ns[st];
		if (moved * 50 <= l->s->step_ns)
			continue;
		if (depth_of(b) >= depth_of(a))
			canvas_put(l->c, l->x + i, l->y, GLYPH_UP, ROLE_ABOVE);
		else
			canvas_put(l->c, l->x + i, l->y, GLYPH_DOWN, ROLE_BELOW);
	}
}

int lanes_idle(const struct lane *l)
{
	int64_t idle = 0, from = max64(l->s->from_ns, l->s->trace->origin_ns);
	int64_t to = min64(col_from(l, l->ncols), l->s->trace->end_ns);

	for (int i = 0; i < l->ncols; i++)
		idle += timeline_idle_ns(&l->col[i]);
	return to > from ? (int)((idle * 100 + (to - from) / 2) / (to - from)) : 0;
}
