// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/recording_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "replay/free.h"
#include "src/wakes.h"

#define SAMPLE_ABOVE (128ULL << 20) /* bytes; less is analysed as a whole in about a second */
/* what explains a wake lies this close around it: of those nearer to an edge part may be missing */
#define EDGE_NS (200 * NSEC_PER_USEC)

static uint64_t recording_above(const struct options *o)
{
	/* a filter asks for what only an analysis of all knows */
	if (o->full || o->filter)
		return 0;
	return o->sample ? 1 : SAMPLE_ABOVE;
}

/* what is no time is told when the selection is made */
static void take_time(struct parse_time *p, const char *text)
{
	struct error unused;

	p->given = text && !options_time(&p->ns, text, 0, &unused);
	p->from_start = text && *text != '@';
}

void sample_options(struct parse_options *po, const struct options *o)
{
	po->sample_above = recording_above(o);
	po->sample_events = (uint64_t)o->sample;
	take_time(&po->from, o->from);
	take_time(&po->to, o->to);
}

static void count_sample(struct sample *s, const struct trace *t)
{
	int64_t covered = 0;

	s->windows = t->nwindows;
	for (int i = 0; i < t->nwindows; i++)
		covered += t->window[i].to_ns - t->window[i].from_ns;
	s->share = (double)covered / (double)max64(t->end_ns - t->origin_ns, 1);
	for (int i = 0; i < t->ncpus; i++)
		s->events += t->cpu[i].nevs;
}

static void begin_run(struct run *run, const struct recording *r)
{
	*run = (struct run){.trace = r->trace, .ncpus = r->trace->ncpus, .recorded = true, .delays = true};
	machine_copy(&run->machine, &r->machine);
	copy_text(run->label, sizeof(run->label), "recorded");
	run->cpu = xcalloc((size_t)run->ncpus, sizeof(*run->cpu));
}

/* a period counts where it ends: long ones have the same chance as short ones then */
static void keep_periods(struct sample *s, const struct run *part, const struct window *w)
{
	for (int i = 0; i < part->ncpus; i++) {
		struct run_cpu *c = &s->run.cpu[i];

		for (size_t k = 0; k < part->cpu[i].nperiods; k++) {
			const struct period *p = &part->cpu[i].period[k];

			if (p->exit_ns <= w->from_ns + EDGE_NS || p->exit_ns > w->to_ns - EDGE_NS)
				continue;
			s->delays |= p->delay_ns != 0;
			GROW(c->period, c->nperiods, c->cap);
			c->period[c->nperiods] = *p;
			/* names are the window's, kinds are everybody's */
			c->period[c->nperiods++].wake_name = 0;
		}
	}
}

static void add_fidelity(struct verify_result *sum, const struct verify_result *v)
{
	sum->decisions += v->decisions;
	sum->compared += v->compared;
	sum->agree += v->agree;
	sum->undetermined += v->undetermined;
	sum->naive_compared += v->naive_compared;
	sum->naive_agree += v->naive_agree;
	sum->agreement = sum->compared ? (double)sum->agree / (double)sum->compared : NAN;
}

static void check_fidelity(struct sample *s, const struct recording *r, const struct decisions *d)
{
	struct replay_options opt = {.limit_ns = -1, .warmup = 40, .threads = 1};
	struct verify_result v;
	struct gov_spec spec;
	struct error why;

	if (!*r->governor || *s->no_fidelity)
		return;
	if (governor_for_recording(&spec, r->governor, r->kernel, &why) ||
		replay_taught(&v, d, &r->machine, &spec, &opt, NULL, &why))
		copy_text(s->no_fidelity, sizeof(s->no_fidelity), why.text);
	else
		add_fidelity(&s->fidelity, &v);
}

/* of each input what is said where it is known worst */
static void merge_known(struct decisions *all, const struct decisions *d)
{
	for (int i = 0; i < IN_COUNT; i++) {
		if (*all->known[i] && all->worst[i] >= d->worst[i])
			continue;
		all->worst[i] = d->worst[i];
		copy_text(all->known[i], sizeof(all->known[i]), d->known[i]);
	}
}

static void take_delays(struct run *part, struct latency_pool *pool, struct recording *r,
	const struct decisions *d)
{
	struct sojourns s;

	if (d->hz <= 0)
		return;
	sojourns_of_decisions(&s, d, &r->machine);
	free_period_delays(part, &s);
	latency_gather(pool, &s, &r->machine);
	r->sample->figures.alone = s.alone;
	r->sample->have_figures = true;
	sojourns_free(&s);
}

static int analyse_window(struct recording *r, int window, struct latency_pool *pool,
	const struct decision_options *opt, struct error *err)
{
	struct run part = {.ncpus = r->trace->ncpus, .borrowed = true};
	struct decisions d;
	struct trace view;
	int ret;

	trace_window_open(&view, r->trace, window);
	wakes_attribute(&view, &r->machine);
	ret = decisions_build(&d, &view, &r->machine, opt, err);
	if (!ret) {
		part.cpu = xcalloc((size_t)part.ncpus, sizeof(*part.cpu));
		for (int i = 0; i < part.ncpus; i++) {
			part.cpu[i].period = view.cpu[i].period;
			part.cpu[i].nperiods = view.cpu[i].nperiods;
		}
		take_delays(&part, pool, r, &d);
		keep_periods(r->sample, &part, &r->trace->window[window]);
		check_fidelity(r->sample, r, &d);
		merge_known(&r->decisions, &d);
		run_free(&part);
	}
	decisions_free(&d);
	trace_window_close(&view, r->trace);
	return ret;
}

int recording_sample(struct recording *r, const struct options *o, struct error *err)
{
	struct decision_options opt = {.hz = o->hz, .ignore_probes = o->ignore_probes,
		.threads = o->jobs > 0 ? o->jobs : 1};
	struct latency_pool *pool = latency_pool(&r->machine);
	struct sample *s = r->sample = xcalloc(1, sizeof(*s));
	int ret = 0;

	count_sample(s, r->trace);
	begin_run(&s->run, r);
	decisions_scale(&r->decisions, r->trace, &r->machine, &opt);
	r->have_decisions = true;
	opt.like = &r->decisions;
	for (int i = 0; i < r->trace->nwindows && !ret; i++)
		ret = analyse_window(r, i, pool, &opt, err);
	s->figures.trace = r->trace;
	s->figures.latency = xcalloc((size_t)r->machine.ntables, sizeof(*s->figures.latency));
	latency_settle(pool, s->figures.latency, &r->machine, r->trace->emulated);
	return ret;
}

void sample_free(struct sample *s)
{
	if (!s)
		return;
	run_free(&s->run);
	sojourns_free(&s->figures);
	free(s);
}

const char *sample_words(const struct sample *s, const char *what, char *buf, size_t size)
{
	if (s && s->windows == 1)
		snprintf(buf, size, " (%sthe selected time, %llu events; --full: all)", what,
			(unsigned long long)s->events);
	else if (s)
		snprintf(buf, size, " (%s%d windows, %.3g %%, %llu events; --full: all)",
			what, s->windows, 100 * s->share, (unsigned long long)s->events);
	else
		*buf = '\0';
	return buf;
}

json_t *sample_json(const struct sample *s)
{
	return json_pack("{s:i, s:f, s:I}", "windows", s->windows, "share", s->share, "events",
		(json_int_t)s->events);
}
