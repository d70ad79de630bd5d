// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the kernel's monotonic clock lies on the clock of the recording. Expiries carry the time that
 * the timer code read, and the record's own stamp is a little later; the least difference is the offset.
 */
#include "replay/backfill.h"
#include "src/stats.h"

#include <stdlib.h>

#define SAMPLES_MAX 20000
#define SAME_CLOCK_NS 1000000 /* delays are shorter, other clocks start at another time */

int64_t clock_offset(const struct trace *t)
{
	int64_t *v = xcalloc(SAMPLES_MAX, sizeof(*v)), offset = 0;
	size_t n = 0;

	for (int cpu = 0; cpu < t->ncpus; cpu++)
		for (size_t i = 0; i < t->cpu[cpu].nevs && n < SAMPLES_MAX; i++) {
			const struct event *e = &t->cpu[cpu].ev[i];

			if (e->kind == EV_HRTIMER_EXPIRE && e->a < REALTIME_NS)
				v[n++] = e->at_ns - e->a;
		}
	stats_sort(v, n);
	/* a few timers are on clocks of their own; a low percentile passes them over */
	if (n)
		offset = v[n / 20];
	free(v);
	return llabs(offset) < SAME_CLOCK_NS ? 0 : offset;
}
