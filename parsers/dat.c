// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dat.h"
#include "parsers/dat_head.h"
#include "parsers/dat_walk.h"
#include "parsers/parser.h"
#include "parsers/text.h"

#include <stdlib.h>

static int dat_probe(const struct input *in)
{
	return in->size >= 10 && !memcmp(in->data, "\x17\x08\x44tracing", 10) ? 100 : 0;
}

struct clock_kind {
	const char *name;
	bool is_ns, global;
	const char *warning;
};

/* kernel/trace/trace.c trace_clocks[] */
static const struct clock_kind clock_list[] = {
	{"local", true, false, "clock \"local\" is not ordered across CPUs: no latencies between CPUs"},
	{"global", true, true, NULL},
	{"perf", true, false, "clock \"perf\" is not ordered across CPUs: no latencies between CPUs"},
	{"mono", true, true, NULL},
	{"mono_raw", true, true, NULL},
	{"boot", true, true, NULL},
	{"tai", true, true, NULL},
	{"uptime", true, true, "clock \"uptime\" moves by whole jiffies: lengths below a tick mean nothing"},
};

static const struct clock_kind *find_clock(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(clock_list); i++)
		if (!strcmp(clock_list[i].name, name))
			return &clock_list[i];
	return NULL;
}

static const char *clock_of(const struct dat *d)
{
	for (int i = 0; i < d->nbuffers; i++)
		if (dat_chosen(d, &d->buffer[i]) && *d->buffer[i].clock)
			return d->buffer[i].clock;
	return d->clock;
}

static int settle_clock(struct dat *d, struct trace *t)
{
	const char *name = clock_of(d);
	const struct clock_kind *clock = find_clock(name);

	copy_text(t->clock, sizeof(t->clock), name);
	t->clock_global = clock ? clock->global : *name != '\0';
	if (d->tsc)
		return 0;
	if (!*name)
		trace_warn(t, "the recording does not name its clock: times are taken as ns of one CPU");
	else if (!clock)
		return dat_fail(d, NULL, "clock \"%s\" counts %s, which cannot be made ns: record with "
			"-C mono", name, strcmp(name, "counter") ? "cycles" : "events");
	if (clock && clock->warning)
		trace_warn(t, "%s", clock->warning);
	return 0;
}

/* a buffer to read: one with records if there is any; NULL: no such instance */
static const struct dat_buffer *chosen_buffer(const struct dat *d)
{
	const struct dat_buffer *text = NULL;

	for (int i = 0; i < d->nbuffers; i++) {
		const struct dat_buffer *b = &d->buffer[i];

		if (dat_chosen(d, b))
			return b;
		if (b->text && (!d->opt->instance || !strcmp(d->opt->instance, b->name)))
			text = b;
	}
	return text;
}

static int no_instance(struct dat *d)
{
	char list[200] = "";

	for (int i = 0; i < d->nbuffers; i++) {
		size_t n = strlen(list);

		snprintf(list + n, sizeof(list) - n, "%s\"%s\"", n ? ", " : "", d->buffer[i].name);
	}
	return dat_fail(d, NULL, "no instance \"%s\"; there are %s", d->opt->instance, list);
}

/* trace-cmd record of a latency tracer keeps the kernel's text: lines as in tracefs */
static int read_text(struct dat *d, const struct dat_buffer *b, struct trace *t)
{
	uint64_t len = dat_size(d) - b->text_at;
	struct cursor c = {.p = NULL};
	struct input in = {.name = d->in->name, .fd = -1};

	if (d->version == 7 && dat_section(d, b->text_at, DAT_BUFFER_TEXT, &c))
		return -1;
	in.data = d->version == 7 ? c.p : dat_view(d, b->text_at, len);
	in.size = d->version == 7 ? cursor_left(&c) : len;
	if (!in.data || !parser_text.probe(&in))
		return dat_fail(d, NULL, "holds the text of a tracer without events: record with trace-cmd "
			"record -e power");
	return parser_text.parse(&in, d->opt, t, d->err);
}

/* "Linux host 6.12.117+deb13-amd64 x86_64" */
static void settle_kernel(struct trace *t, const char *uname)
{
	const char *p = uname, *last = strrchr(uname, ' ');
	int major, minor, patch = 0, n = 0, abi = 0;

	copy_text(t->uname, sizeof(t->uname), uname);
	t->uname[strcspn(t->uname, "\n")] = '\0';
	for (int i = 0; i < 2 && p; i++)
		p = (p = strchr(p, ' ')) ? p + 1 : NULL;
	if (!p || sscanf(p, "%d.%d%n", &major, &minor, &n) < 2)
		return;
	snprintf(t->kernel, sizeof(t->kernel), "%d.%d", major, minor);
	/* Debian's "6.1.0-50-amd64" numbers the ABI: the stable release is not told */
	if (sscanf(p + n, ".%d-%d", &patch, &abi) == 2 && !patch && abi > 0)
		last = last ? last : p;
	else if (sscanf(p + n, ".%d", &patch) == 1)
		snprintf(t->kernel, sizeof(t->kernel), "%d.%d.%d", major, minor, patch);
	if (!last || last < p)
		return;
	copy_text(t->arch, sizeof(t->arch), !strncmp(last + 1, "aarch64", 7) ? "arm64" : last + 1);
	t->arch[strcspn(t->arch, "\n")] = '\0';
}

static void settle_cmdlines(struct dat *d, struct trace *t)
{
	struct cursor c = dat_text(d, DAT_CMDLINES);
	uint64_t len = cursor_left(&c);

	if (!len)
		return;
	t->cmdlines = xcalloc(len + 2, 1);
	memcpy(t->cmdlines, c.p, len);
	for (uint64_t i = 0; i < len; i++)
		if (t->cmdlines[i] == '\n')
			t->cmdlines[i] = '\0';
}

static void warn_time(const struct dat *d, struct trace *t)
{
	if (d->time_shift)
		trace_warn(t, "a guest's recording: its times are the guest's own, not shifted to the host's");
	if (d->cut)
		trace_warn(t, "the file is cut: what is whole was read");
}

/* two buffers with the same events make two entries of each */
static void warn_doubles(const struct dat *d, struct trace *t)
{
	uint64_t reenters = 0, periods = 0;

	for (int i = 0; i < t->ncpus; i++) {
		reenters += t->cpu[i].reenters;
		periods += t->cpu[i].nperiods;
	}
	if (d->nbuffers > 1 && !d->opt->instance && reenters > 10 && reenters > periods / 4)
		trace_warn(t, "more than one of the %d buffers seems to hold the same cpu_idle events: choose "
			"one with --instance", d->nbuffers);
}

static void warn_losses(const struct dat *d, struct trace *t)
{
	unsigned long long known = t->lost_events, unknown = t->lost_unknown;

	if (!known && unknown)
		trace_warn(t, "events were lost, in unknown number: those stretches count for nothing; larger buffers "
			"(-b) help");
	else if (known)
		trace_warn(t, "%llu events are known to be lost%s: those stretches count for nothing; larger "
			"buffers (-b) help", known, unknown ? ", others in unknown number" : "");
	if (d->stat_lost > known && !unknown && !d->opt->instance)
		trace_warn(t, "the kernel counted %llu lost events, the pages tell of %llu: the rest is at "
			"the ends of the recording", (unsigned long long)d->stat_lost, known);
	if (t->bad_pages)
		trace_warn(t, "damaged pages dropped: %llu", (unsigned long long)t->bad_pages);
	if (t->bad_records)
		trace_warn(t, "damaged records dropped: %llu", (unsigned long long)t->bad_records);
}

static int read_all(struct dat *d, struct trace *t)
{
	const struct dat_buffer *b = chosen_buffer(d);

	if (!b)
		return no_instance(d);
	settle_kernel(t, d->uname);
	if (b->text)
		return read_text(d, b, t);
	snprintf(t->format, sizeof(t->format), "trace.dat v%d", d->version);
	if (settle_clock(d, t))
		return -1;
	t->seen = d->events.seen;
	dat_sample(d, t);
	dat_head(d);
	if (dat_walk(d, t))
		return -1;
	dat_head_end(d, t);
	if (t->want & EV_BIT(EV_SWITCH))
		settle_cmdlines(d, t);
	warn_time(d, t);
	warn_losses(d, t);
	warn_doubles(d, t);
	return 0;
}

static int dat_parse(const struct input *in, const struct parse_options *opt, struct trace *out,
	struct error *err)
{
	struct dat *d = xcalloc(1, sizeof(*d));
	int r = dat_open(d, in, opt, err);

	if (!r)
		r = read_all(d, out);
	dat_close(d);
	free(d);
	return r;
}

const struct parser parser_dat = {
	.name = "trace.dat",
	.what = "trace-cmd recording (file version 6 or 7)",
	.from_fd = true,
	.probe = dat_probe,
	.parse = dat_parse,
};
