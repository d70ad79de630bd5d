/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which trace event of the kernel is which kind of ours, and which of its fields go to which column.
 * Constant data. Field names as in include/trace/events/, kernels 3.x to 7.x.
 */
#ifndef REIDLE_PARSERS_DAT_SPEC_H
#define REIDLE_PARSERS_DAT_SPEC_H

#include "src/trace.h"

enum name_how {
	NAME_IS_TEXT,	  /* a char array or a __data_loc */
	NAME_IS_FUNCTION, /* address of a function */
	NAME_IS_STRING,	  /* address of a string: printk formats */
	NAME_IS_REST,	  /* text to the end of the record */
};

#define SPEC_FIELDS 6 /* obj a b c aux extra */

struct dat_spec {
	const char *system; /* NULL: any (probe events are in a group of the user's choice) */
	const char *name;
	uint8_t kind;
	uint8_t name_how;
	const char *field[SPEC_FIELDS]; /* by enum dat_column; "?x": may be absent */
	const char *name_field;
	int64_t a, b, aux; /* when no field gives them */
	/* last touch; extra is -1 when absent; text of the name field. false: not of interest */
	bool (*adjust)(struct event *ev, int64_t extra, const char *text, uint32_t len);
};

/** dat_spec_find() - by system and name (len bytes); NULL when it is none of ours */
const struct dat_spec *dat_spec_find(const char *system, const char *name, size_t len);

#endif
