/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of a recording as they are, of any kind, on their way from a parser to a renderer.
 * All texts and bytes belong to whoever made the struct. Times are ns of the recording.
 */
#ifndef REIDLE_SRC_RAW_H
#define REIDLE_SRC_RAW_H

#include "src/util.h"

struct raw_text {
	const char *p; /* not terminated */
	size_t len;
};

struct raw_format {
	const char *system;
	struct raw_text text; /* "name: ...\nID: ...\nformat: ..." */
};

/* what a renderer has to know of the machine that recorded */
struct raw_world {
	bool be;  /* byte order */
	int word; /* size of the kernel's long: 4 or 8 */
	const struct raw_format *format;
	int nformats;
	struct raw_text kallsyms, printk, cmdlines;
};

struct raw_event {
	int64_t at_ns;
	int cpu;
	const uint8_t *data;
	uint32_t size;
	const char *buffer; /* instance, "" the top one */
	int64_t lost;	    /* events lost before it on this CPU; -1 unknown number */
};

/* a record rendered */
struct raw_line {
	int64_t at_ns;
	int cpu;
	const char *text;
};

struct raw_window {
	int64_t from_ns, to_ns; /* [from, to) */
};

#endif
