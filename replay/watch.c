// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/pupil.h"
#include "replay/replay.h"

void replay_watch(const struct decisions *d, const struct machine *m, const struct gov_spec *spec,
	const struct replay_options *opt, int cpu, bool (*see)(void *ctx, const struct watched *w),
	void *ctx)
{
	const struct decisions_cpu *c = &d->cpu[cpu];
	const struct state_table *t = machine_table(m, cpu);
	struct gov_machine gm = {.table = t, .hz = d->hz, .tick_ns = tick_ns(d->hz), .cpu = cpu};
	uint32_t disabled = feed_disabled(t);
	bool more = true;
	struct pupil p;

	pupil_init(&p, spec, &gm);
	for (size_t i = 0; i < c->n && more; i++) {
		struct watched w = {.index = i, .d = &c->d[i], .memory = p.now};
		struct gov_outcome out;

		if (w.d->flags & DEC_FORCED)
			continue;
		w.in = feed_input(w.d, disabled, opt->limit_ns);
		w.choice = pupil_select(&p, &w.in, feed_true_length(w.d));
		more = see(ctx, &w);
		if (w.d->flags & DEC_NO_OUTCOME)
			continue;
		out = feed_outcome(w.d, w.d->residency_ns, t->nstates);
		pupil_reflect(&p, &out);
	}
	pupil_free(&p);
}
