// SPDX-License-Identifier: GPL-2.0-or-later
/* reidle explain: one decision step by step: what was given, what the governor made of it, what
 * came. */
#include "replay/feed.h"
#include "src/output.h"
#include "src/recording_header.h"
#include "src/recording_json.h"
#include "src/recording_subject.h"
#include "src/subcommand.h"
#include "src/wakes.h"

#include <stdlib.h>
#include <string.h>

#define EXPLAIN_MAX 8 /* governors side by side */

struct explained {
	const struct options *o;
	struct recording rec;
	const struct state_table *table;
	const struct decision *d;
	size_t index;
	int cpu;
	int ngovs;
	struct gov_spec spec[EXPLAIN_MAX];
	struct explain text[EXPLAIN_MAX];
	struct gov_choice choice[EXPLAIN_MAX];
};

static int one_cpu(struct explained *e, struct error *err)
{
	bool *set;
	int n = 0;

	if (!e->o->cpus)
		return error_set(err, EXIT_USAGE, "explain: one CPU: --cpus N --at TIME");
	set = options_cpus(e->o->cpus, e->rec.trace->ncpus, err);
	if (!set)
		return -1;
	for (int i = 0; i < e->rec.trace->ncpus; i++) {
		if (!set[i])
			continue;
		e->cpu = i;
		n++;
	}
	free(set);
	return n == 1 ? 0
		      : error_set(
				err, EXIT_USAGE, "explain: one CPU, not %d: --cpus N --at TIME", n);
}

/* the last decision that had begun by the time; forced periods asked no governor */
static int find_decision(struct explained *e, struct error *err)
{
	const struct decisions_cpu *c = &e->rec.decisions.cpu[e->cpu];
	int64_t origin = e->rec.trace->origin_ns, at;
	bool found = false;

	if (!e->o->at)
		return error_set(err, EXIT_USAGE,
			"explain: which decision: --at TIME, for example --at 0.5s");
	if (options_time(&at, e->o->at, origin, err))
		return -1;
	if (at < origin || at > e->rec.trace->end_ns)
		return error_set(err, EXIT_USAGE, "explain: --at %s is not in the recording: it is %.6f s long",
			e->o->at, (double)(e->rec.trace->end_ns - origin) / 1e9);
	for (size_t i = 0; i < c->n && (!found || c->d[i].select_ns <= at); i++) {
		/* inferred entries are known by their effect only */
		if (c->d[i].flags & (DEC_FORCED | DEC_INFERRED))
			continue;
		e->index = i;
		found = true;
	}
	if (!found)
		return error_set(err, EXIT_INPUT, "%s: no decision of a governor on CPU %d",
			e->rec.trace->path, e->cpu);
	e->d = &c->d[e->index];
	return 0;
}

static int choose_governors(struct explained *e, struct error *err)
{
	const struct options *o = e->o;
	bool recorded = !o->governors.n;

	for (size_t i = 0; i < o->governors.n; i++) {
		int n = governor_parse_list(e->spec + e->ngovs, EXPLAIN_MAX - 1 - e->ngovs,
			o->governors.s[i], e->rec.kernel, &recorded, err);

		if (n < 0)
			return -1;
		for (int k = 0; k < n; k++)
			if (governor_fits(&e->spec[e->ngovs + k], &e->rec.machine, err))
				return -1;
		e->ngovs += n;
	}
	if (!recorded)
		return 0;
	if (!*e->rec.governor && !o->governor_source)
		return error_set(err, EXIT_INPUT,
			"%s: the recording does not say which governor ran: name it "
			"with -g",
			e->rec.trace->path);
	memmove(e->spec + 1, e->spec, (size_t)e->ngovs++ * sizeof(e->spec[0]));
	return recording_governor(&e->spec[0], &e->rec, o, err);
}

static int examine(struct explained *e, struct error *err)
{
	if (one_cpu(e, err) || find_decision(e, err) || choose_governors(e, err))
		return -1;
	e->table = machine_table(&e->rec.machine, e->cpu);
	if (e->rec.machine.source == MACHINE_GUESSED)
		return error_set(err, EXIT_INPUT,
			"%s: no idle-state table: give one with --states or -t",
			e->rec.trace->path);
	for (int i = 0; i < e->ngovs; i++)
		if (replay_explain(&e->text[i], &e->choice[i], &e->rec.decisions, &e->rec.machine,
			    &e->spec[i], e->cpu, e->index, err))
			return -1;
	return 0;
}

static const char *name_of(const struct explained *e, int state)
{
	return state >= 0 && state < e->table->nstates ? e->table->state[state].name : "-";
}

/* how an input is known */
static const char *known(const struct explained *e, enum decision_input i)
{
	static const char *const words[] = {"recorded", "bounded", "guessed"};

	return words[decision_prov(e->d, i)];
}

static void given(struct explain *x, const struct explained *e)
{
	const struct decision *d = e->d;
	char a[32], b[32];

	explain_line(x, "sleep length", "%s, next clock event in %s (%s)",
		explain_time(a, sizeof(a), d->sleep_ns),
		explain_time(b, sizeof(b), d->tick_delta_ns), known(e, IN_SLEEP));
	if (d->sleep_alt_ns != d->sleep_ns)
		explain_line(x, "", "or %s", explain_time(a, sizeof(a), d->sleep_alt_ns));
	explain_line(x, "tick", "%s (%s)", d->flags & DEC_TICK_STOPPED ? "stopped" : "running",
		known(e, IN_TICK_STOPPED));
	explain_line(x, "latency limit", "%s (%s)",
		d->limit_ns >= LATENCY_ANY ? "none" : explain_time(a, sizeof(a), d->limit_ns),
		known(e, IN_LIMIT));
	if (feed_disabled(e->table))
		explain_line(x, "disabled", "states of mask 0x%x", feed_disabled(e->table));
}

static const char *verdict_word(enum verdict v)
{
	static const char *const words[] = {
		"not judged", "right", "too deep (above)", "too shallow (below)"};

	return words[v];
}

static const struct period *period_of(const struct explained *e)
{
	const struct cpu_trace *c = &e->rec.trace->cpu[e->cpu];

	return e->d->period < c->nperiods ? &c->period[e->d->period] : NULL;
}

/* the ideal state beside the verdict, and why they are no contradiction where they seem to be one */
static void verdict_line(struct explain *x, const struct explained *e)
{
	static const char *const why[] = {
		[REASON_DEEPEST] = ", the deepest there is",
		[REASON_SHALLOWEST] = ", short of its target, but there is none shallower",
		[REASON_EXIT_TIME] = ", which fits the length only before the exit latency is taken off",
		[REASON_OWN_EXIT] = ", but the sleep was no longer than the exit latency",
		[REASON_NEXT_DEEPER] = ", but the kernel looks at the next deeper state only, which does not fit",
		[REASON_DISABLED] = ", the one entered being disabled in the table",
		[REASON_LIMIT] = ", which the latency limit ruled out",
		[REASON_EDGE] = NULL,
	};
	const struct decision *d = e->d;
	enum verdict v = machine_verdict(e->table, d->entered, d->residency_ns);
	int ideal;
	enum verdict_reason r = machine_reason(e->table, d->entered, v, d->residency_ns, d->limit_ns, &ideal);

	explain_line(x, "verdict", "%s; ideal is %s%s", verdict_word(v), name_of(e, ideal), why[r] ? why[r] : "");
}

static void outcome(struct explain *x, const struct explained *e)
{
	const struct decision *d = e->d;
	const struct period *p = period_of(e);
	char a[32];

	if (!p || d->flags & DEC_ABORTED) {
		explain_line(x, "outcome", "a task was already waiting: no idle period");
		return;
	}
	explain_line(x, "entered", "%s", name_of(e, d->entered));
	if (d->flags & DEC_NO_OUTCOME) {
		explain_line(x, "outcome", "the recording ends before the idle period does");
		return;
	}
	explain_line(x, "residency", "%s (%s)", explain_time(a, sizeof(a), d->residency_ns),
		known(e, IN_RESIDENCY));
	explain_line(x, "ended by", "%s%s%s", wake_kind_name((enum wake_kind)p->wake),
		p->wake_name ? " " : "", trace_name(e->rec.trace, p->wake_name));
	verdict_line(x, e);
}

/* markdown and CSV: one row a line */
static void add_lines(struct table *t, const char *part, const struct explain *x)
{
	for (int i = 0; i < x->nitems; i++) {
		table_text(t, "%s", part);
		table_text(t, "%s", x->item[i].label);
		table_text(t, "%s", x->item[i].text);
	}
}

static void write_lines(const struct explain *x, FILE *out)
{
	for (int i = 0; i < x->nitems; i++) {
		char first[48];

		snprintf(first, sizeof(first), "  %-18.40s ", x->item[i].label);
		table_wrap(out, first, "                     ", x->item[i].text);
	}
	fputc('\n', out);
}

/* would the replayed choice have been better for the length that followed */
static void compare(struct explain *x, const struct explained *e, int i)
{
	const struct decision *d = e->d;
	int state = e->choice[i].state;

	explain_line(x, "recorded choice", "%s%s: %s", name_of(e, d->chosen),
		d->flags & DEC_HAVE_CHOICE ? "" : " (as entered)",
		state == d->chosen ? "the same" : "another one");
	if (!(d->flags & (DEC_ABORTED | DEC_NO_OUTCOME)))
		explain_line(x, "for that length", "%s is %s", name_of(e, state),
			verdict_word(machine_verdict(e->table, state, d->residency_ns)));
}

static void write_head(const struct explained *e, FILE *out)
{
	int64_t origin = e->rec.trace->origin_ns;
	struct header h;

	header_begin(&h, out, e->o->format, "explain");
	header_recording(&h, &e->rec);
	header_line(&h, "decision", "CPU %d, number %zu, at %.9f s (@%.9f)", e->cpu, e->index + 1,
		(double)(e->d->select_ns - origin) / 1e9, (double)e->d->select_ns / 1e9);
	header_command(&h, e->o);
	header_end(&h);
}

static void write_table(struct explained *e, FILE *out)
{
	static const char *const heads[] = {"part", "what", "text"};
	struct explain x = {0};
	struct table t;

	table_init(&t, "%s", "");
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		table_column(&t, heads[i], "", heads[i], 1, 0, COL_LEFT);
	given(&x, e);
	add_lines(&t, "given", &x);
	explain_free(&x);
	for (int i = 0; i < e->ngovs; i++) {
		compare(&e->text[i], e, i);
		add_lines(&t, e->spec[i].label, &e->text[i]);
	}
	outcome(&x, e);
	add_lines(&t, "outcome", &x);
	explain_free(&x);
	table_write(&t, e->o->format, out);
	table_free(&t);
}

static void write_text(struct explained *e, FILE *out)
{
	struct explain x = {0};

	fputs("Given to the governor\n", out);
	given(&x, e);
	write_lines(&x, out);
	explain_free(&x);
	for (int i = 0; i < e->ngovs; i++) {
		fprintf(out, "%s, taught by the recording up to here\n", e->spec[i].label);
		compare(&e->text[i], e, i);
		write_lines(&e->text[i], out);
	}
	fputs("What came of it\n", out);
	outcome(&x, e);
	write_lines(&x, out);
	explain_free(&x);
}

static json_t *json_lines(const struct explain *x)
{
	json_t *rows = json_array();

	for (int i = 0; i < x->nitems; i++)
		json_array_append_new(
			rows, json_pack("{s:o, s:s}", "label", json_text(x->item[i].label), "text",
				      x->item[i].text));
	return rows;
}

static json_t *json_decision(const struct explained *e)
{
	const struct decision *d = e->d;
	bool closed = !(d->flags & (DEC_ABORTED | DEC_NO_OUTCOME));

	return json_pack("{s:i, s:I, s:I, s:I, s:o, s:o, s:I, s:b, s:b, s:o, s:o, s:o}", "cpu",
		e->cpu, "index", (json_int_t)e->index, "time_ns",
		(json_int_t)(d->select_ns - e->rec.trace->origin_ns), "clock_ns",
		(json_int_t)d->select_ns, "sleep_ns",
		json_known(d->sleep_ns < INT64_MAX / 2, d->sleep_ns), "limit_ns",
		json_known(d->limit_ns < LATENCY_ANY, d->limit_ns), "tick_delta_ns",
		(json_int_t)d->tick_delta_ns, "tick_stopped", (d->flags & DEC_TICK_STOPPED) != 0,
		"aborted", (d->flags & DEC_ABORTED) != 0, "chosen",
		json_known(d->chosen >= 0, d->chosen), "entered",
		json_known(d->entered >= 0, d->entered), "residency_ns",
		json_known(closed, d->residency_ns));
}

static void write_json(const struct explained *e, FILE *out)
{
	json_t *doc = json_recording_document("explain", &e->rec), *govs = json_array();
	struct explain x = {0};

	json_object_set_new(doc, "decision", json_decision(e));
	given(&x, e);
	json_object_set_new(doc, "given", json_lines(&x));
	explain_free(&x);
	for (int i = 0; i < e->ngovs; i++)
		json_array_append_new(
			govs, json_pack("{s:s, s:o, s:i, s:b, s:b, s:o}", "governor",
				      e->spec[i].label, "params", json_params(&e->spec[i]), "state",
				      e->choice[i].state, "stop_tick", e->choice[i].stop_tick,
				      "agrees", e->choice[i].state == e->d->chosen, "steps",
				      json_lines(&e->text[i])));
	json_object_set_new(doc, "governors", govs);
	outcome(&x, e);
	json_object_set_new(doc, "outcome", json_lines(&x));
	explain_free(&x);
	json_print(doc, out);
}

static int explain(const struct options *o, struct error *err)
{
	struct explained e = {.o = o};
	struct output out;
	int ret;

	if (o->files.n != 1)
		return error_set(err, EXIT_USAGE,
			"explain: one recording: reidle explain FILE --cpus N --at TIME");
	if (recording_open(&e.rec, o->files.s[0], o, NEED_DECISIONS, progress_for(o),
		    (void *)o->files.s[0], err))
		return -1;
	close_progress(o);
	ret = examine(&e, err) || output_open(&out, o->output, err) ? -1 : 0;
	if (!ret) {
		if (o->format != FORMAT_JSON)
			write_head(&e, out.f);
		if (o->format == FORMAT_JSON)
			write_json(&e, out.f);
		else if (o->format == FORMAT_TEXT)
			write_text(&e, out.f);
		else
			write_table(&e, out.f);
		ret = output_close(&out, err);
	}
	for (int i = 0; i < e.ngovs; i++)
		explain_free(&e.text[i]);
	recording_close(&e.rec);
	return ret;
}

const struct subcommand cmd_explain = {
	"explain",
	"FILE --cpus N --at TIME [-g GOV[,GOV...]]",
	"one decision, step by step",
	explain,
	false,
};
