// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/beliefs.h"
#include "replay/each_cpu.h"

#include <stdlib.h>
#include <string.h>

/* why there can be none; NULL: there can */
static const char *impossible(const struct session *s)
{
	if (!s->decisions || !s->sojourns)
		return "the recording has no decisions";
	if (s->sojourns->alone)
		return "idle events alone: what the governor was given is not in them";
	if (!s->recorded)
		return "the recorded governor is not known";
	if (!s->recorded->gov->predicted)
		return "the recorded governor predicts no length";
	return NULL;
}

void beliefs_want(struct session *s)
{
	struct session_beliefs *b = &s->beliefs;
	const char *why;

	if (b->status != RUN_IDLE || !s->trace || s->loading || s->partial)
		return;
	why = impossible(s);
	b->status = why ? RUN_FAILED : RUN_QUEUED;
	copy_text(b->why, sizeof(b->why), why ? why : "");
}

struct learner {
	const struct session *s;
	struct session_beliefs *b;
};

struct pupil_of_cpu {
	const struct session *s;
	int64_t *ns;
};

static bool note(void *ctx, const struct watched *w)
{
	struct pupil_of_cpu *p = ctx;

	p->ns[w->index] = p->s->recorded->gov->predicted(w->memory, &w->in, &w->choice);
	return true;
}

static void learn_cpu(void *ctx, int cpu)
{
	struct learner *l = ctx;
	const struct decisions *d = l->s->decisions;
	struct replay_options opt = {.limit_ns = -1, .threads = 1};
	struct pupil_of_cpu p = {l->s, xcalloc(d->cpu[cpu].n + 1, sizeof(*p.ns))};

	for (size_t i = 0; i < d->cpu[cpu].n; i++)
		p.ns[i] = GOV_NO_LENGTH; /* forced ones are not asked */
	replay_watch(d, l->s->machine, l->s->recorded, &opt, cpu, note, &p);
	l->b->ns[cpu] = p.ns;
}

static void free_lengths(struct session_beliefs *b, int ncpus)
{
	for (int i = 0; b->ns && i < ncpus; i++)
		free(b->ns[i]);
	free(b->ns);
	b->ns = NULL;
}

bool beliefs_work(const struct session *s, struct session_beliefs *b, bool (*progress)(void *, double),
	void *ctx)
{
	struct learner l = {s, b};
	int ncpus = s->decisions->ncpus;

	b->ns = xcalloc((size_t)ncpus + 1, sizeof(*b->ns));
	return each_cpu(ncpus, s->threads, learn_cpu, &l, progress, ctx);
}

void beliefs_made(struct session *s, bool ok)
{
	s->beliefs.status = ok ? RUN_READY : RUN_FAILED;
	if (ok)
		return;
	free_lengths(&s->beliefs, s->decisions->ncpus);
	copy_text(s->beliefs.why, sizeof(s->beliefs.why), "stopped");
}

int64_t beliefs_get(const struct session *s, int cpu, size_t i)
{
	return s->beliefs.status == RUN_READY ? s->beliefs.ns[cpu][i] : GOV_NO_LENGTH;
}

bool beliefs_error(int64_t predicted, const struct period *p, int64_t *out)
{
	if (predicted < 0 || !p || (p->flags & PERIOD_CUT_END))
		return false;
	*out = predicted - (p->exit_ns - p->enter_ns);
	return true;
}

void beliefs_free(struct session *s)
{
	free_lengths(&s->beliefs, s->decisions ? s->decisions->ncpus : 0);
	s->beliefs = (struct session_beliefs){0};
}
