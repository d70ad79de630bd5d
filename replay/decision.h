/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decisions of a recording with what the governor was given at each: from the probe events where
 * they were recorded, else rebuilt from timers, ticks and interrupts, each input with its provenance.
 * decisions_build() fills a struct that decisions_free() releases. Times are ns, absolute.
 */
#ifndef REIDLE_REPLAY_DECISION_H
#define REIDLE_REPLAY_DECISION_H

#include "replay/governor.h"
#include "src/trace.h"

enum provenance { PROV_EXACT, PROV_BOUNDED, PROV_GUESSED };

enum decision_input { IN_SLEEP, IN_TICK_DELTA, IN_TICK_STOPPED, IN_GOT_TICK, IN_LIMIT, IN_POLL_LIMIT,
	IN_RESIDENCY, IN_IOWAIT, IN_CLOCK, IN_COUNT };

#define DEC_ABORTED 0x01      /* no idle period followed */
#define DEC_POLL_LIMIT 0x02
#define DEC_GOT_TICK 0x04     /* the tick flag was set when it was read after the period */
#define DEC_TICK_STOPPED 0x08 /* ST at select */
#define DEC_SLEEP_READ 0x10   /* the kernel's governor read the sleep length (probes only) */
#define DEC_HAVE_CHOICE 0x20  /* chosen is the governor's own answer (probe), not the entered state */
#define DEC_FORCED 0x40
#define DEC_AFTER_HOLE 0x80   /* first decision after lost events: governor memory unknown */
#define DEC_NO_OUTCOME 0x100  /* cut at the end */
#define DEC_RESET 0x400	      /* the CPU was taken off or put on line before: the governor begins anew */
#define DEC_INFERRED 0x200    /* aborted, and only inferred: it has no recorded choice (chosen is -1) */

struct decision {
	int64_t select_ns, enter_ns, exit_ns, reflect_ns;
	int64_t sleep_ns, tick_delta_ns, limit_ns, residency_ns;
	int64_t sleep_alt_ns; /* other bound of the sleep length when it is not exact; else = sleep_ns */
	int8_t chosen;	      /* recorded choice */
	int8_t entered;	      /* state the driver returned; < 0 aborted */
	uint16_t flags;
	uint8_t bound;	      /* what decided the rebuilt sleep length: enum sleep_bound */
	uint8_t iowait_max;   /* tasks of this CPU that may have been waiting for I/O; at least 0 were */
	uint16_t prov; /* 2 bits per enum... only the first 8 inputs: (prov >> 2*i) & 3 */
	uint32_t period; /* index into the CPU's periods; UINT32_MAX when aborted */
};

static inline enum provenance decision_prov(const struct decision *d, enum decision_input i)
{
	return i < 8 ? (enum provenance)((d->prov >> (2 * i)) & 3) : PROV_EXACT;
}

struct decisions_cpu {
	struct decision *d;
	size_t n, cap;
};

struct decisions {
	const struct trace *trace;
	int ncpus;
	struct decisions_cpu *cpu;
	int hz;
	char hz_source[48];	/* "option", "recording", "tick spacing", "probe", "guessed" */
	bool from_probes;
	bool reads_known; /* DEC_SLEEP_READ says whether the recorded governor read the length */
	int64_t event_cost_ns;	/* recorded length minus the kernel's residency, median */
	int64_t event_cost_lo_ns, event_cost_hi_ns;
	char event_cost_source[32]; /* "probe", "miss events", "none" */
	/* one line per input: how it is known, and what to record to know it better */
	char known[IN_COUNT][160];
	enum provenance worst[IN_COUNT];
};

struct decision_options {
	int hz;		    /* 0: find out (governors.md 11) */
	bool ignore_probes;
	int threads;
	const struct decisions *like; /* take tick rate and event cost from there; NULL: find them out */
};

/**
 * decisions_scale() - tick rate and event cost of a recording, no decisions
 * For one whose decisions are built window by window: see decision_options.like. Owns nothing.
 */
void decisions_scale(struct decisions *out, const struct trace *t, const struct machine *m,
	const struct decision_options *opt);

/**
 * decisions_build() - the decisions of every CPU
 * @t: a finished trace that kept the kinds of decisions_want()
 * @m: the recorded machine
 * Return: 0, or -1 with err (EXIT_INPUT: no cpu_idle event, with what to record)
 */
int decisions_build(struct decisions *out, const struct trace *t, const struct machine *m,
	const struct decision_options *opt, struct error *err);
void decisions_free(struct decisions *d);

/** decision_at() - number of a CPU's first decision whose select is at or after a time; n if none */
size_t decision_at(const struct decisions_cpu *c, int64_t at_ns);
/** decisions_want() - the event kinds it uses, as EV_BITs */
uint64_t decisions_want(void);

#endif
