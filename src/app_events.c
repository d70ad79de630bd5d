// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Raw events for the screen, read again from the recording in a thread of their own: what the view asked
 * for goes out as a request, what comes back is a chunk of lines. One request at a time; a new one stops
 * the one before.
 */
#include "src/app_parts.h"
#include "parsers/dat_raw.h"
#include "parsers/text_raw.h"
#include "src/rawevents.h"

#include <stdlib.h>
#include <string.h>

#define WIDEN 8		  /* how much further back it is looked when too little was found */
#define CHECK_LINES 4096  /* of text between two looks at cancel */

static bool cancelled(void *job)
{
	return atomic_load(&((struct events_job *)job)->cancel);
}

static size_t lines_after(const struct events_job *j)
{
	return j->chunk.n - event_chunk_at(&j->chunk, j->want.at_ns);
}

/* true when there are enough */
static bool collect(struct events_job *j, int64_t at_ns, int cpu, const char *text, size_t len, size_t body)
{
	event_chunk_add(&j->chunk, at_ns, cpu, text, len, body);
	atomic_fetch_add(&j->seen, 1);
	if (at_ns < j->want.at_ns && j->chunk.n > 2 * j->want.before + 1)
		event_chunk_keep(&j->chunk, j->want.before, true);
	return (at_ns >= j->want.at_ns && lines_after(j) > j->want.after) || cancelled(j);
}

/* the event's name stands behind the time, wherever that stands */
static size_t body_of(const struct raw_line *l)
{
	char at[40];
	int n = snprintf(at, sizeof(at), "%lld.%09lld: ", (long long)(l->at_ns / NSEC_PER_SEC),
		(long long)(l->at_ns % NSEC_PER_SEC));
	const char *p = strstr(l->text, at);

	return p ? (size_t)(p - l->text) + (size_t)n : 0;
}

static bool take_record(void *job, const struct raw_line *l)
{
	return collect(job, l->at_ns, l->cpu, l->text, strlen(l->text), body_of(l));
}

static int dat_chunk(struct events_job *j, int64_t from_ns, struct error *err)
{
	struct parse_options opt = {.instance = j->o->instance, .partial = j->o->partial, .threads = 1};
	struct raw_window window = {from_ns, j->want.after ? INT64_MAX : j->want.at_ns};
	struct raw_sink sink = {take_record, cancelled, j};
	struct raw_world world;
	bool *cpu = NULL;
	struct dat_raw *raw;
	int ret;

	if (j->want.cpu >= 0) {
		cpu = xcalloc((size_t)j->want.cpu + 1, sizeof(*cpu));
		cpu[j->want.cpu] = true;
	}
	raw = dat_raw_open(&j->in, &opt, cpu, j->want.cpu + 1, err);
	free(cpu);
	if (!raw)
		return -1;
	dat_raw_world(raw, &world);
	dat_raw_seek(raw, from_ns);
	ret = rawevents_print(&world, &window, dat_raw_next, raw, &sink, err);
	dat_raw_close(raw);
	return ret;
}

static int text_chunk(struct events_job *j, int64_t from_ns, struct error *err)
{
	struct text_raw raw;
	struct text_span line;
	struct text_head h;
	bool enough = false;

	if (!text_raw_open(&raw, &j->in))
		return error_set(err, EXIT_INPUT, "%s holds counters, no events", j->in.in.name);
	for (uint64_t n = 0; !enough && text_raw_next(&raw, &h, &line); n++) {
		if (n % CHECK_LINES == 0 && cancelled(j))
			break;
		if (!h.name.s || h.at_ns < from_ns || (j->want.cpu >= 0 && h.cpu != j->want.cpu) ||
			(!j->want.after && h.at_ns >= j->want.at_ns))
			continue;
		enough = collect(j, h.at_ns, h.cpu, line.s, (size_t)(line.end - line.s),
			(size_t)(h.name.s - line.s));
	}
	text_raw_close(&raw);
	copy_text(j->chunk.note, sizeof(j->chunk.note), "lines as they stand in the file");
	return 0;
}

static int read_chunk(struct events_job *j, int64_t from_ns, struct error *err)
{
	int ret;

	event_chunk_free(&j->chunk);
	atomic_store(&j->seen, 0);
	j->chunk.from_ns = from_ns;
	j->chunk.to_ns = j->want.after ? INT64_MAX : j->want.at_ns;
	ret = j->in.parser == &parser_dat ? dat_chunk(j, from_ns, err) : text_chunk(j, from_ns, err);
	if (ret || cancelled(j))
		return ret;
	if (lines_after(j) > j->want.after)
		event_chunk_keep(&j->chunk, j->chunk.n - 1, false);
	event_chunk_keep(&j->chunk, j->want.before + lines_after(j), true);
	return 0;
}

static int open_input(struct events_job *j, struct error *err)
{
	if (j->opened)
		return 0;
	if (!strcmp(j->path, "-"))
		return error_set(err, EXIT_USAGE,
			"the recording came through a pipe and cannot be read again: open it as a file");
	j->opened = true;
	return input_open(&j->in, j->path, err);
}

static void *work(void *job)
{
	struct events_job *j = job;
	struct error err = {0};
	int64_t from = j->want.from_ns;
	int ret = open_input(j, &err);

	if (!ret)
		ret = read_chunk(j, from, &err);
	/* looking back for a number of lines, it is not known how far that is */
	while (!ret && !j->want.after && j->chunk.n < j->want.before / 4 && from > j->origin_ns &&
		!cancelled(j)) {
		from = max64(j->want.at_ns - (j->want.at_ns - from) * WIDEN, j->origin_ns);
		ret = read_chunk(j, from, &err);
	}
	if (ret || cancelled(j)) {
		event_chunk_free(&j->chunk);
		copy_text(j->chunk.error, sizeof(j->chunk.error), ret ? err.text : "stopped");
	}
	atomic_store(&j->done, true);
	return NULL;
}

static void start(struct app *a)
{
	struct events_job *j = &a->events;
	struct event_feed *f = &a->s.feed;

	j->o = a->o;
	j->path = a->path;
	j->want = f->want;
	j->origin_ns = a->s.trace->origin_ns;
	atomic_store(&j->cancel, false);
	atomic_store(&j->done, false);
	f->asked = false;
	if (pthread_create(&j->thread, NULL, work, j)) {
		copy_text(f->chunk.error, sizeof(f->chunk.error), "no thread to read events in");
		f->answered = true;
		return;
	}
	f->busy = true;
}

static void finish(struct app *a)
{
	struct event_feed *f = &a->s.feed;

	pthread_join(a->events.thread, NULL);
	f->busy = f->stop = false;
	event_chunk_free(&f->chunk);
	f->chunk = a->events.chunk;
	memset(&a->events.chunk, 0, sizeof(a->events.chunk));
	f->answered = true;
}

bool app_events_poll(struct app *a)
{
	struct event_feed *f = &a->s.feed;
	bool changed = f->busy && atomic_load(&a->events.done);

	if (changed)
		finish(a);
	f->seen = f->busy ? atomic_load(&a->events.seen) : 0;
	if (f->busy && (f->asked || f->stop))
		atomic_store(&a->events.cancel, true);
	if (f->asked && !f->busy && a->s.trace)
		start(a);
	return changed;
}

bool app_events_wait(struct app *a)
{
	bool busy = a->s.feed.busy || a->s.feed.asked;

	app_events_poll(a);
	if (a->s.feed.busy)
		finish(a);
	return busy && a->s.trace;
}

void app_events_free(struct app *a)
{
	atomic_store(&a->events.cancel, true);
	if (a->s.feed.busy)
		finish(a);
	if (a->events.opened)
		input_close(&a->events.in);
}
