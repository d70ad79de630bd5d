/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stand-ins for what a cpuidle governor file takes from the Linux kernel, so that the unmodified file
 * compiles into a plug-in. Names, types and widths are the kernel's; everything else is reidle's.
 * Every <linux/...>, <asm/...> and <trace/...> header of a governor file becomes this one.
 * The environment comes from the call in progress (struct reidle_call), so HZ is a run-time value.
 */
#ifndef REIDLE_KERNEL_H
#define REIDLE_KERNEL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reidle-governor.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef unsigned long long u64; /* long long on every architecture of the kernel */
typedef long long s64;
typedef s64 ktime_t;
typedef struct {
	int counter;
} atomic_t;
typedef struct cpumask {
	unsigned long bits[1];
} cpumask_t;
struct list_head {
	struct list_head *next, *prev;
};
struct module;
struct device;

/* --- the call in progress --- */
struct reidle_call {
	const struct reidle_input *in;
	char *percpu;	    /* this CPU's copy of the per-CPU variables */
	unsigned long long clock;
	long tick_ns;
	int cpu, hz;
	unsigned int read;
	bool got_tick;
};
extern __thread struct reidle_call reidle_call
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

#define HZ (reidle_call.hz)
#define NSEC_PER_USEC 1000L
#define USEC_PER_MSEC 1000L
#define MSEC_PER_SEC 1000L
#define NSEC_PER_MSEC 1000000L
#define USEC_PER_SEC 1000000L
#define NSEC_PER_SEC 1000000000L
#define TICK_NSEC (reidle_call.tick_ns)
#define TICK_USEC ((USEC_PER_SEC + HZ / 2) / HZ)
#define KTIME_MAX ((s64)(~0ULL >> 1))
#define U64_MAX (~0ULL)
#define S64_MAX ((s64)(~0ULL >> 1))
#define S64_MIN (-S64_MAX - 1)
#define U32_MAX (~0U)
#define S32_MAX INT_MAX

/* --- compiler words --- */
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define __init
#define __exit
#define __initdata
#define __read_mostly
#define __percpu
#define __cpuidle
#define __maybe_unused __attribute__((unused))
#define __used __attribute__((used))
#define noinline __attribute__((noinline))
#define noinstr
#define fallthrough __attribute__((fallthrough))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define READ_ONCE(x) (x)
#define WRITE_ONCE(x, v) ((x) = (v))
#define barrier() __asm__ __volatile__("" ::: "memory")
#define IS_ENABLED(option) 0
#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BUILD_BUG_ON(x) _Static_assert(!(x), #x)
#define container_of(p, t, m) ((t *)((char *)(p)-offsetof(t, m)))

/* --- arithmetic; the kernel's min() also insists on equal types, this one does not --- */
#define min(a, b)                                                                                  \
	({                                                                                         \
		__typeof__(a) a_ = (a);                                                            \
		__typeof__(b) b_ = (b);                                                            \
		a_ < b_ ? a_ : b_;                                                                 \
	})
#define max(a, b)                                                                                  \
	({                                                                                         \
		__typeof__(a) a_ = (a);                                                            \
		__typeof__(b) b_ = (b);                                                            \
		a_ > b_ ? a_ : b_;                                                                 \
	})
#define min_t(t, a, b) min((t)(a), (t)(b))
#define max_t(t, a, b) max((t)(a), (t)(b))
#define min3(a, b, c) min(min(a, b), c)
#define max3(a, b, c) max(max(a, b), c)
#define clamp(v, lo, hi) min(max(v, lo), hi)
#define clamp_t(t, v, lo, hi) min_t(t, max_t(t, v, lo), hi)
#define clamp_val(v, lo, hi) clamp_t(__typeof__(v), v, lo, hi)
#define abs(x) ((x) < 0 ? -(x) : (x))
#define swap(a, b)                                                                                 \
	do {                                                                                       \
		__typeof__(a) t_ = (a);                                                            \
		(a) = (b);                                                                         \
		(b) = t_;                                                                          \
	} while (0)
#define DIV_ROUND_UP(n, d) (((n) + (d)-1) / (d))
#define DIV_ROUND_CLOSEST_ULL(x, d) (((unsigned long long)(x) + (u32)(d) / 2) / (u32)(d))
#define DIV_ROUND_CLOSEST(x, d) (((x) + ((d) / 2)) / (d))

/* in place, by the lower 32 bits of the divisor; yields the remainder */
#define do_div(n, base)                                                                            \
	({                                                                                         \
		u32 d_ = (base);                                                                   \
		u32 r_ = (u64)(n) % d_;                                                            \
		(n) = (u64)(n) / d_;                                                               \
		r_;                                                                                \
	})
static inline u64 div_u64(u64 n, u32 d)
{
	return n / d;
}
static inline s64 div_s64(s64 n, s32 d)
{
	return n / d;
}
static inline u64 div64_u64(u64 n, u64 d)
{
	return n / d;
}
static inline s64 div64_s64(s64 n, s64 d)
{
	return n / d;
}
static inline u64 mul_u32_u32(u32 a, u32 b)
{
	return (u64)a * b;
}
static inline u64 mul_u64_u32_shr(u64 a, u32 b, unsigned int shift)
{
	return (u64)(((unsigned __int128)a * b) >> shift);
}
static inline unsigned long int_sqrt(unsigned long x)
{
	unsigned long r = 0;

	for (unsigned long bit = 1UL << (8 * sizeof(x) / 2 - 1); bit; bit >>= 1)
		if ((r + bit) <= x / (r + bit))
			r += bit;
	return r;
}
static inline int fls(unsigned int x)
{
	return x ? 32 - __builtin_clz(x) : 0;
}
static inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}
static inline int ilog2(u64 x)
{
	return fls64(x) - 1;
}

/* --- time --- */
#define ktime_sub(a, b) ((a) - (b))
#define ktime_add(a, b) ((a) + (b))
#define ktime_add_ns(a, b) ((a) + (s64)(b))
#define ktime_compare(a, b) ((a) < (b) ? -1 : (a) > (b))
#define ktime_before(a, b) ((a) < (b))
#define ktime_after(a, b) ((a) > (b))
static inline s64 ktime_to_ns(ktime_t t)
{
	return t;
}
static inline s64 ktime_to_us(ktime_t t)
{
	return t / NSEC_PER_USEC;
}
static inline s64 ktime_us_delta(ktime_t later, ktime_t earlier)
{
	return ktime_to_us(later - earlier);
}
static inline ktime_t ns_to_ktime(u64 ns)
{
	return (ktime_t)ns;
}
static inline u64 local_clock(void)
{
	reidle_call.read |= REIDLE_READ_CLOCK;
	return reidle_call.clock;
}
#define local_clock_noinstr() local_clock()
#define sched_clock() local_clock()
#define ktime_get() ((ktime_t)local_clock())
#define ktime_get_ns() local_clock()

/* --- what the idle loop knows --- */
static inline ktime_t tick_nohz_get_sleep_length(ktime_t *delta)
{
	reidle_call.read |= REIDLE_READ_SLEEP;
	*delta = reidle_call.in->tick_delta_ns;
	return reidle_call.in->sleep_ns;
}
static inline bool tick_nohz_tick_stopped(void)
{
	return reidle_call.in->tick_stopped;
}
/* clears the flag, as the kernel does */
static inline bool tick_nohz_idle_got_tick(void)
{
	bool got = reidle_call.got_tick;

	reidle_call.got_tick = false;
	return got;
}
static inline unsigned int nr_iowait_cpu(int cpu)
{
	(void)cpu;
	reidle_call.read |= REIDLE_READ_IOWAIT;
	return reidle_call.in->iowait;
}
/* no recording holds the utilization itself, only whether it is over the threshold */
static inline unsigned long sched_cpu_util(int cpu)
{
	(void)cpu;
	reidle_call.read |= REIDLE_READ_UTIL;
	return reidle_call.in->utilized ? 1024 : 0;
}
static inline unsigned long arch_scale_cpu_capacity(int cpu)
{
	(void)cpu;
	return 1024;
}
static inline void get_iowait_load(unsigned long *nr, unsigned long *load)
{
	reidle_call.read |= REIDLE_READ_IOWAIT;
	*nr = reidle_call.in->iowait;
	*load = 0;
}
extern bool tick_nohz_enabled __attribute__((visibility("hidden")));
static inline bool kvm_para_available(void)
{
	return true;
}
static inline bool need_resched(void)
{
	return false;
}
#define smp_processor_id() (reidle_call.cpu)
#define raw_smp_processor_id() (reidle_call.cpu)

/* --- per-CPU variables: a section of which every CPU has a copy --- */
#define REIDLE_PERCPU __attribute__((section("reidle_percpu"), used))
extern char reidle_percpu_start[] __asm__("__start_reidle_percpu")
	__attribute__((weak, visibility("hidden")));
#define DEFINE_PER_CPU(type, name) REIDLE_PERCPU __typeof__(type) name
#define DEFINE_PER_CPU_ALIGNED(type, name) DEFINE_PER_CPU(type, name)
#define DEFINE_PER_CPU_SHARED_ALIGNED(type, name) DEFINE_PER_CPU(type, name)
#define DECLARE_PER_CPU(type, name) extern __typeof__(type) name
#define this_cpu_ptr(p)                                                                            \
	((__typeof__(p))(void *)((char *)(p)-reidle_percpu_start + reidle_call.percpu))
/* another CPU's variables are out of reach: its own are given */
#define per_cpu_ptr(p, cpu) ((void)(cpu), this_cpu_ptr(p))
#define per_cpu(var, cpu) (*per_cpu_ptr(&(var), cpu))
#define raw_cpu_ptr(p) this_cpu_ptr(p)
#define this_cpu_read(var) (*this_cpu_ptr(&(var)))
#define __this_cpu_read(var) this_cpu_read(var)
#define this_cpu_write(var, v) (*this_cpu_ptr(&(var)) = (v))
#define __this_cpu_write(var, v) this_cpu_write(var, v)
#define this_cpu_inc(var) ((*this_cpu_ptr(&(var)))++)
#define this_cpu_add(var, v) (*this_cpu_ptr(&(var)) += (v))
#define get_cpu_ptr(p) this_cpu_ptr(p)
#define put_cpu_ptr(p) ((void)(p))
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < 1; (cpu)++)
#define for_each_online_cpu(cpu) for_each_possible_cpu(cpu)

/* --- registration, parameters, talk --- */
int reidle_initcall(void) __attribute__((visibility("hidden")));
#define postcore_initcall(fn)                                                                      \
	int reidle_initcall(void)                                                                  \
	{                                                                                          \
		return fn();                                                                       \
	}
#define core_initcall(fn) postcore_initcall(fn)
#define arch_initcall(fn) postcore_initcall(fn)
#define subsys_initcall(fn) postcore_initcall(fn)
#define device_initcall(fn) postcore_initcall(fn)
#define late_initcall(fn) postcore_initcall(fn)
#define module_init(fn) postcore_initcall(fn)
#define module_exit(fn)
#define module_param(name, type, perm) _Static_assert(sizeof(name) > 0, "")
#define module_param_named(name, var, type, perm) _Static_assert(sizeof(var) > 0, "")
#define EXPORT_SYMBOL(x)
#define EXPORT_SYMBOL_GPL(x)
#define MODULE_LICENSE(x)
#define MODULE_DESCRIPTION(x)
#define MODULE_AUTHOR(x)
#define MODULE_PARM_DESC(a, b)
#define MODULE_ALIAS(x)
#define THIS_MODULE NULL
#define printk(...) do { } while (0)
#define pr_debug(...) do { } while (0)
#define pr_info(...) do { } while (0)
#define pr_warn(...) do { } while (0)
#define pr_err(...) do { } while (0)
#define pr_info_once(...) do { } while (0)
#define trace_printk(...) do { } while (0)
#define WARN_ON(x) (!!(x))
#define WARN_ON_ONCE(x) (!!(x))
#define BUG_ON(x) do { if (x) __builtin_trap(); } while (0)
#define trace_guest_halt_poll_ns_grow(new, old) do { } while (0)
#define trace_guest_halt_poll_ns_shrink(new, old) do { } while (0)

/* --- what a tree's own cpuidle.h uses inline --- */
#define lockdep_assert_irqs_disabled() do { } while (0)
#define lockdep_hardirqs_on(x) do { } while (0)
#define lockdep_hardirqs_off(x) do { } while (0)
#define lockdep_hardirqs_on_prepare() do { } while (0)
#define trace_hardirqs_on_prepare() do { } while (0)
#define trace_hardirqs_off_finish() do { } while (0)
#define instrumentation_begin() do { } while (0)
#define instrumentation_end() do { } while (0)
#define raw_local_irq_disable() do { } while (0)
#define raw_local_irq_enable() do { } while (0)
#define ct_idle_enter() do { } while (0)
#define ct_idle_exit() do { } while (0)
#define _RET_IP_ 0UL
#define _THIS_IP_ 0UL
#define EPERM 1
#define ENOMEM 12
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define EINVAL 22

#endif
