/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of gen_dat.c that makes events: the life of one CPU that sleeps, wakes, runs a task. */

struct settings {
	long events, lost, abs, gap, pad, marker, big, seed, stat, date;
	bool inst, tsc, foreign, naive, shift;
	int cpus, nbuffers;
	uint64_t start;
	int64_t offset;
	const char *clock;
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
