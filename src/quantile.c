// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/quantile.h"

#include "src/stats.h"

#include <stdlib.h>
#include <string.h>

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

static void take_aim(const struct quantile *q, struct quantile_aim *aim, double share)
{
	uint64_t rank = stats_rank(q->n, share), below = 0;
	int b = 0;

	while (below + q->count[b] <= rank)
		below += q->count[b++];
	*aim = (struct quantile_aim){.from = bucket_from(b), .width = bucket_width(b), .below = below,
		.share = share, .v = xcalloc(q->count[b], sizeof(int64_t))};
}

void quantile_aim(struct quantile *q, double first, double second)
{
	if (!q->n)
		return;
	take_aim(q, &q->aim[0], first);
	take_aim(q, &q->aim[1], second);
}

void quantile_mark(const struct quantile *q, uint8_t mark[QUANTILE_BUCKETS])
{
	for (int i = 0; i < 2; i++)
		if (q->aim[i].width)
			mark[quantile_bucket(q->aim[i].from)] = 1;
}

int64_t quantile_get(struct quantile *q, int which)
{
	struct quantile_aim *aim = &q->aim[which];

	if (!q->n || !aim->nv)
		return 0;
	return stats_nth(aim->v, aim->nv, stats_rank(q->n, aim->share) - aim->below);
}

void quantile_free(struct quantile *q)
{
	free(q->count);
	free(q->aim[0].v);
	free(q->aim[1].v);
	memset(q, 0, sizeof(*q));
}
