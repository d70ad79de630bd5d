/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --fail-if: does an expression hold in any row of a set of runs. A row is a state, or the total, of a
 * group of CPUs of a run. Fields: run (0 is the recording), label, group, state ("total" for totals),
 * every measure of measure_list, and NAME_change: its change against run 0 in percent.
 */
#ifndef REIDLE_SRC_FAIL_IF_H
#define REIDLE_SRC_FAIL_IF_H

#include "src/style.h"

/**
 * fail_if_holds() - evaluate
 * @where: filled with the row in words when it holds
 * Return: 1 it holds, 0 not, -1 with err (usage: column of the mistake)
 */
int fail_if_holds(const struct style_set *set, const char *text, char *where, size_t size,
	struct error *err);

#endif
