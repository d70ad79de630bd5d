/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of `reidle verify` that other commands use: choosing the recorded governor's model.
 * Nothing is owned.
 */
#ifndef REIDLE_SRC_CMD_VERIFY_H
#define REIDLE_SRC_CMD_VERIFY_H

#include "src/recording.h"

/**
 * verify_governor() - the one governor of -g, or what the recording's kernel ran
 * Return: 0, or -1 with err (usage: more than one, unknown; input: none named and none recorded)
 */
int verify_governor(struct gov_spec *out, const struct options *o, const struct recording *r,
	struct error *err);

/** verify_options() - replay options of the command line */
struct replay_options verify_options(const struct options *o);

#endif
