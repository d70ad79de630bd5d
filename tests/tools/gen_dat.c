// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gen_dat OUT EVENTS CPUS [key=value...]: a valid trace.dat with a made-up but consistent idle life of each
 * CPU, and on stdout the figures that a right reader gets from it, in the rows of dump_periods -t.
 *  be=0|1 long=4|8 page=BYTES version=6|7 codec=none|zstd|zlib
 *  inst=1   sched and timer events go into two instances, as trace-cmd record -B does
 *  lost=N   before every Nth page DROP events are lost; every other time their number is stored
 *  abs=N    every Nth event has an absolute TIME_STAMP;   gap=N  every Nth comes a second later
 *  pad=N    a discarded record behind every Nth event;    marker=N  every Nth is a trace_marker text
 *  big=N    every Nth event has its length in a word of its own
 *  start=NS time of the first event;  clock=NAME;  tsc=1  cycles with TSC2NSEC;  offset=NS  as option OFFSET
 *  date=US  as option DATE;  shift=1  a guest's TIME_SHIFT;  stat=N  N events that no page tells of, per CPU
 *  foreign=1  the last CPU's exits stand in the buffer of CPU 0;  naive=1  figures of a reader that
 *  overlooks losses;  seed=N
 */
#include "dat_writer.h"
#include "gen_dat_life.h"
#include "gen_dat_page.h"

#define TSC_MULT 333333333U
#define TSC_SHIFT 30
#define FOREIGN_PERIOD 50000000ULL
#define FOREIGN_ENTRIES 20

struct totals {
	uint64_t count[10], above[10], below[10];
	int64_t time[10];
	uint64_t orphans, reenters, events, lost, lost_unknown;
	bool open;
	uint32_t state;
	uint64_t enter_ts, last_ts, first_ts;
	struct piece visits; /* times of the last CPU's events with foreign=1 */
};

static int64_t to_ns(const struct settings *s, uint64_t ts)
{
	if (s->tsc)
		ts = (uint64_t)(((unsigned __int128)ts * TSC_MULT) >> TSC_SHIFT);
	return (int64_t)ts + s->offset + s->date * 1000;
}

/* what a right reader makes of the visible events: written here from the rules, not from the reader */
static void account(const struct settings *s, struct totals *t, const struct made *m, uint64_t ts)
{
	if (m->id == ID_MISS) {
		if (m->data[16])
			t->below[m->state]++;
		else
			t->above[m->state]++;
	}
	if (m->id != ID_IDLE)
		return;
	if (m->state != UINT32_MAX) {
		t->reenters += t->open;
		t->open = true;
		t->state = m->state;
		t->enter_ts = ts;
	} else if (t->open) {
		t->count[t->state]++;
		t->time[t->state] += to_ns(s, ts) - to_ns(s, t->enter_ts);
		t->open = false;
	} else {
		t->orphans++;
	}
}

/* a hole ends: what was open before it has no known end */
static void end_loss(const struct settings *s, struct stream *b, struct totals *t)
{
	if (!s->naive)
		t->open = false;
	if ((b->npages / (uint64_t)s->lost) & 1)
		t->lost += DROP;
	else
		t->lost_unknown++;
}

static void emit(struct writer *w, const struct settings *s, struct stream *streams, int visible,
	const struct made *m, uint64_t *ts, long k, struct totals *own, struct totals *about)
{
	struct stream *b = &streams[m->buffer];

	if (b->open && b->used + 200 > w->page - 8 - (uint32_t)w->word)
		close_page(w, b, m->buffer == visible, s);
	if (b->dropping) {
		b->lost = !--b->dropping;
		return;
	}
	if (b->open && *ts < b->last_ts)
		*ts = b->last_ts; /* behind a discarded record */
	if (!b->open && b->lost)
		end_loss(s, b, own);
	put_record(w, s, b, m, *ts, k);
	own->events++;
	own->first_ts = own->first_ts && own->first_ts < *ts ? own->first_ts : *ts;
	own->last_ts = *ts;
	if (s->foreign && m->cpu == s->cpus - 1)
		add(&about->visits, ts, sizeof(*ts)); /* two buffers tell of it: order them later */
	else
		account(s, about, m, *ts);
}

/* exits of the last CPU, seen by CPU 0 half a period after each entry */
static void foreign_exits(struct writer *w, const struct settings *s, struct cpu_life *c,
	struct stream *streams, int visible, struct totals *all, long k)
{
	uint64_t due = s->start + c->foreign_done * FOREIGN_PERIOD + FOREIGN_PERIOD / 2;
	struct made m = {.size = 16};

	if (!s->foreign || c->cpu || c->ts < due)
		return;
	idle_event(w, &m, UINT32_MAX, s->cpus - 1);
	store(w, m.data, ID_IDLE, 2);
	c->foreign_done++;
	emit(w, s, streams, visible, &m, &c->ts, k, &all[0], &all[s->cpus - 1]);
}

static int by_time(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* its entries come every period from the start on, what is between them are exits */
static void account_foreign(const struct settings *s, struct totals *t)
{
	size_t n = t->visits.n / sizeof(uint64_t);
	uint64_t *ts = (uint64_t *)t->visits.p;

	if (n)
		qsort(ts, n, sizeof(*ts), by_time);
	for (size_t i = 0; i < n; i++) {
		bool enters = !((ts[i] - s->start) % FOREIGN_PERIOD) &&
			      (ts[i] - s->start) / FOREIGN_PERIOD < FOREIGN_ENTRIES;
		struct made m = {.id = ID_IDLE, .state = enters ? 1 : UINT32_MAX};

		account(s, t, &m, ts[i]);
	}
}

static void free_totals(const struct settings *s, struct totals *all)
{
	for (int i = 0; i < s->cpus; i++)
		free(all[i].visits.p);
	free(all);
}

static long events_of(const struct settings *s, int cpu)
{
	return s->events / s->cpus + (cpu < s->events % s->cpus);
}

static void live(struct writer *w, const struct settings *s, int cpu, struct stream *streams, int visible,
	struct totals *all)
{
	bool other = s->foreign && cpu == s->cpus - 1;
	struct cpu_life c = {.rng = 88172645463325252ULL ^ (uint64_t)(s->seed * 7919 + cpu * 104729 + 1),
		.ts = s->start + (other ? 0 : (uint64_t)cpu * 777), .cpu = cpu, .pid = 1000,
		.phase = cpu % 3 ? 0 : 1};
	long n = other ? FOREIGN_ENTRIES : events_of(s, cpu);

	for (long k = 0; k < n; k++) {
		struct made m;
		uint64_t ts;

		if (other) {
			memset(&m, 0, sizeof(m));
			m.size = idle_event(w, &m, 1, cpu);
			store(w, m.data, ID_IDLE, 2);
		} else {
			next_event(w, s, &c, k, &m);
			c.ts += m.id == ID_IDLE && m.state == UINT32_MAX ? 20000 + rnd(&c) % 2000000 :
									   300 + rnd(&c) % 4000;
			if (s->gap && k % s->gap == s->gap - 1)
				c.ts += 1000000000;
		}
		ts = c.ts;
		emit(w, s, streams, visible, &m, &ts, k, &all[cpu], &all[cpu]);
		c.ts = other ? c.ts + FOREIGN_PERIOD : ts;
		foreign_exits(w, s, &c, streams, visible, all, k);
	}
}

/* pages of one buffer of one CPU to the file; the figures only count in the first of several rounds */
static uint64_t write_cpu(struct writer *w, const struct settings *s, int cpu, int visible,
	struct totals *all)
{
	struct stream streams[3];
	uint64_t at = w->at, size;

	memset(streams, 0, sizeof(streams));
	for (int i = 0; i < 3; i++)
		streams[i].page = calloc(1, w->page);
	if (packs(w))
		put_number(w, 0, 4);
	live(w, s, cpu, streams, visible, all);
	for (int i = 0; i < 3; i++) {
		if (streams[i].open)
			close_page(w, &streams[i], i == visible, s);
		if (i == visible)
			flush_chunk(w, &streams[i]);
		free(streams[i].page);
		free(streams[i].chunk.p);
	}
	size = w->at - at;
	if (packs(w)) {
		patch(w, at, streams[visible].chunks, 4);
		size -= 4; /* as trace-cmd does: the count is left out */
	}
	align_to_page(w);
	return size;
}

static const char *buffer_name(int i)
{
	static const char *const names[] = {"", "sched", "timers"};

	return names[i];
}

#include "gen_dat_file.h"

static void print_totals(const struct settings *s, const struct totals *all)
{
	int64_t end = INT64_MIN;
	struct totals sum = {0};

	for (int i = 0; i < s->cpus; i++)
		if (all[i].events && to_ns(s, all[i].last_ts) > end)
			end = to_ns(s, all[i].last_ts);
	for (int i = 0; i < s->cpus; i++) {
		const struct totals *t = &all[i];

		for (int k = 0; k < 10; k++)
			if (t->count[k])
				printf("%d\tstate\t%d\t%llu\t%lld\n", i, k, (unsigned long long)t->count[k],
					(long long)t->time[k]);
		if (t->orphans)
			printf("%d\torphan_exit\t-\t%llu\t-\n", i, (unsigned long long)t->orphans);
		if (t->open)
			printf("%d\topen_tail\t%u\t1\t%lld\n", i, t->state,
				(long long)(end - to_ns(s, t->enter_ts)));
		if (t->reenters)
			printf("%d\treenter\t-\t%llu\t-\n", i, (unsigned long long)t->reenters);
		for (int k = 0; k < 10; k++)
			if (t->above[k] || t->below[k])
				printf("%d\tmiss\t%d\t%llu\t%llu\n", i, k, (unsigned long long)t->above[k],
					(unsigned long long)t->below[k]);
		sum.events += t->events;
		sum.lost += t->lost;
		sum.lost_unknown += t->lost_unknown;
	}
	printf("-\trecords\t-\t%llu\t-\n-\tlost\t-\t%llu\t%llu\n", (unsigned long long)sum.events,
		(unsigned long long)sum.lost, (unsigned long long)sum.lost_unknown);
}

static void setting(struct writer *w, struct settings *s, char *arg)
{
	char *value = strchr(arg, '=');
	struct { const char *key; long *to; } longs[] = {{"lost", &s->lost}, {"abs", &s->abs},
		{"gap", &s->gap}, {"pad", &s->pad}, {"marker", &s->marker}, {"big", &s->big},
		{"seed", &s->seed}, {"stat", &s->stat}, {"date", &s->date}};
	struct { const char *key; bool *to; } bools[] = {{"be", &w->be}, {"inst", &s->inst},
		{"tsc", &s->tsc}, {"shift", &s->shift}, {"foreign", &s->foreign}, {"naive", &s->naive}};

	if (!value) {
		fprintf(stderr, "gen_dat: key=value, not %s\n", arg);
		exit(2);
	}
	*value++ = '\0';
	for (size_t i = 0; i < sizeof(longs) / sizeof(*longs); i++)
		if (!strcmp(arg, longs[i].key))
			*longs[i].to = atol(value);
	for (size_t i = 0; i < sizeof(bools) / sizeof(*bools); i++)
		if (!strcmp(arg, bools[i].key))
			*bools[i].to = *value == '1';
	if (!strcmp(arg, "long"))
		w->word = atoi(value);
	else if (!strcmp(arg, "page"))
		w->page = (uint32_t)atol(value);
	else if (!strcmp(arg, "version"))
		w->version = atoi(value);
	else if (!strcmp(arg, "codec"))
		w->codec = value;
	else if (!strcmp(arg, "clock"))
		s->clock = value;
	else if (!strcmp(arg, "start"))
		s->start = strtoull(value, NULL, 10);
	else if (!strcmp(arg, "offset"))
		s->offset = strtoll(value, NULL, 10);
}

int main(int argc, char **argv)
{
	struct writer w = {.word = 8, .page = 4096, .version = 6, .codec = "none"};
	struct settings s = {.seed = 1, .start = 1000000000000ULL, .clock = "mono"};
	struct totals *all;

	if (argc < 4)
		return 2;
	s.events = atol(argv[2]);
	s.cpus = atoi(argv[3]);
	for (int i = 4; i < argc; i++)
		setting(&w, &s, argv[i]);
	s.nbuffers = s.inst ? 3 : 1;
	w.f = fopen(argv[1], "wb+");
	if (!w.f || s.cpus < 1) {
		perror(argv[1]);
		return 1;
	}
	setvbuf(w.f, NULL, _IOFBF, 1 << 20);
	all = calloc((size_t)s.cpus, sizeof(*all));
	if (w.version == 6)
		write_v6(&w, &s, all);
	else
		write_v7(&w, &s, all);
	if (fclose(w.f)) {
		perror(argv[1]);
		return 1;
	}
	if (s.foreign)
		account_foreign(&s, &all[s.cpus - 1]);
	print_totals(&s, all);
	free_totals(&s, all);
	return 0;
}
