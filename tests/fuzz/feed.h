/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One feed per kind of input that reidle takes from outside: any bytes in, through the code that reads
 * them and what looks at every result. Shared by the mutation runs and the libFuzzer targets. What a feed
 * does depends on the bytes alone, so that a failure comes back with the file.
 */
#ifndef REIDLE_TESTS_FEED_H
#define REIDLE_TESTS_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct feed {
	const char *name;
	/* were the bytes taken, and not refused; they stand in a buffer of exactly their size */
	bool (*take)(const uint8_t *data, size_t size);
	const char *const *words; /* that mean something there, up to NULL; NULL: numbers in binary */
	size_t piece; /* most bytes of a seed file that are worth changing at once; 0: always all */
};

extern const struct feed *const feed_list[]; /* NULL-terminated */

/** feed_find() - by name; NULL */
const struct feed *feed_find(const char *name);
/** feed_string() - the bytes with a NUL behind; the caller frees */
char *feed_string(const uint8_t *data, size_t size);
/** feed_fd() - the bytes as a file, valid until the next call */
int feed_fd(const uint8_t *data, size_t size);
/** feed_path() - the same, to be opened by name */
const char *feed_path(const uint8_t *data, size_t size);

extern const struct feed feed_dat, feed_mapped, feed_replay, feed_raw, feed_text, feed_html, feed_dump, feed_archive,
	feed_file, feed_table, feed_machine, feed_config, feed_expr, feed_power, feed_topology, feed_governor,
	feed_source, feed_options, feed_steps;

#endif
