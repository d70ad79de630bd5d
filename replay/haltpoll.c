// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The haltpoll governor of KVM guests: poll for a window that grows with wake-ups just missed, then
 * halt. Restates drivers/cpuidle/governors/haltpoll.c of 5.4 .. 7.3.
 */
#include "replay/models.h"
#include "replay/model.h"

enum haltpoll_param {
	HALT_LIMIT,
	HALT_GROW,
	HALT_GROW_START,
	HALT_SHRINK,
	HALT_ALLOW_SHRINK,
	HALT_SHRINK_FLOOR,
	HALT_PARAMS
};

struct haltpoll_cpu {
	struct core core;
	uint32_t limit, grow, grow_start, shrink;
	bool allow_shrink, shrink_floor;
	uint64_t poll_ns; /* poll_limit_ns of the device */
};

static const struct gov_param haltpoll_params[] = {
	[HALT_LIMIT] = {"guest_halt_poll_ns", "ns; the longest window", PARAM_INT, 0, 100000000,
		NULL, 0},
	[HALT_GROW] = {"guest_halt_poll_grow", "the window grows by this factor", PARAM_INT, 0,
		1000, NULL, 0},
	[HALT_GROW_START] = {"guest_halt_poll_grow_start", "ns; the first window", PARAM_INT, 0,
		100000000, NULL, 0},
	[HALT_SHRINK] = {"guest_halt_poll_shrink",
		"the window shrinks by this factor; 0: to nothing", PARAM_INT, 0, 1000, NULL, 0},
	[HALT_ALLOW_SHRINK] = {"guest_halt_poll_allow_shrink",
		"long idle periods shrink the window", PARAM_BOOL, 0, 1, NULL, 0},
	[HALT_SHRINK_FLOOR] = {"shrink_floor",
		"a window below guest_halt_poll_grow_start becomes 0", PARAM_BOOL, 0, 1, NULL, 0},
};

static void haltpoll_init(void *cpu, const struct gov_machine *mc, const struct gov_spec *spec)
{
	struct haltpoll_cpu *h = cpu;

	core_init(&h->core, mc, 1000);
	h->limit = spec->value[HALT_LIMIT];
	h->grow = spec->value[HALT_GROW];
	h->grow_start = spec->value[HALT_GROW_START];
	h->shrink = spec->value[HALT_SHRINK];
	h->allow_shrink = spec->value[HALT_ALLOW_SHRINK];
	h->shrink_floor = spec->value[HALT_SHRINK_FLOOR];
}

static struct gov_choice haltpoll_select(
	void *cpu, const struct gov_input *in, int64_t true_length_ns)
{
	struct haltpoll_cpu *h = cpu;
	struct gov_choice out = {0, false, GOV_READ_LIMIT, (uint32_t)h->poll_ns};

	(void)true_length_ns;
	if (in->limit_ns == 0)
		return out;
	/* no window, or the window has just passed without a wake-up: halt */
	if (!h->poll_ns || (h->core.last == 0 && h->core.poll_limit)) {
		out.state = h->core.nstates > 1;
		out.stop_tick = true;
	}
	return out;
}

static void adjust_window(struct haltpoll_cpu *h, uint64_t block)
{
	if (block > h->poll_ns && block <= h->limit) {
		uint32_t v = (uint32_t)h->poll_ns * h->grow;

		if (v < h->grow_start)
			v = h->grow_start;
		h->poll_ns = v < h->limit ? v : h->limit;
	} else if (block > h->limit && h->allow_shrink) {
		uint32_t v = h->shrink ? (uint32_t)h->poll_ns / h->shrink : 0;

		if (h->shrink_floor && v < h->grow_start)
			v = 0;
		h->poll_ns = v;
	}
}

static bool haltpoll_reflect(void *cpu, const struct gov_outcome *out)
{
	struct haltpoll_cpu *h = cpu;

	if (!core_outcome(&h->core, out))
		return out->got_tick;
	h->core.last = out->entered;
	if (out->entered)
		adjust_window(h, out->residency_ns);
	return out->got_tick;
}

static void haltpoll_explain(
	const void *cpu, const struct gov_input *in, const struct gov_choice *c, struct explain *x)
{
	const struct haltpoll_cpu *h = cpu;
	char t[32], u[32];

	explain_line(x, "polling window", "%s, at most %s",
		explain_time(t, sizeof(t), (int64_t)h->poll_ns),
		explain_time(u, sizeof(u), h->limit));
	explain_line(x, "last idle period", "%s in %s%s",
		explain_time(t, sizeof(t), (int64_t)h->core.slept),
		core_name(&h->core, h->core.last),
		h->core.last == 0 && h->core.poll_limit ? ", which used up the window" : "");
	explain_line(x, "tick", "%s", c->stop_tick ? "may be stopped" : "kept while polling");
	explain_line(x, "chosen", "%s%s", core_name(&h->core, c->state),
		in->limit_ns ? "" : ": the latency limit is 0");
}

const struct governor governor_haltpoll = {
	.name = "haltpoll",
	.summary = "KVM guests: polls for a while, then halts",
	.params = haltpoll_params,
	.nparams = HALT_PARAMS,
	.cpu_size = sizeof(struct haltpoll_cpu),
	.init = haltpoll_init,
	.select = haltpoll_select,
	.reflect = haltpoll_reflect,
	.explain = haltpoll_explain,
};
