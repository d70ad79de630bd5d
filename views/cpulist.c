// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/cpulist.h"

static int pinned(const struct session *s)
{
	int n = 0;

	for (int cpu = 0; cpu < s->trace->ncpus; cpu++)
		n += s->pinned[cpu];
	return n;
}

int cpulist_count(const struct session *s)
{
	int n = pinned(s);

	return s->density == LANES_PINNED && n ? n : s->trace->ncpus;
}

int cpulist_cpu(const struct session *s, int i)
{
	int top = pinned(s);
	bool want = i < top;

	if (!want)
		i -= top;
	for (int cpu = 0; cpu < s->trace->ncpus; cpu++)
		if (s->pinned[cpu] == want && i-- == 0)
			return cpu;
	return 0;
}

int cpulist_lane(const struct session *s, int cpu)
{
	int lane = s->pinned[cpu] ? 0 : pinned(s);

	for (int i = 0; i < cpu; i++)
		lane += s->pinned[i] == s->pinned[cpu];
	return lane < cpulist_count(s) ? lane : -1;
}

static int clamp(int v, int lo, int hi)
{
	return v > hi ? hi : v < lo ? lo : v;
}

void cpulist_move(struct session *s, int by)
{
	int lane;

	if (s->density == LANES_GROUPS) {
		int group = clamp(s->groups.of[s->cpu] + by, 0, s->groups.n - 1);

		s->cpu = s->groups.cpu[s->groups.start[group]];
		return;
	}
	lane = cpulist_lane(s, s->cpu);
	s->cpu = cpulist_cpu(s, clamp((lane < 0 ? 0 : lane) + by, 0, cpulist_count(s) - 1));
}

void cpulist_scroll(struct session *s, int visible)
{
	int n = s->density == LANES_GROUPS ? s->groups.n : cpulist_count(s);
	int lane = s->density == LANES_GROUPS ? s->groups.of[s->cpu] : cpulist_lane(s, s->cpu);

	if (visible < 1)
		visible = 1;
	if (lane < 0) {
		s->cpu = cpulist_cpu(s, 0);
		lane = 0;
	}
	if (lane < s->top)
		s->top = lane;
	if (lane >= s->top + visible)
		s->top = lane - visible + 1;
	s->top = clamp(s->top, 0, n > visible ? n - visible : 0);
}
