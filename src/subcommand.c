// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/subcommand.h"

extern const struct subcommand cmd_record;
extern const struct subcommand cmd_states;

const struct subcommand *const subcommand_list[] = {
	&cmd_record,
	&cmd_states,
	NULL,
};
