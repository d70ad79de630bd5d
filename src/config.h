/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user's settings: $XDG_CONFIG_HOME/reidle/config, else /etc/reidle/config. Read once and never
 * written by the program. A struct config owns its items; config_free() releases them.
 */
#ifndef REIDLE_SRC_CONFIG_H
#define REIDLE_SRC_CONFIG_H

#include "src/command.h"
#include "src/theme.h"

struct config_item {
	char section[24]; /* keys, colors, screen */
	char name[40];
	char value[120];
	int line;
};

struct config {
	struct config_item *item;
	int n, cap;
	char path[400]; /* "" when there is none */
	char problem[240]; /* first thing that is wrong, with file and line; "" none */
};

/** config_read() - find and read it; a missing file is no problem */
void config_read(struct config *c);
/** config_read_file() - the same from a given file; false when it cannot be opened */
bool config_read_file(struct config *c, const char *path);
void config_free(struct config *c);

/** config_keys() - [keys] COMMAND = KEY KEY ... */
void config_keys(struct config *c, struct keymap *keys);
/** config_colors() - [colors] ROLE = NUMBER|NAME [bold reverse underline] */
void config_colors(struct config *c, struct theme *t);
/** config_get() - a value of [screen]; NULL when it is not set */
const char *config_get(const struct config *c, const char *name);
/** config_check() - names of sections and of [screen] that nobody knows become the problem */
void config_check(struct config *c);

#endif
