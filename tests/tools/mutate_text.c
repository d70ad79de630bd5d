// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mutate_text COUNT SEED FILE...: change text, dumps and packed files at random and read the result with
 * every reader of these formats, from buffers of exactly their size. Meant for a sanitizer build; prints
 * how many were taken and refused. A case can be run alone: COUNT 1 with the seed that was printed.
 */
#include "parsers/archive.h"
#include "parsers/dump.h"
#include "parsers/text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FILE_MAX 200000

struct bytes {
	uint8_t *data;
	size_t size;
};

static uint64_t rng;

static uint64_t next(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return rng;
}

static size_t below(size_t n)
{
	return n ? (size_t)(next() % n) : 0;
}

/* what a parser might stumble over, put over or between the bytes */
static const char *const words[] = {"\n", "\r\n", "[", "]", "-", ":", " ", "\t", "==>", "[8191]", "[8192]",
	"[99999999999]", "4294967295", "18446744073709551615", "-1", "99999999999999999999.5:", ".", "0x",
	"0xffffffffffffffffff", "cpu_idle: state=", "cpu_id=8191", "cpu_id=-5", "state=10", "cpuidle/state",
	"/state9/", "/cpu8191/", "usage:", " (DISABLED) :", "analyzing CPU ", "CPU:3 [LOST ", "EVENTS",
	"ARRAY[", "<script class=\"trace-data\"", "</script>", "linuxPerfData", "#P:", "cpus=", "> ", "\\n\\",
	"prev_comm=", "=3D", "=\n", " state=3D1", " next_comm=", " next_pid=", "105us!:", "(", ")", "%n%s", "\xff\xfe"};

static void replace(struct bytes *b, size_t at, size_t cut, const void *with, size_t n)
{
	uint8_t *data = malloc(b->size - cut + n + 1);

	memcpy(data, b->data, at);
	if (n)
		memcpy(data + at, with, n);
	memcpy(data + at + n, b->data + at + cut, b->size - at - cut);
	free(b->data);
	b->data = data;
	b->size = b->size - cut + n;
}

static void mutate(struct bytes *b)
{
	size_t at = below(b->size + 1), n = below(40), room = b->size - at, cut = n < room ? n : room;
	const char *word = words[below(ARRAY_SIZE(words))];

	switch (below(7)) {
	case 0: /* bits */
		for (size_t i = 0; i < 4 && b->size; i++)
			b->data[below(b->size)] ^= (uint8_t)(1U << below(8));
		break;
	case 1:
		replace(b, at, 0, word, strlen(word));
		break;
	case 2:
		replace(b, at, cut, word, strlen(word));
		break;
	case 3:
		replace(b, at, cut, NULL, 0);
		break;
	case 4: { /* a copy of another part */
		size_t from = below(b->size), most = b->size - from;
		uint8_t part[400];
		size_t len = below(sizeof(part));

		len = len < most ? len : most;
		memcpy(part, b->data + from, len);
		replace(b, at, 0, part, len);
		break;
	}
	case 5: /* cut short */
		replace(b, at, room, NULL, 0);
		break;
	case 6:
		if (b->size)
			b->data[below(b->size)] = (uint8_t)next();
		break;
	}
}

static bool swallow(void *ctx, const char *path, const uint8_t *data, size_t size)
{
	struct dump *d = ctx;

	dump_sysfs_value(d, path, strlen(path), (const char *)data, size < 4096 ? size : 4096);
	return false;
}

static bool read_trace(const struct parser *p, const struct input *in, uint64_t want)
{
	struct parse_options opt = {.want = want, .threads = 1};
	struct trace *t = trace_new("x", want);
	struct error err;
	bool taken = p->parse(in, &opt, t, &err) == 0;

	if (taken)
		trace_finish(t);
	trace_free(t);
	return taken;
}

static bool read_dump(const struct bytes *b)
{
	struct dump d, twice;
	struct machine m;
	struct error err;
	bool taken = false;

	if (dump_parse(&d, "x", (const char *)b->data, b->size, &err) < 0)
		return false;
	if (dump_machine(&m, &d, "x", &err) == 0) {
		for (int i = 0; i < m.ncpus; i++)
			for (int s = 0; s < machine_table(&m, i)->nstates; s++)
				machine_timeout(machine_table(&m, i), s, 250);
		machine_free(&m);
		taken = true;
	}
	if (dump_subtract(&twice, &d, &d, &err) == 0)
		dump_free(&twice);
	dump_free(&d);
	return taken;
}

static unsigned int read_all_ways(const struct bytes *b)
{
	struct input in = {"x", b->data, b->size, -1, 0};
	unsigned int taken = 0;
	struct dump d = {0};
	struct error err;

	taken += read_trace(&parser_text, &in, EV_WANT_IDLE);
	taken += read_trace(&parser_text, &in, EV_WANT_ALL);
	if (parser_html.probe(&in))
		taken += read_trace(&parser_html, &in, EV_WANT_ALL);
	parser_text.probe(&in);
	parser_dump.probe(&in);
	taken += read_dump(b);
	if (archive_wrapped(b->data, b->size))
		taken += archive_each("x", b->data, b->size, swallow, &d, &err) == 0;
	dump_free(&d);
	return taken;
}

static struct bytes load(const char *path)
{
	FILE *f = fopen(path, "re");
	struct bytes b = {malloc(FILE_MAX), 0};

	if (!f) {
		fprintf(stderr, "%s: cannot be opened\n", path);
		exit(2);
	}
	b.size = fread(b.data, 1, FILE_MAX, f);
	fclose(f);
	return b;
}

/* a piece small enough to be changed often, copied to a buffer of its size */
static struct bytes piece_of(const struct bytes *file, bool whole)
{
	size_t n = whole ? file->size : below(6000) + 1, at;
	struct bytes b;

	n = n < file->size ? n : file->size;
	at = below(file->size - n + 1);
	b = (struct bytes){malloc(n + 1), n};
	memcpy(b.data, file->data + at, n);
	return b;
}

static unsigned int one_case(const struct bytes *files, size_t n)
{
	const struct bytes *file = &files[below(n)];
	struct bytes b = piece_of(file, archive_wrapped(file->data, file->size) || below(50) == 0);
	size_t changes = 1 + below(6);
	unsigned int taken;
	uint8_t *exact;

	for (size_t i = 0; i < changes; i++)
		mutate(&b);
	exact = malloc(b.size ? b.size : 1);
	memcpy(exact, b.data, b.size);
	free(b.data);
	b.data = exact;
	taken = read_all_ways(&b);
	free(b.data);
	return taken;
}

int main(int argc, char **argv)
{
	size_t nfiles = argc > 3 ? (size_t)argc - 3 : 0;
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, taken = 0;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct bytes *files = xcalloc(nfiles, sizeof(*files));
	double slowest = 0;

	if (!nfiles) {
		fputs("usage: mutate_text COUNT SEED FILE...\n", stderr);
		return 2;
	}
	for (size_t i = 0; i < nfiles; i++)
		files[i] = load(argv[i + 3]);
	for (unsigned long i = 0; i < count; i++) {
		clock_t start = clock();
		double took;

		rng = (seed + i) * 0x9e3779b97f4a7c15ULL + 1;
		taken += one_case(files, nfiles) > 0;
		took = (double)(clock() - start) / CLOCKS_PER_SEC;
		if (took > 2)
			printf("case %llu took %.1f s\n", (unsigned long long)(seed + i), took);
		slowest = took > slowest ? took : slowest;
	}
	printf("%lu cases, %lu taken by some reader, slowest %.2f s\n", count, taken, slowest);
	for (size_t i = 0; i < nfiles; i++)
		free(files[i].data);
	free(files);
	return slowest > 2;
}
