// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dat.h"
#include "parsers/dat_walk.h"
#include "parsers/parser.h"

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

static int check_instance(struct dat *d)
{
	char list[200] = "";
	bool text = false;

	for (int i = 0; i < d->nbuffers; i++) {
		size_t n = strlen(list);

		if (dat_chosen(d, &d->buffer[i]))
			return 0;
		text = text || d->buffer[i].text;
		snprintf(list + n, sizeof(list) - n, "%s\"%s\"", n ? ", " : "", d->buffer[i].name);
	}
	if (text)
		return dat_fail(d, NULL, "holds a latency tracer's text, no events: record with trace-cmd "
			"record -e power");
	return dat_fail(d, NULL, "no instance \"%s\"; there are %s", d->opt->instance, list);
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
	t->cmdlines = xcalloc(len + 1, 1);
	memcpy(t->cmdlines, c.p, len);
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

	if (known || unknown)
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
	snprintf(t->format, sizeof(t->format), "trace.dat v%d", d->version);
	if (check_instance(d) || settle_clock(d, t))
		return -1;
	t->seen = d->events.seen;
	settle_kernel(t, d->uname);
	if (dat_walk(d, t))
		return -1;
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
