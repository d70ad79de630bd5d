// SPDX-License-Identifier: GPL-2.0-or-later
/* An idle period in words: the place where one reads why a choice was wrong. */
#include "src/wakes.h"
#include "views/flow.h"
#include "views/words.h"

#define BUF 32
#define FAR_NS (1000000 * NSEC_PER_SEC) /* beyond this no timer is armed at all */

struct words {
	const struct session *s;
	struct flow f;
	int cpu;
	size_t i;
	const struct period *p;
	const struct state_table *t;
	const struct timeline *tl;
};

static int64_t length_of(const struct words *w)
{
	return w->p->exit_ns - w->p->enter_ns;
}

static const char *len(const struct words *w, char *buf, int64_t ns)
{
	return words_length(buf, BUF, ns, w->s->units);
}

static void when(struct words *w)
{
	char n[BUF], from[BUF], length[BUF];

	flow_piece(&w->f, ROLE_LABEL, "cpu%d idle %s", w->cpu, words_count(n, sizeof(n), w->i));
	flow_piece(&w->f, ROLE_DIM, "at");
	flow_join(&w->f, ROLE_TEXT, " %s",
		words_time(from, sizeof(from), w->p->enter_ns - w->s->trace->origin_ns, 9));
	flow_piece(&w->f, ROLE_DIM, "for");
	flow_join(&w->f, ROLE_HEADING, " %s", len(w, length, length_of(w)));
}

static void who(struct words *w)
{
	const struct trace *t = w->s->trace;
	const char *before = words_before(t, w->cpu, w->p->enter_ns);
	int64_t at;
	int waker;

	if (w->p->flags & PERIOD_CUT_END) {
		flow_piece(&w->f, ROLE_HOLE, "still idle at the end");
		return;
	}
	if (*before) {
		flow_piece(&w->f, ROLE_DIM, "after");
		flow_join(&w->f, ROLE_TEXT, " %.16s", before);
	}
	flow_piece(&w->f, ROLE_DIM, "woken by");
	flow_join(&w->f, ROLE_TEXT, " %s%s%.32s", wake_kind_name((enum wake_kind)w->p->wake),
		w->p->wake_name ? " " : "", trace_name(t, w->p->wake_name));
	waker = words_waker(t, w->cpu, w->p, &at);
	if (waker >= 0)
		flow_join(&w->f, ROLE_DIM, " on cpu%d", waker);
}

/* "~" before what was rebuilt within bounds, "?" before what was guessed */
static const char *how_known(const struct decision *d, enum decision_input in)
{
	static const char *const mark[] = {"", "~", "?", "?"};

	return mark[decision_prov(d, in)];
}

static void inputs(struct words *w)
{
	const struct decision *d = session_decision(w->s, w->cpu, w->i);
	char buf[BUF];

	if (!d)
		return;
	flow_piece(&w->f, ROLE_DIM, "next timer");
	flow_join(&w->f, ROLE_TEXT, " %s%s", how_known(d, IN_SLEEP),
		d->sleep_ns > FAR_NS ? "none" : len(w, buf, d->sleep_ns));
	flow_piece(&w->f, ROLE_DIM, "tick");
	if (d->flags & DEC_TICK_STOPPED)
		flow_join(&w->f, ROLE_TEXT, " %sstopped", how_known(d, IN_TICK_STOPPED));
	else
		flow_join(&w->f, ROLE_TEXT, " %sin %s", how_known(d, IN_TICK_DELTA),
			len(w, buf, d->tick_delta_ns));
	flow_piece(&w->f, ROLE_DIM, "limit");
	flow_join(&w->f, ROLE_TEXT, " %s", d->limit_ns >= LATENCY_ANY ? "none" : len(w, buf, d->limit_ns));
}

static void chosen(struct words *w)
{
	const struct idle_state *st = &w->t->state[w->p->state];
	char target[BUF], latency[BUF];

	flow_piece(&w->f, ROLE_DIM, "chosen ");
	flow_join(&w->f, theme_state(w->p->state), " %d", w->p->state);
	flow_join(&w->f, ROLE_HEADING, " %s", st->name);
	if (w->s->machine->source != MACHINE_GUESSED)
		flow_piece(&w->f, ROLE_TEXT, "target %s, exit %s",
			len(w, target, st->target_residency_ns), len(w, latency, st->exit_latency_ns));
	inputs(w);
}

static void above(struct words *w)
{
	char buf[BUF], length[BUF];

	flow_piece(&w->f, ROLE_ABOVE, "ABOVE:");
	flow_join(&w->f, ROLE_TEXT, " too deep, %s short of its target;",
		len(w, buf, timeline_cost(w->tl, w->cpu, w->i)));
	flow_join(&w->f, ROLE_TEXT, " %s of exit for %s of sleep",
		len(w, buf, w->t->state[w->p->state].exit_latency_ns), len(w, length, length_of(w)));
}

static void below(struct words *w, int ideal)
{
	char buf[BUF];

	flow_piece(&w->f, ROLE_BELOW, "BELOW:");
	flow_join(&w->f, ROLE_TEXT, " too shallow, by %s:",
		len(w, buf, timeline_cost(w->tl, w->cpu, w->i)));
	flow_join(&w->f, ROLE_TEXT, " %s pays off from %s on", w->t->state[ideal].name,
		len(w, buf, w->t->state[ideal].target_residency_ns));
}

static const char *no_verdict(const struct words *w)
{
	if (w->s->machine->source == MACHINE_GUESSED)
		return "no verdict: the state table is not known (--states FILE or -t TABLE)";
	if (w->p->flags & PERIOD_FORCED)
		return "forced: no governor was asked (idle injection, s2idle, polling)";
	return "no verdict: it had not ended when the recording did";
}

static void verdict(struct words *w)
{
	enum verdict v = timeline_verdict(w->tl, w->cpu, w->i);
	int ideal = machine_ideal(w->t, max64(length_of(w) - w->tl->event_cost_ns, 0), LATENCY_ANY);

	if (w->s->machine->source == MACHINE_GUESSED || v == VERDICT_NONE) {
		flow_piece(&w->f, ROLE_NOTE, "%s", no_verdict(w));
		return;
	}
	flow_piece(&w->f, ROLE_DIM, "ideal  ");
	flow_join(&w->f, theme_state(ideal), " %d", ideal);
	flow_join(&w->f, ROLE_HEADING, " %s", w->t->state[ideal].name);
	if (v == VERDICT_ABOVE)
		above(w);
	else if (v == VERDICT_BELOW)
		below(w, ideal);
	else
		flow_piece(&w->f, ROLE_FINE, "right: its target fits, and no deeper one's");
}

void words_period(const struct session *s, int r, int cpu, size_t i, struct canvas *c, struct area a)
{
	const struct timeline *tl = &s->run[r]->tl;
	struct words w = {.s = s, .cpu = cpu, .i = i, .p = &tl->cpu[cpu].period[i],
		.t = tl->cpu[cpu].table, .tl = tl};

	flow_init(&w.f, c, a);
	if (a.h > 1) {
		when(&w);
		who(&w);
		flow_line(&w.f);
	}
	if (a.h > 2) {
		chosen(&w);
		flow_line(&w.f);
	}
	verdict(&w);
}
