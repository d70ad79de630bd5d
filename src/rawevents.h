/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any event of a recording as one line of text, rendered by libtraceevent in a child process.
 * The library follows the "print fmt" texts of the file and does not survive hostile ones: the child
 * has limits on time, memory and system calls, and when it dies on an event, that event is shown in
 * hex and a new child goes on behind it. All texts and records belong to the caller. Times are ns.
 */
#ifndef REIDLE_SRC_RAWEVENTS_H
#define REIDLE_SRC_RAWEVENTS_H

#include "src/error.h"
#include "src/raw.h"

/* where the lines go */
struct raw_sink {
	/** line: an event as text without newline, control characters replaced; true: enough */
	bool (*line)(void *to, const struct raw_line *l);
	/** waiting: asked several times a second while no line comes; true gives up. May be NULL */
	bool (*waiting)(void *to);
	void *to;
};

/**
 * rawevents_print() - the events of a window, a line each
 * @next, @ctx: gives the next event in order of time, false at the end; only called in children, each of
 *	which begins where the caller stands
 * May be called from any thread; the children keep none of the caller's signal handlers.
 * Return: 0, or -1 with err (no process, no library; events that cannot be rendered are no error)
 */
int rawevents_print(const struct raw_world *w, const struct raw_window *window,
	bool (*next)(void *ctx, struct raw_event *ev), void *ctx, const struct raw_sink *sink,
	struct error *err);

#endif
