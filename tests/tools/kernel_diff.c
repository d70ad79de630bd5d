// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel_diff MODEL OBJECT HZ SELECTIONS [SEED [forward]]: a model and a plug-in built from a
 * kernel's own file, driven with the same random machines, inputs and outcomes. Any difference in
 * state, tick, use of the timer or tick flag is told and ends with exit 1. "forward": timers never
 * lie in the past.
 */
#include "replay/governor.h"
#include "src/util.h"

#include <stdlib.h>
#include <string.h>

#define STEPS 500 /* selections per machine */

struct side {
	struct gov_spec spec;
	void *cpu;
	struct gov_choice choice;
};

struct drive {
	struct side model, kernel;
	struct state_table table;
	struct gov_machine machine;
	struct gov_input in;
	bool tick, forward;
	int style;
	uint64_t rng, selections, different;
};

static uint64_t next(struct drive *d)
{
	uint64_t z = d->rng += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static int64_t between(struct drive *d, int64_t lo, int64_t hi)
{
	return lo + (int64_t)(next(d) % (uint64_t)(hi - lo + 1));
}

static bool chance(struct drive *d, int percent)
{
	return between(d, 0, 99) < percent;
}

/* a length whose order of magnitude is random */
static int64_t any_length(struct drive *d, int64_t lo, int64_t hi)
{
	int64_t span = lo;

	while (span < hi && chance(d, 80))
		span *= 3;
	return between(d, lo, span < hi ? span : hi);
}

static void random_table(struct drive *d)
{
	static const int latency_steps[] = {0, 1, 1000, 2000, 5000, 40000, 133000, 500000};
	static const int residency_steps[] = {0, 0, 1000, 3000, 12000, 100000, 600000, 5000000};
	int64_t latency = 0, residency = 0;
	bool polling = chance(d, 60);

	d->table = (struct state_table){.nstates = (int)between(d, 2, STATES_MAX)};
	for (int i = 0; i < d->table.nstates; i++) {
		struct idle_state *s = &d->table.state[i];

		s->polling = i == 0 && polling;
		if (s->polling)
			continue;
		latency += latency_steps[between(d, 0, 7)];
		residency = max64(residency, latency) + residency_steps[between(d, 0, 7)];
		/* firmware tables need not be in order */
		s->exit_latency_ns = latency;
		s->target_residency_ns = chance(d, 5) ? residency / 2 : residency;
		s->polling = chance(d, 2);
	}
}

static void start_side(struct drive *d, struct side *s)
{
	free(s->cpu);
	s->cpu = xcalloc(1, s->spec.gov->cpu_size);
	s->spec.gov->init(s->cpu, &d->machine, &s->spec);
}

static void new_machine(struct drive *d)
{
	random_table(d);
	d->in = (struct gov_input){.now_ns = 1000000000, .limit_ns = LATENCY_ANY};
	d->tick = false;
	d->style = (int)between(d, 0, 2);
	start_side(d, &d->model);
	start_side(d, &d->kernel);
}

static int64_t random_sleep(struct drive *d)
{
	int64_t tick = d->machine.tick_ns, past = d->forward ? 0 : -5000;

	switch (between(d, 0, 7)) {
	case 0:
		return between(d, past, 20000);
	case 1:
		return between(d, 0, 1000000);
	case 2:
		return between(d, 0, tick);
	case 3:
		return between(d, tick, 100000000);
	case 4:
		return between(d, 100000000, 1000000000000);
	case 5:
		return INT64_MAX - d->in.now_ns;
	case 6:
		return between(d, 2 * tick - 2, 2 * tick + 2);
	default: /* on an edge of the table */
		return d->table.state[between(d, 0, d->table.nstates - 1)].target_residency_ns +
		       between(d, d->forward ? 0 : -1, 1);
	}
}

static void random_input(struct drive *d)
{
	static const int64_t limits[] = {0, 1000, 5000, 7000, 7499, 7500, 8000, 20000, 50000,
		200000, 1000000, LATENCY_ANY, LATENCY_ANY};
	struct gov_input *in = &d->in;

	if (chance(d, 1))
		in->disabled ^= 1U << between(d, 0, d->table.nstates - 1);
	if (chance(d, 3))
		in->limit_ns = limits[between(d, 0, ARRAY_SIZE(limits) - 1)];
	in->tick_stopped = chance(d, 30);
	in->iowait = chance(d, 40) ? (uint32_t)between(d, 1, 3) : 0;
	in->utilized = chance(d, 20);
	in->sleep_ns = random_sleep(d);
	in->tick_delta_ns =
		min64(in->sleep_ns, between(d, d->forward ? 0 : -2500, d->machine.tick_ns));
}

static int64_t random_residency(struct drive *d)
{
	if (chance(d, 20))
		return any_length(d, 100, 100000000);
	if (d->style == 0)
		return between(d, 0, 30000);
	if (d->style == 1)
		return any_length(d, 100, 1000000000);
	return between(d, 100000, 100000000);
}

static void tell(struct drive *d, const char *what, int64_t model, int64_t kernel)
{
	d->different++;
	if (d->different <= 3)
		printf("# %s: selection %llu: %s: model %lld, kernel %lld\n", d->model.spec.label,
			(unsigned long long)d->selections, what, (long long)model,
			(long long)kernel);
}

static bool step(struct drive *d)
{
	struct gov_choice *a = &d->model.choice, *b = &d->kernel.choice;
	uint64_t before = d->different;
	struct gov_outcome out = {0};
	bool pending[2];
	int x = (int)between(d, 0, 99);

	random_input(d);
	*a = d->model.spec.gov->select(d->model.cpu, &d->in, -1);
	*b = d->kernel.spec.gov->select(d->kernel.cpu, &d->in, -1);
	d->selections++;
	if (a->state != b->state)
		tell(d, "state", a->state, b->state);
	if (a->stop_tick != b->stop_tick)
		tell(d, "stops the tick", a->stop_tick, b->stop_tick);
	if ((a->read ^ b->read) & GOV_READ_SLEEP)
		tell(d, "asks for the timer", a->read & GOV_READ_SLEEP, b->read & GOV_READ_SLEEP);
	if (a->poll_limit_ns != b->poll_limit_ns && !strcmp(d->model.spec.gov->name, "haltpoll"))
		tell(d, "polling limit", a->poll_limit_ns, b->poll_limit_ns);
	out.entered = x < 5 ? -1 : x < 10 ? (int)between(d, 0, d->table.nstates - 1) : a->state;
	out.residency_ns = random_residency(d);
	out.poll_limit = chance(d, 40);
	d->tick = d->tick || chance(d, 30);
	out.got_tick = d->tick;
	d->in.now_ns += out.residency_ns + between(d, 100, 5000);
	out.now_ns = d->in.now_ns;
	pending[0] = d->model.spec.gov->reflect(d->model.cpu, &out);
	pending[1] = d->kernel.spec.gov->reflect(d->kernel.cpu, &out);
	if (pending[0] != pending[1])
		tell(d, "tick flag left", pending[0], pending[1]);
	d->tick = pending[1];
	return d->different == before;
}

int main(int argc, char **argv)
{
	struct drive d = {.rng = argc > 5 ? strtoull(argv[5], NULL, 10) : 1};
	struct error err;
	uint64_t want;

	if (argc < 5) {
		fprintf(stderr, "kernel_diff MODEL OBJECT HZ SELECTIONS [SEED [forward]]\n");
		return 2;
	}
	if (governor_parse(&d.model.spec, argv[1], "", &err) ||
		governor_parse(&d.kernel.spec, argv[2], "", &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 2;
	}
	d.machine = (struct gov_machine){&d.table, atoi(argv[3]), tick_ns(atoi(argv[3])), 3};
	d.forward = argc > 6;
	want = strtoull(argv[4], NULL, 10);
	while (d.selections < want && d.different < 1000) {
		new_machine(&d);
		/* after a difference the memories are no longer comparable: next machine */
		for (int i = 0; i < STEPS && step(&d); i++)
			;
	}
	if (governor_failure(&d.kernel.spec, &err)) {
		printf("# %s\n", err.text);
		d.different++;
	}
	printf("%s HZ=%s: %llu selections, %llu differences\n", d.model.spec.label, argv[3],
		(unsigned long long)d.selections, (unsigned long long)d.different);
	free(d.model.cpu);
	free(d.kernel.cpu);
	return d.different ? 1 : 0;
}
