// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings in every form, and all that is made of them before anybody looks. */
#include "parsers/archive.h"
#include "parsers/dat_raw.h"
#include "parsers/dump.h"
#include "parsers/text.h"
#include "replay/replay.h"
#include "src/wakes.h"
#include "tests/fuzz/feed.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* a number that follows from the bytes */
static size_t salt(const uint8_t *data, size_t size)
{
	size_t h = size;

	for (size_t i = 0; i < 64 && size; i++)
		h = h * 31 + data[i * (size - 1) / 63];
	return h ^ h >> 7;
}

static struct parse_options options_by(const uint8_t *data, size_t size)
{
	size_t h = salt(data, size);

	return (struct parse_options){.threads = h % 32 == 9 ? 2 : 1, .partial = h & 1,
		.want = h & 2 ? EV_WANT_ALL : EV_WANT_IDLE, .instance = h % 16 == 4 ? "sched" : NULL,
		.sample_above = h % 8 == 3, .sample_events = h % 32 == 11 ? 0 : 50,
		.to = {.given = h % 64 == 19, .from_start = true, .ns = NSEC_PER_MSEC}};
}

/* a machine whose numbers are known, so that periods are judged */
static void some_machine(struct machine *m, int ncpus)
{
	struct state_table table = {.nstates = 4};

	table.state[0].polling = table.state[0].timeout_sets_poll_limit = true;
	table.state[0].timeout = TIMEOUT_POLL_IDLE;
	for (int i = 1; i < table.nstates; i++) {
		table.state[i].exit_latency_ns = 2000 << (3 * i);
		table.state[i].target_residency_ns = 5000 << (3 * i);
	}
	machine_uniform(m, &table, ncpus > 0 ? ncpus : 1);
}

static void look_at(struct trace *t)
{
	struct machine m;

	trace_finish(t);
	machine_guess(&m, STATES_MAX - 1, t->ncpus > 0 ? t->ncpus : 1);
	wakes_attribute(t, &m);
	machine_free(&m);
}

static bool parsed(const struct parser *p, const uint8_t *data, size_t size)
{
	struct input in = {.name = "input", .data = data, .size = size, .fd = -1};
	struct parse_options opt = options_by(data, size);
	struct trace *t = trace_new("input", opt.want);
	struct error err = {0};
	bool taken = p->probe(&in) && !p->parse(&in, &opt, t, &err);

	if (taken)
		look_at(t);
	trace_free(t);
	return taken;
}

static bool take_dat(const uint8_t *data, size_t size)
{
	return parsed(&parser_dat, data, size);
}

/* somebody writes into the file while it is read, and cuts it in the end */
struct disturber {
	int fd;
	size_t size;
};

static void *disturb(void *ctx)
{
	const struct disturber *d = ctx;
	uint64_t rng = d->size | 1;

	for (int i = 0; i < 20; i++) {
		rng = rng * 6364136223846793005ULL + 1442695040888963407ULL;
		if (pwrite(d->fd, &rng, 4, (off_t)((rng >> 20) % d->size)) != 4)
			break;
	}
	if (ftruncate(d->fd, (off_t)((rng >> 20) % d->size)))
		perror("ftruncate");
	return NULL;
}

/* as big files are read: the first bytes in memory, the rest mapped */
static bool take_mapped(const uint8_t *data, size_t size)
{
	struct disturber d = {feed_fd(data, size), size};
	struct input in = {.name = "input", .data = data, .size = size / 3, .fd = d.fd, .file_size = size};
	struct parse_options opt = options_by(data, size);
	struct trace *t = trace_new("input", opt.want);
	bool disturbed = salt(data, size) / 64 % 4 == 3;
	struct error err = {0};
	pthread_t thread;
	bool taken;

	if (disturbed && pthread_create(&thread, NULL, disturb, &d))
		disturbed = false;
	taken = parser_dat.probe(&in) && !parser_dat.parse(&in, &opt, t, &err);
	if (taken)
		look_at(t);
	if (disturbed)
		pthread_join(thread, NULL);
	trace_free(t);
	return taken;
}

static bool take_html(const uint8_t *data, size_t size)
{
	return parsed(&parser_html, data, size);
}

/* both the readers that ask whether it is theirs and the one that takes anything */
static bool take_text(const uint8_t *data, size_t size)
{
	struct parse_options opt = options_by(data, size);
	struct trace *t = trace_new("input", opt.want);
	struct text_span text = {(const char *)data, (const char *)data + size};
	struct error err = {0};
	bool taken = !text_parse_bytes("input", text, NULL, &opt, t, &err);

	if (taken)
		look_at(t);
	trace_free(t);
	return parsed(&parser_text, data, size) || taken;
}

static void replay_on(struct trace *t, const struct machine *m, const char *governor)
{
	struct replay_options opt = {.limit_ns = -1, .warmup = 5, .threads = 1};
	struct decision_options how = {0};
	struct decisions d;
	struct gov_spec spec;
	struct verify_result v;
	struct error err;

	wakes_attribute(t, m);
	if (decisions_build(&d, t, m, &how, &err))
		return;
	if (!governor_parse(&spec, governor, "", &err))
		replay_taught(&v, &d, m, &spec, &opt, NULL, &err);
	decisions_free(&d);
}

/* what comes out of damaged bytes goes through a governor */
static bool take_replay(const uint8_t *data, size_t size)
{
	struct input in = {.name = "input", .data = data, .size = size, .fd = -1};
	struct parse_options opt = {.threads = 1, .partial = true, .want = EV_WANT_ALL,
		.sample_above = salt(data, size) % 4 == 2, .sample_events = 50};
	struct trace *t = trace_new("input", opt.want);
	struct machine m;
	struct error err;
	bool odd = salt(data, size) & 1;
	bool taken = parser_dat.probe(&in) ? !parser_dat.parse(&in, &opt, t, &err) :
					     !parser_text.parse(&in, &opt, t, &err);

	if (taken) {
		trace_finish(t);
		some_machine(&m, t->ncpus);
		for (int i = 0; i < t->nwindows; i++) {
			struct trace part;

			trace_window_open(&part, t, i);
			replay_on(&part, &m, odd ? "menu@6.1" : "teo@6.12");
			trace_window_close(&part, t);
		}
		if (!t->nwindows)
			replay_on(t, &m, odd ? "menu@6.1" : "teo@6.12");
		machine_free(&m);
	}
	trace_free(t);
	return taken;
}

/* every record as it is, as the command events walks them */
static bool take_raw(const uint8_t *data, size_t size)
{
	struct opened o = {.in = {.name = "input", .data = data, .size = size, .fd = -1}, .parser = &parser_dat};
	struct parse_options opt = options_by(data, size);
	struct dat_raw *r;
	struct raw_event ev;
	struct raw_world w;
	struct error err;
	unsigned int sum = 0;

	if (!parser_dat.probe(&o.in))
		return false;
	r = dat_raw_open(&o, &opt, NULL, 0, &err);
	if (!r)
		return false;
	dat_raw_world(r, &w);
	while (dat_raw_next(r, &ev))
		for (uint32_t i = 0; i < ev.size; i++)
			sum += ev.data[i];
	for (size_t i = 0; i < w.kallsyms.len; i++)
		sum += (unsigned char)w.kallsyms.p[i];
	dat_raw_close(r);
	return sum != 1; /* the sum keeps the reads above alive */
}

static bool take_dump(const uint8_t *data, size_t size)
{
	struct dump d, none;
	struct machine m;
	struct error err;
	bool taken = false;

	dump_is((const char *)data, size);
	if (dump_parse(&d, "input", (const char *)data, size, &err))
		return false;
	if (!dump_machine(&m, &d, "input", &err)) {
		for (int i = 0; i < m.ncpus; i++)
			for (int s = 0; s < machine_table(&m, i)->nstates; s++)
				machine_timeout(machine_table(&m, i), s, 250);
		machine_free(&m);
		taken = true;
	}
	if (!dump_subtract(&none, &d, &d, &err))
		dump_free(&none);
	dump_free(&d);
	return taken;
}

static bool swallow(void *ctx, const char *path, const uint8_t *data, size_t size)
{
	dump_sysfs_value(ctx, path, strlen(path), (const char *)data, size < 4096 ? size : 4096);
	return false;
}

static bool known(const uint8_t *data, size_t size)
{
	struct text_span text = {(const char *)data, (const char *)data + size};

	return dump_is((const char *)data, size) > 0 || text_looks(text);
}

static bool take_archive(const uint8_t *data, size_t size)
{
	struct dump d = {0};
	struct error err;
	char inner[100];
	uint8_t *bytes;
	bool taken;
	size_t n;

	if (!archive_wrapped(data, size))
		return false;
	taken = !archive_each("input", data, size, swallow, &d, &err);
	dump_free(&d);
	if (!archive_unwrap("input", data, size, known, &bytes, &n, inner, sizeof(inner), &err))
		free(bytes);
	return taken;
}

/* the whole way from a name to a trace: whose format is it, is it packed, is it in memory */
static bool take_file(const uint8_t *data, size_t size)
{
	struct parse_options opt = options_by(data, size);
	struct error err;
	struct trace *t = parse_file(feed_path(data, size), &opt, &err);
	struct dump d;

	if (t)
		trace_free(t);
	else if (!dump_load(&d, feed_path(data, size), &err))
		dump_free(&d);
	return t != NULL;
}

static const char *const text_words[] = {"\n", "\r\n", "[", "]", "-", ":", " ", "\t", "==>", "[8191]", "[8192]",
	"[99999999999]", "4294967295", "18446744073709551615", "-1", "99999999999999999999.5:", ".", "0x",
	"0xffffffffffffffffff", "cpu_idle: state=", "cpu_id=8191", "cpu_id=-5", "state=10", "CPU:3 [LOST ",
	"EVENTS", "ARRAY[", "<script class=\"trace-data\"", "</script>", "linuxPerfData", "#P:", "cpus=", "> ",
	"\\n\\", "prev_comm=", "=3D", "=\n", " state=3D1", " next_comm=", " next_pid=", "105us!:", "(", ")",
	"%n%s", "\xff\xfe", NULL};

static const char *const dump_words[] = {"\n", ":", "/", " ", "cpuidle/state", "/state9/", "/cpu8191/", "/cpu0/",
	"usage:", " (DISABLED) :", "analyzing CPU ", "Latency: ", "Residency: ", "Duration: ", "latency:",
	"residency:", "disable:", "/s2idle/usage:", "name:", "desc:", "4294967295", "18446744073709551615", "-1",
	"99999999999999999999", "/sys/devices/system/cpu/", "current_driver:", "Available idle states:",
	"Number of idle states: ", "\r\n", "> ", NULL};

const struct feed feed_dat = {"dat", take_dat, NULL, 0};
const struct feed feed_mapped = {"mapped", take_mapped, NULL, 0};
const struct feed feed_replay = {"replay", take_replay, NULL, 0};
const struct feed feed_raw = {"raw", take_raw, NULL, 0};
const struct feed feed_text = {"text", take_text, text_words, 6000};
const struct feed feed_html = {"html", take_html, text_words, 0};
const struct feed feed_dump = {"dump", take_dump, dump_words, 6000};
const struct feed feed_archive = {"archive", take_archive, NULL, 0};
const struct feed feed_file = {"file", take_file, NULL, 0};
