// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/each_cpu.h"

#include <pthread.h>
#include <stdatomic.h>

#define THREADS_MAX 64

struct gang {
	int n;
	void (*work)(void *ctx, int i);
	void *ctx;
	atomic_int next;
	atomic_bool stop;
};

static bool one_more(struct gang *g)
{
	int i;

	if (atomic_load(&g->stop))
		return false;
	i = atomic_fetch_add(&g->next, 1);
	if (i >= g->n)
		return false;
	g->work(g->ctx, i);
	return true;
}

static void *member(void *arg)
{
	while (one_more(arg))
		;
	return NULL;
}

bool each_cpu(int n, int threads, void (*work)(void *ctx, int i), void *ctx,
	bool (*progress)(void *ctx, double fraction), void *progress_ctx)
{
	struct gang g = {.n = n, .work = work, .ctx = ctx};
	pthread_t thread[THREADS_MAX];
	int started = 0;

	if (threads > THREADS_MAX)
		threads = THREADS_MAX;
	while (started + 1 < threads && started + 1 < n &&
		!pthread_create(&thread[started], NULL, member, &g))
		started++;
	/* the calling thread works too, and is the only one that reports */
	while (one_more(&g)) {
		int done = atomic_load(&g.next);

		if (progress && progress(progress_ctx, done < n ? (double)done / n : 1.0))
			atomic_store(&g.stop, true);
	}
	for (int i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	return !atomic_load(&g.stop);
}
