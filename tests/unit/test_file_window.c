// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings that are mapped: the same figures as from memory, and files that are cut while they are read. */
#include "parsers/dat.h"
#include "parsers/file_window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "/tmp/reidle-test-XXXXXX";

/* 200,000 events on 4 CPUs: some 9 MB, not compressed */
static int make_file(void **unused)
{
	const char *build = getenv("BUILD");
	char command[200];
	int fd = mkstemp(path);

	(void)unused;
	close(fd);
	snprintf(command, sizeof(command), "%s/tools/gen_dat %s 200000 4 >/dev/null", build ? build : "build",
		path);
	return fd < 0 || system(command);
}

static int remove_file(void **unused)
{
	(void)unused;
	return unlink(path);
}

struct cut {
	int fd, times;
	off_t to;
};

static bool cut_file(void *ctx, double fraction)
{
	struct cut *c = ctx;

	(void)fraction;
	if (!c->times++)
		assert_return_code(ftruncate(c->fd, c->to), 0);
	return false;
}

/* as input_open() has it for a big file: the first bytes, and the rest behind fd */
static struct trace *read_mapped(int threads, bool (*progress)(void *, double), struct cut *cut)
{
	struct parse_options opt = {.want = EV_WANT_IDLE, .threads = threads, .progress = progress, .ctx = cut};
	struct trace *t = trace_new(path, EV_WANT_IDLE);
	struct input in = {.name = path, .size = 4096, .fd = open(path, O_RDWR | O_CLOEXEC)};
	uint8_t head[4096];
	struct error err = {0};
	struct stat st;

	assert_true(in.fd >= 0);
	assert_return_code(fstat(in.fd, &st), 0);
	in.file_size = (uint64_t)st.st_size;
	assert_int_equal(pread(in.fd, head, sizeof(head), 0), sizeof(head));
	in.data = head;
	if (cut)
		*cut = (struct cut){.fd = in.fd, .to = st.st_size / 2 + 1000};
	if (parser_dat.parse(&in, &opt, t, &err))
		fail_msg("%s", err.text);
	trace_finish(t);
	close(in.fd);
	return t;
}

static uint64_t periods(const struct trace *t)
{
	uint64_t n = 0;

	for (int i = 0; i < t->ncpus; i++)
		n += t->cpu[i].nperiods;
	return n;
}

static void same_figures(void **unused)
{
	struct parse_options opt = {.want = EV_WANT_IDLE, .threads = 1};
	struct error err = {0};
	struct trace *whole = parse_file(path, &opt, &err);

	(void)unused;
	assert_non_null(whole);
	assert_true(periods(whole) > 30000);
	for (int threads = 1; threads < 4; threads++) {
		struct trace *t = read_mapped(threads, NULL, NULL);

		assert_int_equal(t->events, whole->events);
		assert_int_equal(t->bad_pages, 0);
		for (int i = 0; i < whole->ncpus; i++) {
			assert_int_equal(t->cpu[i].nperiods, whole->cpu[i].nperiods);
			assert_memory_equal(t->cpu[i].period, whole->cpu[i].period,
				whole->cpu[i].nperiods * sizeof(struct period));
		}
		trace_free(t);
	}
	trace_free(whole);
}

/* what was whole when it was read counts, the rest is told of, and the program lives */
static void cut_meanwhile(void **unused)
{
	struct sigaction before, after;
	char copy[sizeof(path) + 5], command[100];

	(void)unused;
	snprintf(copy, sizeof(copy), "%s.copy", path);
	snprintf(command, sizeof(command), "cp %s %s", path, copy);
	sigaction(SIGBUS, NULL, &before);
	for (int threads = 1; threads < 4; threads++) {
		struct trace *whole = read_mapped(threads, NULL, NULL), *t;
		struct cut cut;

		assert_int_equal(system(command), 0);
		t = read_mapped(threads, cut_file, &cut);
		assert_true(t->events > 0 && t->events <= whole->events);
		/* other threads may be done by the time that this one has come so far */
		if (threads == 1) {
			assert_true(cut.times > 10);
			assert_true(t->bad_pages > 0);
			assert_true(t->events < whole->events);
			assert_true(periods(t) < periods(whole));
		}
		trace_free(t);
		trace_free(whole);
		assert_return_code(rename(copy, path), 0);
	}
	sigaction(SIGBUS, NULL, &after);
	assert_ptr_equal(before.sa_sigaction, after.sa_sigaction);
}

static void zeros_instead(void **unused)
{
	struct file_window w = {0};
	char name[] = "/tmp/reidle-test-XXXXXX";
	int fd = mkstemp(name);
	const uint8_t *p;

	(void)unused;
	assert_true(fd >= 0);
	unlink(name);
	for (int i = 0; i < 4096; i++)
		assert_int_equal(write(fd, "0123456789abcdef", 16), 16);
	p = window_map(&w, fd, 4096 + 16, 40960);
	assert_non_null(p);
	assert_int_equal(p[3], '3');
	assert_false(window_lost(&w));
	assert_return_code(ftruncate(fd, 16384), 0);
	assert_int_equal(p[16384 - 4096 - 16 - 1], 'f');
	assert_false(window_lost(&w));
	assert_int_equal(p[16384 - 4096 - 16], 0);
	assert_true(window_lost(&w));
	assert_int_equal(p[40959], 0);
	assert_int_equal(p[3], '3');
	assert_non_null(window_map(&w, fd, 0, 4096));
	assert_false(window_lost(&w));
	window_close(&w);
	close(fd);
}

static sigjmp_buf back;
static volatile sig_atomic_t caught;

static void catch_bus(int sig)
{
	caught = sig;
	siglongjmp(back, 1);
}

/* a fault that has nothing to do with a window goes to the handler that was there before */
static void others_faults(void **unused)
{
	struct sigaction sa = {.sa_handler = catch_bus}, old, now;
	struct file_window w = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC), empty;
	char name[] = "/tmp/reidle-test-XXXXXX";
	volatile uint8_t *nothing;

	(void)unused;
	empty = mkstemp(name);
	unlink(name);
	nothing = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, empty, 0);
	assert_true(nothing != MAP_FAILED);
	sigaction(SIGBUS, &sa, &old);
	assert_non_null(window_map(&w, fd, 0, 4096));
	if (!sigsetjmp(back, 1))
		fail_msg("read %d", *nothing);
	assert_int_equal(caught, SIGBUS);
	assert_false(window_lost(&w));
	window_close(&w);
	sigaction(SIGBUS, &old, &now);
	assert_ptr_equal(now.sa_handler, catch_bus);
	munmap((void *)nothing, 4096);
	close(empty);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_figures), cmocka_unit_test(cut_meanwhile),
		cmocka_unit_test(zeros_instead), cmocka_unit_test(others_faults),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
