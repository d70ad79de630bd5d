// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/recording_header.h"

#include "src/json.h"
#include "src/recording_sample.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

void header_begin(struct header *h, FILE *out, enum out_format format, const char *command)
{
	h->out = out;
	h->format = format;
	if (format == FORMAT_MD)
		fprintf(out, "## reidle %s %s\n\n", REIDLE_VERSION, command);
	else if (format == FORMAT_HTML)
		fprintf(out, "<h1>reidle %s %s</h1>\n<dl>\n", REIDLE_VERSION, command);
	else
		fprintf(out, "%sreidle %s %s\n", format == FORMAT_CSV ? "# " : "", REIDLE_VERSION, command);
}

static void put_line(const struct header *h, const char *label, const char *text)
{
	char first[32], next[32];

	switch (h->format) {
	case FORMAT_MD:
		/* a line without a label goes on with the one before */
		fprintf(h->out, *label ? "- %s: %s\n" : "  %s%s\n", label, text);
		break;
	case FORMAT_CSV:
		fprintf(h->out, "# %s: %s\n", label, text);
		break;
	case FORMAT_HTML:
		fputs("<dt>", h->out);
		html_text(h->out, label);
		fputs("</dt><dd>", h->out);
		html_text(h->out, text);
		fputs("</dd>\n", h->out);
		break;
	default:
		snprintf(first, sizeof(first), "%-11s ", label);
		snprintf(next, sizeof(next), "%-11s ", "");
		table_wrap(h->out, first, next, text);
	}
}

void header_line(const struct header *h, const char *label, const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	for (char *p = text; *p; p++)
		if ((unsigned char)*p < ' ' || (unsigned char)*p > '~')
			*p = '?';
	put_line(h, label, text);
	free(text);
}

void header_end(const struct header *h)
{
	put_line(h, "legend", "requested state, not hardware residency");
	if (h->format == FORMAT_HTML)
		fputs("</dl>\n", h->out);
	else if (h->format != FORMAT_CSV)
		fputc('\n', h->out);
}

/* "C6 85/200" per state, in us; s2idle's residency of 2^32-1 us is no number to print */
static void state_text(char *out, size_t size, const struct machine *m, const struct idle_state *s)
{
	if (m->source == MACHINE_GUESSED)
		snprintf(out, size, "%s", s->name);
	else if (s->exit_latency_ns < 0 || s->target_residency_ns < 0)
		snprintf(out, size, "%s ?/?", s->name);
	else if (s->target_residency_ns >= 4294967295LL * 1000)
		snprintf(out, size, "%s %g/never", s->name, (double)s->exit_latency_ns / 1e3);
	else
		snprintf(out, size, "%s %g/%g%s", s->name, (double)s->exit_latency_ns / 1e3,
			(double)s->target_residency_ns / 1e3, s->disabled ? " (off)" : "");
}

void header_table(const struct header *h, const char *label, const struct machine *m)
{
	char one[96], all[STATES_MAX * 120], *cpus;
	size_t n;

	for (int i = 0; i < m->ntables; i++) {
		const struct state_table *t = &m->tables[i];

		n = 0;
		for (int s = 0; s < t->nstates; s++) {
			state_text(one, sizeof(one), m, &t->state[s]);
			n += (size_t)snprintf(all + n, sizeof(all) - n, "%s%s%s", s ? ", " : "", one,
				t->state[s].polling ? " (polling)" : "");
		}
		if (m->ntables == 1) {
			header_line(h, label, "%s: %s",
				*m->from ? base_name(m->from) : machine_source_name(m->source), all);
			continue;
		}
		cpus = json_table_cpus(m, i);
		header_line(h, i ? "" : label, "%s%sCPUs %s: %s", i ? "" : base_name(m->from),
			i ? "" : ": ", cpus, all);
		free(cpus);
	}
	if (m->source != MACHINE_GUESSED)
		header_line(h, "", "(exit latency/target residency in us)");
}

static void lost_line(const struct header *h, const struct trace *t)
{
	uint64_t orphans = 0, reenters = 0;

	for (int i = 0; i < t->ncpus; i++) {
		orphans += t->cpu[i].orphan_exits;
		reenters += t->cpu[i].reenters;
	}
	header_line(h, "lost", "%llu events%s, %llu damaged pages; %llu exits without entry, %llu entries "
		"without exit",
		(unsigned long long)t->lost_events, t->lost_unknown ? " and more, uncounted" : "",
		(unsigned long long)t->bad_pages, (unsigned long long)orphans,
		(unsigned long long)reenters);
}

void header_recording(const struct header *h, const struct recording *r)
{
	const struct trace *t = r->trace;
	const struct machine *m = &r->machine;
	char hz[80];

	header_line(h, "recording", "%s, sha256 %.12s, %.6f s, clock %s, %s", base_name(t->path),
		*t->sha256 ? t->sha256 : "unknown", (double)(t->end_ns - t->origin_ns) / 1e9,
		*t->clock ? t->clock : "unknown", t->format);
	lost_line(h, t);
	header_line(h, "machine", "%d CPUs, %s, idle driver %s%s", t->ncpus,
		*t->arch ? t->arch : "architecture unknown", *m->driver ? m->driver : "unknown",
		t->emulated ? ", EMULATED: latencies are not those of hardware" : "");
	if (r->have_decisions && r->decisions.hz)
		snprintf(hz, sizeof(hz), ", HZ %d (%s)", r->decisions.hz, r->decisions.hz_source);
	else if (m->hz)
		snprintf(hz, sizeof(hz), ", HZ %d", m->hz);
	else
		snprintf(hz, sizeof(hz), "%s", r->have_decisions ? ", HZ unknown" : "");
	header_line(h, "kernel", "%s%s, governor %s", *t->kernel ? t->kernel : "unknown", hz,
		*r->governor ? r->governor : "unknown");
	header_table(h, "table", m);
}

/* -1: why is told */
static int measure_fidelity(struct verify_result *v, struct gov_spec *spec, const struct recording *r,
	struct error *err)
{
	struct replay_options opt = {.limit_ns = -1, .warmup = 40, .threads = 1};

	if (governor_for_recording(spec, r->governor, r->kernel, err))
		return -1;
	if (!r->sample)
		return replay_taught(v, &r->decisions, &r->machine, spec, &opt, NULL, err);
	*v = r->sample->fidelity;
	if (*r->sample->no_fidelity)
		return error_set(err, EXIT_INPUT, "%s", r->sample->no_fidelity);
	return 0;
}

void header_fidelity(const struct header *h, const struct recording *r)
{
	struct verify_result v;
	struct gov_spec spec;
	struct error err;
	bool low;

	if (!r->have_decisions)
		return;
	if (!*r->governor) {
		header_line(h, "fidelity", "not measured: the recorded governor is not known");
		return;
	}
	if (measure_fidelity(&v, &spec, r, &err)) {
		header_line(h, "fidelity", "not measured: %s", err.text);
		return;
	}
	if (!v.compared || v.agreement != v.agreement) {
		header_line(h, "fidelity", "not measured: %s, no decision to compare", spec.label);
		return;
	}
	/* a wrong generation of a governor repeats little, which is no fault of the replay */
	low = !strncmp(spec.confidence, "low", 3);
	header_line(h, "fidelity", "%s repeats %.3f %% of %llu recorded decisions (taught; %llu "
		"undetermined; same as last time: %.2f %%)%s%s%s", spec.label, 100 * v.agreement,
		(unsigned long long)v.compared, (unsigned long long)v.undetermined,
		v.naive_compared ? 100.0 * (double)v.naive_agree / (double)v.naive_compared : 0.0,
		r->trace->emulated ? ", on an emulated machine" : "",
		low ? "; confidence " : "", low ? spec.confidence : "");
}

void header_sample(const struct header *h, const struct recording *r)
{
	const struct sample *s = r->sample;

	if (s && s->windows == 1)
		header_line(h, "sampled", "wake sources, wake-up latencies, fidelity and governor inputs are "
			"from the selected time and a little around it: %llu of %llu events (--full "
			"analyses all)", (unsigned long long)s->events,
			(unsigned long long)r->trace->events);
	else if (s)
		header_line(h, "sampled", "wake sources, wake-up latencies, fidelity and governor inputs are "
			"from %d windows spread over the recording: %.3g %% of its time, %llu of %llu events; "
			"all else is from all of it (--full analyses all)", s->windows, 100 * s->share,
			(unsigned long long)s->events, (unsigned long long)r->trace->events);
}

void header_warnings(const struct header *h, const struct recording *r)
{
	for (int i = 0; i < r->trace->nwarnings; i++)
		header_line(h, "note", "%s", r->trace->warning[i]);
}

void header_command(const struct header *h, const struct options *o)
{
	header_line(h, "command", "%s", o->command_line);
}
