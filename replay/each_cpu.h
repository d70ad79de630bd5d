/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work that is independent per CPU, spread over threads. The callee owns nothing of the caller's;
 * results must go to places of their own per index, so that the output does not depend on the threads.
 */
#ifndef REIDLE_REPLAY_EACH_CPU_H
#define REIDLE_REPLAY_EACH_CPU_H

#include <stdbool.h>

/**
 * each_cpu() - call work(ctx, i) for i in 0..n-1
 * @threads: at most so many at a time; <= 1: in the calling thread
 * @progress: called from the calling thread with the share done; true cancels. May be NULL
 * Return: false when cancelled (work already begun is finished)
 */
bool each_cpu(int n, int threads, void (*work)(void *ctx, int i), void *ctx,
	bool (*progress)(void *ctx, double fraction), void *progress_ctx);

#endif
