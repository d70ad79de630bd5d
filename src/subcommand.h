/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The batch commands: one file src/cmd_NAME.c each, one line in the list of src/subcommand.c.
 * run() prints data on stdout and returns an exit code, or -1 with err filled (main.c prints it).
 */
#ifndef REIDLE_SRC_SUBCOMMAND_H
#define REIDLE_SRC_SUBCOMMAND_H

#include "src/options.h"

struct subcommand {
	const char *name;
	const char *usage;   /* after the name: "FILE -g GOV[,GOV...]" */
	const char *summary; /* one line */
	int (*run)(const struct options *o, struct error *err);
	bool fail_if; /* has rows for --fail-if */
};

extern const struct subcommand *const subcommand_list[]; /* NULL-terminated */

#endif
