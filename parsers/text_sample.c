// SPDX-License-Identifier: GPL-2.0-or-later
/* Windows of a huge text, as of a huge trace.dat: idle events are read everywhere, the others inside only. */
#include "parsers/survey.h"
#include "parsers/text_reader.h"

#define PLACES 64
#define PLACE_BYTES 16384
#define PER_RECORD 3 /* an event takes about so many times the bytes of its record in a trace.dat */

static void look_at(struct survey_result *s, const struct text_reader *r, struct text_span text,
	uint64_t *lines, uint64_t *wanted)
{
	enum text_layout layout = TEXT_BRACKET;
	const char *p = text.s;

	while (p < text.end) {
		const char *nl = memchr(p, '\n', (size_t)(text.end - p));
		struct text_span line = {p, nl ? nl : text.end};
		enum ev_kind kind;
		struct text_head h;
		struct event ev;

		p = nl ? nl + 1 : text.end;
		if (!text_head(&h, line, layout))
			continue;
		layout = h.layout;
		if (r->opt->instance && !text_of_instance(r->opt->instance, line))
			continue;
		survey_time(s, h.at_ns);
		text_event(r->outside, &ev, &h, r->t, false, &kind);
		*lines += 1;
		*wanted += (r->opt->want & EV_BIT(kind)) != 0 && kind != EV_NONE;
	}
}

/* from the line after a byte on: where the byte lies is anywhere in a line */
static struct text_span place(struct text_span text, int k)
{
	size_t size = (size_t)(text.end - text.s);
	struct text_span part = {text.s + survey_place(size - PLACE_BYTES + 1, k, PLACES), NULL};
	const char *nl;

	part.end = part.s + PLACE_BYTES;
	nl = memchr(part.s, '\n', PLACE_BYTES);
	if (k && nl)
		part.s = nl + 1;
	/* nor does it end at the end of one, but the last does */
	while (k < PLACES - 1 && part.end > part.s && part.end[-1] != '\n')
		part.end--;
	return part;
}

void text_sample(struct text_reader *r, struct text_span text)
{
	size_t size = (size_t)(text.end - text.s);
	struct survey_result s = SURVEY_EMPTY;
	uint64_t lines = 0, wanted = 0, bytes = 0;
	int places = size > PLACES * PLACE_BYTES ? PLACES : 1;

	if (!r->opt->sample_above || size / PER_RECORD <= r->opt->sample_above)
		return;
	for (int k = 0; k < places; k++) {
		struct text_span part = places > 1 ? place(text, k) : text;

		look_at(&s, r, part, &lines, &wanted);
		bytes += (uint64_t)(part.end - part.s);
	}
	if (!lines)
		return;
	s.bytes = size / PER_RECORD;
	s.events = (double)wanted * (double)size / (double)bytes;
	survey_windows(r->t, &s, r->opt);
}

bool text_in_window(struct text_reader *r, int64_t at_ns)
{
	const struct trace *t = r->t;
	int lo = 0, hi = t->nwindows;

	/* nearly every line lies in the same window or gap as the one before, but times may step back */
	if (at_ns >= r->stretch.from_ns && at_ns < r->stretch.to_ns)
		return r->stretch_in_window;
	while (lo < hi) {
		int mid = (lo + hi) / 2;

		if (t->window[mid].to_ns <= at_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	r->stretch_in_window = lo < t->nwindows && t->window[lo].from_ns <= at_ns;
	if (r->stretch_in_window)
		r->stretch = t->window[lo];
	else
		r->stretch = (struct window){lo ? t->window[lo - 1].to_ns : INT64_MIN,
			lo < t->nwindows ? t->window[lo].from_ns : INT64_MAX};
	return r->stretch_in_window;
}
