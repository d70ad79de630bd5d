/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Edits of the state table that hold for one governor of -g only, written among its parameters:
 *	menu@5.10:1.latency=1:1.residency=10,menu@6.12:disable=C3+C6
 * so that machines stand side by side as governors do.
 */
#ifndef REIDLE_SRC_RECORDING_EDITS_H
#define REIDLE_SRC_RECORDING_EDITS_H

#include "src/machine.h"

struct table_edit {
	struct machine *machine; /* owned; NULL: nothing is edited */
	char text[96];		 /* the edits, for labels; "" none */
};

/**
 * edit_take() - cut the edits out of one governor's text
 * @governor: set to the rest; the caller frees it
 * @base: the machine they change; copied
 * Return: 0, or -1 with err (usage: the edit that is wrong); release with edit_free() if 0
 */
int edit_take(struct table_edit *e, char **governor, const char *text, const struct machine *base,
	struct error *err);
void edit_free(struct table_edit *e);

#endif
