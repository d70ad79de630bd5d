// SPDX-License-Identifier: GPL-2.0-or-later
/* A governor written as a kernel file: deepest state whose residency fits the next timer. */
#include <linux/kernel.h>
#include <linux/cpuidle.h>
#include <linux/percpu.h>
#include <linux/tick.h>
#include <linux/init.h>

struct toy_device {
	u64 selections;
	int last;
};

static DEFINE_PER_CPU(struct toy_device, toy_devices);

static int toy_select(struct cpuidle_driver *drv, struct cpuidle_device *dev, bool *stop_tick)
{
	struct toy_device *toy = this_cpu_ptr(&toy_devices);
	s64 limit = cpuidle_governor_latency_req(dev->cpu);
	ktime_t delta;
	s64 sleep = tick_nohz_get_sleep_length(&delta);
	int best = 0;

	toy->selections++;
	for (int i = 0; i < drv->state_count; i++)
		if (!dev->states_usage[i].disable && drv->states[i].target_residency_ns <= sleep &&
			drv->states[i].exit_latency_ns <= limit)
			best = i;
	*stop_tick = sleep >= TICK_NSEC;
#ifdef TOY_MISSING
	best = kernel_function_that_is_not_there(best);
#endif
	return best;
}

static void toy_reflect(struct cpuidle_device *dev, int index)
{
	per_cpu(toy_devices, dev->cpu).last = index;
	if (tick_nohz_idle_got_tick())
		dev->last_state_idx = index;
}

static struct cpuidle_governor toy_governor = {
	.name = "toy",
	.rating = 1,
	.select = toy_select,
	.reflect = toy_reflect,
};

static int __init init_toy(void)
{
	return cpuidle_register_governor(&toy_governor);
}

postcore_initcall(init_toy);
