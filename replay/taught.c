// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Taught mode: the governor's memory is fed with what was recorded, so that differences do not pile up.
 * Beside the best guess of each residency run two more memories, taught with its bounds; a decision in
 * which any reading of the inputs would choose otherwise is undetermined.
 */
#include "replay/replay.h"

#include <math.h>
#include <stdlib.h>

#include "replay/causes.h"
#include "replay/each_cpu.h"
#include "replay/pupil.h"

/*
 * BEST starts with a fresh memory; EXPERIENCED has lived through the beginning of this recording before,
 * OTHER through its end, HURRIED through nothing but early wake-ups. All are possible at the start of a
 * recording; once a memory is the same as that of BEST, its past no longer matters. The last two only
 * serve to tell whether the past explains a difference.
 */
enum { BEST, EXPERIENCED, LONGEST, SHORTEST, OTHER, HURRIED, READINGS };

static inline bool only_explains(int reading)
{
	return reading == OTHER || reading == HURRIED;
}

#define LIVED_BEFORE 1000 /* decisions in a former life */

struct taught {
	const struct decisions *d;
	const struct machine *m;
	const struct gov_spec *spec;
	const struct replay_options *opt;
	struct taught_choice **choice;
	struct verify_result *part; /* [ncpus] */
};

struct taught_cpu {
	const struct taught *all;
	const struct state_table *table;
	struct gov_machine machine;
	struct pupil pupil[READINGS];
	bool used[READINGS]; /* the bounds only where a residency is not exact */
	uint32_t disabled;
	int cold;	/* decisions still to be left out */
	int last_state; /* of the last idle period, -1 none */
	const struct decision *before;
	int other_state[READINGS - OTHER]; /* what OTHER and HURRIED chose last */
	struct verify_result *sum;
	int cpu;
};

static int64_t residency(const struct decisions *ds, const struct decision *d, int reading)
{
	int64_t len = d->exit_ns - d->enter_ns;

	if (reading == BEST || decision_prov(d, IN_RESIDENCY) == PROV_EXACT)
		return d->residency_ns;
	return max64(len - (reading == LONGEST ? ds->event_cost_lo_ns : ds->event_cost_hi_ns), 1);
}

static bool residencies_exact(const struct decisions_cpu *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (decision_prov(&c->d[i], IN_RESIDENCY) != PROV_EXACT)
			return false;
	return true;
}

static bool differs(struct pupil *p, const struct gov_input *in, int state)
{
	return pupil_ask(p, in).state != state;
}

/* nothing is known of timers and tick: every corner of what is possible is asked */
static bool corners_matter(struct pupil *p, const struct decision *d, struct gov_input in, int state,
	int64_t tick)
{
	for (int corner = 0; corner < 8; corner++) {
		in.sleep_ns = corner & 1 ? d->sleep_alt_ns : d->sleep_ns;
		/* nor did a tick come due before the end */
		in.tick_delta_ns = min64(tick, corner & 2 ? in.sleep_ns : d->sleep_ns);
		in.tick_stopped = corner & 4;
		if (differs(p, &in, state))
			return true;
	}
	return false;
}

/* would another reading of this decision's own inputs choose another state */
static bool input_matters(struct pupil *p, const struct decision *d, struct gov_input in, int state,
	unsigned read, int64_t tick)
{
	if (decision_prov(d, IN_TICK_DELTA) == PROV_GUESSED)
		return corners_matter(p, d, in, state, tick);
	if ((read & GOV_READ_SLEEP) && d->sleep_alt_ns != d->sleep_ns) {
		in.sleep_ns = d->sleep_alt_ns;
		if (differs(p, &in, state))
			return true;
		in.sleep_ns = d->sleep_ns;
	}
	if ((read & GOV_READ_IOWAIT) && d->iowait_max) {
		in.iowait = d->iowait_max;
		if (differs(p, &in, state))
			return true;
		in.iowait = 0;
	}
	in.utilized = true;
	return (read & GOV_READ_UTIL) && differs(p, &in, state);
}

static void choose(struct taught_cpu *c, const struct decision *d, const struct gov_input *in,
	struct taught_choice *out)
{
	int64_t length = feed_true_length(d);
	struct gov_choice best = pupil_select(&c->pupil[BEST], in, length);

	*out = (struct taught_choice){.state = (int8_t)best.state, .stop_tick = best.stop_tick,
		.warmup = c->cold > 0, .read = (uint8_t)best.read};
	out->undetermined = input_matters(&c->pupil[BEST], d, *in, best.state, best.read,
		tick_ns(c->all->d->hz));
	for (int i = 1; i < READINGS; i++) {
		int state = c->used[i] ? pupil_select(&c->pupil[i], in, length).state : best.state;

		if (only_explains(i))
			c->other_state[i - OTHER] = state;
		else if (state != best.state)
			out->undetermined = true;
	}
}

static void count(struct taught_cpu *c, const struct decision *d, const struct taught_choice *t)
{
	struct verify_result *s = c->sum;
	bool agree = d->chosen == t->state;

	if (t->warmup) {
		s->warmup++;
		return;
	}
	if (t->undetermined) {
		s->undetermined++;
		return;
	}
	s->compared++;
	s->agree += agree;
	if (d->chosen >= 0 && d->chosen < STATES_MAX && t->state >= 0 && t->state < STATES_MAX)
		s->matrix[d->chosen][t->state]++;
	if (c->last_state >= 0) {
		s->naive_compared++;
		s->naive_agree += c->last_state == d->chosen;
	}
	if (c->all->d->reads_known) {
		s->sleep_read_compared++;
		s->sleep_read_agree += ((t->read & GOV_READ_SLEEP) != 0) ==
				       ((d->flags & DEC_SLEEP_READ) != 0);
	}
}

static void forget_if_same(struct taught_cpu *c, int reading)
{
	if (c->used[reading] && pupil_same(&c->pupil[BEST], &c->pupil[reading]))
		c->used[reading] = false;
}

static void teach(struct taught_cpu *c, const struct decision *d)
{
	for (int i = 0; i < READINGS; i++) {
		struct gov_outcome out = feed_outcome(
			d, residency(c->all->d, d, i), c->table->nstates);

		if (c->used[i])
			pupil_reflect(&c->pupil[i], &out);
	}
	forget_if_same(c, EXPERIENCED);
	forget_if_same(c, OTHER);
	forget_if_same(c, HURRIED);
}

static void give_experience(struct taught_cpu *c, int reading, const struct decisions_cpu *ds,
	size_t first)
{
	for (size_t i = first; i < ds->n && i < first + LIVED_BEFORE; i++) {
		const struct decision *d = &ds->d[i];
		struct gov_input in = feed_input(d, c->disabled, c->all->opt->limit_ns);
		struct gov_outcome out = feed_outcome(d, d->residency_ns, c->table->nstates);

		if (d->flags & (DEC_FORCED | DEC_NO_OUTCOME))
			continue;
		pupil_select(&c->pupil[reading], &in, feed_true_length(d));
		pupil_reflect(&c->pupil[reading], &out);
	}
}

/* timers from 5 us to half a second away, and none of them is reached */
static void hurry(struct taught_cpu *c)
{
	for (int i = 0; i < LIVED_BEFORE; i++) {
		struct decision d = {.sleep_ns = 5000, .limit_ns = LATENCY_ANY, .residency_ns = 500,
			.exit_ns = 1000, .reflect_ns = 1000};
		struct gov_input in;
		struct gov_outcome out;

		for (int k = i % 6; k > 0; k--)
			d.sleep_ns *= 10;
		d.tick_delta_ns = d.sleep_ns;
		in = feed_input(&d, c->disabled, -1);
		d.entered = (int8_t)pupil_select(&c->pupil[HURRIED], &in, d.residency_ns).state;
		out = feed_outcome(&d, d.residency_ns, c->table->nstates);
		pupil_reflect(&c->pupil[HURRIED], &out);
	}
}

static void count_cause(struct taught_cpu *c, const struct decision *d, const struct gov_input *in,
	const struct taught_choice *t)
{
	struct cause_question q = {.decisions = c->all->d, .d = d, .pupil = &c->pupil[BEST],
		.in = *in, .read = t->read, .before = c->before,
		.other_past = c->other_state, .npasts = ARRAY_SIZE(c->other_state)};

	if (!t->warmup && !t->undetermined && d->chosen != t->state)
		c->sum->cause[cause_find(&q)]++;
}

/* inferred decisions have no recorded choice; others may be outside of what was asked for */
static bool counted(const struct taught_cpu *c, const struct decision *d)
{
	const struct replay_options *o = c->all->opt;

	return !(d->flags & DEC_INFERRED) && (!o->counts || o->counts(o->counts_ctx, c->cpu, d));
}

/* one decision: ask, compare, find the cause of a difference, teach */
static void step(struct taught_cpu *c, const struct decision *d, struct taught_choice *t)
{
	struct gov_input in = feed_input(d, c->disabled, c->all->opt->limit_ns);

	if (d->flags & DEC_AFTER_HOLE)
		c->cold = c->all->opt->warmup;
	for (int i = 0; i < READINGS && (d->flags & DEC_RESET); i++)
		pupil_restart(&c->pupil[i], &c->machine);
	choose(c, d, &in, t);
	if (counted(c, d)) {
		count(c, d, t);
		count_cause(c, d, &in, t);
		c->sum->decisions++;
	}
	if (c->cold > 0 && !(d->flags & DEC_INFERRED))
		c->cold--;
	if (!(d->flags & DEC_ABORTED))
		c->last_state = d->entered;
	if (!(d->flags & DEC_NO_OUTCOME))
		teach(c, d);
	c->before = d;
}

static void teach_cpu(void *ctx, int cpu)
{
	struct taught *t = ctx;
	const struct decisions_cpu *ds = &t->d->cpu[cpu];
	struct taught_cpu c = {.all = t, .table = machine_table(t->m, cpu), .last_state = -1,
		.cold = t->opt->warmup, .sum = &t->part[cpu], .cpu = cpu};
	struct taught_choice choice;

	c.machine = (struct gov_machine){.table = c.table, .hz = t->d->hz, .tick_ns = tick_ns(t->d->hz),
		.cpu = cpu};
	if (!ds->n) /* there may be thousands of such CPUs, and a past is long */
		return;
	c.used[BEST] = c.used[EXPERIENCED] = c.used[OTHER] = c.used[HURRIED] = true;
	c.used[LONGEST] = c.used[SHORTEST] = !residencies_exact(ds);
	c.disabled = feed_disabled(c.table);
	for (int i = 0; i < READINGS; i++)
		pupil_init(&c.pupil[i], t->spec, &c.machine);
	give_experience(&c, EXPERIENCED, ds, 0);
	hurry(&c);
	give_experience(&c, OTHER, ds, ds->n > LIVED_BEFORE ? ds->n - LIVED_BEFORE : 0);
	for (size_t i = 0; i < ds->n; i++) {
		if (ds->d[i].flags & DEC_FORCED)
			choice = (struct taught_choice){.state = -1};
		else
			step(&c, &ds->d[i], &choice);
		if (t->choice && t->choice[cpu])
			t->choice[cpu][i] = choice;
	}
	for (int i = 0; i < READINGS; i++)
		pupil_free(&c.pupil[i]);
}

static void add_up(struct verify_result *out, const struct verify_result *p)
{
	out->decisions += p->decisions;
	out->compared += p->compared;
	out->agree += p->agree;
	out->warmup += p->warmup;
	out->undetermined += p->undetermined;
	out->naive_agree += p->naive_agree;
	out->naive_compared += p->naive_compared;
	out->sleep_read_compared += p->sleep_read_compared;
	out->sleep_read_agree += p->sleep_read_agree;
	for (int i = 0; i < STATES_MAX; i++)
		for (int k = 0; k < STATES_MAX; k++)
			out->matrix[i][k] += p->matrix[i][k];
	for (size_t i = 0; i < ARRAY_SIZE(p->cause); i++)
		out->cause[i] += p->cause[i];
}

int replay_taught(struct verify_result *out, const struct decisions *d, const struct machine *m,
	const struct gov_spec *spec, const struct replay_options *opt, struct taught_choice **choice,
	struct error *err)
{
	struct taught t = {.d = d, .m = m, .spec = spec, .opt = opt, .choice = choice};
	uint64_t kept;
	bool done;

	*out = (struct verify_result){0};
	t.part = xcalloc((size_t)d->ncpus + 1, sizeof(*t.part));
	done = each_cpu(d->ncpus, opt->threads, teach_cpu, &t, opt->progress, opt->ctx);
	for (int i = 0; i < d->ncpus; i++)
		add_up(out, &t.part[i]);
	free(t.part);
	if (!done)
		return error_set(err, EXIT_HOLDS, "cancelled");
	if (governor_failure(spec, err))
		return -1;
	kept = out->decisions - out->warmup;
	out->agreement = out->compared ? (double)out->agree / (double)out->compared : NAN;
	out->agreement_all = kept ? (double)out->agree / (double)kept : NAN;
	return 0;
}
