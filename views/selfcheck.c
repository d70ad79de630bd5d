// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/selfcheck.h"

#include <math.h>
#include <string.h>

void selfcheck_want(struct session *s)
{
	struct session_check *c = &s->check;

	if (c->status != RUN_IDLE || !s->trace || s->loading || s->partial)
		return;
	c->status = s->sojourns && s->recorded ? RUN_QUEUED : RUN_FAILED;
	copy_text(c->why, sizeof(c->why), c->status == RUN_FAILED ? "the governor is not known" : "");
}

int selfcheck_work(const struct session *s, struct self_check *out, bool (*progress)(void *, double),
	void *ctx, struct error *err)
{
	struct replay_options opt = {.limit_ns = -1, .warmup = 40, .threads = s->threads,
		.progress = progress, .ctx = ctx};

	return free_check_engine(out, s->sojourns, session_get(s, 0), s->recorded, &opt, err);
}

void selfcheck_made(struct session *s, const struct self_check *result, const struct error *err)
{
	s->check.status = err ? RUN_FAILED : RUN_READY;
	if (err)
		copy_text(s->check.why, sizeof(s->check.why), err->text);
	else
		s->check.result = *result;
}

const char *selfcheck_line(const struct session *s, bool brief, char *buf, size_t size)
{
	const struct self_check *c = &s->check.result;

	if (s->check.status == RUN_FAILED)
		snprintf(buf, size, "self check: none, %s", s->check.why);
	else if (s->check.status != RUN_READY)
		snprintf(buf, size, "self check: replaying the recorded governor");
	else if (brief)
		snprintf(buf, size, "self check %.2f %% alike, time off %.3f %%, usage %.2f %%: less is no finding",
			100 * c->same_sequences, 100 * c->time_error, 100 * c->usage_error);
	else
		snprintf(buf, size, "self check: %.40s gives back %.2f %% of %llu sojourns state by state, time "
			"off by %.3f %% of the span, usage by %.2f %%: a smaller difference is no finding",
			c->governor, 100 * c->same_sequences, (unsigned long long)c->sojourns,
			100 * c->time_error, 100 * c->usage_error);
	return buf;
}
