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
	flow_pair(&w->f, "at", ROLE_TEXT, "%s",
		words_time(from, sizeof(from), w->p->enter_ns - w->s->trace->origin_ns, 9));
	flow_pair(&w->f, "for", ROLE_HEADING, "%s", len(w, length, length_of(w)));
}

static void woken_by(struct words *w)
{
	const struct trace *t = w->s->trace;
	int64_t at;
	int waker;

	if (w->p->flags & PERIOD_CUT_END) {
		flow_piece(&w->f, ROLE_HOLE, "still idle at the end");
		return;
	}
	flow_pair(&w->f, "woken by", ROLE_TEXT, "%s%s%.32s", wake_kind_name((enum wake_kind)w->p->wake),
		w->p->wake_name ? " " : "", trace_name(t, w->p->wake_name));
	waker = words_waker(t, w->cpu, w->p, &at);
	if (waker >= 0)
		flow_join(&w->f, ROLE_DIM, " on cpu%d", waker);
}

static void after(struct words *w)
{
	const char *before = words_before(w->s->trace, w->cpu, w->p->enter_ns);

	if (*before)
		flow_pair(&w->f, "after", ROLE_TEXT, "%.16s", before);
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
	flow_pair(&w->f, "next timer", ROLE_TEXT, "%s%s", how_known(d, IN_SLEEP),
		d->sleep_ns > FAR_NS ? "none" : len(w, buf, d->sleep_ns));
	if (d->flags & DEC_TICK_STOPPED)
		flow_pair(&w->f, "tick", ROLE_TEXT, "%sstopped", how_known(d, IN_TICK_STOPPED));
	else
		flow_pair(&w->f, "tick", ROLE_TEXT, "%sin %s", how_known(d, IN_TICK_DELTA),
			len(w, buf, d->tick_delta_ns));
	flow_pair(&w->f, "limit", ROLE_TEXT, "%s", d->limit_ns >= LATENCY_ANY ? "none" : len(w, buf, d->limit_ns));
}

static void chosen(struct words *w)
{
	const struct idle_state *st = &w->t->state[w->p->state];
	char target[BUF], latency[BUF];

	flow_piece(&w->f, ROLE_DIM, "chosen ");
	flow_join(&w->f, theme_state(w->p->state), " %d", w->p->state);
	flow_join(&w->f, ROLE_HEADING, " %s", st->name);
	if (w->p->entered != w->p->state)
		flow_piece(&w->f, ROLE_NOTE, "but entered %d %s", w->p->entered,
			w->t->state[w->p->entered].name);
	if (w->s->machine->source != MACHINE_GUESSED)
		flow_piece(&w->f, ROLE_TEXT, "target %s, exit %s",
			len(w, target, st->target_residency_ns), len(w, latency, st->exit_latency_ns));
	inputs(w);
}

/*
 * The verdict; where the kernel recorded its own (cpu_idle_miss) and it is another one, that too: its clock
 * and the length in the recording differ by what the events take.
 */
static void verdict_word(struct words *w, enum role role, const char *word, enum verdict v)
{
	enum verdict own = w->p->flags & PERIOD_MISS_ABOVE   ? VERDICT_ABOVE
			   : w->p->flags & PERIOD_MISS_BELOW ? VERDICT_BELOW
							     : VERDICT_OK;

	flow_piece(&w->f, role, "%s", word);
	if (own != v && !(w->p->flags & PERIOD_JUDGED) && (w->s->trace->present & EV_BIT(EV_MISS)))
		flow_join(&w->f, ROLE_NOTE, " (the kernel: %s)",
			own == VERDICT_ABOVE ? "above" : own == VERDICT_BELOW ? "below" : "right");
	flow_join(&w->f, role, ":");
}

static void above(struct words *w)
{
	char buf[BUF], length[BUF];
	int64_t cost = timeline_cost(w->tl, w->cpu, w->i);

	verdict_word(w, ROLE_ABOVE, "ABOVE", VERDICT_ABOVE);
	if (cost)
		flow_join(&w->f, ROLE_TEXT, " too deep, %s short of its target;", len(w, buf, cost));
	else
		flow_join(&w->f, ROLE_TEXT, " too deep, by a hair;");
	flow_join(&w->f, ROLE_TEXT, " %s of exit for %s of sleep",
		len(w, buf, w->t->state[w->p->entered].exit_latency_ns), len(w, length, length_of(w)));
}

static void below(struct words *w, int ideal, enum verdict_reason why)
{
	int64_t cost = timeline_cost(w->tl, w->cpu, w->i);
	char buf[BUF];

	verdict_word(w, ROLE_BELOW, "BELOW", VERDICT_BELOW);
	if (cost)
		flow_join(&w->f, ROLE_TEXT, " too shallow, by %s:", len(w, buf, cost));
	else
		flow_join(&w->f, ROLE_TEXT, " too shallow, by a hair:");
	flow_join(&w->f, ROLE_TEXT, " %s pays off from %s on", w->t->state[ideal].name,
		len(w, buf, w->t->state[ideal].target_residency_ns));
	if (why == REASON_LIMIT)
		flow_join(&w->f, ROLE_TEXT, "; the latency limit ruled it out");
}

/* the kernel takes the exit latency off before it asks for a deeper state, and looks at the next one only */
static void right(struct words *w, int ideal, enum verdict_reason why)
{
	const struct idle_state *own = &w->t->state[w->p->entered];
	char exit[BUF], target[BUF];

	len(w, exit, own->exit_latency_ns);
	len(w, target, w->t->state[ideal].target_residency_ns);
	verdict_word(w, ROLE_FINE, "right", VERDICT_OK);
	switch (why) {
	case REASON_DEEPEST:
		flow_join(&w->f, ROLE_FINE, " its target fits, and there is none deeper");
		break;
	case REASON_SHALLOWEST:
		flow_join(&w->f, ROLE_FINE, " short of its target, but there is none shallower");
		break;
	case REASON_EXIT_TIME:
		flow_join(&w->f, ROLE_FINE, " less %s of exit", exit);
		if (w->tl->event_cost_ns)
			flow_join(&w->f, ROLE_FINE, " and %s of tracing", len(w, exit, w->tl->event_cost_ns));
		flow_join(&w->f, ROLE_FINE, ", the sleep misses the %s of %s", target, w->t->state[ideal].name);
		break;
	case REASON_OWN_EXIT:
		flow_join(&w->f, ROLE_FINE, " counted so, being no longer than its exit of %s", exit);
		break;
	case REASON_NEXT_DEEPER:
		flow_join(&w->f, ROLE_FINE, " the next deeper does not fit; %s is not looked at",
			w->t->state[ideal].name);
		break;
	case REASON_DISABLED:
		flow_join(&w->f, ROLE_FINE, " its target fits (the table has it disabled)");
		break;
	default:
		flow_join(&w->f, ROLE_FINE, " its target fits, and no deeper one's");
	}
}

static const char *no_verdict(const struct words *w)
{
	if (w->s->machine->source == MACHINE_GUESSED)
		return "no verdict: the state table is not known (--states FILE or -t TABLE)";
	if (w->p->flags & PERIOD_FORCED)
		return "forced: no governor was asked (idle injection, s2idle, polling)";
	return "no verdict: it had not ended when the recording did";
}

static void ideal_state(struct words *w, int ideal)
{
	flow_piece(&w->f, ROLE_DIM, "ideal  ");
	flow_join(&w->f, theme_state(ideal), " %d", ideal);
	flow_join(&w->f, ROLE_HEADING, " %s", w->t->state[ideal].name);
}

/* the reason of a verdict, and the ideal state that goes with it */
static enum verdict_reason reason_of(const struct words *w, enum verdict v, int *ideal)
{
	const struct decision *d = w->tl == &w->s->run[0]->tl ? session_decision(w->s, w->cpu, w->i) : NULL;

	return machine_reason(w->t, w->p->entered, v, max64(length_of(w) - w->tl->event_cost_ns, 0),
		d ? d->limit_ns : LATENCY_ANY, ideal);
}

static void verdict(struct words *w)
{
	enum verdict v = timeline_verdict(w->tl, w->cpu, w->i);
	enum verdict_reason why;
	int ideal;

	if (w->s->machine->source == MACHINE_GUESSED || v == VERDICT_NONE) {
		flow_piece(&w->f, ROLE_NOTE, "%s", no_verdict(w));
		return;
	}
	why = reason_of(w, v, &ideal);
	ideal_state(w, v == VERDICT_OK ? w->p->entered : ideal);
	if (v == VERDICT_ABOVE)
		above(w);
	else if (v == VERDICT_BELOW)
		below(w, ideal, why);
	else
		right(w, ideal, why);
}

static struct words words_of(const struct session *s, int r, int cpu, size_t i)
{
	const struct timeline *tl = &s->run[r]->tl;

	return (struct words){.s = s, .cpu = cpu, .i = i, .p = &tl->cpu[cpu].period[i],
		.t = tl->cpu[cpu].table, .tl = tl};
}

int words_ideal(const struct session *s, int r, int cpu, size_t i)
{
	struct words w = words_of(s, r, cpu, i);
	enum verdict v = timeline_verdict(w.tl, cpu, i);
	int ideal;

	if (s->machine->source == MACHINE_GUESSED || v == VERDICT_NONE)
		return -1;
	reason_of(&w, v, &ideal);
	return v == VERDICT_OK ? w.p->entered : ideal;
}

/* two lines, or one: what was chosen for how long, and whether that was right; the rest where there is room */
static void brief(struct words *w, struct canvas *c, struct area a)
{
	enum verdict v = timeline_verdict(w->tl, w->cpu, w->i);
	bool judged = v != VERDICT_NONE && w->s->machine->source != MACHINE_GUESSED;
	int64_t cost = timeline_cost(w->tl, w->cpu, w->i);
	char buf[BUF];

	flow_init(&w->f, c, (struct area){a.x, a.y, a.w, 1});
	flow_piece(&w->f, ROLE_LABEL, "cpu%d", w->cpu);
	flow_join(&w->f, theme_state(w->p->state), " %d", w->p->state);
	flow_join(&w->f, ROLE_HEADING, " %s", w->t->state[w->p->state].name);
	flow_join(&w->f, ROLE_HEADING, " %s", len(w, buf, length_of(w)));
	if (a.h > 1) {
		woken_by(w);
		after(w);
		flow_init(&w->f, c, (struct area){a.x, a.y + 1, a.w, 1});
	}
	if (!judged) {
		flow_piece(&w->f, ROLE_NOTE, "%s", a.w < 60 ? "no verdict" : no_verdict(w));
		return;
	}
	flow_piece(&w->f, v == VERDICT_ABOVE ? ROLE_ABOVE : v == VERDICT_BELOW ? ROLE_BELOW : ROLE_FINE, "%s",
		v == VERDICT_ABOVE ? "ABOVE" : v == VERDICT_BELOW ? "BELOW" : "right");
	if (v != VERDICT_OK) {
		int ideal;

		reason_of(w, v, &ideal);
		flow_join(&w->f, ROLE_TEXT, v == VERDICT_ABOVE ? " %s short" : " by %s", len(w, buf, cost));
		flow_piece(&w->f, ROLE_DIM, "ideal");
		flow_join(&w->f, theme_state(ideal), " %d", ideal);
		flow_join(&w->f, ROLE_HEADING, " %s", w->t->state[ideal].name);
	}
	if (a.h > 1)
		inputs(w);
}

void words_period(const struct session *s, int r, int cpu, size_t i, struct canvas *c, struct area a)
{
	struct words w = words_of(s, r, cpu, i);

	if (a.h < 3) {
		brief(&w, c, a);
		return;
	}
	flow_init(&w.f, c, a);
	when(&w);
	after(&w);
	woken_by(&w);
	flow_line(&w.f);
	chosen(&w);
	flow_line(&w.f);
	verdict(&w);
}
