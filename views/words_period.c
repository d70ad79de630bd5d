// SPDX-License-Identifier: GPL-2.0-or-later
/* An idle period in three lines of words: the place where one reads why a choice was wrong. */
#include "src/wakes.h"
#include "views/words.h"

#define BUF 32

struct lines {
	const struct session *s;
	struct canvas *c;
	int x, y;
	int cpu;
	size_t i;
	const struct period *p;
	const struct state_table *t;
	const struct timeline *tl;
};

static int64_t length_of(const struct lines *l)
{
	return l->p->exit_ns - l->p->enter_ns;
}

static int draw_when(const struct lines *l)
{
	const struct period *p = l->p;
	int64_t origin = l->s->trace->origin_ns;
	char n[BUF], from[BUF], to[BUF], length[BUF];

	return canvas_textf(l->c, l->x, l->y, ROLE_TEXT, "cpu%d idle %s   %s %s %s   %s", l->cpu,
		words_count(n, sizeof(n), l->i), words_time(from, sizeof(from), p->enter_ns - origin, 9),
		"→", words_time(to, sizeof(to), p->exit_ns - origin, 9),
		words_length(length, sizeof(length), length_of(l), l->s->units));
}

static void draw_who(const struct lines *l, int x)
{
	const struct trace *t = l->s->trace;
	const char *before = words_before(t, l->cpu, l->p->enter_ns);

	if (l->p->flags & PERIOD_CUT_END) {
		canvas_text(l->c, x + 2, l->y, ROLE_HOLE, "still idle at the end");
		return;
	}
	if (*before) {
		x = canvas_text(l->c, x + 2, l->y, ROLE_DIM, "after ");
		x = canvas_foreign(l->c, x, l->y, ROLE_TEXT, before, 16);
	}
	x = canvas_text(l->c, x + 2, l->y, ROLE_DIM, "woken by ");
	x = canvas_text(l->c, x, l->y, ROLE_TEXT, wake_kind_name((enum wake_kind)l->p->wake));
	if (l->p->wake_name)
		canvas_foreign(l->c, x + 1, l->y, ROLE_TEXT, trace_name(t, l->p->wake_name), 32);
}

/* "~" before what was rebuilt with an error, "?" after what was guessed */
static const char *how_known(const struct decision *d, enum decision_input in)
{
	static const char *const mark[] = {"", "~", "?"};

	return mark[decision_prov(d, in)];
}

static void draw_inputs(const struct lines *l, int x)
{
	const struct decision *d = session_decision(l->s, l->cpu, l->i);
	char sleep[BUF], limit[BUF];

	if (!d)
		return;
	x = canvas_text(l->c, x + 3, l->y, ROLE_DIM, "next timer ");
	x = canvas_textf(l->c, x, l->y, ROLE_TEXT, "%s%s", how_known(d, IN_SLEEP),
		words_length(sleep, sizeof(sleep), d->sleep_ns, l->s->units));
	x = canvas_text(l->c, x + 3, l->y, ROLE_DIM, "tick ");
	x = canvas_textf(l->c, x, l->y, ROLE_TEXT, "%s%s", how_known(d, IN_TICK_STOPPED),
		d->flags & DEC_TICK_STOPPED ? "stopped" : "running");
	x = canvas_text(l->c, x + 3, l->y, ROLE_DIM, "limit ");
	canvas_text(l->c, x, l->y, ROLE_TEXT,
		d->limit_ns >= LATENCY_ANY ? "none"
					   : words_length(limit, sizeof(limit), d->limit_ns, l->s->units));
}

static void draw_chosen(const struct lines *l)
{
	const struct idle_state *st = &l->t->state[l->p->state];
	char target[BUF], latency[BUF];
	int x = canvas_text(l->c, l->x, l->y, ROLE_DIM, "chosen  ");

	x = canvas_textf(l->c, x, l->y, theme_state(l->p->state), "%d ", l->p->state);
	x = canvas_foreign(l->c, x, l->y, ROLE_HEADING, st->name, 16);
	if (l->s->machine->source != MACHINE_GUESSED)
		x = canvas_textf(l->c, x + 2, l->y, ROLE_TEXT, "target %s, exit %s",
			words_length(target, sizeof(target), st->target_residency_ns, l->s->units),
			words_length(latency, sizeof(latency), st->exit_latency_ns, l->s->units));
	draw_inputs(l, x);
}

static void explain_above(const struct lines *l, int x)
{
	const struct idle_state *st = &l->t->state[l->p->state];
	char cost[BUF], latency[BUF], length[BUF];

	x = canvas_text(l->c, x, l->y, ROLE_ABOVE, "ABOVE");
	canvas_textf(l->c, x, l->y, ROLE_TEXT,
		": too deep, %s short of its target; %s of exit for %s of sleep",
		words_length(cost, sizeof(cost), timeline_cost(l->tl, l->cpu, l->i), l->s->units),
		words_length(latency, sizeof(latency), st->exit_latency_ns, l->s->units),
		words_length(length, sizeof(length), length_of(l), l->s->units));
}

static void explain_below(const struct lines *l, int x, int ideal)
{
	char target[BUF], beyond[BUF];

	x = canvas_text(l->c, x, l->y, ROLE_BELOW, "BELOW");
	canvas_textf(l->c, x, l->y, ROLE_TEXT, ": too shallow, it lasted %s beyond the target %s of %s",
		words_length(beyond, sizeof(beyond), timeline_cost(l->tl, l->cpu, l->i), l->s->units),
		words_length(target, sizeof(target), l->t->state[ideal].target_residency_ns,
			l->s->units),
		l->t->state[ideal].name);
}

static const char *no_verdict(const struct lines *l)
{
	if (l->s->machine->source == MACHINE_GUESSED)
		return "no verdict: the state table is not known (--states FILE or -t TABLE)";
	if (l->p->flags & PERIOD_FORCED)
		return "forced: no governor was asked (idle injection, s2idle, polling)";
	return "no verdict: it had not ended when the recording did";
}

static void draw_ideal(const struct lines *l)
{
	enum verdict v = timeline_verdict(l->tl, l->cpu, l->i);
	int ideal = machine_ideal(l->t, max64(length_of(l) - l->tl->event_cost_ns, 0), LATENCY_ANY), x;

	if (l->s->machine->source == MACHINE_GUESSED || v == VERDICT_NONE) {
		canvas_text(l->c, l->x, l->y, ROLE_NOTE, no_verdict(l));
		return;
	}
	x = canvas_text(l->c, l->x, l->y, ROLE_DIM, "ideal   ");
	x = canvas_textf(l->c, x, l->y, theme_state(ideal), "%d ", ideal);
	x = canvas_foreign(l->c, x, l->y, ROLE_HEADING, l->t->state[ideal].name, 16) + 2;
	if (v == VERDICT_ABOVE)
		explain_above(l, x);
	else if (v == VERDICT_BELOW)
		explain_below(l, x, ideal);
	else
		canvas_text(l->c, x, l->y, ROLE_FINE, "right: its target fits, and no deeper one's");
}

void words_period(const struct session *s, int r, int cpu, size_t i, struct canvas *c, int x, int y,
	int lines)
{
	const struct timeline *tl = &s->run[r]->tl;
	struct lines l = {s, c, x, y, cpu, i, &tl->cpu[cpu].period[i], tl->cpu[cpu].table, tl};
	int end = 0;

	if (lines > 1) {
		end = draw_when(&l);
		draw_who(&l, end);
		l.y++;
	}
	if (lines > 2) {
		draw_chosen(&l);
		l.y++;
	}
	draw_ideal(&l);
}
