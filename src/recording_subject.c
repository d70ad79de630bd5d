// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/recording_subject.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "replay/free.h"
#include "src/fail_if.h"
#include "src/recording_groups.h"
#include "src/recording_sample.h"

static bool draw_progress(void *ctx, double fraction)
{
	fprintf(stderr, "\r%.60s %3.0f %%", (const char *)ctx, 100 * fraction);
	fflush(stderr);
	return false;
}

bool (*progress_for(const struct options *o))(void *, double)
{
	return !o->quiet && isatty(STDERR_FILENO) ? draw_progress : NULL;
}

void close_progress(const struct options *o)
{
	if (progress_for(o))
		fputs("\r\033[K", stderr);
}

/* a period counts where it begins, so the last one may reach out of the window */
static int64_t selected_span(const struct run *r, const struct selection *sel)
{
	const struct trace *t = r->trace;
	int64_t from = max64(sel->from_ns, t->origin_ns), to = min64(sel->to_ns, t->end_ns);

	for (int i = 0; i < r->ncpus; i++)
		if (r->cpu[i].nperiods)
			to = max64(to, r->cpu[i].period[r->cpu[i].nperiods - 1].exit_ns);
	return max64(to - from, 1);
}

/* wakes and latencies of a huge recording are known of some of its periods only */
static void select_sample(struct subject *s, const struct selection *sel)
{
	if (!s->rec.sample)
		return;
	run_select(&s->own_sample, &s->rec.sample->run, sel, s->rec.decisions.event_cost_ns);
	s->own.sample = &s->own_sample;
}

static int select_part(struct subject *s, const struct options *o, struct error *err)
{
	const struct trace *t = s->rec.trace;
	struct selection sel;

	if (recording_select(&sel, &s->rec, o, err))
		return -1;
	s->run = &s->rec.run0;
	s->span_ns = t->end_ns - t->origin_ns;
	if (sel.any) {
		run_select(&s->own, &s->rec.run0, &sel,
			s->rec.have_decisions ? s->rec.decisions.event_cost_ns : 0);
		s->run = &s->own;
		s->span_ns = selected_span(s->run, &sel);
		select_sample(s, &sel);
	}
	selection_free(&sel);
	return 0;
}

/* which wake ended which period, and how long after it */
static void measure_wakes(struct subject *s)
{
	if (s->rec.sample || s->rec.decisions.hz <= 0)
		return;
	sojourns_of_decisions(&s->sojourns, &s->rec.decisions, &s->rec.machine);
	free_period_delays(&s->rec.run0, &s->sojourns);
	s->have_sojourns = true;
}

static int open_recording(struct subject *s, const char *path, const struct options *o,
	enum recording_need need, bool measure, struct error *err)
{
	int ret;

	memset(s, 0, sizeof(*s));
	s->name = xstrdup(path);
	ret = recording_open(&s->rec, path, o, need, progress_for(o), s->name, err);
	close_progress(o);
	if (!ret && measure)
		measure_wakes(s);
	if (!ret)
		ret = select_part(s, o, err);
	if (ret)
		subject_close(s);
	return ret;
}

int subject_open(struct subject *s, const char *path, const struct options *o,
	enum recording_need need, struct error *err)
{
	return open_recording(s, path, o, need, false, err);
}

int subject_open_measured(struct subject *s, const char *path, const struct options *o,
	struct error *err)
{
	return open_recording(s, path, o, NEED_FIGURES, true, err);
}

static uint64_t counter(int64_t v)
{
	return v > 0 ? (uint64_t)v : 0;
}

/* the counters of a dump as the sums of a run; what is past the table (s2idle) is left out */
static void run_of_dump(struct run *r, const struct dump *d, const struct machine *m)
{
	memset(r, 0, sizeof(*r));
	r->recorded = true;
	r->ncpus = d->ncpus;
	r->cpu = xcalloc((size_t)d->ncpus, sizeof(*r->cpu));
	machine_copy(&r->machine, m);
	copy_text(r->governor, sizeof(r->governor), d->governor);
	copy_text(r->table, sizeof(r->table), "recorded");
	for (int i = 0; i < d->ncpus; i++) {
		for (int s = 0; d->cpu[i] && s < machine_table(m, i)->nstates; s++) {
			const struct dump_state *from = &d->cpu[i]->state[s];
			struct state_sum *to = &r->cpu[i].state[s], *total = &r->total[s];

			/* cpupower prints no above and below */
			r->no_verdicts |= from->present && (from->above < 0 || from->below < 0);
			to->usage = counter(from->usage);
			to->above = to->above_recorded = counter(from->above);
			to->below = to->below_recorded = counter(from->below);
			to->time_ns = max64(from->time_us, 0) * NSEC_PER_USEC;
			to->mean_ns = to->usage ? to->time_ns / (int64_t)to->usage : 0;
			to->p50_ns = to->p99_ns = -1;
			total->usage += to->usage;
			total->above += to->above;
			total->below += to->below;
			total->above_recorded += to->above_recorded;
			total->below_recorded += to->below_recorded;
			total->time_ns += to->time_ns;
			total->mean_ns = total->usage ? total->time_ns / (int64_t)total->usage : 0;
			total->p50_ns = total->p99_ns = -1;
		}
	}
}

static int load_delta(struct subject *s, const char *before, const char *after, struct error *err)
{
	struct dump a, b;
	int ret;

	if (dump_load(&b, after, err))
		return -1;
	if (!before) {
		s->delta = b;
		s->since_boot = true;
		return 0;
	}
	if (dump_load(&a, before, err)) {
		dump_free(&b);
		return -1;
	}
	ret = dump_subtract(&s->delta, &a, &b, err);
	if (ret)
		error_prefix(err, "%s - %s", after, before);
	dump_free(&a);
	dump_free(&b);
	return ret;
}

int subject_open_dumps(struct subject *s, const char *before, const char *after, struct error *err)
{
	memset(s, 0, sizeof(*s));
	if (load_delta(s, before, after, err))
		return -1;
	s->is_dump = true;
	s->name = before ? xasprintf("%s..%s", before, after) : xstrdup(after);
	if (dump_machine(&s->machine, &s->delta, after, err)) {
		subject_close(s);
		return -1;
	}
	run_of_dump(&s->own, &s->delta, &s->machine);
	s->run = &s->own;
	return 0;
}

/* packed: what is inside decides, so it has to be looked at */
static bool packed_dump(const char *path, const char *head, size_t n)
{
	static const struct {
		const char *magic;
		size_t at, len;
	} kinds[] = {{"\x1f\x8b", 0, 2}, {"\xfd" "7zXZ", 0, 5}, {"PK\x03\x04", 0, 4}, {"BZh", 0, 3},
		{"\x28\xb5\x2f\xfd", 0, 4}, {"ustar", 257, 5}};
	struct dump d;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (n < kinds[i].at + kinds[i].len || memcmp(head + kinds[i].at, kinds[i].magic, kinds[i].len))
			continue;
		if (dump_load(&d, path, NULL))
			return false;
		dump_free(&d);
		return true;
	}
	return false;
}

bool subject_is_dump(const char *path)
{
	char head[65536];
	struct stat st;
	ssize_t n;
	int fd;

	if (stat(path, &st))
		return false;
	if (S_ISDIR(st.st_mode))
		return true;
	/* what a pipe gives is gone once it was read: it can only be a recording */
	fd = S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return false;
	n = read(fd, head, sizeof(head));
	close(fd);
	return n > 0 && (dump_is(head, (size_t)n) > 0 || packed_dump(path, head, (size_t)n));
}

void subject_close(struct subject *s)
{
	run_free(&s->own);
	run_free(&s->own_sample);
	if (s->have_sojourns)
		sojourns_free(&s->sojourns);
	if (s->is_dump)
		dump_free(&s->delta);
	else
		recording_close(&s->rec);
	machine_free(&s->machine);
	free(s->name);
	memset(s, 0, sizeof(*s));
}

/* 1 made, 0 no such level, -1 with err */
static int groups_of_topology(struct grouping *g, const char *by, int ncpus, const char *option,
	const bool *cpus, struct error *err)
{
	const struct topology_level *l;
	struct topology t;

	if (topology_from_option(&t, option, ncpus, err))
		return -1;
	l = by ? topology_find(&t, by) : NULL;
	if (l && l->n)
		grouping_of_level(g, l, ncpus, cpus);
	topology_free(&t);
	return l != NULL;
}

int subject_groups(struct grouping *g, const char *by, const struct run *r, const struct options *o,
	struct error *err)
{
	bool *cpus = NULL;
	int ret;

	if (o->cpus) {
		cpus = options_cpus(o->cpus, r->ncpus, err);
		if (!cpus)
			return -1;
	}
	ret = o->topology ? groups_of_topology(g, by, r->ncpus, o->topology, cpus, err) : 0;
	if (!ret)
		ret = grouping_make(g, by, &r->machine, r->ncpus, cpus, err);
	free(cpus);
	return ret < 0 ? -1 : 0;
}

void subject_warn(const struct subject *s, const struct options *o)
{
	if (o->quiet || s->is_dump)
		return;
	for (int i = 0; i < s->rec.trace->nwarnings; i++)
		fprintf(stderr, "reidle: %s: %s\n", s->name, s->rec.trace->warning[i]);
}

int check_fail_if(const struct style_set *set, const struct options *o, struct error *err)
{
	char where[256];
	int ret;

	if (!o->fail_if)
		return EXIT_FINE;
	ret = fail_if_holds(set, o->fail_if, where, sizeof(where), err);
	if (ret > 0 && !o->quiet)
		fprintf(stderr, "reidle: %s holds: %s\n", o->fail_if, where);
	return ret > 0 ? EXIT_HOLDS : ret;
}
