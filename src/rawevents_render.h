/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the renderer's child: libtraceevent, and the cage around it.
 * The renderer owns its library handle; the world must outlive it.
 */
#ifndef REIDLE_SRC_RAWEVENTS_RENDER_H
#define REIDLE_SRC_RAWEVENTS_RENDER_H

#include "src/rawevents.h"

struct renderer;

/** renderer_new() - NULL when the library does not start; it lives as long as the process */
struct renderer *renderer_new(const struct raw_world *w);
/** renderer_line() - the event as text, in place until the next call; may well crash */
const char *renderer_line(struct renderer *r, const struct raw_event *ev);
/** renderer_hex() - the event as bytes; its id is not rendered any more; never crashes */
const char *renderer_hex(struct renderer *r, const struct raw_event *ev);

/**
 * renderer_cage() - limit this process for good: no new files, no network, no processes, 2 GB more, and it
 * dies with its parent. Where the kernel has no seccomp the limits of setrlimit() remain.
 */
void renderer_cage(void);

#endif
