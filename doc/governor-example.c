// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole governor for reidle: the average of the last lengths decides. Build and replay it with
 *	cc -O2 -fPIC -shared -o average.so governor-example.c
 *	reidle whatif trace.dat -g recorded,./average.so,./average.so:percent=50
 */
#include "reidle-governor.h"

struct average_cpu {
	uint32_t nstates, percent;
	int64_t average_ns, tick_ns;
	struct reidle_state state[REIDLE_STATES_MAX];
};

static int average_init(void *cpu, const struct reidle_machine *m)
{
	struct average_cpu *a = cpu; /* zeroed by reidle */
	a->nstates = m->nstates;
	a->percent = m->param[0];
	a->tick_ns = m->tick_ns;
	for (uint32_t i = 0; i < m->nstates; i++)
		a->state[i] = m->state[i];
	return 0;
}

static void average_select(void *cpu, const struct reidle_input *in, struct reidle_choice *out)
{
	struct average_cpu *a = cpu;
	int64_t length = a->average_ns * a->percent / 100;

	if (length > in->sleep_ns)
		length = in->sleep_ns; /* a timer will end it earlier */
	out->read = REIDLE_READ_SLEEP | REIDLE_READ_LIMIT;
	for (uint32_t i = 0; i < a->nstates; i++)
		if (!(in->disabled >> i & 1) && a->state[i].target_residency_ns <= length &&
			a->state[i].exit_latency_ns <= in->limit_ns)
			out->state = i;
	/* the tick would only disturb a long sleep */
	out->stop_tick = length >= a->tick_ns;
}

static int average_reflect(void *cpu, const struct reidle_outcome *out)
{
	struct average_cpu *a = cpu;
	if (out->entered >= 0)
		a->average_ns += (out->residency_ns - a->average_ns) / 8;
	return 0; /* the tick's flag was taken note of */
}

static const struct reidle_param params[] = {
	{"percent", "% of the average that is believed", 1, 1000, 100},
};

const struct reidle_governor *reidle_governor(void)
{
	static const struct reidle_governor g = {.abi = REIDLE_GOVERNOR_ABI, .name = "average",
		.summary = "the average of recent lengths", .param = params, .nparams = 1,
		.cpu_size = sizeof(struct average_cpu), .init = average_init, .select = average_select,
		.reflect = average_reflect};
	return &g;
}
