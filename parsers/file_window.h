/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stretch of a big file, mapped instead of copied. A file that somebody cuts
 * short meanwhile raises SIGBUS; then the rest of the stretch becomes zeros, and window_lost() says so.
 * All zeros to begin with; a window belongs to the thread that uses it, must not move, and owns its
 * mapping: release with window_close(). Sizes and offsets are in bytes.
 */
#ifndef REIDLE_PARSERS_FILE_WINDOW_H
#define REIDLE_PARSERS_FILE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct file_window {
	struct file_window *next; /* of the same thread */
	uint8_t *map;
	size_t len;
	bool open;
	volatile bool lost;
};

/**
 * window_map() - map bytes of a file in place of what the window held
 * Return: the bytes, valid until the next call; NULL when they cannot be mapped: read them, then
 */
const uint8_t *window_map(struct file_window *w, int fd, uint64_t off, size_t len);
/** window_lost() - was the file cut while its bytes were in use: the last ones of the window are not its own */
static inline bool window_lost(const struct file_window *w)
{
	return w->lost;
}
void window_close(struct file_window *w);

#endif
