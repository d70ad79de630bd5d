// SPDX-License-Identifier: GPL-2.0-or-later
#include "parsers/dat_walk.h"
#include "parsers/dat_symbol.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* the CPUs of a recording, dealt to threads */
struct crew {
	struct dat *d;
	struct dat_lane *lane;
	int nlanes;
	atomic_int next, running;
	atomic_ullong done;
	uint64_t total;
	atomic_bool cancelled;
};

static bool ask_user(struct crew *crew)
{
	const struct parse_options *opt = crew->d->opt;

	if (opt->progress && opt->progress(opt->ctx, (double)crew->done / (double)crew->total))
		crew->cancelled = true;
	return crew->cancelled;
}

/* threads only count; the calling thread talks to the user */
static bool count_bytes(void *ctx, uint64_t bytes)
{
	struct crew *crew = ctx;

	crew->done += bytes;
	return crew->cancelled;
}

static bool count_and_ask(void *ctx, uint64_t bytes)
{
	count_bytes(ctx, bytes);
	return ask_user(ctx);
}

static void work(struct crew *crew, bool (*tick)(void *, uint64_t))
{
	int i;

	while ((i = crew->next++) < crew->nlanes && !crew->cancelled) {
		crew->lane[i].tick = tick;
		crew->lane[i].tick_ctx = crew;
		lane_walk(&crew->lane[i]);
	}
}

static void *worker(void *arg)
{
	struct crew *crew = arg;

	work(crew, count_bytes);
	crew->running--;
	return NULL;
}

static void run_crew(struct crew *crew, int threads)
{
	pthread_t id[64];
	int n = threads < crew->nlanes ? threads : crew->nlanes, started = 0;

	n = n > 64 ? 64 : n;
	while (started < n - 1) {
		crew->running++;
		if (pthread_create(&id[started], NULL, worker, crew)) {
			crew->running--;
			break;
		}
		started++;
	}
	work(crew, count_and_ask);
	while (crew->running) {
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
		ask_user(crew);
	}
	for (int i = 0; i < started; i++)
		pthread_join(id[i], NULL);
}

static void begin_lane(struct dat_lane *l, struct dat *d, struct trace *t, int cpu)
{
	memset(l, 0, sizeof(*l));
	l->d = d;
	l->t = t;
	l->cpu = cpu;
	l->wants = d->events.inside;
}

static int event_order(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->obj != y->obj)
		return x->obj < y->obj ? -1 : 1;
	return x->at_ns < y->at_ns ? -1 : x->at_ns > y->at_ns;
}

/* all foreign events of all lanes, sorted by the CPU that they are about, then by time */
static struct event *gather_foreign(struct crew *crew, size_t *n)
{
	struct event *all = NULL;
	size_t cap = 0;

	*n = 0;
	for (int i = 0; i < crew->nlanes; i++)
		for (size_t k = 0; k < crew->lane[i].nforeign; k++) {
			GROW(all, *n, cap);
			all[(*n)++] = crew->lane[i].foreign[k];
		}
	if (*n)
		qsort(all, *n, sizeof(*all), event_order);
	return all;
}

static void forget_cpu(struct cpu_trace *c)
{
	free(c->period);
	free(c->ev);
	free(c->hole);
	memset(c, 0, sizeof(*c));
	c->first_ns = INT64_MAX;
	c->last_ns = INT64_MIN;
}

/*
 * An idle event may stand in another CPU's buffer (coupled idle, a CPU going down). Its place in
 * time among its own CPU's events is known only when all have been walked, so those CPUs are walked
 * once more with the visitors merged in. Rare, so it need not be quick.
 */
static void place_foreign(struct crew *crew, struct trace *t)
{
	size_t n, i = 0;
	struct event *all = gather_foreign(crew, &n);

	while (i < n) {
		int cpu = (int)all[i].obj;
		struct dat_lane *l = &crew->lane[cpu];
		size_t k = i;

		while (k < n && (int)all[k].obj == cpu)
			k++;
		dat_lane_free(l);
		begin_lane(l, crew->d, t, cpu);
		l->visitor = &all[i];
		l->nvisitors = k - i;
		forget_cpu(&t->cpu[cpu]);
		lane_walk(l);
		i = k;
	}
	free(all);
}

static void sum_lane(struct trace *t, const struct dat_lane *l)
{
	const struct dat *d = l->d;

	t->events += l->records;
	for (int i = 0; i < d->events.nslots; i++)
		if (l->seen[i + 1])
			t->present |= EV_BIT(d->events.slot[i].kind);
	t->bad_pages += l->bad_pages;
	t->bad_records += l->bad_records;
	t->lost_events += l->lost;
	t->lost_unknown += l->lost_unknown;
	if (l->first_ts == UINT64_MAX)
		return;
	t->cpu[l->cpu].first_ns = min64(t->cpu[l->cpu].first_ns, dat_ns(d, l->first_ts));
	t->cpu[l->cpu].last_ns = max64(t->cpu[l->cpu].last_ns, dat_ns(d, l->last_ts));
}

struct symbol_table {
	struct symbol *s;
	size_t n, cap;
};

static void collect(struct symbol_table *st, const struct crew *crew, enum name_type type)
{
	for (int i = 0; i < crew->nlanes; i++) {
		const struct names *names = &crew->lane[i].names;

		for (uint32_t k = 0; k < names->n; k++) {
			if (names->name[k].type != type)
				continue;
			GROW(st->s, st->n, st->cap);
			st->s[st->n++] = (struct symbol){.address = names->name[k].address};
		}
	}
	st->n = symbol_sort(st->s, st->n);
}

/* the texts are megabytes: they are touched only when there is something to look up */
static void look_up(struct crew *crew, struct symbol_table *functions, struct symbol_table *strings)
{
	struct cursor text;

	collect(functions, crew, NAME_FUNCTION);
	collect(strings, crew, NAME_STRING);
	if (functions->n) {
		text = dat_text(crew->d, DAT_KALLSYMS);
		symbol_functions(functions->s, functions->n, (const char *)text.p, cursor_left(&text));
	}
	if (strings->n) {
		text = dat_text(crew->d, DAT_PRINTK);
		symbol_strings(strings->s, strings->n, (const char *)text.p, cursor_left(&text));
	}
}

static uint32_t intern(struct trace *t, const struct name *n, const struct symbol_table *functions,
	const struct symbol_table *strings)
{
	const struct symbol_table *st = n->type == NAME_FUNCTION ? functions : strings;
	const struct symbol *s;
	char text[24];

	if (n->type == NAME_TEXT)
		return trace_intern(t, n->text, n->len);
	s = symbol_find(st->s, st->n, n->address);
	if (s && s->name)
		return trace_intern(t, s->name, s->len);
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)n->address);
	return trace_intern(t, text, strlen(text));
}

/* lanes numbered names on their own: give each the trace's number, in the order of CPUs */
static void renumber(struct crew *crew, struct trace *t)
{
	struct symbol_table functions = {NULL, 0, 0}, strings = {NULL, 0, 0};

	look_up(crew, &functions, &strings);
	for (int i = 0; i < crew->nlanes; i++) {
		struct dat_lane *l = &crew->lane[i];
		struct cpu_trace *c = &t->cpu[l->cpu];
		uint32_t *number = xcalloc(l->names.n + 1, sizeof(*number));

		for (uint32_t k = 0; k < l->names.n; k++)
			number[k + 1] = intern(t, &l->names.name[k], &functions, &strings);
		for (size_t k = 0; k < c->nevs; k++)
			if (c->ev[k].kind != EV_IDLE && c->ev[k].kind != EV_MISS)
				c->ev[k].name = number[c->ev[k].name];
		free(number);
	}
	free(functions.s);
	free(strings.s);
}

static int count_cpus(const struct dat *d, uint64_t *bytes)
{
	int n = 0;

	*bytes = 1;
	for (int i = 0; i < d->nbuffers; i++) {
		const struct dat_buffer *b = &d->buffer[i];

		if (!dat_chosen(d, b))
			continue;
		for (int k = 0; k < b->nranges; k++) {
			n = b->range[k].cpu >= n ? b->range[k].cpu + 1 : n;
			*bytes += b->range[k].size;
		}
	}
	return n;
}

/* arrays that grow leave their old places behind, which with many CPUs adds up */
static void make_room(struct trace *t, uint64_t events)
{
	size_t each = t->ncpus ? (size_t)(events + events / 8) / (size_t)t->ncpus + 16 : 0;

	for (int i = 0; i < t->ncpus && events; i++) {
		t->cpu[i].ev = xrealloc(NULL, each, sizeof(struct event));
		t->cpu[i].ev_cap = each;
	}
}

int dat_walk(struct dat *d, struct trace *t)
{
	struct crew crew = {.d = d};

	crew.nlanes = count_cpus(d, &crew.total);
	trace_cpus(t, crew.nlanes);
	make_room(t, d->sampled);
	crew.lane = xcalloc((size_t)crew.nlanes, sizeof(*crew.lane));
	for (int i = 0; i < crew.nlanes; i++)
		begin_lane(&crew.lane[i], d, t, i);
	run_crew(&crew, d->opt->threads);
	if (!crew.cancelled) {
		place_foreign(&crew, t);
		for (int i = 0; i < crew.nlanes; i++)
			sum_lane(t, &crew.lane[i]);
		renumber(&crew, t);
	}
	for (int i = 0; i < crew.nlanes; i++)
		dat_lane_free(&crew.lane[i]);
	free(crew.lane);
	return crew.cancelled ? dat_fail(d, NULL, "stopped on request") : 0;
}
