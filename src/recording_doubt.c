// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks in I/O wait and utilization are in no event: a governor that asks for them is replayed with none,
 * and again with all that may have been.
 */
#include "src/recording_whatif.h"

#include <math.h>

static void compare(struct doubt *d, const struct run *none, const struct run *all, int64_t span_ns)
{
	uint64_t periods = 0, moved = 0;
	double span = (double)span_ns * none->ncpus;

	for (int s = 0; s < STATES_MAX; s++) {
		const struct state_sum *a = &none->total[s], *b = &all->total[s];

		periods += a->usage;
		moved += a->usage > b->usage ? a->usage - b->usage : b->usage - a->usage;
		if (span > 0)
			d->time = fmax(d->time, fabs((double)(a->time_ns - b->time_ns)) / span);
	}
	d->usage = periods ? (double)moved / 2 / (double)periods : 0;
}

int whatif_doubt(struct whatif *w, size_t i, const struct replay_options *opt, struct error *err)
{
	struct doubt *d = &w->doubt[i];
	struct replay_options all = *opt;
	struct run again;

	*d = (struct doubt){0};
	for (int c = 0; c < w->run[i].ncpus; c++) {
		const struct run_cpu *cpu = &w->run[i].cpu[c];

		d->asked |= cpu->read & (GOV_READ_IOWAIT | GOV_READ_UTIL);
		d->utilization |= cpu->read & GOV_READ_UTIL;
		d->doubtful += cpu->doubtful;
		d->otherwise += cpu->undetermined;
		d->decisions += cpu->decisions;
	}
	if (!d->doubtful)
		return 0;
	all.busiest = all.summary = true;
	if (replay_free(&again, &w->sojourns, &w->s.rec.run0, &w->spec[i - 1], &all, err))
		return -1;
	compare(d, &w->run[i], &again, w->s.span_ns);
	run_free(&again);
	return 0;
}

void doubt_lines(const struct header *h, const struct whatif *w)
{
	for (size_t i = 1; i < w->nruns && !w->sojourns.alone; i++) {
		const struct doubt *d = &w->doubt[i];

		if (!d->doubtful) /* where the events leave no doubt there is nothing to say */
			continue;
		header_line(h, d->utilization ? "utilization" : "I/O wait",
			"%s asks for it and no event says it: with %s, which %llu of %llu decisions look "
			"at, %llu choices turn; time per state moves by up to %.3f %% of the span, usage by "
			"%.2f %%", w->spec[i - 1].label,
			d->utilization ? "every CPU utilized" : "all tasks counted that may have waited",
			(unsigned long long)d->doubtful, (unsigned long long)d->decisions,
			(unsigned long long)d->otherwise, 100 * d->time, 100 * d->usage);
	}
}

json_t *json_doubt(const struct doubt *d)
{
	if (!d->asked)
		return json_null();
	return json_pack("{s:I, s:I, s:f, s:f}", "decisions", (json_int_t)d->doubtful, "otherwise",
		(json_int_t)d->otherwise, "time_error", d->time, "usage_error", d->usage);
}
