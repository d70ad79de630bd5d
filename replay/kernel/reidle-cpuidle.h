/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stand-in for include/linux/cpuidle.h where no kernel tree is given: the fields that governor files
 * of 5.1 .. 7.3 use, those that count us included.
 */
#ifndef REIDLE_CPUIDLE_H
#define REIDLE_CPUIDLE_H

#include "reidle-kernel.h"

#define CPUIDLE_STATE_MAX 10
#define CPUIDLE_NAME_LEN 16
#define CPUIDLE_DESC_LEN 32

#define CPUIDLE_FLAG_NONE 0x00
#define CPUIDLE_FLAG_POLLING BIT(0)
#define CPUIDLE_FLAG_COUPLED BIT(1)
#define CPUIDLE_FLAG_TIMER_STOP BIT(2)
#define CPUIDLE_FLAG_UNUSABLE BIT(3)
#define CPUIDLE_FLAG_OFF BIT(4)

struct cpuidle_state {
	s64 exit_latency_ns, target_residency_ns;
	unsigned int exit_latency, target_residency; /* us */
	unsigned int flags;
	bool disabled; /* up to 5.4 */
	char name[CPUIDLE_NAME_LEN];
};

struct cpuidle_state_usage {
	unsigned long long disable, usage, above, below;
	u64 time_ns;
};

struct cpuidle_driver {
	struct cpuidle_state states[CPUIDLE_STATE_MAX];
	int state_count;
	int safe_state_index;
};

struct cpuidle_device {
	unsigned int registered : 1, enabled : 1, poll_time_limit : 1;
	unsigned int cpu;
	ktime_t next_hrtimer;
	int last_state_idx;
	int last_residency; /* us; up to 5.4 */
	u64 last_residency_ns;
	u64 poll_limit_ns;
	u64 forced_idle_latency_limit_ns;
	struct cpuidle_state_usage states_usage[CPUIDLE_STATE_MAX];
};

struct cpuidle_governor {
	char name[CPUIDLE_NAME_LEN];
	struct list_head governor_list;
	unsigned int rating;
	int (*enable)(struct cpuidle_driver *drv, struct cpuidle_device *dev);
	void (*disable)(struct cpuidle_driver *drv, struct cpuidle_device *dev);
	int (*select)(struct cpuidle_driver *drv, struct cpuidle_device *dev, bool *stop_tick);
	void (*reflect)(struct cpuidle_device *dev, int index);
};

int cpuidle_register_governor(struct cpuidle_governor *gov);
s64 cpuidle_governor_latency_req(unsigned int cpu);

#endif
