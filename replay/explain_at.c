// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/replay.h"

#include <assert.h>

struct explain_job {
	struct explain *x;
	struct gov_choice *choice;
	const struct gov_spec *spec;
	size_t index;
};

static bool see(void *ctx, const struct watched *w)
{
	struct explain_job *j = ctx;

	if (w->index != j->index)
		return true;
	*j->choice = w->choice;
	if (j->spec->gov->explain)
		j->spec->gov->explain(w->memory, &w->in, &w->choice, j->x);
	return false;
}

int replay_explain(struct explain *x, struct gov_choice *choice, const struct decisions *d,
	const struct machine *m, const struct gov_spec *spec, int cpu, size_t index,
	struct error *err)
{
	struct replay_options opt = {.limit_ns = -1, .threads = 1};
	struct explain_job j = {.x = x, .choice = choice, .spec = spec, .index = index};

	assert(index < d->cpu[cpu].n && !(d->cpu[cpu].d[index].flags & DEC_FORCED));
	replay_watch(d, m, spec, &opt, cpu, see, &j);
	return governor_failure(spec, err);
}
