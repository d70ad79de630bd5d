/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys by number and by name, the same in the command table, the config file, scripts and help.
 * Plain characters are their code point, control keys 1..26, the rest lies above Unicode.
 */
#ifndef REIDLE_SRC_COMMAND_KEYS_H
#define REIDLE_SRC_COMMAND_KEYS_H

#include <stddef.h>

enum key {
	KEYS_NONE = 0,
	KEYS_TAB = 9,
	KEYS_ENTER = 13,
	KEYS_ESC = 27,
	KEYS_BACKSPACE = 127,
	KEYS_UP = 0x110000,
	KEYS_DOWN,
	KEYS_LEFT,
	KEYS_RIGHT,
	KEYS_S_LEFT,
	KEYS_S_RIGHT,
	KEYS_HOME,
	KEYS_END,
	KEYS_PGUP,
	KEYS_PGDN,
	KEYS_DELETE,
	KEYS_S_TAB,
	KEYS_F1,
};

#define CTRL_KEY(c) ((c) & 0x1f)

/** keys_parse() - "j", "^D", "PgDn", "S-Left", "F1"; KEYS_NONE when it is no key */
int keys_parse(const char *name);
/** keys_name() - the name that keys_parse() takes; @buf of at least 16 bytes */
const char *keys_name(int key, char *buf, size_t size);

#endif
