/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Governors in shared objects (replay/reidle-governor.h), the kernel's own files among them, each
 * call contained: a crash, a loop, or nonsense becomes a failure of that plug-in and of nothing
 * else. Loaded objects stay for the life of the program. plugin*.c are the only files here that do
 * I/O.
 */
#ifndef REIDLE_REPLAY_PLUGIN_H
#define REIDLE_REPLAY_PLUGIN_H

#include "replay/governor.h"

/** plugin_is_path() - does the text name a file rather than a model */
bool plugin_is_path(const char *text);

/**
 * plugin_open() - load an object; a .c file is compiled first, into the user's cache
 * @s: gov, plugin and the parameters' defaults are filled
 * Return: 0, or -1 with err
 */
int plugin_open(struct gov_spec *s, const char *path, struct error *err);

/** plugin_failure() - as governor_failure(), for a spec with a plug-in */
int plugin_failure(const struct gov_spec *s, struct error *err);

#endif
