// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fidelity [-p] [-n] [-l] [-i] FILE GOVERNOR...: how well each governor's free replay gives the recording back.
 * One line each: label, sojourns, same %, time %, usage %, worst CPU's time %, digest of the periods.
 * -p: first permute the recorded states and the answers of select; -n: without probe events;
 * -l: with no latency limit;
 * -i: one governor with the idle events alone; per state and figure what a replay with all that was
 * recorded gives, then the least and most of the replays at the bounds of what is unknown.
 */
#include "replay/free.h"
#include "src/recording.h"

#include <stdlib.h>
#include <string.h>

static uint64_t random_next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* states stay within the table, so that only their order carries no meaning any more */
static void permute(struct trace *t)
{
	uint64_t seed = 88172645463325252ULL;

	for (int i = 0; i < t->ncpus; i++) {
		struct cpu_trace *c = &t->cpu[i];

		for (size_t k = c->nperiods; k > 1; k--) {
			size_t j = random_next(&seed) % k;
			int8_t state = c->period[j].state;

			c->period[j].state = c->period[j].entered = c->period[k - 1].state;
			c->period[k - 1].state = c->period[k - 1].entered = state;
		}
		for (size_t k = 0; k < c->nevs; k++)
			if (c->ev[k].kind == EV_PROBE_SELECT)
				c->ev[k].a = (int64_t)(random_next(&seed) % 2);
	}
}

static uint64_t digest(const struct run *r)
{
	uint64_t h = 1469598103934665603ULL;

	for (int i = 0; i < r->ncpus; i++)
		for (size_t k = 0; k < r->cpu[i].nperiods; k++) {
			const struct period *p = &r->cpu[i].period[k];

			h = (h ^ (uint64_t)p->enter_ns) * 1099511628211ULL;
			h = (h ^ (uint64_t)p->exit_ns) * 1099511628211ULL;
			h = (h ^ (uint64_t)p->state) * 1099511628211ULL;
		}
	return h;
}

static int check(const struct recording *r, const struct sojourns *s, const char *name,
	int64_t limit_ns, struct error *err)
{
	struct replay_options opt = {.limit_ns = limit_ns, .threads = 2};
	struct self_check c;
	struct gov_spec spec;
	struct run run;

	if (governor_parse(&spec, name, r->kernel, err) ||
		replay_free(&run, s, &r->run0, &spec, &opt, err))
		return -1;
	free_self_check(&c, s, &r->run0, &run);
	printf("%s\t%llu\t%.3f\t%.3f\t%.3f\t%.3f\t%016llx\n", spec.label,
		(unsigned long long)c.sojourns, 100 * c.same_sequences, 100 * c.time_error,
		100 * c.usage_error, 100 * c.worst_cpu_time_error,
		(unsigned long long)digest(&run));
	run_free(&run);
	return 0;
}

/* inputs rebuilt over the permuted states; the event cost is a constant of the recording */
static int repeat_decisions(struct recording *r, const struct options *o, struct error *err)
{
	struct decision_options d = {.ignore_probes = o->ignore_probes, .threads = 2};
	int64_t cost_ns = r->decisions.event_cost_ns;

	permute(r->trace);
	decisions_free(&r->decisions);
	if (decisions_build(&r->decisions, r->trace, &r->machine, &d, err))
		return -1;
	r->decisions.event_cost_ns = cost_ns;
	return 0;
}

static void drop_all_but_idle(struct trace *t)
{
	t->present &= EV_WANT_IDLE;
	for (int i = 0; i < t->ncpus; i++)
		t->cpu[i].nevs = 0;
}

/* least and most over the runs at the bounds */
static int bounded(struct state_span *out, const struct recording *r, const struct sojourns *s,
	const struct gov_spec *spec, struct error *err)
{
	struct replay_options opt = {.limit_ns = -1, .threads = 2};
	struct run run;

	for (opt.bound = BOUND_TIMERS; opt.bound < BOUND_COUNT; opt.bound++) {
		if (replay_free(&run, s, &r->run0, spec, &opt, err))
			return -1;
		for (int k = 0; k < STATES_MAX; k++)
			run_span_widen(&out[k], &run.span[k], opt.bound == BOUND_TIMERS);
		run_free(&run);
	}
	return 0;
}

static void print_span(int state, const char *what, int64_t truth, int64_t lo, int64_t hi)
{
	printf("%d\t%s\t%lld\t%lld\t%lld\n", state, what, (long long)truth, (long long)lo,
		(long long)hi);
}

/* what was replayed with all that the recording holds, and what the idle events alone give */
static int little(struct recording *r, const struct sojourns *s, char **name, const struct options *o,
	struct error *err)
{
	struct decision_options d = {.hz = r->decisions.hz, .threads = 2};
	struct state_span span[STATES_MAX];
	struct replay_options opt = {.limit_ns = -1, .threads = 2};
	struct sojourns alone;
	struct gov_spec spec;
	struct run truth;

	(void)o;
	if (governor_parse(&spec, *name, r->kernel, err) ||
		replay_free(&truth, s, &r->run0, &spec, &opt, err))
		return -1;
	drop_all_but_idle(r->trace);
	decisions_free(&r->decisions);
	if (decisions_build(&r->decisions, r->trace, &r->machine, &d, err))
		return -1;
	sojourns_of_decisions(&alone, &r->decisions, &r->machine);
	if (bounded(span, r, &alone, &spec, err))
		return -1;
	for (int k = 0; k < r->machine.tables[0].nstates; k++) {
		const struct state_sum *t = &truth.total[k];

		print_span(k, "usage", (int64_t)t->usage, (int64_t)span[k].usage[0], (int64_t)span[k].usage[1]);
		print_span(k, "time", t->time_ns, span[k].time_ns[0], span[k].time_ns[1]);
		print_span(k, "above", (int64_t)t->above, (int64_t)span[k].above[0], (int64_t)span[k].above[1]);
		print_span(k, "below", (int64_t)t->below, (int64_t)span[k].below[0], (int64_t)span[k].below[1]);
	}
	run_free(&truth);
	sojourns_free(&alone);
	return 0;
}

int main(int argc, char **argv)
{
	struct options o = {.warmup = 40, .jobs = 2};
	struct error err = {0};
	struct recording r;
	struct sojourns s;
	bool mixed = false, few = false;
	int64_t limit_ns = -1;
	int i = 1, ret = 0;

	for (; i < argc && argv[i][0] == '-'; i++) {
		mixed |= !strcmp(argv[i], "-p");
		few |= !strcmp(argv[i], "-i");
		limit_ns = strcmp(argv[i], "-l") ? limit_ns : LATENCY_ANY;
		o.ignore_probes |= !strcmp(argv[i], "-n");
	}
	if (argc - i < 2 || recording_open(&r, argv[i], &o, NEED_DECISIONS, NULL, NULL, &err)) {
		fprintf(stderr, "%s\n", *err.text ? err.text : "usage: fidelity [-p] [-n] [-l] [-i] FILE GOVERNOR...");
		return 2;
	}
	if (mixed && repeat_decisions(&r, &o, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 2;
	}
	sojourns_of_decisions(&s, &r.decisions, &r.machine);
	for (i++; i < argc && !ret; i++)
		ret = few ? little(&r, &s, &argv[i], &o, &err) : check(&r, &s, argv[i], limit_ns, &err);
	if (ret)
		fprintf(stderr, "%s\n", err.text);
	sojourns_free(&s);
	recording_close(&r);
	return ret ? 1 : 0;
}
