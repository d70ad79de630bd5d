// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/view.h"

const struct view_ops *const view_list[VIEW_COUNT] = {
	[VIEW_TIMELINE] = &timeline_view,
	[VIEW_DECISIONS] = &decisions_view,
	[VIEW_WHATIF] = &whatif_view,
	[VIEW_HISTOGRAM] = &histogram_view,
	[VIEW_SWEEP] = &sweep_view,
	[VIEW_WAKES] = &wakes_view,
	[VIEW_RUNS] = &runs_view,
	[VIEW_STATES] = &states_view,
	[VIEW_EXPLAIN] = &explain_view,
	[VIEW_EVENTS] = &events_view,
	[VIEW_HELP] = &help_view,
};
