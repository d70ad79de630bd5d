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
 *  foreign=1  the last CPU's exits stand in the buffer of CPU 0;  naive=1  figures of a reader that
 *  overlooks losses;  seed=N
 */
#include "dat_writer.h"

#define DROP 17
#define TSC_MULT 333333333U
#define TSC_SHIFT 30
#define FOREIGN_PERIOD 50000000ULL
#define FOREIGN_ENTRIES 20
#define CHUNK_PAGES 10

struct settings {
	long events, lost, abs, gap, pad, marker, big, seed;
	bool inst, tsc, foreign, naive;
	int cpus, nbuffers;
	uint64_t start;
	int64_t offset;
	const char *clock;
};

/* one buffer of one CPU while it fills */
struct stream {
	uint8_t *page;
	uint32_t used; /* bytes of data */
	uint64_t last_ts, npages, chunk_n;
	bool open;     /* page has a record */
	long dropping; /* events still to lose */
	bool lost;     /* the present page follows a loss */
	struct piece chunk;
	uint64_t chunks;
};

struct totals {
	uint64_t count[10], above[10], below[10];
	int64_t time[10];
	uint64_t orphans, reenters, events, lost, lost_unknown;
	bool open;
	uint32_t state;
	uint64_t enter_ts, last_ts, first_ts;
	struct piece visits; /* times of the last CPU's events with foreign=1 */
};

struct cpu_life {
	uint64_t rng, ts;
	int phase, cpu;
	uint32_t pid, state;
	uint64_t foreign_done;
};

struct made {
	uint8_t data[160];
	uint32_t size;
	int buffer; /* 0 idle events and markers, 1 sched, 2 timers */
	int id, cpu;
	uint32_t state;
};

static uint32_t rnd(struct cpu_life *c)
{
	c->rng ^= c->rng << 13;
	c->rng ^= c->rng >> 7;
	c->rng ^= c->rng << 17;
	return (uint32_t)(c->rng >> 16);
}

static int64_t to_ns(const struct settings *s, uint64_t ts)
{
	if (s->tsc)
		ts = (uint64_t)(((unsigned __int128)ts * TSC_MULT) >> TSC_SHIFT);
	return (int64_t)ts + s->offset;
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

static uint32_t idle_event(const struct writer *w, struct made *m, uint32_t state, int cpu)
{
	m->id = ID_IDLE;
	m->state = state;
	m->cpu = cpu;
	store(w, m->data + 8, state, 4);
	store(w, m->data + 12, (uint64_t)cpu, 4);
	return 16;
}

static uint32_t miss_event(const struct writer *w, struct cpu_life *c, struct made *m)
{
	m->id = ID_MISS;
	m->state = c->state;
	store(w, m->data + 8, (uint64_t)c->cpu, 4);
	store(w, m->data + 12, c->state, 4);
	m->data[16] = rnd(c) & 1;
	return 20;
}

static uint32_t timer_event(const struct writer *w, struct cpu_life *c, struct made *m, bool start)
{
	uint32_t at = 8 + (uint32_t)w->word;

	m->id = start ? ID_START : ID_EXPIRE;
	m->buffer = 2;
	store(w, m->data + 8, w->word == 8 ? 0xffff888000000000ULL + (uint64_t)c->cpu * 4096 : 0xc0000000,
		w->word);
	if (start) {
		store(w, m->data + at, w->word == 8 ? 0xffffffff81123450ULL : 0xc1123450, w->word);
		at = w->word == 8 ? 24 : 16;
		store(w, m->data + at, c->ts + 4000000, 8);
		store(w, m->data + at + 8, c->ts + 4000000, 8);
		store(w, m->data + at + 16, 2, 4);
		return at + 20;
	}
	at = 16; /* s64 now is aligned to 8 */
	store(w, m->data + at, c->ts, 8);
	store(w, m->data + at + 8, w->word == 8 ? 0xffffffff81123450ULL : 0xc1123450, w->word);
	return at + 8 + (uint32_t)w->word;
}

static uint32_t switch_event(const struct writer *w, struct cpu_life *c, struct made *m, bool in)
{
	uint32_t at = 32;

	m->id = ID_SWITCH;
	m->buffer = 1;
	if (in)
		c->pid = 1000 + rnd(c) % 400;
	snprintf((char *)m->data + 8, 16, in ? "swapper/%d" : "task-%d", in ? c->cpu : (int)c->pid);
	store(w, m->data + 24, in ? 0 : c->pid, 4);
	store(w, m->data + 28, 120, 4);
	store(w, m->data + at, !in, w->word);
	at += (uint32_t)w->word;
	snprintf((char *)m->data + at, 16, in ? "task-%d" : "swapper/%d", in ? (int)c->pid : c->cpu);
	store(w, m->data + at + 16, in ? c->pid : 0, 4);
	store(w, m->data + at + 20, 120, 4);
	return at + 24;
}

static uint32_t marker(const struct writer *w, struct made *m, long k)
{
	uint32_t at = 8 + (uint32_t)w->word;

	m->id = ID_PRINT;
	store(w, m->data + 8, 0x81000000, w->word);
	return at + (uint32_t)sprintf((char *)m->data + at, "mark %ld\n", k) + 1;
}

/* the next event of a CPU that sleeps, wakes, maybe by a timer, runs a task, sleeps again */
static void next_event(const struct writer *w, const struct settings *s, struct cpu_life *c, long k,
	struct made *m)
{
	memset(m, 0, sizeof(*m));
	m->cpu = c->cpu;
	if (s->marker && k % s->marker == s->marker - 1) {
		m->size = marker(w, m, k);
	} else if (c->phase == 0) {
		c->state = rnd(c) % 4;
		m->size = idle_event(w, m, c->state, c->cpu);
		c->phase = 1;
	} else if (c->phase == 1) {
		m->size = idle_event(w, m, UINT32_MAX, c->cpu);
		c->phase = rnd(c) % 4 ? 3 : 2 + 3 * (rnd(c) & 1);
	} else if (c->phase == 2) {
		m->size = miss_event(w, c, m);
		c->phase = 3;
	} else if (c->phase == 3 || c->phase == 4) {
		m->size = timer_event(w, c, m, c->phase == 4);
		c->phase++;
	} else {
		m->size = switch_event(w, c, m, c->phase == 5);
		c->phase = c->phase == 5 ? 6 : 0;
	}
	store(w, m->data, (uint64_t)m->id, 2);
	m->data[2] = 1;
	store(w, m->data + 4, m->buffer ? c->pid : 0, 4);
	m->size = (m->size + 3) & ~3U;
	m->buffer = s->inst ? m->buffer : 0;
}

static void flush_chunk(struct writer *w, struct stream *b)
{
	size_t max = squeezed_max(b->chunk.n), n;
	uint8_t *out;

	if (!b->chunk.n)
		return;
	out = malloc(max);
	n = squeeze(w, out, max, b->chunk.p, b->chunk.n);
	put_number(w, n, 4);
	put_number(w, b->chunk.n, 4);
	put(w, out, n);
	free(out);
	b->chunk.n = 0;
	b->chunks++;
}

static void close_page(struct writer *w, struct stream *b, bool visible, const struct settings *s)
{
	uint64_t commit = b->used;
	uint32_t head = 8 + (uint32_t)w->word;

	if (b->lost) {
		/* the kernel's constant is an int: its sign goes up into the upper half of a long */
		commit |= w->word == 8 ? 0xffffffff80000000ULL : 0x80000000ULL;
		if ((b->npages / (uint64_t)s->lost) & 1) {
			commit |= 1U << 30;
			store(w, b->page + head + b->used, DROP, w->word);
		}
	}
	store(w, b->page + 8, commit, w->word);
	if (visible && packs(w)) {
		add(&b->chunk, b->page, w->page);
		if (b->chunk.n == (size_t)CHUNK_PAGES * w->page)
			flush_chunk(w, b);
	} else if (visible) {
		put(w, b->page, w->page);
	}
	memset(b->page, 0, w->page);
	b->npages++;
	b->used = 0;
	b->open = b->lost = false;
	if (s->lost && b->npages % (uint64_t)s->lost == (uint64_t)s->lost - 1)
		b->dropping = DROP;
}

static uint8_t *record_head(const struct writer *w, struct stream *b, uint32_t type, uint64_t delta)
{
	uint8_t *p = b->page + 8 + w->word + b->used;

	store(w, p, w->be ? type << 27 | (uint32_t)delta : (uint32_t)delta << 5 | type, 4);
	b->used += 4;
	return p + 4;
}

static void time_record(const struct writer *w, struct stream *b, uint32_t type, uint64_t value)
{
	uint8_t *p = record_head(w, b, type, value & ((1U << 27) - 1));

	store(w, p, (value & ((1ULL << 59) - 1)) >> 27, 4);
	b->used += 4;
}

static void put_record(const struct writer *w, const struct settings *s, struct stream *b,
	const struct made *m, uint64_t ts, long k)
{
	uint64_t delta = b->open ? ts - b->last_ts : 0;
	bool big = m->size > 112 || (s->big && k % s->big == 0);
	uint8_t *p;

	if (!b->open)
		store(w, b->page, ts, 8);
	b->open = true;
	b->last_ts = ts;
	if (s->abs && k % s->abs == s->abs - 1) {
		time_record(w, b, 31, ts);
		delta = 0;
	} else if (delta >> 27) {
		time_record(w, b, 30, delta);
		delta = 0;
	}
	p = record_head(w, b, big ? 0 : m->size / 4, delta);
	if (big) {
		store(w, p, m->size + 4, 4);
		p += 4;
		b->used += 4;
	}
	memcpy(p, m->data, m->size);
	b->used += m->size;
	if (s->pad && k % s->pad == s->pad - 1) {
		p = record_head(w, b, 29, 1);
		store(w, p, 8, 4);
		b->used += 8;
		b->last_ts++; /* the reader adds the delta of a discarded record, as trace-cmd does */
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
		{"seed", &s->seed}};
	struct { const char *key; bool *to; } bools[] = {{"be", &w->be}, {"inst", &s->inst},
		{"tsc", &s->tsc}, {"foreign", &s->foreign}, {"naive", &s->naive}};

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
