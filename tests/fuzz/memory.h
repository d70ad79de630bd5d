/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much memory the program holds: every allocation is counted, of all threads, in bytes as the
 * allocator gives them out. File pages that are mapped are not memory of ours and do not count.
 */
#ifndef REIDLE_TESTS_MEMORY_H
#define REIDLE_TESTS_MEMORY_H

#include <stddef.h>

/** memory_watch() - begin to count; once, before anything that is to count */
void memory_watch(void);
/** memory_live() - bytes held now, since memory_watch() */
long long memory_live(void);
/** memory_peak() - most that were held since memory_mark() */
long long memory_peak(void);
/** memory_mark() - the peak begins anew at what is held now, which is returned */
long long memory_mark(void);

#endif
