/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names met while one CPU's records are walked: each gets a small number, the same for the same name.
 * One table per CPU, so that CPUs can be walked side by side; later they are renumbered into the
 * trace in the order of CPUs, which makes the result independent of the number of threads.
 * The table owns copies of the texts.
 */
#ifndef REIDLE_PARSERS_NAMES_H
#define REIDLE_PARSERS_NAMES_H

#include "src/util.h"

enum name_type {
	NAME_TEXT,
	NAME_FUNCTION, /* address of a kernel function */
	NAME_STRING,   /* address of a kernel string (printk formats) */
};

struct name {
	enum name_type type;
	uint32_t len;	  /* of text */
	uint64_t address; /* functions and strings; hash of the text for texts */
	char *text;
};

struct names {
	struct name *name; /* number - 1 */
	uint32_t n, cap;
	uint32_t *bucket; /* number, 0 free; open addressing */
	uint32_t nbuckets;
};

/** names_text() - number (>= 1) of a text of len bytes; 0 for the empty text */
uint32_t names_text(struct names *t, const char *text, size_t len);
/** names_address() - number of a function or string at an address; 0 for address 0 */
uint32_t names_address(struct names *t, enum name_type type, uint64_t address);
void names_free(struct names *t);

#endif
