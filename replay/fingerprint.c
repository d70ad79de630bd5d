// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which switches a governor's source has, from names and short expressions in it. Back-ports and
 * vendor trees make this more certain than any version; what it cannot see is a change that names
 * nothing new.
 */
#include "replay/menu.h"
#include "replay/preset.h"
#include "replay/teo.h"

#include <stdlib.h>
#include <string.h>

/* the last rule that holds sets the parameter; texts are compared without blanks and comments */
struct rule {
	const char *param, *value;
	const char *has, *also; /* NULL: always holds */
	bool in_order;		/* has must stand before also */
};

/* a number that follows a text */
struct number {
	const char *param, *after;
};

static const struct rule menu_rules[] = {
	{"units", "us", NULL, NULL, false},
	{"units", "ns", "target_residency_ns", NULL, false},
	{"multiplier", "none", NULL, NULL, false},
	{"multiplier", "iowait", "performance_multiplier(", NULL, false},
	{"multiplier", "load", "performance_multiplier(", "LOAD_INT(", false},
	{"iowait", "off", NULL, NULL, false},
	{"iowait", "on", "#defineBUCKETS12", NULL, false},
	{"sleep_length", "always", NULL, NULL, false},
	{"sleep_length", "threshold", "predicted_ns>RESIDENCY_THRESHOLD_NS", NULL, false},
	{"sleep_length", "threshold_or_stopped",
		"predicted_ns>RESIDENCY_THRESHOLD_NS||tick_nohz_tick_stopped()", NULL, false},
	{"detector", "old", NULL, NULL, false},
	{"detector", "old_max", "returnmax;", NULL, false},
	{"detector", "new", "min_thresh", NULL, false},
	{"detector", "new_max", "min_thresh", "returnmax;", false},
	{"poll_override", "off", NULL, NULL, false},
	{"poll_override", "qos", "flags&CPUIDLE_FLAG_POLLING)&&s->", NULL, false},
	{"poll_override", "predicted", "flags&CPUIDLE_FLAG_POLLING)&&s->",
		"exit_latency_ns<=predicted_ns", false},
	{"poll_override", "threshold", "flags&CPUIDLE_FLAG_POLLING)&&s->",
		"target_residency_ns<RESIDENCY_THRESHOLD_NS", false},
	{"latency_first", "on", NULL, NULL, false},
	{"latency_first", "off", "target_residency_ns>predicted_ns", "exit_latency_ns>latency_req",
		true},
	{"latency_first", "off", "target_residency>data->predicted_us", "exit_latency>latency_req",
		true},
	{"stopped_fix", "next_timer", NULL, NULL, false},
	{"stopped_fix", "delta", "predicted_ns=delta_next", NULL, false},
	{"stopped_fix", "delta", "predicted_us=ktime_to_us(delta_next)", NULL, false},
	{"stopped_fix", "safe_timer", "SAFE_TIMER_RANGE", NULL, false},
	{"reject_sample", "off", NULL, NULL, false},
	{"reject_sample", "on", "menu_update_intervals(data,UINT_MAX)", NULL, false},
	{"negative_clamp", "off", NULL, NULL, false},
	{"negative_clamp", "on", "delta<0", NULL, false},
	{NULL, NULL, NULL, NULL, false},
};

static const struct number menu_numbers[] = {
	{"decay", "#defineDECAY"},
	{"variance_max_us2", "||variance<="},
	{"ratio", ">variance*"},
	{"residency_threshold_us", "#defineRESIDENCY_THRESHOLD_NS("},
	{NULL, NULL},
};

static const struct rule teo_rules[] = {
	{"form", "bins", NULL, NULL, false},
	{"form", "hits_misses", "early_hits", NULL, false},
	{"units", "us", NULL, NULL, false},
	{"units", "ns", "target_residency_ns", NULL, false},
	{"sleep_length", "always", NULL, NULL, false},
	{"sleep_length", "deep_only", "<RESIDENCY_THRESHOLD_NS", NULL, false},
	{"sleep_length", "threshold", "LATENCY_THRESHOLD_NS", NULL, false},
	{"count_sleep", "off", NULL, NULL, false},
	{"count_sleep", "on", "!idx&&prev_intercept_idx", "tick_hits", false},
	{"recent", "off", NULL, NULL, false},
	{"recent", "on", "recent_idx", NULL, false},
	{"util", "off", NULL, NULL, false},
	{"util", "mid", "util_threshold", "teo_middle_of_bin", false},
	{"util", "state", "util_threshold", "teo_state_ok", false},
	{"tick_metric", "none", NULL, NULL, false},
	{"tick_metric", "tick_hits", "tick_hits", NULL, false},
	{"tick_metric", "tick_intercepts_inverted", "tick_intercepts", NULL, false},
	{"tick_metric", "tick_intercepts", "measured_ns<=TICK_NSEC", "tick_intercepts", false},
	{"total", "sum", NULL, NULL, false},
	{"total", "decayed", "total-=cpu_data->total>>DECAY_SHIFT", NULL, false},
	{"wake_rule", "span", NULL, NULL, false},
	{"wake_rule", "artificial", "artificial_wakeup", NULL, false},
	{"wake_rule", "tick", "tick_wakeup", NULL, false},
	{"hit_rule", "bin", NULL, NULL, false},
	{"hit_rule", "bin_and_delay", "sleep_length_ns-measured_ns<", NULL, false},
	{"search", "T3", NULL, NULL, false},
	{"search", "T4", "teo_state_ok", NULL, false},
	{"search", "T7", "min_idx", NULL, false},
	{"search", "T8", "intercept_max", NULL, false},
	{"search", "T9", "intercept_max", "SAFE_TIMER_RANGE", false},
	{"tick_ratio", "5/8", NULL, NULL, false},
	{"tick_ratio", "2/3", "3*cpu_data->tick_intercepts>=2*", NULL, false},
	{"decay_floor", "off", NULL, NULL, false},
	{"decay_floor", "on", "voidteo_decay(", NULL, false},
	{"sleep_guard", "off", NULL, NULL, false},
	{"sleep_guard", "on", "early_hits", NULL, false},
	{"sleep_guard", "on", "teo_middle_of_bin", NULL, false},
	{"sleep_guard", "on", "duration_ns,false);if(teo_state_ok(", NULL, false},
	{"sleep_guard", "on", "duration_ns);if(teo_state_ok(", NULL, false},
	{NULL, NULL, NULL, NULL, false},
};

static const struct number teo_numbers[] = {
	{"decay_shift", "#defineDECAY_SHIFT"},
	{"residency_threshold_us", "#defineRESIDENCY_THRESHOLD_NS("},
	{NULL, NULL},
};

/* without comments and blanks */
static char *squeeze(const char *text)
{
	char *out = xcalloc(strlen(text) + 1, 1), *w = out;

	for (const char *p = text; *p; p++) {
		if (p[0] == '/' && p[1] == '*') {
			p = strstr(p + 2, "*/");
			if (!p)
				break;
			p++;
		} else if (p[0] == '/' && p[1] == '/') {
			p += strcspn(p, "\n");
			if (!*p)
				break;
		} else if (!strchr(" \t\r\n\\", *p)) {
			*w++ = *p;
		}
	}
	return out;
}

static bool holds(const struct rule *r, const char *text)
{
	const char *a = r->has ? strstr(text, r->has) : text;
	const char *b = r->also ? strstr(text, r->also) : text;

	return a && b && (!r->in_order || a < b);
}

static int apply(struct gov_spec *s, const struct rule *rules, const struct number *numbers,
	const char *text, struct error *err)
{
	for (const struct rule *r = rules; r->param; r++)
		if (holds(r, text) && governor_set_value(s, r->param, r->value, err))
			return -1;
	for (const struct number *n = numbers; n->param; n++) {
		const char *at = strstr(text, n->after);
		char value[24];

		if (!at)
			continue;
		snprintf(value, sizeof(value), "%ld", strtol(at + strlen(n->after), NULL, 10));
		/* a number out of range is an expression that is not understood: the default stays
		 */
		governor_set_value(s, n->param, value, NULL);
	}
	return 0;
}

static int differences(const struct gov_spec *a, const struct gov_spec *b)
{
	int n = 0;

	for (int i = 0; i < a->gov->nparams; i++)
		n += a->value[i] != b->value[i];
	return n;
}

/* the preset with fewest differences; releases that were read come first, then the newest */
static int nearest(struct gov_spec *best, const struct gov_spec *s)
{
	static const char *const series[] = {"7.2", "6.12", "6.1", "5.10"};
	const struct preset_family *f = preset_family(s->gov);
	int least = -1;

	for (int i = 0; i < (int)ARRAY_SIZE(series) + f->nrows; i++) {
		struct gov_spec try = *s;
		char version[24];
		int n;

		if (i < (int)ARRAY_SIZE(series)) {
			snprintf(version, sizeof(version), "%s", series[i]);
		} else {
			const struct preset_row *row =
				&f->row[f->nrows - 1 - (i - (int)ARRAY_SIZE(series))];

			snprintf(version, sizeof(version), "%s%s", row->version,
				row->model ? ".0" : "");
		}
		if (preset_apply(&try, version, NULL))
			continue;
		n = differences(&try, s);
		if (least < 0 || n < least) {
			least = n;
			*best = try;
		}
	}
	return least;
}

int governor_fingerprint(struct gov_spec *out, const char *source, struct error *err)
{
	char *text = squeeze(source);
	bool menu = strstr(text, ".name=\"menu\""), teo = strstr(text, ".name=\"teo\"");
	struct gov_spec best;
	int ret, n;

	*out = (struct gov_spec){.gov = menu ? &governor_menu : &governor_teo};
	if (!menu && !teo) {
		free(text);
		return error_set(err, EXIT_USAGE,
			"neither menu nor teo registers itself in it: replay it as it "
			"is with -g ./FILE.c");
	}
	ret = preset_apply(out, preset_newest(), err) ||
	      (menu ? apply(out, menu_rules, menu_numbers, text, err)
		    : apply(out, teo_rules, teo_numbers, text, err));
	free(text);
	if (ret)
		return -1;
	n = nearest(&best, out);
	memcpy(best.value, out->value, sizeof(best.value));
	*out = best;
	copy_text(out->text, sizeof(out->text), out->gov->name);
	if (n)
		snprintf(out->confidence, sizeof(out->confidence),
			"fair: by its source, which differs from %s in %d of %d switches",
			out->version, n, out->gov->nparams);
	else
		snprintf(out->confidence, sizeof(out->confidence),
			"high: by its source, all %d switches as in %s", out->gov->nparams,
			out->version);
	governor_relabel(out);
	return 0;
}
