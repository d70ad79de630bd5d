// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/menu.h"
#include "replay/models.h"
#include "replay/preset.h"
#include "replay/teo.h"

/* stable rows: by the kernel.org change logs of the releases, as Debian's change logs quote them */
static const struct preset_row menu_rows[] = {
	{"4.19", "M0",
		"poll_override=qos residency_threshold_us=15 sleep_length=always detector=old "
		"variance_max_us2=400 ratio=36 keep=6 latency_first=off iowait=on multiplier=load "
		"stopped_fix=delta reject_sample=off negative_clamp=off decay=8 units=us",
		"CPU load in the performance multiplier; its polling threshold is not modelled", "",
		CHECK_PIECED},
	{"4.20", "M1", "multiplier=iowait",
		"cpuidle: menu: Remove get_loadavg() from the performance multiplier",
		"a7fe5190c03f", CHECK_READ},
	{"5.0", "M2", "", "disabled states of the driver are left out as well", "", CHECK_READ},
	{"5.5", "M3", "units=ns", "cpuidle: Use nanoseconds as the unit of time", "", CHECK_READ},
	{"5.13", "M4", "negative_clamp=on stopped_fix=next_timer",
		"a sleep length below zero counts as zero; tick stopped: next timer, not next "
		"event",
		"", CHECK_READ},
	{"6.6", "M5", "sleep_length=threshold",
		"cpuidle: menu: Skip tick_nohz_get_sleep_length() call in some cases",
		"5484e31bbbff", CHECK_READ},
	{"6.13", "M6", "iowait=off multiplier=none", "cpuidle: menu: Remove iowait influence",
		"38f83090f515", CHECK_READ},
	{"6.15", "M7", "detector=new_max",
		"cpuidle: menu: Eliminate outliers on both ends of the sample set; Avoid "
		"discarding "
		"useful information",
		"8de7606f0fe2 85975daeaa4d", CHECK_PIECED},
	{"6.17", "M8", "latency_first=on reject_sample=on",
		"cpuidle: governors: menu: Avoid selecting states with too much latency; Avoid "
		"using "
		"invalid recent intervals data",
		"779b1a1cb13a", CHECK_PIECED},
	{"6.18", "M9", "detector=new poll_override=predicted",
		"Revert \"cpuidle: menu: Avoid discarding useful information\"; cpuidle: "
		"governors: menu: "
		"Select polling state in some more cases",
		"10fad4012234 db86f55bf81a", CHECK_PIECED},
	{"6.19", "M10", "poll_override=threshold",
		"cpuidle: governors: menu: Use residency threshold in polling state override "
		"decisions",
		"07d815701274", CHECK_PIECED},
	{"7.0", "M11", "sleep_length=threshold_or_stopped",
		"cpuidle: governors: menu: Always check timers with tick stopped", "80606f4eb8d7",
		CHECK_PIECED},
	{"7.1", "M12", "stopped_fix=safe_timer",
		"cpuidle: governors: menu: Refine stopped tick handling", "e57c2bf2e89d",
		CHECK_READ},

	{"5.10.238", NULL, "detector=old_max", "cpuidle: menu: Avoid discarding useful information",
		"85975daeaa4d", CHECK_PIECED},
	{"5.10.241", NULL, "reject_sample=on",
		"cpuidle: governors: menu: Avoid using invalid recent intervals data", "",
		CHECK_READ},
	{"5.10.246", NULL, "detector=old",
		"Revert \"cpuidle: menu: Avoid discarding useful information\"", "10fad4012234",
		CHECK_READ},
	{"6.1.141", NULL, "detector=old_max", "cpuidle: menu: Avoid discarding useful information",
		"85975daeaa4d", CHECK_PIECED},
	{"6.1.157", NULL, "reject_sample=on",
		"cpuidle: governors: menu: Avoid using invalid recent intervals data", "",
		CHECK_PIECED},
	{"6.1.158", NULL, "detector=old",
		"Revert \"cpuidle: menu: Avoid discarding useful information\"", "10fad4012234",
		CHECK_READ},
	{"6.12.31", NULL, "detector=old_max", "cpuidle: menu: Avoid discarding useful information",
		"85975daeaa4d", CHECK_PIECED},
	{"6.12.43", NULL, "reject_sample=on",
		"cpuidle: governors: menu: Avoid using invalid recent intervals data", "",
		CHECK_PIECED},
	{"6.12.44", NULL, "iowait=off multiplier=none latency_first=on",
		"cpuidle: menu: Remove iowait influence; cpuidle: governors: menu: Avoid selecting "
		"states "
		"with too much latency",
		"38f83090f515 779b1a1cb13a", CHECK_PIECED},
	{"6.12.56", NULL, "detector=old",
		"Revert \"cpuidle: menu: Avoid discarding useful information\"", "10fad4012234",
		CHECK_PIECED},
	{"6.12.58", NULL, "poll_override=predicted",
		"cpuidle: governors: menu: Rearrange main loop; Select polling state in some more "
		"cases",
		"db86f55bf81a", CHECK_PIECED},
	{"6.12.64", NULL, "poll_override=threshold",
		"cpuidle: governors: menu: Use residency threshold in polling state override "
		"decisions",
		"07d815701274", CHECK_PIECED},
	{"6.12.75", NULL, "sleep_length=threshold_or_stopped",
		"cpuidle: governors: menu: Always check timers with tick stopped", "80606f4eb8d7",
		CHECK_READ},
};

static const struct preset_row teo_rows[] = {
	{"5.1", "T1",
		"form=hits_misses sleep_length=always count_sleep=off recent=off util=off "
		"tick_metric=none total=sum wake_rule=span hit_rule=bin search=T3 tick_ratio=5/8 "
		"decay_shift=3 decay_floor=off residency_threshold_us=15 latency_threshold_us=7.5 "
		"sleep_guard=on units=us",
		"cpuidle: New timer events oriented governor for tickless systems", "", CHECK_READ},
	{"5.5", "T2", "units=ns",
		"cpuidle: teo: Exclude cpuidle overhead from computations; cpuidle: "
		"Use nanoseconds as the unit of time",
		"", CHECK_READ},
	{"5.14", "T3", "form=bins recent=on",
		"cpuidle: teo: Rework most recent idle duration values "
		"treatment; Use the bins",
		"", CHECK_READ},
	{"6.3", "T3u", "util=mid", "cpuidle: teo: Introduce util-awareness", "", CHECK_READ},
	{"6.6", "T4", "sleep_length=deep_only search=T4 util=state tick_metric=tick_hits",
		"cpuidle: teo: Do not check timers unconditionally every time", "", CHECK_READ},
	{"6.11", "T5", "util=off recent=off count_sleep=on",
		"Revert: \"cpuidle: teo: Introduce util-awareness\"; cpuidle: teo: Remove recent "
		"intercepts "
		"metric; Don't count non-existent intercepts",
		"4b20b07ce72f", CHECK_READ},
	{"6.14", "T6",
		"sleep_length=threshold count_sleep=off wake_rule=artificial "
		"tick_metric=tick_intercepts_inverted total=decayed",
		"cpuidle: teo: thresholds in place of unconditional timer checks", "", CHECK_READ},
	{"6.19", "T7",
		"wake_rule=tick tick_metric=tick_intercepts total=sum search=T7 decay_floor=on "
		"sleep_guard=off",
		"cpuidle: governors: teo: Drop misguided target residency check; Rework the "
		"handling of "
		"tick wakeups; Fix tick_intercepts handling in teo_update(); Simplify "
		"intercepts-based "
		"state lookup",
		"083654ded547 50db438231dc d834e68a0e8b", CHECK_READ},
	{"7.0", "T8", "hit_rule=bin_and_delay search=T8 tick_ratio=2/3",
		"cpuidle: governors: teo: Avoid fake intercepts produced by tick; Refine "
		"tick_intercepts "
		"vs total events check; Refine intercepts-based idle state lookup; Avoid selecting "
		"states with zero-size bins",
		"60836533b4c7 475ca3470b37 a971f984b845 4bd2221f231d", CHECK_PIECED},
	{"7.1", "T9", "search=T9",
		"cpuidle: governors: teo: Rearrange stopped tick handling; Remove single state "
		"handling",
		"106a2662e655 825d5d347935", CHECK_READ},

	{"6.12.64", NULL, "sleep_guard=off",
		"cpuidle: governors: teo: Drop misguided target residency check", "", CHECK_READ},
};

static const struct preset_row ladder_rows[] = {
	{"5.5", "", "promote_after=4 demote_after=1",
		"cpuidle: Use nanoseconds as the unit of time", "", CHECK_READ},
};

static const struct preset_row haltpoll_rows[] = {
	{"5.4", "H1",
		"guest_halt_poll_ns=200000 guest_halt_poll_grow=2 "
		"guest_halt_poll_grow_start=50000 guest_halt_poll_shrink=2 "
		"guest_halt_poll_allow_shrink=on shrink_floor=off",
		"cpuidle: add haltpoll governor", "", CHECK_READ},
	{"6.9", "H2", "shrink_floor=on",
		"cpuidle: haltpoll: do not shrink guest poll_limit_ns below grow_start", "",
		CHECK_READ},
};

static const struct preset_family families[] = {
	{&governor_menu, menu_rows, ARRAY_SIZE(menu_rows)},
	{&governor_teo, teo_rows, ARRAY_SIZE(teo_rows)},
	{&governor_ladder, ladder_rows, ARRAY_SIZE(ladder_rows)},
	{&governor_haltpoll, haltpoll_rows, ARRAY_SIZE(haltpoll_rows)},
};

const struct preset_family *preset_family(const struct governor *gov)
{
	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		if (families[i].gov == gov)
			return &families[i];
	return NULL;
}
