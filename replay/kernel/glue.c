// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compiled together with a kernel's governor file: turns the governor it registers into a plug-in of
 * reidle-governor.h, and plays the part of the cpuidle core between the two.
 */
#include <linux/cpuidle.h>

#include "reidle-kernel.h"

/* memory of one CPU: the core's structs, then a copy of the per-CPU section */
struct memory {
	struct cpuidle_driver drv;
	struct cpuidle_device dev;
	long tick_ns;
	int cpu, hz;
	uint32_t disabled;
	char percpu[] __attribute__((aligned(16)));
};

__thread struct reidle_call reidle_call;
bool tick_nohz_enabled = true;

static struct cpuidle_governor *registered;

extern char reidle_percpu_end[] __asm__("__stop_reidle_percpu")
	__attribute__((weak, visibility("hidden")));

int cpuidle_register_governor(struct cpuidle_governor *gov)
{
	registered = gov;
	return 0;
}

s64 cpuidle_governor_latency_req(unsigned int cpu)
{
	(void)cpu;
	reidle_call.read |= REIDLE_READ_LIMIT;
	return reidle_call.in->limit_ns;
}

static void enter(struct memory *m)
{
	reidle_call.percpu = m->percpu;
	reidle_call.tick_ns = m->tick_ns;
	reidle_call.hz = m->hz;
	reidle_call.cpu = m->cpu;
	reidle_call.read = 0;
}

static int init(void *cpu, const struct reidle_machine *mc)
{
	struct memory *m = cpu;

	m->tick_ns = mc->tick_ns;
	m->hz = mc->hz;
	m->cpu = mc->cpu;
	m->dev.cpu = mc->cpu;
	m->drv.state_count = mc->nstates;
	for (uint32_t i = 0; i < mc->nstates; i++) {
		struct cpuidle_state *s = &m->drv.states[i];

		s->exit_latency_ns = mc->state[i].exit_latency_ns;
		s->target_residency_ns = mc->state[i].target_residency_ns;
		s->exit_latency = s->exit_latency_ns / 1000;
		s->target_residency = s->target_residency_ns / 1000;
		s->flags = mc->state[i].flags & REIDLE_STATE_POLLING ? CPUIDLE_FLAG_POLLING : 0;
	}
	memcpy(m->percpu, reidle_percpu_start, reidle_percpu_end - reidle_percpu_start);
	enter(m);
	return registered->enable ? registered->enable(&m->drv, &m->dev) : 0;
}

static void set_disabled(struct memory *m, uint32_t mask)
{
	for (int i = 0; i < m->drv.state_count; i++)
		m->dev.states_usage[i].disable = mask >> i & 1;
	m->disabled = mask;
}

static void choose(void *cpu, const struct reidle_input *in, struct reidle_choice *out)
{
	struct memory *m = cpu;
	bool stop = true;

	enter(m);
	reidle_call.in = in;
	reidle_call.clock = in->now_ns;
	if (in->disabled != m->disabled)
		set_disabled(m, in->disabled);
	out->state = registered->select(&m->drv, &m->dev, &stop);
	out->stop_tick = stop;
	out->read = reidle_call.read;
	out->poll_limit_ns = m->dev.poll_limit_ns;
}

static void set_residency(struct memory *m, int64_t ns)
{
	m->dev.last_residency_ns = ns;
#ifdef REIDLE_STAND_IN
	m->dev.last_residency = ns / 1000 > INT_MAX ? INT_MAX : ns / 1000;
#endif
}

static int tell(void *cpu, const struct reidle_outcome *out)
{
	struct memory *m = cpu;

	enter(m);
	reidle_call.clock = out->now_ns;
	reidle_call.got_tick = out->got_tick;
	set_residency(m, out->entered < 0 ? 0 : out->residency_ns);
	if (out->entered < 0)
		return out->got_tick;
	if (m->drv.states[out->entered].flags & CPUIDLE_FLAG_POLLING)
		m->dev.poll_time_limit = out->poll_limit;
	if (registered->reflect)
		registered->reflect(&m->dev, out->entered);
	return reidle_call.got_tick;
}

__attribute__((visibility("default"))) const struct reidle_governor *reidle_governor(void)
{
	static struct reidle_governor g = {
		.abi = REIDLE_GOVERNOR_ABI,
		.summary = "a kernel's own governor file",
		.init = init,
		.select = choose,
		.reflect = tell,
	};

	if (!registered && (reidle_initcall() || !registered))
		return NULL;
	g.name = registered->name;
	g.cpu_size = sizeof(struct memory) + (size_t)(reidle_percpu_end - reidle_percpu_start);
	return &g;
}
