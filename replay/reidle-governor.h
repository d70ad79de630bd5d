/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface between reidle and a governor in a shared object (-g ./mine.so). The object exports
 * reidle_governor(). Times are ns. reidle owns all memory; a governor keeps what it learns in the
 * memory it is given for each CPU, which may be copied to another address between two calls (so keep
 * no pointer into it), and is driven by several threads at once (so write to nothing else).
 * Self-contained: needs a C11 compiler and nothing of reidle. doc/governor-example.c is a whole one.
 */
#ifndef REIDLE_GOVERNOR_H
#define REIDLE_GOVERNOR_H

#include <stddef.h>
#include <stdint.h>

/* raised when a struct below changes; an object of another number is refused */
#define REIDLE_GOVERNOR_ABI 1

#define REIDLE_STATES_MAX 10
#define REIDLE_STATE_POLLING 0x1

struct reidle_state {
	int64_t exit_latency_ns, target_residency_ns;
	uint32_t flags; /* REIDLE_STATE_* */
	uint32_t unused;
	char name[32];
};

/* the CPU; valid during init() only */
struct reidle_machine {
	int32_t cpu, hz;
	int64_t tick_ns; /* length of a tick as the kernel rounds it */
	uint32_t nstates;
	uint32_t nparams;
	struct reidle_state state[REIDLE_STATES_MAX];
	const double *param; /* values, in the order of reidle_governor.param */
};

/* what the kernel tells a governor when a CPU goes idle */
struct reidle_input {
	int64_t now_ns;
	int64_t limit_ns;      /* latency limit */
	int64_t sleep_ns;      /* to the next timer other than the tick; may be negative */
	int64_t tick_delta_ns; /* to the next clock event, tick included */
	uint32_t iowait;       /* tasks of this CPU that wait for I/O */
	uint32_t disabled;     /* mask of disabled states */
	uint8_t tick_stopped, utilized, unused[6];
};

#define REIDLE_READ_SLEEP 0x1 /* the choice used sleep_ns or tick_delta_ns */
#define REIDLE_READ_LIMIT 0x2
#define REIDLE_READ_IOWAIT 0x4
#define REIDLE_READ_UTIL 0x8
#define REIDLE_READ_CLOCK 0x10

struct reidle_choice {
	int32_t state;
	int32_t stop_tick;	/* preset to 1, as the kernel does */
	uint32_t read;		/* REIDLE_READ_* */
	uint32_t poll_limit_ns; /* how long polling may last, if the governor sets it; else 0 */
};

/* what came of it */
struct reidle_outcome {
	int32_t entered; /* state the CPU was in; negative: a task was already waiting, nothing entered */
	int32_t unused;
	int64_t residency_ns;
	int64_t now_ns;
	uint8_t poll_limit; /* polling ended by its time limit */
	uint8_t got_tick;   /* a tick came */
	uint8_t unused2[6];
};

struct reidle_param {
	const char *name, *help; /* help with the unit */
	double min, max, value;	 /* value: default */
};

struct reidle_governor {
	uint32_t abi; /* REIDLE_GOVERNOR_ABI */
	uint32_t nparams;
	const char *name, *summary;
	const struct reidle_param *param;
	size_t cpu_size; /* bytes of memory per CPU; zeroed before init() */
	/* Return: 0, or non-zero when the governor cannot work on this machine */
	int (*init)(void *cpu, const struct reidle_machine *m);
	void (*select)(void *cpu, const struct reidle_input *in, struct reidle_choice *out);
	/* Return: non-zero if the flag of a tick stays pending (got_tick was not read) */
	int (*reflect)(void *cpu, const struct reidle_outcome *out);
};

/* the one symbol of a plug-in */
const struct reidle_governor *reidle_governor(void);

#endif
