// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trace text into a trace. One pass where each CPU's times only grow, as they nearly always do; where
 * they step back, a second pass keeps all events, sorts them and counts the steps.
 */
#include "parsers/text_reader.h"

#include <stdlib.h>
#include <string.h>

#define PROBE_BYTES (256UL << 10)
#define PROGRESS_BYTES (4UL << 20)

static void add_item(struct text_reader *r, const struct event *ev)
{
	GROW(r->item, r->nitems, r->item_cap);
	r->item[r->nitems] = (struct text_item){.ev = *ev, .order = r->nitems};
	r->nitems++;
}

static void add_hole(struct text_reader *r, const struct text_head *h)
{
	int64_t lost = r->cpu_lost[h->cpu] < 0 ? -1 : r->cpu_lost[h->cpu] - 1;
	int64_t from = min64(r->cpu_last[h->cpu], h->at_ns);
	struct event hole = {.at_ns = h->at_ns, .cpu = (uint16_t)h->cpu, .a = lost, .b = from};

	if (from == INT64_MIN)
		hole.b = h->at_ns;
	r->cpu_lost[h->cpu] = 0;
	if (r->sorting)
		add_item(r, &hole);
	else
		trace_hole(r->t, h->cpu, hole.b, h->at_ns, lost);
}

static void add_event(struct text_reader *r, const struct event *ev)
{
	bool idle = ev->kind == EV_IDLE || ev->kind == EV_MISS;
	int cpu = idle ? (int)ev->obj : ev->cpu;

	if ((cpu < 0 || cpu >= r->cpus_used) && !text_cpu(r, cpu)) {
		r->t->bad_records++;
		return;
	}
	if (r->sorting) {
		add_item(r, ev);
		return;
	}
	if (ev->at_ns < r->t->cpu[cpu].last_ns)
		r->went_back = true;
	trace_add(r->t, ev);
}

static void note_head(struct text_reader *r, const struct text_head *h)
{
	r->lines++;
	r->layout = h->layout;
	r->perf |= h->perf;
	if (h->digits < r->min_digits)
		r->min_digits = h->digits;
	if (h->digits > r->max_digits)
		r->max_digits = h->digits;
	r->first_ns = min64(r->first_ns, h->at_ns);
	r->last_ns = max64(r->last_ns, h->at_ns);
}

/* the fields of a line; what is missing may stand on the lines below */
static enum text_result fields(struct text_reader *r, struct text_span line,
	const struct text_head *first, struct event *ev, enum ev_kind *kind)
{
	const struct text_events *of = r->t->nwindows && !text_in_window(r, first->at_ns) ? r->outside : r->events;
	enum text_result got = text_event(of, ev, first, r->t, true, kind);
	struct text_head h = *first;
	const char *start = r->next;

	for (int i = 0; got == TEXT_LACKING && i < 4 && text_join(r, &line); i++)
		if (text_head(&h, line, r->layout))
			got = text_event(of, ev, &h, r->t, true, kind);
	if (got != TEXT_LACKING)
		return got;
	r->next = start;
	return text_event(of, ev, first, r->t, false, kind);
}

static void read_line(struct text_reader *r, struct text_span line)
{
	enum ev_kind kind = EV_NONE;
	enum text_result got;
	struct text_head h;
	struct event ev;

	if (!text_head(&h, line, r->layout)) {
		if (!text_head_wrapped(r, line) || !text_join(r, &line) ||
			!text_head(&h, line, r->layout)) {
			text_other_line(r, line);
			return;
		}
	}
	if (r->opt->instance && !text_of_instance(r->opt->instance, line))
		return;
	if (h.cpu >= r->cpus_used && !text_cpu(r, h.cpu))
		return;
	note_head(r, &h);
	if (r->cpu_lost[h.cpu])
		add_hole(r, &h);
	got = fields(r, line, &h, &ev, &kind);
	if (h.at_ns < r->cpu_last[h.cpu])
		r->cpu_back[h.cpu]++;
	r->cpu_last[h.cpu] = h.at_ns;
	if (kind != EV_NONE)
		r->t->seen |= EV_BIT(kind);
	if (got == TEXT_EVENT)
		add_event(r, &ev);
	r->lacking += got == TEXT_LACKING;
}

static int pass(struct text_reader *r, struct text_span text, struct error *err)
{
	const char *report = text.s + PROGRESS_BYTES;
	struct text_span line;

	r->next = text.s;
	r->end = text.end;
	while (!r->went_back && text_next_line(r, &line)) {
		read_line(r, line);
		if (r->next < report)
			continue;
		report = r->next + PROGRESS_BYTES;
		if (r->opt->progress && r->opt->progress(r->opt->ctx,
			(double)(r->next - text.s) / (double)(text.end - text.s)))
			return error_set(err, EXIT_INPUT, "cancelled");
	}
	return 0;
}

/* as before the first pass; names stay, they are the same */
static void restart(struct text_reader *r)
{
	for (int i = 0; i < r->t->ncpus; i++) {
		struct cpu_trace *c = &r->t->cpu[i];

		free(c->period);
		free(c->ev);
		free(c->hole);
		*c = (struct cpu_trace){.first_ns = INT64_MAX, .last_ns = INT64_MIN};
		r->cpu_last[i] = INT64_MIN;
		r->cpu_lost[i] = 0;
		r->cpu_back[i] = 0;
	}
	r->t->lost_events = r->t->lost_unknown = 0;
	r->lines = r->lacking = 0;
	r->went_back = false;
	r->sorting = true;
}

static int by_time(const void *a, const void *b)
{
	const struct text_item *x = a, *y = b;

	if (x->ev.at_ns != y->ev.at_ns)
		return x->ev.at_ns < y->ev.at_ns ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static void add_sorted(struct text_reader *r)
{
	qsort(r->item, r->nitems, sizeof(*r->item), by_time);
	for (size_t i = 0; i < r->nitems; i++) {
		const struct event *ev = &r->item[i].ev;

		if (ev->kind == EV_NONE)
			trace_hole(r->t, ev->cpu, ev->b, ev->at_ns, ev->a);
		else
			trace_add(r->t, ev);
	}
	for (int i = 0; i < r->cpus_used; i++) {
		r->t->cpu[i].back_steps = r->cpu_back[i];
		r->back_steps += r->cpu_back[i];
	}
	trace_warn(r->t, "times step back %llu times within a CPU: sorted",
		(unsigned long long)r->back_steps);
}

static void say_clock(struct text_reader *r)
{
	struct trace *t = r->t;

	if (r->min_digits < 0)
		trace_warn(t, "times are us since the start of a latency trace");
	else if (r->min_digits == 0)
		trace_warn(t, "times have no fraction: taken as ns; wrong if the clock counts anything else");
	else if (r->max_digits < 9)
		trace_warn(t, "times are rounded to us in this text: each length is right to 1 us");
}

static void finish(struct text_reader *r, const char *format)
{
	struct trace *t = r->t;
	int ncpus = r->cpus_said > r->cpus_used ? r->cpus_said : r->cpus_used;

	if (r->sorting)
		add_sorted(r);
	trace_cpus(t, ncpus);
	t->ncpus = ncpus; /* room was made in steps; CPUs beyond hold nothing */
	t->events = r->lines;
	t->bad_records += r->lacking;
	t->origin_ns = r->first_ns;
	t->end_ns = r->last_ns;
	if (!format)
		format = r->perf ? "perf script" : r->trace_cmd ? "trace-cmd report" : "ftrace text";
	copy_text(t->format, sizeof(t->format), format);
	say_clock(r);
	if (r->written > r->kept)
		trace_warn(t, "%lld of %lld events were overwritten before the text begins",
			(long long)(r->written - r->kept), (long long)r->written);
	if (r->lacking)
		trace_warn(t, "%llu event lines lack fields: cut or wrapped",
			(unsigned long long)r->lacking);
}

int text_parse_bytes(const char *name, struct text_span text, const char *format,
	const struct parse_options *opt, struct trace *out, struct error *err)
{
	struct text_reader r = {.t = out, .opt = opt, .events = text_events_new(opt->want),
		.outside = text_events_new(opt->want & (EV_WANT_IDLE | EV_BIT(EV_MARKER))),
		.first_ns = INT64_MAX, .last_ns = INT64_MIN, .min_digits = 9, .max_digits = -1};
	int ret;

	text_sample(&r, text);
	ret = pass(&r, text, err);
	if (!ret && r.went_back) {
		restart(&r);
		ret = pass(&r, text, err);
	}
	if (ret)
		error_prefix(err, "%s", name);
	else if (!r.lines)
		ret = error_set(err, EXIT_INPUT, "%s: no event line%s%s%s in this text", name,
			opt->instance && *opt->instance ? " of instance '" : "",
			opt->instance ? opt->instance : "", opt->instance && *opt->instance ? "'" : "");
	else
		finish(&r, format);
	free(r.events);
	free(r.outside);
	free(r.item);
	free(r.cpu_last);
	free(r.cpu_lost);
	free(r.cpu_back);
	return ret;
}

bool text_looks(struct text_span text)
{
	const char *p = text.s, *end = text.end;
	struct text_head h;

	if ((size_t)(end - p) > PROBE_BYTES)
		end = p + PROBE_BYTES;
	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));

		if (text_head(&h, (struct text_span){p, nl ? nl : end}, TEXT_BRACKET) &&
			h.name.end > h.name.s)
			return true;
		p = nl ? nl + 1 : end;
	}
	return false;
}

static int probe(const struct input *in)
{
	struct text_span text = {(const char *)in->data, (const char *)in->data + in->size};
	size_t head = in->size < 4096 ? in->size : 4096;

	/* trace.dat holds text too */
	if (!in->size || memchr(in->data, '\0', head))
		return 0;
	return text_looks(text) ? 50 : 0;
}

static int parse(const struct input *in, const struct parse_options *opt, struct trace *out,
	struct error *err)
{
	struct text_span text = {(const char *)in->data, (const char *)in->data + in->size};
	char *decoded = text_is_encoded(text) ? text_decode(text, &text) : NULL;
	int ret = text_parse_bytes(in->name, text, NULL, opt, out, err);

	free(decoded);
	return ret;
}

const struct parser parser_text = {
	.name = "text",
	.what = "trace-cmd report, tracefs or perf script text",
	.from_head = true,
	.probe = probe,
	.parse = parse,
};
