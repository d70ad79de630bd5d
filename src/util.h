/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small things that every room needs: allocation that cannot fail quietly, growing arrays, text.
 * What xalloc returns is the caller's to free(). Sizes are in bytes or elements as named.
 */
#ifndef REIDLE_SRC_UTIL_H
#define REIDLE_SRC_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define NSEC_PER_USEC 1000LL
#define NSEC_PER_MSEC 1000000LL
#define NSEC_PER_SEC 1000000000LL

/**
 * xcalloc(), xrealloc(), xstrdup() - as the libc's, but never NULL
 * Out of memory calls the hook set by oom_hook() (the terminal is put right), says so, and exits.
 */
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void oom_hook(void (*restore)(void));

/**
 * GROW() - make room for one more element in an array
 * @ptr: the array, @n: elements used, @cap: elements allocated (updated; doubles)
 */
#define GROW(ptr, n, cap)                                                                          \
	do {                                                                                       \
		if ((n) >= (cap)) {                                                                \
			(cap) = (cap) ? (cap) * 2 : 16;                                            \
			(ptr) = xrealloc((ptr), (cap), sizeof(*(ptr)));                            \
		}                                                                                  \
	} while (0)

static inline int64_t min64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t max64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* length of the tick in ns, rounded as the kernel's TICK_NSEC; hz > 0 */
static inline int64_t tick_ns(int hz)
{
	return (NSEC_PER_SEC + hz / 2) / hz;
}

/* copy at most size-1 bytes and terminate; returns false when it was cut */
bool copy_text(char *dst, size_t size, const char *src);

#endif
