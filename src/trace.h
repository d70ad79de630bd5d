/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was recorded: idle periods of every CPU, and the events a replay needs, in columns per CPU.
 * The trace owns everything in it; after trace_finish() it is immutable and may be shared by threads.
 * Times are ns on the recording's own clock (absolute); subtract origin_ns to show them.
 */
#ifndef REIDLE_SRC_TRACE_H
#define REIDLE_SRC_TRACE_H

#include "src/machine.h"
#include "src/util.h"

/*
 * The events that parsers know. Columns: obj, a, b, aux, name as said; 0 where nothing is said.
 * Field names are those of the kernel's trace events.
 */
enum ev_kind {
	EV_NONE,
	EV_IDLE,	 /* a state, -1 exit; obj cpu_id */
	EV_MISS,	 /* a state, b below(1)/above(0); obj cpu_id */
	EV_SWITCH,	 /* a prev_pid, b next_pid, aux prev_state; name next_comm */
	EV_WAKING,	 /* a pid, b target_cpu; name comm */
	EV_WAKEUP,	 /* same */
	EV_HRTIMER_INIT, /* obj hrtimer, a clockid, aux mode (hrtimer_init, hrtimer_setup) */
	EV_HRTIMER_START, /* obj hrtimer, a expires, b softexpires, aux mode | was_armed << 8 (2: no such field), name function */
	EV_HRTIMER_START_EXPIRED, /* obj */
	EV_HRTIMER_CANCEL,	  /* obj */
	EV_HRTIMER_EXPIRE,	  /* obj, a now, name function */
	EV_HRTIMER_EXPIRE_EXIT,	  /* obj */
	EV_HRTIMER_REARM,	  /* a next_event, b deferred */
	EV_TIMER_START, /* obj timer, a expires, b bucket_expiry (-1 absent), c now (jiffies), aux flags, name function */
	EV_TIMER_CANCEL,      /* obj */
	EV_TIMER_EXPIRE,      /* obj, a now, b baseclk, name function */
	EV_TIMER_EXPIRE_EXIT, /* obj */
	EV_TIMER_BASE_IDLE,   /* a is_idle, b cpu */
	EV_TICK_STOP,	      /* a success, b dependency */
	EV_IRQ_ENTRY,	      /* a irq; name handler name */
	EV_IRQ_EXIT,	      /* a irq */
	EV_SOFTIRQ_ENTRY,     /* a vec */
	EV_SOFTIRQ_EXIT,      /* a vec */
	EV_SOFTIRQ_RAISE,     /* a vec */
	EV_VECTOR_ENTRY,      /* a enum ev_vector (irq_vectors:*_entry) */
	EV_VECTOR_EXIT,	      /* a enum ev_vector */
	EV_IPI_ENTRY,	      /* name reason (ipi:ipi_entry) */
	EV_IPI_EXIT,	      /* name reason */
	EV_IPI_SEND,	      /* a cpu (ipi_send_cpu) */
	EV_IPI_RAISE,	      /* a first 64 target CPUs as a mask, name reason (ipi_raise, ipi_send_cpumask) */
	EV_PM_QOS,	      /* a value us, aux 0 add 1 update 2 remove (pm_qos_*_request, CPU latency) */
	EV_DEV_PM_QOS,	      /* a new value, b cpu of "cpuN", aux 0 add 1 update 2 remove (RESUME_LATENCY) */
	EV_FREQUENCY,	      /* a kHz, obj cpu_id */
	EV_HALT_POLL,	      /* a new, b old, aux grow (power:guest_halt_poll_ns) */
	EV_HOTPLUG,	      /* a target state, b cpu (cpuhp:*_enter when present) */
	EV_MARKER,	      /* name text of ftrace:print, without newline */
	EV_RCU_BATCH,	      /* a 1 start 0 end */
	/* the probe events (system kprobes) of a recording made with --probes */
	EV_PROBE_SLEEP,	 /* sleep_length: a ret ns, b delta ns (INT64_MIN absent) */
	EV_PROBE_LIMIT,	 /* latency_req: a ret ns */
	EV_PROBE_TICK,	 /* got_tick: a ret */
	EV_PROBE_SELECT, /* cpuidle_select: a ret */
	EV_PROBE_REFLECT, /* cpuidle_reflect: a index, b res ns (INT64_MIN absent), aux flags */
	EV_KINDS
};

enum ev_vector {
	VECTOR_LOCAL_TIMER,
	VECTOR_RESCHEDULE,
	VECTOR_CALL_FUNCTION,
	VECTOR_CALL_FUNCTION_SINGLE,
	VECTOR_IRQ_WORK,
	VECTOR_OTHER,
};

#define EV_BIT(kind) (1ULL << (kind))
#define EV_WANT_IDLE (EV_BIT(EV_IDLE) | EV_BIT(EV_MISS))
#define EV_WANT_ALL (~0ULL)

/* ctx bits: common_flags of the record (include/linux/trace_events.h) */
#define CTX_IRQS_OFF 0x01
#define CTX_NEED_RESCHED 0x04
#define CTX_HARDIRQ 0x08
#define CTX_SOFTIRQ 0x10

struct event {
	int64_t at_ns;
	uint64_t obj;
	int64_t a, b, c;
	uint32_t aux;
	uint32_t name; /* trace_name(); 0 none. For functions: the symbol, or 0x... */
	int32_t pid;   /* common_pid */
	uint8_t kind;  /* enum ev_kind */
	uint8_t ctx;
	uint16_t cpu; /* buffer the record came from */
};

#define PERIOD_CUT_END 0x01  /* open at the end: exit_ns is the last time of the recording; not counted */
#define PERIOD_FORCED 0x02   /* no governor was asked: idle injection, s2idle, default idle call */
#define PERIOD_MISS_ABOVE 0x04 /* cpu_idle_miss followed: type above */
#define PERIOD_MISS_BELOW 0x08
#define PERIOD_RESCHED 0x10 /* need_resched was set in the exit record's flags */
#define PERIOD_JUDGED 0x20  /* a replay: the MISS flags are its verdict, on the length the governor saw */

/* what ended an idle period; tick and limit are the governor's own doing (endogenous) */
enum wake_kind {
	WAKE_UNKNOWN,
	WAKE_TICK,
	WAKE_TIMER,  /* hrtimer or wheel timer other than the tick */
	WAKE_IRQ,    /* device interrupt */
	WAKE_IPI,    /* reschedule or function call from another CPU */
	WAKE_SOFTIRQ,
	WAKE_POLL,   /* need_resched seen while polling */
	WAKE_LIMIT,  /* the state's own time-out */
	WAKE_KINDS
};

struct period {
	int64_t enter_ns, exit_ns;
	int8_t state;	/* asked for (the enter event); 0..STATES_MAX-1 */
	int8_t entered; /* as the miss event or the reflect probe says; else = state */
	uint8_t flags;
	uint8_t wake;  /* enum wake_kind; filled by wakes_attribute() */
	uint32_t wake_name; /* timer function, irq or waking task; 0 unknown */
	int32_t delay_ns;   /* from the arrival of the wake (or the entry, if later) to the end; 0 unknown */
} __attribute__((packed, aligned(4))); /* 28 bytes: there are as many of these as idle periods */

/** period_kernel_ns() - the length as the kernel saw it: without the cost of the recording's own event */
static inline int64_t period_kernel_ns(const struct period *p, int64_t event_cost_ns)
{
	return max64(p->exit_ns - p->enter_ns - event_cost_ns, 0);
}

/* a stretch of which nothing is known: events were lost or a page was damaged */
struct hole {
	int64_t from_ns, to_ns;
	int64_t lost; /* events; -1 unknown */
};

#define WINDOWS_MAX 32

/* a stretch of a huge recording of which all wanted events were kept */
struct window {
	int64_t from_ns, to_ns; /* [from, to) */
};

struct cpu_trace {
	struct period *period; /* sorted; no overlaps; only the last one may be PERIOD_CUT_END */
	size_t nperiods, period_cap;
	struct event *ev; /* kinds in trace.want, sorted by time */
	size_t nevs, ev_cap;
	struct hole *hole;
	size_t nholes, hole_cap;
	int window; /* the first of the trace's that is not over yet */
	int64_t first_ns, last_ns;
	/* a pairing in progress */
	bool open;
	int64_t open_enter_ns;
	int8_t open_state;
	int8_t deepest; /* state of any period */
	uint8_t open_flags;
	/* what did not pair (expected/README): */
	uint64_t orphan_exits, reenters, bad_states;
	uint64_t idle_events, back_steps;
	uint64_t missed_above[16], missed_below[16]; /* miss events that follow no period of ours are counted too */
};

struct trace {
	char *path;
	char format[24];	/* "trace.dat v7", "ftrace text", ... */
	char sha256[65];
	char uname[160];	/* kernel string of the recording, "" unknown */
	char kernel[64];	/* "6.12.117", "" unknown */
	char arch[24];		/* "x86_64", "arm64", "ppc64le", "" unknown */
	char clock[24];		/* "mono", ... */
	bool clock_is_ns, clock_global; /* usable as time; comparable across CPUs */
	bool emulated;		/* the recording says it was made in an emulator */
	bool cut_short;		/* only its beginning was read, as asked for */
	int ncpus;
	struct cpu_trace *cpu;	/* [ncpus] */
	uint64_t want;		/* kinds kept in ev[] */
	/* when there are any, ev[] holds what lies inside these only, and markers; periods are all there */
	struct window window[WINDOWS_MAX];
	int nwindows;
	uint64_t seen;		/* kinds that occur in the file's event formats (recorded or recordable) */
	uint64_t present;	/* kinds of which there is at least one record */
	int64_t origin_ns, end_ns; /* first and last record of any kind on any CPU */
	uint64_t lost_events;	/* known count */
	uint64_t lost_unknown;	/* holes without a count */
	uint64_t bad_pages, bad_records;
	uint64_t events;	/* records seen, of all kinds */
	char **name;		/* interned text; [0] is "" */
	uint32_t nnames, name_cap;
	void *name_map;
	char **warning;		/* lines for the user: what was odd and what it means */
	int nwarnings, warning_cap;
	char *machine_text;	/* machine description found inside the recording, or NULL */
	char *cmdlines;		/* saved_cmdlines, strings "pid comm" up to an empty one; or NULL */
};

/** trace_new() - an empty trace that keeps the kinds in want; release with trace_free() */
struct trace *trace_new(const char *path, uint64_t want);
void trace_free(struct trace *t);

/** trace_cpus() - make room for at least ncpus CPUs (1..8192) */
void trace_cpus(struct trace *t, int ncpus);

/**
 * trace_add() - one record, in time order per CPU
 * @ev: copied. EV_IDLE and EV_MISS are paired into periods of the CPU in obj (must be < ncpus).
 * Others are kept if wanted. Calls for different CPUs (obj for idle, ev->cpu for others) may run in
 * parallel once trace_cpus() was called and names are interned beforehand.
 */
void trace_add(struct trace *t, const struct event *ev);

/** trace_keeps_idle() - do idle events stay, too, to be ordered among others (markers do not count) */
static inline bool trace_keeps_idle(const struct trace *t)
{
	return t->want & ~(EV_WANT_IDLE | EV_BIT(EV_MARKER));
}

/**
 * trace_idle() - the same as trace_add() of an idle event, for a trace that does not keep idle events
 * @c: the CPU that the event is about
 * @state: -1 exit; @pid, @ctx: of the record
 */
void trace_idle(struct cpu_trace *c, int64_t at_ns, int32_t state, int32_t pid, uint8_t ctx);

/**
 * trace_in_window() - is an event of this time kept, whatever its kind
 * @c: CPU that it is kept for; its times must not go back much: a window that is over stays over
 */
bool trace_in_window(const struct trace *t, struct cpu_trace *c, int64_t at_ns);

/**
 * trace_window_open() - one of the windows as a recording of its own
 * @view: filled; borrows everything of @t but for its array of CPUs. Periods that reach into the
 * window are in it whole, so its origin and end may lie outside
 * @t: finished; names may be added through the view, nothing else may change until it is closed
 */
void trace_window_open(struct trace *view, const struct trace *t, int window);
/** trace_window_close() - give back what was borrowed; the view is gone */
void trace_window_close(struct trace *view, struct trace *t);

/** trace_event_at() - number of a CPU's first kept event at or after a time; nevs if none */
size_t trace_event_at(const struct cpu_trace *c, int64_t at_ns);

/** trace_hole() - nothing is known about the CPU between the two times; an open period is dropped */
void trace_hole(struct trace *t, int cpu, int64_t from_ns, int64_t to_ns, int64_t lost);

/** trace_finish() - close open ends, sort what came out of order, set origin and end */
void trace_finish(struct trace *t);

/** trace_intern() - number of a text, the same for the same text (not thread-safe) */
uint32_t trace_intern(struct trace *t, const char *text, size_t len);
static inline const char *trace_name(const struct trace *t, uint32_t name)
{
	return name < t->nnames ? t->name[name] : "";
}

/** trace_warn() - add a line to trace.warning (printf format) */
void trace_warn(struct trace *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** trace_comm() - last known name of a task, from sched_switch or saved_cmdlines; "" unknown */
const char *trace_comm(const struct trace *t, int pid);

/** trace_kernel_version() - "6.12.117" as 6*10^7 + 12*10^5 + 117; 0 unknown */
int64_t trace_kernel_version(const char *kernel);

#endif
