/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tick rate of a recorded kernel, which no event carries (governors.md 11 has the order of sources).
 * Nothing is owned.
 */
#ifndef REIDLE_REPLAY_HZ_H
#define REIDLE_REPLAY_HZ_H

#include "src/trace.h"

/** hz_is_tick() - is this hrtimer function the tick (tick_sched_timer up to 6.11, tick_nohz_handler) */
bool hz_is_tick(const char *function);

/**
 * hz_find() - the tick rate from the recording itself
 * @source: filled with "tick spacing", "probe" or "guessed"; at least 16 bytes
 * Return: one of the rates that kernels are built with
 */
int hz_find(const struct trace *t, char *source, size_t size);

#endif
