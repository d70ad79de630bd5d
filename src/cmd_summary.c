// SPDX-License-Identifier: GPL-2.0-or-later
/* reidle summary: one file to attach to a bug: machine, method, tables, pictures, what is not known. */
#include "src/output.h"
#include "src/recording_report.h"
#include "src/recording_whatif.h"
#include "src/subcommand.h"
#include "src/svg.h"
#include "src/worst.h"

#include <stdlib.h>
#include <string.h>

#define ZOOM_NS (20 * NSEC_PER_MSEC)

static bool ends_with(const char *s, const char *end)
{
	size_t n = s ? strlen(s) : 0, k = strlen(end);

	return n >= k && !strcmp(s + n - k, end);
}

static enum out_format format_of(const struct options *o)
{
	return ends_with(o->output, ".html") || ends_with(o->output, ".htm") ? FORMAT_HTML : FORMAT_MD;
}

static void heading(FILE *out, enum out_format format, const char *text)
{
	if (format == FORMAT_HTML)
		fprintf(out, "<h2>%s</h2>\n", text);
	else
		fprintf(out, "### %s\n\n", text);
}

static void paragraph(FILE *out, enum out_format format, const char *text)
{
	fputs(format == FORMAT_HTML ? "<p>" : "", out);
	if (format == FORMAT_HTML)
		html_text(out, text);
	else
		table_wrap(out, "", "", text);
	fputs(format == FORMAT_HTML ? "</p>\n" : "\n", out);
}

static void begin_html(FILE *out)
{
	fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>reidle summary</title>\n"
	      "<style>\n"
	      "body{font:14px/1.45 system-ui,sans-serif;max-width:1000px;margin:2em auto;padding:0 1em;"
	      "color:#1a1a1a;background:#fff}\n"
	      "dl{display:grid;grid-template-columns:8em 1fr;gap:.2em 1em}dt{color:#555}dd{margin:0}\n"
	      "table{border-collapse:collapse;margin:1em 0;font-variant-numeric:tabular-nums}\n"
	      "caption{text-align:left;font-weight:600;padding:.3em 0}\n"
	      "td,th{padding:.15em .45em;text-align:right;border-bottom:1px solid #ddd}\n"
	      "th{vertical-align:bottom;color:#555;font-weight:600}.l{text-align:left}\n"
	      "tr.rule td{border-top:2px solid #999}.note{color:#555;font-size:12px}\n"
	      "svg{max-width:100%;height:auto;margin:.5em 0}svg text{font:11px system-ui,sans-serif;"
	      "fill:#444}\n.lane{fill:#fff;stroke:#ccc}.mark{stroke:#d00;fill:none}\n"
	      ".legend span{display:inline-block;width:1em;height:1em;vertical-align:-.15em}"
	      ".run{border:1px solid #ccc}\n</style></head><body>\n", out);
}

static void pictures(FILE *out, const struct run *r, const struct worst *worst)
{
	const struct trace *t = r->trace;
	int64_t at, from;

	fputs("<h3>Whole recording</h3>\n", out);
	svg_timeline(out, r, t->origin_ns, t->end_ns, INT64_MIN, "states asked for, whole recording");
	svg_legend(out, r);
	if (worst->n) {
		at = worst->row[0].p->enter_ns;
		from = max64(at - ZOOM_NS / 2, t->origin_ns);
		fputs("<h3>Around the most expensive decision</h3>\n", out);
		svg_timeline(out, r, from, min64(from + ZOOM_NS, t->end_ns), at,
			"states asked for, around the most expensive decision");
	}
	fputs("<h3>Lengths of idle periods</h3>\n", out);
	svg_lengths(out, r, "number of idle periods by length and state");
}

static int states(const struct whatif *w, const char *by, enum out_format format, FILE *out,
	struct error *err)
{
	struct facts facts[1 + GOVERNORS_MAX];
	struct style_set set = {.run = facts, .nruns = w->nruns, .format = format,
		.caption = strcmp(by, "cpu") ? "All CPUs" : "By CPU", .name = base_name(w->s.name)};
	struct grouping g;
	int ret;

	if (grouping_make(&g, by, &w->run[0].machine, w->run[0].ncpus, NULL, err))
		return -1;
	ret = whatif_facts(w, &g, facts, err);
	if (!ret) {
		style_write(&set, style_find("default", err), out);
		for (size_t i = 0; i < w->nruns; i++)
			facts_free(&facts[i]);
	}
	grouping_free(&g);
	return ret;
}

static void unknowns(const struct whatif *w, enum out_format format, FILE *out)
{
	const struct recording *r = &w->s.rec;
	char text[300];

	report_losses(r->trace, format, out);
	report_inputs(r, format, out);
	if (w->taught_known) {
		snprintf(text, sizeof(text), "%llu of %llu decisions could not be determined: their inputs "
			"are known too roughly to tell the choice.",
			(unsigned long long)w->taught.undetermined,
			(unsigned long long)w->taught.decisions);
		paragraph(out, format, text);
	}
	for (int i = 0; i < r->trace->nwarnings; i++)
		paragraph(out, format, r->trace->warning[i]);
}

static const char method[] =
	"States are those asked for, not what the hardware did. above: the state asked for was too deep "
	"for the length; below: a deeper enabled state would have fitted; both by the kernel's own "
	"arithmetic. Replays hold the wake times as recorded and make ticks, aborted entries and time-outs "
	"anew; the self check above says how well that gives the recording back. The oracle knows each "
	"length and bounds what any governor could reach.";

static int body(const struct whatif *w, const struct options *o, enum out_format format, FILE *out,
	struct error *err)
{
	struct worst worst;
	struct header h;

	header_begin(&h, out, format, "summary");
	header_recording(&h, &w->s.rec);
	header_fidelity(&h, &w->s.rec);
	whatif_head(&h, w, o);
	header_command(&h, o);
	header_end(&h);
	heading(out, format, "Method");
	paragraph(out, format, method);
	worst_find(&worst, &w->run[0], 10);
	if (format == FORMAT_HTML) {
		heading(out, format, "Pictures");
		pictures(out, &w->run[0], &worst);
	}
	heading(out, format, "Idle states");
	if (states(w, "all", format, out, err) ||
		(w->run[0].ncpus <= 32 && states(w, "cpu", format, out, err))) {
		worst_free(&worst);
		return -1;
	}
	heading(out, format, "Wake-ups");
	report_wakes(&w->run[0], "", format, out);
	heading(out, format, "Most expensive decisions");
	worst_write(&worst, &w->run[0], format, out);
	worst_free(&worst);
	heading(out, format, "What could not be determined");
	unknowns(w, format, out);
	return 0;
}

static int one_file(const char *path, const struct options *o, enum out_format format, FILE *out,
	struct error *err)
{
	static const char *oracle[] = {"oracle"};
	struct options with = *o;
	struct whatif w;
	int ret;

	if (!with.governors.n)
		with.governors = (struct text_list){.s = oracle, .n = 1};
	if (whatif_open(&w, path, &with, err))
		return -1;
	subject_warn(&w.s, o);
	ret = body(&w, o, format, out, err);
	whatif_close(&w);
	return ret;
}

static int summary(const struct options *o, struct error *err)
{
	enum out_format format = format_of(o);
	struct output out;
	int ret = 0;

	if (!o->files.n)
		return error_set(err, EXIT_USAGE, "summary: no recording given");
	if (o->format == FORMAT_CSV || o->format == FORMAT_JSON)
		return error_set(err, EXIT_USAGE, "summary: markdown or HTML, by the ending of -o; whatif has CSV and JSON");
	if (output_open(&out, o->output, err))
		return -1;
	if (format == FORMAT_HTML)
		begin_html(out.f);
	for (size_t i = 0; i < o->files.n && !ret; i++)
		ret = one_file(o->files.s[i], o, format, out.f, err);
	if (format == FORMAT_HTML)
		fputs("</body></html>\n", out.f);
	if (ret) {
		output_abort(&out);
		return -1;
	}
	return output_close(&out, err) ? -1 : EXIT_FINE;
}

const struct subcommand cmd_summary = {
	"summary", "FILE... [-g GOV] -o report.md|.html", "one file to attach to a bug report", summary, false,
};
