// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/command_keys.h"
#include "src/canvas.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *name;
	int key;
} names[] = {{"Tab", KEYS_TAB}, {"Enter", KEYS_ENTER}, {"Esc", KEYS_ESC},
	{"Backspace", KEYS_BACKSPACE}, {"Up", KEYS_UP}, {"Down", KEYS_DOWN}, {"Left", KEYS_LEFT},
	{"Right", KEYS_RIGHT}, {"S-Left", KEYS_S_LEFT}, {"S-Right", KEYS_S_RIGHT},
	{"Home", KEYS_HOME}, {"End", KEYS_END}, {"PgUp", KEYS_PGUP}, {"PgDn", KEYS_PGDN},
	{"Delete", KEYS_DELETE}, {"S-Tab", KEYS_S_TAB}, {"F1", KEYS_F1}, {"Space", ' '}};

int keys_parse(const char *name)
{
	const char *p = name;
	uint32_t cp;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcasecmp(name, names[i].name))
			return names[i].key;
	if (name[0] == '^' && name[1] >= '@' && name[1] <= '_' && !name[2])
		return CTRL_KEY(name[1]);
	if (!*name)
		return KEYS_NONE;
	cp = utf8_next(&p);
	return *p || cp < ' ' || cp == 0xfffd ? KEYS_NONE : (int)cp;
}

const char *keys_name(int key, char *buf, size_t size)
{
	char utf8[5] = "";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].key == key)
			return names[i].name;
	if (key > 0 && key < ' ') {
		snprintf(buf, size, "^%c", key + '@');
		return buf;
	}
	utf8[utf8_put(utf8, (uint32_t)key)] = '\0';
	snprintf(buf, size, "%s", utf8);
	return buf;
}
