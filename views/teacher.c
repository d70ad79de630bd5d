// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/teacher.h"
#include "replay/feed.h"

#include <string.h>

#define SLICE 50000 /* decisions between two keys */

void teacher_free(struct teacher *t)
{
	if (t->ready)
		pupil_free(&t->pupil);
	t->ready = false;
}

static int begin(struct teacher *t, const struct session *s, const char *text, int cpu, struct error *err)
{
	struct gov_machine gm = {.table = machine_table(s->machine, cpu), .hz = s->decisions->hz,
		.tick_ns = tick_ns(s->decisions->hz), .cpu = cpu};
	int ret;

	teacher_free(t);
	if (*text)
		ret = governor_parse(&t->spec, text, s->kernel, err);
	else
		ret = governor_for_recording(&t->spec, s->machine->governor, s->kernel, err);
	if (ret)
		return -1;
	pupil_init(&t->pupil, &t->spec, &gm);
	copy_text(t->text, sizeof(t->text), text);
	t->ready = true;
	t->cpu = cpu;
	t->next = 0;
	return 0;
}

static void teach(struct teacher *t, const struct session *s, size_t i, bool last,
	struct gov_choice *choice, struct explain *x)
{
	const struct state_table *table = machine_table(s->machine, t->cpu);
	const struct decision *d = &s->decisions->cpu[t->cpu].d[i];
	struct gov_input in = feed_input(d, feed_disabled(table), -1);
	struct gov_outcome out = feed_outcome(d, d->residency_ns, table->nstates);

	if (d->flags & DEC_FORCED)
		return;
	*choice = pupil_select(&t->pupil, &in, feed_true_length(d));
	if (last && t->spec.gov->explain)
		t->spec.gov->explain(t->pupil.now, &in, choice, x);
	if (!(d->flags & DEC_NO_OUTCOME))
		pupil_reflect(&t->pupil, &out);
}

static bool goes_on(const struct teacher *t, const char *text, int cpu, size_t i)
{
	return t->ready && t->cpu == cpu && t->next <= i && !strcmp(t->text, text);
}

bool teacher_reach(struct teacher *t, const struct session *s, const char *text, int cpu, size_t i)
{
	struct gov_choice choice;
	struct error err;

	if (!goes_on(t, text, cpu, i) && begin(t, s, text, cpu, &err))
		return true; /* teacher_ask() says why */
	for (int k = 0; k < SLICE && t->next < i; k++, t->next++)
		teach(t, s, t->next, false, &choice, NULL);
	return t->next == i;
}

int teacher_ask(struct teacher *t, const struct session *s, const char *text, int cpu, size_t i,
	struct gov_choice *choice, struct explain *x, struct error *err)
{
	*choice = (struct gov_choice){.state = -1};
	if (!goes_on(t, text, cpu, i) && begin(t, s, text, cpu, err))
		return -1;
	for (; t->next <= i; t->next++)
		teach(t, s, t->next, t->next == i, choice, x);
	return 0;
}
