// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/survey.h"

#include <math.h>

#define SHARE 200	  /* one event in so many */
#define EVENTS_MIN 50000 /* but not fewer: shares of wakes are known to a percent or so then */
#define ROOM_MAX 1e6 /* events to make room for at once: how many there will be is what the file claims */
#define TIME_MAX (INT64_MAX / 2) /* clocks that count from 1970 included; beyond it they are broken */
#define WINDOWS_MIN 8 /* a recording has phases */
#define WINDOW_NS (25 * NSEC_PER_MSEC) /* some ticks: shorter ones know few timers */

/* evenly spread over [from_ns, to_ns), each in the middle of its part */
static void spread(struct trace *t, int64_t from_ns, int64_t to_ns, double share)
{
	double span = (double)(to_ns - from_ns), length = span * share;
	int n = (int)fmin(length / WINDOW_NS, WINDOWS_MAX); /* broken clocks have spans of centuries */

	n = n < WINDOWS_MIN ? WINDOWS_MIN : n;
	for (int i = 0; i < n; i++) {
		double middle = span * (i + 0.5) / n;

		t->window[i] = (struct window){from_ns + (int64_t)(middle - length / n / 2),
			from_ns + (int64_t)(middle + length / n / 2)};
	}
	t->nwindows = n;
}

static int64_t settle(const struct parse_time *p, const struct survey_result *s, int64_t otherwise)
{
	int64_t ns = p->from_start ? s->from_ns + p->ns : p->ns;

	return !p->given ? otherwise : ns < s->from_ns ? s->from_ns : ns > s->to_ns ? s->to_ns : ns;
}

/*
 * Of a part of the recording that is small enough every event is kept, and up to a second on both sides:
 * there the timers were armed, and the last periods end.
 */
static void one_window(struct trace *t, const struct survey_result *s, uint64_t above, int64_t from_ns,
	int64_t to_ns)
{
	double as_much = (double)(s->to_ns - s->from_ns) * (double)above / (double)s->bytes;
	int64_t around = (int64_t)fmax(as_much / 2, (double)(to_ns - from_ns));

	around = min64(around, NSEC_PER_SEC);
	t->window[0] = (struct window){from_ns - around, to_ns + around};
	t->nwindows = 1;
}

uint64_t survey_windows(struct trace *t, const struct survey_result *s, const struct parse_options *opt)
{
	int64_t from = settle(&opt->from, s, s->from_ns), to = settle(&opt->to, s, s->to_ns);
	double part, events, wanted;

	if (s->bytes <= opt->sample_above || from >= to || s->from_ns <= -TIME_MAX || s->to_ns >= TIME_MAX)
		return 0;
	part = (double)(to - from) / (double)(s->to_ns - s->from_ns);
	events = s->events * part;
	wanted = opt->sample_events ? (double)opt->sample_events : fmax(events / SHARE, EVENTS_MIN);
	if ((double)s->bytes * part > (double)opt->sample_above && events >= 2 * wanted) {
		spread(t, from, to, wanted / events);
		return (uint64_t)fmin(wanted, ROOM_MAX);
	}
	if (part < 1)
		one_window(t, s, opt->sample_above, from, to);
	/* else windows would take in most of it: all of it is simpler */
	return 0;
}
