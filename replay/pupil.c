// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/pupil.h"

#include <stdlib.h>
#include <string.h>

static size_t size_of(const struct pupil *l)
{
	return l->spec->gov->cpu_size;
}

void pupil_init(struct pupil *l, const struct gov_spec *spec, const struct gov_machine *m)
{
	*l = (struct pupil){.spec = spec};
	l->now = xcalloc(1, size_of(l) + 1);
	l->before = xcalloc(1, size_of(l) + 1);
	l->held = xcalloc(1, size_of(l) + 1);
	l->scratch = xcalloc(1, size_of(l) + 1);
	spec->gov->init(l->now, m, spec);
}

void pupil_restart(struct pupil *l, const struct gov_machine *m)
{
	memset(l->now, 0, size_of(l));
	l->spec->gov->init(l->now, m, l->spec);
	l->have_last = false;
}

void pupil_free(struct pupil *l)
{
	free(l->now);
	free(l->before);
	free(l->held);
	free(l->scratch);
}

bool pupil_same(const struct pupil *a, const struct pupil *b)
{
	return !memcmp(a->now, b->now, size_of(a));
}

struct gov_choice pupil_select(struct pupil *l, const struct gov_input *in, int64_t true_length_ns)
{
	memcpy(l->held, l->now, size_of(l));
	return l->spec->gov->select(l->now, in, l->spec->gov->sees_future ? true_length_ns : -1);
}

void pupil_reflect(struct pupil *l, const struct gov_outcome *out)
{
	memcpy(l->before, l->now, size_of(l));
	l->last = *out;
	l->have_last = true;
	l->spec->gov->reflect(l->now, out);
}

struct gov_choice pupil_ask(struct pupil *l, const struct gov_input *in)
{
	memcpy(l->scratch, l->held, size_of(l));
	return l->spec->gov->select(l->scratch, in, -1);
}

struct gov_choice pupil_redo(struct pupil *l, const struct gov_outcome *out,
	const struct gov_input *in)
{
	memcpy(l->scratch, l->before, size_of(l));
	l->spec->gov->reflect(l->scratch, out);
	return l->spec->gov->select(l->scratch, in, -1);
}

struct gov_choice pupil_ask_after_abort(struct pupil *l, const struct gov_input *in)
{
	struct gov_outcome none = {.entered = -1, .now_ns = in->now_ns};

	memcpy(l->scratch, l->held, size_of(l));
	l->spec->gov->select(l->scratch, in, -1);
	l->spec->gov->reflect(l->scratch, &none);
	return l->spec->gov->select(l->scratch, in, -1);
}
