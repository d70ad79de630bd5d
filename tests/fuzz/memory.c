// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/fuzz/memory.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static long long live, peak;
static bool watching;

static void gained(size_t n)
{
	long long now = __atomic_add_fetch(&live, (long long)n, __ATOMIC_RELAXED);
	long long most = __atomic_load_n(&peak, __ATOMIC_RELAXED);

	while (now > most && !__atomic_compare_exchange_n(&peak, &most, now, true, __ATOMIC_RELAXED,
			__ATOMIC_RELAXED))
		;
}

static void lost(size_t n)
{
	__atomic_sub_fetch(&live, (long long)n, __ATOMIC_RELAXED);
}

long long memory_live(void)
{
	return __atomic_load_n(&live, __ATOMIC_RELAXED);
}

long long memory_peak(void)
{
	return __atomic_load_n(&peak, __ATOMIC_RELAXED);
}

long long memory_mark(void)
{
	long long now = memory_live();

	__atomic_store_n(&peak, now, __ATOMIC_RELAXED);
	return now;
}

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
/* the sanitizer owns malloc, and tells who asks; gcc has the functions, but not their header */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
	void (*on_free)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *p);

static void on_malloc(const volatile void *p, size_t n)
{
	(void)p;
	gained(n);
}

static void on_free(const volatile void *p)
{
	if (p)
		lost(__sanitizer_get_allocated_size(p));
}

void memory_watch(void)
{
	if (!watching)
		__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
	watching = true;
}
#else
/* the names under which the C library keeps its own behind ours */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static void *counted(void *p)
{
	if (p)
		gained(malloc_usable_size(p));
	return p;
}

void *malloc(size_t n)
{
	return counted(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
	return counted(__libc_calloc(n, size));
}

void *realloc(void *p, size_t n)
{
	size_t before = p ? malloc_usable_size(p) : 0;
	void *q = __libc_realloc(p, n);

	if (q || !n)
		lost(before);
	return counted(q);
}

void *memalign(size_t align, size_t n)
{
	return counted(__libc_memalign(align, n));
}

void *aligned_alloc(size_t align, size_t n)
{
	return counted(__libc_memalign(align, n));
}

int posix_memalign(void **out, size_t align, size_t n)
{
	*out = counted(__libc_memalign(align, n));
	return *out ? 0 : 12; /* ENOMEM */
}

void free(void *p)
{
	if (p)
		lost(malloc_usable_size(p));
	__libc_free(p);
}

/* counts from the start, so that a free never goes below zero */
void memory_watch(void)
{
	watching = true;
}
#endif
