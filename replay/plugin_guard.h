/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Containment of foreign code: faults and endless loops inside a guarded stretch come back as a
 * value. State is per thread; the guard of a thread is released when it ends. Memory that the code
 * overwrites outside its own is not protected.
 */
#ifndef REIDLE_REPLAY_PLUGIN_GUARD_H
#define REIDLE_REPLAY_PLUGIN_GUARD_H

#include <setjmp.h>
#include <signal.h>

struct plugin_guard {
	sigjmp_buf env;
	volatile sig_atomic_t active; /* foreign code runs */
	volatile unsigned long calls; /* changes with each guarded stretch */
	unsigned long seen;	      /* calls at the last tick of the watchdog */
	int signal;		      /* what ended the stretch; SIGVTALRM: the watchdog */
};

/** plugin_guard() - the calling thread's guard, with handlers and watchdog in place */
struct plugin_guard *plugin_guard(void);

/** plugin_guard_handlers() - take the fault signals again from whoever set handlers meanwhile */
void plugin_guard_handlers(void);

/*
 * if (!PLUGIN_GUARDED(g)) { ...foreign code...; plugin_unguard(g); } else { g->signal says why }
 * Nothing of the enclosing function's locals may be changed between the two and used after a
 * failure.
 */
#define PLUGIN_GUARDED(g) (sigsetjmp((g)->env, 0) || ((g)->calls++, (g)->active = 1, 0))

static inline void plugin_unguard(struct plugin_guard *g)
{
	g->active = 0;
}

#endif
