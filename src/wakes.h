/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ended each idle period: a tick, a timer, a device interrupt, another CPU, the state's own limit.
 * Works on a finished trace before it is shared; fills period.wake and period.wake_name.
 * Nothing is allocated beyond the call except interned names.
 */
#ifndef REIDLE_SRC_WAKES_H
#define REIDLE_SRC_WAKES_H

#include "src/machine.h"
#include "src/trace.h"

/** wakes_want() - the event kinds it uses, as EV_BITs */
uint64_t wakes_want(void);

/**
 * wakes_attribute() - fill period.wake and period.wake_name of every period
 * @t: finished, with the kinds of wakes_want() kept
 * @m: the recorded machine (which states poll)
 * A period whose end no recorded event explains stays WAKE_UNKNOWN.
 * Names: the timer's function, the interrupt's handler, the waking task ("swapper" from idle).
 */
void wakes_attribute(struct trace *t, const struct machine *m);

/** wake_kind_name() - "tick", "timer", "irq", "ipi", "softirq", "poll", "limit", "unknown" */
const char *wake_kind_name(enum wake_kind kind);

/** wakes_tick_function() - is it the function of the tick's hrtimer, in any kernel */
bool wakes_tick_function(const char *function);

#endif
