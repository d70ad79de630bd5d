// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/tally.h"
#include "views/beliefs.h"

#include <stdlib.h>
#include <string.h>

#define SLICE 60000
#define FINE_SUB (1 << TALLY_FINE_BITS)
#define FINE_SIDE ((size_t)(64 - TALLY_FINE_BITS) * FINE_SUB)
#define FINE_MAX (2 * FINE_SIDE)

static int log2_of(uint64_t v)
{
	return 63 - __builtin_clzll(v | 1);
}

int tally_bucket_of(int64_t ns)
{
	int64_t us = (ns < 0 ? -ns : ns) / NSEC_PER_USEC;
	int k = us ? log2_of((uint64_t)us) + 1 : 0;

	k = k < TALLY_SIDE ? k : TALLY_SIDE - 1;
	return ns < 0 ? TALLY_SIDE - 1 - k : TALLY_SIDE + k;
}

int64_t tally_edge(int bucket)
{
	int k = bucket - TALLY_SIDE;

	if (k < 0)
		return -(NSEC_PER_USEC << (-k - 1));
	return k ? NSEC_PER_USEC << (k - 1) : 0;
}

/* values below 1024 ns have a sub-bucket each; above, the top ten bits choose it */
static size_t fine_of(int64_t ns)
{
	uint64_t v = (uint64_t)(ns < 0 ? -ns : ns);
	int shift = log2_of(v) - TALLY_FINE_BITS;
	size_t i = (size_t)v;

	if (shift >= 0)
		i = (size_t)(shift + 1) * FINE_SUB + (size_t)((v >> shift) & (FINE_SUB - 1));
	return ns < 0 ? FINE_SIDE - 1 - i : FINE_SIDE + i;
}

static int64_t fine_value(size_t at)
{
	bool negative = at < FINE_SIDE;
	size_t i = negative ? FINE_SIDE - 1 - at : at - FINE_SIDE, shift = i / FINE_SUB;
	int64_t v = shift ? (int64_t)((FINE_SUB | (i % FINE_SUB)) << (shift - 1)) : (int64_t)i;

	return negative ? -v : v;
}

void tally_start(struct tally *t, int run, enum tally_quantity quantity, int only_cpu,
	const struct expr *filter)
{
	uint64_t *fine = t->fine;

	if (!fine)
		fine = xcalloc(FINE_MAX, sizeof(*fine));
	memset(fine, 0, FINE_MAX * sizeof(*fine));
	*t = (struct tally){.run = run, .quantity = quantity, .only_cpu = only_cpu, .filter = filter,
		.fine = fine, .min_ns = INT64_MAX, .max_ns = INT64_MIN, .cpu = only_cpu < 0 ? 0 : only_cpu};
}

void tally_free(struct tally *t)
{
	free(t->fine);
	t->fine = NULL;
}

/* of the decision that led to the period; false where it is not known */
static bool value_of_decision(const struct tally *t, const struct session *s, size_t i, int64_t length,
	int64_t *out)
{
	const struct decision *d = t->run == 0 ? session_decision(s, t->cpu, i) : NULL;

	if (!d)
		return false;
	if (t->quantity == TALLY_TIMER || t->quantity == TALLY_EARLY) {
		*out = t->quantity == TALLY_TIMER ? d->sleep_ns : d->sleep_ns - length;
		return *out >= 0;
	}
	*out = beliefs_get(s, t->cpu, (size_t)(d - s->decisions->cpu[t->cpu].d));
	if (*out < 0)
		return false;
	if (t->quantity == TALLY_ERROR)
		*out -= length;
	return true;
}

static bool value_of(const struct tally *t, const struct session *s, size_t i, const struct period *p,
	int64_t *out)
{
	*out = p->exit_ns - p->enter_ns;
	switch (t->quantity) {
	case TALLY_LENGTH:
		return true;
	case TALLY_COST:
		*out = timeline_cost(&s->run[t->run]->tl, t->cpu, i);
		return *out > 0;
	case TALLY_LATENCY:
		*out = p->delay_ns;
		return p->delay_ns > 0;
	default:
		return value_of_decision(t, s, i, *out, out);
	}
}

static void add(struct tally *t, const struct session *s, size_t i, const struct period *p)
{
	enum verdict v = timeline_verdict(&s->run[t->run]->tl, t->cpu, i);
	struct tally_bucket *b;
	int64_t value;

	if (!value_of(t, s, i, p, &value))
		return;
	b = &t->bucket[tally_bucket_of(value)];
	b->n++;
	b->time_ns += p->exit_ns - p->enter_ns;
	b->above += v == VERDICT_ABOVE;
	b->below += v == VERDICT_BELOW;
	b->by_state[p->state]++;
	b->by_wake[p->wake < WAKE_KINDS ? p->wake : WAKE_UNKNOWN]++;
	t->n++;
	t->time_ns += p->exit_ns - p->enter_ns;
	t->min_ns = min64(t->min_ns, value);
	t->max_ns = max64(t->max_ns, value);
	t->fine[fine_of(value)]++;
}

static bool wanted(const struct tally *t, const struct run *r, const struct period *p)
{
	struct period_ref ref = {r, t->cpu, p};

	return !(p->flags & PERIOD_CUT_END) && (!t->filter || expr_holds(t->filter, period_read, &ref));
}

bool tally_work(struct tally *t, const struct session *s)
{
	const struct run *r;
	int last = t->only_cpu < 0 ? s->trace->ncpus - 1 : t->only_cpu;

	if (t->done || !session_ready(s, t->run))
		return false;
	r = session_get(s, t->run);
	if (last >= r->ncpus) { /* a CPU that another recording does not have */
		t->done = true;
		return true;
	}
	for (int k = 0; k < SLICE && t->cpu <= last; k++) {
		if (t->i >= r->cpu[t->cpu].nperiods) {
			t->cpu++;
			t->i = 0;
			continue;
		}
		if (wanted(t, r, &r->cpu[t->cpu].period[t->i]))
			add(t, s, t->i, &r->cpu[t->cpu].period[t->i]);
		t->i++;
	}
	t->done = t->cpu > last;
	return true;
}

int64_t tally_percentile(const struct tally *t, double p)
{
	uint64_t want = (uint64_t)(p * (double)(t->n ? t->n - 1 : 0)), seen = 0;

	for (size_t i = 0; t->n && i < FINE_MAX; i++) {
		seen += t->fine[i];
		if (seen > want)
			return max64(min64(fine_value(i), t->max_ns), t->min_ns);
	}
	return 0;
}

void tally_add(struct tally_bucket *to, const struct tally_bucket *from)
{
	to->n += from->n;
	to->above += from->above;
	to->below += from->below;
	to->time_ns += from->time_ns;
	for (int i = 0; i < STATES_MAX; i++)
		to->by_state[i] += from->by_state[i];
	for (int i = 0; i < WAKE_KINDS; i++)
		to->by_wake[i] += from->by_wake[i];
}

const char *tally_name(enum tally_quantity q)
{
	static const char *const names[] = {"idle length", "predicted length", "prediction error",
		"wake latency", "next timer", "woken before the timer by", "cost of misses"};

	return names[q];
}

const char *tally_word(enum tally_quantity q)
{
	static const char *const words[] = {"length", "predicted", "error", "latency", "timer", "early", "cost"};

	return words[q];
}

bool tally_is_length(enum tally_quantity q)
{
	return q == TALLY_LENGTH || q == TALLY_PREDICTED || q == TALLY_TIMER;
}
