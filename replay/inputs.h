/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the governor of each CPU was given, rebuilt from timers, ticks and interrupts (inputs.md).
 * struct inputs is fed the moments of a walk in order and answers for the present moment; it owns its
 * timer sets. Times are ns on the recording's clock, which is taken to be the monotonic one.
 */
#ifndef REIDLE_REPLAY_INPUTS_H
#define REIDLE_REPLAY_INPUTS_H

#include "replay/walk.h"
#include "src/machine.h"

/* what one select() was given */
struct input_snapshot {
	int64_t entry_ns; /* the kernel's idle entry time, to which lengths refer */
	int64_t sleep_ns, sleep_alt_ns, delta_ns;
	bool stopped;
	bool sleep_known; /* false: no timer events; both lengths are bounds only */
};

struct inputs_cpu {
	bool in_idle, stopped, got_tick;
};

struct inputs {
	const struct trace *trace;
	int64_t tick_ns;
	struct inputs_cpu *cpu; /* [ncpus] */
};

void inputs_init(struct inputs *in, const struct trace *t, int hz);
void inputs_free(struct inputs *in);
/** inputs_feed() - take one moment of the walk into account */
void inputs_feed(struct inputs *in, const struct moment *m);
/** inputs_take() - what a select() on this CPU would be given at this time */
void inputs_take(struct inputs *in, int cpu, int64_t at_ns, struct input_snapshot *out);
/** inputs_got_tick() - the tick flag, read and cleared */
bool inputs_got_tick(struct inputs *in, int cpu);

#endif
