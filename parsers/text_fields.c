// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fields of idle, task and interrupt events. Task names are free text: what comes after them is found
 * from the right. trace-cmd's own wording of sched events is read too.
 */
#include "parsers/text_event.h"

#include <string.h>

#define CPU_MAX 8191

static uint32_t intern(struct text_fields *f, struct text_span v)
{
	v = text_trim(v);
	return v.end > v.s ? trace_intern(f->t, v.s, (size_t)(v.end - v.s)) : 0;
}

/* searched from the right: what is looked for stands near the end */
static const char *last_of_n(struct text_span v, const char *what, size_t n)
{
	const char *p = v.end;

	while (p > v.s && (p = memrchr(v.s, *what, (size_t)(p - v.s))))
		if ((size_t)(v.end - p) >= n && text_same(p, what, n))
			return p;
	return NULL;
}

static inline const char *last_of(struct text_span v, const char *what)
{
	return last_of_n(v, what, strlen(what));
}

/* the number behind the last "key" in v */
static bool last_number(struct text_span v, const char *key, int64_t *out)
{
	const char *p = last_of(v, key);
	struct text_span number = {p, v.end};

	if (!p)
		return false;
	number.s += strlen(key);
	return text_number(&number, out);
}

/* the number of a key, and nothing glued to it: half a number would be another state */
static inline bool whole_number(struct text_span args, const char *key, int64_t *out)
{
	struct text_span v;

	return text_key(args, key, &v) && text_number(&v, out) && (v.s == v.end || *v.s == ' ');
}

bool text_fields_idle(struct text_fields *f)
{
	int64_t state, cpu = f->ev->cpu;

	if (!whole_number(f->args, "state", &state))
		return false;
	if (!whole_number(f->args, "cpu_id", &cpu) && f->strict)
		return false;
	/* u32 in the record: -1, 4294967295 and the 64-bit form all mean exit */
	f->ev->a = (int32_t)state;
	f->ev->obj = (uint64_t)cpu;
	return cpu >= 0 && cpu <= CPU_MAX;
}

bool text_fields_miss(struct text_fields *f)
{
	struct text_span type;
	int64_t cpu;

	if (!text_key_number(f->args, "state", &f->ev->a) ||
		!text_key_number(f->args, "cpu_id", &cpu) || cpu < 0 || cpu > CPU_MAX)
		return false;
	f->ev->obj = (uint64_t)cpu;
	if (text_key(f->args, "type", &type)) {
		f->ev->b = text_is(text_word(type), "below");
		return true;
	}
	return text_key_number(f->args, "below", &f->ev->b); /* trace-cmd report -R */
}

/* "S", "R+", "D|K", or the number of trace-cmd report -R: the task state bits of include/linux/sched.h */
static uint32_t task_state(struct text_span v)
{
	static const char letters[] = "SDTtXZPI"; /* bit 0.. of the reported state */
	uint32_t bits = 0;
	int64_t number;

	if (text_number(&v, &number))
		return (uint32_t)number;
	for (; v.s < v.end; v.s++) {
		const char *at = memchr(letters, *v.s, sizeof(letters) - 1);

		if (at)
			bits |= 1U << (at - letters);
		if (*v.s == '+')
			bits |= 0x100;
	}
	return bits;
}

/* "comm:12 [120]": the pid, and what is left of it; @rest is behind the bracket */
static bool comm_pid_prio(struct text_span v, struct text_span *comm, int64_t *pid,
	struct text_span *rest)
{
	const char *bracket = last_of(v, " ["), *p = bracket;
	struct text_span number;

	if (!bracket)
		return false;
	while (p > v.s && p[-1] >= '0' && p[-1] <= '9')
		p--;
	number = (struct text_span){p, bracket};
	if (p == v.s || p[-1] != ':' || !text_number(&number, pid))
		return false;
	*comm = (struct text_span){v.s, p - 1};
	p = memchr(bracket, ']', (size_t)(v.end - bracket));
	*rest = text_trim((struct text_span){p ? p + 1 : v.end, v.end});
	return true;
}

static bool switch_of_trace_cmd(struct text_fields *f, const char *arrow)
{
	struct text_span comm, rest, left = text_trim((struct text_span){f->args.s, arrow});
	struct text_span right = text_trim((struct text_span){arrow + 3, f->args.end});

	if (!comm_pid_prio(left, &comm, &f->ev->a, &rest))
		return false;
	f->ev->aux = task_state(rest);
	if (!comm_pid_prio(right, &comm, &f->ev->b, &rest))
		return false;
	f->ev->name = intern(f, comm);
	return true;
}

bool text_fields_switch(struct text_fields *f)
{
	const char *arrow = last_of(f->args, "==>"), *next = last_of(f->args, " next_comm="), *pid, *state;
	struct text_span left;

	if (!next && arrow && !last_of(f->args, "prev_pid="))
		return switch_of_trace_cmd(f, arrow);
	pid = next ? last_of(f->args, " next_pid=") : NULL;
	if (!pid || pid < next)
		return false;
	left = (struct text_span){f->args.s, next};
	state = last_of(left, " prev_state=");
	if (!last_number(left, " prev_pid=", &f->ev->a) ||
		!last_number(f->args, " next_pid=", &f->ev->b) || !state)
		return false;
	f->ev->aux = task_state(text_word((struct text_span){state + 12, next}));
	f->ev->name = intern(f, (struct text_span){next + 11, pid});
	return true;
}

bool text_fields_wakeup(struct text_fields *f)
{
	const char *pid = last_of(f->args, " pid=");
	struct text_span comm, rest;

	if (pid && text_key(f->args, "comm", &comm) && comm.s <= pid) {
		f->ev->name = intern(f, (struct text_span){comm.s, pid});
		return last_number(f->args, " pid=", &f->ev->a) &&
			last_number(f->args, " target_cpu=", &f->ev->b);
	}
	if (!comm_pid_prio(f->args, &comm, &f->ev->a, &rest))
		return false;
	f->ev->name = intern(f, comm);
	return last_number(rest, "CPU:", &f->ev->b);
}

bool text_fields_irq(struct text_fields *f)
{
	struct text_span name;

	if (!text_key_number(f->args, "irq", &f->ev->a))
		return false;
	if (f->ev->kind != EV_IRQ_ENTRY)
		return true;
	if (!text_key(f->args, "name", &name))
		return !f->strict;
	f->ev->name = intern(f, name);
	return true;
}

bool text_fields_softirq(struct text_fields *f)
{
	return text_key_number(f->args, "vec", &f->ev->a);
}

bool text_fields_vector(struct text_fields *f)
{
	f->ev->a = f->variant;
	return true;
}

/* "(Rescheduling interrupts)" or reason=... */
static bool ipi_reason(struct text_fields *f)
{
	const char *open = memchr(f->args.s, '(', (size_t)(f->args.end - f->args.s));
	const char *close = open ? memchr(open, ')', (size_t)(f->args.end - open)) : NULL;
	struct text_span v;

	if (close)
		v = (struct text_span){open + 1, close};
	else if (!text_key(f->args, "reason", &v))
		return false;
	f->ev->name = intern(f, v);
	return true;
}

bool text_fields_ipi(struct text_fields *f)
{
	return ipi_reason(f);
}

bool text_fields_ipi_send(struct text_fields *f)
{
	return text_key_number(f->args, "cpu", &f->ev->a);
}

/* "00000001,00000004": 32 bits a word, the lowest last */
static uint64_t mask_words(struct text_span v)
{
	uint64_t mask = 0, word;

	for (v = text_word(v); v.s < v.end;) {
		const char *comma = memchr(v.s, ',', (size_t)(v.end - v.s));

		if (!text_hex((struct text_span){v.s, comma ? comma : v.end}, &word))
			break;
		mask = mask << 32 | (word & 0xffffffff);
		v.s = comma ? comma + 1 : v.end;
	}
	return mask;
}

/* "1-3,7" */
static uint64_t mask_list(struct text_span v)
{
	uint64_t mask = 0;

	for (v = text_word(v); v.s < v.end; v.s++) {
		int64_t from, to;

		if (!text_number(&v, &from))
			break;
		to = from;
		if (v.s < v.end && *v.s == '-') {
			v.s++;
			if (!text_number(&v, &to))
				break;
		}
		for (int64_t i = from < 0 ? 0 : from; i <= to && i < 64; i++)
			mask |= 1ULL << i;
		if (v.s >= v.end || *v.s != ',')
			break;
	}
	return mask;
}

/* "ARRAY[04, 00, ...]" of trace-cmd report -R: bytes, the lowest first */
static uint64_t mask_bytes(struct text_span v)
{
	uint64_t mask = 0, byte;

	v.s += 6;
	for (int i = 0; i < 64 && v.s < v.end && *v.s != ']'; i += 8) {
		const char *comma = memchr(v.s, ',', (size_t)(v.end - v.s));

		v = text_trim(v);
		if (!text_hex(v, &byte))
			break;
		mask |= (byte & 0xff) << i;
		v.s = comma ? comma + 1 : v.end;
	}
	return mask;
}

bool text_fields_ipi_raise(struct text_fields *f)
{
	struct text_span v;

	if (text_key(f->args, "target_mask", &v)) {
		f->ev->a = (int64_t)mask_words(v);
	} else if (text_key(f->args, "target_cpus", &v)) {
		if (v.end - v.s > 6 && !memcmp(v.s, "ARRAY[", 6))
			f->ev->a = (int64_t)mask_bytes(v);
	} else if (text_key(f->args, "cpumask", &v)) {
		f->ev->a = (int64_t)mask_list(v);
		return true;
	} else {
		return false;
	}
	return ipi_reason(f);
}

/* the words before the text: print of trace-cmd names the function or address that wrote it */
bool text_fields_marker(struct text_fields *f)
{
	static const char wrote[] = "tracing_mark_write: ";
	size_t n = sizeof(wrote) - 1;
	struct text_span v = f->args;

	if ((size_t)(v.end - v.s) >= n && !memcmp(v.s, wrote, n))
		v.s += n;
	f->ev->name = intern(f, v);
	return true;
}

bool text_fields_rcu(struct text_fields *f)
{
	f->ev->a = f->variant;
	return true;
}
