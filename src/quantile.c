// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/quantile.h"

#include "src/stats.h"

#include <stdlib.h>
#include <string.h>

/* buckets up to this width count each value, wider ones keep them */
#define WIDTH_COUNTED 65536

void quantile_begin(struct quantile *q)
{
	q->count = xcalloc(QUANTILE_BUCKETS, sizeof(*q->count));
}

void quantile_merge(struct quantile *q, const struct quantile *from)
{
	if (!from->count)
		return;
	if (!q->count)
		quantile_begin(q);
	for (int i = 0; i < QUANTILE_BUCKETS; i++)
		q->count[i] += from->count[i];
	q->n += from->n;
}

/* lowest value of a bucket; bucket 0 holds the negative ones, too */
static int64_t bucket_from(int b)
{
	if (b < 64)
		return b ? b : INT64_MIN / 2;
	return (int64_t)(b % 64 + 64) << (b / 64 - 1);
}

static uint64_t bucket_width(int b)
{
	if (b < 64)
		return b ? 1 : (uint64_t)-(INT64_MIN / 2) + 1;
	return 1ULL << (b / 64 - 1);
}

static void take_aim(struct quantile *q, int i, double share)
{
	uint64_t rank = stats_rank(q->n, share), below = 0;
	struct quantile_aim *aim = &q->aim[i];
	int b = 0;

	while (below + q->count[b] <= rank)
		below += q->count[b++];
	*aim = (struct quantile_aim){.from = bucket_from(b), .below = below, .share = share};
	for (int k = 0; k < i; k++)
		if (q->aim[k].width && q->aim[k].from == aim->from) {
			aim->same_as = k + 1;
			return;
		}
	aim->width = bucket_width(b);
	if (aim->width <= WIDTH_COUNTED && aim->width / 4 <= q->count[b])
		aim->times = xcalloc(aim->width, sizeof(*aim->times));
	else
		aim->v = xcalloc(q->count[b], sizeof(*aim->v));
}

void quantile_aim_all(struct quantile *q, const double *share, int n)
{
	for (int i = 0; i < n && q->n; i++)
		take_aim(q, i, share[i]);
}

void quantile_aim(struct quantile *q, double first, double second)
{
	quantile_aim_all(q, (const double[]){first, second}, 2);
}

void quantile_mark(const struct quantile *q, uint8_t mark[QUANTILE_BUCKETS])
{
	for (int i = 0; i < 2; i++)
		if (q->aim[i].width)
			mark[quantile_bucket(q->aim[i].from)] = 1;
}

int64_t quantile_get(struct quantile *q, int which)
{
	const struct quantile_aim *aim = &q->aim[which];
	uint64_t rank, at = 0;

	if (aim->same_as)
		aim = &q->aim[aim->same_as - 1];
	if (!q->n || !aim->nv)
		return 0;
	rank = stats_rank(q->n, q->aim[which].share) - aim->below;
	if (!aim->times)
		return stats_nth(aim->v, aim->nv, rank);
	for (; aim->times[at] <= rank; at++)
		rank -= aim->times[at];
	return aim->from + (int64_t)at;
}

void quantile_free(struct quantile *q)
{
	free(q->count);
	for (int i = 0; i < QUANTILE_AIMS; i++) {
		free(q->aim[i].v);
		free(q->aim[i].times);
	}
	memset(q, 0, sizeof(*q));
}
