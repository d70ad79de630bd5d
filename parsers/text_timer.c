// SPDX-License-Identifier: GPL-2.0-or-later
/* Fields of timer, latency-limit and other power events, and of the probes that `reidle record` sets. */
#include "parsers/text_event.h"

#include <string.h>

#define TIMER_DEFERRABLE 0x00080000U /* include/linux/timer.h */
#define TIMER_PINNED 0x00100000U
#define TIMER_IRQSAFE 0x00200000U
#define TIMER_CPU 0x0003ffffU
#define TIMER_INDEX_SHIFT 22
#define QOS_RESUME_LATENCY 1

struct word_value {
	const char *word;
	int64_t value;
};

static int64_t word_value(struct text_span v, const struct word_value *list, size_t n, int64_t other)
{
	for (size_t i = 0; i < n; i++)
		if (text_is(v, list[i].word))
			return list[i].value;
	return other;
}

/* "tick_nohz_handler", "tick_nohz_handler/0x0", "foo+0x0": the symbol alone */
static uint32_t function_of(struct text_fields *f)
{
	struct text_span v;
	const char *p;

	if (!text_key(f->args, "function", &v))
		return 0;
	v = text_word(v);
	for (p = v.s; p < v.end && *p != '/' && *p != '+'; p++)
		;
	return p > v.s ? trace_intern(f->t, v.s, (size_t)(p - v.s)) : 0;
}

static bool object(struct text_fields *f, const char *key)
{
	struct text_span v;

	return text_key(f->args, key, &v) && text_hex(v, &f->ev->obj);
}

/* "ABS|PINNED|HARD" or a number: enum hrtimer_mode of include/linux/hrtimer.h */
static uint32_t hrtimer_mode(struct text_span v)
{
	static const struct word_value list[] = {{"REL", 1}, {"PINNED", 2}, {"SOFT", 4}, {"HARD", 8}};
	uint32_t mode = 0;
	int64_t number;

	v = text_word(v);
	if (text_number(&v, &number))
		return (uint32_t)number & 0xff;
	while (v.s < v.end) {
		const char *bar = memchr(v.s, '|', (size_t)(v.end - v.s));
		struct text_span word = {v.s, bar ? bar : v.end};

		mode |= (uint32_t)word_value(word, list, ARRAY_SIZE(list), 0);
		v.s = bar ? bar + 1 : v.end;
	}
	return mode;
}

bool text_fields_hrtimer_init(struct text_fields *f)
{
	static const struct word_value clocks[] = {{"CLOCK_REALTIME", 0}, {"CLOCK_MONOTONIC", 1},
		{"CLOCK_BOOTTIME", 7}, {"CLOCK_TAI", 11}};
	struct text_span v;

	if (!object(f, "hrtimer"))
		return false;
	if (!text_key_number(f->args, "clockid", &f->ev->a) && text_key(f->args, "clockid", &v))
		f->ev->a = word_value(text_word(v), clocks, ARRAY_SIZE(clocks), 1);
	if (text_key(f->args, "mode", &v))
		f->ev->aux = hrtimer_mode(v);
	return true;
}

bool text_fields_hrtimer_start(struct text_fields *f)
{
	struct text_span v;
	int64_t armed = 2; /* not said */

	if (!object(f, "hrtimer") || !text_key_number(f->args, "expires", &f->ev->a))
		return false;
	if (!text_key_number(f->args, "softexpires", &f->ev->b)) {
		if (f->strict)
			return false;
		f->ev->b = f->ev->a;
	}
	f->ev->name = function_of(f);
	text_key_number(f->args, "was_armed", &armed);
	if (text_key(f->args, "mode", &v))
		f->ev->aux = hrtimer_mode(v);
	f->ev->aux |= (armed == 2 ? 2U : (uint32_t)(armed != 0)) << 8;
	return true;
}

bool text_fields_hrtimer(struct text_fields *f)
{
	if (!object(f, "hrtimer"))
		return false;
	if (f->ev->kind != EV_HRTIMER_EXPIRE)
		return true;
	f->ev->name = function_of(f);
	return text_key_number(f->args, "now", &f->ev->a) && (f->ev->name || !f->strict);
}

bool text_fields_rearm(struct text_fields *f)
{
	text_key_number(f->args, "deferred", &f->ev->b);
	return text_key_number(f->args, "next_event", &f->ev->a);
}

static bool holds(struct text_span v, const char *word)
{
	return memmem(v.s, (size_t)(v.end - v.s), word, strlen(word)) != NULL;
}

/*
 * The flags word put together again: the kernel prints its CPU, wheel slot and letters apart. trace-cmd,
 * told by the 0x of its pointers, prints "D|P|I" for every timer whatever its flags are.
 */
static uint32_t timer_flags(struct text_span args, struct text_span v)
{
	int64_t number, cpu = 0, index = 0;
	uint32_t flags;

	v = text_word(v);
	if (text_number(&v, &number))
		return (uint32_t)number;
	text_key_number(args, "cpu", &cpu);
	text_key_number(args, "idx", &index);
	flags = ((uint32_t)cpu & TIMER_CPU) | (uint32_t)index << TIMER_INDEX_SHIFT;
	if (text_is(v, "D|P|I") && holds(args, "timer=0x"))
		return flags;
	if (holds(v, "D"))
		flags |= TIMER_DEFERRABLE;
	if (holds(v, "P"))
		flags |= TIMER_PINNED;
	if (holds(v, "I"))
		flags |= TIMER_IRQSAFE;
	return flags;
}

bool text_fields_timer_start(struct text_fields *f)
{
	struct event *ev = f->ev;
	struct text_span v;
	int64_t timeout;

	ev->b = -1;
	if (!object(f, "timer") || !text_key_number(f->args, "expires", &ev->a))
		return false;
	if (!text_key(f->args, "flags", &v)) {
		if (f->strict)
			return false;
	} else {
		ev->aux = timer_flags(f->args, v);
	}
	text_key_number(f->args, "bucket_expiry", &ev->b);
	if (!text_key_number(f->args, "now", &ev->c) && text_key_number(f->args, "timeout", &timeout))
		ev->c = ev->a - timeout;
	ev->name = function_of(f);
	return true;
}

bool text_fields_timer(struct text_fields *f)
{
	if (!object(f, "timer"))
		return false;
	if (f->ev->kind != EV_TIMER_EXPIRE)
		return true;
	f->ev->name = function_of(f);
	/* before 5.2 there is no baseclk */
	if (!text_key_number(f->args, "baseclk", &f->ev->b) && f->strict)
		return false;
	return text_key_number(f->args, "now", &f->ev->a);
}

bool text_fields_base_idle(struct text_fields *f)
{
	return text_key_number(f->args, "is_idle", &f->ev->a) &&
		text_key_number(f->args, "cpu", &f->ev->b);
}

bool text_fields_tick_stop(struct text_fields *f)
{
	/* bits of include/trace/events/timer.h */
	static const struct word_value list[] = {{"NONE", 0}, {"POSIX_TIMER", 1}, {"PERF_EVENTS", 2},
		{"SCHED", 4}, {"CLOCK_UNSTABLE", 8}, {"RCU", 16}, {"RCU_EXP", 32}};
	struct text_span v;

	if (!text_key_number(f->args, "success", &f->ev->a))
		return false;
	if (!text_key(f->args, "dependency", &v))
		return !f->strict;
	if (!text_number(&v, &f->ev->b))
		f->ev->b = word_value(text_word(v), list, ARRAY_SIZE(list), 0);
	return true;
}

/* the CPU latency class; those of networks and memory existed until 5.7 */
bool text_fields_pm_qos(struct text_fields *f)
{
	int64_t class = QOS_RESUME_LATENCY;

	f->ev->aux = f->variant;
	text_key_number(f->args, "pm_qos_class", &class);
	if (class != 1 || holds(f->args, "NETWORK_") || holds(f->args, "MEMORY_"))
		f->ev->kind = EV_NONE;
	return text_key_number(f->args, "value", &f->ev->a);
}

/* requests of type RESUME_LATENCY for devices "cpuN" */
bool text_fields_dev_pm_qos(struct text_fields *f)
{
	int64_t number = QOS_RESUME_LATENCY;
	struct text_span type, name;

	f->ev->aux = f->variant;
	if (!text_key_number(f->args, "new_value", &f->ev->a))
		return false;
	if (!text_key(f->args, "device", &name) && !text_key(f->args, "name", &name))
		return false;
	if (text_key(f->args, "type", &type) && !text_number(&type, &number))
		number = holds(text_word(type), "RESUME_LATENCY") ? QOS_RESUME_LATENCY : 0;
	name = text_word(name);
	if (name.end - name.s < 4 || memcmp(name.s, "cpu", 3) || number != QOS_RESUME_LATENCY) {
		f->ev->kind = EV_NONE;
		return true;
	}
	name.s += 3;
	if (!text_number(&name, &f->ev->b) || name.s != name.end)
		f->ev->kind = EV_NONE;
	return true;
}

bool text_fields_frequency(struct text_fields *f)
{
	int64_t cpu = f->ev->cpu;

	text_key_number(f->args, "cpu_id", &cpu);
	f->ev->obj = (uint64_t)cpu;
	return text_key_number(f->args, "state", &f->ev->a);
}

/* "halt_poll_ns 200000 (grow 0)", or fields */
bool text_fields_halt_poll(struct text_fields *f)
{
	const char *at = memmem(f->args.s, (size_t)(f->args.end - f->args.s), "halt_poll_ns ", 13);
	struct text_span v = {at ? at + 13 : NULL, f->args.end};
	int64_t grow = 0;

	if (!at) {
		text_key_number(f->args, "grow", &grow);
		f->ev->aux = grow != 0;
		return text_key_number(f->args, "new", &f->ev->a) &&
			text_key_number(f->args, "old", &f->ev->b);
	}
	if (!text_number(&v, &f->ev->a))
		return false;
	f->ev->aux = holds(v, "(grow");
	while (v.s < v.end && (*v.s < '0' || *v.s > '9'))
		v.s++;
	return text_number(&v, &f->ev->b);
}

static bool after_word(struct text_span args, const char *word, int64_t *out)
{
	const char *at = memmem(args.s, (size_t)(args.end - args.s), word, strlen(word));
	struct text_span v = {at, args.end};

	if (!at)
		return false;
	v.s += strlen(word);
	v = text_trim(v);
	return text_number(&v, out);
}

/* "cpu: 0003 target:   0 step: 200 (takedown_cpu)", or fields */
bool text_fields_hotplug(struct text_fields *f)
{
	if (text_key_number(f->args, "target", &f->ev->a))
		return text_key_number(f->args, "cpu", &f->ev->b);
	return after_word(f->args, "cpu:", &f->ev->b) && after_word(f->args, "target:", &f->ev->a);
}

bool text_fields_probe(struct text_fields *f)
{
	if (f->ev->kind == EV_PROBE_SLEEP && !text_key_number(f->args, "delta", &f->ev->b))
		f->ev->b = INT64_MIN;
	return text_key_number(f->args, "ret", &f->ev->a);
}

bool text_fields_reflect(struct text_fields *f)
{
	int64_t flags = 0;

	if (!text_key_number(f->args, "res", &f->ev->b))
		f->ev->b = INT64_MIN;
	text_key_number(f->args, "flags", &flags);
	f->ev->aux = (uint32_t)flags;
	return text_key_number(f->args, "index", &f->ev->a);
}
