// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mutate_dat COUNT SEED FILE...: change trace.dat files at random and read each result, from a buffer of
 * exactly its size so that a sanitizer sees every step outside. Fails when one takes over two seconds of
 * CPU time or the process grows beyond four times the file and 256 MB. A case is told by its own seed
 * ("case SEED" on failure), and runs alone as COUNT 1 with that seed. At the end: what became of them.
 */
#include "parsers/dat.h"
#include "parsers/parser.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define ROOM_KB (256UL << 10)

struct bytes {
	uint8_t *data;
	size_t size;
};

struct outcome {
	uint64_t accepted, refused, records, bad_pages, bad_records;
	double slowest;
};

static uint64_t next(uint64_t *rng)
{
	*rng ^= *rng << 13;
	*rng ^= *rng >> 7;
	*rng ^= *rng << 17;
	return *rng;
}

static size_t below(uint64_t *rng, size_t n)
{
	return n ? (size_t)(next(rng) % n) : 0;
}

static const uint64_t extremes[] = {0, 1, 2, 3, 4, 7, 8, 16, 29, 30, 31, 0x7f, 0xff, 0xfff, 0x1000, 0xffff,
	0x10000, 100000, 0x7fffffff, 0x80000000, 0xc0000ff0, 0x80000ff0, 0xfffffff0, 0xfffffff8, 0xfffffffc,
	0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffffff0,
	0xffffffffffffffff};

/* where it hurts: the header, the first bytes of a page, the tables at the end, anywhere */
static size_t place(uint64_t *rng, const struct bytes *b)
{
	switch (next(rng) % 5) {
	case 0:
		return below(rng, b->size < 5000 ? b->size : 5000);
	case 1:
		return (below(rng, b->size / 4096 + 1) * 4096 + below(rng, 32)) % b->size;
	case 2:
		return b->size - 1 - below(rng, b->size < 600 ? b->size : 600);
	default:
		return below(rng, b->size);
	}
}

static void overwrite(struct bytes *b, size_t at, const void *p, size_t n)
{
	if (at < b->size)
		memcpy(b->data + at, p, n < b->size - at ? n : b->size - at);
}

static void put_extreme(uint64_t *rng, struct bytes *b)
{
	uint64_t v = extremes[below(rng, ARRAY_SIZE(extremes))];
	size_t n = (size_t[]){2, 4, 8}[next(rng) % 3];
	uint8_t raw[8];
	bool swapped = next(rng) & 1;

	for (size_t i = 0; i < n; i++)
		raw[swapped ? n - 1 - i : i] = (uint8_t)(v >> (8 * i));
	overwrite(b, place(rng, b), raw, n);
}

/* a number in a format's text: offsets, sizes, ids */
static void put_text_number(uint64_t *rng, struct bytes *b)
{
	static const char *const keys[] = {"offset:", "size:", "ID: ", "signed:", "field:"};
	static const char *const values[] = {"0", "9", "65535", "99999999", "-1", ";", "\n"};
	const char *key = keys[below(rng, ARRAY_SIZE(keys))], *value = values[below(rng, ARRAY_SIZE(values))];
	size_t from = below(rng, b->size);
	uint8_t *p = memmem(b->data + from, b->size - from, key, strlen(key));

	if (p)
		overwrite(b, (size_t)(p - b->data) + strlen(key), value, strlen(value));
}

/* take out, put in, or double some bytes: everything behind moves */
static void splice(uint64_t *rng, struct bytes *b)
{
	size_t at = place(rng, b), n = 1 + below(rng, 64), from = below(rng, b->size);
	bool out = next(rng) & 1;
	uint8_t *data;

	n = n < b->size - at ? n : b->size - at;
	n = n < b->size - from ? n : b->size - from;
	data = malloc(out ? b->size - n + 1 : b->size + n);
	memcpy(data, b->data, at);
	if (!out)
		memcpy(data + at, b->data + from, n);
	memcpy(data + at + (out ? 0 : n), b->data + at + (out ? n : 0), b->size - at - (out ? n : 0));
	free(b->data);
	b->data = data;
	b->size = out ? b->size - n : b->size + n;
}

static void mutate(uint64_t *rng, struct bytes *b)
{
	static const uint8_t zeros[4096];
	size_t at = place(rng, b), from = below(rng, b->size), n = below(rng, 200);

	switch (next(rng) % 8) {
	case 0:
		b->data[at] ^= (uint8_t)(1U << (next(rng) & 7));
		break;
	case 1:
		b->data[at] = (uint8_t)next(rng);
		break;
	case 2:
	case 3:
		put_extreme(rng, b);
		break;
	case 4:
		put_text_number(rng, b);
		break;
	case 5:
		overwrite(b, at, zeros, below(rng, sizeof(zeros)));
		break;
	case 6:
		n = n < b->size - at ? n : b->size - at;
		n = n < b->size - from ? n : b->size - from;
		memmove(b->data + at, b->data + from, n);
		break;
	default:
		splice(rng, b);
	}
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void read_it(const struct bytes *b, uint64_t seed, struct outcome *o)
{
	uint8_t *exact = malloc(b->size ? b->size : 1);
	struct input in = {.name = "mutant", .data = exact, .size = b->size, .fd = -1};
	struct parse_options opt = {.want = seed & 1 ? EV_WANT_ALL : EV_WANT_IDLE, .threads = 1,
		.partial = seed >> 1 & 1};
	struct trace *t = trace_new("mutant", opt.want);
	struct error err = {0};

	memcpy(exact, b->data, b->size);
	if (parser_dat.probe(&in) && !parser_dat.parse(&in, &opt, t, &err)) {
		trace_finish(t);
		o->accepted++;
		o->records += t->events;
		o->bad_pages += t->bad_pages;
		o->bad_records += t->bad_records;
	} else {
		o->refused++;
	}
	trace_free(t);
	free(exact);
}

static bool one_case(const struct bytes *original, uint64_t seed, struct outcome *o)
{
	uint64_t rng = seed * 0x9e3779b97f4a7c15ULL | 1;
	struct bytes b = {malloc(original->size), original->size};
	double start = cpu_seconds(), took;
	struct rusage usage;
	int n = 1 + (int)below(&rng, 5);
	bool fine;

	memcpy(b.data, original->data, b.size);
	if (next(&rng) % 4 == 0)
		b.size = 1 + below(&rng, b.size);
	while (n-- && b.size > 16)
		mutate(&rng, &b);
	read_it(&b, seed, o);
	took = cpu_seconds() - start;
	o->slowest = took > o->slowest ? took : o->slowest;
	getrusage(RUSAGE_SELF, &usage);
	fine = took < 2 && (uint64_t)usage.ru_maxrss < ROOM_KB + 4 * b.size / 1024;
	if (!fine)
		printf("case %llu: %.1f s, %ld KB\n", (unsigned long long)seed, took, usage.ru_maxrss);
	free(b.data);
	return fine;
}

static struct bytes load(const char *path)
{
	FILE *f = fopen(path, "r");
	struct bytes b = {NULL, 0};

	if (!f) {
		perror(path);
		exit(2);
	}
	fseek(f, 0, SEEK_END);
	b.size = (size_t)ftell(f);
	rewind(f);
	b.data = malloc(b.size + 1);
	b.size = fread(b.data, 1, b.size, f);
	fclose(f);
	return b;
}

int main(int argc, char **argv)
{
	uint64_t count = argc > 3 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t seed = argc > 3 ? strtoull(argv[2], NULL, 10) : 0, bad = 0;
	int n = argc - 3;
	struct bytes *original;
	struct outcome o = {0};

	if (n < 1)
		return 2;
	original = calloc((size_t)n, sizeof(*original));
	for (int i = 0; i < n; i++)
		original[i] = load(argv[3 + i]);
	for (uint64_t i = 0; i < count; i++)
		bad += !one_case(&original[(seed + i) % (uint64_t)n], seed + i, &o);
	printf("%llu mutants: %llu read, %llu refused; %llu records, %llu bad pages, %llu bad records; "
		"slowest %.2f s; %llu over the limits\n", (unsigned long long)count,
		(unsigned long long)o.accepted, (unsigned long long)o.refused,
		(unsigned long long)o.records, (unsigned long long)o.bad_pages,
		(unsigned long long)o.bad_records, o.slowest, (unsigned long long)bad);
	for (int i = 0; i < n; i++)
		free(original[i].data);
	free(original);
	return bad ? 1 : 0;
}
